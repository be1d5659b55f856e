"""Sheets whose heading row lies under a ruler or another paper: told by their rows, their columns and the thing.

Only where no layout fits as a whole, each is sought without its heading row; the foot and the rows themselves say that
all hand rows are there. That none of them is the heading, and that the heading alone is missing, must be seen as well:

- something that is not the paper covers the place where the heading would be;
- neither on it nor beyond it do the columns go on;
- the first row seen has no printed words, and is not empty where later rows are written in;
- the columns are those of one layout only, and of none with more rows: it might be that one with rows hidden too.

Which end is the head is told by where the thing lies, and must not be contradicted by the writing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scanner.photo.fit import ROUNDS, Fit, misfit, settle, turned_nodes
from scanner.photo.flatten import Flat, flatten
from scanner.photo.naming import COLUMN_SPREAD, DARK, DOUBT, EXIF_TRUST, print_seen, upright
from scanner.photo.rulings import LineMap
from scanner.photo.warp import Warp
from scanner.sheet.layout import Layout

#: Rows looked at beyond the first ruling seen: a ruler of two rows and the page behind it.
BEYOND = 4
#: A place shows no paper where it is lighter or darker than the rows below by this factor, or its log colour ratios
#: differ by this much: half of what hides writing (see flatten), for steel is as grey as a white page in shade.
OTHER_LIGHT, OTHER_COLOUR = 1.12, 0.08
#: Part of the heading's place that must show no paper, and of the first row's that may show none.
COVERED, ROW_COVERED = 0.85, 0.5
#: Support of the columns, against that in the rows seen, from which they go on beyond the first ruling.
GOES_ON = 0.4
#: Stray of the columns from the layout's, in spreads (see naming): right ones had 0.2 at most on 18 foreign sheets.
MOST_STRAY = 2.0
#: Ink of a row's fullest cell from which somebody wrote in it, and below which nobody did: a digit covers 4 %.
WRITTEN, EMPTY = 0.03, 0.012
#: Nats that must be left for the way up when the writing and the EXIF turn have spoken.
UPRIGHT = 1.0
#: Fewer rows do not say where the next one would be.
LEAST_ROWS = 4


@dataclass(frozen=True, eq=False)
class Headed:
    """A grid whose heading row is not seen, fitted as its whole layout, and how sure the layout is, 0 to 1."""

    fit: Fit
    confidence: float


def without_heading(layouts: Sequence[Layout]) -> dict[Layout, Layout]:
    """The layouts that have a heading row, by what is left of each where it is hidden."""
    return {replace(x, heading_height=0.0): x for x in layouts if x.heading_rows and x.rows >= LEAST_ROWS}


def with_heading(lines: LineMap, pixels: np.ndarray, seen: Fit, layouts: Sequence[Layout]) -> Headed | None:
    """A fit to rows without a heading as the layout whose heading is hidden above them.

    None where rows may be hidden too, where the first row seen may be the heading, or where it is not sure which layout
    it is or which end is the head. ``seen`` is a fit of one of :func:`without_heading` of ``layouts``.
    """
    bare = without_heading(layouts)
    names = _names(seen, list(bare))
    tops = [_top(lines, seen, layout, turn) for layout, turn, _ in names]
    hidden = [(name, top) for name, top in zip(names, tops, strict=True) if _is_hidden(top)]
    turns = {turn for (_, turn, _), _ in hidden}
    if len(turns) != 1:
        return None
    (layout, turn, stray), top = min(hidden, key=lambda h: h[0][2])
    confidence = _sureness(seen, layout, turn, stray, layouts)
    if confidence is None or not (_begins(top) and _is_upright(lines, seen, turn)):
        return None
    nodes = turned_nodes(seen.warp.nodes(), (turn - seen.turn) % 4)
    if print_seen(pixels, lines.to_photo(nodes), layout, layouts) != (False, False):
        return None
    return Headed(replace(seen, warp=_whole(lines, bare[layout], layout, nodes), turn=turn), confidence)


def _names(seen: Fit, bare: Sequence[Layout]) -> list[tuple[Layout, int, float]]:
    """Layouts in turns whose columns fit those seen, each with how far they stray, in spreads."""
    own = seen.warp.layout
    same = [x for x in bare if len(x.columns) == len(own.columns) and x.rows == own.rows and x.games == own.games]
    turns = (seen.turn, (seen.turn + 2) % 4)
    names = [(x, turn, misfit(seen, x, turn) / COLUMN_SPREAD) for x in same for turn in turns]
    return [name for name in names if name[2] < MOST_STRAY]


def _sureness(seen: Fit, layout: Layout, turn: int, stray: float, layouts: Sequence[Layout]) -> float | None:
    """Probability of a layout among those whose rows these may be, all or some; None if another may be meant."""
    nats = [0.0]
    for other in layouts:
        cut = replace(other, row_heights=layout.row_heights, heading_height=0.0)
        if cut != layout and other.rows >= layout.rows and len(other.columns) == len(layout.columns):
            nats.append(0.5 * (stray ** 2 - (misfit(seen, cut, turn) / COLUMN_SPREAD) ** 2))
    return None if max(nats[1:], default=-np.inf) > -DOUBT else float(1 / np.exp(nats).sum())


@dataclass(frozen=True, eq=False)
class _Top:
    """What is seen about a grid's first row, by places in rows below its first ruling.

    Attributes:
        rows: the places, from -BEYOND on, an eighth apart.
        other: part of the width that is not the paper there.
        columns: support of the column rulings there, 0 to 1.
        ink: of the fullest cell of each hand row.
    """

    rows: np.ndarray
    other: np.ndarray
    columns: np.ndarray
    ink: np.ndarray


def _top(lines: LineMap, seen: Fit, layout: Layout, turn: int) -> _Top:
    nodes = turned_nodes(seen.warp.nodes(), (turn - seen.turn) % 4)
    taller = replace(layout, row_heights=(layout.row_heights[0],) * BEYOND + layout.row_heights)
    warp = _through(taller, nodes, BEYOND)
    rows = np.arange(-BEYOND, 3.0, 0.125)
    at = (rows + BEYOND) * layout.row_heights[0]
    flat = flatten(lines, warp)
    return _Top(rows, _other(lines, warp, rows, at), _columns(flat, warp, rows, at), np.array(list(_ink(flat, warp))))


def _other(lines: LineMap, warp: Warp, rows: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Part of the grid's width, at each of the places, that has not the colour or light of the second and third row."""
    u, v = np.meshgrid(np.linspace(warp.xs[0], warp.xs[-1], 40), at)
    places = np.rint((warp.points(u, v) + 0.5) / 4 - 0.5).astype(int)
    height, width = lines.colours.shape[:2]
    x, y = np.clip(places[..., 0], 0, width - 1), np.clip(places[..., 1], 0, height - 1)
    red, blue, light = (tint[y, x] for tint in lines.tints)
    # The lightest third of what is seen there is paper; the rest may be ink.
    paper = np.flatnonzero((rows > 1.2) & (rows < 2.8))
    paper = paper[np.argsort(-light[paper], axis=0)[:len(paper) // 3]]
    share = light / np.take_along_axis(light, paper, axis=0).mean(axis=0)
    other = (share > OTHER_LIGHT) | (share < 1 / OTHER_LIGHT)
    for ratio in (red, blue):
        other |= np.abs(ratio - np.take_along_axis(ratio, paper, axis=0).mean(axis=0)) > OTHER_COLOUR
    # Beyond the picture's edge nothing covers the sheet: it is cut off.
    inside = (places >= 0).all(axis=-1) & (places[..., 0] < width) & (places[..., 1] < height)
    return (other & inside).mean(axis=1)


def _columns(flat: Flat, warp: Warp, rows: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Support of the column rulings at each of the places, smoothed over half a row."""
    soft = cv2.dilate(flat.down, np.ones((1, 5), np.uint8))[:, np.rint(flat.pixel(warp.xs)).astype(int)]
    lines = soft[np.rint(flat.pixel(at)).astype(int)]
    level = max(float(np.median(lines[rows > 0.25])), 0.01)
    return cv2.blur(np.minimum(lines / level, 1.0).mean(axis=1)[:, None], (1, 5)).ravel()


def _ink(flat: Flat, warp: Warp) -> Iterator[float]:
    dark = (flat.dark > DARK).astype(np.float32)
    inset = 0.17 * flat.pitch
    xs, ys = flat.pixel(warp.xs), flat.pixel(warp.ys[BEYOND:])
    for top, bottom in zip(ys[:-1] + inset, ys[1:] - inset, strict=True):
        cells = zip(xs[:-1] + inset, xs[1:] - inset, strict=True)
        yield max(float(dark[round(top):round(bottom), round(a):round(b)].mean()) for a, b in cells)


def _is_hidden(top: _Top) -> bool:
    """Whether something lies where the heading would be, and nothing of the grid is seen there or beyond."""
    heading = (top.rows > -0.85) & (top.rows < -0.15)
    first = (top.rows > 0.15) & (top.rows < 0.85)
    ends = top.columns[top.rows < -0.3].max() < GOES_ON
    return bool(top.other[heading].mean() > COVERED and top.other[first].mean() < ROW_COVERED and ends)


def _begins(top: _Top) -> bool:
    """Whether the first row seen may be the first hand: it is written in if any is. An empty one is a heading."""
    return bool(top.ink[0] > EMPTY or top.ink.max() < WRITTEN)


def _is_upright(lines: LineMap, seen: Fit, turn: int) -> bool:
    """Whether EXIF and writing together do not speak against the turn that the thing's place says."""
    nats = upright(flatten(lines, seen.warp), seen)
    exif = {0: EXIF_TRUST, 2: -EXIF_TRUST}.get(turn, 0.0)
    return exif + (nats if turn == seen.turn else -nats) >= UPRIGHT


def _whole(lines: LineMap, layout: Layout, bare: Layout, nodes: np.ndarray) -> Warp:
    """The warp of the whole layout: from the second ruling seen on, for at the first the thing's edge may be taken."""
    short = replace(bare, row_heights=bare.row_heights[1:])
    warp = settle(lines, _through(short, nodes[1:], 0), ROUNDS[-3:])
    return _through(layout, warp.nodes(), 2)


def _through(layout: Layout, nodes: np.ndarray, first: int) -> Warp:
    """The warp of a layout whose rulings from the ``first`` on, from 0, cross at ``nodes`` in work pixels."""
    u, v = np.meshgrid(layout.x_lines, layout.y_lines[first:])
    at = np.stack([u, v], -1).reshape(-1, 2)
    place, _ = cv2.findHomography(at, nodes.reshape(-1, 2))
    warp = Warp(layout, place)
    bent = cv2.perspectiveTransform(nodes.reshape(1, -1, 2), np.linalg.inv(place))[0]
    row, column = np.divmod(np.arange(len(at)), u.shape[1])
    for axis, line in ((0, column), (1, row + first)):
        warp = warp.refit(axis, at, line, bent[:, axis], np.ones(len(at)), 4, 0.1 * warp.row)
    return warp
