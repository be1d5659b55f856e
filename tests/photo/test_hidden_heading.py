"""Sheets with a thing over their heading row: read where the rows cannot be others, refused where they can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_pads import Look, photographed

from scanner.photo.load import Photo
from scanner.photo.printed import find_tesseract
from scanner.photo.sheets import FoundSheet, find_sheets
from scanner.sheet.layout import Layout, built_in_layouts
from scanner.sheet.results import PhotoError

LAYOUTS = built_in_layouts()
EVANSVILLE, BESIDE, DOUBLE = LAYOUTS
SIZE = (720, 960)
CORNERS = [(142.0, 97.0), (555.0, 67.0), (637.0, 847.0), (90.0, 892.0)]
WIDE = [(70.0, 100.0), (650.0, 120.0), (690.0, 800.0), (30.0, 780.0)]
STEEL, WOOD, ROSE = (120, 124, 130), (225, 190, 120), (240, 190, 190)

pytestmark = pytest.mark.skipif(find_tesseract() is None, reason="nothing here reads print")


def drawn(layout: Layout, look: Look | None = None, written: Sequence[int] = (1, 2, 3)) -> tuple[np.ndarray, list]:
    """A photo of a pad with a stroke in every cell of some rows, from 1 under the heading, and its crossings."""
    pixels, grids = photographed(layout, SIZE, WIDE if layout.games > 1 else CORNERS, look, bend=1.5)
    for nodes in grids:
        for row in written:
            cells = (nodes[row, :-1] + nodes[row, 1:] + nodes[row + 1, :-1] + nodes[row + 1, 1:]) / 4
            for x, y in np.rint(cells).astype(int):
                stroke = np.array([[x - 9, y - 7], [x + 2, y + 7], [x + 8, y - 6]])
                cv2.polylines(pixels, [stroke], False, (40, 50, 140), 2)
    return pixels, grids


def covered(pixels: np.ndarray, grids: list, top: float, bottom: float, colour: tuple = STEEL) -> np.ndarray:
    """The photo with a thing across all grids from one place to another, in rows below the first ruling."""
    left, right = grids[0][:, 0], grids[-1][:, -1]

    def at(side: np.ndarray, row: float) -> np.ndarray:
        k = int(np.clip(np.floor(row), 0, len(side) - 2))
        return side[k] + (row - k) * (side[k + 1] - side[k])

    band = np.array([at(left, top), at(right, top), at(right, bottom), at(left, bottom)])
    band += np.array([[-30, 0], [30, 0], [30, 0], [-30, 0]])
    return cv2.fillConvexPoly(pixels.copy(), np.rint(band).astype(np.int32), colour)


def look_for(pixels: np.ndarray, layouts: Sequence[Layout] = LAYOUTS) -> tuple[FoundSheet, ...] | PhotoError:
    return find_sheets(Photo("x.jpg", "0" * 64, pixels), layouts)


def assert_read(found: tuple[FoundSheet, ...] | PhotoError, layout: Layout, grids: list) -> None:
    """All crossings within 0.06 rows, those of the first ruling too, which nobody sees."""
    assert not isinstance(found, PhotoError), found.message
    (sheet,) = found
    assert sheet.layout == layout and sheet.layout_confidence > 0.9 and len(sheet.grids) == len(grids)
    row = np.linalg.norm(np.diff(grids[0], axis=0), axis=-1).mean()
    off = [np.linalg.norm(g.nodes - n, axis=-1).max() for g, n in zip(sheet.grids, grids, strict=True)]
    assert max(off) < 0.06 * row
    assert "covered" in [fault.code for grid in sheet.grids for fault in grid.look.faults]


@pytest.mark.parametrize(("layout", "top", "bottom", "colour"), [
    (EVANSVILLE, -0.2, 0.95, STEEL), (BESIDE, -1.5, 0.97, WOOD), (DOUBLE, -0.3, 0.95, STEEL),
    (EVANSVILLE, -3.5, 0.9, ROSE), (BESIDE, -0.5, 1.3, STEEL),
], ids=["ruler", "wide ruler", "ruler over two games", "paper over the head", "ruler into the first row"])
def test_a_heading_under_a_thing(layout: Layout, top: float, bottom: float, colour: tuple[int, int, int]) -> None:
    pixels, grids = drawn(layout)
    assert_read(look_for(covered(pixels, grids, top, bottom, colour)), layout, grids)


def test_a_heading_under_a_thing_on_a_pad_of_dotted_rulings_that_lies_on_its_side() -> None:
    pixels, grids = drawn(BESIDE, Look(dotted=0.7))
    pixels = np.ascontiguousarray(np.rot90(covered(pixels, grids, -0.4, 0.95), -1))
    grids = [np.stack([pixels.shape[1] - 1 - n[..., 1], n[..., 0]], -1) for n in grids]
    assert_read(look_for(pixels), BESIDE, grids)


def test_rows_hidden_with_the_heading_are_refused_not_miscounted() -> None:
    pixels, grids = drawn(BESIDE, written=(3, 4, 5))
    assert isinstance(look_for(covered(pixels, grids, -0.4, 1.95)), PhotoError)


def test_a_pad_of_more_rows_with_a_ruler_on_one_shows_beyond_it_that_it_goes_on() -> None:
    pixels, grids = drawn(replace(EVANSVILLE, name="longer", row_heights=(9.0,) * 13))
    assert isinstance(look_for(covered(pixels, grids, 1.04, 1.96), (EVANSVILLE,)), PhotoError)


@pytest.mark.parametrize("titles", [("POINTS", "WE", "THEY", "POINTS"), ("", "", "", "")], ids=["printed", "empty"])
def test_a_pad_of_fewer_rows_under_a_ruler_shows_its_heading(titles: tuple[str, ...]) -> None:
    """The first row seen is a heading row: words are printed in it, or nothing is written where the game begins."""
    pixels, (nodes,) = drawn(replace(BESIDE, name="fewer", row_heights=(10.0,) * 9))
    for column, title in enumerate(titles):
        inner = [nodes[r, c] + (nodes[1 - r, 2 * column + 1 - c] - nodes[r, c]) * 0.12 for r, c in
                  ((0, column), (0, column + 1), (1, column + 1), (1, column))]
        cv2.fillConvexPoly(pixels, np.rint(inner).astype(np.int32), (236, 232, 222))
        x, y = np.rint(nodes[1, column] + (10, -16)).astype(int)
        cv2.putText(pixels, title, (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (60, 60, 70), 1, cv2.LINE_AA)
    assert isinstance(look_for(covered(pixels, [nodes], -1.2, -0.05), (BESIDE,)), PhotoError)


def test_a_foot_under_a_thing_is_no_heading_in_a_photo_that_stands_on_its_head() -> None:
    pixels, grids = drawn(BESIDE)  # its columns are the same from both sides
    pixels = covered(pixels, grids, BESIDE.rows + 0.05, BESIDE.rows + 1.5)
    assert isinstance(look_for(np.ascontiguousarray(pixels[::-1, ::-1]), (BESIDE, DOUBLE)), PhotoError)


def test_rows_that_hang_over_the_edge_of_the_sheet_are_not_hidden_but_missing() -> None:
    """A pad of fewer rows than any layout, and nothing below it but the table."""
    fewer = replace(DOUBLE, name="fewer", games=1, row_heights=(9.0,) * 7)
    pixels, (nodes,) = drawn(fewer, Look(head=False))
    pixels = covered(pixels, [nodes], 7.98, 14.0, (110, 80, 60))
    assert isinstance(look_for(covered(pixels, [nodes], -2.0, 0.97), (replace(DOUBLE, games=1),)), PhotoError)


def test_two_layouts_with_the_same_columns_are_not_told_apart_by_a_hidden_top() -> None:
    pixels, grids = drawn(EVANSVILLE)
    pixels = covered(pixels, grids, -3.0, 0.95)
    longer = replace(EVANSVILLE, name="longer", row_heights=(9.0,) * 14)
    assert isinstance(look_for(pixels, (EVANSVILLE, longer)), PhotoError)
    assert_read(look_for(pixels, (EVANSVILLE,)), EVANSVILLE, grids)


def test_rows_without_a_heading_and_without_a_thing_above_are_refused() -> None:
    """A pad that has no heading row may count its rows from another one."""
    pixels, _ = photographed(replace(EVANSVILLE, heading_height=0.0), SIZE, CORNERS)
    assert isinstance(look_for(pixels), PhotoError)
