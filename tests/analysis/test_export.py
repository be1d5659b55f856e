"""Every table as a file: whole, the same in every format, nothing in it a formula, nothing lost on the way."""

from __future__ import annotations

import csv
import dataclasses
import importlib.util
import random
import re

import openpyxl
import pandas as pd
import pytest
from simulated import play, result_of, save, season, slip
from typer.testing import CliRunner

import analysis
from analysis import schemas
from analysis.export import export_csv, export_parquet, export_xlsx, write_csv
from analysis.fixtures import apply_league
from analysis.league import not_counted
from analysis.leaguefile import Fixture, League
from analysis.tables import MEANINGS, all_tables
from scanner.cli import app
from scanner.season.store import open_season
from scanner.sheet.errors import InputError

NASTY = ["=HYPERLINK(\"http://evil\")", "@SUM(A1)", "+1", "-Owls", "\tTab", "<script>"]


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    """A season of teams with names that want to be formulas, one game without names, one unfinished."""
    rng, path = random.Random(4), tmp_path_factory.mktemp("export") / "season.db"
    games = [play(rng, NASTY[i], NASTY[j], "2026-01-05") for i in range(6) for j in range(i)]
    games += [play(rng, NASTY[0], NASTY[1], None, most=1)]
    results = [dataclasses.replace(result_of(g), problems=(slip(1, 10, True),)) for g in games]
    results[0] = dataclasses.replace(results[0], problems=(dataclasses.replace(slip(1, 9, False), message="=1+1"),))
    save(path, games, results)
    league = League(fixtures=tuple(Fixture("=season", 1, None, a, b) for a in NASTY for b in NASTY if a < b),
                    championship="=final", places=2)
    return analysis.load(path, league), league


def values(path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_every_table_is_a_file_with_its_rows(nasty, tmp_path):
    frames, league = nasty
    tables = all_tables(frames, league=league)
    files = export_csv(frames, tmp_path, league=league)
    assert [f.stem for f in files] == list(tables) and len(tables) > 30
    for file in files:
        rows = values(file)
        assert rows[0] == list(tables[file.stem].columns) and len(rows) == 1 + len(tables[file.stem]), file.stem
    assert all(re.fullmatch("[a-z_]{1,31}", name) for name in tables), "names of Excel sheets"
    assert set(tables) == {"standings", *vars(frames), *MEANINGS}


def test_no_text_is_a_formula_in_any_file(nasty, tmp_path):
    frames, league = nasty
    for file in export_csv(frames, tmp_path, league=league):
        for row in values(file):
            for value in row:
                assert not value.startswith(("=", "+", "@", "\t", "\r")), (file.stem, value)
                assert not value.startswith("-") or re.fullmatch(r"-[\d.e-]*", value), (file.stem, value)
    book = openpyxl.load_workbook(export_xlsx(frames, tmp_path / "all.xlsx", league=league))
    assert book.sheetnames == list(all_tables(frames, league=league))
    for sheet in book:
        assert all(cell.data_type != "f" and not cell.hyperlink for row in sheet.iter_rows() for cell in row)
    assert NASTY[0] in {cell.value for row in book["standings"].iter_rows() for cell in row}


def test_texts_among_other_objects_are_made_safe_too(tmp_path):
    frame = pd.DataFrame({"mixed": ["=1", 2, None, -3], "text": ["a", "-b", None, "+c"]}, dtype=object)
    assert values(write_csv(frame, tmp_path / "a.csv"))[1:] == [["'=1", "a"], ["2", "'-b"], ["", ""], ["-3", "'+c"]]


def test_an_empty_season_has_every_table(tmp_path):
    with open_season(tmp_path / "season.db"):
        pass
    frames = analysis.load(tmp_path / "season.db")
    tables = all_tables(frames)
    assert all(len(table) == 0 for name, table in tables.items() if name not in ("tie_breaks", "meld", "meld_share"))
    export_csv(frames, tmp_path / "csv")
    export_xlsx(frames, tmp_path / "all.xlsx")


def test_what_is_left_without_a_schedule_is_every_pair_that_has_not_met(tmp_path):
    games = season(3, teams=4)[:-1]
    save(tmp_path / "season.db", games)
    left = all_tables(analysis.load(tmp_path / "season.db"))["remaining"]
    assert {frozenset(p) for p in zip(left["we"], left["they"], strict=True)} == {frozenset(
        (season(3, teams=4)[-1].we, season(3, teams=4)[-1].they))}


def test_parquet_needs_pyarrow_and_says_so(nasty, tmp_path, monkeypatch):
    frames, _ = nasty
    if importlib.util.find_spec("pyarrow"):
        assert pd.read_parquet(export_parquet(frames, tmp_path)[0])["team"].tolist() == analysis.standings(
            frames.games)["team"].tolist()
    monkeypatch.setattr("analysis.export.find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install pyarrow"):
        export_parquet(frames, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command_writes_what_it_is_asked_for(tmp_path):
    save(tmp_path / "season.db", season(3, teams=3))
    (tmp_path / "league.toml").write_text('ranking = "points"\nfixtures = "plan.csv"\ntie_breaks = ["difference"]\n')
    (tmp_path / "plan.csv").write_text("week,we,they,forfeit\n1,Eagles,Owls,\n2,Eagles,Hawks,\n3,Owls,Hawks,\n"
                                       "4,Eagles,Bears,Bears\n")
    answer = run("export", "--season", tmp_path / "season.db", "--csv", tmp_path / "csv", "--xlsx", tmp_path / "s.xlsx",
                 "--league", tmp_path / "league.toml")
    assert answer.exit_code == 0, answer.stderr
    assert str(tmp_path / "csv" / "standings.csv") in answer.stdout and (tmp_path / "s.xlsx").is_file()
    table = {row[1]: row for row in values(tmp_path / "csv" / "standings.csv")[1:]}
    assert table["Bears"][2:6] == ["1", "0", "1", "0"]
    assert [row[1] for row in values(tmp_path / "csv" / "tie_breaks.csv")[1:]] == ["points_for", "difference"]
    points = run("export", "--season", tmp_path / "season.db", "--csv", tmp_path / "two", "--ranking", "games")
    assert points.exit_code == 0 and values(tmp_path / "two" / "tie_breaks.csv")[1][1] == "won"


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "say what to write"), (["--csv", "{}/season.db"], "cannot be used as a folder"),
    (["--xlsx", "{}/no/a.xlsx"], "cannot be written"),
    (["--csv", "{}/csv", "--ranking", "luck"], "'games' or 'points'"),
    (["--csv", "{}/csv", "--league", "{}/none.toml"], "none.toml: cannot be read"),
])
def test_a_wrong_call_is_status_2_and_writes_nothing(tmp_path, arguments, message):
    save(tmp_path / "season.db", season(3, teams=2))
    answer = run("export", "--season", tmp_path / "season.db", *(a.format(tmp_path) for a in arguments))
    assert answer.exit_code == 2 and message in answer.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["season.db"]


def test_a_missing_or_damaged_season_is_status_2(tmp_path):
    (tmp_path / "bad.db").write_bytes(b"no season" * 1000)
    for name in ("none.db", "bad.db"):
        answer = run("export", "--season", tmp_path / name, "--csv", tmp_path / "csv")
        assert answer.exit_code == 2 and name in answer.stderr and not (tmp_path / "csv").exists()


def test_games_with_impossible_names_dates_and_pairs_are_refused_or_named_and_never_lost(tmp_path):
    """What a season can hold all the same (a photo read so, or changed by hand) is listed with its reason."""
    save(tmp_path / "season.db", season(3, teams=3))
    frames = analysis.load(tmp_path / "season.db")
    games = frames.games.copy()
    games.loc[0, "they"] = games.loc[0, "we"]
    games.loc[1, "we"] = None
    assert not_counted(games)["reason"].tolist() == ["a team against itself", "a team's name is not known"]
    laid, _ = apply_league(games, pd.Series(True, index=games.index), League())
    assert schemas.typed(laid, "games")["game_id"].tolist() == frames.games["game_id"].tolist()
