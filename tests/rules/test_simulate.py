"""The simulator against the plain engine, its players against each other, and what is made from it."""

from __future__ import annotations

import json
import math
from itertools import islice

import numpy as np
import pytest
from rule_tools import a_deal

from scanner.rules import bidding, vector
from scanner.rules.arithmetic import hand_possible, made_hands, set_scores
from scanner.rules.deal import deal
from scanner.rules.errors import RuleError
from scanner.rules.expectation import expectation
from scanner.rules.league import Team, season_standings, season_teams, simulate_season
from scanner.rules.melds import best_melds, best_team, meld_points, rank_key
from scanner.rules.players import PLAYERS, Player, players_of
from scanner.rules.priors import hand_prior, make_prior, read_prior
from scanner.rules.record import faults, replay, to_record
from scanner.rules.score import Game
from scanner.rules.simulate import BATCH, play_deals, simulate_batch, simulate_hands

TABLES = [*PLAYERS, ["counting", "random"], ["random", "sensible", "beginner", "counting"]]


@pytest.mark.parametrize("players", TABLES, ids=str)
def test_simulated_hands_are_right_in_every_bid_play_and_sum(players):
    for record in simulate_hands(150, 7, players):
        assert faults(record) == ()
        if not record["all_pass"]:
            again = to_record(replay(record))
            assert {k: again[k] for k in ("points", "meld_points", "trick_points", "set")} == {
                k: record[k] for k in ("points", "meld_points", "trick_points", "set")
            }


def test_same_seed_same_hands_another_seed_others():
    some = list(simulate_hands(40, 5))
    assert list(simulate_hands(40, 5)) == some != list(simulate_hands(40, 6))
    assert list(simulate_hands(BATCH + 5, 5))[:40] == some
    assert json.loads(json.dumps(some)) == some


def test_the_turn_to_deal_goes_round_across_batches():
    records = list(simulate_hands(BATCH + 3, 1, "random"))
    assert any(r["all_pass"] for r in records)
    for before, after in zip(records, records[1:], strict=False):
        assert after["dealer"] == (before["dealer"] + (not before["all_pass"])) % 4


def test_a_deal_all_passed_has_eight_passes_and_no_points():
    record = next(r for r in simulate_hands(2000, 1, "random") if r["all_pass"])
    assert [b["call"] for b in record["bids"]] == ["pass"] * 8
    assert record["plays"] == [] and record["trump"] is record["maker_seat"] is record["set"] is None
    assert record["points"] == {"we": 0, "they": 0}


def test_hands_are_dealt_evenly():
    """Every card is in every seat a quarter of the time, within five standard errors."""
    batch = simulate_batch(8000, np.random.default_rng(3), "random")
    for seat in range(4):
        share = np.bincount(batch.cards[:, seat].ravel(), minlength=24) / 8000
        assert (abs(share - 0.25) < 5 * math.sqrt(0.25 * 0.75 / 8000)).all()


def test_melds_on_arrays_agree_with_the_plain_ones():
    rng = np.random.default_rng(4)
    packs = np.argsort(rng.random((3000, 24)), axis=1)
    packs[:1500] = np.argsort(np.arange(24) % 12 + rng.random((1500, 24)) * 3, axis=1)  # full of melds
    cards, trump = packs.reshape(-1, 4, 6), rng.integers(0, 4, 3000)
    masks = vector.masks(cards)
    points, orders = vector.hand_melds(masks, trump)
    totals = vector.side_melds(masks, trump)
    for i in range(3000):
        melds = [best_melds(int(m)) for m in masks[i]]
        assert points[i].tolist() == [meld_points(m) for m in melds]
        keys = [max((rank_key(m, int(trump[i])) for m in ms), default=(0,)) for ms in melds]
        for a in range(4):
            for b in range(a):
                assert np.sign(int(orders[i, a]) - int(orders[i, b])) == (keys[a] > keys[b]) - (keys[a] < keys[b])
        best = best_team(melds[0] + melds[2], melds[1] + melds[3], int(trump[i]))
        bells = [int(m) >> 6 * int(trump[i]) & 0b011000 == 0b011000 for m in masks[i]]
        for side, seats in enumerate(((0, 2), (1, 3))):
            own = sum(meld_points(melds[s]) for s in seats) * (best == ("we", "they")[side])
            assert totals[i, side] == own + 20 * any(bells[s] for s in seats)


def test_the_worth_of_a_call_is_the_weights_times_what_the_hand_holds():
    rng = np.random.default_rng(6)
    cards, trump = rng.permuted(np.tile(np.arange(24), (2000, 1)), axis=1)[:, :6], rng.integers(0, 4, 2000)
    held = bidding.bid_features(cards, trump)
    assert held[:, :12].sum(1).tolist() == [6.0] * 2000
    assert bidding.bid_margin(cards, trump) == pytest.approx(held @ bidding.WEIGHTS, abs=1e-5)
    turned = rng.integers(0, 3, 2000)
    more = bidding.bid_margin(cards, trump, turned) - bidding.bid_margin(cards, trump)
    assert [len(np.unique(more[turned == who].round(4))) for who in range(3)] == [1, 1, 1]


def duel(we: str, they: str, count: int = 4000) -> tuple[float, float]:
    """Mean margin of one kind of player over another on duplicate deals, each side sitting both ways, and its error."""
    rng = np.random.default_rng(11)
    cards = np.argsort(rng.random((count, 24)), axis=1).astype(np.int8).reshape(count, 6, 4).transpose(0, 2, 1)
    dealer = np.zeros(count, np.int64)
    margins = []
    for pair in ((we, they), (they, we)):
        points = play_deals(cards, dealer, np.random.default_rng(12), players_of(pair)).points.astype(float)
        margins.append(points[:, 0] - points[:, 1])
    margin = (margins[0] - margins[1]) / 2
    return margin.mean(), margin.std() / math.sqrt(count)


def test_stronger_players_win_more():
    for better, worse in (("beginner", "random"), ("sensible", "beginner"), ("counting", "beginner")):
        mean, error = duel(better, worse)
        assert mean > 3 * error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 1, "expert"), "No player 'expert'"),
        ((5, 1, ["sensible"] * 3), "got 3"),
        ((-1, 1), "0 or more"),
        ((1, -1), "0 or more"),
    ],
)
def test_bad_arguments_are_refused_at_once(arguments, message):
    with pytest.raises(RuleError, match=message):
        simulate_hands(*arguments)


# ---- expectation ---------------------------------------------------------------------------------------------------


def test_expectation_of_a_hand_that_cannot_lose():
    """Everybody holds a suit and spades are turned: their holder plays and takes everything."""
    clubs, diamonds, hearts, spades = ("9X TX JX QX KX AX".replace("X", suit) for suit in "CDHS")
    result = expectation(a_deal(clubs, diamonds, hearts, spades, dealer=3, turned="AS"), plays=50)
    # 162, the partner's hundred and his own (to the ace like all, but in trump), and bell
    assert (result.they.mean, result.they.error, result.we.mean) == (382, 0, 0)
    assert result.set_they.mean == 0 and result.all_passed.mean == 0


def test_expectation_errors_shrink_with_the_root_of_the_plays():
    pack = list(np.random.default_rng(3).permutation(24))
    few, many = (expectation(deal([int(c) for c in pack], 1), "beginner", plays) for plays in (200, 3200))
    assert many.margin.error < few.margin.error / 2.5
    assert abs(few.margin.mean - many.margin.mean) < 4 * few.margin.error
    assert many.margin.mean == pytest.approx(many.we.mean - many.they.mean)


def test_expectation_is_even_between_equals():
    result = expectation(None, "sensible", 4000)
    assert abs(result.margin.mean) < 4 * result.margin.error
    with pytest.raises(RuleError, match="two or more plays"):
        expectation(None, plays=1)
    with pytest.raises(RuleError, match="seed is 0 or more"):
        expectation(None, seed=-1)


# ---- season --------------------------------------------------------------------------------------------------------


def test_a_season_is_a_round_robin_of_games_played_to_the_end():
    games = simulate_season(6, 2)
    assert games == simulate_season(6, 2) != simulate_season(6, 3)
    assert len(games) == 15 and len({frozenset((g.we, g.they)) for g in games}) == 15
    for game in games:
        running = [0, 0]
        for hand in game.hands:
            assert max(running) < 500 or running[0] == running[1]
            assert hand_possible(hand.we, hand.they, hand.set)
            running = [running[0] + hand.we, running[1] + hand.they]
        assert max(running) >= 500 and game.totals == tuple(running)
        assert game.winner == ("we" if running[0] > running[1] else "they")
    table = season_standings(games)
    assert sum(s.won for s in table) == 15 and {s.team for s in table} == {t.name for t in season_teams(6, 2)}


def test_a_strong_team_beats_a_weak_one_more_often_than_not():
    teams = [Team(f"Strong {i}", 1.0) for i in range(12)] + [Team(f"Weak {i}", 0.0) for i in range(12)]
    games = [g for g in simulate_season(teams, 1) if g.we[0] != g.they[0]]
    wins = sum((g.we if g.winner == "we" else g.they).startswith("Strong") for g in games)
    assert len(games) == 144 and wins > 85  # a coin would pass one time in a hundred


def test_spare_hands_follow_the_end_and_change_nothing_before_it():
    usual, more = simulate_season(4, 5), simulate_season(4, 5, spare=3)
    assert all(len(g.spare) == 3 and not h.spare for g, h in zip(more, usual, strict=True))
    assert all(hand_possible(s.we, s.they, s.set) for g in more for s in g.spare)
    assert all(Game(g.hands).over and not Game(g.hands[:-1]).over for g in more)
    assert more == simulate_season(4, 5, spare=3)


def test_seasons_refuse_impossible_teams():
    with pytest.raises(RuleError, match="give 0 to 1"):
        list(simulate_season([Team("A", 2.0), Team("B")], 1))
    with pytest.raises(RuleError, match="two or more"):
        list(simulate_season(1, 1))


# ---- prior ---------------------------------------------------------------------------------------------------------


def test_prior_covers_exactly_what_is_possible_and_sums_to_one():
    prior = hand_prior()
    assert math.isclose(sum(prior.outcomes.values()), 1, abs_tol=1e-9)
    assert min(prior.outcomes.values()) > 0
    assert len(prior.outcomes) == len(made_hands()) + 2 * len(set_scores())
    assert prior.log_prob(92, 71) == -math.inf and prior.log_prob(81, 81) == -math.inf
    assert prior.log_prob(92, 70) == prior.log_prob(70, 92) > prior.log_prob(160, 2)
    assert prior.hands >= 300_000 and 0.08 < prior.set_rate < 0.3


def test_prior_agrees_with_hands_simulated_anew():
    """Another seed: sets, and sums of 162 without meld, come as often, within five standard errors."""
    prior, fresh = hand_prior(), read_prior(make_prior(8 * BATCH, seed=99))
    for share in (
        lambda p: p.set_rate,
        lambda p: sum(n for (a, b), n in p.made.items() if a + b == 162) / p.hands,
        lambda p: sum(n for (a, b), n in p.made.items() if b == 0) / p.hands,
    ):
        assert abs(share(prior) - share(fresh)) < 5 * math.sqrt(share(prior) / fresh.hands)


def test_prior_of_another_version_is_refused():
    with pytest.raises(RuleError, match="schema 2"):
        read_prior({"schema": 2})


def test_players_are_one_two_or_four():
    one = Player(memory=1, noise=3.0)
    assert players_of(one) == (one,) * 4
    assert players_of(["random", one])[1::2] == (one, one)
    assert len(list(islice(simulate_hands(3, 1, one), 3))) == 3
