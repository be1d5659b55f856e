"""Short ways of writing deals and hands in tests."""

from __future__ import annotations

import random

from scanner.rules.cards import PACK, SUITS, card, mask, members
from scanner.rules.deal import Deal
from scanner.rules.hand import Hand
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.melds import Meld, meld_of
from scanner.rules.record import play_card


def cards(text: str) -> int:
    """The mask of some cards: "QC KC"."""
    return mask(card(name) for name in text.split())


def meld(text: str) -> Meld:
    """The meld that cards make; fails when they make none."""
    found = meld_of(cards(text))
    assert found is not None, text
    return found


def a_deal(*hands: str, dealer: int = 3, turned: str | None = None) -> Deal:
    """A deal from hands by seat; a seat left out, or short of six, is filled up from the cards nobody has."""
    held = [cards(text) for text in hands] + [0] * (4 - len(hands))
    left = list(members(PACK & ~(held[0] | held[1] | held[2] | held[3])))
    for seat in range(4):
        while held[seat].bit_count() < 6:
            held[seat] |= 1 << left.pop(0)
    last = card(turned) if turned else max(members(held[dealer]))
    return Deal(dealer, (held[0], held[1], held[2], held[3]), last)


def bid(hand: Hand, *calls: str) -> Hand:
    """Calls in turn: "pass" or the letter of a suit."""
    for what in calls:
        assert hand.to_act is not None
        hand = hand.call(hand.to_act, None if what == "pass" else SUITS.index(what))
    return hand


def play(hand: Hand, text: str) -> Hand:
    """Cards in turn, without any melding."""
    for name in text.split():
        assert hand.to_act is not None
        hand = hand.play(hand.to_act, card(name))
    return hand


def random_hand(seed: int, rules: HouseRules = DEFAULT_RULES, melding: bool = True) -> Hand:
    """A whole hand of random legal calls and plays."""
    from scanner.rules.deal import deal

    rng = random.Random(seed)
    pack = list(range(24))
    rng.shuffle(pack)
    hand = Hand(deal(pack, rng.randrange(4)), rules)
    while hand.trump is None and not hand.over:
        call = rng.choice(hand.legal_calls())
        hand = hand.call(call.seat, call.suit)
    while not hand.over:
        seat = hand.to_act
        assert seat is not None
        chosen = rng.choice(list(members(hand.legal_plays())))
        hand = play_card(hand, seat, chosen) if melding else hand.play(seat, chosen)
    return hand
