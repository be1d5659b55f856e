"""Figures of hands: calling and paying, averages, the spread of scores, points above expectation. See ``plots``."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from analysis.drawing import EDGE, FILL, arms, axes_of, dots, plain, styles, tidy
from analysis.expected import baseline

#: Points in one bin of the hand scores.
_BIN = 10


def set_rate_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Set rate against make rate with 95 % intervals, from :func:`analysis.stats.team_table`.

    A team up and to the right calls often and pays for it. With few hands the bars are wide: read them, not the dots.
    The dotted lines are simulated play.
    """
    ax = axes_of(ax)
    known = table.dropna(subset=["make_rate", "set_rate"])
    ax.axvline(0.5, color="black", linestyle=":", linewidth=1)
    ax.axhline(baseline().set_rate, color="black", linestyle=":", linewidth=1)
    looks = styles(table["team"])
    for row in known.itertuples():
        style = looks[row.team]
        ax.errorbar(row.make_rate, row.set_rate, xerr=arms(row.make_rate, row.make_low, row.make_high),
                    yerr=arms(row.set_rate, row.set_low, row.set_high), marker=style["marker"], color=style["color"],
                    linewidth=0.7, markersize=8, linestyle="none", label=f"{plain(row.team)} ({row.made})")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set(xlabel="hands in which the team made trump", ylabel="of those, hands set", title="Calling and paying",
           ylim=(0, None))
    tidy(ax)
    if len(known):
        ax.legend(fontsize="small", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), title="hands made")
    return ax


def average_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Points a hand with 95 % intervals, best team on top, from :func:`analysis.stats.team_table`."""
    ax = axes_of(ax)
    known = table.dropna(subset=["average"]).sort_values("average", kind="stable", ascending=False)
    ax.axvline(baseline().any, color="black", linestyle=":", linewidth=1)
    labels = [f"{plain(team)} (n = {n})" for team, n in zip(known["team"], known["hands"], strict=True)]
    dots(ax, labels, known["average"], known["average_low"], known["average_high"])
    ax.set(xlabel="points a hand, mean and 95 % interval (dotted: simulated play)", title="Average hand")
    return ax


def hand_scores_plot(hands: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often each score a hand occurs, both sides counted, beside what simulated play by the rules expects.

    In bins of 10 points; zeros and set sides in the first. 162 points and meld are shared out on every hand, so the two
    sides' scores are not independent, and a bar may stray from the line by about twice the root of its height.
    """
    ax = axes_of(ax)
    scores = pd.concat([hands["we_points"], hands["they_points"]]).dropna().to_numpy(dtype=float)
    expected = baseline().scores
    # Hands of more than 250 points are one in three hundred and would squeeze all others; the last bin holds them.
    top = 250
    edges = np.arange(min(0.0, scores.min(initial=0.0)) // _BIN * _BIN, top + 2 * _BIN, _BIN)
    ax.hist(np.minimum(scores, top), bins=edges, color=FILL, edgecolor=EDGE, linewidth=0.6, label="on the sheets")
    share, _ = np.histogram(np.minimum(np.arange(len(expected)), top), bins=edges, weights=expected)
    ax.stairs(share * len(scores), edges, color="#D55E00", linewidth=1.8, label="expected of simulated play")
    ax.set(xlabel=f"points of one side on a hand ({top} and more in the last bin)", ylabel="times",
           title=f"Hand scores (n = {len(scores)} scores)")
    tidy(ax)
    ax.legend(frameon=False, fontsize="small")
    return ax


def expected_plot(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Points a hand above expectation with 95 % intervals, from :func:`analysis.expected.above_expectation`.

    Own points less the opponents'. Cards and play look alike on a sheet: an interval that holds 0 may be cards alone.
    """
    ax = axes_of(ax)
    ax.axvline(0, color="black", linestyle=":", linewidth=1)
    labels = [f"{plain(team)} (n = {n})" for team, n in zip(table["team"], table["hands"], strict=True)]
    dots(ax, labels, table["swing"], table["swing_low"], table["swing_high"])
    ax.set(xlabel="own points less the opponents', a hand, above expectation", title="Above expectation")
    return ax
