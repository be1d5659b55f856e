"""What the engine is made to play for the referee: any deal, any table, both engines (arrays and plain).

Importing this imports the engine; the referee and his own hands know nothing of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from naive import PACK, all_melds

from scanner.rules import simulate
from scanner.rules.cards import card, members
from scanner.rules.deal import deal
from scanner.rules.hand import Hand
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.players import players_of
from scanner.rules.record import play_card, to_record

Pack = list[str]  # in the order of dealing, from the player left of the dealer


def random_packs(count: int, seed: int) -> list[Pack]:
    rng = random.Random(seed)
    return [rng.sample(PACK, 24) for _ in range(count)]


def packs_full_of_melds(seed: int) -> list[Pack]:
    """Every two melds: held by opponents (twice) and by partners, and in one hand where they fit; the rest at random.

    Mules, sequences of six or nines against aces turn up once in thousands of deals shuffled fairly.
    """
    rng = random.Random(seed)
    melds = [sorted(cards) for cards, _, _ in all_melds()]
    packs = []
    for one, other in combinations(melds, 2):
        if not set(one) & set(other):
            packs += [stacked(one, other, apart, rng) for apart in (1, 2, 3)]
        if len({*one, *other}) <= 6:
            packs.append(stacked(sorted({*one, *other}), [], 1, rng))
    rng.shuffle(packs)
    return packs


def stacked(one: list[str], other: list[str], apart: int, rng: random.Random) -> Pack:
    """A pack that deals two sets of cards to two seats `apart` from each other."""
    first = rng.randrange(4)
    hands: list[list[str]] = [[], [], [], []]
    hands[first] += one
    hands[(first + apart) % 4] += other
    rest = [name for name in rng.sample(PACK, 24) if name not in {*one, *other}]
    for hand in hands:
        while len(hand) < 6:
            hand.append(rest.pop())
        rng.shuffle(hand)
    return [hands[place % 4][place // 4] for place in range(24)]


def hands_of(pack: Pack) -> list[Pack]:
    """The four hands a pack deals, from the player left of the dealer."""
    return [pack[turn::4] for turn in range(4)]


def has_four(hand: Pack) -> bool:
    return any(sum(name[0] == rank for name in hand) == 4 for rank in "9TJQKA")


def simulated(
    packs: list[Pack], seed: int = 1, players: str = "random", rules: HouseRules = DEFAULT_RULES
) -> Iterator[dict]:
    """The packs played by the simulator; small batches first, as a broken rule mostly shows at once."""
    rng = np.random.default_rng(seed)
    four = players_of(players)
    start, size = 0, 64
    while start < len(packs):
        some = packs[start : start + size]
        cards = np.array([[card(name) for name in pack] for pack in some], np.int8)
        dealer = (start + np.arange(len(some))) % 4
        by_turn = cards.reshape(len(some), 6, 4).transpose(0, 2, 1)
        yield from simulate.records(simulate.play_deals(by_turn, dealer, rng, four, rules))
        start, size = start + size, size * 4


def played_plainly(packs: list[Pack], seed: int = 1, rules: HouseRules = DEFAULT_RULES) -> Iterator[dict]:
    """The packs played by the plain engine, one call and one card after the other, each any it says is legal."""
    rng = random.Random(seed)
    for number, pack in enumerate(packs):
        hand = Hand(deal([card(name) for name in pack], number % 4), rules)
        while not hand.over:
            seat = hand.to_act
            if hand.trump is None:
                calls = hand.legal_calls()
                hand = hand.call(seat, rng.choice(calls).suit if rng.random() < 0.4 else None)
            else:
                hand = play_card(hand, seat, rng.choice(list(members(hand.legal_plays()))))
        yield to_record(hand)
