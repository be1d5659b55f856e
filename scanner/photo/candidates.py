"""From regions to grids: try layouts, keep what the rulings support, refuse what may be off by a row or a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.combs import Hypothesis, hypotheses, squared_lines
from scanner.photo.fit import Fit, fit, misfit, relabelled
from scanner.photo.regions import Region, find_regions
from scanner.photo.rulings import LineMap
from scanner.sheet.layout import Layout

#: A grid is believed when at least this much of its ruling is explained: three rulings of twenty may be hidden.
LEAST_SCORE = 0.72
#: ... and when it explains this much more than the same layout one row or column further.
LEAST_LEAD = 0.12
#: Printed columns stray from the layout's widths by about this part of the grid's width (curl and print together).
COLUMN_SPREAD = 0.007


@dataclass(frozen=True, eq=False)
class Candidate:
    """A grid some layout explains, and how sure the choice among the layouts is, 0 to 1."""

    fit: Fit
    confidence: float


def find_grids(lines: LineMap, layouts: Sequence[Layout]) -> list[Candidate] | str:
    """Every grid in the photo, or the code of the reason why there is none."""
    best: list[Candidate] = []
    doubtful = False
    for region in find_regions(lines):
        if any(_covers(c, region) for c in best):
            continue
        found = _grid_of(lines, region, layouts, (0, 2)) or _grid_of(lines, region, layouts, (1, 3))
        if found is None:
            continue
        best = _without_overlap([*best, found])
    return best or ("too-poor" if doubtful else "no-sheet")


def _grid_of(lines: LineMap, region: Region, layouts: Sequence[Layout], turns: tuple[int, ...]) -> Candidate | None:
    squared = squared_lines(lines, region)
    best: Fit | None = None
    for hypothesis in _distinct(hypotheses(squared, layouts, turns))[:4]:
        fitted = fit(lines, hypothesis)
        if best is None or fitted.score > best.score:
            best = fitted
        if best.score > 0.9 and best.score - best.shifted > 2 * LEAST_LEAD:
            break
    if best is None or best.score < LEAST_SCORE or best.score - best.shifted < LEAST_LEAD:
        return None
    return _named(lines, best, layouts)


def _distinct(found: list[Hypothesis]) -> list[Hypothesis]:
    """Hypotheses that lay different lines: those that differ in the columns' widths only are told apart afterwards."""
    kept: list[tuple[Hypothesis, np.ndarray]] = []
    for hypothesis in found:
        corners = _corners(hypothesis)
        row = np.linalg.norm(corners[3] - corners[0]) / len(hypothesis.layout.y_lines)
        same = (
            len(h.layout.y_lines) == len(hypothesis.layout.y_lines) and len(h.layout.x_lines)
            == len(hypothesis.layout.x_lines) and h.turn % 2 == hypothesis.turn % 2
            and np.abs(np.sort(c, axis=0) - np.sort(corners, axis=0)).max() < 0.8 * row
            for h, c in kept
        )
        if not any(same):
            kept.append((hypothesis, corners))
    return [h for h, _ in kept]


def _corners(hypothesis: Hypothesis) -> np.ndarray:
    width, height = hypothesis.layout.x_lines[-1], hypothesis.layout.y_lines[-1]
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ hypothesis.place.T
    return corners[:, :2] / corners[:, 2:]


def _named(lines: LineMap, fitted: Fit, layouts: Sequence[Layout]) -> Candidate:
    """The fit as the layout and turn whose column widths it shows, with the odds against the others."""
    shape = (len(fitted.warp.layout.y_lines), len(fitted.warp.layout.x_lines))
    named = [
        relabelled(lines, fitted, layout, turn)
        for layout in layouts if (len(layout.y_lines), len(layout.x_lines)) == shape
        for turn in (fitted.turn, (fitted.turn + 2) % 4)
    ]
    odds = np.array([-0.5 * (misfit(f) / COLUMN_SPREAD) ** 2 - (5.0 if f.turn else 0.0) for f in named])
    weight = np.exp(odds - odds.max())
    chosen = int(np.argmax(odds))
    layout = named[chosen].warp.layout
    same = sum(w for w, f in zip(weight, named, strict=True) if f.warp.layout == layout)
    return Candidate(named[chosen], float(same / weight.sum()))


def _covers(candidate: Candidate, region: Region) -> bool:
    """Whether a region holds nothing but a grid already found."""
    x, y, w, h = region.box
    nodes = candidate.fit.warp.nodes().reshape(-1, 2)
    low, high = nodes.min(axis=0), nodes.max(axis=0)
    inside = max(0, min(x + w, high[0]) - max(x, low[0])) * max(0, min(y + h, high[1]) - max(y, low[1]))
    return inside > 0.7 * w * h


def _without_overlap(found: list[Candidate]) -> list[Candidate]:
    """The best of every set of grids that lie on one another."""
    kept: list[Candidate] = []
    for candidate in sorted(found, key=lambda c: -c.fit.score):
        quad = _hull(candidate)
        if all(_overlap(quad, _hull(k)) < 0.2 for k in kept):
            kept.append(candidate)
    return kept


def _hull(candidate: Candidate) -> np.ndarray:
    nodes = candidate.fit.warp.nodes()
    return np.array([nodes[0, 0], nodes[0, -1], nodes[-1, -1], nodes[-1, 0]], dtype=np.float32)


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(1.0, min(cv2.contourArea(a), cv2.contourArea(b)))
