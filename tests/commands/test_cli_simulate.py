"""``clabber simulate season`` from the outside: a new file with the truth in it, nothing old touched."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import analysis
from scanner.cli import app
from scanner.season.store import open_season


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def season(folder: Path, *more: object, teams: int = 4, seed: int = 5):
    return run("simulate", "season", "--teams", teams, "--seed", seed, "--season", folder / "s.db", *more)


def hands(*more: object):
    return run("simulate", "hands", "--count", 300, "--seed", 2, *more)


def test_house_rules_and_players_of_simulated_hands(tmp_path):
    (tmp_path / "house.toml").write_text('all_pass = "next_dealer"\n')
    lines = hands("--players", "random", "--rules", tmp_path / "house.toml").stdout.splitlines()
    dealt = [json.loads(line) for line in lines]
    assert any(record["all_pass"] for record in dealt)
    assert [record["dealer"] for record in dealt] == [i % 4 for i in range(300)]
    assert hands("--players", "counting,random").stdout != hands("--players", "random,counting").stdout


@pytest.mark.parametrize(("more", "message"), [
    (("--players", "expert"), "there are random, beginner, sensible, counting"),
    (("--rules", "house.toml"), "Did you mean 'four_tens'"),
    (("--rules", "absent.toml"), "cannot be read"),
])  # fmt: skip
def test_unknown_players_and_house_rules_are_wrong_usage(tmp_path, monkeypatch, more, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.toml").write_text("fore_tens = false\n")
    answer = hands(*more)
    assert answer.exit_code == 2 and message in answer.stderr and not answer.stdout


def test_a_season_file_that_analysis_reads_with_the_true_games_beside_it(tmp_path):
    answer = season(tmp_path)
    assert answer.exit_code == 0 and "4 teams, 6 games" in answer.stderr
    assert answer.stdout == f"{tmp_path / 's.db'}\n" and [p.name for p in tmp_path.iterdir()] == ["s.db"]
    frames = analysis.load(tmp_path / "s.db")
    assert len(frames.games) == 6 and frames.games["date"].nunique() == 3
    with open_season(tmp_path / "s.db", create=False) as file:
        (counts,) = file.select(
            "SELECT (SELECT count(*) FROM hands), (SELECT count(*) FROM true_hands), (SELECT count(*) FROM true_teams)"
        )
    assert counts[0] == counts[1] == len(frames.hands) and counts[2] == 4


def test_the_same_seed_gives_the_same_file(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        assert season(tmp_path / name).exit_code == 0
    assert (tmp_path / "a" / "s.db").read_bytes() == (tmp_path / "b" / "s.db").read_bytes()


def test_nothing_that_is_there_is_touched(tmp_path):
    (tmp_path / "s.db").write_text("mine")
    answer = season(tmp_path)
    assert answer.exit_code == 2 and "exists already" in answer.stderr
    assert (tmp_path / "s.db").read_text() == "mine"
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "holiday.jpg").write_text("mine")
    answer = run("simulate", "season", "--teams", 4, "--season", tmp_path / "t.db", "--photos", tmp_path / "photos")
    assert answer.exit_code == 2 and "not empty" in answer.stderr and not (tmp_path / "t.db").exists()


def test_one_team_is_wrong_usage(tmp_path):
    assert season(tmp_path, teams=1).exit_code == 2


def test_a_season_cut_short_leaves_no_file(tmp_path, monkeypatch):
    from scanner.workshop import seasons

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(seasons, "save_game", interrupted)
    assert season(tmp_path).exit_code == 130
    assert list(tmp_path.iterdir()) == []


def test_photographs_come_with_truth_and_roster(tmp_path, monkeypatch):
    from scanner.workshop import seasons

    right = seasons.random_sheet
    monkeypatch.setattr(seasons, "random_sheet", lambda *args: replace(right(*args), size=(600, 800), copy=0))
    answer = run("simulate", "season", "--teams", 2, "--seed", 8, "--season", tmp_path / "s.db",
                 "--photos", tmp_path / "deep" / "new")  # fmt: skip
    assert answer.exit_code == 0, answer.output
    names = sorted(path.name for path in (tmp_path / "deep" / "new").iterdir())
    assert names == ["roster.toml", "week01-table01.jpg", "week01-table01.json"]
    assert "[1/1]" in answer.stderr
