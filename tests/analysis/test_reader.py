"""The reader held against the truth: on a season made by hand, and calibration on numbers whose answer is known."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest
from simulated import play, result_of, save

from analysis.reader import by_kind, read_cells, reliability
from scanner.season.store import open_season


@pytest.fixture
def season(tmp_path):
    """One game read in full, with one cell wrong and asked and one wrong and not; and the truth of another photo."""
    game = play(random.Random(2), "A", "B", "2026-01-05")
    result = result_of(game)
    rows = list(result.rows)
    truth = [{key: cell.text for key, cell in row.cells.items()} for row in rows]
    for number, asked in ((0, True), (1, False)):
        cells = dict(rows[number].cells)
        cells["we_total"] = dataclasses.replace(cells["we_total"], text="3", confidence=0.7, review=asked)
        rows[number] = dataclasses.replace(rows[number], cells=cells)
    save(tmp_path / "season.db", [game], [dataclasses.replace(result, rows=tuple(rows))])
    with open_season(tmp_path / "season.db") as file:
        photo = file.select("SELECT photo FROM photos")[0]["photo"]
    truths = [{"photo": photo, "layout": "evansville", "games": [{"rows": truth}], "camera": {"level": "easy"}},
              {"photo": "never.jpg", "layout": "beside", "games": [{"rows": [{"we_total": "9"}]}]}]
    return tmp_path / "season.db", truths, sum(len(row) for row in truth)


def test_every_true_cell_is_told_with_both_voices(season):
    path, truths, count = season
    cells = read_cells(path, truths)
    assert len(cells) == count + 1
    wrong = cells[~cells["kept"] & (cells["layout"] == "evansville")]
    assert wrong["decided"].tolist() == ["3", "3"] and wrong["asked"].tolist() == [True, False]
    assert wrong["silent"].tolist() == [False, True]
    missed = cells[cells["photo"] == "never.jpg"].iloc[0]
    assert (missed["read"], missed["confidence"], missed["kept"], missed["silent"]) == ("", 0.0, False, True)


def test_it_is_counted_by_any_column(season):
    path, truths, count = season
    table = by_kind(read_cells(path, truths), "layout").set_index("layout")
    assert table.loc["evansville", "cells"] == count and table.loc["beside", "wrong"] == 1
    assert ((table["low"] <= table["rate"]) & (table["rate"] <= table["high"])).all()


def test_a_calibrated_reader_lies_on_the_line_and_a_boaster_below_it():
    rng = np.random.default_rng(1)
    confidence = rng.uniform(0.3, 1, 20_000)
    honest = reliability(confidence, rng.random(20_000) < confidence)
    assert ((honest["low"] <= honest["stated"]) & (honest["stated"] <= honest["high"])).mean() > 0.7
    assert honest["n"].sum() == 20_000
    boaster = reliability(confidence, rng.random(20_000) < confidence**3)
    assert (boaster["share"] < boaster["stated"]).iloc[:6].all()


def test_classes_hold_their_upper_edge_and_empty_ones_are_left_out():
    table = reliability([1.0, 0.5, 0.0], [True, False, False], (0, 0.5, 0.9, 1))
    assert table[["high_edge", "n"]].to_numpy().tolist() == [[0.5, 2], [1.0, 1]]
    assert len(reliability([], [])) == 0
