"""The engine before the referee: simulated hands, hands played card by card, and every choice it calls legal.

    CLABBER_REFEREE_HANDS=100000 python -m pytest tests/rules/test_simulated_hands.py -k simulated_hands_hold

judges so many hands for every strength of players (some two minutes each); without the variable it is 3000.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest
from packs import hands_of, packs_full_of_melds, played_plainly, random_packs, simulated
from referee import PACK, TRUMP_HEIGHT, broken_duty, dealer_order, disagreements, winning_place

from scanner.rules import play, vector
from scanner.rules.cards import NAMES, SUITS, card, mask, members
from scanner.rules.house import CHOICES, DEFAULT_RULES, HouseRules
from scanner.rules.players import PLAYERS
from scanner.rules.simulate import simulate_hands

HANDS = int(os.environ.get("CLABBER_REFEREE_HANDS", "3000"))


def first_faults(records: Iterable[dict], **house: bool) -> list:
    """The first hand in dispute and what is wrong with it; [] when there is none."""
    return next(([record, faults] for record in records if (faults := disagreements(record, **house))), [])


@pytest.mark.parametrize("strength", PLAYERS)
def test_simulated_hands_hold(strength):
    assert first_faults(simulate_hands(HANDS, seed=20, players=strength)) == []


def test_simulated_hands_of_unlike_players_hold():
    assert first_faults(simulate_hands(1000, seed=21, players=list(PLAYERS)[-4:])) == []


def test_hands_full_of_melds_hold():
    packs = packs_full_of_melds(seed=22)
    assert len(packs) > 2000
    assert first_faults(simulated(packs, players="random")) == []
    assert first_faults(simulated(packs[:300], players="sensible")) == []


def test_hands_played_card_by_card_hold():
    assert first_faults(played_plainly(random_packs(200, seed=23))) == []
    assert first_faults(played_plainly(packs_full_of_melds(seed=24)[:300])) == []


@pytest.mark.parametrize("engine", [simulated, played_plainly])
def test_four_tens_is_a_house_rule(engine):
    tens = [pack for pack in packs_full_of_melds(seed=25) if any(has_four_tens(hand) for hand in hands_of(pack))]
    rules = HouseRules(four_tens=False)
    assert first_faults(engine(tens, rules=rules), four_tens=False) == []
    assert {fault.rule for fault in first_faults(engine(tens, rules=rules))[1]} & {"meld_points", "points"}
    assert first_faults(engine(tens)) == []
    assert first_faults(engine(tens), four_tens=False)


def has_four_tens(hand: list[str]) -> bool:
    return sum(name[0] == "T" for name in hand) == 4


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "four_tens"])
def test_other_house_rules_leave_a_hand_alone(name):
    """Everybody shows in time and nobody reneges, so only four tens change what is right in one hand."""
    for choice in [choice for choice in CHOICES[name] if choice != getattr(DEFAULT_RULES, name)]:
        assert some_hands(HouseRules(**{name: choice})) == some_hands(DEFAULT_RULES)


@cache
def some_hands(rules: HouseRules) -> list[list[dict]]:
    packs = random_packs(25, seed=30) + packs_full_of_melds(seed=30)[:25]
    return [list(engine(packs, rules=rules)) for engine in (simulated, played_plainly)]


@pytest.mark.parametrize(("all_pass", "other"), [("redeal", "next_dealer"), ("next_dealer", "redeal")])
def test_the_turn_to_deal_goes_round(all_pass, other):
    records = list(simulate_hands(1200, seed=26, players="random", rules=HouseRules(all_pass=all_pass)))
    assert sum(record["all_pass"] for record in records) > 5
    assert dealer_order(records, all_pass) == []
    assert dealer_order(records, other)


def positions(count: int, seed: int) -> list[tuple[list[str], list[str], str]]:
    """Random hands of one to six cards, tricks of none to three, and trump."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        size = rng.randrange(1, 7)
        cards = rng.sample(sorted(PACK), size + rng.randrange(4))
        found.append((cards[:size], cards[size:], rng.choice(SUITS)))
    return found


def test_legal_plays_are_just_what_the_referee_allows():
    for hand, trick, trump in positions(4000, seed=27):
        allowed = {name for name in hand if broken_duty(hand, trick, name, trump) is None}
        legal = play.legal_plays(mask(map(card, hand)), [card(name) for name in trick], SUITS.index(trump))
        assert {NAMES[c] for c in members(legal)} == allowed, (hand, trick, trump)


def test_legal_plays_of_many_hands_are_just_what_the_referee_allows():
    for hand, trick, trump in positions(4000, seed=28):
        cards = [card(name) for name in hand] + [0] * (6 - len(hand))
        held = np.arange(6) < len(hand)
        led = np.array([SUITS.index(trick[0][1])]) if trick else None
        highest = max((6 + TRUMP_HEIGHT[name[0]] for name in trick if name[1] == trump), default=-1)
        legal = vector.legal(
            np.array([cards], np.int8), held[None], led, np.array([SUITS.index(trump)]), np.array([highest], np.int8)
        )[0]
        allowed = [broken_duty(hand, trick, name, trump) is None for name in hand]
        assert legal.tolist() == allowed + [False] * (6 - len(hand)), (hand, trick, trump)


def test_tricks_go_to_whom_the_referee_gives_them():
    rng = random.Random(29)
    for _ in range(4000):
        trick, trump = rng.sample(sorted(PACK), 4), rng.choice(SUITS)
        winner = play.trick_winner([card(name) for name in trick], SUITS.index(trump))
        assert winner == winning_place(trick, trump), (trick, trump)
