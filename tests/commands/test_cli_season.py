"""``clabber import`` and ``clabber review`` from the outside: one record a file, answers that are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scanner.cli import app
from scanner.season.store import open_season

ROWS = [{"we_total": "92", "they_total": "70"}, {"we_total": "1z4", "they_total": "150"}]
TYPED = {
    "layout": "evansville",
    "teams": {"we": "Eagles", "they": "Owls"},
    "date": "2026-03-07",
    "games": [{"rows": ROWS, "winner_mark": None}],
}


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def season(tmp_path: Path) -> Path:
    (tmp_path / "typed.json").write_text(json.dumps(TYPED))
    answer = run("import", tmp_path / "typed.json", "--season", tmp_path / "season.db")
    assert answer.exit_code == 0, answer.stderr
    return tmp_path / "season.db"


def test_the_same_file_twice_is_one_record(season: Path, tmp_path: Path):
    before = season.read_bytes()
    again = run("import", tmp_path / "typed.json", "--season", season)
    assert again.exit_code == 0 and "known already" in again.stdout
    assert season.read_bytes() == before


def test_a_bad_file_is_named_and_the_others_are_saved(tmp_path: Path):
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "good.json").write_text(json.dumps(TYPED))
    answer = run("import", tmp_path / "bad.json", tmp_path / "good.json", "--season", tmp_path / "s.db")
    assert answer.exit_code == 2 and "bad.json" in answer.stderr
    with open_season(tmp_path / "s.db") as file:
        assert len(file.select("SELECT 1 FROM games")) == 1


def test_an_answer_settles_its_question_and_the_game_is_decoded_again(season: Path):
    listed = run("review", "--season", season, "--list")
    assert listed.exit_code == 0
    cell = next(line.split()[0] for line in listed.stdout.splitlines() if line.split()[0].endswith("/2/we_total"))
    answer = run("review", "--season", season, "--answer", f"{cell}=174", "--by", "Ruth")
    assert answer.exit_code == 0, answer.stderr
    assert cell not in run("review", "--season", season, "--list").stdout
    with open_season(season) as file:
        assert file.stale() == []
        row = file.game(cell.rsplit("/", 2)[0]).rows[1]
        assert row.written.totals.we == 174


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (["--answer", "x"], "CELL=TEXT"),
        (["--answer", "1/2/3/4/we_total=3"], "no such cell"),
        (["--answer", "x=3"], "--by"),
    ],
)
def test_an_answer_to_nothing_or_by_nobody_is_status_2(season: Path, answer: list[str], message: str):
    by = [] if message == "--by" else ["--by", "Ruth"]
    result = run("review", "--season", season, *answer, *by)
    assert result.exit_code == 2 and message in result.stderr


def test_a_missing_or_damaged_season_is_status_2_and_left_as_it_is(tmp_path: Path):
    assert run("review", "--season", tmp_path / "none.db", "--list").exit_code == 2
    assert not (tmp_path / "none.db").exists()
    damaged = tmp_path / "bad.db"
    damaged.write_bytes(b"not a season file at all" * 100)
    result = run("review", "--season", damaged, "--list")
    assert result.exit_code == 2 and "bad.db" in result.stderr
    assert damaged.read_bytes() == b"not a season file at all" * 100


def test_answers_and_the_list_go_together_and_an_empty_list_says_so(season: Path):
    first = run("review", "--season", season, "--list")
    assert first.exit_code == 0 and "Nothing is asked" not in first.stdout
    for _ in range(9):
        questions = [line.split()[0] for line in run("review", "--season", season, "--list").stdout.splitlines()]
        if questions == ["Nothing"]:
            break
        text = "written" if questions[0].endswith("/official") else "174"
        both = run("review", "--season", season, "--list", "--answer", f"{questions[0]}={text}", "--by", "Ruth")
        assert both.exit_code == 0
        told, *left = both.stdout.splitlines()
        assert told == f"{questions[0]}: {text}, says Ruth"
        assert questions[0] not in {line.split()[0] for line in left}
        assert left == run("review", "--season", season, "--list").stdout.splitlines()
    assert run("review", "--season", season, "--list").stdout.startswith("Nothing is asked: ")


@pytest.mark.parametrize("option", ["--browser", "--no-browser"])
def test_the_page_is_said_to_be_open_only_if_it_was_opened(season: Path, monkeypatch, option: str):
    opened = []
    monkeypatch.setattr("scanner.commands.review.serve",
                        lambda desk, say, browse: (say("http://x"), opened.append(browse)))
    told = run("review", "--season", season, option).stdout
    assert "http://x" in told and "Every answer is saved at once" in told
    assert ("is open in your browser" in told) == (opened != [None]) == (option == "--browser")
