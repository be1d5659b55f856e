"""How people go wrong on paper: the kinds of slip, how often each happens, and which wrong figure comes out.

Rates and wrong figures are those of :mod:`scanner.scorekeeper.prior`, counted over every mistake that could be made in
simulated games. What matters is their order of magnitude beside the reader's misses.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np

from scanner.scorekeeper.prior import OTHERS, slip_prior
from scanner.sheet.texts import NUMBERS


class Slip(IntEnum):
    """One way to go wrong on one row. Those of a side come in pairs: ``kind`` for we, ``kind + 1`` for they."""

    NONE = 0
    #: The points cell holds another figure; the total was worked out from the right one.
    POINTS_WE = 1
    POINTS_THEY = 2
    #: The total holds another figure; points right. Later rows carry it on.
    TOTAL_WE = 3
    TOTAL_THEY = 4
    #: The hand was miscounted (or misheard): points cell and total agree with each other on a wrong count.
    COUNT_WE = 5
    COUNT_THEY = 6
    #: The side was set and the mark is missing: nothing, a zero, or the unchanged total stands there.
    NO_MARK_WE = 7
    NO_MARK_THEY = 8
    #: Equal counts and the set mark forgotten: both sides got their points.
    TIED_WE = 9
    TIED_THEY = 10
    #: A set mark where the side had made its hand.
    MARKED_WE = 11
    MARKED_THEY = 12
    #: The total was left blank though points were made.
    BLANK_WE = 13
    BLANK_THEY = 14
    #: The two sides' entries in the points columns stand in each other's place; the totals are right.
    SWAPPED = 15
    HAND_CHECK = 16
    TOTAL_CHECK = 17


# The slips of a side, in the order we, they.
POINTS = (Slip.POINTS_WE, Slip.POINTS_THEY)
TOTAL = (Slip.TOTAL_WE, Slip.TOTAL_THEY)
COUNT = (Slip.COUNT_WE, Slip.COUNT_THEY)
NO_MARK = (Slip.NO_MARK_WE, Slip.NO_MARK_THEY)
TIED = (Slip.TIED_WE, Slip.TIED_THEY)
MARKED = (Slip.MARKED_WE, Slip.MARKED_THEY)
BLANK = (Slip.BLANK_WE, Slip.BLANK_THEY)
#: The slips that put a wrong figure in a cell.
FIGURED = frozenset((*POINTS, *TOTAL, *COUNT, Slip.HAND_CHECK, Slip.TOTAL_CHECK))

#: Share of wrong figures that follow no pattern at all, beside the 1 to 4 % of the simulation: whatever that left out
#: must not be impossible. Readers go astray without a pattern as often (``likelihood.py``), so such a row is asked.
_ANY = 0.005

#: Of totals made from an older one, the share made from one further back than two rows, or from one misread.
_UNKNOWN = 0.1

_KINDS: dict[Slip, str] = {
    **dict.fromkeys(POINTS, "points"), **dict.fromkeys(TOTAL, "total"), **dict.fromkeys(COUNT, "count"),
    **dict.fromkeys(NO_MARK, "no_mark"), **dict.fromkeys(TIED, "tied"), **dict.fromkeys(MARKED, "marked"),
    **dict.fromkeys(BLANK, "blank"), Slip.SWAPPED: "swapped",
    Slip.HAND_CHECK: "hand_check", Slip.TOTAL_CHECK: "total_check",
}  # fmt: skip


def rate(slip: Slip) -> float:
    """Chance of a slip on one row that has the cells for it; 1 for none, whose true share is close to it."""
    return slip_prior().rates[_KINDS[slip]] if slip else 1.0


@cache
def chance_of_figure(slip: Slip, written: int) -> np.ndarray:
    """Chance that a slip turned a figure into ``written``.

    Returns:
        Float array, shape (NUMBERS,): entry t is the probability of writing ``written`` where t was right; zero at
        ``written`` itself.
    """
    chance = (1 - _ANY) * slip_prior().chance_of_figure(_KINDS[slip], written) + _ANY / NUMBERS
    chance[written] = 0.0
    return chance


def chance_of_others_total() -> float:
    """Chance that a wrong total is the other side's, to which the points were added by mistake."""
    return (1 - _ANY) * OTHERS * slip_prior().figures["total"].elsewhere


def more_for_older(figure: np.ndarray, value: np.ndarray, right: np.ndarray, older: np.ndarray) -> np.ndarray:
    """What knowing the older totals adds to the chance that a wrong total is ``figure``, or takes from it.

    :func:`chance_of_figure` knows none of them and spreads their share over all smaller figures.

    Args:
        figure, value, right: the wrong total, the points of the hand, the right total, each of shape (M,).
        older: the chance of every figure to be the side's total that was taken, shape (NUMBERS,).
    """
    ways, taken = slip_prior().figures["total"], figure - value
    known = np.where((taken >= 0) & (figure != right), older[np.maximum(taken, 0)], 0.0)
    share = (1 - OTHERS) * ways.elsewhere * known - ways.older(right - figure)
    return (1 - _ANY) * (1 - _UNKNOWN) * share
