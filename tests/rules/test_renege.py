"""A hand for every renege clause: what it is, until when it can be called, its cost. Sources as in test_melds."""

from __future__ import annotations

import pytest
from rule_tools import a_deal, bid, cards, meld, play

from scanner.rules.cards import SUITS, card
from scanner.rules.errors import RuleError
from scanner.rules.hand import Hand
from scanner.rules.house import HouseRules
from scanner.rules.renege import CLAUSES, Claim, claim_at, laid_down, rule_on, settle
from scanner.rules.score import HandScore

MELDS = {"we": 20, "they": 50}
H, S = SUITS.index("H"), SUITS.index("S")


def spades(*hands: str) -> Hand:
    return bid(Hand(a_deal(*hands, dealer=3)), "pass", "pass", "pass", "S")


def refused(action) -> str:
    """The rule with which the table refuses the same thing."""
    with pytest.raises(RuleError) as error:
        action()
    return error.value.rule


# Each clause that happens with the cards, as a hand in which seat 0 commits it: (clause, source, the deed).
DEEDS = [
    ("own-trump", "S0 S1: playing a hand without a trump",
     lambda: Hand(a_deal("9C TC JC QC KC AC", dealer=3, turned="AS")).call(0, S)),
    ("passed-suit", "S0: it is a renege to play a suit previously passed",
     lambda: bid(Hand(a_deal("9S", dealer=3, turned="AS")), *["pass"] * 4).call(0, S)),
    ("follow-suit", "S1: failing to follow suit",
     lambda: play(spades("9C TC 9D 9H TH JH", "KC JD JC QD KD AD"), "9C").play(1, card("JD"))),
    ("trump-in", "S1: failing to trump when able",
     lambda: play(spades("9C TC 9D 9H TH JH", "9S TD JD QD KD AD"), "9C").play(1, card("TD"))),
    ("overtrump", "S1: failing to overtrump when able",
     lambda: play(spades("QS TC 9D 9H TH JH", "KS 9S JD QD KD AD", "JS TS QC"), "QS 9S").play(2, card("TS"))),
    ("turn", "S0: leading or playing out of turn",
     lambda: spades("9C TC 9D 9H TH JH").play(2, card("9S"))),
    ("meld-out-of-turn", "S0 S1: melds called out of turn",
     lambda: spades("9C TC QC 9H TH JH", "", "9D TD JD").announce(2, [meld("9D TD JD")])),
    ("bell-early", "S1: announcing bell before its second card",
     lambda: spades("QS KS 9D 9H TH JH").play(0, card("QS"), with_bell=True)),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "source", "deed"), DEEDS, ids=[d[0] for d in DEEDS])
def test_the_table_refuses_it_by_the_name_of_the_clause(clause, source, deed):
    assert refused(deed) == clause
    assert all(s in CLAUSES[clause].source for s in source.split(":")[0].split())


@pytest.mark.parametrize("clause", [c for c in CLAUSES if c != "unproven"])
def test_each_clause_costs_162_and_the_opponents_meld(clause):
    """S1: play ends, the opponents of the team that reneged score 162 points plus meld."""
    early = CLAUSES[clause].bidding
    claim = Claim(clause, offender=0, caller=1, trick=0 if early else 2, cards_by_caller=0 if early else 2,
                  side_has_played=True)  # fmt: skip
    assert rule_on(claim).offender == "we"
    assert settle([claim], MELDS) == HandScore(0, 212)


@pytest.mark.parametrize("clause", list(CLAUSES))
def test_no_clause_can_be_called_once_the_last_trick_is_turned(clause):
    claim = Claim(clause, 0, 1, trick=5, cards_by_caller=0, last_trick_turned=True)
    assert settle([claim], MELDS) is None and "last trick" in rule_on(claim).reason


@pytest.mark.parametrize("clause", [c for c, what in CLAUSES.items() if what.bidding])
def test_a_renege_of_the_bidding_must_be_called_before_the_callers_first_card(clause):
    """S0: a player must call renege before playing his first card."""
    assert settle([Claim(clause, 0, 3, trick=0, cards_by_caller=0)], MELDS) == HandScore(0, 212)
    assert settle([Claim(clause, 0, 3, trick=0, cards_by_caller=1)], MELDS) is None


def test_out_of_turn_is_no_renege_on_the_last_trick():
    """S0: this does not apply to last trick."""
    assert settle([Claim("turn", 1, 0, trick=6)], MELDS) is None
    assert settle([Claim("turn", 1, 0, trick=5)], MELDS) == HandScore(182, 0)


def test_bell_announced_early_is_none_where_the_house_does_not_count_it():
    claim = Claim("bell-early", 0, 1, trick=2)
    assert settle([claim], MELDS) == HandScore(0, 212)
    assert settle([claim], MELDS, HouseRules(early_bell=False)) is None


def test_turned_tricks_by_house_rule():
    """S0: no trick can be looked at after it has been turned; S1: not after your side played to the following one."""
    soon, late = Claim("looked", 0, 1, 3, side_has_played=False), Claim("looked", 0, 1, 3, side_has_played=True)
    house = HouseRules(turned_tricks="until_next_play")
    assert settle([soon], MELDS) == settle([late], MELDS) == settle([late], MELDS, house) == HandScore(0, 212)
    assert settle([soon], MELDS, house) is None


def test_an_unproven_challenge_with_a_review_is_itself_a_renege():
    """S0: challenged to the point of turning over played tricks, a renege on the challengers if not proven."""
    wrong = Claim("follow-suit", 0, 1, 4, proven=False, reviewed=True)
    assert rule_on(wrong).offender == "they" and settle([wrong], MELDS) == HandScore(182, 0)
    assert settle([Claim("follow-suit", 0, 1, 4, proven=False)], MELDS) is None


def test_both_sides_reneged_is_not_scored_and_dealt_again():
    """S1: the hand is not scored and must be redealt by the same dealer."""
    assert settle([Claim("exposed", 0, 1, 2), Claim("advice", 3, 2, 2)], MELDS) == "redeal"


def test_no_claim_no_ruling():
    assert settle([], MELDS) is None


def test_laying_down_with_a_trick_to_lose_is_a_renege():
    """S0: if your opponent can show how you could lose a trick, the penalty is the same as a renege."""
    sure = [cards("JH 9H"), cards("AH TH"), cards("AC AD"), cards("TC TD")]
    unsure = [cards("9H AC"), cards("JH TD"), cards("AD KD"), cards("TC QD")]
    assert laid_down(sure, 0, H) == "we" and laid_down(unsure, 0, H) == "they"


def test_laying_down_without_agreement_exposes_cards():
    """S0: all hands must be played out unless otherwise agreed upon before starting play."""
    sure = [cards("JH 9H"), cards("AH TH"), cards("AC AD"), cards("TC TD")]
    assert laid_down(sure, 0, H, agreed=False) == "they"


# What seat 0 does in one and the same hand, after how many cards: reneges no rule of play can refuse.
AT_THE_TABLE = [
    ("exposed", 2, {}, "S0: drops the jack of hearts face up"),
    ("advice", 5, {}, "S0: may not call meld for partner or instruct him in any manner"),
    ("unturned", 4, {}, "S0: each trick shall be turned over before the next card is led"),
    ("looked", 7, {"side_has_played": True}, "S0 S1: looks at the first trick during the second"),
    ("laid-down", 8, {}, "S0: lays down and could lose a trick"),
]


@pytest.mark.parametrize(("clause", "played", "facts", "what"), AT_THE_TABLE, ids=[a[0] for a in AT_THE_TABLE])
def test_a_renege_at_the_table_ends_the_hand(clause, played, facts, what):
    """They hold a dad to the queen (20), we one to the jack: they score 162 and 20."""
    hand = spades("9C TC JC 9D AS KD", "TD JD QD 9S TS QC", "9H JH AH KC JS AD").announce(0, [meld("9C TC JC")])
    hand = play(hand, "9C").announce(1, [meld("TD JD QD")])
    while len(hand.cards) < played:
        for seat in (0, 1):
            if hand.to_act == seat and hand.played_by(seat) == 1:
                hand = hand.show(seat, hand.announced[seat])
        hand = hand.play(hand.to_act, hand.legal_plays().bit_length() - 1)
    assert hand.announced_best == "they"
    melds = {"we": 0, "they": 20}
    claim = claim_at(hand, clause, offender=0, caller=1, **facts)
    assert claim.trick == played // 4 + 1 and claim.cards_by_caller == hand.played_by(1)
    assert settle([claim], melds) == HandScore(0, 182)
    late = claim_at(hand, clause, offender=0, caller=1, last_trick_turned=True, **facts)
    assert settle([late], melds) is None


def test_a_challenge_that_is_not_proven_ends_the_hand_for_the_challengers():
    """S0, in a hand: seat 0 was out of clubs and trumped; they had the tricks turned over to see a club, in vain."""
    hand = spades("9C TS JD 9D AS KD", "TD TC QD 9S JS QC", "9H JH AH KC JC AD")
    hand = play(hand, "9C TC KC AC")
    assert hand.leaders[-1] == 3 and not hand.held(0) & cards("TC JC QC KC AC")
    hand = play(hand, "KH AS")
    claim = claim_at(hand, "trump-in", offender=0, caller=1, proven=False, reviewed=True)
    assert rule_on(claim).offender == "they"
    assert settle([claim], {"we": 20, "they": 50}) == HandScore(182, 0)


def test_every_clause_has_its_hand():
    assert {d[0] for d in DEEDS} | {a[0] for a in AT_THE_TABLE} | {"unproven"} == set(CLAUSES)


def test_unknown_clause_and_own_side_are_refused():
    with pytest.raises(RuleError, match="No renege 'cheating'"):
        rule_on(Claim("cheating", 0, 1, 2))
    with pytest.raises(RuleError, match="own side"):
        rule_on(Claim("turn", 0, 2, 2))
    for offender, caller, trick in ((7, 0, 2), (1, -2, 2), (1, 0, 7)):
        with pytest.raises(RuleError, match="Seats are 0 to 3 and tricks 1 to 6"):
            rule_on(Claim("turn", offender, caller, trick))
