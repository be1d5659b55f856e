"""The hand at the table: bidding, melding in time, bell in all its cases, scoring. Sources as in test_melds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_tools import a_deal, bid, meld, play, random_hand

from scanner.rules.cards import card
from scanner.rules.errors import IllegalBid, IllegalMeld, RuleError, TurnError
from scanner.rules.hand import Call, Hand
from scanner.rules.house import HouseRules
from scanner.rules.record import faults, replay, to_record
from scanner.rules.score import HandScore

C, D, H, S = range(4)


def highest(hand: Hand) -> int:
    """The legal card of the highest number: any would do."""
    return hand.legal_plays().bit_length() - 1


# ---- bidding -------------------------------------------------------------------------------------------------------


def test_round_one_offers_the_turned_suit_from_the_dealers_left():
    hand = Hand(a_deal("9S", "9D", "AS", dealer=2, turned="AS"))
    assert hand.to_act == 3
    assert Call(3) in hand.legal_calls() and Call(3, C) not in hand.legal_calls()
    with pytest.raises(IllegalBid, match="Round one offers only S"):
        hand.call(3, C)


def test_round_two_offers_any_other_suit():
    hand = bid(Hand(a_deal("9S 9C 9D 9H", dealer=3, turned="AS")), "pass", "pass", "pass", "pass")
    assert [c.suit for c in hand.legal_calls()] == [None, C, D, H]
    with pytest.raises(IllegalBid, match="passed in round one") as refused:
        hand.call(0, S)
    assert refused.value.rule == "passed-suit"


def test_who_plays_needs_a_card_of_the_suit():
    """S0: the player must have at least one trump; S1: else penalised as for a renege."""
    hand = Hand(a_deal("9C TC JC QC KC AC", dealer=3, turned="AS"))
    assert hand.legal_calls() == (Call(0),)
    with pytest.raises(IllegalBid, match="holds no S") as refused:
        hand.call(0, S)
    assert refused.value.rule == "own-trump"


def test_eight_passes_end_the_hand_without_a_score():
    hand = bid(Hand(a_deal()), *["pass"] * 8)
    assert hand.all_passed and hand.over and hand.score() is None and hand.legal_calls() == ()


def test_bidding_out_of_turn_or_after_trump_is_refused():
    hand = Hand(a_deal(dealer=3))
    with pytest.raises(TurnError, match="seat 0's turn"):
        hand.call(2)
    named = bid(hand, "pass", "pass", "pass", "S")
    with pytest.raises(TurnError, match="bidding is over"):
        named.call(0)
    assert (named.maker, named.trump, named.to_act) == (3, S, 0)
    with pytest.raises(IllegalBid, match="no suit"):
        hand.call(0, 7)


# ---- announcing and showing ----------------------------------------------------------------------------------------

DADS = a_deal("9C TC JC 9D AS KD", "TD JD QD 9S TS QC", "9H JH AH KC JS AD", dealer=3, turned="KS")


def with_trump_spades(deal=DADS, rules=None) -> Hand:
    return bid(Hand(deal, rules or HouseRules()), "pass", "pass", "pass", "S")


def test_meld_is_announced_before_the_first_card_and_shown_before_the_second():
    hand = with_trump_spades().announce(0, [meld("9C TC JC")])
    hand = play(hand, "9C").announce(1, [meld("TD JD QD")])
    hand = play(hand, "QC KC AC")
    assert hand.to_act == 3 and not hand.shows(3)
    hand = play(hand, "QS")
    hand = play(hand.show(0, [meld("9C TC JC")]), "AS")
    hand = play(hand.show(1, [meld("TD JD QD")]), "9S")
    assert hand.meld_points() == {"we": 0, "they": 20}  # the dad to the queen beats the one to the jack


def test_not_announced_before_the_first_card_does_not_count():
    hand = play(with_trump_spades(), "9C")
    with pytest.raises(IllegalMeld, match="turn") as refused:
        hand.announce(0, [meld("9C TC JC")])
    assert refused.value.rule == "meld-out-of-turn"
    hand = play(hand, "QC KC AC QS")
    with pytest.raises(IllegalMeld, match="just before one's own first card"):
        hand.announce(0, [meld("9C TC JC")])
    with pytest.raises(IllegalMeld, match="Only what was announced"):
        hand.show(0, [meld("9C TC JC")])


def test_announced_and_not_shown_does_not_count():
    """Rules: not shown before the second trick, not scored; with everybody showing, the next best shown one counts."""
    hand = with_trump_spades().announce(0, [meld("9C TC JC")])
    hand = play(hand, "9C").announce(1, [meld("TD JD QD")])
    hand = play(hand, "QC KC AC QS")
    hand = play(hand.show(0, [meld("9C TC JC")]), "AS 9S")
    with pytest.raises(IllegalMeld):
        hand.show(1, [meld("TD JD QD")])
    assert hand.meld_points() == {"we": 20, "they": 0}


def test_only_the_best_team_shows_where_the_house_says_so():
    """S1: the members of the team with the highest meld show; a better one announced still beats the others'."""
    hand = with_trump_spades(rules=HouseRules(shown_by="best_team")).announce(0, [meld("9C TC JC")])
    hand = play(hand, "9C").announce(1, [meld("TD JD QD")])
    hand = play(hand, "QC KC AC QS")
    assert hand.announced_best == "they" and not hand.shows(0) and hand.shows(1)
    with pytest.raises(IllegalMeld, match="best team show"):
        hand.show(0, [meld("9C TC JC")])
    hand = play(hand, "AS")
    shown = play(hand.show(1, [meld("TD JD QD")]), "9S")
    assert shown.meld_points() == {"we": 0, "they": 20}
    assert play(hand, "9S").meld_points() == {"we": 0, "they": 0}


def test_ranks_are_declared_only_where_the_house_says_so():
    """S1: the same kind announced as highest on both sides: declare the rank, and if equal whether it is in trump."""
    def announced(rules):
        hand = with_trump_spades(rules=rules).announce(0, [meld("9C TC JC")])
        return play(play(hand, "9C").announce(1, [meld("TD JD QD")]), "QC KC AC")

    assert announced(HouseRules()).declarations() == ()
    assert announced(HouseRules(declare_rank=True)).declarations() == ("rank",)
    equal = a_deal("9C TC JC 9S AS KD", "9D TD JD 9H TS QC", dealer=3, turned="KS")
    hand = with_trump_spades(equal, HouseRules(declare_rank=True)).announce(0, [meld("9C TC JC")])
    hand = play(hand, "9C").announce(1, [meld("9D TD JD")])
    while len(hand.cards) < 4:
        hand = hand.play(hand.to_act, highest(hand))
    assert hand.declarations() == ("rank", "trump")


def test_melds_that_are_not_held_or_overlap_are_refused():
    hand = with_trump_spades(a_deal("TC JC QC KC AC 9S", dealer=3, turned="KS"))
    with pytest.raises(IllegalMeld, match="does not hold"):
        hand.announce(0, [meld("9D TD JD")])
    with pytest.raises(IllegalMeld, match="No card in two melds"):
        hand.announce(0, [meld("TC JC QC"), meld("QC KC AC")])
    dear = replace(meld("TC JC QC"), points=500)
    for none in (dear, "TC JC QC"):
        with pytest.raises(IllegalMeld, match="is no meld"):
            hand.announce(0, [none])


def test_four_tens_are_refused_where_they_are_no_meld():
    deal = a_deal("TC TD TH TS 9C 9S", dealer=3, turned="KS")
    tens = meld("TC TD TH TS")
    assert with_trump_spades(deal).announce(0, [tens]).announced == {0: (tens,)}
    with pytest.raises(IllegalMeld, match="no meld in this house"):
        with_trump_spades(deal, HouseRules(four_tens=False)).announce(0, [tens])


# ---- bell ----------------------------------------------------------------------------------------------------------

BELL = a_deal("QS KS 9C TD JH AH", "AS JS 9D QC", dealer=3, turned="TS")


def test_bell_is_announced_with_its_second_card():
    hand = play(with_trump_spades(BELL), "QS")
    assert hand.completes_bell(0, card("KS")) and hand.bells == ()
    while hand.to_act != 0:
        hand = hand.play(hand.to_act, highest(hand))
    while not hand.legal_plays() >> card("KS") & 1:
        hand = hand.play(hand.to_act, highest(hand))
    hand = hand.play(0, card("KS"), with_bell=True)
    assert hand.meld_points() == {"we": 20, "they": 0}


def test_bell_is_not_announced_with_its_first_card_or_without_both():
    with pytest.raises(IllegalMeld) as refused:
        with_trump_spades(BELL).play(0, card("QS"), with_bell=True)
    assert refused.value.rule == "bell-early"
    split = a_deal("QS 9C TD JH AH 9D", "KS", dealer=3, turned="TS")
    with pytest.raises(IllegalMeld):
        with_trump_spades(split).play(0, card("QS"), with_bell=True)


def test_bell_not_announced_does_not_count():
    hand = with_trump_spades(BELL)
    while not hand.over:
        hand = hand.play(hand.to_act, highest(hand))
    assert hand.meld_points() == {"we": 0, "they": 0}


def test_bell_may_be_announced_when_shown_in_a_meld_and_counts_though_the_meld_is_beaten():
    """S0, S1: scored irrespective of any other meld; announced when the dad that holds it is shown."""
    deal = a_deal("QS KS AS 9C QH JH", "9D TD JD QD KC AC", dealer=3, turned="TS")
    hand = with_trump_spades(deal).announce(0, [meld("QS KS AS")])
    hand = play(hand, "9C").announce(1, [meld("9D TD JD QD")])
    while min(hand.played_by(0), hand.played_by(1)) < 2:
        if hand.to_act == 0 and hand.played_by(0) == 1:
            hand = hand.show(0, [meld("QS KS AS")], with_bell=True)
        if hand.to_act == 1 and hand.played_by(1) == 1:
            hand = hand.show(1, [meld("9D TD JD QD")])
        hand = hand.play(hand.to_act, highest(hand))
    assert hand.bells == (0,) and hand.meld_points() == {"we": 20, "they": 50}


def test_dad_and_bell_is_forty():
    deal = a_deal("JS QS KS 9C 9D 9H", dealer=3, turned="TS")
    hand = with_trump_spades(deal).announce(0, [meld("JS QS KS")])
    hand = play(hand, "JS")
    while hand.to_act != 0:
        hand = hand.play(hand.to_act, highest(hand))
    hand = hand.show(0, [meld("JS QS KS")], with_bell=True)
    assert hand.meld_points() == {"we": 40, "they": 0}
    while hand.completes_bell(0, card("KS")) or hand.to_act != 0 or hand.held(0) & (hand.held(0) - 1):
        assert not hand.completes_bell(0, highest(hand))  # announced once, not again when its cards fall
        hand = hand.play(hand.to_act, highest(hand))


def test_nobody_announces_or_shows_twice():
    deal = a_deal("JS QS KS 9C 9D 9H", dealer=3, turned="TS")
    hand = with_trump_spades(deal).announce(0, [meld("JS QS KS")])
    with pytest.raises(IllegalMeld, match="already"):
        hand.announce(0, [meld("JS QS KS")])
    hand = play(hand, "JS")
    while hand.to_act != 0:
        hand = hand.play(hand.to_act, highest(hand))
    hand = hand.show(0, [meld("JS QS KS")], with_bell=True)
    with pytest.raises(IllegalMeld, match="already"):
        hand.show(0, [meld("JS QS KS")], with_bell=True)


def test_showing_a_meld_without_both_cards_announces_no_bell():
    deal = a_deal("9S TS JS QS KS 9C", dealer=3, turned="AS")
    hand = with_trump_spades(deal).announce(0, [meld("9S TS JS")])
    hand = play(hand, "9C")
    while hand.to_act != 0:
        hand = hand.play(hand.to_act, highest(hand))
    with pytest.raises(IllegalMeld, match="both its cards"):
        hand.show(0, [meld("9S TS JS")], with_bell=True)


# ---- the end -------------------------------------------------------------------------------------------------------


def test_a_hand_is_not_scored_before_its_last_card():
    with pytest.raises(TurnError, match="after 24 cards"):
        with_trump_spades().score()
    with pytest.raises(RuleError, match="not been named"):
        Hand(a_deal()).meld_points()


def test_a_whole_hand_by_hand():
    """One hand worked out on paper: clubs trump, seat 0 makes it with all trumps but the ten."""
    hands = ("JC 9C AC KC QC AD", "TC 9D TD JD QD KD", "9H TH JH QH KH AH", "9S TS JS QS KS AS")
    deal = a_deal(*hands, dealer=3, turned="AS")
    hand = bid(Hand(deal), "pass", "pass", "pass", "pass", "C")
    hand = play(hand, "JC TC 9H 9S  9C 9D TH TS  AC TD JH JS  KC JD QH QS  QC QD KH KS  AD KD AH AS")
    # we take every trick: 152 card points and the last trick; nobody announced anything
    assert hand.trick_points() == {"we": 162, "they": 0}
    assert hand.score() == HandScore(162, 0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_records_replay_to_the_same_hand_and_have_no_faults(seed):
    hand = random_hand(seed)
    record = to_record(hand)
    assert faults(record) == ()
    assert to_record(replay(record)) == record


@pytest.mark.parametrize("rules", [HouseRules(four_tens=False), HouseRules(shown_by="best_team")])
def test_records_replay_under_other_house_rules(rules):
    for seed in range(20):
        record = to_record(random_hand(seed, rules))
        assert faults(record, rules) == ()


def test_faults_names_everything_wrong_at_once():
    record = to_record(random_hand(11))
    assert not record["all_pass"]
    record["points"] = {"we": 1, "they": 2}
    record["trick_points"] = {"we": 100, "they": 61}
    record["plays"][0][1]["seat"], record["plays"][0][2]["seat"] = (
        record["plays"][0][2]["seat"], record["plays"][0][1]["seat"],
    )  # fmt: skip
    rules = {f.rule for f in faults(record)}
    assert {"points", "trick-points", "turn", "own-card"} <= rules


def test_a_deal_that_is_none_is_refused_with_everything_wrong():
    record = to_record(random_hand(11))
    record["deal"]["0"] = ["9C", "9C", "XX", "TC"]
    found = faults(record)
    assert {"deal", "cards", "pack"} <= {f.rule for f in found}
    with pytest.raises(RuleError, match="twice"):
        replay(record)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"deal": None}, "'deal' cannot be None"),
        ({"dealer": True}, "'dealer' cannot be True"),
        ({"bids": [{"seat": True, "call": "pass"}]}, "Each of 'bids'"),
        ({"plays": [[{"seat": True, "card": "9C"}]]}, "'plays' is a list of tricks"),
        ({"all_pass": 0}, "'all_pass' cannot be 0"),
        ({"dealer": "3"}, "'dealer' cannot be '3'"),
        ({"deal": {"0": ["9C"]}}, "for each of the seats"),
        ({"bids": [{"seat": 0}]}, "Each of 'bids'"),
        ({"plays": [["9C"]]}, "'plays' is a list of tricks"),
        ({"plays": 7}, "'plays' cannot be 7"),
    ],
)
def test_what_is_no_record_is_refused_with_what_was_expected(change, message):
    record = to_record(random_hand(11)) | change
    assert any(message in f.message for f in faults(record))
    with pytest.raises(RuleError, match=message.split("'")[-1].strip() or message):
        replay(record)
    assert faults([])[0].rule == "record"
    assert {f.message for f in faults({"dealer": 0})} >= {"'deal' is missing.", "'turned' is missing."}


def test_a_play_from_no_seat_is_refused():
    record = to_record(random_hand(11))
    record["plays"][0][2]["seat"] = 7
    assert "turn" in {f.rule for f in faults(record)}
    with pytest.raises(TurnError, match="Seat 7 cannot play now"):
        replay(record)


def test_a_wrong_call_is_one_fault_and_the_rest_is_judged_all_the_same():
    record = to_record(random_hand(11))
    turned = record["turned"][1]
    other = next(s for s in "CDHS" if s != turned)
    record["bids"] = [{"seat": (record["dealer"] + 1) % 4, "call": "play", "suit": other}, *record["bids"][1:]]
    assert [f.rule for f in faults(record)][:1] == ["turned-suit"]
    assert "turn" not in {f.rule for f in faults(record)}


def test_all_passed_with_anything_else_is_a_fault():
    record = to_record(bid(Hand(a_deal()), *["pass"] * 8))
    assert faults(record) == ()
    assert [f.rule for f in faults(record | {"trump": "C"})] == ["all-pass"]
    assert [f.rule for f in faults(record | {"points": {"we": 20, "they": 0}})] == ["all-pass"]
    assert [f.rule for f in faults(record | {"points": {}})] == ["all-pass"]
    assert "all-pass" in [f.rule for f in faults(record | {"bids": record["bids"][:7]})]
