"""Numbers followed back to their cells in the photo, with what was read, found and decided there."""

from __future__ import annotations

import dataclasses
import random

import pytest
from simulated import play, result_of, slip

import analysis
from analysis.leaguefile import Fixture, League
from analysis.provenance import cells_of, trace
from scanner.season.store import open_season
from scanner.sheet.errors import InputError
from scanner.sheet.results import CellResult, Label, PhotoResult, SheetResult

BOX = ((10.0, 20.5), (110.0, 20.0), (112.5, 60.0), (9.0, 61.0))


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    path = tmp_path_factory.mktemp("provenance") / "season.db"
    game = dataclasses.replace(result_of(play(random.Random(5), "A", "B", None)), problems=(slip(3, 10, False),))
    cell = CellResult("310", 0.8, True, "300", BOX, (("310", 0.8), ("810", 0.2)))
    row = dataclasses.replace(game.rows[2], row=4, cells=game.rows[2].cells | {"we_total": cell})  # row 3 is blank
    game = dataclasses.replace(game, rows=(*game.rows[:2], row), problems=(slip(4, 10, False),))
    sheet = SheetResult("evansville", 1.0, BOX, (game,), {"we": Label("A", 1.0), "they": Label("B", 1.0)})
    with open_season(path) as season:
        season.add_photo(PhotoResult("nights/a.jpg", "ab" * 32, 300, 400, (sheet,)))
        season.answer("abababab/1/1/4/we_total", "810", "Ruth", "clear on the paper")
        season.answer("abababab/1/1/4/we_total", "310", "Ann")
    return analysis.load(path, League(fixtures=(Fixture("season", 1, None, "A", "C", "they"),)))


def test_a_hand_leads_to_its_row_and_the_photo(frames):
    cells = cells_of(frames, "abababab/1/1", 3)
    assert cells["cell_id"].tolist() == ["abababab/1/1/4/we_total", "abababab/1/1/4/they_total"]
    assert set(cells["photo"]) == {"nights/a.jpg"} and set(cells["sha256"]) == {"ab" * 32}
    assert len(cells_of(frames, "abababab/1/1")) == 6 and len(cells_of(frames, "forfeit/season/1")) == 0


def test_a_cell_tells_its_corners_its_readings_and_who_decided_what(frames):
    cell = trace(frames, "abababab/1/1/4/we_total")
    assert cell["corners"] == list(BOX) and cell["likely"] == {"310": 0.8, "810": 0.2} and cell["struck"] == "300"
    assert (cell["read"], cell["text"], cell["settled_by"]) == ("310", "310", "Ann")
    assert [(d["by"], d["before"], d["text"]) for d in cell["decisions"]] == [("Ruth", "310", "810"),
                                                                             ("Ann", "810", "310")]
    assert cell["findings"] == ["Hand 4: a slip of 10."]
    assert trace(frames, "abababab/1/1/1/we_total")["corners"] is None


@pytest.mark.parametrize(("call", "message"), [
    (lambda f: cells_of(f, "abababab/1/2"), "no such game. Did you mean abababab/1/1"),
    (lambda f: cells_of(f, "abababab/1/1", 9), "no hand 9"),
    (lambda f: trace(f, "abababab/1/1/4/we_totl"), "no such cell. Did you mean abababab/1/1/4/we_total"),
])
def test_what_is_not_there_is_named(frames, call, message):
    with pytest.raises(InputError, match=message):
        call(frames)
