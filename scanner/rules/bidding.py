"""How the simulator's players call: what naming a suit trump is worth to a hand, on many hands at once."""

from __future__ import annotations

import numpy as np

from scanner.rules.cards import CARDS
from scanner.rules.melds import BELL_POINTS
from scanner.rules.players import Skills
from scanner.rules.vector import BELL_TABLE, SUIT_MASK_TABLE, SUIT_TABLE, hand_melds, masks

# Expected margin (own side's points less the opponents') when one names trump, a linear model fitted by least squares
# to hands played out by these players: ``python -m scanner.rules.bidding_fit`` prints it.
_BID_TRUMP = (31.3, 13.8, 54.9, 8.0, 9.5, 18.8)  # a trump of each rank 9 T J Q K A
_BID_PLAIN = (-12.9, -12.1, -11.6, -12.4, -12.1, 4.9)  # a plain card of each rank
_BID_LENGTH = 8.0  # for each trump beyond two
_BID_MELD = 1.0  # for each point of meld in the hand, bell included
_BID_TURNED = np.array((0.9, 26.2, -13.7))  # the turned trump is with oneself (counted above), partner, opponent

#: All weights in the order of :func:`bid_features`.
WEIGHTS = np.array([*_BID_TRUMP, *_BID_PLAIN, _BID_LENGTH, _BID_MELD])
#: What each card adds, by trump, shape (4, 24).
_CARD_WORTH = np.array([[(_BID_TRUMP if card // 6 == t else _BID_PLAIN)[card % 6] for card in CARDS] for t in range(4)])

#: Margin, in points, from which each round is played. Passing on a small one pays, because a set costs so much: in
#: 20,000 duplicate deals such thresholds brought about 3 points a hand more than (12, 4), and those 4 more than (0, 0).
THRESHOLDS = (30.0, 20.0)


def bid_features(cards: np.ndarray, trump: np.ndarray) -> np.ndarray:
    """What a hand holds if a suit were trump, float, shape (N, 14): trumps by rank, plain cards by rank, length, meld.

    Args:
        cards: six cards, shape (N, 6).
        trump: suit, shape (N,).
    """
    ranks, is_trump = cards % 6, SUIT_TABLE[cards] == trump[:, None]
    one_hot = ranks[:, :, None] == np.arange(6)
    trumps = (one_hot & is_trump[:, :, None]).sum(1)
    plain = (one_hot & ~is_trump[:, :, None]).sum(1)
    length = np.maximum(is_trump.sum(1) - 2, 0)
    melds, _ = hand_melds(masks(cards)[:, None], trump)
    bell = BELL_POINTS * (trumps[:, 3] & trumps[:, 4])
    return np.column_stack([trumps, plain, length, melds[:, 0] + bell]).astype(float)


def bid_margin(cards: np.ndarray, trump: np.ndarray, turned_with: np.ndarray | None = None) -> np.ndarray:
    """Expected margin of naming a suit trump, shape (N,): the weights times :func:`bid_features`, worked out faster.

    Args:
        turned_with: who gets the turned trump (0 oneself, 1 partner, 2 opponent), shape (N,), or None in round two.
    """
    held = masks(cards)
    margin = _CARD_WORTH[trump[:, None], cards].sum(1)
    margin += _BID_LENGTH * np.maximum(np.bitwise_count(held & SUIT_MASK_TABLE[trump]) - 2.0, 0.0)
    bell = (held & BELL_TABLE[trump]) == BELL_TABLE[trump]
    margin += _BID_MELD * (hand_melds(held[:, None], trump)[0][:, 0] + BELL_POINTS * bell)
    margin = margin if turned_with is None else margin + _BID_TURNED[turned_with]
    return np.round(margin, 6)  # the weights have one decimal; so every machine calls alike, however it adds


def bid(
    by_turn: np.ndarray, dealer: np.ndarray, noise: np.ndarray, skills: Skills
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Maker seat and trump (-1 when all pass) and the number of calls, each (N,)."""
    count = len(dealer)
    turned = SUIT_TABLE[by_turn[:, 3, 5]].astype(np.int64)
    maker, trump, calls = np.full(count, -1), np.full(count, -1), np.full(count, 8)
    for turn in range(8):
        silent = np.flatnonzero(maker < 0)  # nobody has named trump yet
        if not len(silent):
            break
        seat = (dealer[silent] + 1 + turn) % 4
        blur = 2 * skills.take(silent).at(seat)[1]
        best, suit = _best_call(by_turn[silent, turn % 4], turn, turned[silent], noise[silent, turn], blur)
        calls_now = best > THRESHOLDS[turn // 4]
        named = silent[calls_now]
        maker[named], trump[named], calls[named] = seat[calls_now], suit[calls_now], turn + 1
    return maker, trump, calls


def _best_call(
    cards: np.ndarray, turn: int, turned: np.ndarray, noise: np.ndarray, blur: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Blurred margin of the best suit a player may name at this turn, and that suit; -inf when he may name none."""
    count = len(cards)
    best, suit = np.full(count, -np.inf), np.zeros(count, np.int64)
    holder = np.full(count, {0: 2, 1: 1, 2: 2, 3: 0}[turn]) if turn < 4 else None
    for offset in [0] if turn < 4 else [1, 2, 3]:
        offered = (turned + offset) % 4
        holds = (SUIT_TABLE[cards] == offered[:, None]).any(1)
        # A player who calls at random has no judgement at all: one suit in four of those he holds.
        lost = np.where(noise[:, offset] > 0.674, np.inf, -np.inf)
        sane = np.where(np.isinf(blur), 0.0, blur)
        margin = np.where(np.isinf(blur), lost, bid_margin(cards, offered, holder) + sane * noise[:, offset])
        margin = np.where(holds, margin, -np.inf)
        better = margin > best
        best, suit = np.where(better, margin, best), np.where(better, offered, suit)
    return best, suit
