"""How people go wrong on paper: the kinds of slip, how often each happens, and which wrong figure comes out.

The rates are reasoned, not fitted (see docs/scorekeeper.md): about one row in twenty holds a slip, adding and copying
are most of it. What matters is their order of magnitude beside the reader's misses, and the tests hold the answers
steady when all of them are halved or doubled.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np

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

#: Chance of each slip on one row that has the cells for it.
RATES: dict[Slip, float] = {
    Slip.POINTS_WE: 0.004, Slip.POINTS_THEY: 0.004,
    Slip.TOTAL_WE: 0.010, Slip.TOTAL_THEY: 0.010,
    Slip.COUNT_WE: 0.004, Slip.COUNT_THEY: 0.004,
    Slip.NO_MARK_WE: 0.001, Slip.NO_MARK_THEY: 0.001,
    Slip.TIED_WE: 0.0002, Slip.TIED_THEY: 0.0002,
    Slip.MARKED_WE: 0.0002, Slip.MARKED_THEY: 0.0002,
    Slip.BLANK_WE: 0.0003, Slip.BLANK_THEY: 0.0003,
    Slip.SWAPPED: 0.0004,
    Slip.HAND_CHECK: 0.006, Slip.TOTAL_CHECK: 0.010,
}  # fmt: skip

# Shares of the ways one figure turns into another. Adding in columns goes wrong by a carry (10, 100) or by a unit or
# two; copying takes one wrong digit, turns two round, or drops or doubles one; the rest lands anywhere, near first.
_CARRY, _UNITS, _DIGIT, _SWAP, _LENGTH, _NEAR, _ANY = 0.24, 0.18, 0.26, 0.08, 0.06, 0.14, 0.04


@cache
def chance_of_figure(written: int) -> np.ndarray:
    """Chance that a slip turned a figure into ``written``.

    Returns:
        Float array, shape (NUMBERS,): entry t is the probability of writing ``written`` where t was right; zero at
        ``written`` itself.
    """
    right = np.arange(NUMBERS)
    gap = np.abs(right - written)
    chance = _CARRY * (0.35 * (gap == 10) + 0.1 * (gap == 100) + 0.025 * (gap == 20) + 0.025 * (gap == 90))
    chance += _UNITS * np.where((gap > 0) & (gap < 10), 0.5 * 0.6**gap / (0.6 * (1 - 0.6**9) / 0.4), 0.0)
    chance += _NEAR * 0.5 * 0.02 * np.exp(-0.02 * gap) + _ANY / NUMBERS
    chance += _copying(written)
    chance[written] = 0.0
    return chance


@cache
def _copying(written: int) -> np.ndarray:
    """The copying part of :func:`chance_of_figure`, shape (NUMBERS,)."""
    chance = np.zeros(NUMBERS)
    digits = str(written)
    for place, digit in enumerate(digits):
        for other in "0123456789":
            changed = digits[:place] + other + digits[place + 1 :]
            _add(chance, changed, digits, _DIGIT / (9 * len(digits)), other != digit)
    for place in range(len(digits) - 1):
        turned = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
        _add(chance, turned, digits, _SWAP / (len(digits) - 1))
    for place in range(len(digits)):
        _add(chance, digits[:place] + digits[place + 1 :], digits, _LENGTH / 2 / (10 * len(digits)))
    for place in range(len(digits) + 1):
        for more in "0123456789":
            _add(chance, digits[:place] + more + digits[place:], digits, _LENGTH / 2 / (len(digits) + 1))
    return chance


def _add(chance: np.ndarray, text: str, written: str, share: float, wanted: bool = True) -> None:
    """Adds ``share`` at the number ``text`` if that is a well-spelt other number."""
    if wanted and text and text != written and str(int(text)) == text and int(text) < NUMBERS:
        chance[int(text)] += share
