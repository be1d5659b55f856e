"""Every grid in a photo, found in one way after the other, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from scanner.photo.belief import CLEAR
from scanner.photo.cut_off import cut_table
from scanner.photo.hidden_heading import with_heading, without_heading
from scanner.photo.places import in_line, overlap
from scanner.photo.reasons import cut_sides, why_none
from scanner.photo.regions import Region, find_regions, regions_of
from scanner.photo.rulings import LineMap
from scanner.photo.search import Candidate, Search
from scanner.photo.tints import tinted_pages
from scanner.sheet.layout import Layout

#: Drafts in the search for grids without a heading row: what is under a ruler but for that is as plain as any other.
HEADLESS_DRAFTS = 60
#: A grid found is blotted out a little larger than it is; other grids are sought around their rungs and rails, which
#: may be those of one side only.
BLOTTED, AROUND = 1.06, 1.4
#: Margin that every page has around its grid, rows: narrower ones cannot be held while the pad is printed and cut.
MARGIN = 0.5


def find_grids(lines: LineMap, pixels: np.ndarray, layouts: Sequence[Layout]) -> list[Candidate] | str:
    """Every grid in the photo, or the reason why there is none (see :func:`scanner.photo.reasons.refusal`).

    ``pixels`` is the photo the lines were taken from; its printed headings are read where the rulings leave a doubt.
    """
    regions = find_regions(lines)
    search = Search(lines, pixels)
    found = search.grids(regions, layouts)
    if isinstance(found, str):
        found = _other(search.grids(regions_of(lines, tinted_pages), layouts), found)
    if isinstance(found, str):
        found = _headed(search, regions, layouts) or found
    if isinstance(found, str):
        return _why(found, regions, lines, max(layout.rows for layout in layouts))
    return whole_ones(found, lines)


def grids_around(
    ends: np.ndarray, known: Sequence[np.ndarray], lines: LineMap, pixels: np.ndarray, layouts: Sequence[Layout]
) -> list[Candidate]:
    """More grids, sought around lines that no grid explains: all line work of a picture may be connected.

    Args:
        ends: the ends of those lines, work pixels, shape (N, 2).
        known: the corners of the grids that were found, work pixels, each (4, 2).
        lines, pixels: the photo's.
        layouts: those looked for.
    """
    rest = replace(lines, dark=lines.dark.copy())
    for quad in known:
        cv2.fillConvexPoly(rest.dark, _around(quad, BLOTTED), 0.0)
    hull = _around(cv2.convexHull(ends.astype(np.float32))[:, 0], AROUND)
    regions = regions_of(rest, lambda lines, size: [_mask(hull, lines.dark.shape, size)])
    more = Search(rest, pixels).grids([*regions, *find_regions(rest)], layouts)
    more = more if isinstance(more, list) else []
    return [c for c in more if all(overlap(c.quad, quad) < 0.2 for quad in known)]


def _around(polygon: np.ndarray, factor: float) -> np.ndarray:
    """A polygon enlarged about its middle, whole pixels."""
    middle = polygon.mean(axis=0)
    return np.rint(middle + (polygon - middle) * factor).astype(np.int32)


def _mask(polygon: np.ndarray, shape: tuple[int, ...], size: tuple[int, int]) -> np.ndarray:
    """What lies in a polygon of a picture of that shape, uint8 of ``size`` (width, height)."""
    return cv2.resize(cv2.fillConvexPoly(np.zeros(shape, np.uint8), polygon, 1), size, interpolation=cv2.INTER_NEAREST)


def _why(code: str, regions: Sequence[Region], lines: LineMap, rows: int) -> str:
    """Why no grid was found: one that is cut off may be too little to be fitted, and is plain to see all the same."""
    sides = cut_table(lines, regions, rows) if code in ("no-sheet", "too-poor", "partial-sheet") else ""
    return f"partial-sheet: {sides}" if sides else why_none(code, regions, lines)


def _other(again: list[Candidate] | str, before: str) -> list[Candidate] | str:
    """What a second search found; of two reasons the more telling one."""
    return before if again == "no-sheet" else again


def _headed(search: Search, regions: Sequence[Region], layouts: Sequence[Layout]) -> list[Candidate]:
    """The grids whose heading row is hidden, none if any grid's may be more than that."""
    seen = replace(search, most=HEADLESS_DRAFTS).grids(regions, list(without_heading(layouts)))
    whole = [] if isinstance(seen, str) else [with_heading(search.lines, search.pixels, c.fit, layouts)
                                               for c in seen if not c.part]
    return [] if None in whole else [Candidate(h.fit, h.confidence, headless=True) for h in whole]


def whole_ones(found: list[Candidate], lines: LineMap) -> list[Candidate] | str:
    """The grids that lie in the picture but for half a row, the others as parts, or the reason if none does."""
    height, width = lines.dark.shape
    kept, parts = [], []
    for grid in found:
        slack = 0.5 * _row(grid)
        low, high = grid.quad.min(axis=0), grid.quad.max(axis=0)
        inside = (low > -slack).all() and high[0] < width + slack and high[1] < height + slack
        if inside and not any(_under(grid, other) for other in found):
            kept.append(grid)
        else:
            parts.append(replace(grid, part=True))
    quads = np.concatenate([grid.quad for grid in found])
    if any(not grid.part for grid in kept):
        return kept + parts
    return f"partial-sheet: {cut_sides(quads, (width, height), 0.0)}"


def _under(grid: Candidate, other: Candidate) -> bool:
    """Whether a grid that is less plain lies so near another page's that it must be half under that page."""
    if grid.fit.score > CLEAR or grid is other or in_line(other.fit.warp, grid.fit.warp):
        return False
    larger = [np.asarray(cv2.convexHull(np.concatenate([c.quad + MARGIN * _row(c) * np.array(way, np.float32)
                                                        for way in ((-1, -1), (1, -1), (1, 1), (-1, 1))]))[:, 0])
              for c in (grid, other)]
    return overlap(*larger) > 0.0


def _row(grid: Candidate) -> float:
    """Height of a row, work pixels."""
    return float(np.linalg.norm(grid.quad[3] - grid.quad[0])) / (len(grid.fit.warp.layout.y_lines) - 1)
