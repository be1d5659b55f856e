"""What is seen of a sheet beside those that were read: one half under another, or one whose line work is all connected.

Both are told by ladders (:mod:`scanner.photo.ladders`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scanner.photo.ladder_signs import line_segments, moved, on_paper, plain, squared
from scanner.photo.ladders import Ladder, ladders
from scanner.photo.places import to_millimetres
from scanner.photo.rulings import LineMap
from scanner.sheet.layout import Layout

#: Rungs times evenness from which dashed lines are looked into.
HOPE = 6.0
#: More rungs than this, in rows of the layout, are lined paper's.
MOST = 1.5
#: Rows of the other sheet against those of the one that was read: another pad, further away or nearer.
PITCHES = (0.7, 1.6)
#: Longer than this, in widths of the grid, no rung is.
LONGEST = 1.2
#: Paper this near a grid that was read, in rows, is its own.
OWN = 0.5


def another_glimpsed(lines: LineMap, grids: Sequence[tuple[Layout, np.ndarray]]) -> np.ndarray | None:
    """The ends of rungs and rails of another sheet that is seen beside or under those read, or None if none is.

    Args:
        lines: of the photo.
        grids: every grid's layout and crossings, work pixels, shape (rows + 1, columns + 1, 2).

    Returns:
        Work pixels, shape (N, 2).
    """
    to_work = np.linalg.inv(to_millimetres(*grids[0]))
    for ends, least in line_segments(lines, [nodes[[0, 0, -1, -1], [0, -1, -1, 0]] for _, nodes in grids]):
        found = _ladders_outside(ends, least, grids)
        for ladder in (ladder for ladder in found if _sheet_like(ladder, grids[0][0].rows)):
            rungs, rails = (moved(e * _row(grids[0][0]), to_work) for e in (ladder.ends, ladder.rails))
            # At a page's edge boards may end like rungs.
            if any(on_paper(lines.paper, rail, rungs) for rail in rails):
                return np.concatenate([rungs.reshape(-1, 2), rails.reshape(-1, 2)])
        if _most(found) < HOPE:
            break  # where not even that is seen, closing gaps is not worth its time
    return None


def _most(found: Sequence[Ladder]) -> float:
    return max((ladder.rungs * ladder.even for ladder in found), default=0.0)


def _ladders_outside(ends: np.ndarray, least: float, grids: Sequence[tuple[Layout, np.ndarray]]) -> list[Ladder]:
    """Ladders beside the grids, their unit a row of the first, whose rungs are over ``least`` work pixels apart."""
    layout, nodes = grids[0]
    height = float(np.linalg.norm(nodes[-1] - nodes[0], axis=-1).mean()) * _row(layout) / layout.y_lines[-1]
    around = _in_rows(ends[_outside(ends.mean(axis=1), grids)].reshape(-1, 2), layout, nodes).reshape(-1, 2, 2)
    longest = LONGEST * layout.x_lines[-1] / _row(layout)
    return [ladder for ladder in ladders(around, longest) if ladder.pitch * height > least]


def _outside(points: np.ndarray, grids: Sequence[tuple[Layout, np.ndarray]]) -> np.ndarray:
    """Which points, work pixels, shape (N, 2), lie in none of the grids, bool (N,)."""
    keep = np.ones(len(points), bool)
    for layout, nodes in grids:
        x, y = _in_rows(points, layout, nodes).T
        width, height = layout.x_lines[-1] / _row(layout), layout.y_lines[-1] / _row(layout)
        keep &= (x < -OWN) | (x > width + OWN) | (y < -OWN) | (y > height + OWN)
    return keep


def _sheet_like(ladder: Ladder, rows: int) -> bool:
    pitched = PITCHES[0] <= ladder.pitch <= PITCHES[1]
    return ladder.rungs <= MOST * rows and pitched and plain(ladder) and not squared(ladder)


def _in_rows(points: np.ndarray, layout: Layout, nodes: np.ndarray) -> np.ndarray:
    """Points, work pixels, shape (N, 2), from a grid's top left corner in heights of its rows."""
    return moved(np.asarray(points, np.float64), to_millimetres(layout, nodes)) / _row(layout)


def _row(layout: Layout) -> float:
    """Mean height of a row, millimetres."""
    return layout.y_lines[-1] / (len(layout.row_heights) + layout.heading_rows)
