"""A season file as frames: every number where it belongs, every doubt refused or shown."""

from __future__ import annotations

import dataclasses
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from simulated import NAMES, play, result_of, save, season, slip

import analysis
from analysis import schemas
from analysis.dictionary import dictionary
from scanner.season.store import open_season
from scanner.sheet.errors import SeasonError
from scanner.sheet.results import HandScore, Label, Pair, PhotoResult, SheetResult


@pytest.fixture(scope="module")
def games():
    return season(1, teams=4)


@pytest.fixture(scope="module")
def path(games, tmp_path_factory):
    path = tmp_path_factory.mktemp("frames") / "season.db"
    results = [result_of(game) for game in games]
    results[2] = dataclasses.replace(results[2], problems=(slip(1, 10, False), slip(2, 90, True, "hand-total")))
    save(path, games, results)
    return path


def test_every_game_and_hand_stands_in_its_frame(path, games):
    frames = analysis.load(path)
    by_id = frames.games.set_index("game_id")
    assert list(by_id["date"].dt.strftime("%Y-%m-%d")) == [g.date for g in games]
    for game, (game_id, row) in zip(games, by_id.iterrows(), strict=True):
        assert (row["we"], row["they"], row["we_total"], row["they_total"]) == (game.we, game.they, *game.totals)
        assert row["winner"] == (game.we if game.winner == "we" else game.they) and row["winner_side"] == game.winner
        assert row["hands"] == len(game.hands) and row["official"] == "written" and row["source"] == "typed"
        rows = frames.hands[frames.hands["game_id"] == game_id]
        assert list(rows["hand"]) == list(range(1, len(game.hands) + 1))
        for hand, got in zip(game.hands, rows.to_dict("records"), strict=True):
            assert (got["we_points"], got["they_points"]) == (hand.we, hand.they)
            assert (got["we_total"], got["they_total"]) == (hand.we_total, hand.they_total)
            rest = [None if pd.isna(got[key]) else got[key] for key in ("set", "maker", "meld")]
            assert rest == [hand.set, hand.maker, hand.meld]
    assert len(frames.cells) == 2 * len(frames.hands) and len(frames.reviews) == 0
    assert list(frames.teams["team"]) == sorted(NAMES[:4]) and set(frames.teams["games"]) == {3}


def test_problems_stand_beside_their_game(path):
    frames = analysis.load(path)
    assert list(frames.problems["code"]) == ["running-total", "hand-total"]
    assert list(frames.games["problems"]) == [0, 0, 2, 0, 0, 0]
    assert list(frames.problems["winner_changes"]) == [False, True]


def test_loading_changes_nothing_in_the_file(path):
    before = path.read_bytes()
    analysis.load(path)
    assert path.read_bytes() == before


def test_an_empty_season_has_all_columns_and_no_rows(tmp_path):
    with open_season(tmp_path / "season.db"):
        pass
    frames = analysis.load(tmp_path / "season.db")
    for name, frame in vars(frames).items():
        assert len(frame) == 0
        assert list(frame.columns) == list(schemas.ALL[name].columns)
    assert len(analysis.standings(frames.games)) == 0


def photo(sha: str, we: str, they: str, iso: str | None = None) -> PhotoResult:
    score = HandScore(Pair(500, None), Pair(500, None))
    corrected = HandScore(Pair(500, 62), Pair(500, 62))
    game = result_of(play(random.Random(5), we, they, None))
    row = dataclasses.replace(game.rows[0], written=score, corrected=corrected)
    game = dataclasses.replace(game, rows=(row,), winner=None, winner_corrected="we", winner_mark="we")
    quad = ((0.0, 0.0),) * 4
    sheet = SheetResult("evansville", 1.0, quad, (game,), {"we": Label(we, 0.9), "they": Label(they, 0.9)},
                        Label("3-7", 0.5, iso))
    return PhotoResult("a.jpg", sha * 64, 10, 10, (sheet,))


def test_what_is_not_known_is_null_and_what_a_person_decides_counts(tmp_path):
    path = tmp_path / "season.db"
    with open_season(path) as file:
        file.add_photo(photo("a", "", "Owls"))
    game = analysis.load(path).games.iloc[0]
    assert pd.isna(game["we"]) and pd.isna(game["date"]) and pd.isna(game["winner"]) and pd.isna(game["they_total"])
    assert game["we_total"] == 500 and game["we_total_corrected"] == 500 and game["they_total_corrected"] == 62
    assert len(analysis.standings(analysis.load(path).games)) == 0
    with open_season(path) as file:
        file.answer("aaaaaaaa/1/we", "Hawks", "Ruth")
        file.answer("aaaaaaaa/1/date", "2026-03-07", "Ruth")
        file.rule("aaaaaaaa/1/1", "corrected", "Ruth")
        file.answer("aaaaaaaa/1/1/1/we_total", "XX", "Ruth")
    frames = analysis.load(path)
    game = frames.games.iloc[0]
    assert (game["we"], game["winner"], game["they_total"]) == ("Hawks", "Hawks", 62)
    assert game["date"] == pd.Timestamp("2026-03-07") and game["stale"]
    assert list(frames.reviews["by"]) == ["Ruth"] * 4
    cell = frames.cells.set_index("cell").loc["we_total"]
    assert (cell["text"], cell["settled"], cell["settled_by"]) == ("XX", "XX", "Ruth")
    assert cell["read"] == result_of(play(random.Random(5), "", "", None)).rows[0].cells["we_total"].text != "XX"
    assert analysis.standings(frames.games)["team"].tolist() == ["Hawks", "Owls"]


def test_named_and_unnamed_games_stand_side_by_side(tmp_path):
    path = tmp_path / "season.db"
    with open_season(path) as file:
        file.add_photo(photo("a", "", ""))
        file.add_photo(photo("b", "Eagles", "Owls", "2026-03-07"))
        file.add_photo(photo("c", "Eagles", ""))
    games = analysis.load(path).games
    assert games["we"].fillna("?").tolist() == ["Eagles", "?", "Eagles"]
    assert games["they"].fillna("?").tolist() == ["Owls", "?", "?"]
    assert analysis.load(path).teams["team"].tolist() == ["Eagles", "Owls"]


def test_one_team_has_one_spelling(tmp_path):
    path = tmp_path / "season.db"
    with open_season(path) as file:
        for sha, name in zip("abc", ("Eagles", "EAGLES", "Eagles"), strict=True):
            file.add_photo(photo(sha, name, "Owls"))
    frames = analysis.load(path)
    assert set(frames.games["we"]) == {"Eagles"}
    assert dict(zip(frames.teams["team"], frames.teams["spellings"], strict=True))["Eagles"] == "Eagles | EAGLES"


def test_a_file_changed_by_hand_is_refused_with_the_column(path, tmp_path):
    copy = tmp_path / "season.db"
    copy.write_bytes(path.read_bytes())
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE hands SET maker = 'us', meld = -5 WHERE maker = 'we'")
    connection.close()
    with pytest.raises(SeasonError, match="table hands.*maker: 'us'"):
        analysis.load(copy)


def test_an_absent_or_damaged_file_is_named(tmp_path):
    with pytest.raises(SeasonError, match="absent.db"):
        analysis.load(tmp_path / "absent.db")
    (tmp_path / "text.db").write_text("x" * 5000)
    with pytest.raises(SeasonError, match="text.db"):
        analysis.load(tmp_path / "text.db")


def test_frames_hold_what_the_dictionary_says():
    text = (Path(__file__).resolve().parents[2] / "docs" / "data-dictionary.md").read_text("utf-8")
    assert text == dictionary()
    for name, schema in schemas.ALL.items():
        assert f"\n## {name}\n" in text
        for key, column in schema.columns.items():
            assert column.description and f"| `{key}` |" in text


def test_importing_analysis_costs_nothing():
    code = "import sys, analysis; print(sorted({'pandas', 'numpy', 'matplotlib', 'pandera', 'cv2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    code = "import sys, analysis.report; print('cv2' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"
    with pytest.raises(AttributeError, match="nothing"):
        _ = analysis.nothing
    assert "load" in dir(analysis)


def test_numbers_are_whole_or_missing_never_floats(path):
    frames = analysis.load(path)
    for frame in vars(frames).values():
        for key in frame.columns.difference(["confidence", "probability"]):
            assert not isinstance(frame[key].dtype, np.dtype) or frame[key].dtype.kind != "f", key
