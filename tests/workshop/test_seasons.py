"""Simulated seasons as they were kept: the truth beside every row, slips where they were made, the same every time."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import pytest

from scanner.rules.arithmetic import hand_possible
from scanner.season.store import open_season
from scanner.workshop import seasons
from scanner.workshop.seasons import keep_season, photo_of, photograph_game, roster_text, save_game, typed_sheet

SEASON = keep_season(9, seed=3)


def written_points(game, row: int) -> dict[str, int]:
    """Points a row says, from its texts alone: those of the points column, else from one total to the next."""
    texts = [{key: entry.text for key, entry in r.items()} for r in game.written.rows]
    found = {}
    for side in ("we", "they"):
        if f"{side}_points" in texts[row]:
            found[side] = int(texts[row][f"{side}_points"]) if texts[row][f"{side}_points"].isdigit() else 0
        else:
            totals = [0] + [int(t[f"{side}_total"]) for t in texts[: row + 1] if t[f"{side}_total"].isdigit()]
            this = texts[row][f"{side}_total"].isdigit()
            found[side] = totals[-1] - totals[-2] if this else 0
    return found


def test_every_pair_meets_once_in_weekly_evenings():
    pairs = [frozenset(game.teams.values()) for game in SEASON.games]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, combinations([t.name for t in SEASON.teams], 2)))
    assert len({game.name for game in SEASON.games}) == len(SEASON.games) == 36
    days = sorted({game.day for game in SEASON.games})
    assert {(b - a).days for a, b in zip(days, days[1:], strict=False)} == {7}


def test_a_row_without_a_slip_says_what_was_played():
    slips = 0
    for game in SEASON.games:
        assert len(game.hands) == len(game.written.rows)
        wrong = {slip.row for slip in game.written.slips if slip.code != "past-the-end"}
        slips += len(wrong)
        for row, hand in enumerate(game.hands):
            assert hand_possible(hand.we, hand.they, hand.set)
            if row + 1 not in wrong:
                assert written_points(game, row) == {"we": hand.we, "they": hand.they}, (game.name, row)
                marked = [s for s in ("we", "they") for k, e in game.written.rows[row].items()
                          if k.startswith(s) and e.text == "XX"]  # fmt: skip
                assert marked == ([hand.set] if hand.set else [])
    assert slips >= 3


def test_slips_name_the_text_that_is_wrong():
    for game in SEASON.games:
        for slip in game.written.slips:
            if slip.cell:
                assert game.written.rows[slip.row - 1][slip.cell].text == slip.written != slip.right


def test_the_game_ends_by_the_written_totals():
    for game in SEASON.games:
        assert game.written.winner in ("we", "they")
        assert len(game.written.rows) <= game.layout.rows


def test_the_same_seed_gives_the_same_season_another_another():
    assert keep_season(4, 1) == keep_season(4, 1) != keep_season(4, 2)


def test_saved_with_its_truth(tmp_path):
    with open_season(tmp_path / "season.db") as file:
        for game in SEASON.games[:8]:
            save_game(file, game, SEASON.seed)
        ids = [row["game_id"] for row in file.select("SELECT game_id FROM games ORDER BY rowid")]
        for game_id, game in zip(ids, SEASON.games, strict=False):
            truth = file.truth(game_id)
            assert truth.hands == game.hands and len(truth.slips) == len(game.written.slips)
            saved = [row.cells["we_total"].text for row in file.game(game_id).rows]
            assert saved == [row["we_total"].text for row in game.written.rows]


def test_sheets_differ_even_when_their_games_are_alike():
    sheets = [typed_sheet(game, seed) for game in SEASON.games for seed in (1, 2)]
    assert len({sheet.sha256 for sheet in sheets}) == len(sheets)


def test_a_photograph_has_its_truth_beside_it(tmp_path, monkeypatch):
    game = min(SEASON.games, key=lambda g: len(g.hands))
    right = seasons.random_sheet
    monkeypatch.setattr(seasons, "random_sheet", lambda *args: replace(right(*args), size=(600, 800), copy=0))
    path = photograph_game(SEASON, game, tmp_path)
    truth = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert path.is_file() and truth["photo"] == path.name == f"{game.name}.jpg"
    assert truth["teams"] == game.teams and truth["layout"] == game.layout.name
    assert truth["games"][0]["rows"] == [{k: e.text for k, e in row.items()} for row in game.written.rows]
    assert truth["true_games"][0]["hands"] == [{"we": h.we, "they": h.they, "set": h.set} for h in game.hands]
    again = photo_of(SEASON, game)
    assert json.loads(json.dumps(again.truth)).items() <= truth.items()


def test_the_roster_names_every_team():
    import tomllib

    names = [team["name"] for team in tomllib.loads(roster_text(SEASON.teams))["teams"]]
    assert names == [team.name for team in SEASON.teams] and len(set(names)) == 9


@pytest.mark.parametrize("teams", [0, 1])
def test_a_season_takes_two_teams(teams):
    with pytest.raises(ValueError, match="two or more"):
        keep_season(teams, 1)
