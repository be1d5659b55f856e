"""Every rule of the engine on arrays (what the simulator runs), altered one at a time: the referee must name it.

The same deals played by the engine nobody touched are right. test_altered_plain_engine.py does the same card by card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np
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
from packs import simulated

from scanner.rules import bidding, melds, simulate, vector
from scanner.rules.cards import RANKS, suit_of

# --- cards and play --------------------------------------------------------------------------------------------


def order_on_arrays(ranks: str, of_trump: bool, patch: Patch) -> None:
    table = np.array(exchanged(vector.STRENGTH_TABLE.tolist(), ranks, of_trump), np.int8)
    patch.setattr(vector, "STRENGTH_TABLE", table)


def points_on_arrays(rank: str, of_trump: bool, patch: Patch) -> None:
    patch.setattr(vector, "POINT_TABLE", np.array(raised(vector.POINT_TABLE.tolist(), rank, of_trump), np.int16))


def legal_on_arrays(change: Callable, patch: Patch) -> None:
    """`change(held, follow, trumps, over, led_is_trump)` says what may be played when one does not lead."""

    def legal(cards, held, led, trump, highest):
        if led is None:
            return held
        suits = vector.SUIT_TABLE[cards]
        follow, trumps = held & (suits == led[:, None]), held & (suits == trump[:, None])
        over = trumps & (vector.STRENGTH_TABLE[trump[:, None], cards] > highest[:, None])
        return change(held, follow, trumps, over, (led == trump)[:, None])

    patch.setattr(vector, "legal", legal)


def first_of(*choices: np.ndarray) -> np.ndarray:
    """For every hand the first choice that has a card."""
    allowed = choices[-1]
    for choice in reversed(choices[:-1]):
        allowed = np.where(choice.any(1)[:, None], choice, allowed)
    return allowed


def no_following(held, follow, trumps, over, trump_led):
    return held


def no_trumping_in(held, follow, trumps, over, trump_led):
    return np.where(trump_led, first_of(over, trumps, held), first_of(follow, held))


def no_overtrumping(held, follow, trumps, over, trump_led):
    return np.where(trump_led, first_of(over, trumps, held), first_of(follow, trumps, held))


def no_beating_a_trump_lead(held, follow, trumps, over, trump_led):
    return np.where(trump_led, first_of(follow, held), first_of(follow, over, trumps, held))


def no_trump_that_cannot_beat(held, follow, trumps, over, trump_led):
    return np.where(trump_led, first_of(over, trumps, held), first_of(follow, over, held))


def trumping_before_following(held, follow, trumps, over, trump_led):
    return first_of(over, trumps, follow, held)


def instead(module: object, name: str, change: Callable) -> Callable[[Patch], None]:
    """An alteration that hands the result and the arguments of a function to `change(result, *arguments)`."""

    def alter(patch: Patch) -> None:
        right = getattr(module, name)
        patch.setattr(module, name, lambda *args, **more: change(right(*args, **more), *args))

    return alter


def trump_wins_nothing(strength, cards, led, trump):
    return np.where(vector.SUIT_TABLE[cards] == led[:, None], strength, np.int8(-1))


def any_suit_wins(strength, cards, led, trump):
    return vector.STRENGTH_TABLE[trump[:, None], cards]


def partner_leads(patch: Patch) -> None:
    def put_down(right, table, played, seat, rows):
        right(table, played, seat, rows)
        if table.position == 3:
            table.winner = (table.winner + 2) % 4

    patch.setattr(simulate, "_put_down", partial(put_down, simulate._put_down))


def dealer_leads(patch: Patch) -> None:
    right = simulate.play_cards

    def play_cards(cards, trump, maker, leader, *more):
        return right(cards, trump, maker, (leader + 3) % 4, *more)

    patch.setattr(simulate, "play_cards", play_cards)


def dealer_bids_first(patch: Patch) -> None:
    right = simulate._record
    patch.setattr(
        simulate, "_record", lambda dealer, *more: with_bids_moved(right(dealer, *more), 3)
    )


def with_bids_moved(game: dict, seats: int) -> dict:
    for bid in game["bids"]:
        bid["seat"] = (bid["seat"] + seats) % 4
    return game


def other_bidding(change: Callable) -> Callable[[Patch], None]:
    return instead(simulate, "bid", change)


def another_suit_in_round_one(result, by_turn, dealer, noise, players):
    maker, trump, calls = result
    return maker, np.where((maker >= 0) & (calls <= 4), (trump + 1) % 4, trump), calls


def the_turned_suit_in_round_two(result, by_turn, dealer, noise, players):
    maker, trump, calls = result
    return maker, np.where((maker >= 0) & (calls > 4), suit_of(by_turn[:, 3, 5]), trump), calls


def one_round_only(result, by_turn, dealer, noise, players):
    maker, trump, calls = result
    late = calls > 4
    return np.where(late, -1, maker), np.where(late, -1, trump), np.minimum(calls, 4)


def call_with_or_without(result, cards, turn, turned, noise, blur):
    return np.full(len(cards), np.inf), turned if turn < 4 else (turned + 1) % 4


def meld_tables(patch: Patch, sequences: Iterable[melds.Meld]) -> None:
    patch.setattr(vector, "SEQUENCES", tuple(sequences))
    points, orders = vector._sequence_tables()
    patch.setattr(vector, "_SEQUENCE_POINTS", points)
    patch.setattr(vector, "_SEQUENCE_ORDERS", orders)


def sequence_points(length: int, points: int, patch: Patch) -> None:
    meld_tables(
        patch, (replace(m, points=points) if m.cards.bit_count() == length else m for m in vector.SEQUENCES)
    )


def six_above_five(patch: Patch) -> None:
    meld_tables(patch, (replace(m, order=(5, 6)) if m.cards.bit_count() == 6 else m for m in vector.SEQUENCES))


def no_top_card(patch: Patch) -> None:
    meld_tables(patch, (replace(m, order=(m.order[0], 0)) for m in vector.SEQUENCES))


def low_card_wins(patch: Patch) -> None:
    meld_tables(patch, (replace(m, order=(m.order[0], 6 - m.order[1])) for m in vector.SEQUENCES))


def lengths_upside_down(patch: Patch) -> None:
    """A dad beats a fifty, a fifty a hundred: whichever is longest in the hand."""
    right = vector.hand_melds

    def hand_melds(*args):
        points, orders = right(*args)
        return points, np.where((orders > 0) & (orders < 72), 72 - orders, orders)  # 72: twice six times six, a four

    patch.setattr(vector, "hand_melds", hand_melds)


def four_points(rank: str, points: int, patch: Patch) -> None:
    patch.setattr(
        vector, "FOURS", [replace(m, points=points) if m == four_of(rank) else m for m in vector.FOURS]
    )


def fours_exchanged(ranks: str, patch: Patch) -> None:
    one, other = map(four_of, ranks)
    orders = {one: other.order, other: one.order}
    patch.setattr(vector, "FOURS", [replace(m, order=orders.get(m, m.order)) for m in vector.FOURS])


def fours_below_sequences(patch: Patch) -> None:
    patch.setattr(vector, "FOURS", [replace(m, order=(0, m.order[1] + 1)) for m in vector.FOURS])


def four_of(rank: str) -> melds.Meld:
    return melds.FOURS[RANKS.index(rank)]


def no_trump_tie_break(patch: Patch) -> None:
    right = vector.hand_melds
    patch.setattr(vector, "hand_melds", lambda *args: (right(*args)[0], right(*args)[1] // 2 * 2))


def a_card_in_two_melds(patch: Patch) -> None:
    right = vector.hand_melds

    def hand_melds(hands, trump, four_tens=True):
        patterns = np.stack([(hands >> np.uint32(6 * s)) & np.uint32(63) for s in range(4)], axis=-1)
        points, orders = right(hands, trump, four_tens)
        sequences = vector._SEQUENCE_POINTS[patterns].sum(-1)
        return np.where(orders >= 72, points + sequences, points), orders

    patch.setattr(vector, "hand_melds", hand_melds)


def one_meld_a_hand(patch: Patch) -> None:
    right = vector.hand_melds

    def hand_melds(hands, trump, four_tens=True):
        points, orders = right(hands, trump, four_tens)
        return np.where(points == 40, 20, points), orders  # two dads

    patch.setattr(vector, "hand_melds", hand_melds)


def melds_counted(count: Callable, patch: Patch) -> None:
    """`count(points, ranks, bells)`, each by seat, gives the meld points of both sides."""

    def side_melds(hands, trump, four_tens=True):
        points, ranks = vector.hand_melds(hands, trump, four_tens)
        pair = vector.BELL_TABLE[trump][:, None]
        return count(points.astype(int), ranks, 20 * ((hands & pair) == pair)).astype(np.int16)

    patch.setattr(vector, "side_melds", side_melds)


def sides(values: np.ndarray, join: Callable = np.add) -> np.ndarray:
    return np.stack([join(values[:, 0], values[:, 2]), join(values[:, 1], values[:, 3])], axis=1)


def wins(ranks: np.ndarray) -> np.ndarray:
    best = sides(ranks, np.maximum)
    return best > best[:, ::-1]


def as_it_should(points, ranks, bells):
    return sides(points) * wins(ranks) + sides(bells)


def both_sides_score(points, ranks, bells):
    return sides(points) + sides(bells)


def a_tie_scores_for_both(points, ranks, bells):
    return sides(points) * ~wins(ranks)[:, ::-1] + sides(bells)


def losers_score(points, ranks, bells):
    return sides(points) * wins(ranks)[:, ::-1] + sides(bells)


def most_points_win(points, ranks, bells):
    total = sides(points)
    return total * (total > total[:, ::-1]) + sides(bells)


def the_partner_scores_nothing(points, ranks, bells):
    return sides(np.where(ranks == ranks.max(1)[:, None], points, 0)) * wins(ranks) + sides(bells)


def no_bell(points, ranks, bells):
    return sides(points) * wins(ranks)


def bell_with_the_winners_only(points, ranks, bells):
    nobody = ~wins(ranks).any(1)[:, None]
    return sides(points) * wins(ranks) + sides(bells) * (wins(ranks) | nobody)


def bell_beside_no_other_meld(points, ranks, bells):
    return sides(points) * wins(ranks) + sides(np.where(points > 0, 0, bells))


def bell_to_the_others(points, ranks, bells):
    return sides(points) * wins(ranks) + sides(bells)[:, ::-1]


def bell_of_ten(points, ranks, bells):
    return sides(points) * wins(ranks) + sides(bells) // 2


def score_with(
    tricks, counted, maker, *, equal_makes=False, melds_decide=True, makers_keep=None, others_get=None, always=False
):
    """The score of hands on arrays with one rule of it open."""
    rows, total = np.arange(len(tricks)), tricks + counted
    compared = total if melds_decide else tricks
    mine, theirs = compared[rows, maker], compared[rows, 1 - maker]
    failed = (mine < theirs if equal_makes else mine <= theirs) & (not always)
    points = total.copy()
    kept = makers_keep(tricks, counted)[rows, maker] if makers_keep else 0
    points[rows[failed], maker[failed]] = np.broadcast_to(kept, len(rows))[failed]
    if others_get is not None:
        points[rows[failed], 1 - maker[failed]] = others_get(tricks, counted)[rows, 1 - maker][failed]
    return points, np.where(failed, maker, -1)


def score_on_arrays(**change) -> Callable[[Patch], None]:
    return lambda patch: patch.setattr(vector, "score", partial(score_with, **change))


SCORE = "set points"
ON_ARRAYS = [
    *(altered(f"{KIND[t]} {r} exchanged", partial(order_on_arrays, r, t), PLAY_RULES) for r, t in ORDERS),
    *(
        altered(f"{KIND[t]} {r} counts more", partial(points_on_arrays, r, t), "trick_points")
        for t in KIND
        for r in RANKS
    ),
    altered("no ten for the last trick", lambda patch: patch.setattr(simulate, "LAST_TRICK", 0), "trick_points"),
    altered("no duty to follow", partial(legal_on_arrays, no_following), "follow"),
    altered("no duty to trump", partial(legal_on_arrays, no_trumping_in), "trump"),
    altered("no duty to overtrump", partial(legal_on_arrays, no_overtrumping), "overtrump"),
    altered("a trump lead need not be beaten", partial(legal_on_arrays, no_beating_a_trump_lead), "beat_trump_lead"),
    altered("no trump that cannot beat", partial(legal_on_arrays, no_trump_that_cannot_beat), "trump"),
    altered("trumping comes before following", partial(legal_on_arrays, trumping_before_following), "follow"),
    altered("trump wins nothing", instead(vector, "trick_strength", trump_wins_nothing), "leader"),
    altered("any suit wins", instead(vector, "trick_strength", any_suit_wins), "leader"),
    altered("the winner's partner leads", partner_leads, "leader"),
    altered("the dealer leads", dealer_leads, "leader"),
    altered("the dealer bids first", dealer_bids_first, "bid_turn"),
    altered("another suit in round one", other_bidding(another_suit_in_round_one), "first_round_suit"),
    altered("the turned suit in round two", other_bidding(the_turned_suit_in_round_two), "second_round_suit"),
    altered("one round of bidding", other_bidding(one_round_only), "bid_rounds"),
    altered("calling without a card", instead(bidding, "_best_call", call_with_or_without), "call_without_card"),
    *(
        altered(f"{points} for a sequence of {n}", partial(sequence_points, n, points), "meld_points", packs)
        for packs, n, points in zip([FULL_OF_MELDS] * 3 + [SIXES], (3, 4, 5, 6), (30, 40, 50, 120), strict=True)
    ),
    altered("six above five", six_above_five, "meld_points", SIXES),
    altered("the mules count 100", partial(four_points, "J", 100), "meld_points", FOURS),
    *(altered(f"200 for four {r}", partial(four_points, r, 200), "meld_points", FOURS) for r in "9ATKQ"),
    *(
        altered(f"four {r} exchanged", partial(fours_exchanged, r), "meld_points", TWO_FOURS)
        for r in ("J9", "9A", "AT", "TK", "KQ")
    ),
    altered("fours below sequences", fours_below_sequences, "meld_points", FULL_OF_MELDS),
    altered("shorter sequences win", lengths_upside_down, "meld_points", FULL_OF_MELDS),
    altered("the top card decides nothing", no_top_card, "meld_points", FULL_OF_MELDS),
    altered("the lower card wins", low_card_wins, "meld_points", FULL_OF_MELDS),
    altered("a card in two melds", a_card_in_two_melds, "meld_points", FULL_OF_MELDS),
    altered("one meld a hand", one_meld_a_hand, "meld_points", FULL_OF_MELDS),
    altered("trump breaks no tie", no_trump_tie_break, "meld_points", FULL_OF_MELDS),
    *(
        altered(count.__name__, partial(melds_counted, count), "meld_points", FULL_OF_MELDS)
        for count in (
            both_sides_score,
            a_tie_scores_for_both,
            losers_score,
            most_points_win,
            the_partner_scores_nothing,
            no_bell,
            bell_with_the_winners_only,
            bell_beside_no_other_meld,
            bell_to_the_others,
            bell_of_ten,
        )
    ),
    altered("equal is made", score_on_arrays(equal_makes=True), SCORE),
    altered("meld does not help to make it", score_on_arrays(melds_decide=False), SCORE),
    altered("nobody is ever set", score_on_arrays(always=True), SCORE),
    altered("a set side keeps its tricks", score_on_arrays(makers_keep=lambda tricks, counted: tricks), SCORE),
    altered("a set side keeps its meld", score_on_arrays(makers_keep=lambda tricks, counted: counted), SCORE),
    altered("162 against a set side", score_on_arrays(others_get=lambda tricks, counted: 162 + counted), SCORE),
    altered("a set takes the others' meld too", score_on_arrays(others_get=lambda tricks, counted: tricks), SCORE),
]


@pytest.mark.parametrize("rule", ON_ARRAYS, ids=str)
def test_the_referee_notices_on_arrays(rule, monkeypatch):
    rule.alter(monkeypatch)
    assert rules_broken(simulated(rule.packs), rule.rules) & rule.rules


def legal_as_it_should(held, follow, trumps, over, trump_led):
    return np.where(trump_led, first_of(over, trumps, held), first_of(follow, over, trumps, held))


@pytest.mark.parametrize(
    "change",
    [
        partial(melds_counted, as_it_should),
        score_on_arrays(),
        partial(legal_on_arrays, legal_as_it_should),
        partial(meld_tables, sequences=vector.SEQUENCES),
    ],
    ids=["melds", "score", "legal plays", "tables"],
)
def test_the_means_of_altering_alter_nothing_themselves(change, monkeypatch):
    change(monkeypatch)
    assert rules_broken(simulated(FAIR[:300])) == set()
    assert rules_broken(simulated(FULL_OF_MELDS[:300])) == set()


def test_nothing_altered_is_right():
    assert rules_broken(simulated(FAIR[:1000])) == set()
    assert rules_broken(simulated(TWO_FOURS + SIXES)) == set()
