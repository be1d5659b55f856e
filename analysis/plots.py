"""One function a figure: a tidy table and an axes in, the axes out. Readable in black and white print.

Teams are told apart by marker and line style as well as by colour (Okabe and Ito's palette, safe for colour-blind
eyes); every figure says its units and its n.
"""

from __future__ import annotations

from itertools import cycle, islice

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":")

#: Longest team name a figure shows whole.
_LONGEST = 22


def plain(name: str) -> str:
    """A name as a figure shows it: short enough, and never taken for a formula between dollar signs."""
    name = " ".join(str(name).split())
    short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    return short.replace("\\", "\\\\").replace("$", r"\$") if "$" in short else short


def race_plot(race: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Games won so far by day, one line a team, from :func:`analysis.stats.race`. Lines that meet hide each other."""
    ax = _axes(ax)
    order = race.groupby("team")["won"].max().sort_values(ascending=False, kind="stable").index
    styles = islice(zip(cycle(COLOURS), cycle(MARKERS), _lines(), strict=False), len(order))
    for team, (colour, marker, line) in zip(order, styles, strict=True):
        rows = race[race["team"] == team]
        label = f"{plain(team)} ({rows['won'].iloc[-1]} of {rows['played'].iloc[-1]})"
        ax.plot(rows["date"].to_numpy(), rows["won"].to_numpy(dtype=float), color=colour, marker=marker, linestyle=line,
                markersize=5, label=label)
    ax.set(ylabel="games won so far", title="The race")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.tick_params(axis="x", rotation=30)
    if len(order):
        ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def set_rate_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Set rate against make rate with 95 % intervals, from :func:`analysis.stats.team_table`.

    A team up and to the right calls often and pays for it. With few hands the bars are wide: read them, not the dots.
    """
    ax = _axes(ax)
    known = table.dropna(subset=["make_rate", "set_rate"])
    for row, marker, colour in zip(known.itertuples(), cycle(MARKERS), cycle(COLOURS), strict=False):
        ax.errorbar(row.make_rate, row.set_rate, xerr=_arms(row.make_rate, row.make_low, row.make_high),
                    yerr=_arms(row.set_rate, row.set_low, row.set_high), marker=marker, color=colour, linewidth=0.8,
                    linestyle="none", label=f"{plain(row.team)} (n = {row.made})")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set(xlabel="hands in which the team made trump", ylabel="of those, hands set", title="Calling and paying")
    if len(known):
        ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), title="n: hands made")
    return ax


def average_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Points a hand with 95 % intervals, best team on top, from :func:`analysis.stats.team_table`."""
    ax = _axes(ax)
    known = table.dropna(subset=["average"]).sort_values("average", kind="stable")
    places = np.arange(len(known))
    arms = np.nan_to_num(_arms(known["average"], known["average_low"], known["average_high"]))
    ax.errorbar(known["average"], places, xerr=arms, fmt="o", color="black", capsize=3)
    labels = [f"{plain(team)} (n = {n})" for team, n in zip(known["team"], known["hands"], strict=True)]
    ax.set_yticks(places, labels)
    ax.set(xlabel="points a hand, mean and 95 % interval", title="Average hand")
    return ax


def strength_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Chance to beat an average team with 95 % intervals, from :func:`analysis.strength.bradley_terry`."""
    ax = _axes(ax)
    ordered = table.iloc[::-1]
    places = np.arange(len(ordered))
    chance, low, high = (1 / (1 + np.exp(-ordered[key].to_numpy(dtype=float))) for key in ("strength", "low", "high"))
    ax.errorbar(chance, places, xerr=_arms(chance, low, high), fmt="o", color="black", capsize=3)
    ax.axvline(0.5, color="black", linestyle=":", linewidth=1)
    labels = [f"{plain(team)} (n = {n})" for team, n in zip(ordered["team"], ordered["games"], strict=True)]
    ax.set_yticks(places, labels)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set(xlabel="chance to beat an average team (n: games)", title="Strength")
    return ax


def hand_scores_plot(hands: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often each score a hand occurs, both sides counted, in bins of 10 points; zeros and set sides in the first.

    162 points and meld are shared out on every hand, so the two sides' scores are not independent.
    """
    ax = _axes(ax)
    scores = pd.concat([hands["we_points"], hands["they_points"]]).dropna().to_numpy(dtype=float)
    top = max(170.0, scores.max(initial=0.0))
    ax.hist(scores, bins=np.arange(min(0.0, scores.min(initial=0.0)) // 10 * 10, top + 20, 10), color="#56B4E9",
            edgecolor="black", linewidth=0.5)
    ax.axvline(81, color="black", linestyle="--", linewidth=1)
    ax.annotate("half of 162", (81, 1), xycoords=("data", "axes fraction"), xytext=(4, -12), textcoords="offset points",
                fontsize="small")
    ax.set(xlabel="points of one side on a hand", ylabel="times", title=f"Hand scores (n = {len(scores)} scores)")
    return ax


def head_to_head_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Games won by the row's team against the column's, from :func:`analysis.stats.head_to_head`; empty: not met."""
    ax = _axes(ax)
    values = table.to_numpy(dtype=float)
    ax.set(title="Games won by the team at the left")
    if not values.size:
        return ax
    ax.imshow(np.nan_to_num(values), cmap="Greys", vmin=0, vmax=max(2.0, 2 * np.nanmax(values, initial=0.0)))
    for row, column in zip(*np.nonzero(~np.isnan(values)), strict=True):
        ax.text(column, row, f"{values[row, column]:.0f}", ha="center", va="center", color="black")
    names = [plain(team) for team in table.index]
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
    ax.set_yticks(range(len(names)), names)
    return ax


def slips_plot(kinds: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Slips a hundred hands by kind with 95 % intervals, from :func:`analysis.audit.slips_by_kind`."""
    ax = _axes(ax)
    shown = kinds.iloc[::-1]
    places = np.arange(len(shown))
    rate = 100 * shown["rate"].to_numpy(dtype=float)
    arms = _arms(rate, 100 * shown["low"].to_numpy(dtype=float), 100 * shown["high"].to_numpy(dtype=float))
    ax.barh(places, rate, color="#CCCCCC", edgecolor="black", xerr=np.nan_to_num(arms), capsize=3)
    ax.set_yticks(places, [f"{code} ({n})" for code, n in zip(shown["code"], shown["slips"], strict=True)])
    hands = int(kinds["hands"].iloc[0]) if len(kinds) else 0
    ax.set(xlabel=f"slips in a hundred hands (n = {hands} hands)", title="Slips of the pencil")
    return ax


def _axes(ax: Axes | None) -> Axes:
    return Figure(layout="constrained").subplots() if ax is None else ax


def _lines() -> cycle:
    """Line styles that change after every eight teams, when colours and markers begin again."""
    return cycle([line for line in LINES for _ in COLOURS])


def _arms(middle: object, low: object, high: object) -> np.ndarray:
    """Lengths of error bars below and above, shape (2, n); rounding never makes one negative."""
    middle, low, high = (np.atleast_1d(np.asarray(v, dtype=float)) for v in (middle, low, high))
    return np.maximum(np.vstack([middle - low, high - middle]), 0)
