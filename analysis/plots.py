"""One function a figure: a tidy table and an axes in, the axes out. Readable in black and white print.

Teams are told apart by marker and line style as well as by colour (Okabe and Ito's palette, safe for colour-blind
eyes); every figure says its units and its n. Here are the figures of games; those of hands and of scorekeeping live in
``handplots`` and ``auditplots`` and are handed out from here too.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analysis.auditplots import reliability_plot, slips_by_plot, slips_plot, slips_trend_plot
from analysis.drawing import COLOURS, EDGE, LINES, MARKERS, axes_of, dots, plain, styles, tidy
from analysis.handplots import average_plot, expected_plot, hand_scores_plot, set_rate_plot
from analysis.intervals import wilson

__all__ = ["COLOURS", "LINES", "MARKERS", "average_plot", "expected_plot", "form_plot", "hand_scores_plot",
           "head_to_head_plot", "odds_plot", "plain", "race_plot", "reliability_plot", "set_rate_plot",
           "slips_by_plot", "slips_plot", "slips_trend_plot", "standings_plot", "strength_plot"]

#: Most games a line of the form figure shows.
_LAST_GAMES = 14
#: Most evenings that have a mark of their own on the axis, and most teams whose games are written into the matrix.
_MOST_DAYS, _MOST_TEAMS = 10, 30


def race_plot(race: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Games won so far by day, one line a team, from :func:`analysis.stats.race`.

    Lines are moved apart by up to a sixth of a game, so that teams level with each other can all be seen.
    """
    ax = axes_of(ax)
    last = race.groupby("team", sort=True).tail(1).sort_values(["won", "team"], ascending=[False, True], kind="stable")
    nudge = np.linspace(0.15, -0.15, len(last)) if len(last) > 1 else np.zeros(len(last))
    rows, looks = dict(iter(race.groupby("team", sort=False))), styles(last["team"])
    for end, shift in zip(last.itertuples(), nudge, strict=True):
        own = rows[end.team]
        ax.plot(own["date"].to_numpy(), own["won"].to_numpy(dtype=float) + shift, markersize=6, linewidth=1.4,
                label=f"{plain(end.team)} ({end.won} of {end.played})", **looks[end.team])
    ax.set(ylabel="games won so far", title="The race for the title")
    days = race["date"].drop_duplicates().sort_values()
    if 0 < len(days) <= _MOST_DAYS:
        ax.set_xticks(days.to_numpy(), [f"{day.day} {day:%b}" for day in days])
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    tidy(ax)
    if len(last):
        ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def standings_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share of games won in the order of the table with 95 % intervals (Wilson), from :func:`analysis.standings`.

    The interval is what luck alone may do to a team that wins games at the rate of the dot: where they overlap, the
    order of the table may be chance.
    """
    ax = axes_of(ax)
    won, played = (table[key].to_numpy(dtype=float) for key in ("won", "played"))
    share = np.divide(won, played, out=np.full(len(won), np.nan), where=played > 0)
    low, high = wilson(won, played)
    labels = [f"{row.rank}. {plain(row.team)} ({row.won} of {row.played})" for row in table.itertuples()]
    ax.axvline(0.5, color="black", linestyle=":", linewidth=1)
    dots(ax, labels, share, low, high)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set(xlabel="games won, with 95 % intervals", title="The table and what luck may do to it", xlim=(0, 1))
    return ax


def form_plot(results: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Each team's last games in order, newest at the right: filled won, hollow lost, half tied.

    From :func:`analysis.league.team_results`; the team with most of the shown games won on top.
    """
    ax = axes_of(ax)
    ordered = results.sort_values("date", kind="stable", na_position="first")
    ordered = ordered.assign(turn=ordered.groupby("team", sort=False).cumcount(ascending=False))
    ordered = ordered[ordered["turn"] < _LAST_GAMES]
    won = ordered.groupby("team", sort=True)["won"].sum().sort_values(kind="stable")
    place = {team: i for i, team in enumerate(won.index)}
    y, x = ordered["team"].map(place).to_numpy(dtype=float), -ordered["turn"].to_numpy(dtype=float)
    for key, face in (("won", "black"), ("lost", "white"), ("tied", "#AAAAAA")):
        here = ordered[key].to_numpy(dtype=bool)
        ax.scatter(x[here], y[here], s=120, marker="s", facecolor=face, edgecolor=EDGE, label=key)
    ax.set_yticks(range(len(won)), [plain(team) for team in won.index])
    ax.set_ylim(-0.7, len(won) - 0.3)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="games ago", title="Form: the last games of each team")
    ax.xaxis.set_major_formatter(lambda value, _: f"{-value:.0f}" if value < 0 else "last" if value == 0 else "")
    tidy(ax)
    if len(ordered):
        ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def odds_plot(odds: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Chance of the first place after each week, one line a team, from :func:`analysis.outlook.odds_by_week`."""
    ax = axes_of(ax)
    order = odds.groupby("team", sort=True)["chance"].agg("last").sort_values(ascending=False, kind="stable").index
    rows, looks = dict(iter(odds.groupby("team", sort=False))), styles(order)
    for team in order:
        own = rows[team]
        ax.plot(own["week"].to_numpy(dtype=float), own["chance"].to_numpy(dtype=float), markersize=6, linewidth=1.4,
                label=plain(team), **looks[team])
    ax.set(xlabel="after week", ylabel="chance of the first place", title="Who might still win, week by week",
           ylim=(-0.03, 1.03))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    tidy(ax)
    if len(order):
        ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def strength_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Chance to beat an average team with 95 % intervals, from :func:`analysis.strength.bradley_terry`."""
    ax = axes_of(ax)
    chance, low, high = (1 / (1 + np.exp(-table[key].to_numpy(dtype=float))) for key in ("strength", "low", "high"))
    ax.axvline(0.5, color="black", linestyle=":", linewidth=1)
    labels = [f"{plain(team)} (n = {n})" for team, n in zip(table["team"], table["games"], strict=True)]
    dots(ax, labels, chance, low, high)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set(xlabel="chance to beat an average team (n: games)", title="Strength")
    return ax


def head_to_head_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Games won by the row's team against the column's, from :func:`analysis.stats.head_to_head`; empty: not met."""
    ax = axes_of(ax)
    ax.set(title="Games won by the team at the left")
    # The team with most games won on top, so that the dark corner is where the strong met the weak.
    order = table.sum(axis=1).sort_values(ascending=False, kind="stable").index
    values = table.reindex(index=order, columns=order).to_numpy(dtype=float)
    if not values.size:
        return ax
    most = max(1.0, float(np.nanmax(values, initial=0.0)))
    greys = ListedColormap([str(shade) for shade in np.linspace(1.0, 0.7, 64)]).with_extremes(bad="#F4F4F4")
    ax.imshow(np.ma.masked_invalid(values), cmap=greys, vmin=0, vmax=most)
    for row, column in zip(*np.nonzero(~np.isnan(values)), strict=True) if len(values) <= _MOST_TEAMS else ():
        ax.text(column, row, f"{values[row, column]:.0f}", ha="center", va="center", color="black")
    names = [plain(team) for team in order]
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
    ax.set_yticks(range(len(names)), names)
    return ax
