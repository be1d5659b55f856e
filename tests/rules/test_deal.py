"""Partners by jacks, the cut, the deal, misdeals. Sources as in test_melds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.rules.cards import NAMES, PACK, card, members
from scanner.rules.deal import Deal, cut, deal, deal_faults, deal_of, draw_partners, misdeal, seating
from scanner.rules.errors import CardError, RuleError, TurnError
from scanner.rules.house import HouseRules
from scanner.rules.score import next_dealer

PACKS = st.permutations(list(range(24)))


@given(PACKS, st.integers(0, 3))
def test_everyone_gets_six_one_at_a_time_and_the_dealers_last_is_turned(pack, dealer):
    dealt = deal(pack, dealer)
    assert [h.bit_count() for h in dealt.hands] == [6] * 4 and sum(dealt.hands) == PACK
    left = (dealer + 1) % 4
    assert set(members(dealt.hands[left])) == set(pack[0::4]) and dealt.first == left
    assert dealt.turned == pack[-1] and dealt.hands[dealer] >> pack[-1] & 1


@given(PACKS, st.integers(4, 20))
def test_a_cut_puts_the_lower_part_on_top(pack, at):
    after = cut(pack, at)
    assert after[: 24 - at] == tuple(pack[at:]) and after[24 - at :] == tuple(pack[:at])


@pytest.mark.parametrize("at", [0, 3, 21, 24])
def test_a_cut_leaves_four_cards_in_each_part(at):
    """S0, S1: at least four cards in each part."""
    with pytest.raises(RuleError, match="at least 4"):
        cut(range(24), at)


def test_impossible_packs_and_seats_are_refused():
    with pytest.raises(CardError, match="each once"):
        deal([0] * 24, 0)
    with pytest.raises(CardError, match="each once"):
        deal(["9C", *range(1, 24)], 0)
    with pytest.raises(CardError, match="got 23 cards"):
        deal(range(23), 0)
    with pytest.raises(TurnError, match="0 to 3"):
        deal(range(24), 4)
    with pytest.raises(CardError, match="'1H' is no card"):
        card("1H")


SUIT_EACH = tuple(0b111111 << 6 * suit for suit in range(4))


@pytest.mark.parametrize(
    ("dealer", "hands", "turned", "rule"),
    [
        (7, SUIT_EACH, 5, "deal"),
        (0, (SUIT_EACH[0], *SUIT_EACH[:3]), 5, "pack"),  # clubs twice, no spades
        (0, (SUIT_EACH[0] >> 1, *SUIT_EACH[1:]), 4, "deal"),
        (0, SUIT_EACH, 6, "turned"),  # the nine of diamonds is with seat 1
        (0, SUIT_EACH, "AC", "turned"),
    ],
)
def test_no_deal_can_be_made_that_is_none(dealer, hands, turned, rule):
    assert Deal(0, SUIT_EACH, 5).first == 1
    with pytest.raises(RuleError) as refused:
        Deal(dealer, hands, turned)
    assert refused.value.rule == rule


def test_all_faults_of_a_deal_at_once():
    hands = {0: ["9C", "9C", "TC", "JC", "QC", "KC"], 1: ["5X"], 2: [], 3: ["AC"]}
    messages = " ".join(f.message for f in deal_faults(hands, 3, "9S"))
    for part in ("Seat 1 has 1 cards", "'5X'", "9C is there twice", "'9S' is not in the dealer's hand", "Nobody holds"):
        assert part in messages
    with pytest.raises(CardError, match="there twice"):
        deal_of(hands, 3, "9S")


def test_first_two_jacks_are_dealer_and_partner():
    """S1: the first to be dealt a jack deals; further cards go to the others until the second jack."""
    pack = [card(c) for c in ("9C", "JD", "TC", "QC", "KC", "AC", "JH", "9D")]
    # 9C to 0, JD to 1 (deals); TC 2, QC 3, KC 0, AC 2, JH 3: seat 1 is passed over
    assert draw_partners(pack) == (1, 3)
    assert draw_partners(pack, first=2) == (3, 1)
    with pytest.raises(CardError, match="two jacks"):
        draw_partners(pack[:5])


@pytest.mark.parametrize(("dealer", "partner"), [(a, b) for a in range(4) for b in range(4) if a != b])
def test_partners_move_to_face_each_other(dealer, partner):
    seats = seating(dealer, partner)
    assert (seats[0], seats[2]) == (dealer, partner) and sorted(seats) == [0, 1, 2, 3]


def test_misdeals():
    """S0: exposed card, same dealer; out of turn only when claimed before the last card is dealt."""
    assert misdeal() is None
    assert misdeal(exposed=True) == "same_dealer"
    assert misdeal(out_of_turn=True, cards_dealt=23, claimed=True) == "right_dealer"
    assert misdeal(out_of_turn=True, cards_dealt=24, claimed=True) is None
    assert misdeal(out_of_turn=True, cards_dealt=10, claimed=False) is None


def test_the_turn_to_deal():
    """All passed: the same dealer (S0, S2) or the next (S1). After a hand the next; the same if both reneged."""
    assert next_dealer(3, "played") == 0
    assert next_dealer(2, "both_reneged") == 2
    assert next_dealer(2, "passed") == 2
    assert next_dealer(2, "passed", HouseRules(all_pass="next_dealer")) == 3


def test_names_of_the_pack():
    assert len(set(NAMES)) == 24 and NAMES[0] == "9C" and NAMES[23] == "AS"
