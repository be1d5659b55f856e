"""The truth of simulated seasons: kept beside what was written, gone with its sheet, none for real games."""

from __future__ import annotations

import json

import pytest

from scanner.rules.score import HandScore
from scanner.scorekeeper.check import check_game
from scanner.season.store import open_season
from scanner.season.truth import TrueSlip, Truth
from scanner.season.typed import read_typed

TRUTH = Truth(
    (HandScore(92, 70), HandScore(0, 101, "we")), (TrueSlip(1, "running-total", "we_total", "98", "92"),)
)


@pytest.fixture
def sheet(tmp_path):
    rows = [{"we_total": "98", "they_total": "70"}, {"we_total": "XX", "they_total": "171"}]
    document = {"layout": "evansville", "teams": {"we": "A", "they": "B"}, "games": [{"rows": rows}]}
    (tmp_path / "typed.json").write_text(json.dumps(document))
    return read_typed(tmp_path / "typed.json")


def checked(sheet):
    return [check_game(game.rows, game.winner_mark, sheet.layout) for game in sheet.games]


def test_truth_stands_beside_what_was_written(tmp_path, sheet):
    with open_season(tmp_path / "season.db") as season:
        assert season.add_typed(sheet, checked(sheet), [TRUTH])
        assert not season.add_typed(sheet, checked(sheet), [TRUTH])
        season.add_strengths({"A": 0.25, "B": 1.0})
    with open_season(tmp_path / "season.db", create=False) as season:
        (game_id,) = (row["game_id"] for row in season.select("SELECT game_id FROM games"))
        assert season.truth(game_id) == TRUTH
        assert season.game(game_id).rows[0].written.totals.we == 98
        assert [tuple(row) for row in season.select("SELECT * FROM true_teams")] == [("A", 0.25), ("B", 1.0)]


def test_a_real_game_has_no_truth(tmp_path, sheet):
    with open_season(tmp_path / "season.db") as season:
        season.add_typed(sheet, checked(sheet))
        (game_id,) = (row["game_id"] for row in season.select("SELECT game_id FROM games"))
        assert season.truth(game_id) is None


def test_truth_for_another_number_of_games_is_refused_and_nothing_saved(tmp_path, sheet):
    with open_season(tmp_path / "season.db") as season:
        with pytest.raises(ValueError, match="2 true ones"):
            season.add_typed(sheet, checked(sheet), [TRUTH, TRUTH])
        assert season.select("SELECT * FROM photos") == []
