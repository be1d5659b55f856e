"""Every grid in a photo, found in one way after the other, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scanner.photo.hidden_heading import with_heading, without_heading
from scanner.photo.reasons import cut_sides, why_none
from scanner.photo.regions import Region, find_regions, regions_of
from scanner.photo.rulings import LineMap
from scanner.photo.search import Candidate, Search
from scanner.photo.tints import tinted_pages
from scanner.sheet.layout import Layout

#: Drafts in the search for grids without a heading row: what is under a ruler but for that is as plain as any other.
HEADLESS_DRAFTS = 60


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
    return why_none(found, regions, lines) if isinstance(found, str) else _whole(found, lines)


def _other(again: list[Candidate] | str, before: str) -> list[Candidate] | str:
    """What a second search found; of two reasons the more telling one."""
    return before if again == "no-sheet" else again


def _headed(search: Search, regions: Sequence[Region], layouts: Sequence[Layout]) -> list[Candidate]:
    """The grids whose heading row is hidden, none if any grid's may be more than that."""
    seen = replace(search, most=HEADLESS_DRAFTS).grids(regions, list(without_heading(layouts)))
    whole = [] if isinstance(seen, str) else [with_heading(search.lines, search.pixels, c.fit, layouts)
                                               for c in seen if not c.part]
    return [] if None in whole else [Candidate(h.fit, h.confidence, headless=True) for h in whole]


def _whole(found: list[Candidate], lines: LineMap) -> list[Candidate] | str:
    """The grids that lie in the picture but for half a row, the others as parts, or the reason if none does."""
    height, width = lines.dark.shape
    kept, parts = [], []
    for grid in found:
        slack = 0.5 * float(np.linalg.norm(grid.quad[3] - grid.quad[0])) / (len(grid.fit.warp.layout.y_lines) - 1)
        low, high = grid.quad.min(axis=0), grid.quad.max(axis=0)
        if (low > -slack).all() and high[0] < width + slack and high[1] < height + slack:
            kept.append(grid)
        else:
            parts.append(replace(grid, part=True))
    quads = np.concatenate([grid.quad for grid in found])
    if any(not grid.part for grid in kept):
        return kept + parts
    return f"partial-sheet: {cut_sides(quads, (width, height), 0.0)}"
