"""Cells of which light has left nothing: white without a ruling, and not just white paper."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner.photo.blown import blown_out
from scanner.sheet.reading import certain


def cell(paper: int, ruling: int | None = 90, ink: int | None = None) -> np.ndarray:
    """A crop of a cell: its rulings in the margin, a number in the middle."""
    crop = np.full((48, 100, 3), paper, np.uint8)
    if ruling is not None:
        cv2.rectangle(crop, (5, 5), (94, 42), (ruling,) * 3, 2)
    if ink is not None:
        cv2.putText(crop, "174", (22, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (ink,) * 3, 2)
    return crop


def read(*rows: int) -> dict:
    """Something is read for sure in these rows, and an unsure nothing in a hundredth."""
    return {(n, "a"): certain("174") for n in rows} | {(100, "a"): certain("", 0.5)}


def test_white_without_ink_or_ruling_is_blown_out():
    crops = {(1, "a"): cell(255, None), (2, "a"): cell(255, 240), (3, "a"): cell(210, 90), (4, "a"): cell(210, 90, 60)}
    assert blown_out(crops, read(4)) == {(1, "a"), (2, "a")}


@pytest.mark.parametrize("crop", [cell(255), cell(245, None), cell(255, None, 120), cell(255, 240, 150)],
                         ids=["its ruling is seen", "not quite white", "ink", "ink within pale rulings"])  # fmt: skip
def test_white_paper_by_itself_is_not(crop):
    assert blown_out({(1, "a"): crop}, {}) == set()


def test_one_channel_that_is_not_white_is_ink_of_a_colour():
    crop = cell(255, None)
    cv2.putText(crop, "174", (22, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 255, 90), 2)
    assert blown_out({(1, "a"): crop}, {}) == set()


@pytest.mark.parametrize(("inked", "blown"), [(1, 9), (4, 0)], ids=["one in ten", "four in ten"])
def test_where_dark_ink_stands_on_white_cells_the_paper_is_white_and_no_light_took_it(inked, blown):
    """A scan of a pad with pale rulings: its empty cells are white, and so is the paper about the figures."""
    crops = {(n, "a"): cell(255, 240, 30 if n < inked else None) for n in range(10)}
    assert len(blown_out(crops, read(*range(inked)))) == blown


def test_nothing_of_nothing():
    assert blown_out({}, {}) == set()
