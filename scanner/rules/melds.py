"""Melds: what they are, which of them a hand scores best with, and how they rank between the two teams.

Sources agree on everything here except four tens (a house rule) and the rank of a sequence of six, which the sources
leave open; it scores and ranks as one of five.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from scanner.rules.cards import NAMES, RANKS, SUITS, mask, members

BELL_POINTS = 20
FOUR_POINTS, MULES_POINTS = 100, 200
#: Points of a sequence by its length.
SEQUENCE_POINTS = {3: 20, 4: 50, 5: 100, 6: 100}
#: Ranks of fours from low to high: any four beats any sequence.
_FOURS_ORDER = "QKTA9J"
_KING, _QUEEN, _JACK = RANKS.index("K"), RANKS.index("Q"), RANKS.index("J")


@dataclass(frozen=True)
class Meld:
    """A four of a kind or a sequence (bell is not one: see :func:`bell`).

    Attributes:
        cards: mask of its cards.
        points: what it scores.
        order: its rank between teams; the higher wins, equal orders are settled by trump.
        suit: suit of a sequence, None for a four.
    """

    cards: int
    points: int
    order: tuple[int, int]
    suit: int | None

    def __str__(self) -> str:
        return " ".join(NAMES[c] for c in members(self.cards))


def _four(rank: int) -> Meld:
    points = MULES_POINTS if rank == _JACK else FOUR_POINTS
    return Meld(mask(6 * s + rank for s in range(4)), points, (6, _FOURS_ORDER.index(RANKS[rank])), None)


def _sequence(suit: int, low: int, length: int) -> Meld:
    cards = mask(6 * suit + rank for rank in range(low, low + length))
    return Meld(cards, SEQUENCE_POINTS[length], (min(length, 5), low + length - 1), suit)


#: Every meld of the pack.
FOURS: tuple[Meld, ...] = tuple(_four(rank) for rank in range(6))
SEQUENCES: tuple[Meld, ...] = tuple(
    _sequence(suit, low, length) for suit in range(4) for length in SEQUENCE_POINTS for low in range(7 - length)
)
FOUR_TENS = FOURS[RANKS.index("T")]
MULES = FOURS[_JACK]
ALL_MELDS = FOURS + SEQUENCES
_BY_CARDS = {meld.cards: meld for meld in ALL_MELDS}


def meld_of(cards: int) -> Meld | None:
    """The meld that exactly these cards (a mask) make, or None."""
    return _BY_CARDS.get(cards)


def melds_in(hand: int, four_tens: bool = True) -> Iterator[Meld]:
    """Every meld whose cards are all in the hand (a mask), overlapping ones included."""
    for meld in ALL_MELDS:
        if meld.cards & hand == meld.cards and (four_tens or meld is not FOUR_TENS):
            yield meld


@lru_cache(maxsize=200_000)
def best_melds(hand: int, four_tens: bool = True) -> tuple[Meld, ...]:
    """The set of melds that scores most from one hand, no card in two of them; best rank first.

    >>> from scanner.rules.cards import card
    >>> [str(m) for m in best_melds(mask(map(card, ["QC", "QD", "QH", "QS", "JS", "TS"])))]
    ['QC QD QH QS']
    """
    held = tuple(melds_in(hand, four_tens))
    return max(_disjoint(held), key=_merit, default=())


def _merit(melds: tuple[Meld, ...]) -> tuple:
    """Points first; of equal ones the best rank, then the longer sequence (six cards score and rank as five)."""
    return meld_points(melds), [m.order for m in melds], sum(m.cards.bit_count() for m in melds)


def _disjoint(held: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
    """Every set of one or two disjoint melds (a hand of six cards has no room for three)."""
    for i, first in enumerate(held):
        yield (first,)
        for second in held[i + 1 :]:
            if not first.cards & second.cards:
                yield tuple(sorted((first, second), key=lambda m: m.order, reverse=True))


def meld_points(melds: Iterable[Meld]) -> int:
    """Points of some melds, bell not counted."""
    return sum(m.points for m in melds)


def bell(trump: int) -> int:
    """Mask of the king and queen of trump."""
    return mask((6 * trump + _KING, 6 * trump + _QUEEN))


def has_bell(hand: int, trump: int) -> bool:
    """Whether one hand (a mask) holds both cards of bell."""
    return hand & bell(trump) == bell(trump)


def rank_key(meld: Meld, trump: int) -> tuple[int, int, bool]:
    """Rank of a meld between teams: kind or length, then top card, then trump before plain."""
    return (*meld.order, meld.suit == trump)


def best_team(we: Iterable[Meld], they: Iterable[Meld], trump: int) -> str | None:
    """Which team scores all its melds: ``"we"``, ``"they"``, or None when nobody melds or both tie in plain suits."""
    we_best = max((rank_key(m, trump) for m in we), default=None)
    they_best = max((rank_key(m, trump) for m in they), default=None)
    if we_best == they_best:
        return None
    if they_best is None or (we_best is not None and we_best > they_best):
        return "we"
    return "they"


def meld_name(meld: Meld) -> str:
    """What players call it.

    >>> meld_name(MULES)
    'four jacks'
    """
    if meld.suit is None:
        rank = next(members(meld.cards)) % 6
        return f"four {('nines', 'tens', 'jacks', 'queens', 'kings', 'aces')[rank]}"
    name = {20: "dad", 50: "fifty", 100: "hundred"}[meld.points]
    return f"{name} in {SUITS[meld.suit]}"
