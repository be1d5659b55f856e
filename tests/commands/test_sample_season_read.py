"""The sample season from end to end: its photographs, scanned by this very program, against their truth."""

from __future__ import annotations

from pathlib import Path

import pytest

import analysis
from analysis.reader import read_cells
from scanner.commands.sample_season import SAMPLES, sample_season
from scanner.season.store import open_season
from scanner.workshop.evaluate import load_truths

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="sample_sheets/season is not here")


@pytest.fixture(scope="module")
def season() -> Path:
    return sample_season()


def test_the_sheets_are_read_as_they_are_written(season: Path):
    cells = read_cells(season, load_truths(SAMPLES))
    refused = cells.groupby("photo")["sure"].max().eq(0).sum()
    assert refused <= 1, "of 28 whole sheets, easy and medium"
    seen = cells[cells["sure"] > 0]
    assert seen["kept"].mean() >= 0.99 and seen["silent"].mean() <= 0.005 and seen["asked"].mean() <= 0.02
    assert seen["right"].mean() >= 0.93, "the reader alone"


def test_the_slips_are_found_where_they_were_made_and_nobody_else_is_accused(season: Path):
    with open_season(season, create=False) as file:
        told = {(row["photo"], row["row"]) for row in file.select(
            "SELECT photo, row FROM problems JOIN games USING (game_id) JOIN sheets USING (sheet_id)"
            " JOIN photos USING (sha256) WHERE code NOT IN ('unreadable', 'winner-mark')")}
    made = {(t["photo"], slip["row"]) for t in load_truths(SAMPLES) for g in t["games"] for slip in g["slips"]}
    assert len(made & told) >= len(made) - 2 and len(told - made) <= 1


def test_the_league_counts_them_as_its_fixtures_say(season: Path):
    frames = analysis.load(season, SAMPLES / "league.toml")
    assert frames.games["set_aside"].isna().all()
    assert (frames.fixtures["status"] == "played").sum() == len(frames.games) >= 27
    truths = {t["photo"]: t for t in load_truths(SAMPLES)}
    for game in frames.games.itertuples():
        truth = truths[Path(game.photo).name]
        assert (game.we, game.they, game.date.date().isoformat()) == (*truth["teams"].values(), truth["iso_date"])
        assert game.winner_side == truth["games"][0]["winner"]
