"""Parts of sheets: half covered ones are said, cut off ones refused as such, other ruled things taken for neither."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_pads import Look, photographed
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.photo.ladders import ladders
from scanner.photo.load import Photo
from scanner.photo.reasons import _same_pad
from scanner.photo.sheets import FoundSheet, find_sheets
from scanner.sheet.layout import Layout, built_in_layouts
from scanner.sheet.results import PhotoError

EVANSVILLE, BESIDE, DOUBLE = LAYOUTS = built_in_layouts()
SIZE = (960, 960)
#: A page in the middle of the photo.
MIDDLE = np.array([(300.0, 120.0), (640.0, 110.0), (655.0, 840.0), (290.0, 835.0)])
DASHED = Look(dotted=1.8, half_width=0.3)


def look_for(pixels: np.ndarray) -> tuple[FoundSheet, ...] | PhotoError:
    return find_sheets(Photo("x.jpg", "0" * 64, np.ascontiguousarray(pixels)), LAYOUTS)


def said(pixels: np.ndarray) -> tuple[list[str], list[str]]:
    found = look_for(pixels)
    assert not isinstance(found, PhotoError), found.message
    return [s.layout.name for s in found], [fault.code for s in found for fault in s.faults]


def turned(corners: np.ndarray, degrees: float, by: tuple[float, float]) -> list[tuple[float, float]]:
    """The corners turned about their middle, then moved."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    middle = corners.mean(axis=0)
    return [tuple(p) for p in (corners - middle) @ np.array([[c, s], [-s, c]]) + middle + np.array(by)]


def rungs(count: int, pitch: float, length: float = 3.0, drop: int | None = None) -> np.ndarray:
    """Segments of a ladder, both edges of every line: rungs of one length to the right of a rail."""
    at = [k * pitch for k in range(count) if k != drop]
    lines = [((0.05, y), (length, y)) for y in at] + [((0.0, 0.0), (0.0, at[-1]))]
    edges = [((x1 + 0.08, y1 + 0.08), (x0 + 0.08, y0 + 0.08)) for (x0, y0), (x1, y1) in lines]
    return np.array(lines + edges)


@settings(deadline=None, max_examples=60)
@given(st.integers(6, 16), st.floats(0.65, 1.5), st.floats(-40, 40), st.booleans())
def test_a_ladder_is_counted_wherever_it_lies(count: int, pitch: float, degrees: float, gap: bool) -> None:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    segments = rungs(count, pitch, drop=count // 2 if gap else None) @ np.array([[c, s], [-s, c]]) + 7.0
    best = max(ladders(segments), key=lambda x: x.rungs * x.even)
    assert best.rungs == count - gap and best.even == pytest.approx(1.0) and best.rail > 0.95
    assert best.pitch == pytest.approx(pitch * (count - 1) / (count - 1 - gap), rel=0.01)
    lengths = np.linalg.norm(best.ends[:, 1] - best.ends[:, 0], axis=1)
    assert lengths == pytest.approx(np.full(count - gap, 2.95), abs=1e-6)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_lines_of_no_even_distance_are_no_ladder(seed: int) -> None:
    rng = np.random.default_rng(seed)
    segments = rungs(14, 1.0)
    for edge in (segments[:14], segments[15:29]):
        edge[..., 1] = np.sort(rng.uniform(0, 13, 14))[:, None]
    assert all(x.rungs * x.even < 12 for x in ladders(segments))


def test_what_is_longer_than_a_sheet_is_wide_is_no_rung() -> None:
    assert not list(ladders(rungs(10, 1.0, length=9.0), longest=6.0))
    assert list(ladders(rungs(10, 1.0, length=5.0), longest=6.0))


@pytest.mark.parametrize("under", [EVANSVILLE, BESIDE], ids=lambda x: x.name)
@pytest.mark.parametrize("by", [(-250.0, 40.0), (240.0, -30.0)], ids=["left", "right"])
@pytest.mark.parametrize("degrees", [-11.0, 4.0])
@pytest.mark.parametrize("look", [Look(), DASHED], ids=["plain", "dashed"])
def test_a_half_covered_sheet_is_said_and_not_read(
    under: Layout, by: tuple[float, float], degrees: float, look: Look
) -> None:
    below, _ = photographed(under, SIZE, turned(MIDDLE, degrees, by), look)
    both, _ = photographed(EVANSVILLE, SIZE, [tuple(p) for p in MIDDLE], onto=below)
    assert said(both) == (["evansville"], ["another-sheet"])


def _table(kind: str) -> np.ndarray:
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    page = (x > 560) & (x < 930) & (y > 60) & (y < 900)  # another paper, half under the sheet
    lined = np.where(page, np.where((y - 60) % 34 < 2, 150, 240), 110)
    grain = 90 + 30 * np.sin(y * 0.12 + np.sin(x * 0.01) * 3)
    rng = np.random.default_rng(5)
    words = np.kron(rng.random((960 // 12, 960 // 24)) < 0.7, np.ones((12, 24))) * ((y % 12) < 6)
    return {
        "bare": np.full(x.shape, 120.0),
        "lined paper": np.where(page & (np.abs(x - 640) < 2), 150, lined),
        "squared paper": np.where(page & ((x % 34 < 2) | (y % 34 < 2)), 150, np.where(page, 240, 110)),
        "boards": np.where(y % 61 < 3, 60, grain),
        "print": np.where(page, 235 - 150 * words, 110),
        "cloth": 120.0 + 60 * ((x // 40) % 2) + 50 * ((y // 40) % 2),
    }[kind].astype(np.float32)


@pytest.mark.parametrize("kind", ["bare", "lined paper", "squared paper", "boards", "print", "cloth"])
def test_other_things_beside_a_sheet_are_no_sheet(kind: str) -> None:
    pixels, _ = photographed(EVANSVILLE, SIZE, [tuple(p) for p in MIDDLE - (130.0, 0.0)],
                             onto=np.repeat(_table(kind)[..., None], 3, axis=2))
    assert said(pixels) == (["evansville"], [])


def cut(pixels: np.ndarray, nodes: np.ndarray, side: str) -> np.ndarray:
    """The photo without what lies beyond the middle of the grid on one side."""
    x, y = (round(float(v)) for v in nodes.reshape(-1, 2).mean(axis=0))
    return {"right": pixels[:, :x], "left": pixels[:, x:], "bottom": pixels[:y + 60], "top": pixels[y - 60:]}[side]


@pytest.mark.parametrize("layout", [EVANSVILLE, BESIDE], ids=lambda x: x.name)
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("look", [Look(), DASHED], ids=["plain", "dashed"])
def test_a_sheet_of_which_half_is_outside_is_said_to_be_cut_off_there(layout: Layout, side: str, look: Look) -> None:
    pixels, (nodes,) = photographed(layout, SIZE, turned(MIDDLE, 3.0, (0.0, 0.0)), look)
    found = look_for(cut(pixels, nodes, side))
    assert isinstance(found, PhotoError) and found.code == "partial-sheet"
    assert f"cut off at the {side}" in found.message


def _keyboard() -> np.ndarray:
    """Five rows of fifteen keys that hang out at the right."""
    picture = np.full((700, 960, 3), 170, np.uint8)
    for row in range(5):
        for key in range(15):
            x, y = 60 + key * 66 + row * 14, 150 + row * 66
            cv2.rectangle(picture, (x, y), (x + 56, y + 56), (60, 60, 60), -1)
            cv2.rectangle(picture, (x, y), (x + 56, y + 56), (30, 30, 30), 3)
    return picture


@pytest.mark.parametrize("kind", ["lined paper", "boards", "print", "cloth", "keyboard"])
def test_other_things_that_hang_out_of_the_picture_are_no_sheet(kind: str) -> None:
    picture = _keyboard() if kind == "keyboard" else np.repeat(_table(kind)[..., None], 3, axis=2)[:, :800]
    found = look_for(picture.astype(np.uint8))
    assert isinstance(found, PhotoError) and found.code in ("no-sheet", "unknown-layout", "too-poor")


def test_the_inner_games_of_two_sheets_side_by_side_are_no_page() -> None:
    """Two pads with two games each: whichever game is found first, its page's other one is on its own side."""
    left = [(25.0, 190.0), (616.0, 200.0), (593.0, 735.0), (10.0, 710.0)]
    right = [(673.0, 215.0), (1266.0, 240.0), (1260.0, 760.0), (666.0, 741.0)]
    for first, second in ((left, right), (right, left)):
        one, _ = photographed(DOUBLE, (1280, 900), first, Look(gap=13.0), seed=1)
        both, _ = photographed(DOUBLE, (1280, 900), second, Look(gap=13.0), seed=2, onto=one)
        assert said(both) == (["double", "double"], [])


def test_a_known_pad_that_is_too_faint_is_not_said_to_be_unknown() -> None:
    """Only a table whose rows and columns are no known layout's is an unknown pad."""
    columns = [22.0, 22.0, 17.0, 17.0]
    learned = replace(EVANSVILLE, name="learned", columns=tuple(
        replace(c, width=w) for c, w in zip(EVANSVILLE.columns, columns, strict=True)))
    assert _same_pad(learned, EVANSVILLE)
    assert not _same_pad(learned, replace(EVANSVILLE, row_heights=(9.0,) * 11))
    odd = replace(EVANSVILLE, columns=tuple(replace(c, width=w) for c, w in zip(EVANSVILLE.columns, (12, 30, 18, 18),
                                                                                 strict=True)))
    assert not _same_pad(learned, odd)
