"""Grids found in drawn photos, against the places they were drawn at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_pads import Look, photographed

from scanner.photo.belief import LEAST_RULING
from scanner.photo.combs import Hypothesis
from scanner.photo.fit import draft, fit
from scanner.photo.load import Photo, load
from scanner.photo.rulings import line_map
from scanner.photo.sheets import FoundSheet, find_sheets
from scanner.sheet.layout import Layout, built_in_layouts, parse_layout
from scanner.sheet.results import PhotoError

LAYOUTS = built_in_layouts()
EVANSVILLE, BESIDE, DOUBLE = LAYOUTS
SIZE = (720, 960)
#: A page seen from the left and below, turned a little.
CORNERS = [(142.0, 97.0), (555.0, 67.0), (637.0, 847.0), (90.0, 892.0)]
#: The same, lying across the photo.
WIDE = [(70.0, 100.0), (650.0, 120.0), (690.0, 800.0), (30.0, 780.0)]
OWN = parse_layout("""
name = "own"
rows = 7
row_height = 11.0
heading_height = 14.0
[[columns]]
key = "number"
width = 9.0
[[columns]]
key = "we_total"
width = 30.0
[[columns]]
key = "they_total"
width = 30.0
""", "own.toml")
#: Half of the 0.06 rows that the project promises on real photos.
CLOSE = 0.03
#: Where the ends of the rulings are the only witnesses of the frame: they are drawn 0.06 rows past it.
BARE = 0.1


def look_for(pixels: np.ndarray, layouts: tuple[Layout, ...] = LAYOUTS) -> tuple[FoundSheet, ...] | PhotoError:
    return find_sheets(Photo("x.jpg", "0" * 64, pixels), layouts)


def misses(found: tuple[FoundSheet, ...] | PhotoError, nodes: list[np.ndarray]) -> float:
    """The worst distance of any crossing, in row heights; grids are compared in order."""
    assert not isinstance(found, PhotoError), found.message
    grids = [g for s in found for g in s.grids]
    assert len(grids) == len(nodes)
    row = np.linalg.norm(np.diff(nodes[0], axis=0), axis=-1).mean()
    return max(float(np.linalg.norm(g.nodes - n, axis=-1).max()) / row for g, n in zip(grids, nodes, strict=True))


@pytest.mark.parametrize("layout", [EVANSVILLE, BESIDE, DOUBLE, OWN], ids=lambda x: x.name)
def test_every_layout_is_told_from_the_others_and_every_crossing_found(layout: Layout) -> None:
    pixels, nodes = photographed(layout, SIZE, WIDE if layout.games > 1 else CORNERS, bend=2.5)
    found = look_for(pixels, (*LAYOUTS, OWN))
    assert misses(found, nodes) < CLOSE
    (sheet,) = found
    assert sheet.layout == layout and sheet.layout_confidence > 0.9
    assert [g.number for g in sheet.grids] == list(range(1, layout.games + 1))
    assert all(g.fit_error < 0.03 for g in sheet.grids)
    np.testing.assert_allclose(sheet.grids[0].quad[0], sheet.quad[0])
    np.testing.assert_allclose(sheet.grids[-1].quad[2], sheet.quad[2])


@pytest.mark.parametrize("look", [
    Look(ink=(170, 40, 50), paper=(240, 205, 205)),
    Look(ink=(60, 130, 90), paper=(90, 120, 95), faint=0.5),
    Look(faint=0.28, noise=2.0),
    Look(double=0.55, half_width=0.15),
    Look(dotted=0.7),
    Look(frame=False),
    Look(table=(236, 232, 222)),
    Look(head=False),
    Look(noise=9.0),
    Look(filled=True),
    Look(filled=True, half_width=0.6),
], ids=["red on rose", "dark green", "faint", "double", "dotted", "no frame", "white table", "no head", "noisy",
        "filled heading", "filled heading, bold"])
def test_pads_of_every_print(look: Look) -> None:
    pixels, nodes = photographed(EVANSVILLE, SIZE, CORNERS, look, bend=1.5)
    assert misses(look_for(pixels), nodes) < (0.07 if look.noise > 5 or look.filled else CLOSE if look.frame else BARE)


@pytest.mark.parametrize("layout", [EVANSVILLE, BESIDE], ids=lambda x: x.name)
def test_the_edge_of_a_page_is_no_frame_of_the_pad_printed_without_one(layout: Layout) -> None:
    pixels, nodes = photographed(layout, SIZE, CORNERS, Look(frame=False, table=(25, 22, 20)))
    found = look_for(pixels)
    assert misses(found, nodes) < BARE and found[0].layout == layout


@pytest.mark.parametrize("gap", [2.2, 4.0, 14.0])
@pytest.mark.parametrize("bold", [0.25, 0.5])
def test_games_close_beside_one_another_are_two_and_not_one_that_goes_on(gap: float, bold: float) -> None:
    pixels, nodes = photographed(DOUBLE, SIZE, WIDE, Look(gap=gap, half_width=bold), bend=2.5)
    assert misses(look_for(pixels), nodes) < CLOSE


@pytest.mark.parametrize("width", [8.5, 17.0])
def test_columns_that_go_on_are_no_next_game(width: float) -> None:
    more = replace(DOUBLE.columns[0], key="number", width=width)
    pixels, _ = photographed(replace(DOUBLE, name="wider", games=1, columns=(*DOUBLE.columns, more)), SIZE, CORNERS)
    assert isinstance(look_for(pixels, (DOUBLE,)), PhotoError)


def test_a_photo_filled_by_the_page() -> None:
    corners = [(-45.0, -68.0), (758.0, -52.0), (780.0, 998.0), (-60.0, 1012.0)]
    pixels, nodes = photographed(BESIDE, SIZE, corners)
    assert misses(look_for(pixels), nodes) < CLOSE


def test_half_in_deep_shadow() -> None:
    pixels, nodes = photographed(EVANSVILLE, SIZE, CORNERS)
    shadow = np.where(np.add.outer(np.arange(960) * 0.4, np.arange(720)) > 520, 0.3, 1.0)
    assert misses(look_for((pixels * shadow[..., None]).astype(np.uint8)), nodes) < 0.06


def test_a_checked_cloth_and_wood_grain_are_no_rulings() -> None:
    x, y = np.meshgrid(np.arange(720), np.arange(960))
    cloth = 120 + 60 * ((x // 40) % 2) + 50 * ((y // 40) % 2)
    grain = 90 + 30 * np.sin(y * 0.9 + np.sin(x * 0.01) * 3)
    for table in (cloth, grain):
        onto = np.repeat(table[..., None], 3, axis=2).astype(np.float32)
        pixels, nodes = photographed(EVANSVILLE, SIZE, CORNERS, onto=onto)
        assert misses(look_for(pixels), nodes) < CLOSE


def test_pale_stripes_do_not_tie_a_grid_to_the_ruled_paper_it_lies_on() -> None:
    x, y = np.meshgrid(np.arange(720), np.arange(960))
    onto = np.repeat(np.where((y + 0.25 * x) % 26 < 2, 120.0, 235.0)[..., None], 3, axis=2).astype(np.float32)
    pixels, nodes = photographed(BESIDE, SIZE, CORNERS, onto=onto)
    stripes = np.where((y - x) % 37 < 3, 0.9, 1.0)[..., None]
    assert misses(look_for((pixels * stripes).astype(np.uint8)), nodes) < CLOSE


def test_two_sheets_in_one_photo() -> None:
    left = [(30.0, 45.0), (338.0, 68.0), (330.0, 675.0), (15.0, 660.0)]
    right = [(390.0, 225.0), (698.0, 195.0), (705.0, 788.0), (398.0, 818.0)]
    first, one = photographed(BESIDE, SIZE, left)
    both, two = photographed(EVANSVILLE, SIZE, right, onto=first)
    assert said(look_for(both)) == []
    found = look_for(both)
    assert misses(found, one + two) < 0.05
    assert [s.layout.name for s in found] == ["beside", "evansville"]


def said(found: tuple[FoundSheet, ...] | PhotoError) -> list[str]:
    return [fault.code for sheet in found for fault in sheet.faults]


def test_a_second_sheet_that_hangs_out_of_the_picture_is_said_and_not_read() -> None:
    left = [(30.0, 45.0), (338.0, 68.0), (330.0, 675.0), (15.0, 660.0)]
    right = [(450.0, 225.0), (758.0, 195.0), (765.0, 788.0), (458.0, 818.0)]
    first, one = photographed(BESIDE, SIZE, left)
    both, _ = photographed(EVANSVILLE, SIZE, right, onto=first)
    found = look_for(both)
    assert misses(found, one) < CLOSE and said(found) == ["another-sheet"]
    assert said(look_for(first)) == []


@pytest.mark.parametrize("layout", [EVANSVILLE, BESIDE, DOUBLE], ids=lambda x: x.name)
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_upright_is_found_without_exif(layout: Layout, quarters: int) -> None:
    pixels, nodes = photographed(layout, SIZE, WIDE if layout.games > 1 else CORNERS)
    for _ in range(quarters):  # a quarter turn clockwise sends (x, y) to (height - 1 - y, x)
        nodes = [np.stack([pixels.shape[0] - 1 - n[..., 1], n[..., 0]], -1) for n in nodes]
        pixels = np.ascontiguousarray(np.rot90(pixels, -1))
    assert misses(look_for(pixels), nodes) < CLOSE


def test_a_thing_on_the_pad_moves_nothing_by_a_row() -> None:
    pixels, nodes = photographed(EVANSVILLE, SIZE, CORNERS)
    pixels[480:570] = (200, 60, 40)  # a ruler right across three rows
    pixels[675:825, 420:645] = (30, 60, 160)
    assert misses(look_for(pixels), nodes) < 0.06


def test_a_layout_without_the_pads_rows_is_refused_not_guessed() -> None:
    pixels, _ = photographed(EVANSVILLE, SIZE, CORNERS)
    for rows in (11, 13):
        near = replace(EVANSVILLE, name="near", row_heights=(9.0,) * rows)
        found = look_for(pixels, (near,))
        assert isinstance(found, PhotoError) and found.code in ("unknown-layout", "too-poor")
    both = look_for(pixels, (replace(EVANSVILLE, name="near", row_heights=(9.0,) * 11), EVANSVILLE))
    assert not isinstance(both, PhotoError) and both[0].layout == EVANSVILLE


def weakest(pixels: np.ndarray, nodes: np.ndarray, layout: Layout) -> float:
    """The support of the layout's weakest inner ruling, laid into the frame of a grid that has the given crossings."""
    lines = line_map(pixels)
    frame = np.array([(x, y) for y in (0, layout.y_lines[-1]) for x in (0, layout.x_lines[-1])], np.float32)
    seen = ((nodes[[0, 0, -1, -1], [0, -1, 0, -1]] + 0.5) / lines.scale - 0.5).astype(np.float32)
    place = cv2.getPerspectiveTransform(frame, seen)
    return fit(lines, draft(lines, Hypothesis(layout, 0, place, 1.0))).weakest


@pytest.mark.parametrize("widths", [(24, 24, 18, 18), (30, 30, 8, 8), (22, 16, 16, 22)])
def test_a_column_that_is_not_there_speaks_against_the_whole_fit(widths: tuple[float, ...]) -> None:
    pixels, (nodes,) = photographed(BESIDE, SIZE, CORNERS)
    others = tuple(replace(c, width=float(w)) for c, w in zip(BESIDE.columns, widths, strict=True))
    assert weakest(pixels, nodes, BESIDE) > 0.9
    assert weakest(pixels, nodes, replace(BESIDE, columns=others)) < LEAST_RULING


@pytest.mark.parametrize("row", [2, 5, 9])
def test_a_row_that_is_not_there_speaks_against_the_whole_fit(row: int) -> None:
    pixels, (nodes,) = photographed(BESIDE, SIZE, CORNERS)
    heights = list(BESIDE.row_heights)
    heights[row:row + 1] = [heights[row] / 2] * 2
    assert weakest(pixels, nodes, replace(BESIDE, row_heights=tuple(heights))) < LEAST_RULING


@pytest.mark.parametrize("colour", [(255, 255, 255), (30, 60, 170)], ids=["washed out", "covered"])
@pytest.mark.parametrize("last", [5, 7])
def test_rulings_gone_in_glare_or_under_a_thing_do_not_speak_against_a_fit(
    colour: tuple[int, int, int], last: int
) -> None:
    columns = tuple(replace(EVANSVILLE.columns[0], key=f"c{i}", width=9.5) for i in range(8))
    for layout in (EVANSVILLE, replace(EVANSVILLE, name="many", columns=columns)):
        pixels, (nodes,) = photographed(layout, SIZE, CORNERS)
        band = np.array([nodes[4, 0], nodes[4, -1], nodes[last, -1], nodes[last, 0]])
        wide = (band - band.mean(axis=0)) * np.array([1.04, 1.0]) + band.mean(axis=0)
        assert weakest(cv2.fillConvexPoly(pixels, np.rint(wide).astype(np.int32), colour), nodes, layout) > LEAST_RULING


def test_a_sheet_cut_off_by_the_picture_is_refused() -> None:
    pixels, _ = photographed(EVANSVILLE, SIZE, CORNERS)
    found = look_for(np.ascontiguousarray(pixels[:570]))
    assert isinstance(found, PhotoError) and found.code in ("partial-sheet", "too-poor")
    assert found.message.startswith("x.jpg: ")


@pytest.mark.parametrize("kind", ["blank", "noise", "stripes"])
def test_no_sheet_is_said(kind: str) -> None:
    rng, stripes = np.random.default_rng(3), 120 + 80 * (np.arange(600) // 9 % 2)
    pixels = {
        "blank": np.full((600, 800, 3), 240, np.uint8),
        "noise": rng.integers(0, 255, (600, 800, 3), dtype=np.uint8),
        "stripes": np.broadcast_to(stripes.astype(np.uint8)[:, None, None], (600, 800, 3)),
    }[kind]
    found = look_for(np.ascontiguousarray(pixels))
    assert isinstance(found, PhotoError) and found.code == "no-sheet"


@pytest.mark.parametrize("size", [(1, 1), (2, 900), (129, 400)])
def test_a_thumbnail_is_said_to_be_too_small(size: tuple[int, int]) -> None:
    found = look_for(np.full((*size, 3), 9, np.uint8))
    assert isinstance(found, PhotoError) and found.code == "too-poor" and "original" in found.message


SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "photos"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measuring photos are not here")
@pytest.mark.parametrize("name", ["dev000", "dev011", "dev013"])
def test_photographs_with_truth(name: str) -> None:
    import json

    truth = json.loads((SHARED / f"{name}.json").read_text())
    photo = load(SHARED / f"{name}.jpg")
    assert isinstance(photo, Photo)
    found = find_sheets(photo, LAYOUTS)
    assert misses(found, [np.array(n) for n in truth["ruling_nodes"]]) < 0.06
    assert found[0].layout.name == truth["layout"]
