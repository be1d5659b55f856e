"""``clabber schedule`` from the outside: every pair once, byes stated, read back as a league's schedule."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from analysis.leaguefile import load_league
from scanner.cli import app

NAMES = ("Eagles", "Owls", "=Hawks", 'The "Bears", etc', "Foxes")


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    (tmp_path / "roster.toml").write_text("".join(f"[[teams]]\nname = '{name}'\n" for name in NAMES))
    return tmp_path / "roster.toml"


def test_every_pair_meets_once_and_who_rests_is_said(roster, tmp_path):
    answer = run("schedule", "--roster", roster, "--first", "2026-01-05", "--out", tmp_path / "plan.csv")
    assert answer.exit_code == 0 and "5 teams, 5 weeks" in answer.stdout, answer.stderr
    assert ",'=Hawks," in (tmp_path / "plan.csv").read_text(), "no spreadsheet takes a name for a formula"
    (tmp_path / "league.toml").write_text('roster = "roster.toml"\nfixtures = "plan.csv"\n')
    plan = load_league(tmp_path / "league.toml").fixtures
    assert Counter(frozenset((f.we, f.they)) for f in plan if f.they) == Counter(map(frozenset, combinations(NAMES, 2)))
    assert sorted(f.we for f in plan if not f.they) == sorted(NAMES)
    assert {f.week: f.date for f in plan} == {
        1: "2026-01-05", 2: "2026-01-12", 3: "2026-01-19", 4: "2026-01-26", 5: "2026-02-02"}


def test_nothing_is_written_over_and_a_wrong_day_is_named(roster, tmp_path):
    (tmp_path / "plan.csv").write_text("mine")
    there = run("schedule", "--roster", roster, "--out", tmp_path / "plan.csv")
    assert there.exit_code == 2 and "exists already" in there.stderr and (tmp_path / "plan.csv").read_text() == "mine"
    wrong = run("schedule", "--roster", roster, "--first", "5.1.26", "--out", tmp_path / "new.csv")
    assert wrong.exit_code == 2 and "no day" in wrong.stderr and not (tmp_path / "new.csv").exists()


def test_one_team_makes_no_schedule(tmp_path):
    (tmp_path / "one.toml").write_text('[[teams]]\nname = "Owls"\n')
    answer = run("schedule", "--roster", tmp_path / "one.toml", "--out", tmp_path / "plan.csv")
    assert answer.exit_code == 2 and "two or more" in answer.stderr
