"""Every single mistake a person can make in keeping one row, each with its chance: counting, adding, copying, marking.

Nothing is drawn at random: for given figures all mistakes are listed, so that a distribution of slips is an exact sum.
Rates are per operation and come from studies of people at work:

* A simple calculation goes wrong unnoticed about once in a hundred times, a step is left out or misplaced once in some
  three hundred (A. D. Swain and H. E. Guttmann, NUREG/CR-1278, 1983, chapter 20).
* Within a sum the carries are the weak spot (G. J. Hitch, Cognitive Psychology 10, 1978).
* A figure of a few digits is copied wrong two or three times in a thousand; four in five such errors change one digit
  and one in ten turns two neighbours round (J. Verhoeff, Error Detecting Decimal Codes, 1969).

Where a study gives no figure for a table of card players the order of magnitude is taken from the nearest thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scanner.rules.cards import LAST_TRICK, POINTS

#: A sum of two figures comes out wrong; a figure is copied wrong; a step of the row is left out or put elsewhere.
SUM, COPY, STEP = 0.01, 0.0025, 0.003
#: Of wrong sums: weight of a slip in one column, of a carry forgotten, and of a carry that never was.
_COLUMN, _FORGOTTEN, _FALSE = 1.0, 3.0, 0.3
#: How far off one column is when its digits are added wrong.
_OFF = {1: 0.35, -1: 0.35, 2: 0.12, -2: 0.12, 3: 0.03, -3: 0.03}
#: Of wrong copies: one digit, neighbours turned round, a digit dropped or doubled; the rest is anything.
DIGIT, SWAP, LENGTH = 0.72, 0.1, 0.12
#: A card of a pile is passed over or counted twice; a trick is left out; what is counted beside the cards is forgotten.
_CARD, _TRICK, _EXTRA = 0.0002, 0.0003, 0.001
#: Wrong sums that stay unnoticed in counting: both sides together must come to 162, so most are seen at once.
_SEEN = 0.03


class Mistake(NamedTuple):
    """A wrong figure by the way it came about: ``gap`` (written less right) for sums and counts; its chance."""

    way: str
    gap: int
    chance: float


def wrong_sums(first: int, second: int) -> Iterator[Mistake]:
    """All single mistakes in adding two figures column by column; their chances add to :data:`SUM`."""
    found = [(gap, weight) for gap, weight in _column_slips(first, second) if first + second + gap >= 0]
    whole = sum(weight for _, weight in found)
    yield from (Mistake("gap", gap, SUM * weight / whole) for gap, weight in found)


def _column_slips(first: int, second: int) -> Iterator[tuple[int, float]]:
    carry, unit = 0, 1
    while unit <= max(first, second):
        column = first // unit % 10 + second // unit % 10 + carry
        yield from ((unit * off, _COLUMN * share) for off, share in _OFF.items())
        carry = column // 10
        unit *= 10
        if carry:
            yield -unit, _FORGOTTEN
        elif unit <= max(first, second):
            yield unit, _FALSE


def wrong_counts(tricks: Sequence[Sequence[int]], trump: int, meld: int, took_last: bool) -> Iterator[Mistake]:
    """All single mistakes in counting one side's cards and telling the sum.

    A card is missed or counted twice, a whole trick is left out, the tricks are added wrong, the last trick or the meld
    is forgotten, the sum is heard wrong.

    Args:
        tricks: cards of the tricks the side took.
        meld: points of its meld and bell.
    """
    counted = 0
    for trick in tricks:
        values = [POINTS[trump][card] for card in trick]
        for points in filter(None, values):
            yield Mistake("gap", -points, _CARD)
            yield Mistake("gap", points, _CARD / 2)
        if sum(values):
            yield Mistake("gap", -sum(values), _TRICK)
        yield from (m._replace(chance=m.chance * _SEEN) for m in wrong_sums(counted, sum(values)))
        counted += sum(values)
    yield Mistake("gap", -LAST_TRICK if took_last else LAST_TRICK, _EXTRA)
    if meld:
        yield Mistake("gap", -meld, _EXTRA)
    yield from wrong_copies()


def wrong_copies() -> Iterator[Mistake]:
    """The ways of copying a figure wrong; their chances add to :data:`COPY`."""
    for way, share in (("digit", DIGIT), ("swap", SWAP), ("length", LENGTH), ("anything", 1 - DIGIT - SWAP - LENGTH)):
        yield Mistake(way, 0, COPY * share)


def wrong_places(right: int, others: Iterable[int]) -> Iterator[Mistake]:
    """Points added to a wrong figure: an older total of the side, or the other side's; together :data:`STEP`."""
    gaps = [other - right for other in others if other != right]
    yield from (Mistake("elsewhere", gap, STEP / len(gaps)) for gap in gaps)
