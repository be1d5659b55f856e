"""Many hands at once: the rules of the trick and of melds on arrays, for the simulator.

All arrays run over N hands in their first axis.  Cards are the numbers of :mod:`scanner.rules.cards` as int8, sets of
cards are uint32 masks.  Tests hold every function here against the plain engine.
"""

from __future__ import annotations

import numpy as np

from scanner.rules.cards import CARDS, POINTS, STRENGTH
from scanner.rules.melds import BELL_POINTS, FOUR_TENS, FOURS, SEQUENCES, bell

#: Shape (4, 24): points and order in a trick, by trump and card.
POINT_TABLE = np.array(POINTS, dtype=np.int16)
STRENGTH_TABLE = np.array(STRENGTH, dtype=np.int8)
SUIT_TABLE = np.array([c // 6 for c in CARDS], dtype=np.int8)
BIT_TABLE = np.array([1 << c for c in CARDS], dtype=np.uint32)
SUIT_MASK_TABLE = np.array([0b111111 << 6 * s for s in range(4)], dtype=np.uint32)


def trick_strength(cards: np.ndarray, led: np.ndarray, trump: np.ndarray) -> np.ndarray:
    """Order of cards in a trick, int8, -1 for a card that cannot win.

    Args:
        cards: shape (N, K).
        led: suit led, shape (N,).
        trump: trump suit, shape (N,).
    """
    suits = SUIT_TABLE[cards]
    counts = (suits == led[:, None]) | (suits == trump[:, None])
    return np.where(counts, STRENGTH_TABLE[trump[:, None], cards], np.int8(-1))


def legal(
    cards: np.ndarray, held: np.ndarray, led: np.ndarray | None, trump: np.ndarray, highest: np.ndarray
) -> np.ndarray:
    """Which of a player's six cards may be played, bool, shape (N, 6).

    Args:
        cards: the six cards dealt to the player, shape (N, 6).
        held: which of them are still held, bool, shape (N, 6).
        led: suit led, shape (N,), or None for the leader.
        trump: trump suit, shape (N,).
        highest: strength of the highest trump in the trick, shape (N,); below 6 when there is none.
    """
    if led is None:
        return held
    suits = SUIT_TABLE[cards]
    follow = held & (suits == led[:, None])
    trumps = held & (suits == trump[:, None])
    over = trumps & (STRENGTH_TABLE[trump[:, None], cards] > highest[:, None])
    allowed = np.where(trumps.any(1)[:, None], trumps, held)
    allowed = np.where(over.any(1)[:, None], over, allowed)
    return np.where((follow.any(1) & (led != trump))[:, None], follow, allowed)


def _sequence_tables() -> tuple[np.ndarray, np.ndarray]:
    """Points and order of the best sequence among the six cards of one suit, by their 6-bit pattern."""
    points, orders = np.zeros(64, np.int16), np.zeros(64, np.int16)
    for meld in SEQUENCES[: len(SEQUENCES) // 4]:  # the sequences of suit 0
        for pattern in range(64):
            if meld.cards & pattern == meld.cards and meld.points >= points[pattern]:
                points[pattern] = max(points[pattern], meld.points)
                orders[pattern] = max(orders[pattern], 2 * (6 * meld.order[0] + meld.order[1]))
    return points, orders


_SEQUENCE_POINTS, _SEQUENCE_ORDERS = _sequence_tables()
_FOUR_RANKS = [next(r for r in range(6) if four.cards >> r & 1) for four in FOURS]
#: Masks of bell, by trump, shape (4,).
BELL_TABLE = np.array([bell(t) for t in range(4)], dtype=np.uint32)


def hand_melds(hands: np.ndarray, trump: np.ndarray, four_tens: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Points of the best-scoring melds of each hand, and the rank of the best one (0: none; comparable between hands).

    Args:
        hands: masks, uint32, shape (N, 4).
        trump: trump suit, shape (N,).

    A hand of six has room for melds in two suits, or a four of a kind and no sequence beside it.
    """
    patterns = np.stack([(hands >> np.uint32(6 * s)) & np.uint32(63) for s in range(4)], axis=-1)
    points = _SEQUENCE_POINTS[patterns].sum(-1)
    orders = _SEQUENCE_ORDERS[patterns]
    is_trump = np.arange(4) == trump[:, None, None]
    orders = np.where(orders > 0, orders + is_trump, 0).max(-1)
    all_suits = np.bitwise_and.reduce(patterns, axis=-1)
    for four, rank in zip(FOURS, _FOUR_RANKS, strict=True):
        if four is FOUR_TENS and not four_tens:
            continue
        there = (all_suits >> np.uint32(rank)) & np.uint32(1) > 0
        points = np.where(there, four.points, points)
        orders = np.where(there, 2 * (6 * four.order[0] + four.order[1]), orders)
    return points.astype(np.int16), orders


def side_melds(hands: np.ndarray, trump: np.ndarray, four_tens: bool = True) -> np.ndarray:
    """Meld points (we, they) that count, bell included, int16, shape (N, 2); masks as in :func:`hand_melds`."""
    points, orders = hand_melds(hands, trump, four_tens)
    best = np.stack([orders[:, [0, 2]].max(1), orders[:, [1, 3]].max(1)], axis=1)
    total = np.stack([points[:, 0] + points[:, 2], points[:, 1] + points[:, 3]], axis=1)
    scored = np.where(best > best[:, ::-1], total, 0)
    bells = (hands & BELL_TABLE[trump][:, None]) == BELL_TABLE[trump][:, None]
    held = np.stack([bells[:, 0] | bells[:, 2], bells[:, 1] | bells[:, 3]], axis=1)
    return (scored + BELL_POINTS * held).astype(np.int16)


def score(tricks: np.ndarray, melds: np.ndarray, maker_side: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points written for (we, they), shape (N, 2), and the side set (0, 1, or -1), shape (N,)."""
    total = tricks + melds
    rows = np.arange(len(total))
    failed = total[rows, maker_side] <= total[rows, 1 - maker_side]
    points = total.copy()
    points[rows[failed], maker_side[failed]] = 0
    return points, np.where(failed, maker_side, -1)


def masks(cards: np.ndarray) -> np.ndarray:
    """Masks of cards along the last axis."""
    return BIT_TABLE[cards].sum(-1, dtype=np.uint32)

