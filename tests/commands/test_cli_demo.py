"""``clabber demo`` and ``clabber evaluate`` on one sample sheet: everything promised is there and says the same."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scanner.cli import app
from scanner.commands.sample_season import sample_season, settle_heads
from scanner.season.store import open_season
from scanner.sheet.errors import InputError

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sheets"


@pytest.fixture
def one_sample(tmp_path: Path) -> Path:
    photo = min(SAMPLES.glob("*.jpg"), key=lambda path: path.stat().st_size)
    (tmp_path / "samples").mkdir()
    for path in (photo, photo.with_suffix(".json"), SAMPLES / "roster.toml"):
        shutil.copy(path, tmp_path / "samples")
    return tmp_path / "samples"


def test_the_demo_writes_what_it_names_and_compares_with_the_truth(one_sample: Path, tmp_path: Path):
    answer = CliRunner().invoke(app, ["demo", "--samples", str(one_sample), "--out", str(tmp_path / "out")])
    assert answer.exit_code == 0, answer.stderr
    truth = json.loads(next(one_sample.glob("*.json")).read_text())
    cells = sum(len(row) for game in truth["games"] for row in game["rows"])
    assert re.search(rf"cells as written\s+\d+ of {cells} ", answer.stdout)
    for line in answer.stdout.split("Look at:")[1].splitlines():
        assert not line.strip() or Path(line.split()[0]).exists(), line
    assert len(list((tmp_path / "out" / "overlays").iterdir())) == 1
    scan = json.loads((tmp_path / "out" / "scan.json").read_text())
    assert [Path(photo["photo"]).name for photo in scan["photos"]] == [truth["photo"]]


def test_evaluate_prints_every_line_in_total_and_by_difficulty(one_sample: Path):
    answer = CliRunner().invoke(app, ["evaluate", str(one_sample)])
    assert answer.exit_code == 0, answer.stderr
    truth = json.loads(next(one_sample.glob("*.json")).read_text())
    assert answer.stdout.split("\n")[0].split() == ["all", truth["camera"]["level"]]
    assert re.search(r"photos read\s+1 of 1 = 100.00 %\s+1 of 1 = 100.00 %", answer.stdout)
    assert re.search(r"seconds a photo \(median\)\s+\d+\.\d\d", answer.stdout)


def test_the_demo_reports_on_the_league_in_the_folder_and_keeps_other_sheets_apart(one_sample: Path, tmp_path: Path):
    league = one_sample / "season"
    league.mkdir()
    photos = sorted((SAMPLES / "season").glob("*.jpg"), key=lambda path: path.stat().st_size)[:1]
    for path in (*photos, *(photo.with_suffix(".json") for photo in photos), SAMPLES / "season" / "roster.toml"):
        shutil.copy(path, league)
    answer = CliRunner().invoke(app, ["demo", "--samples", str(one_sample), "--out", str(tmp_path / "out")])
    assert answer.exit_code == 0, answer.stderr
    assert f"Against the truth of {one_sample}:" in answer.stdout and f"truth of {league}:" in answer.stdout
    named = {Path(line.split()[0]).relative_to(tmp_path / "out").parts[0]
             for line in answer.stdout.split("Look at:")[1].splitlines() if line.strip()}
    assert named == {path.name for path in (tmp_path / "out").iterdir()}, "all that was written is named"
    assert len(list((tmp_path / "out" / "overlays").iterdir())) == 2
    games = (tmp_path / "out" / "report" / "games.csv").read_text("utf-8").splitlines()[1:]
    truths = [json.loads(photo.with_suffix(".json").read_text("utf-8")) for photo in photos]
    told = {tuple(game.split(",")[1:4]) for game in games}
    assert told == {(t["iso_date"], t["teams"]["we"], t["teams"]["they"]) for t in truths}, "heads put right"


@pytest.fixture
def small_league(tmp_path: Path) -> Path:
    photo = min((SAMPLES / "season").glob("*.jpg"), key=lambda path: path.stat().st_size)
    (tmp_path / "season").mkdir()
    for path in (photo, photo.with_suffix(".json"), SAMPLES / "season" / "roster.toml"):
        shutil.copy(path, tmp_path / "season")
    return tmp_path / "season"


def test_the_sample_season_is_scanned_once_and_anew_after_a_change(small_league: Path, tmp_path: Path):
    cache = tmp_path / "cache"
    first = sample_season(small_league, cache)
    made = first.stat().st_mtime_ns
    assert sample_season(small_league, cache) == first and first.stat().st_mtime_ns == made
    (small_league / "roster.toml").write_text((small_league / "roster.toml").read_text() + '\n[[teams]]\nname = "X"\n')
    second = sample_season(small_league, cache)
    assert second != first and [path.name for path in cache.iterdir()] == [second.name]


def test_heads_are_counted_by_what_the_scan_knew_of_them(small_league: Path, tmp_path: Path):
    truth = json.loads(next(small_league.glob("*.json")).read_text("utf-8"))
    copy = tmp_path / "copy.db"
    shutil.copy(sample_season(small_league, tmp_path / "cache"), copy)
    with open_season(copy) as season:
        sheet = season.select("SELECT sheet_id FROM sheets")[0]["sheet_id"]
        heads = {what: season.select(f"SELECT {what}_settled, {what} FROM sheets")[0] for what in ("we", "they")}
        assert [head[0] or head[1] for head in heads.values()] == list(truth["teams"].values())
        count = settle_heads(season, [truth | {"iso_date": None, "teams": {"we": "Nobody", "they": "No One"}}])
        assert count["heads"] == 3 and count["right"] + count["asked"] + count["silent"] == 3
        assert season.select("SELECT we_settled FROM sheets WHERE sheet_id = ?", sheet)[0][0] == "Nobody"


def test_without_the_projects_folder_it_says_so(tmp_path: Path):
    with pytest.raises(InputError, match="comes with the project's folder"):
        sample_season(tmp_path / "nowhere", tmp_path / "cache")
