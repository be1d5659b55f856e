"""The audit against counts by hand: who kept the sheet, when, what slips gave to whom, and games they turned."""

from __future__ import annotations

import dataclasses
import random

import pytest
from simulated import play, result_of, save, slip

import analysis
from analysis import audit


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """Three games in three weeks; slips on the first two, the second of them turned by one."""
    folder = tmp_path_factory.mktemp("audit")
    rng = random.Random(4)
    games = [play(rng, we, they, day) for we, they, day in (
        ("A", "B", "2026-01-05"), ("A", "C", "2026-01-12"), ("C", "B", "2026-01-19"))]
    results = [dataclasses.replace(result_of(g), problems=problems) for g, problems in zip(games, (
        (slip(1, 10, False), slip(2, 2, False)), (slip(1, 30, True),), ()), strict=True)]
    save(folder / "season.db", games, results)
    return games, analysis.load(folder / "season.db")


def test_slips_are_counted_by_who_kept_the_sheet_and_by_week(season):
    games, frames = season
    keepers = audit.slips_by(frames, "keeper").set_index("keeper")
    assert keepers["slips"].to_dict() == {"A": 3, "C": 0}
    assert keepers["hands"].to_dict() == {"A": len(games[0].hands + games[1].hands), "C": len(games[2].hands)}
    weeks = audit.slips_by(frames, "week")
    assert weeks["week"].tolist() == [1, 2, 3] and weeks["slips"].tolist() == [2, 1, 0]
    assert weeks["points_moved"].tolist() == [12, 30, 0] and weeks["winner_changes"].tolist() == [0, 1, 0]
    assert (weeks["low"] <= weeks["rate"]).all() and (weeks["rate"] <= weeks["high"]).all()


def test_points_given_to_one_are_taken_from_its_opponents(season):
    _, frames = season
    games = frames.games.copy()
    games["we_total_corrected"] = games["we_total_written"] - [10, 0, -5]
    games["they_total_corrected"] = games["they_total_written"] - [0, 3, 0]
    games.loc[0, "winner_corrected"] = {"we": "they", "they": "we"}[games.loc[0, "winner_written"]]
    table = audit.points_given(games).set_index("team")
    assert table.loc["A", ["own", "others", "net"]].tolist() == [10, 3, 7]
    assert table.loc["B", ["own", "others", "net"]].tolist() == [0, 5, -5]
    assert table.loc["C", ["own", "others", "net"]].tolist() == [-2, 0, -2]
    assert table["net"].is_monotonic_decreasing and table["net"].sum() == 0
    winner = games.loc[0, games.loc[0, "winner_written"]]
    assert table["won"].to_dict() == {team: int(team == winner) for team in table.index}
    assert table["lost"].sum() == 1 and table.loc[winner, "lost"] == 0


def test_without_corrections_nothing_was_given(season):
    _, frames = season
    table = audit.points_given(frames.games)
    assert (table[["own", "others", "net", "won", "lost"]] == 0).all(axis=None) and table["games"].tolist() == [2, 2, 2]


def test_games_that_changed_are_those_points_were_given_in_with_another_winner(season):
    _, frames = season
    games = frames.games.copy()
    assert len(audit.changed_winners(games)) == 0
    games.loc[1, "winner_corrected"] = {"we": "they", "they": "we"}[games.loc[1, "winner_written"]]
    changed = audit.changed_winners(games)
    assert changed["we"].tolist() == ["A"] and changed["they"].tolist() == ["C"]
    assert audit.points_given(games)["won"].sum() == len(changed)
