"""A layout learnt from a photo: for a pad that none of the known ones fits, a start that a person corrects.

The rulings of the likeliest region are found one by one in its squared-up picture, laid as a layout, fitted as any
other (see :mod:`scanner.photo.fit`), then corrected in the flattened sheet: unseen lines go, lines left over come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scanner.photo.beyond import rulings_beyond
from scanner.photo.combs import Hypothesis, Squared, squared_lines
from scanner.photo.fit import Fit, draft, fit
from scanner.photo.flatten import Flat, flatten
from scanner.photo.regions import Region, find_regions
from scanner.photo.rulings import LineMap
from scanner.photo.tables import COVER, FEWEST, MOST_COLUMNS, MOST_ROWS, SOLID, ruled_tables
from scanner.photo.warp import Warp
from scanner.sheet.layout import Column, Layout

#: Long side of the squared picture that is searched: thirty rows of a table that fills half of it are 15 pixels high.
SIDE = 900
#: Once the sheet is flattened, a line that was not known must be there over this part of the extent.
NEW = 0.5
#: Looks at each piece there.
LOOKS = 13
#: The usual row in millimetres. Proportions are all that can be learnt from a photo.
ROW_MM = 9.0
#: A fit that explains less is no table.
LEAST_SCORE = 0.45
#: Times a table is carried on beyond its outermost rulings: a title above, a sum below, each perhaps twice.
MORE = 3
#: A column in which fewer of the horizontal pieces are seen is the gap between two games.
GAP = 0.2


@dataclass(frozen=True, eq=False)
class Learned:
    """A ruled table: the layout that describes it, and where its first game lies in the photo.

    Attributes:
        layout: free columns named column_1 and on, without titles; every ruling at its own place.
        nodes: the crossings of the first game's rulings, photo pixels, shape (rows + 1, columns + 1, 2).
        score: support of the rulings, 1 is perfect.
    """

    layout: Layout
    nodes: np.ndarray
    score: float

    @property
    def looks(self) -> str:
        """What the table looks like, for a message: "5 columns and 14 rows"."""
        beside = f", {self.layout.games} such tables side by side" if self.layout.games > 1 else ""
        return f"{len(self.layout.columns)} columns and {self.layout.rows} rows under a heading{beside}"


def learn_table(lines: LineMap, regions: Sequence[Region] | None = None) -> Learned | None:
    """The most convincing ruled table in the photo, or None; ``regions`` are those of :func:`find_regions`."""
    fits: list[Fit] = []
    for region in (find_regions(lines) if regions is None else regions)[:4]:
        squared = squared_lines(lines, region, SIDE)
        for xs, ys in ruled_tables(squared):
            fits += _fitted(lines, squared, xs, ys)
    fits = [f for f in fits if f.score > LEAST_SCORE]
    return _learned(lines, max(fits, key=lambda f: f.gain)) if fits else None


def _fitted(lines: LineMap, squared: Squared, xs: np.ndarray, ys: np.ndarray) -> list[Fit]:
    """The rulings as a layout, fitted, corrected and fitted again; empty where nothing comes of it."""
    scale = ROW_MM / float(np.median(np.diff(ys)))
    layout = _layout((xs - xs[0]) * scale, (ys - ys[0]) * scale)
    place = squared.to_work @ np.array([[1 / scale, 0, xs[0]], [0, 1 / scale, ys[0]], [0, 0, 1]])
    best: Fit | None = None
    for _ in range(3):
        fitted = fit(lines, draft(lines, Hypothesis(layout, 0, place, 1.0)))
        best = fitted if best is None or fitted.gain > best.gain else best
        lines_x, lines_y = _corrected(flatten(lines, fitted.warp), fitted.warp)
        if len(lines_x) <= FEWEST or len(lines_y) <= FEWEST:
            break
        if len(lines_x) > MOST_COLUMNS + 1 or len(lines_y) > MOST_ROWS + 2:
            break
        if len(lines_x) == len(fitted.warp.xs) and len(lines_y) == len(fitted.warp.ys):
            break
        shift = np.array([[1, 0, lines_x[0]], [0, 1, lines_y[0]], [0, 0, 1]])
        layout, place = _layout(lines_x - lines_x[0], lines_y - lines_y[0]), fitted.warp.place @ shift
    return [_completed(lines, best)] if best else []


def _completed(lines: LineMap, fitted: Fit) -> Fit:
    """The fit with the rows and columns beyond its outermost rulings that the rulings across them ask for."""
    for _ in range(MORE):
        more = rulings_beyond(lines, fitted.warp)
        if more is None or len(more[0]) > MOST_COLUMNS + 1 or len(more[1]) > MOST_ROWS + 2:
            break
        again = _refitted(lines, fitted.warp, *more)
        if again.score <= fitted.score:
            break
        fitted = again
    return fitted


def _refitted(lines: LineMap, warp: Warp, xs: np.ndarray, ys: np.ndarray) -> Fit:
    """A table fitted anew to other rulings, in millimetres of the warp."""
    shift = np.array([[1, 0, xs[0]], [0, 1, ys[0]], [0, 0, 1]])
    return fit(lines, draft(lines, Hypothesis(_layout(xs - xs[0], ys - ys[0]), 0, warp.place @ shift, 1.0)))


def _corrected(flat: Flat, warp: Warp) -> tuple[np.ndarray, np.ndarray]:
    """The rulings (xs, ys), millimetres, that the flattened sheet shows: without unseen ones, with those left over."""
    ys = _shown_lines(flat.across, flat.pixel(warp.ys), flat.pixel(warp.xs), flat.pitch)
    xs = _shown_lines(flat.down.T, flat.pixel(warp.xs), flat.pixel(warp.ys), flat.pitch)
    return (xs - flat.zero) / flat.ppm, (ys - flat.zero) / flat.ppm


def _shown_lines(evidence: np.ndarray, rulings: np.ndarray, crossings: np.ndarray, pitch: int) -> np.ndarray:
    """Pixels of the horizontal lines that run on from crossing to crossing: rulings that do, and lines left over."""
    columns = crossings[:-1, None] + np.diff(crossings)[:, None] * np.linspace(0.04, 0.96, LOOKS)
    columns = np.clip(np.rint(columns).astype(int), 0, evidence.shape[1] - 1)
    soft = cv2.dilate(np.ascontiguousarray(evidence), np.ones((5, 1), np.uint8))[:, columns]
    at = np.clip(np.rint(rulings).astype(int), 0, len(soft) - 1)
    level = max(0.01, 0.3 * float(np.quantile(soft[at], 0.7)))
    solid = (soft > level).mean(axis=2) > SOLID
    share = solid @ np.diff(crossings) / (crossings[-1] - crossings[0])
    kept = rulings[share[at] > COVER]
    peak = (share >= NEW) & (share >= cv2.dilate(share[:, None], np.ones((2 * (pitch // 5) + 1, 1)))[:, 0])
    groups = np.flatnonzero(peak)
    groups = np.split(groups, np.flatnonzero(np.diff(groups) > 1) + 1) if len(groups) else []
    more = [m for m in (g.mean() for g in groups)
            if np.abs(rulings - m).min() > 0.3 * pitch and rulings[0] < m < rulings[-1]]
    return np.sort(np.concatenate([kept, more]))


def _layout(xs: np.ndarray, ys: np.ndarray, games: int = 1) -> Layout:
    """Rulings in millimetres from 0 as a layout whose first row is the heading."""
    columns = tuple(Column(f"column_{i}", (), max(0.5, round(float(w), 1)), True) for i, w in enumerate(np.diff(xs), 1))
    heights = tuple(max(0.5, round(float(h), 1)) for h in np.diff(ys))
    return Layout("learnt", columns, heights[1:], heights[0], games)


def _learned(lines: LineMap, fitted: Fit) -> Learned:
    """The fit as what is reported: games side by side told apart, rows that are alike made the same."""
    warp = fitted.warp
    runs = _games(flatten(lines, warp), warp)
    widest = max(end - start for start, end in runs)
    runs = [r for r in runs if r[1] - r[0] == widest]
    start, end = runs[0]
    layout = _layout(warp.xs[start:end + 1] - warp.xs[start], warp.ys - warp.ys[0], len(runs))
    return Learned(_even(layout), lines.to_photo(warp.nodes()[:, start:end + 1]), fitted.score)


def _games(flat: Flat, warp: Warp) -> list[tuple[int, int]]:
    """First and last vertical ruling of every run of columns that the rows go through."""
    px, py = flat.pixel(warp.xs), flat.pixel(warp.ys)
    soft = cv2.dilate(flat.across, np.ones((5, 1), np.uint8))
    rows = np.clip(np.rint(py).astype(int), 0, len(soft) - 1)
    middle = np.clip(np.rint((px[:-1] + px[1:]) / 2).astype(int), 0, soft.shape[1] - 1)
    pieces = soft[rows][:, middle]
    ruled = (pieces > 0.3 * max(0.01, float(np.quantile(pieces, 0.7)))).mean(axis=0) > GAP
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ruled, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)] or [(0, len(px) - 1)]


def _even(layout: Layout) -> Layout:
    """The layout with one height for all hand rows if they differ by no more than print and curl make them."""
    heights = np.array(layout.row_heights)
    usual = float(np.median(heights))
    if np.abs(heights / usual - 1).max() > 0.06:
        return layout
    return replace(layout, row_heights=(round(float(heights.mean()), 2),) * len(heights))
