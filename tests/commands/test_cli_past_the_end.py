"""A game played on after its end, from the typed file to the standings: asked about, and put right by one answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import analysis
from analysis import audit, whatif
from analysis.frames import load
from scanner.cli import app

HEADING = "layout,date,we,they,we_points,we_total,they_total,they_points,winner_mark\n"
#: Hand-worked: 524 to 0 after hand 2; what is written after that turns the game, or only moves its points.
TURNED = ("262,262,-,-", "262,524,-,-", "-,524,262,262", "-,524,524,262", "-,524,686,162")
MOVED = ("262,262,-,-", "262,524,-,-", "-,524,162,162")
#: Won by We, whose total is 100 too low from hand 3 on: the end was passed over, and hands 4 and 5 turned it.
HIDDEN = ("262,262,20,20", "132,394,50,30", "108,402,124,74", "-,402,386,262", "-,402,548,162")


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def typed(folder: Path, rows: tuple[str, ...], mark: str) -> Path:
    first = f"beside,2026-03-07,Eagles,Owls,{rows[0]},{mark}\n"
    path = folder / "game.csv"
    path.write_text(HEADING + first + "".join(f",,,,{row},\n" for row in rows[1:]))
    return path


@pytest.mark.parametrize(("rows", "mark", "written", "corrected"), [
    (TURNED, "they", ("Owls", 524, 686), ("Eagles", 524, 0)),
    (MOVED, "we", ("Eagles", 524, 162), ("Eagles", 524, 0)),
    (HIDDEN, "they", ("Owls", 402, 548), ("Eagles", 502, 124)),
])
def test_it_is_asked_about_and_an_answer_changes_the_standings(tmp_path, rows, mark, written, corrected):
    season = tmp_path / "season.db"
    assert run("import", typed(tmp_path, rows, mark), "--season", season).exit_code == 0
    assert official(season) == written, "the paper counts until a person decides"
    frames = load(season)
    turned = written[0] != corrected[0]
    assert len(audit.changed_winners(frames.games)) == turned
    given = audit.points_given(frames.games).set_index("team")
    assert given.loc["Eagles", "own"] == written[1] - corrected[1]
    assert given.loc["Owls", ["own", "won"]].tolist() == [written[2] - corrected[2], turned]
    again = whatif.replayed(frames.games, frames.hands, totals="corrected").iloc[0]
    assert (again["winner"], again["we_total"], again["they_total"]) == corrected
    (asked,) = [line for line in run("review", "--season", season, "--list").stdout.splitlines() if "/official" in line]
    answered = run("review", "--season", season, "--answer", f"{asked.split()[0]}=corrected", "--by", "Ruth")
    assert answered.exit_code == 0, answered.stderr
    assert official(season) == corrected
    assert "/official" not in run("review", "--season", season, "--list").stdout


def official(season: Path) -> tuple[str, int, int]:
    games = load(season).games
    first = analysis.standings(games).iloc[0]
    assert first["team"] == games["winner"][0] and first["won"] == 1
    return games["winner"][0], games["we_total"][0], games["they_total"][0]


def test_check_says_both_winners(tmp_path):
    answer = run("check", typed(tmp_path, TURNED, "they"))
    assert "They won, as written. By the corrected totals We won." in " ".join(answer.stdout.split())
