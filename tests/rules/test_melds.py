"""Melds by hand-worked examples. S0: encyclopedia article and handout of 2019; S1: card-game site; S2: in Russian."""

from __future__ import annotations

import random

import naive
import pytest
from rule_tools import cards, meld

from scanner.rules.cards import NAMES, SUITS, members
from scanner.rules.melds import (
    ALL_MELDS,
    best_melds,
    best_team,
    has_bell,
    meld_name,
    meld_of,
    meld_points,
    rank_key,
)

# (hand, melds it scores best with, their points, source)
HANDS = [
    ("JC JD JH JS 9C AD", ["JC JD JH JS"], 200, "S1: four jacks, the mule"),
    ("9C 9D 9H 9S JC AD", ["9C 9D 9H 9S"], 100, "S1: four nines"),
    ("AC AD AH AS JC 9D", ["AC AD AH AS"], 100, "S1: four aces"),
    ("TC TD TH TS JC 9D", ["TC TD TH TS"], 100, "S1: four tens; S0 leaves them out"),
    ("KC KD KH KS JC 9D", ["KC KD KH KS"], 100, "S1: four kings"),
    ("QC QD QH QS JC 9D", ["QC QD QH QS"], 100, "S1: four queens"),
    ("9H TH JH QH KH AC", ["9H TH JH QH KH"], 100, "S1: sequence of five"),
    ("9H TH JH QH KH AH", ["9H TH JH QH KH AH"], 100, "S0: the sixth card offers no additional points"),
    ("TH JH QH KH 9C AC", ["TH JH QH KH"], 50, "S1: fifty"),
    ("9S TS JS KS AC 9C", ["9S TS JS"], 20, "S1: dad"),
    ("QC KC AC 9D TD JD", ["QC KC AC", "9D TD JD"], 40, "S0: all their melds"),
    ("QC QD QH QS JC TC", ["QC QD QH QS"], 100, "S1: four queens only, not the dad"),
    ("9S TS QS KS AC 9C", [], 0, "no three in sequence"),
]


@pytest.mark.parametrize(("hand", "melds", "points", "source"), HANDS, ids=[h[3] for h in HANDS])
def test_hand_scores_best_with(hand, melds, points, source):
    best = best_melds(cards(hand))
    assert [str(m) for m in best] == melds
    assert meld_points(best) == points


def test_four_tens_count_unless_the_house_leaves_them_out():
    assert best_melds(cards("TC TD TH TS JC 9D"), four_tens=False) == ()
    assert best_melds(cards("TC JC QC TD TH TS"), four_tens=False) == (meld("TC JC QC"),)


def test_forty_dollar_dad_is_a_dad_and_bell():
    """S0: a dad that contains bell, QKA or JQK of trump, is worth forty."""
    for hand in ("QS KS AS 9C TD JH", "JS QS KS 9C TD JH"):
        assert meld_points(best_melds(cards(hand))) == 20
        assert has_bell(cards(hand), trump=SUITS.index("S"))
        assert not has_bell(cards(hand), trump=SUITS.index("C"))


# Best first; each beats every one below it, with spades trump (S1's list, then equal lengths by top card, then trump).
RANKING = [
    "JC JD JH JS", "9C 9D 9H 9S", "AC AD AH AS", "TC TD TH TS", "KC KD KH KS", "QC QD QH QS",
    "TS JS QS KS AS", "TC JC QC KC AC", "9S TS JS QS KS", "9C TC JC QC KC",
    "JS QS KS AS", "JC QC KC AC", "TS JS QS KS", "TC JC QC KC", "9S TS JS QS", "9C TC JC QC",
    "QS KS AS", "QC KC AC", "JS QS KS", "JC QC KC", "TS JS QS", "TC JC QC", "9S TS JS", "9C TC JC",
]  # fmt: skip


def test_ranking_between_teams():
    trump = SUITS.index("S")
    keys = [rank_key(meld(m), trump) for m in RANKING]
    assert keys == sorted(keys, reverse=True) and len(set(keys)) == len(keys)
    for better, worse in zip(RANKING, RANKING[1:], strict=False):
        assert best_team([meld(better)], [meld(worse)], trump) == "we"
        assert best_team([meld(worse)], [meld(better)], trump) == "they"


def test_a_sequence_of_six_ranks_as_five_to_the_ace():
    trump = SUITS.index("S")
    six, five = meld("9C TC JC QC KC AC"), meld("TD JD QD KD AD")
    assert best_team([six], [five], trump) is None
    assert best_team([six], [meld("9D TD JD QD KD")], trump) == "we"


def test_equal_plain_sequences_give_neither_team_anything():
    """S0, S1: equal rank and length in non-trump suits, neither team scores for meld on that deal."""
    spades = SUITS.index("S")
    assert best_team([meld("9C TC JC")], [meld("9D TD JD")], spades) is None
    assert best_team([meld("9C TC JC"), meld("9H TH JH")], [meld("9D TD JD")], spades) is None
    assert best_team([meld("9S TS JS")], [meld("9D TD JD")], spades) == "we"  # trump settles it
    assert best_team([], [], spades) is None and best_team([], [meld("9D TD JD")], spades) == "they"


def test_only_the_best_meld_of_a_team_is_compared():
    hearts = SUITS.index("H")
    assert best_team([meld("9C TC JC"), meld("9S TS JS QS")], [meld("TD JD QD"), meld("JH QH KH")], hearts) == "we"


def test_names_players_use():
    assert [meld_name(meld(m)) for m in ("9C TC JC", "TD JD QD KD", "9S TS JS QS KS", "KC KD KH KS")] == [
        "dad in C", "fifty in D", "hundred in S", "four kings",
    ]  # fmt: skip
    assert meld_of(cards("9C TC")) is None and meld_of(cards("9C TC JD")) is None


def test_every_meld_of_the_pack_agrees_with_the_naive_list():
    ours = {(frozenset(NAMES[c] for c in members(m.cards)), m.points) for m in ALL_MELDS}
    assert ours == {(m[0], m[1]) for m in naive.MELDS}


def test_best_melds_of_random_hands_agree_with_trying_every_set():
    rng = random.Random(1)
    for _ in range(2000):
        names = rng.sample(naive.PACK, 6) if rng.random() < 0.5 else rng.sample(naive.PACK[:12], 6)
        ours = meld_points(best_melds(cards(" ".join(names))))
        assert ours == sum(m[1] for m in naive.hand_melds(set(names))), names
