"""A slow, plain judge of melds and scores on card names that shares nothing with the package."""

from __future__ import annotations

from itertools import combinations

RANKS, SUITS = "9TJQKA", "CDHS"
PACK = [r + s for s in SUITS for r in RANKS]


def card_points(card: str, trump: str) -> int:
    if card[1] == trump:
        return {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}[card[0]]
    return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}[card[0]]


def all_melds() -> list[tuple[frozenset[str], int, tuple]]:
    """(cards, points, rank without trump) of every meld."""
    found = []
    for place, rank in enumerate("QKTA9J"):
        found.append((frozenset(rank + s for s in SUITS), 200 if rank == "J" else 100, (9, place)))
    for suit in SUITS:
        for length, points in ((3, 20), (4, 50), (5, 100), (6, 100)):
            for low in range(6 - length + 1):
                ranks = RANKS[low : low + length]
                found.append((frozenset(r + suit for r in ranks), points, (min(length, 5), RANKS.index(ranks[-1]))))
    return found


MELDS = all_melds()


def hand_melds(hand: set[str] | frozenset[str]) -> list[tuple[frozenset[str], int, tuple]]:
    """The best-scoring set of disjoint melds, by trying every set."""
    held = [m for m in MELDS if m[0] <= hand]
    best: list = []
    for size in (1, 2):
        for some in combinations(held, size):
            if len(frozenset().union(*(m[0] for m in some))) == sum(len(m[0]) for m in some) and sum(
                m[1] for m in some
            ) > sum(m[1] for m in best):
                best = list(some)
    return best


def meld_points(deal: dict[int, list[str]], trump: str) -> dict[str, int]:
    """Meld and bell of both sides when everybody shows the best-scoring set."""
    melds = {seat: hand_melds(set(hand)) for seat, hand in deal.items()}

    def best(seats: tuple[int, int]) -> tuple:
        ranks = [(*m[2], all(c[1] == trump for c in m[0])) for s in seats for m in melds[s]]
        return max(ranks, default=(0,))

    points = {"we": 0, "they": 0}
    we, they = best((0, 2)), best((1, 3))
    if we != they:
        side, seats = ("we", (0, 2)) if we > they else ("they", (1, 3))
        points[side] = sum(m[1] for s in seats for m in melds[s])
    for seat, hand in deal.items():
        if {"K" + trump, "Q" + trump} <= set(hand):
            points["we" if seat % 2 == 0 else "they"] += 20
    return points
