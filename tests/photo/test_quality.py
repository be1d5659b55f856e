"""Faults of a picture are said where they are, and only there; refusals name the side, or what the pad looks like."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_pads import photographed

from scanner.photo.candidates import find_grids
from scanner.photo.load import Photo
from scanner.photo.quality import look_at, unwritten
from scanner.photo.reasons import cut_sides
from scanner.photo.rulings import line_map
from scanner.photo.sheets import Grid, find_sheets
from scanner.pipeline import Settings, scan_photo
from scanner.sheet.layout import Column, built_in_layouts
from scanner.sheet.results import PhotoError

LAYOUTS = built_in_layouts()
EVANSVILLE = LAYOUTS[0]
SIZE = (720, 960)
CORNERS = [(142.0, 97.0), (555.0, 67.0), (637.0, 847.0), (90.0, 892.0)]


def found(pixels: np.ndarray) -> Grid:
    sheets = find_sheets(Photo("x.jpg", "0" * 64, pixels), LAYOUTS)
    assert not isinstance(sheets, PhotoError), sheets.message
    return sheets[0].grids[0]


def over(nodes: np.ndarray, first: int, last: int, colour: tuple[int, int, int], pixels: np.ndarray) -> np.ndarray:
    """The photo with the hand rows from ``first`` to ``last`` painted over, frame to frame."""
    corners = np.array([nodes[first, 0], nodes[first, -1], nodes[last + 1, -1], nodes[last + 1, 0]])
    wide = (corners - corners.mean(axis=0)) * np.array([1.04, 1.0]) + corners.mean(axis=0)
    return cv2.fillConvexPoly(pixels.copy(), np.rint(wide).astype(np.int32), colour)


@pytest.fixture(scope="module")
def clean() -> tuple[np.ndarray, np.ndarray]:
    pixels, (nodes,) = photographed(EVANSVILLE, SIZE, CORNERS)
    return pixels, nodes


def test_a_good_picture_has_no_faults(clean: tuple[np.ndarray, np.ndarray]) -> None:
    look = found(clean[0]).look
    assert look.faults == () and look.hidden == frozenset()


@pytest.mark.parametrize(("code", "spoil"), [
    ("too-dark", lambda p: (p * 0.22).astype(np.uint8)),
    ("blurred", lambda p: cv2.GaussianBlur(p, (0, 0), 5.5)),
])
def test_a_fault_of_the_whole_picture_is_said_with_advice(code: str, spoil, clean) -> None:
    faults = {fault.code: fault for fault in found(spoil(clean[0])).look.faults}
    assert code in faults
    assert faults[code].rows == () and faults[code].advice.endswith(".") and faults[code].message.endswith(".")


def test_rows_of_few_photo_pixels_are_too_small(clean) -> None:
    lines = line_map(clean[0])
    row = 0.4 * np.median(np.linalg.norm(np.diff(clean[1], axis=0), axis=-1))
    (grid,) = find_grids(lines, clean[0], LAYOUTS)
    (fault,) = look_at(replace(lines, scale=0.4), grid.fit.warp, 2).faults  # as if the photo had been shrunk to this
    assert fault.code == "too-small" and fault.grid == 2 and f" {row:.0f} pixels" in fault.message


def test_glare_is_said_on_the_rows_it_is_on_and_their_cells_are_not_trusted(clean) -> None:
    pixels, nodes = clean
    look = found(over(nodes, 7, 9, (255, 255, 255), pixels)).look
    (fault,) = look.faults
    assert fault.code == "glare" and fault.rows == (7, 8, 9) and "rows 7 to 9" in fault.message
    assert {row for row, _ in look.hidden} == {7, 8, 9}


def test_a_thing_on_the_sheet_is_said_where_it_lies(clean) -> None:
    pixels, nodes = clean
    look = found(over(nodes, 10, 11, (30, 60, 170), pixels)).look
    (fault,) = look.faults
    assert fault.code == "covered" and fault.rows == (10, 11)
    assert look.hidden == {(row, key) for row in (10, 11) for key in EVANSVILLE.keys}


@pytest.mark.parametrize(("part", "side"), [
    (np.s_[:, :520], "right"), (np.s_[:700], "bottom"), (np.s_[330:], "top"), (np.s_[:, 230:], "left"),
])
def test_a_cut_off_sheet_is_refused_with_the_side(part, side: str, clean) -> None:
    error = find_sheets(Photo("x.jpg", "0" * 64, np.ascontiguousarray(clean[0][part])), LAYOUTS)
    assert isinstance(error, PhotoError)
    where = error.message.partition("cut off at the ")[2]
    assert not where or side in where


def test_sides_are_named_in_words() -> None:
    points = np.array([[5.0, 40.0], [96.0, 97.0]])
    assert cut_sides(points, (100, 100), 6.0) == "left and right and bottom"
    assert cut_sides(points, (100, 100), 2.0) == ""


def test_an_unknown_pad_is_described_and_the_way_out_named() -> None:
    columns = tuple(Column(f"c{i}", (), w, True) for i, w in enumerate((8.0, 20.0, 20.0, 14.0, 14.0, 10.0)))
    pad = replace(EVANSVILLE, name="new", columns=columns, row_heights=(8.0,) * 15, heading_height=8.0)
    error = find_sheets(Photo("x.jpg", "0" * 64, photographed(pad, SIZE, CORNERS)[0]), LAYOUTS)
    assert isinstance(error, PhotoError) and error.code == "unknown-layout"
    assert "6 columns and 15 rows" in error.message and "clabber layout learn x.jpg" in error.message


@pytest.mark.parametrize(("grids", "played", "named"), [
    ([1], [], [1]), ([1, 2], [], [1, 2]), ([1, 2], [2], [1]), ([1, 2, 3], [3], [1, 2]), ([1, 2, 3], [1, 3], [2]),
    ([1], [1], []), ([1, 2], [1], []), ([1, 2], [1, 2], []), ([], [], []),
])  # fmt: skip
def test_a_grid_without_hands_is_named_where_a_game_must_be_expected(grids, played, named):
    faults = unwritten(grids, played)
    assert [f.grid for f in faults] == named
    assert all(f.code == "nothing-read" and str(f.grid) in f.message and f.advice for f in faults)


def test_a_photo_of_an_empty_pad_says_that_nothing_was_read(tmp_path: Path):
    """As it looks when light has taken all ink: rulings are there, and nothing between them."""
    cv2.imwrite(str(tmp_path / "empty.png"), photographed(EVANSVILLE, SIZE, CORNERS)[0])
    scan = scan_photo(tmp_path / "empty.png", "empty.png", Settings(LAYOUTS))
    assert scan.result.error is None and not scan.result.sheets[0].games
    assert [f.code for f in scan.result.sheets[0].faults if f.code == "nothing-read"] == ["nothing-read"]
