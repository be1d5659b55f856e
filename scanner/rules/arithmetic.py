"""The sums a score sheet must obey, derived by enumeration over the cards.

Nothing here is typed in.  Trick points come from all ways of splitting the pack into four-card tricks; melds from all
pairs of disjoint meld holdings of two partners, each outcome confirmed by a whole deal that shows it; the scores of a
hand from putting the two together.  Everything is computed on first use (well under a second) and cached.

Sides come in the order (we, they); every rule here treats them alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from scanner.rules.cards import CARDS, HAND_POINTS, HAND_SIZE, LAST_TRICK, PACK, POINTS, RANKS, members
from scanner.rules.melds import (
    ALL_MELDS,
    BELL_POINTS,
    Meld,
    bell,
    best_melds,
    has_bell,
    meld_points,
    rank_key,
)

# All suits are alike, so one may stand for whichever is trump.
_TRUMP = 0
_TRUMP_JACK = 6 * _TRUMP + RANKS.index("J")
_CARDS_A_TRICK = 4


class MeldSplit(NamedTuple):
    """How meld may fall: all of the side whose melds count, the bell of the other, and a bound that follows.

    Attributes:
        own: melds and bell of the side with the best meld (of either side, when there is none).
        other: bell of the other side, 0 or 20.
        jack: whether ``own`` proves that its side holds the trump jack, which always wins its trick.
    """

    own: int
    other: int
    jack: bool


@cache
def possible_trick_points() -> frozenset[int]:
    """Points one side can have in its tricks, last trick included, meld not.

    >>> sorted(set(range(163)) - possible_trick_points())
    [1, 161]
    """
    return _trick_points(jack=False)


@cache
def _trick_points(jack: bool) -> frozenset[int]:
    """As :func:`possible_trick_points`; with ``jack`` only piles that hold the trump jack."""
    # sums[n] has bit s set if some n cards count s together.
    sums = [0] * (len(CARDS) + 1)
    sums[jack] = 1 << (POINTS[_TRUMP][_TRUMP_JACK] if jack else 0)
    for card in CARDS:
        if not (jack and card == _TRUMP_JACK):
            for n in range(len(CARDS), 0, -1):
                sums[n] |= sums[n - 1] << POINTS[_TRUMP][card]
    found = set()
    for n in range(0, len(CARDS) + 1, _CARDS_A_TRICK):
        for last in {n > 0, n == len(CARDS)}:  # no trick: not the last either; all tricks: the last too
            found.update(s + LAST_TRICK * last for s in members(sums[n]))
    return frozenset(found)


@cache
def meld_splits() -> frozenset[MeldSplit]:
    """Every way meld may fall between the two sides of one hand, each confirmed by a whole deal."""
    found: set[MeldSplit] = set()
    holdings = _holdings()
    for first, second in combinations_with_replacement(holdings, 2):
        if _mask(first) & _mask(second):
            continue
        for holder in (None, 0, 1, 2):
            split = _split(first + second, holder)
            if split not in found and _deal_exists((first, second), holder):
                found.add(split)
    return frozenset(found)


def _holdings() -> tuple[tuple[Meld, ...], ...]:
    """Every best-scoring set of melds a hand of six cards can have, the empty one included."""
    found = {()}
    for first in ALL_MELDS:
        for second in ALL_MELDS:
            cards = first.cards | second.cards
            if cards.bit_count() <= HAND_SIZE:
                found.add(best_melds(cards))
    return tuple(sorted(found, key=_mask))


def _mask(melds: tuple[Meld, ...]) -> int:
    cards = 0
    for meld in melds:
        cards |= meld.cards
    return cards


def _split(melds: tuple[Meld, ...], holder: int | None) -> MeldSplit:
    own = meld_points(melds) + BELL_POINTS * (holder in (0, 1))
    jack = any(meld.cards >> _TRUMP_JACK & 1 and meld.suit is None for meld in melds)
    return MeldSplit(own, BELL_POINTS * (holder == 2), jack)


def _deal_exists(holdings: tuple[tuple[Meld, ...], tuple[Meld, ...]], holder: int | None) -> bool:
    """Whether a deal gives partners 0 and 1 exactly these melds, lets them count, and gives ``holder`` bell."""
    hands = [_mask(holdings[0]), _mask(holdings[1]), 0, 0]
    if holder is not None:
        hands[holder] |= bell(_TRUMP)
    if any(hands[i] & hands[j] for i in range(4) for j in range(i)):
        return False
    if not all(_fits(hand, seat, holdings, holder) for seat, hand in enumerate(hands)):
        return False
    left = tuple(members(PACK & ~(hands[0] | hands[1] | hands[2])))
    return _can_fill(hands, left, 0, holdings, holder)


def _can_fill(hands: list[int], left: tuple[int, ...], turn: int, holdings: tuple, holder: int | None) -> bool:
    """Whether the cards left can be dealt without changing what is shown; tried first so that suits scatter."""
    if not left:
        return True
    for offset in range(4):
        seat = (turn + offset) % 4
        more = hands.copy()
        more[seat] |= 1 << left[0]
        if _fits(more[seat], seat, holdings, holder) and _can_fill(more, left[1:], seat + 1, holdings, holder):
            return True
    return False


def _fits(hand: int, seat: int, holdings: tuple, holder: int | None) -> bool:
    """Whether a hand, full or still growing, agrees with what is to be shown.

    Cards added never take a meld away, so a hand that shows too much now can be given up.
    """
    if hand.bit_count() > HAND_SIZE or has_bell(hand, _TRUMP) != (seat == holder):
        return False
    melds = best_melds(hand)
    if seat < 2:
        return melds == holdings[seat]
    own = max((rank_key(m, _TRUMP) for m in holdings[0] + holdings[1]), default=(0,))
    return all(rank_key(m, _TRUMP) < own for m in melds)


@cache
def possible_melds() -> frozenset[int]:
    """Total melds of both sides, bells included, that one hand can have.

    >>> 20 in possible_melds(), 30 in possible_melds(), 250 in possible_melds()
    (True, False, False)
    """
    return frozenset(split.own + split.other for split in meld_splits())


@cache
def side_melds() -> frozenset[int]:
    """Melds and bell that one side alone can count in one hand."""
    return frozenset(split.own for split in meld_splits()) | frozenset(split.other for split in meld_splits())


def _splits() -> Iterator[tuple[int, int]]:
    """(score of one side, score of the other) before anybody is found set, each unordered pair at least once."""
    for own, other, jack in meld_splits():
        for tricks in _trick_points(jack):
            yield own + tricks, other + HAND_POINTS - tricks


@cache
def made_hands() -> frozenset[tuple[int, int]]:
    """Every (we, they) a hand can score when its makers made it.

    The two differ, add to 162 plus a possible meld, and the higher is the makers'.  A side at 0 took no trick and had
    no meld.  Scores after a renege are among them (see :func:`renege_scores`).
    """
    pairs = {pair for pair in _splits() if pair[0] != pair[1]}
    return frozenset(pairs | {(b, a) for a, b in pairs})


@cache
def set_scores() -> frozenset[int]:
    """What the side opposite a set mark may score: its tricks and meld, with no more left for the makers.

    >>> min(set_scores())
    81
    """
    pairs = list(_splits())
    return frozenset([a for a, b in pairs if a >= b] + [b for a, b in pairs if b >= a])


@cache
def renege_scores() -> frozenset[int]:
    """What the opponents of a side that reneged may score: 162 and their own meld; the offenders score nothing."""
    return frozenset(HAND_POINTS + meld for meld in side_melds())


def hand_possible(we: int, they: int, set_side: str | None = None) -> bool:
    """Whether a hand can score this: made or ended by a renege, or, with ``set_side``, with that side marked set.

    A side that is set counts 0.

    >>> hand_possible(112, 70), hand_possible(111, 70), hand_possible(0, 92, "we"), hand_possible(0, 80, "we")
    (True, False, True, False)
    """
    if set_side is None:
        return (we, they) in made_hands() or (we, they) in _reneges()
    own, others = (we, they) if set_side == "we" else (they, we)
    return own == 0 and others in set_scores()


@cache
def _reneges() -> frozenset[tuple[int, int]]:
    return frozenset(pair for score in renege_scores() for pair in ((0, score), (score, 0)))
