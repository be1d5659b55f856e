"""Points above expectation, held against the simulator, against sums by hand, and against leagues of equals."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest
from simulated import play, result_of, save

import analysis
from analysis.expected import above_expectation, baseline, hand_surprises
from scanner.rules.expectation import expectation
from scanner.rules.priors import TABLES, hand_prior
from scanner.rules.simulate import simulate_batch


def test_the_baseline_is_what_simulated_players_score():
    """Fresh hands of the same tables, with another seed, within four standard errors."""
    rng = np.random.default_rng(77)
    batches = [simulate_batch(1500, rng, table) for table in TABLES]
    points = np.concatenate([b.points[b.played] for b in batches]).astype(float)
    maker = np.concatenate([b.maker[b.played] % 2 for b in batches])
    rows = np.arange(len(maker))
    base = baseline()
    for mean, seen in ((base.makers, points[rows, maker]), (base.others, points[rows, 1 - maker])):
        assert abs(mean - seen.mean()) < 4 * seen.std() / np.sqrt(len(seen))
    failed = np.concatenate([b.set[b.played] for b in batches]) >= 0
    assert abs(base.set_rate - failed.mean()) < 4 * np.sqrt(0.15 / len(failed))
    assert base.scores.sum() == pytest.approx(1)
    assert base.scores @ np.arange(len(base.scores)) == pytest.approx(base.any)


def test_a_side_of_any_deal_scores_the_mean_of_makers_and_others():
    means = [expectation(None, table, plays=1500, seed=5) for table in TABLES]
    both = np.mean([(e.we.mean + e.they.mean) / 2 for e in means])
    error = np.sqrt(sum(e.we.error**2 + e.they.error**2 for e in means)) / 8
    assert abs(both - baseline().any) < 4 * error + 0.2  # deals all passed score nothing; one in a thousand


def frames_of(tmp_path, games):
    save(tmp_path / "season.db", games, [result_of(g) for g in games])
    return analysis.load(tmp_path / "season.db")


def test_it_is_what_is_left_when_expectation_is_taken_off_by_hand(tmp_path):
    rng = random.Random(5)
    games = [play(rng, *pair, "2026-01-05") for pair in (("A", "B"), ("C", "A"), ("B", "C"))]
    frames = frames_of(tmp_path, games)
    table = above_expectation(frames.games, frames.hands).set_index("team")
    base = baseline()
    for team in "ABC":
        own = [(h.we, h.they, h.maker == "we") for g in games if g.we == team for h in g.hands]
        own += [(h.they, h.we, h.maker == "they") for g in games if g.they == team for h in g.hands]
        play_above = [p - (base.makers if made else base.others) for p, _, made in own]
        lead = [p - q - (base.makers - base.others) * (1 if made else -1) for p, q, made in own]
        row = table.loc[team]
        assert row["hands"] == len(own) and row["play"] == pytest.approx(np.mean(play_above))
        assert row["swing"] == pytest.approx(np.mean(lead))
        assert row["points"] - base.any == pytest.approx(row["total"]) == pytest.approx(row["play"] + row["calling"])
        assert row["low"] < row["play"] < row["high"]
    assert hand_surprises(frames.games, frames.hands, 3)["above"].is_monotonic_decreasing


def drawn_hands(rng, teams: int, hands: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Games of one hand each, drawn from the simulated hands themselves: nobody is better than anybody."""
    outcomes = [o for o, p in hand_prior().outcomes.items() if hand_prior()._share(*o)]
    shares = np.array([hand_prior()._share(*o) for o in outcomes])
    picked = [outcomes[i] for i in rng.choice(len(outcomes), hands, p=shares / shares.sum())]
    sides = np.array([rng.choice(teams, 2, replace=False) for _ in range(hands)]).astype(str)
    ids = [str(i) for i in range(hands)]
    games = pd.DataFrame({"game_id": ids, "date": pd.NaT, "we": sides[:, 0], "they": sides[:, 1]})
    made = ["we" if (s == "we" or (s is None and w > t)) else "they" for w, t, s in picked]
    return games, pd.DataFrame({
        "game_id": ids, "hand": 1, "we_points": [w for w, _, _ in picked], "they_points": [t for _, t, _ in picked],
        "we_total": 0, "they_total": 0, "set": [s for _, _, s in picked], "maker": made, "meld": None})


def test_among_equals_the_intervals_hold_nought_as_often_as_they_say():
    rng = np.random.default_rng(8)
    inside = []
    for _ in range(45):
        table = above_expectation(*drawn_hands(rng, 6, 120))
        inside += ((table["low"] < 0) & (table["high"] > 0)).tolist()
        inside += ((table["swing_low"] < 0) & (table["swing_high"] > 0)).tolist()
    assert 0.92 < np.mean(inside) < 0.98  # 540 of them, two by two dependent: 95 % +- 2.7


def test_open_makers_are_left_out_and_an_empty_season_is_an_empty_table(tmp_path):
    frames = frames_of(tmp_path, [play(random.Random(1), "A", "B", None)])
    open_ones = frames.hands.assign(maker=pd.Series(pd.NA, frames.hands.index, dtype=frames.hands["maker"].dtype))
    assert len(above_expectation(frames.games, open_ones)) == 0
    half = frames.hands["maker"].where(frames.hands["hand"] > 1)
    table = above_expectation(frames.games, frames.hands.assign(maker=half))
    assert set(table["hands"]) == {len(frames.hands) - 1}
