"""Cards as small integers and sets of cards as 24-bit masks.

A card is ``6 * suit + rank`` with suits C D H S and ranks 9 T J Q K A, so that a suit is six neighbouring bits in the
order of sequences and a meld of a suit is a run of ones.  Points and trick order depend on the trump suit and are
derived here once, from the table both English sources print.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scanner.rules.errors import CardError

SUITS = "CDHS"
#: Ranks from low to high in the order of sequences.
RANKS = "9TJQKA"
#: Every card of the pack as it is written, by number.
NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS = range(len(NAMES))
PACK = (1 << len(NAMES)) - 1
HAND_SIZE = 6
#: Points for winning the last trick.
LAST_TRICK = 10

_NUMBERS = {name: card for card, name in enumerate(NAMES)}
#: Ranks from low to high as they win tricks, and their points, in the same order.
_TRUMP_ORDER, _TRUMP_POINTS = "QKTA9J", (3, 4, 10, 11, 14, 20)
_PLAIN_ORDER, _PLAIN_POINTS = "9JQKTA", (0, 2, 3, 4, 10, 11)


def card(name: str) -> int:
    """The number of a card written as rank and suit.

    Raises:
        CardError: no such card in the pack of 24.

    >>> card("9C"), card("AS")
    (0, 23)
    """
    try:
        return _NUMBERS[name]
    except (KeyError, TypeError):
        raise CardError(
            "cards", f"{name!r} is no card of the pack: write a rank of {RANKS} and a suit of {SUITS}, as 'TH'."
        ) from None


def mask(cards: Iterable[int]) -> int:
    """The set of some cards, one bit each."""
    result = 0
    for c in cards:
        result |= 1 << c
    return result


def members(cards: int) -> Iterator[int]:
    """The cards of a mask, lowest number first."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def suit_of(card: int) -> int:
    """Suit of a card, 0 to 3 in the order of :data:`SUITS`."""
    return card // 6


def rank_of(card: int) -> int:
    """Rank of a card, 0 to 5 in the order of :data:`RANKS`."""
    return card % 6


def suit_number(name: str) -> int:
    """The number of a suit written as one letter.

    Raises:
        CardError: no such suit.
    """
    if isinstance(name, str) and len(name) == 1 and name in SUITS:
        return SUITS.index(name)
    raise CardError("cards", f"{name!r} is no suit: write one of {', '.join(SUITS)}.")


def _per_trump(plain: Iterable[int], trumps: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    plain_of = dict(zip(_PLAIN_ORDER, plain, strict=True))
    trump_of = dict(zip(_TRUMP_ORDER, trumps, strict=True))
    return tuple(
        tuple((trump_of if suit_of(c) == trump else plain_of)[RANKS[rank_of(c)]] for c in CARDS)
        for trump in range(len(SUITS))
    )


#: ``POINTS[trump][card]``: what a card counts in a trick.
POINTS = _per_trump(_PLAIN_POINTS, _TRUMP_POINTS)
#: ``STRENGTH[trump][card]``: order within a trick, 0 to 5 for plain cards, 6 to 11 for trumps; compare only cards of
#: the suit led and trumps.
STRENGTH = _per_trump(range(6), range(6, 12))
#: Card points of the whole pack plus the last trick: what is played for in every hand before meld.
HAND_POINTS = sum(POINTS[0]) + LAST_TRICK
