"""The sums of a sheet as theorems: recomputed here by other roads, and compared with the figures of the rules."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import combinations

import naive
import pytest

from scanner.rules.arithmetic import (
    hand_possible,
    made_hands,
    meld_splits,
    possible_melds,
    possible_trick_points,
    renege_scores,
    set_scores,
    side_melds,
)
from scanner.rules.cards import HAND_POINTS, NAMES, POINTS

#: The figures of the rules: every total meld of a made hand.
MELD_FIGURES = {0, 20, 40, 50, 60, 70, 80, 90, 100, 110, 120, 140, 150, 160, 170, 200, 220, 240, 260, 300, 320}
#: One deal (seats 0 to 3) that shows each total, clubs trump.
DEALS = {
    0: "9C KC JD 9H KH JS / JC 9D KD JH 9S KS / TC AC QD TH AH QS / QC TD AD QH TS AS",
    20: "9C QC KC 9D KD JH / JC JD 9H KH TS KS / TC TD AD QH 9S QS / AC QD TH AH JS AS",
    40: "QC KC JD 9H KH TS / 9D KD JH AH JS KS / 9C TC JC AC QD TH / TD AD QH 9S QS AS",
    50: "KC JD 9H QH 9S QS / 9D KD TH KH TS KS / 9C TC JC QC AC QD / TD AD JH AH JS AS",
    60: "QC KC KD TH KH TS / AC AD JH AH JS KS / 9C TC JC 9D TD JD / QD 9H QH 9S QS AS",
    70: "9C TD AD QH 9S QS / AC QD TH KH TS KS / TC JC QC KC JD 9H / 9D KD JH AH JS AS",
    80: "9C TC JC QD 9H QH / KD TH KH 9S JS KS / QC KC AC 9D TD JD / AD JH AH TS QS AS",
    90: "9C TC JC AC 9H QH / KD TH KH 9S JS KS / QC KC 9D TD JD QD / AD JH AH TS QS AS",
    100: "9C KC 9H QH 9S QS / JC AC TH KH TS KS / TC 9D TD JD QD KD / QC AD JH AH JS AS",
    110: "TC JC QC KC QD QH / 9C KD KH 9S JS AS / 9D TD JD 9H TH JH / AC AD AH TS QS KS",
    120: "AC QD 9H QH 9S QS / TD KD TH KH TS KS / 9C TC JC QC KC 9D / JD AD JH AH JS AS",
    140: "9C TC JC AC TH AH / QC KC AD QH 9S JS / 9D TD JD QD KD JH / 9H KH TS QS KS AS",
    150: "9C TC JC QC 9H QH / AC TH KH 9S JS KS / KC 9D TD JD QD KD / AD JH AH TS QS AS",
    160: "9C TC JC QC KC KD / AC AD KH 9S JS KS / 9D TD JD 9H TH JH / QD QH AH TS QS AS",
    170: "TC JC QC KC 9H QH / AC TH KH 9S JS KS / 9C 9D TD JD QD KD / AD JH AH TS QS AS",
    200: "9C AC KD TH AH QS / QC TD AD QH 9S KS / TC JC 9D JD JH JS / KC QD 9H KH TS AS",
    220: "9C QC KC TD 9H KH / AC KD TH AH TS KS / TC JC JD QD JH JS / 9D AD QH 9S QS AS",
    240: "9C QC KC AC QD TH / 9D AD QH AH TS KS / TC JC JD KD JH JS / TD 9H KH 9S QS AS",
    260: "QC KC AC QD KD AD / TC 9H QH AH TS KS / 9C JC TD JD JH JS / 9D TH KH 9S QS AS",
    300: "9C TC 9D TD 9H 9S / KC KD TH KH TS KS / JC QC JD QD JH JS / AC AD QH AH QS AS",
    320: "9C QC KC 9D 9H 9S / AC KD TH KH TS KS / TC JC JD QD JH JS / TD AD QH AH QS AS",
}


def deal_of(text: str) -> dict[int, list[str]]:
    return {seat: hand.split() for seat, hand in enumerate(text.split(" / "))}


def test_card_points_are_152_and_a_hand_162_whatever_is_trump():
    for trump, suit in enumerate("CDHS"):
        assert list(POINTS[trump]) == [naive.card_points(name, suit) for name in NAMES]
        assert sum(POINTS[trump]) == 152
    assert HAND_POINTS == 162


def test_possible_melds_are_the_figures_of_the_rules():
    assert possible_melds() == MELD_FIGURES


@pytest.mark.parametrize("total", sorted(DEALS))
def test_a_whole_deal_shows_each_total(total):
    deal = deal_of(DEALS[total])
    assert sorted(c for hand in deal.values() for c in hand) == sorted(naive.PACK)
    assert sum(naive.meld_points(deal, "C").values()) == total


def test_no_other_total_by_trying_every_choice_of_melds():
    """Every pair of disjoint holdings of two partners, with bell wherever its cards have room."""
    bell, totals = frozenset({"KC", "QC"}), set()
    holdings = [(frozenset(), 0)] + [(m[0], m[1]) for m in naive.MELDS]
    pairs = [(a, b) for a, b in combinations(naive.MELDS, 2) if not a[0] & b[0] and len(a[0] | b[0]) <= 6]
    holdings += [(a[0] | b[0], a[1] + b[1]) for a, b in pairs]
    # A hand that could score more with the same cards would show that instead.
    holdings = [(cards, points) for cards, points in holdings if points == sum(m[1] for m in naive.hand_melds(cards))]
    for (a, pa), (b, pb) in [*combinations(holdings, 2), (holdings[0], holdings[0])]:
        if a & b:
            continue
        both_fixed = [h for h in (a, b) if bell <= h]
        if both_fixed:
            totals.add(pa + pb + 20)
            continue
        totals.add(pa + pb)
        free = not bell & (a | b)
        room = any(len(h | bell) <= 6 and not bell & other for h, other in ((a, b), (b, a)))
        if free or room:
            totals.add(pa + pb + 20)
    assert totals == MELD_FIGURES


def test_random_deals_never_leave_the_possible():
    rng = random.Random(5)
    pack, splits = list(naive.PACK), {(s.own, s.other) for s in meld_splits()}
    for _ in range(3000):
        rng.shuffle(pack)
        # Half of the deals from sorted blocks, so that long sequences and fours turn up.
        key = rng.randrange(2)
        cards = pack if rng.random() < 0.5 else sorted(naive.PACK, key=lambda c: (c[key], rng.random() < 0.1))
        points = naive.meld_points({s: cards[6 * s : 6 * s + 6] for s in range(4)}, rng.choice("CDHS"))
        pair = (points["we"], points["they"])
        assert pair in splits or pair[::-1] in splits


def test_trick_points_by_trying_every_count_of_cards():
    """Sums of n cards by sets of (count, sum), then tricks of four; only 1 and 161 cannot be."""
    sums = {(0, 0)}
    for name in naive.PACK:
        sums |= {(n + 1, s + naive.card_points(name, "C")) for n, s in sums}
    tricks = [(n, s) for n, s in sums if n % 4 == 0]
    points = {s for n, s in tricks if n < 24} | {s + 10 for n, s in tricks if n > 0}
    assert possible_trick_points() == points == set(range(163)) - {1, 161}


def test_made_hands_add_up_differ_and_are_alike_for_both_sides():
    for we, they in made_hands():
        assert we != they
        assert we + they - 162 in MELD_FIGURES
        assert (we + they) % 10 == 2
        assert (they, we) in made_hands()


def test_every_unequal_split_without_meld_is_a_made_hand():
    for we in set(range(163)) - {1, 81, 161}:
        assert (we, 162 - we) in made_hands()
    assert (1, 161) not in made_hands() and (81, 81) not in made_hands()


def test_a_side_at_zero_leaves_all_tricks_to_the_other():
    assert {b for a, b in made_hands() if a == 0} == {162 + m for m in side_melds()}


def test_the_mules_win_a_trick():
    """Four jacks hold the trump jack, and nothing beats it: with them 16 trick points are impossible, 20 are not."""
    assert (200 + 100 + 16, 146) not in made_hands()
    assert (200 + 100 + 20, 142) in made_hands()


def test_opposite_a_set_at_least_81():
    assert min(set_scores()) == 81 and 80 not in set_scores()
    assert max(set_scores()) == 162 + 320
    assert 161 in set_scores()  # 141 in tricks and bell
    assert 481 not in set_scores()  # needs 161 in tricks, or 319 of meld


def test_renege_scores_are_162_and_own_meld():
    assert min(renege_scores()) == 162 and {s - 162 for s in renege_scores()} == side_melds()
    assert {162, 182, 202, 212} <= renege_scores() and 192 not in renege_scores()


def test_hand_possible_on_rows_of_a_real_kind():
    assert hand_possible(92, 70) and hand_possible(70, 112) and hand_possible(0, 162)
    assert not hand_possible(92, 71) and not hand_possible(81, 81) and not hand_possible(101, 91)
    assert hand_possible(0, 81, "we") and hand_possible(92, 0, "they")
    assert not hand_possible(0, 79, "we") and not hand_possible(20, 92, "we")


def test_first_use_is_fast():
    """Import costs nothing to speak of, and all the enumeration takes under a second (generous for a busy machine)."""
    code = (
        "import time; t = time.process_time()\n"
        "from scanner.rules import arithmetic as a\n"
        "a.made_hands(); a.set_scores(); a.renege_scores(); a.possible_melds()\n"
        "print(time.process_time() - t)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(out) < 1.0
