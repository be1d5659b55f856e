"""The season that is shipped: a whole round robin with its truth, small, and made again by the command it names."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scanner.sheet.layout import load_layout
from scanner.workshop import sample_season
from scanner.workshop.seasons import keep_season

SHIPPED = Path(__file__).resolve().parents[2] / "sample_sheets" / "season"
TRUTHS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(SHIPPED.glob("*.json"))}


def rows(name: str) -> list[dict[str, str]]:
    with (SHIPPED / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_pair_meets_once_and_every_meeting_has_its_sheet():
    teams = [team["name"] for team in tomllib.loads((SHIPPED / "roster.toml").read_text("utf-8"))["teams"]]
    assert len(teams) == 8 == len(rows("strengths.csv"))
    fixtures = {(row["date"], row["we"], row["they"]) for row in rows("fixtures.csv")}
    assert sorted(sorted(f[1:]) for f in fixtures) == sorted(map(sorted, combinations(teams, 2)))
    assert {(t["iso_date"], t["teams"]["we"], t["teams"]["they"]) for t in TRUTHS.values()} == fixtures
    assert len(TRUTHS) == 28 == len(list(SHIPPED.glob("*.jpg")))


@pytest.mark.parametrize("name", TRUTHS)
def test_the_truth_hangs_together_with_its_picture(name: str):
    truth = TRUTHS[name]
    layout = load_layout(truth["layout"])
    nodes = np.array(truth["ruling_nodes"])
    with Image.open(SHIPPED / truth["photo"]) as picture:
        turned = picture.getexif()[0x0112] >= 5
        assert list(picture.size[::-1] if turned else picture.size) == truth["camera"]["size"]
    assert (nodes > 0).all() and (nodes < truth["camera"]["size"]).all()
    (game,), (played,) = truth["games"], truth["true_games"]
    assert len(game["rows"]) == len(played["hands"]) <= layout.rows
    wrong = {slip["row"] for slip in game["slips"]}
    we = they = 0
    for number, (row, hand) in enumerate(zip(game["rows"], played["hands"], strict=True), 1):
        we, they = we + hand["we"], they + hand["they"]
        if wrong and number >= min(wrong):
            break  # what follows stands on a wrong total
        for side, total in (("we", we), ("they", they)):
            assert not row[f"{side}_total"].isdigit() or int(row[f"{side}_total"]) == total
        assert hand["set"] is None or hand[hand["set"]] == 0


def test_there_is_something_to_find():
    games = [truth["games"][0] for truth in TRUTHS.values()]
    assert sum(len(game["slips"]) for game in games) >= 8 and sum(len(game["struck"]) for game in games) >= 10
    assert {truth["layout"] for truth in TRUTHS.values()} == {"beside", "double", "evansville"}


def test_the_folder_stays_small():
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 8e6


def test_the_command_in_its_readme_plays_these_games():
    """The games and sheets, that is; photographs may differ by a bit between machines."""
    said = re.search(r"sample_season --out \S+ --seed (\d+)", (SHIPPED / "README.md").read_text("utf-8"))
    season = keep_season(sample_season.TEAMS, int(said[1]))
    assert sample_season.fixtures_text(season) == (SHIPPED / "fixtures.csv").read_text("utf-8")
    for game in season.games:
        truth = TRUTHS[game.name]
        assert [{k: e.text for k, e in row.items()} for row in game.written.rows] == truth["games"][0]["rows"]


def test_a_small_season_comes_out_the_same_again(tmp_path, monkeypatch):
    monkeypatch.setattr(sample_season, "_SIDE", 480)
    made = [sample_season.make_sample_season(tmp_path / place, teams=2, seed=1) for place in "ab"]
    files = [{path.name: path.read_bytes() for path in photos[0].parent.iterdir()} for photos in made]
    assert files[0] == files[1] and {Path(name).suffix for name in files[0]} == {".jpg", ".json", ".toml", ".csv"}
