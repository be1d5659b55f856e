"""A page is whole when every game of its pad is found with its frame well inside the picture."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.photo.whole import is_whole
from scanner.sheet.layout import load_layout

EVANSVILLE, DOUBLE = load_layout("evansville"), load_layout("double")


def grid(left: float, top: float, rows: int = 13, pitch: float = 20.0) -> np.ndarray:
    """Crossings of a straight grid of four columns 60 px wide."""
    xs, ys = left + 60.0 * np.arange(5), top + pitch * np.arange(rows + 1)
    return np.stack(np.meshgrid(xs, ys), axis=-1)


def test_one_game_well_inside_is_whole() -> None:
    assert is_whole(EVANSVILLE, [grid(50, 50)], (400, 400))


@pytest.mark.parametrize(
    ("left", "top"), [(-5, 50), (50, -5), (165, 50), (50, 145), (1, 50), (50, 2), (159, 50), (50, 139)]
)
def test_a_frame_outside_or_at_the_border_is_a_part(left: float, top: float) -> None:
    assert not is_whole(EVANSVILLE, [grid(left, top)], (400, 400))


def test_a_frame_a_third_of_a_row_inside_is_whole() -> None:
    assert is_whole(EVANSVILLE, [grid(7, 7)], (254, 274))


def test_a_pad_of_two_games_of_which_one_shows_is_a_part() -> None:
    assert not is_whole(DOUBLE, [grid(20, 50, 11)], (600, 400))
    assert is_whole(DOUBLE, [grid(20, 50, 11), grid(300, 50, 11)], (600, 400))
    assert not is_whole(DOUBLE, [grid(20, 50, 11), grid(361, 50, 11)], (600, 400))
