"""Lines to write on, found above a grid by their ruling, and what each is for by the print before it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner.photo import blanks
from scanner.photo.blanks import ABOVE, BELOW, cut_head, name_blanks
from scanner.photo.printed import Word
from scanner.photo.sheets import FoundSheet, Grid
from scanner.photo.writing_lines import REACH, SIDE, UNIT, Blank, flat_head, writing_lines
from scanner.sheet.layout import load_layout

LAYOUT = load_layout("evansville")
#: Pixels to the millimetre of the drawn page, and where its grid's upper left corner is.
PPM, LEFT, TOP = 6, 90, 420
#: Lines of the drawn page: from x0 to x1 at y, millimetres from the grid's corner.
LINES = {"we": (12, 38, -28), "they": (52, 82, -28), "date": (12, 40, -19)}


@pytest.fixture
def page() -> np.ndarray:
    """A page with a banner, three writing lines and a ruled grid."""
    page = np.full((TOP + 130 * PPM, 700, 3), 244, np.uint8)
    cv2.putText(page, "MILLER'S TAVERN", (LEFT + 60, TOP - 50 * PPM), cv2.FONT_HERSHEY_COMPLEX, 1.2, (40, 40, 40), 3)
    for x0, x1, y in LINES.values():
        cv2.line(page, (LEFT + x0 * PPM, TOP + y * PPM), (LEFT + x1 * PPM, TOP + y * PPM), (120, 120, 120), 2)
    right, foot = LEFT + int(LAYOUT.x_lines[-1] * PPM), TOP + int(LAYOUT.y_lines[-1] * PPM)
    for x in LAYOUT.x_lines:
        cv2.line(page, (LEFT + int(x * PPM), TOP), (LEFT + int(x * PPM), foot), (30, 30, 30), 2)
    for y in LAYOUT.y_lines:
        cv2.line(page, (LEFT, TOP + int(y * PPM)), (right, TOP + int(y * PPM)), (30, 30, 30), 2)
    return page


def sheet(turn: np.ndarray | None = None) -> FoundSheet:
    """The page's grid, its crossings carried by a homography if one is given."""
    nodes = np.stack(np.meshgrid(LAYOUT.x_lines, LAYOUT.y_lines), -1) * PPM + (LEFT, TOP)
    if turn is not None:
        nodes = cv2.perspectiveTransform(nodes.reshape(1, -1, 2), turn).reshape(nodes.shape)
    quad = tuple(tuple(p) for p in (nodes[0, 0], nodes[0, -1], nodes[-1, -1], nodes[-1, 0]))
    return FoundSheet(LAYOUT, 1.0, quad, (Grid(1, quad, nodes, 0.0),))


def in_flat(x: float, y: float) -> tuple[float, float]:
    """Millimetres from the grid's corner to pixels of the flat head."""
    row = LAYOUT.row_heights[0]
    return (x / row + SIDE) * UNIT, (y / row + REACH) * UNIT


def test_the_writing_lines_are_found_and_nothing_else(page: np.ndarray):
    found = writing_lines(flat_head(page, sheet()))
    assert len(found) == len(LINES)
    for blank, (x0, x1, y) in zip(found, LINES.values(), strict=True):
        left, height = in_flat(x0, y)
        assert blank.x0 == pytest.approx(left, abs=0.15 * UNIT)
        assert blank.x1 == pytest.approx(in_flat(x1, y)[0], abs=0.15 * UNIT)
        assert blank.y == pytest.approx(height, abs=0.06 * UNIT)


def test_a_turned_and_tilted_page_gives_the_same_lines(page: np.ndarray):
    turn = np.array([[0.86, -0.5, 500], [0.5, 0.86, 20], [1e-4, 5e-5, 1]])
    photo = cv2.warpPerspective(page, turn, (1300, 1500), borderValue=(150, 110, 80))
    found = writing_lines(flat_head(photo, sheet(turn)))
    straight = writing_lines(flat_head(page, sheet()))
    assert [(b.x0, b.y) for b in found] == [pytest.approx((b.x0, b.y), abs=0.12 * UNIT) for b in straight]


def test_without_tesseract_lines_are_taken_in_the_order_of_pads(page: np.ndarray, monkeypatch):
    monkeypatch.setattr(blanks, "read_words", lambda grey, mode: None)
    cv2.putText(page, "Owls", (LEFT + 54 * PPM, TOP - 28 * PPM), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.0, (160, 20, 20), 2)
    strips = cut_head(page, sheet())
    assert set(strips) == {"we", "they", "date"}
    assert all(s.shape[0] == round((ABOVE + BELOW) * UNIT) and s.dtype == np.uint8 for s in strips.values())
    red = {key: (s[..., 0].astype(int) - s[..., 1] > 60).sum() for key, s in strips.items()}
    assert red["they"] > 100 and red["we"] == red["date"] == 0


def test_a_head_without_lines_is_cut_by_its_labels(page: np.ndarray, monkeypatch):
    page[:TOP - 10] = 244
    spots = {"We:": (100, 250), "They:": (380, 250), "Date:": (100, 310)}
    words = [Word(text, 0.9, (x, y, 40, 16)) for text, (x, y) in spots.items()]
    monkeypatch.setattr(blanks, "read_words", lambda grey, mode: words)
    strips = cut_head(page, sheet())
    assert set(strips) == {"we", "they", "date"}


def blank(x0: float, y: float) -> Blank:
    return Blank(x0, x0 + 3 * UNIT, y)


@pytest.mark.parametrize("labels, keys", [
    (["WE", "THEY", "DATE"], ["we", "they", "date"]),
    (["US", "THEM", "DATE"], ["we", "they", "date"]),
    (["", "THEY", ""], ["we", "they", "date"]),
    (["DATE", "TABLE", "WE"], ["date", "other", "we"]),
    (["", "", ""], ["we", "they", "date"]),
    (["W", "TNEY", "DATF"], ["we", "they", "date"]),
    (["WE", "US", "DATE"], ["we", "they", "date"]),
])
def test_labels_say_what_a_line_is_for(labels: list[str], keys: list[str]):
    lines = [blank(60, 200), blank(300, 200), blank(60, 260)]
    assert [b.key for b in name_blanks(lines, labels)] == keys


def test_lines_of_the_advertiser_far_above_are_left_alone():
    lines = [blank(60, 20), blank(60, 220), blank(300, 220), blank(60, 280)]
    assert [b.key for b in name_blanks(lines, ["", "WE", "", "DATE"])] == [None, "we", "they", "date"]
