"""Layouts learnt from photos of pads nobody described: what was drawn must come back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_pads import Look, photographed

from scanner.photo.learn import Learned, learn_table
from scanner.photo.load import Photo
from scanner.photo.rulings import line_map
from scanner.photo.sheets import find_sheets
from scanner.sheet.layout import Column, Layout
from scanner.sheet.results import PhotoError

SIZE = (720, 960)
CORNERS = [(142.0, 97.0), (555.0, 67.0), (637.0, 847.0), (90.0, 892.0)]
WIDE = [(70.0, 100.0), (650.0, 120.0), (690.0, 800.0), (30.0, 780.0)]


def pad(widths: tuple[float, ...], heights: tuple[float, ...], heading: float, games: int = 1) -> Layout:
    columns = tuple(Column(f"c{i}", (), w, True) for i, w in enumerate(widths))
    return Layout("drawn", columns, heights, heading, games)


def learnt(pixels: np.ndarray) -> Learned | None:
    return learn_table(line_map(pixels))


@pytest.mark.parametrize("layout", [
    pad((8.0, 20.0, 20.0, 14.0, 14.0), (8.0,) * 14, 8.0),
    pad((30.0, 12.0, 12.0, 12.0, 12.0, 12.0, 12.0), (7.0,) * 18, 10.0),
    pad((25.0, 25.0, 25.0), (12.0, 12.0, 9.0, 12.0, 12.0, 16.0), 8.0),
], ids=["five columns", "many rows", "uneven rows"])
def test_columns_and_rows_come_back_as_drawn(layout: Layout) -> None:
    pixels, (nodes,) = photographed(layout, SIZE, CORNERS, bend=1.5)
    found = learnt(pixels)
    assert found is not None and found.layout.games == 1
    assert found.nodes.shape == nodes.shape
    row = np.linalg.norm(np.diff(nodes, axis=0), axis=-1).mean()
    assert np.linalg.norm(found.nodes - nodes, axis=-1).max() < 0.06 * row
    drawn = np.array([c.width for c in layout.columns])
    seen = np.array([c.width for c in found.layout.columns])
    np.testing.assert_allclose(seen / seen.sum(), drawn / drawn.sum(), atol=0.02)
    tall = np.array(found.layout.row_heights)
    np.testing.assert_allclose(tall / tall.sum(), np.array(layout.row_heights) / sum(layout.row_heights), atol=0.02)
    assert found.looks == f"{len(layout.columns)} columns and {layout.rows} rows under a heading"


def test_two_tables_side_by_side_are_two_games_of_one_layout() -> None:
    pixels, nodes = photographed(pad((14.0, 18.0, 18.0), (9.0,) * 11, 9.0, games=2), SIZE, WIDE, Look(gap=8.0))
    found = learnt(pixels)
    assert found is not None and found.layout.games == 2 and found.nodes.shape == nodes[0].shape
    assert np.linalg.norm(found.nodes - nodes[0], axis=-1).max() < 4.0
    assert found.looks.endswith("2 such tables side by side")


FIVE = pad((8.0, 20.0, 20.0, 14.0, 14.0), (8.0,) * 14, 8.0)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_a_row_or_column_behind_a_broken_ruling_is_learnt_and_read(side: str) -> None:
    pixels, (nodes,) = photographed(FIVE, SIZE, CORNERS, Look(broken=side), bend=1.5)
    found = learnt(pixels)
    assert found is not None and found.nodes.shape == nodes.shape
    assert_read(pixels, found, nodes)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_a_strip_of_joined_cells_is_a_row_or_left_out_but_the_scan_agrees(side: str) -> None:
    pixels, (nodes,) = photographed(FIVE, SIZE, CORNERS, Look(joined=side), bend=1.5)
    found = learnt(pixels)
    assert found is not None
    if found.nodes.shape != nodes.shape:
        nodes = {"top": nodes[1:], "bottom": nodes[:-1], "left": nodes[:, 1:], "right": nodes[:, :-1]}[side]
    assert_read(pixels, found, nodes)


@pytest.mark.parametrize("rows", [2, 3])
def test_a_total_under_joined_cells_with_print_in_it_is_a_row(rows: int) -> None:
    """Three columns: the frame's two rulings are half of all that go on, and print between them looks like a third."""
    layout = pad((20.0, 20.0, 20.0), (8.0,) * 9, 8.0)
    pixels, (nodes,) = photographed(layout, SIZE, CORNERS, Look(joined="bottom"))
    for part in np.linspace(0.2, 0.8, 3 * rows):  # upright strokes of print, as long as the row is high
        ends = [nodes[i, 0] + part * (nodes[i, -1] - nodes[i, 0]) for i in (-2, -1)]
        a, b = (ends[0] + t * (ends[1] - ends[0]) for t in (0.3, 0.7))
        cv2.line(pixels, np.rint(a).astype(int).tolist(), np.rint(b).astype(int).tolist(), (60, 60, 70), 2)
    found = learnt(pixels)
    assert found is not None and found.nodes.shape == nodes.shape
    assert_read(pixels, found, nodes)


def assert_read(pixels: np.ndarray, found: Learned, nodes: np.ndarray) -> None:
    """The table learnt, and the scan with its layout, lie on the crossings drawn."""
    row = np.linalg.norm(np.diff(nodes, axis=0), axis=-1).mean()
    assert np.linalg.norm(found.nodes - nodes, axis=-1).max() < 0.15 * row
    scanned = find_sheets(Photo("x.jpg", "0" * 64, pixels), (found.layout,))
    assert not isinstance(scanned, PhotoError), scanned.message
    assert np.linalg.norm(scanned[0].grids[0].nodes - nodes, axis=-1).max() < 0.15 * row


def test_nothing_is_added_beside_a_table_whose_rulings_end_at_its_frame() -> None:
    pixels, (nodes,) = photographed(FIVE, SIZE, WIDE, Look(half_width=0.4))
    found = learnt(pixels)
    assert found is not None and found.nodes.shape == nodes.shape


def test_a_learnt_layout_finds_the_pad_in_another_photo() -> None:
    layout = pad((8.0, 20.0, 20.0, 14.0, 14.0), (8.0,) * 14, 8.0)
    first = learnt(photographed(layout, SIZE, CORNERS)[0])
    assert first is not None
    pixels, (nodes,) = photographed(layout, SIZE, WIDE, bend=2.0, seed=5)
    found = find_sheets(Photo("x.jpg", "0" * 64, pixels), (first.layout,))
    assert not isinstance(found, PhotoError)
    assert np.linalg.norm(found[0].grids[0].nodes - nodes, axis=-1).max() < 3.0


@pytest.mark.parametrize("kind", ["blank", "noise", "stripes"])
def test_where_no_table_is_none_is_learnt(kind: str) -> None:
    rng, stripes = np.random.default_rng(3), 120 + 80 * (np.arange(600) // 9 % 2)
    pixels = {
        "blank": np.full((600, 800, 3), 240, np.uint8),
        "noise": rng.integers(0, 255, (600, 800, 3), dtype=np.uint8),
        "stripes": np.ascontiguousarray(np.broadcast_to(stripes.astype(np.uint8)[:, None, None], (600, 800, 3))),
    }[kind]
    assert learnt(pixels) is None
