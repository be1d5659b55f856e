"""Tricks: what may be played, why another card may not, who wins. Sources as in test_melds."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_tools import a_deal, bid, cards, play, random_hand

from scanner.rules.cards import NAMES, POINTS, STRENGTH, SUITS, card, members
from scanner.rules.errors import IllegalPlay, TurnError
from scanner.rules.hand import Hand
from scanner.rules.play import legal_plays, sure_of_all, trick_winner, why_illegal

H = SUITS.index("H")


def legal(hand: str, trick: str, trump: int = H) -> set[str]:
    return {NAMES[c] for c in members(legal_plays(cards(hand), [card(c) for c in trick.split()], trump))}


# (what, trick so far, hand, what may be played); hearts trump
CASES = [
    ("the leader plays anything", "", "9C TD JH", {"9C", "TD", "JH"}),
    ("S0: follow suit", "AC", "9C KC JH", {"9C", "KC"}),
    ("S0: no duty to beat when following a plain suit", "9C", "TC JC", {"TC", "JC"}),
    ("S0: following a plain suit that was trumped", "9C JH", "TC AC 9H", {"TC", "AC"}),
    ("S0: trump in", "AC", "9D QH KH", {"QH", "KH"}),
    ("S0: throw off with neither", "AC", "9D QS KS", {"9D", "QS", "KS"}),
    ("S0: overtrump when trumping in", "AC KH", "QH TH 9D", {"TH"}),
    ("S0: overtrump the partner too", "AC KH QC", "QH AH 9D", {"AH"}),
    ("S0: no overtrump possible, a trump all the same", "AC JH", "QH 9H 9D", {"QH", "9H"}),
    ("S1: a trump lead must be beaten", "TH", "QH KH AH 9H", {"AH", "9H"}),
    ("S1: beat the highest, not the lead", "QH 9H", "KH AH JH", {"JH"}),
    ("S1: a trump lead that cannot be beaten", "JH", "QH 9H AC", {"QH", "9H"}),
    ("a trump lead and no trump", "JH", "9D AC", {"9D", "AC"}),
]


@pytest.mark.parametrize(("what", "trick", "hand", "may"), CASES, ids=[c[0] for c in CASES])
def test_may_be_played(what, trick, hand, may):
    assert legal(hand, trick) == may


# (rule, trick so far, hand, card); hearts trump
REFUSED = [
    ("follow-suit", "AC", "9C JH", "JH"),
    ("follow-suit", "TH", "QH AC", "AC"),
    ("trump-in", "AC", "9D QH", "9D"),
    ("overtrump", "AC KH", "QH TH 9D", "QH"),
    ("overtrump", "TH", "QH AH", "QH"),
    ("own-card", "AC", "9D QH", "AH"),
]


@pytest.mark.parametrize(("rule", "trick", "hand", "played"), REFUSED)
def test_refused_with_the_rule_and_what_was_expected(rule, trick, hand, played):
    found = why_illegal(card(played), cards(hand), [card(c) for c in trick.split()], H)
    assert found is not None and found[0] == rule
    assert any(name in found[1] for name in legal(hand, trick))


def test_order_of_the_cards():
    """S1: trumps J 9 A T K Q, other suits A T K Q J 9."""
    trumps, plain = [r + "H" for r in "J9ATKQ"], [r + "C" for r in "ATKQJ9"]
    order = [STRENGTH[H][card(c)] for c in trumps + plain]
    assert order == sorted(order, reverse=True)
    assert [POINTS[H][card(c)] for c in trumps + plain] == [20, 14, 11, 10, 4, 3, 11, 10, 4, 3, 2, 0]


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("9C AC TC KC", 1), ("9C AD AS TC", 3), ("AC QH TC KC", 1), ("AC QH JH 9H", 2),
     ("9D AC AS TC", 0), ("QH KH 9H AH", 2)],
)
def test_highest_trump_wins_else_highest_of_the_suit_led(trick, winner):
    assert trick_winner([card(c) for c in trick.split()], H) == winner


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_a_legal_play_always_exists_and_is_held(seed):
    hand = random_hand(seed)
    if hand.all_passed:
        return
    held, trump = list(hand.deal.hands), hand.trump
    for leader, trick in zip(hand.leaders, hand.tricks, strict=False):
        for i, played in enumerate(trick):
            seat = (leader + i) % 4
            may = legal_plays(held[seat], trick[:i], trump)
            assert may >> played & 1 and may & ~held[seat] == 0
            held[seat] &= ~(1 << played)
    assert held == [0, 0, 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_every_hand_plays_for_162(seed):
    hand = random_hand(seed, melding=False)
    if not hand.all_passed:
        assert sum(hand.trick_points().values()) == 162


def test_out_of_turn_and_after_the_end_are_refused():
    hand = bid(Hand(a_deal("9C TC", dealer=3, turned="AS")), "pass", "pass", "pass", "S")
    with pytest.raises(TurnError, match="seat 0's turn"):
        hand.play(1, card("9D"))
    with pytest.raises(IllegalPlay, match="not in this hand"):
        hand.play(0, card("AS"))
    with pytest.raises(IllegalPlay, match="no card"):
        hand.play(0, 24)
    done = random_hand(4)
    with pytest.raises(TurnError, match="over"):
        done.play(0, 0)
    with pytest.raises(TurnError, match="over"):
        done.call(0)


def test_play_before_trump_is_named_is_refused():
    with pytest.raises(TurnError, match="bid first"):
        Hand(a_deal()).play(0, 0)


def test_a_whole_trick_sends_the_lead_to_its_winner():
    deal = a_deal("AC 9C", "TC 9D", "KC 9S", "QC AS", dealer=3, turned="AS")
    hand = play(bid(Hand(deal), "pass", "pass", "pass", "S"), "9C TC KC QC")
    assert hand.to_act == 1 and hand.trick_points() == {"we": 0, "they": 17}


def test_laying_down_is_sure_only_when_nothing_can_beat_it():
    """Against trying every line: the two-trick end games of a few hands."""
    top = [cards("JH 9H"), cards("AH TH"), cards("AC AD"), cards("TC TD")]
    assert sure_of_all(top, 0, H)
    assert sure_of_all([cards("JH AC"), cards("9H TC"), cards("AD KD"), cards("TD QD")], 0, H)
    beaten = [cards("JH AC"), cards("9H TD"), cards("AD KD"), cards("TC QD")]
    assert sure_of_all(beaten, 0, H)  # the jack draws the nine, the ace then wins
    assert not sure_of_all([cards("9H AC"), cards("JH TD"), cards("AD KD"), cards("TC QD")], 0, H)
    assert not sure_of_all([cards("AC TC"), cards("KC QH"), cards("AD KD"), cards("TD QD")], 0, H)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 3000))
def test_sure_of_all_agrees_with_trying_every_order(seed):
    hand = random_hand(seed, melding=False)
    if hand.all_passed:
        return
    at = 4  # two tricks left
    held = list(hand.deal.hands)
    for c in hand.cards[: 4 * at]:
        held = [h & ~(1 << c) for h in held]
    layer = hand.leaders[at]
    assert sure_of_all(held, layer, hand.trump) == _sure_by_all_lines(held, layer, hand.trump)


def _sure_by_all_lines(held: list[int], layer: int, trump: int) -> bool:
    """Two tricks left: some lead such that every legal answer loses, and the last card then wins too."""
    others = [(layer + i) % 4 for i in (1, 2, 3)]
    for lead in members(held[layer]):
        good = True
        for answer in product(*(members(held[s]) for s in others)):
            trick = (lead, *answer)
            if any(not legal_plays(held[s], trick[: i + 1], trump) >> answer[i] & 1 for i, s in enumerate(others)):
                continue
            rest = [next(members(held[layer] & ~(1 << lead)))]
            rest += [next(members(held[s] & ~(1 << answer[i]))) for i, s in enumerate(others)]
            good &= trick_winner(trick, trump) == 0 and trick_winner(rest, trump) == 0
        if good:
            return True
    return False
