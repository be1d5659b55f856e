"""Figures of scorekeeping and reading: slips by kind, group and week, and whether confidence is due. See ``plots``."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analysis.drawing import arms, axes_of, dots, plain, tidy

#: The codes of findings as a scorekeeper would say them.
KINDS = {
    "running-total": "total added wrong", "hand-total": "hand does not come to 162", "tied-hand": "tied, nobody set",
    "set-too-low": "too few points for a set", "hand-check": "hand's check wrong", "total-check": "totals' check wrong",
    "past-the-end": "played past the end", "winner-mark": "W missing or misplaced",
}


def slips_plot(kinds: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Slips a hundred hands by kind with 95 % intervals, from :func:`analysis.audit.slips_by_kind`."""
    ax = axes_of(ax)
    labels = [f"{KINDS.get(code, code)} ({n})" for code, n in zip(kinds["code"], kinds["slips"], strict=True)]
    dots(ax, labels, *(100 * kinds[key] for key in ("rate", "low", "high")))
    hands = int(kinds["hands"].iloc[0]) if len(kinds) else 0
    ax.set(xlabel=f"slips in a hundred hands (n = {hands} hands)", title="Slips of the pencil", xlim=(0, None))
    return ax


def slips_by_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Slips a hundred hands by a group with 95 % intervals, from :func:`analysis.audit.slips_by`; most on top."""
    ax = axes_of(ax)
    by = str(table.columns[0])
    shown = table.sort_values("rate", ascending=False, kind="stable")
    labels = [f"{plain(name)} ({n} of {hands})" for name, n, hands in
              zip(shown[by], shown["slips"], shown["hands"], strict=True)]
    dots(ax, labels, *(100 * shown[key] for key in ("rate", "low", "high")))
    ax.set(xlabel="slips in a hundred hands (slips of hands)", title=f"Slips by {by}", xlim=(0, None))
    return ax


def slips_trend_plot(weeks: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Slips a hundred hands week by week with 95 % intervals, from ``analysis.audit.slips_by(frames, "week")``.

    The dotted line is the mean of the season. A trend is one only if it leaves the bars.
    """
    ax = axes_of(ax)
    rate, low, high = (100 * weeks[key].to_numpy(dtype=float) for key in ("rate", "low", "high"))
    ax.errorbar(weeks["week"].to_numpy(dtype=float), rate, yerr=arms(rate, low, high), fmt="o-", color="black",
                linewidth=0.8, capsize=3)
    hands = int(weeks["hands"].sum())
    if hands:
        ax.axhline(100 * weeks["slips"].sum() / hands, color="black", linestyle=":", linewidth=1)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="week", ylabel="slips in a hundred hands", title=f"Slips week by week (n = {hands} hands)",
           ylim=(0, None))
    tidy(ax)
    return ax


def reliability_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share right with 95 % intervals beside the confidence stated, from :func:`analysis.reader.reliability`.

    One line a class of confidence. Where the hollow mark lies within the bar doubt is due; left of the bar the reader
    is too modest, right of it a boaster.
    """
    ax = axes_of(ax)
    shown = table.iloc[::-1]
    labels = [f"{100 * row.low_edge:g} to {100 * row.high_edge:g} % sure ({row.n})" for row in shown.itertuples()]
    dots(ax, labels, shown["share"], shown["low"], shown["high"])
    places = range(len(shown) - 1, -1, -1)
    ax.scatter(shown["stated"], places, marker="D", facecolor="white", edgecolor="#D55E00", linewidth=1.5, zorder=3,
               label="stated")
    ax.scatter([], [], color="black", label="right")
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set(xlabel="cells read right", title=f"Is doubt due? (n = {int(table['n'].sum())} cells)")
    if len(shown):
        ax.legend(frameon=False, fontsize="small", loc="lower left")
    return ax
