"""Rates, means and slips against plain counting; intervals against published values and the truth of simulations."""

from __future__ import annotations

import dataclasses
import random
import statistics
from math import inf

import numpy as np
import pandas as pd
import pytest
from simulated import NAMES, play, result_of, save, season, slip

import analysis
from analysis import audit, stats
from analysis.intervals import mean_half_width, student, wilson
from scanner.sheet.errors import InputError


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    games = season(7, teams=5)
    path = tmp_path_factory.mktemp("stats") / "season.db"
    save(path, games)
    return games, analysis.load(path)


def test_team_table_agrees_with_plain_counting(loaded):
    games, frames = loaded
    table = stats.team_table(frames.games, frames.hands).set_index("team")
    for team in NAMES[:5]:
        own = [(g, h, "we" if g.we == team else "they") for g in games if team in (g.we, g.they) for h in g.hands]
        made = [(h, side) for _, h, side in own if h.maker == side]
        points = [getattr(h, side) for _, h, side in own]
        row = table.loc[team]
        assert (row["games"], row["hands"], row["made"]) == (4, len(own), len(made))
        assert row["sets"] == sum(h.set == side for h, side in made)
        assert row["make_rate"] == pytest.approx(len(made) / len(own))
        assert row["set_rate"] == pytest.approx(row["sets"] / len(made))
        assert row["average"] == pytest.approx(statistics.mean(points))
        assert row["make_low"] < row["make_rate"] < row["make_high"]
        assert row["average_low"] < row["average"] < row["average_high"]


def test_hands_without_a_known_maker_are_hands_but_no_evidence(loaded):
    games, frames = loaded
    hands = frames.hands.copy()
    hands.loc[hands.index % 2 == 0, "maker"] = None
    table = stats.team_table(frames.games, hands)
    full = stats.team_table(frames.games, frames.hands)
    assert table["hands"].tolist() == full["hands"].tolist()
    assert (table["made"] < full["made"]).all()
    seen = stats.team_hands(frames.games, hands)
    assert table["make_rate"].tolist() == pytest.approx(
        seen[seen["told"]].groupby("team")["made"].mean().astype(float).tolist())


def test_head_to_head_and_race_agree_with_plain_counting(loaded):
    games, frames = loaded
    met = stats.head_to_head(frames.games)
    race = stats.race(frames.games)
    for team in NAMES[:5]:
        own = [g for g in games if team in (g.we, g.they)]
        won = [g for g in own if (g.winner == "we") == (g.we == team)]
        assert met.loc[team].sum() == len(won)
        assert np.isnan(met.loc[team, team])
        last = race[race["team"] == team].iloc[-1]
        assert (last["won"], last["played"]) == (len(won), len(own))


def test_wilson_agrees_with_published_values():
    """Newcombe, Statistics in Medicine 17 (1998), table I: the score method without continuity correction."""
    published = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0.0, 0.1611),
                 (1, 29): (0.0061, 0.1718)}
    for (k, n), ends in published.items():
        assert [round(float(e), 4) for e in wilson(np.array(k), np.array(n))] == pytest.approx(ends, abs=1e-4)
    assert np.isnan(wilson(np.array(0), np.array(0))).all()


def test_student_agrees_with_the_printed_table():
    printed = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980, inf: 1.960}
    for freedom, value in printed.items():
        assert float(student(np.array(freedom))) == pytest.approx(value, rel=2e-3)
    assert float(student(np.array(4), 0.99)) == pytest.approx(4.604, rel=3e-3)
    assert float(student(np.array(4), 0.8)) == pytest.approx(1.533, rel=2e-3)
    assert np.isnan(mean_half_width(np.array(np.nan), np.array(1)))


def test_intervals_cover_the_truth_as_often_as_they_say():
    """1,000 teams with 30 to 90 made hands and a true set rate of 0.1 to 0.4: 95 % within 1.5 points."""
    rng = np.random.default_rng(11)
    n, truth = rng.integers(30, 91, 1000), rng.uniform(0.1, 0.4, 1000)
    low, high = wilson(rng.binomial(n, truth), n)
    assert abs(np.mean((low <= truth) & (high >= truth)) - 0.95) <= 0.015
    scores = rng.gamma(2.0, 40.0, (1000, 60))
    half = mean_half_width(scores.std(axis=1, ddof=1), np.full(1000, 60))
    assert abs(np.mean(np.abs(scores.mean(axis=1) - 80.0) <= half) - 0.95) <= 0.015


def test_slips_are_counted_by_kind_and_questions_are_not(tmp_path):
    games = season(2, teams=3)
    results = [result_of(g) for g in games]
    problems = ((slip(1, 10, False), slip(2, 30, True)), (slip(1, 5, False, "hand-check"),
                                                         slip(3, 0, False, "unreadable")), ())
    results = [dataclasses.replace(r, problems=p) for r, p in zip(results, problems, strict=True)]
    save(tmp_path / "season.db", games, results)
    frames = analysis.load(tmp_path / "season.db")
    kinds = audit.slips_by_kind(frames.problems, frames.hands)
    assert kinds["code"].tolist() == ["running-total", "hand-check"]
    assert kinds["slips"].tolist() == [2, 1]
    assert kinds["points_moved"].tolist() == [40, 5] and kinds["winner_changes"].tolist() == [1, 0]
    assert kinds["rate"].tolist() == pytest.approx([2 / len(frames.hands), 1 / len(frames.hands)])


def test_slips_are_counted_by_pad_month_and_team(tmp_path):
    games = [dataclasses.replace(g, date=day) for g, day in zip(
        season(2, teams=3), ("2026-01-05", "2026-02-02", "2026-02-09"), strict=True)]
    results = [dataclasses.replace(result_of(g), problems=(slip(1, 10, False),) * n)
               for g, n in zip(games, (2, 1, 0), strict=True)]
    save(tmp_path / "season.db", games, results)
    frames = analysis.load(tmp_path / "season.db")
    months = audit.slips_by(frames, "month").set_index("month")
    assert months["slips"].to_dict() == {"2026-01": 2, "2026-02": 1}
    assert months["hands"].tolist() == [len(games[0].hands), len(games[1].hands + games[2].hands)]
    teams = audit.slips_by(frames, "team").set_index("team")
    assert teams["slips"].to_dict() == {
        team: sum(n for g, n in zip(games, (2, 1, 0), strict=True) if team in (g.we, g.they)) for team in NAMES[:3]}
    assert audit.slips_by(frames, "layout")[["layout", "slips", "points_moved"]].to_numpy().tolist() == [
        ["evansville", 3, 30]]
    with pytest.raises(InputError, match="layout, month or team"):
        audit.slips_by(frames, "moon")


def test_a_game_entered_twice_is_noticed_and_another_is_not(tmp_path):
    rng = random.Random(1)
    game = play(rng, "Eagles", "Owls", "2026-01-05")
    undated = dataclasses.replace(game, date=None)
    next_week = dataclasses.replace(game, date="2026-01-12")
    others = [play(rng, "Eagles", "Owls", "2026-01-05"), play(rng, "Eagles", "Hawks", "2026-01-05")]
    save(tmp_path / "season.db", [game, *others, undated, game])
    frames = analysis.load(tmp_path / "season.db")
    assert len(audit.doubles(frames.games, frames.hands)) == 2
    save(tmp_path / "other.db", [game, next_week, *others])
    frames = analysis.load(tmp_path / "other.db")
    assert len(audit.doubles(frames.games, frames.hands)) == 0


def test_names_that_look_alike_are_named():
    teams = pd.DataFrame({"team": ["Eagles", "Eagels", "Owls", "Hawks"], "games": [9, 1, 8, 9]})
    assert audit.alike_names(teams).to_numpy().tolist() == [["Eagels", "Eagles", 1]]


def test_games_with_another_winner_when_corrected_are_found(loaded):
    _, frames = loaded
    games = frames.games.copy()
    assert len(audit.changed_winners(games)) == 0
    games.loc[1, "winner_corrected"] = None
    assert audit.changed_winners(games)["game_id"].tolist() == [games["game_id"][1]]
