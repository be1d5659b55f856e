"""A photographed sheet with a patch of pure light on it: what the pipeline makes of the cells in the patch."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner.photo.load import Photo
from scanner.photo.sheets import find_sheets
from scanner.pipeline import decode_sheet, read_sheet
from scanner.reader.head import Head
from scanner.scorekeeper.likelihood import blown_out
from scanner.sheet.layout import built_in_layouts, load_layout
from scanner.workshop.samples import make_sample
from scanner.workshop.tour import Sheet

KEYS = load_layout("evansville").keys


@pytest.fixture(scope="module")
def sheet():
    plan = Sheet("evansville", "easy", (1200, 1600), care=0.0)
    sample = make_sample(plan, load_layout("evansville"), np.random.default_rng(3))
    (found,) = find_sheets(Photo("x.jpg", "0" * 64, sample.shot.pixels), built_in_layouts())
    return sample, found


def under_light(sample, rows):
    """The picture with everything about these rows pure white, rulings and margins too."""
    nodes = np.array(sample.truth["ruling_nodes"][0])
    top = len(nodes) - 1 - load_layout("evansville").rows
    first, last = nodes[top + rows[0] - 1], nodes[top + rows[-1]]
    patch = np.array([first[0] + (-60, -14), first[-1] + (60, -14), last[-1] + (60, 14), last[0] + (-60, 14)])
    return cv2.fillPoly(sample.shot.pixels.copy(), [np.round(patch).astype(np.int32)], (255, 255, 255))


def decoded(found, readings):
    (game,) = decode_sheet(found, readings, Head()).games
    return {row.row: row.cells for row in game.rows}


def test_a_clear_sheet_has_no_such_cell_and_all_is_read(sheet):
    sample, found = sheet
    readings = read_sheet(sample.shot.pixels, found)
    assert not any(blown_out(reading) for reading in readings.values())
    rows = decoded(found, readings)
    assert [{k: c.text for k, c in rows[n].items()} for n in rows] == sample.truth["games"][0]["rows"]


def test_the_last_hands_under_the_light_are_asked_for_not_lost(sheet):
    sample, found = sheet
    written = len(sample.truth["games"][0]["rows"])
    gone = (written, written + 1)
    readings = read_sheet(under_light(sample, range(gone[0], gone[1] + 1)), found)
    assert {(row, key) for (_, row, key), reading in readings.items() if blown_out(reading)} >= {
        (row, key) for row in gone for key in KEYS}  # fmt: skip
    rows = decoded(found, readings)
    assert all(cell.review for cell in rows[written].values())
    assert not any(cell.review for n in range(1, written) for cell in rows[n].values())
