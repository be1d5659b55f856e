"""Fits what naming trump is worth: ``python -m scanner.rules.bidding_fit`` prints the weights of :mod:`bidding`.

Random players are made to name a suit they hold, half of them the turned one, sensible players play the hands out, and
the margin (own side's points less the opponents', meld included) is fitted by least squares on what the namer held.
"""

from __future__ import annotations

import numpy as np

from scanner.rules import vector
from scanner.rules.bidding import bid_features
from scanner.rules.players import players_of
from scanner.rules.simulate import deal_cards, play_cards

NAMES = ("trump 9 T J Q K A", "plain 9 T J Q K A", "length", "meld", "turned self/partner/opponent")
#: Who gets the turned card, by turn to call: 0 oneself (the dealer), 1 the partner, 2 an opponent.
TURNED_WITH = np.array([2, 1, 2, 0])


def forced_hands(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Features, shape (N, 17), and margins, shape (N,), of up to ``count`` hands with a forced maker and trump."""
    cards = deal_cards(count, rng)
    rows, turn = np.arange(count), rng.integers(0, 4, count)
    turned = vector.SUIT_TABLE[cards[:, 3, 5]].astype(np.int64)
    held = vector.SUIT_TABLE[cards[rows, turn, rng.integers(0, 6, count)]].astype(np.int64)
    first = rng.random(count) < 0.5
    trump = np.where(first, turned, held)
    holds = (vector.SUIT_TABLE[cards[rows, turn]] == trump[:, None]).any(1)
    cards, turn, first, trump = cards[holds], turn[holds], first[holds], trump[holds]
    rows = np.arange(len(trump))
    _, _, tricks = play_cards(cards, trump, turn, np.zeros(len(rows), np.int64), rng, players_of("sensible"))
    totals = (tricks + vector.side_melds(vector.masks(cards), trump)).astype(float)
    with_whom = (TURNED_WITH[turn][:, None] == np.arange(3)) & first[:, None]
    features = np.column_stack([bid_features(cards[rows, turn], trump), with_whom])
    return features, totals[rows, turn % 2] - totals[rows, 1 - turn % 2]


def fit(hands: int = 80_000, seed: int = 1) -> tuple[np.ndarray, float]:
    """Least-squares weights in the order of :data:`NAMES`, shape (17,), and the residual standard deviation."""
    rng = np.random.default_rng(seed)
    parts = [forced_hands(4000, rng) for _ in range(-(-hands // 4000))]
    features, margins = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    weights = np.linalg.lstsq(features, margins, rcond=None)[0]
    return weights, float((margins - features @ weights).std())


def main() -> None:
    """Print the weights."""
    weights, rest = fit()
    for name, part in zip(NAMES, np.split(weights, [6, 12, 13, 14]), strict=True):
        print(f"{name:30} {' '.join(f'{w:6.1f}' for w in part)}")
    print(f"residual {rest:.0f} points")


if __name__ == "__main__":
    main()
