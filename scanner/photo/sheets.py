"""The sheets in a photo: every ruled grid some layout explains, gathered into pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scanner.photo.candidates import find_grids, grids_around, whole_ones
from scanner.photo.glimpse import another_glimpsed
from scanner.photo.load import Photo
from scanner.photo.marked import Marked, MarkedPage, find_marked
from scanner.photo.places import overlap
from scanner.photo.quality import FLAWLESS, Look, look_at
from scanner.photo.reasons import cut_sides, refusal
from scanner.photo.rulings import LineMap, line_map
from scanner.photo.search import Candidate
from scanner.photo.whole import is_whole
from scanner.sheet.layout import Layout
from scanner.sheet.plan import Fixture
from scanner.sheet.results import Fault, PhotoError, Quad

#: A smaller picture is a thumbnail: fourteen rulings of a grid that fills it would stand under ten pixels apart.
LEAST_PIXELS = 130


@dataclass(frozen=True, eq=False)
class Grid:
    """One ruled game in the photo.

    Attributes:
        number: counted on its page from the left, from 1.
        quad: the corners, heading row included, clockwise from the grid's own top left, photo pixels.
        nodes: the crossings of the rulings, float64, shape (ruled rows + 1, columns + 1, 2), photo pixels.
        fit_error: how far the rulings seen lie from the warp, in row heights.
        look: what is wrong with the picture there, and the cells that cannot be trusted.
    """

    number: int
    quad: Quad
    nodes: np.ndarray
    fit_error: float
    look: Look = FLAWLESS


@dataclass(frozen=True, eq=False)
class FoundSheet:
    """One page: its layout and how sure that is (0 to 1), the smallest quad around its grids, and the grids.

    ``fixture`` is what the code on a pad of the project's own says of teams and date; ``faults`` are those of the
    picture that are about none of the grids.
    """

    layout: Layout
    layout_confidence: float
    quad: Quad
    grids: tuple[Grid, ...]
    turn: int = 0
    fixture: Fixture | None = None
    faults: tuple[Fault, ...] = ()


def find_sheets(photo: Photo, layouts: Sequence[Layout]) -> tuple[FoundSheet, ...] | PhotoError:
    """The sheets in the photo, from the left and top, fitted to the likeliest of the layouts, or why there is none."""
    if min(photo.width, photo.height) < LEAST_PIXELS:
        return PhotoError("too-poor", f"{photo.name}: only {photo.width} x {photo.height} pixels, too small to read. "
                                      "Send the original photo, not its preview.")
    lines = line_map(photo.pixels)
    marked = find_marked(lines, photo.pixels, layouts)
    found = find_grids(lines, photo.pixels, marked.layouts or layouts)
    if not marked.pages and (marked.stranger or isinstance(found, str)):
        return refusal("stranger" if marked.stranger else found, photo, lines, layouts)
    found = found if isinstance(found, list) else []
    pages, more_there = _pages_of(found, marked, lines, photo.pixels, marked.layouts or layouts)
    size = (photo.width, photo.height)
    sheets = [page for page in pages if is_whole(page.layout, [g.nodes for g in page.grids], size)]
    if not sheets:
        return refusal(_cut(pages, size), photo, lines)
    if more_there or len(sheets) < len(pages):
        sheets[0] = replace(sheets[0], faults=(_ANOTHER,))
    return tuple(sorted(sheets, key=lambda s: (round(s.quad[0][1] / photo.height), s.quad[0][0])))


def _pages_of(
    found: list[Candidate], marked: Marked, lines: LineMap, pixels: np.ndarray, layouts: Sequence[Layout]
) -> tuple[list[FoundSheet], bool]:
    """All pages, and whether there is another of which too little is seen: one that is covered or hangs out."""
    pages, parts = _gathered(found, marked.pages, lines)
    ends = another_glimpsed(lines, _grids(pages, lines))
    if ends is None:
        return pages, bool(parts)
    more = grids_around(ends, [_work_quad(page, lines) for page in pages], lines, pixels, layouts)
    again = whole_ones(found + more, lines) if more else "no-sheet"
    if isinstance(again, str):
        return pages, True
    pages, parts = _gathered(again, marked.pages, lines)
    return pages, bool(parts) or another_glimpsed(lines, _grids(pages, lines)) is not None


def _gathered(
    found: list[Candidate], marked: Sequence[MarkedPage], lines: LineMap
) -> tuple[list[FoundSheet], list[Candidate]]:
    """The pages, those found by their marks first, and the grids that are there but cannot be read."""
    pages = [_marked(page, lines) for page in marked]
    pages += [page for page in (_sheet(group, lines) for group in _pages([c for c in found if not c.part]))
              if all(_overlap(page, other) < 0.2 for other in pages)]
    return pages, [c for c in found if c.part and all(overlap(_work_quad(p, lines), c.quad) < 0.2 for p in pages)]


def _grids(pages: list[FoundSheet], lines: LineMap) -> list[tuple[Layout, np.ndarray]]:
    """Every grid's layout and crossings, work pixels."""
    return [(page.layout, lines.from_photo(grid.nodes)) for page in pages for grid in page.grids]


_ANOTHER = Fault("another-sheet", "Another sheet is only partly to be seen and was not read.",
                 "Photograph it by itself.")


def _cut(pages: list[FoundSheet], size: tuple[int, int]) -> str:
    """The reason where pages were found but none is whole: at which sides of the picture they are cut off."""
    grids = [grid for page in pages for grid in page.grids]
    row = min(np.linalg.norm(np.diff(grid.nodes, axis=0), axis=-1).mean() for grid in grids)
    sides = cut_sides(np.concatenate([grid.nodes.reshape(-1, 2) for grid in grids]), size, row)
    return f"partial-sheet: {sides}" if sides else "partial-sheet"


def _pages(found: list[Candidate]) -> list[list[Candidate]]:
    """Grids of one layout, turn and row line side by side, at most as many as the layout has, from the left."""
    pages: list[list[Candidate]] = []
    for grid in sorted(found, key=lambda c: _along(c)):
        for page in pages:
            if len(page) < grid.fit.warp.layout.games and _beside(page[-1], grid):
                page.append(grid)
                break
        else:
            pages.append([grid])
    return pages


def _along(grid: Candidate) -> float:
    """Place of a grid along its own reading direction, so that grids of a page sort from its left."""
    nodes = grid.fit.warp.nodes()
    right = nodes[0, -1] - nodes[0, 0]
    return float(nodes.mean(axis=(0, 1)) @ right / np.linalg.norm(right))


def _beside(left: Candidate, right: Candidate) -> bool:
    """Whether ``right`` stands where the next game of the same page would: in line, at most half a grid further."""
    a, b = left.fit.warp, right.fit.warp
    if a.layout != b.layout or left.fit.turn != right.fit.turn:
        return False
    width, height = a.layout.x_lines[-1], a.layout.y_lines[-1]
    corners = b.points(np.array([0.0, 0.0]), np.array([0.0, b.layout.y_lines[-1]]))
    back = np.linalg.inv(a.place)
    flat = np.concatenate([corners, np.ones((2, 1))], axis=1) @ back.T
    u, v = flat[:, 0] / flat[:, 2], flat[:, 1] / flat[:, 2]
    # In the first grid's own frame, carried on over the gap: a row and a half of slack for curl over the middle.
    in_line = np.abs(v - np.array([0.0, height])).max() < 1.5 * a.row
    return in_line and bool((u > width - a.row).all() and (u < 1.5 * width).all())


def _sheet(page: list[Candidate], lines: LineMap) -> FoundSheet:
    grids = tuple(
        Grid(i, _quad(nodes), nodes, c.fit.error, look_at(lines, c.fit.warp, i, c.headless))
        for i, c in enumerate(page, 1) for nodes in [lines.to_photo(c.fit.warp.nodes())]
    )
    confidence = 1.0 - float(np.prod([1.0 - c.confidence for c in page]))
    return FoundSheet(page[0].fit.warp.layout, confidence, _around(grids), grids, page[0].fit.turn)


def _marked(page: MarkedPage, lines: LineMap) -> FoundSheet:
    grids = tuple(
        Grid(i, _quad(nodes), nodes, fitted.error, look_at(lines, fitted.warp, i))
        for i, fitted in enumerate(page.fits, 1) for nodes in [lines.to_photo(fitted.warp.nodes())]
    )
    return FoundSheet(page.layout, 1.0, _around(grids), grids, page.fits[0].turn, page.fixture)


def _work_quad(page: FoundSheet, lines: LineMap) -> np.ndarray:
    """A page's corners in work pixels."""
    return lines.from_photo(np.array(page.quad, np.float32))


def _overlap(one: FoundSheet, other: FoundSheet) -> float:
    return overlap(np.array(one.quad, np.float32), np.array(other.quad, np.float32))


def _quad(nodes: np.ndarray) -> Quad:
    return tuple((float(x), float(y)) for x, y in (nodes[0, 0], nodes[0, -1], nodes[-1, -1], nodes[-1, 0]))


def _around(grids: tuple[Grid, ...]) -> Quad:
    """The smallest quad around all grids of a page: corner to corner for one line of grids."""
    first, last = grids[0].quad, grids[-1].quad
    return first if len(grids) == 1 else (first[0], last[1], last[2], first[3])
