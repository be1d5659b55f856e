"""Every rule of the plain engine (card by card), altered one at a time: the referee must name it.

Beside test_altered_engine.py: what the simulator's arrays and the plain engine share in words they have twice in code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from alterations import (
    FAIR,
    FOURS,
    FULL_OF_MELDS,
    KIND,
    ORDERS,
    PLAY_RULES,
    SIXES,
    TWO_FOURS,
    Patch,
    altered,
    exchanged,
    raised,
    rules_broken,
)
from packs import played_plainly

from scanner.rules import hand as engine
from scanner.rules import melds, play, score
from scanner.rules.cards import RANKS, suit_of
from scanner.rules.deal import Deal, side_of
from scanner.rules.hand import Call, Hand
from scanner.rules.score import HandScore

SIDES = ("we", "they")

# --- cards and play --------------------------------------------------------------------------------------------------


def order_of(ranks: str, of_trump: bool, patch: Patch) -> None:
    strength = exchanged(play.STRENGTH, ranks, of_trump)
    patch.setattr(play, "STRENGTH", strength)
    higher = [
        [sum(1 << c for c in range(6 * trump, 6 * trump + 6) if row[c] > row[than]) for than in range(24)]
        for trump, row in enumerate(strength)
    ]
    patch.setattr(play, "HIGHER", higher)


def points_of(rank: str, of_trump: bool, patch: Patch) -> None:
    patch.setattr(score, "POINTS", raised(score.POINTS, rank, of_trump))


def legal(change: Callable[..., int]) -> Callable[[Patch], None]:
    """`change(hand, follow, trumps, over, trump_led)`, all masks, says what may be played when one does not lead."""

    def legal_plays(hand: int, trick: tuple[int, ...], trump: int) -> int:
        if not trick:
            return hand
        follow, trumps = (hand & play.SUIT_MASKS[suit] for suit in (suit_of(trick[0]), trump))
        highest = play.highest_trump(trick, trump)
        over = trumps if highest is None else trumps & play.HIGHER[trump][highest]
        return change(hand, follow, trumps, over, suit_of(trick[0]) == trump)

    return lambda patch: patch.setattr(play, "legal_plays", legal_plays)


def as_it_should(hand, follow, trumps, over, trump_led):
    return (over if trump_led else follow) or over or trumps or hand


def no_following(hand, follow, trumps, over, trump_led):
    return hand


def no_trumping_in(hand, follow, trumps, over, trump_led):
    return (over or trumps or hand) if trump_led else (follow or hand)


def no_overtrumping(hand, follow, trumps, over, trump_led):
    return (over or trumps or hand) if trump_led else (follow or trumps or hand)


def no_beating_a_trump_lead(hand, follow, trumps, over, trump_led):
    return follow or over or trumps or hand


def no_trump_that_cannot_beat(hand, follow, trumps, over, trump_led):
    return (over or trumps or hand) if trump_led else (follow or over or hand)


def winner(change: Callable[..., int], *modules: object) -> Callable[[Patch], None]:
    def alter(patch: Patch) -> None:
        for module in modules:
            patch.setattr(module, "trick_winner", change)

    return alter


def highest_of_suit_led(trick, trump):
    led = suit_of(trick[0])
    return max(range(4), key=lambda i: play.STRENGTH[trump][trick[i]] if suit_of(trick[i]) == led else -1)


def highest_of_any_suit(trick, trump):
    return max(range(4), key=lambda i: play.STRENGTH[trump][trick[i]])


def last_trump(trick, trump):
    trumps = [i for i in range(4) if suit_of(trick[i]) == trump]
    return trumps[-1] if trumps else highest_of_suit_led(trick, trump)


def partner_of_the_winner(trick, trump, right=play.trick_winner):
    return (right(trick, trump) + 2) % 4


def dealer_first(patch: Patch) -> None:
    patch.setattr(Deal, "first", property(lambda deal: deal.dealer))


# --- bidding ---------------------------------------------------------------------------------------------------------


def offered(change: Callable[[Hand], list[int]]) -> Callable[[Patch], None]:
    """`change(hand)` gives the suits that may be called now; a pass always may."""

    def legal_calls(hand: Hand) -> tuple[Call, ...]:
        return (Call(hand.to_act), *(Call(hand.to_act, suit) for suit in change(hand)))

    return lambda patch: patch.setattr(Hand, "legal_calls", legal_calls)


def held_suits(hand: Hand) -> list[int]:
    return [suit for suit in range(4) if hand.deal.hands[hand.to_act] & play.SUIT_MASKS[suit]]


def turned_suit_always(hand: Hand) -> list[int]:
    return [suit for suit in held_suits(hand) if suit == suit_of(hand.deal.turned)]


def with_or_without_a_card(hand: Hand) -> list[int]:
    turned = suit_of(hand.deal.turned)
    return [suit for suit in range(4) if (suit == turned) == (len(hand.calls) < 4)]


def one_round_only(patch: Patch) -> None:
    patch.setattr(Hand, "all_passed", property(lambda hand: len(hand.calls) == 4 and hand.trump is None))


# --- melds -----------------------------------------------------------------------------------------------------------


def melds_with(change: Callable[[melds.Meld], melds.Meld]) -> Callable[[Patch], None]:
    """Every meld of the pack is changed, before anybody looks for the best ones."""

    def alter(patch: Patch) -> None:
        patch.setattr(melds, "ALL_MELDS", tuple(map(change, melds.ALL_MELDS)))
        patch.setattr(engine, "best_melds", melds.best_melds.__wrapped__)  # past the cache

    return alter


def sequence_points(length: int, points: int) -> Callable[[Patch], None]:
    right = [m for m in melds.SEQUENCES if m.cards.bit_count() == length]
    return melds_with(lambda m: replace(m, points=points) if m in right else m)


def four_points(rank: str, points: int) -> Callable[[Patch], None]:
    four = melds.FOURS[RANKS.index(rank)]
    return melds_with(lambda m: replace(m, points=points) if m == four else m)


def fours_exchanged(ranks: str) -> Callable[[Patch], None]:
    one, other = (melds.FOURS[RANKS.index(rank)] for rank in ranks)
    orders = {one: other.order, other: one.order}
    return melds_with(lambda m: replace(m, order=orders.get(m, m.order)))


def fours_below_sequences(meld: melds.Meld) -> melds.Meld:
    return replace(meld, order=(0, meld.order[1])) if meld.suit is None else meld


def shorter_sequences_win(meld: melds.Meld) -> melds.Meld:
    return meld if meld.suit is None else replace(meld, order=(6 - meld.order[0], meld.order[1]))


def top_card_decides_nothing(meld: melds.Meld) -> melds.Meld:
    return meld if meld.suit is None else replace(meld, order=(meld.order[0], 0))


def six_above_five(meld: melds.Meld) -> melds.Meld:
    return replace(meld, order=(5, 9)) if meld.cards.bit_count() == 6 else meld


def one_meld_a_hand(patch: Patch) -> None:
    right = engine.best_melds
    patch.setattr(engine, "best_melds", lambda *args: right(*args)[:1])


def a_card_in_two_melds(patch: Patch) -> None:
    patch.setattr(engine, "best_melds", lambda hand, four_tens: tuple(melds.melds_in(hand, four_tens)))
    patch.setattr(Hand, "_refuse_bad_melds", lambda *args: None)


def trump_breaks_no_tie(patch: Patch) -> None:
    patch.setattr(melds, "rank_key", lambda meld, trump: (*meld.order, False))


def counted(change: Callable[..., dict[str, int]]) -> Callable[[Patch], None]:
    """`change(all melds by side, side with the best or None, sides with bell)` gives the meld points."""

    def table_melds(shown, bells, trump):
        mine = {side: [m for seat, ms in shown.items() if side_of(seat) == side for m in ms] for side in SIDES}
        best = score.best_team(mine["we"], mine["they"], trump)
        total = {side: melds.meld_points(mine[side]) for side in SIDES}
        return change(total, best, {side: 20 * (side in map(side_of, bells)) for side in SIDES})

    return lambda patch: patch.setattr(engine, "table_melds", table_melds)


def melds_as_they_should(total, best, bells):
    return {side: total[side] * (side == best) + bells[side] for side in SIDES}


def both_sides_score(total, best, bells):
    return {side: total[side] + bells[side] for side in SIDES}


def a_tie_scores_for_both(total, best, bells):
    return {side: total[side] * (best in (side, None)) + bells[side] for side in SIDES}


def losers_score(total, best, bells):
    return {side: total[side] * (side != best) + bells[side] for side in SIDES}


def no_bell(total, best, bells):
    return {side: total[side] * (side == best) for side in SIDES}


def bell_with_the_winners_only(total, best, bells):
    return {side: (total[side] * (side == best) + bells[side]) * (best in (side, None)) for side in SIDES}


def bell_to_the_others(total, best, bells):
    return {"we": total["we"] * (best == "we") + bells["they"], "they": total["they"] * (best == "they") + bells["we"]}


# --- score -----------------------------------------------------------------------------------------------------------


def scored(change: Callable[..., tuple[bool, int, int]]) -> Callable[[Patch], None]:
    """`change(tricks, meld of the makers and of the others)` says (made, points of makers and others if set)."""

    def score_hand(tricks, counted_melds, makers):
        others = score.opponents(makers)
        total = {side: tricks[side] + counted_melds[side] for side in SIDES}
        made, mine, theirs = change(tricks[makers], counted_melds[makers], tricks[others], counted_melds[others])
        points = total if made else {makers: mine, others: theirs}
        return HandScore(points["we"], points["they"], None if made else makers)

    return lambda patch: patch.setattr(engine, "score_hand", score_hand)


SCORE = "set points"
IN_PLAIN = [
    *(altered(f"{KIND[t]} {r} exchanged", partial(order_of, r, t), PLAY_RULES) for r, t in ORDERS),
    *(altered(f"{KIND[t]} {r} counts more", partial(points_of, r, t), "trick_points") for t in KIND for r in RANKS),
    altered("no ten for the last trick", lambda patch: patch.setattr(score, "LAST_TRICK", 0), "trick_points"),
    altered("no duty to follow", legal(no_following), "follow"),
    altered("no duty to trump", legal(no_trumping_in), "trump"),
    altered("no duty to overtrump", legal(no_overtrumping), "overtrump"),
    altered("a trump lead need not be beaten", legal(no_beating_a_trump_lead), "beat_trump_lead"),
    altered("no trump that cannot beat", legal(no_trump_that_cannot_beat), "trump"),
    altered("trump wins nothing", winner(highest_of_suit_led, play, score), "leader"),
    altered("any suit wins", winner(highest_of_any_suit, play, score), "leader"),
    altered("the last trump wins", winner(last_trump, play, score), "leader"),
    altered("the winner's partner leads", winner(partner_of_the_winner, play), "leader"),
    altered("the highest of the suit led scores", winner(highest_of_suit_led, score), "trick_points"),
    altered("the dealer bids first", dealer_first, "bid_turn"),
    altered("the dealer leads", dealer_first, "leader"),
    altered("any suit in round one", offered(held_suits), "first_round_suit"),
    altered("the turned suit in round two", offered(turned_suit_always), "second_round_suit"),
    altered("calling without a card", offered(with_or_without_a_card), "call_without_card"),
    altered("one round of bidding", one_round_only, "bid_rounds"),
    *(
        altered(f"{points} for a sequence of {n}", sequence_points(n, points), "meld_points", packs)
        for packs, n, points in zip([FULL_OF_MELDS] * 3 + [SIXES], (3, 4, 5, 6), (30, 40, 50, 120), strict=True)
    ),
    altered("the mules count 100", four_points("J", 100), "meld_points", FOURS),
    *(altered(f"200 for four {r}", four_points(r, 200), "meld_points", FOURS) for r in "9ATKQ"),
    *(
        altered(f"four {r} exchanged", fours_exchanged(r), "meld_points", TWO_FOURS)
        for r in ("J9", "9A", "AT", "TK", "KQ")
    ),
    altered("fours below sequences", melds_with(fours_below_sequences), "meld_points", FOURS),
    altered("shorter sequences win", melds_with(shorter_sequences_win), "meld_points", FULL_OF_MELDS),
    altered("the top card decides nothing", melds_with(top_card_decides_nothing), "meld_points", FULL_OF_MELDS),
    altered("six above five", melds_with(six_above_five), "meld_points", SIXES),
    altered("one meld a hand", one_meld_a_hand, "meld_points", FULL_OF_MELDS),
    altered("a card in two melds", a_card_in_two_melds, "meld_points", FULL_OF_MELDS),
    altered("trump breaks no tie", trump_breaks_no_tie, "meld_points", FULL_OF_MELDS),
    altered("bell of ten", lambda patch: patch.setattr(score, "BELL_POINTS", 10), "meld_points"),
    *(
        altered(change.__name__, counted(change), "meld_points", FULL_OF_MELDS)
        for change in (
            both_sides_score,
            a_tie_scores_for_both,
            losers_score,
            no_bell,
            bell_with_the_winners_only,
            bell_to_the_others,
        )
    ),
    altered("equal is made", scored(lambda t, m, ot, om: (t + m >= ot + om, 0, ot + om)), SCORE),
    altered("meld does not help to make it", scored(lambda t, m, ot, om: (t > ot, 0, ot + om)), SCORE),
    altered("nobody is ever set", scored(lambda t, m, ot, om: (True, 0, 0)), SCORE),
    altered("a set side keeps its tricks", scored(lambda t, m, ot, om: (t + m > ot + om, t, ot + om)), SCORE),
    altered("a set side keeps its meld", scored(lambda t, m, ot, om: (t + m > ot + om, m, ot + om)), SCORE),
    altered("162 against a set side", scored(lambda t, m, ot, om: (t + m > ot + om, 0, 162 + om)), SCORE),
    altered("a set takes the others' meld too", scored(lambda t, m, ot, om: (t + m > ot + om, 0, ot)), SCORE),
]


@pytest.mark.parametrize("rule", IN_PLAIN, ids=str)
def test_the_referee_notices(rule, monkeypatch):
    rule.alter(monkeypatch)
    assert rules_broken(played_plainly(rule.packs), rule.rules) & rule.rules


@pytest.mark.parametrize(
    "change",
    [
        legal(as_it_should),
        winner(play.trick_winner, play, score),
        melds_with(lambda meld: meld),
        counted(melds_as_they_should),
        scored(lambda t, m, ot, om: (t + m > ot + om, 0, ot + om)),
    ],
    ids=["legal plays", "winner", "melds", "meld points", "score"],
)
def test_the_means_of_altering_alter_nothing_themselves(change, monkeypatch):
    change(monkeypatch)
    assert rules_broken(played_plainly(FAIR[:40] + FULL_OF_MELDS[:80])) == set()


def test_nothing_altered_is_right():
    assert rules_broken(played_plainly(TWO_FOURS + SIXES[:40])) == set()
