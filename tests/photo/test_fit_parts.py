"""The parts of the fit by themselves: squaring up, the warp's polynomials, cells cut from known places."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.photo.cells import CELL_HEIGHT, MARGIN, cut_cells
from scanner.photo.combs import Squared, hypotheses
from scanner.photo.fit import turned_nodes
from scanner.photo.rulings import line_map, shrink
from scanner.photo.squaring import square_up
from scanner.photo.warp import Warp
from scanner.sheet.layout import built_in_layouts

EVANSVILLE, BESIDE, DOUBLE = built_in_layouts()


@pytest.mark.parametrize("framed", [True, False])
@pytest.mark.parametrize("ruled", ["", "across", "down"])
def test_where_there_are_no_lines_in_a_direction_no_layout_is_laid(ruled: str, framed: bool) -> None:
    """Nor does numpy warn of a division by nothing."""
    striped, none = np.zeros((300, 300), np.float32), np.zeros((300, 300), np.float32)
    striped[::20] = 1.0
    down = np.ascontiguousarray(striped.T)
    squared = Squared(striped if ruled == "across" else none, down if ruled == "down" else none, np.eye(3))
    assert hypotheses(squared, built_in_layouts(), (0, 1), framed) == []


@settings(max_examples=40, deadline=None)
@given(st.floats(-0.6, 0.6), st.floats(-3e-4, 3e-4), st.floats(-3e-4, 3e-4), st.floats(0.7, 1.4))
def test_squaring_undoes_any_perspective(roll: float, tip: float, tilt: float, stretch: float) -> None:
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    view = np.array([[1, 0, 500], [0, 1, 600], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, 1, 0], [tip, tilt, 1]]) @ turn
    view = view @ np.diag([stretch, 1, 1])
    x, y = np.arange(-300, 301, 100.0), np.arange(-390, 391, 60.0)
    ends = [((a, -390), (a, 390)) for a in x] + [((-300, b), (300, b)) for b in y]
    seen = cv2.perspectiveTransform(np.array(ends, dtype=np.float64).reshape(1, -1, 2), view).reshape(-1, 4)
    (squaring, *_) = square_up(seen)
    back = cv2.perspectiveTransform(seen.reshape(1, -1, 2), squaring.matrix).reshape(-1, 2, 2)
    step = np.abs(back[:, 1] - back[:, 0])
    assert (step.min(axis=1) / step.max(axis=1)).max() < 0.004  # a quarter of a degree
    assert squaring.wealth == pytest.approx(7, abs=0.6)  # seven rulings in the poorer family
    level = np.sort(back[step[:, 0] > step[:, 1]].mean(axis=1)[:, 1])
    np.testing.assert_allclose(np.diff(level), np.diff(level).mean(), rtol=0.02)  # rows are even again


def test_nothing_to_square_up() -> None:
    assert square_up(np.zeros((0, 4))) == []
    one_way = np.array([[0, y, 100, y] for y in range(0, 100, 5)], dtype=float)
    assert square_up(one_way) == []


@settings(max_examples=20, deadline=None)
@given(st.floats(-2, 2), st.floats(-2, 2), st.integers(0, 2**31))
def test_a_warp_learns_a_smooth_bend_and_ignores_strays(bow: float, lean: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    warp = Warp(EVANSVILLE, np.eye(3))
    line = np.repeat(np.arange(14), 12)
    at = np.stack([np.tile(np.linspace(4, 80, 12), 14), np.array(EVANSVILLE.y_lines)[line]], -1)
    bend = bow * np.sin(np.pi * at[:, 0] / 84) + lean * (at[:, 1] / 117) ** 2
    place = at[:, 1] + bend + rng.normal(0, 0.02, len(at))
    stray = rng.random(len(at)) < 0.12
    place[stray] += rng.uniform(2, 4, stray.sum())
    fitted = warp.refit(1, at, line, place, np.ones(len(at)), 4, 0.2)
    u, v = np.meshgrid(np.array(EVANSVILLE.x_lines), np.array(EVANSVILLE.y_lines))
    right = v + bow * np.sin(np.pi * u / 84) + lean * (v / 117) ** 2
    assert np.abs(fitted.nodes()[..., 1] - right).max() < 0.25  # millimetres, 3 % of a row
    np.testing.assert_allclose(fitted.nodes()[..., 0], u)


def test_turning_nodes_is_turning_the_photo() -> None:
    x, y = np.meshgrid(np.arange(5.0), np.arange(3.0))
    nodes = np.stack([x, y], -1)
    np.testing.assert_array_equal(turned_nodes(nodes, 2)[0, 0], [4, 2])
    # A grid turned once clockwise starts at what the photo calls its top right.
    np.testing.assert_array_equal(turned_nodes(nodes, 1)[0, 0], [4, 0])
    assert turned_nodes(nodes, 1).shape == (5, 3, 2)


def test_line_map_ignores_shadow_and_colour() -> None:
    page = np.full((400, 400, 3), (240, 190, 200), np.uint8)
    page[:, 100:103] = (200, 60, 70)
    page[:, 300:303] = (200, 60, 70)
    page[:, 200:] = page[:, 200:] // 4
    dark = line_map(page).dark
    assert dark[200, 101] == pytest.approx(dark[200, 301], abs=0.08) and dark[200, 101] > 0.4
    assert dark[200, [50, 150, 250, 350]].max() < 0.03


@given(st.integers(1, 400), st.integers(1, 400), st.floats(1, 7))
@settings(max_examples=30, deadline=None)
def test_shrinking_keeps_the_mean_and_never_fails(height: int, width: int, scale: float) -> None:
    height, width = max(height, 8), max(width, 8)
    pixels = np.random.default_rng(1).integers(0, 255, (height, width, 3), dtype=np.uint8)
    small = shrink(pixels, scale)
    assert abs(small.shape[0] - height / scale) <= 1 and abs(small.shape[1] - width / scale) <= 1
    if min(height, width) > 60:
        assert abs(float(small.mean()) - float(pixels.mean())) < 4


@dataclass(frozen=True, eq=False)
class Placed:
    """A grid by its nodes alone."""

    nodes: np.ndarray


def painted(ppm: float, bend: float = 0.0) -> tuple[np.ndarray, Placed]:
    """A picture whose every evansville cell has a colour of its own: red is the row, green the column."""
    layout, border = EVANSVILLE, 10.0
    width, height = layout.x_lines[-1] + 2 * border, layout.y_lines[-1] + 2 * border
    x, y = np.meshgrid(np.arange(0, width, 1 / ppm), np.arange(0, height, 1 / ppm))
    v = y - border - bend * np.sin(np.pi * x / width)
    column = np.searchsorted(layout.x_lines, x - border) - 1
    row = np.searchsorted(layout.y_lines, v) - 1
    pixels = np.stack([row.clip(0, 12) * 15, column.clip(0, 3) * 50, np.full(x.shape, 90)], -1).astype(np.uint8)
    a, b = np.meshgrid(np.array(layout.x_lines) + border, np.array(layout.y_lines) + border)
    nodes = np.stack([a, b + bend * np.sin(np.pi * a / width)], -1) * ppm
    return pixels, Placed(nodes)


@pytest.mark.parametrize(("ppm", "bend"), [(4.0, 0.0), (13.0, 0.0), (13.0, 5.0), (2.0, 2.0)])
def test_every_cell_is_its_own_and_nothing_but_the_margin_of_others(ppm: float, bend: float) -> None:
    pixels, grid = painted(ppm, bend)
    cells = cut_cells(pixels, grid, EVANSVILLE)
    assert set(cells) == {(r, k) for r in range(1, 13) for k in EVANSVILLE.keys}
    inset = round(CELL_HEIGHT * (MARGIN / (1 + 2 * MARGIN))) + round(CELL_HEIGHT / (9 * ppm)) + 2
    for (row, key), crop in cells.items():
        column = EVANSVILLE.keys.index(key)
        inner = crop[inset:-inset, inset:-inset].reshape(-1, 3)
        assert (inner == (row * 15, column * 50, 90)).all()
        edge = 2 * MARGIN * 9
        width = EVANSVILLE.columns[column].width
        assert crop.shape == (CELL_HEIGHT, round(CELL_HEIGHT * (width + edge) / (9 + edge)), 3)
        assert crop.dtype == np.uint8


def test_fine_detail_is_averaged_not_skipped() -> None:
    pixels, grid = painted(20.0)
    lines = np.arange(pixels.shape[1]) % 2 == 0  # a screen finer than any crop: grey when averaged
    pixels[:] = np.where(lines, 0, 255)[None, :, None]
    for crop in cut_cells(pixels, grid, EVANSVILLE).values():
        assert np.abs(crop.astype(int) - 127).max() < 12


def test_a_grid_at_the_photos_edge_is_cut_all_the_same() -> None:
    pixels, grid = painted(6.0)
    shift = grid.nodes.min(axis=(0, 1))
    shown = pixels[int(shift[1]):, int(shift[0]):]
    cells = cut_cells(np.ascontiguousarray(shown), Placed(grid.nodes - np.floor(shift)), EVANSVILLE)
    assert len(cells) == 48 and all(c.shape[0] == CELL_HEIGHT for c in cells.values())
