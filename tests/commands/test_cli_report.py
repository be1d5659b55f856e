"""``clabber report``: the league's file gives order and forfeits; what cannot be used is said with status 2."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scanner.cli import app


@pytest.fixture
def season(tmp_path: Path) -> Path:
    rows = [{"we_total": "300", "they_total": "-"}, {"we_total": "504", "they_total": "-"}]
    typed = {"layout": "evansville", "teams": {"we": "Owls", "they": "Elks"}, "date": "2026-03-07",
             "games": [{"rows": rows, "winner_mark": "we"}]}
    (tmp_path / "game.json").write_text(json.dumps(typed))
    answer = CliRunner().invoke(app, ["import", str(tmp_path / "game.json"), "--season", str(tmp_path / "season.db")])
    assert answer.exit_code in (0, 1), answer.stderr
    return tmp_path / "season.db"


def report(season: Path, *more: str):
    return CliRunner().invoke(app, ["report", "--season", str(season), "--out", str(season.parent / "out"), *more])


def test_the_league_gives_forfeits_and_order(season: Path):
    (season.parent / "plan.csv").write_text("week,we,they,forfeit\n1,Owls,Elks,\n2,Moose,Elks,Moose\n")
    (season.parent / "league.toml").write_text('name = "Ours"\nranking = "points"\nfixtures = "plan.csv"\n')
    answer = report(season, "--league", str(season.parent / "league.toml"))
    assert answer.exit_code == 0, answer.stderr
    assert len(answer.stdout.splitlines()) == 6
    with (season.parent / "out" / "standings.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["team"]: (row["rank"], row["played"], row["points_for"]) for row in csv.DictReader(file)}
    assert rows == {"Owls": ("1", "1", "504"), "Elks": ("2", "2", "500"), "Moose": ("3", "1", "0")}


@pytest.mark.parametrize("more", [("--league", "nowhere.toml"), ("--ranking", "luck")])
def test_what_cannot_be_used_is_said(season: Path, more: tuple[str, str]):
    answer = report(season, *more)
    assert answer.exit_code == 2 and more[1] in answer.stderr
