"""Whether a ladder is a score sheet's, and the segments ladders are looked for among.

The numbers here and in :mod:`scanner.photo.glimpse` and :mod:`scanner.photo.cut_off` were set on the foreign set's
seeds 1, 3, 4 and 61 to 63 (docs/photos.md), which are drawn; no photograph took part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from scanner.photo.ladders import Ladder
from scanner.photo.reasons import SQUARES
from scanner.photo.rulings import LineMap
from scanner.photo.segments import GAP, SEARCH_SHRINK, joined, segments_of

#: A ladder whose rungs are less even than this is print, boards or cloth.
EVEN = 0.85
#: Rungs times their evenness from which a rail seen in part will do; fewer, but more than a keyboard's five rows, need
#: a rail that is seen and nothing between them.
MANY, FEW = 7.5, 6
PART_RAIL, PLAIN_RAIL, PLAIN_EVEN = 0.3, 0.75, 0.9
#: Rails nearer than this part of the rungs' distance are one.
ONE_RAIL = 0.5
#: Where gaps are closed, rungs are believed that lie so many gaps apart: writing and squares are closed as well.
GAPS = 2.5
#: Beside a frame there is paper on both sides: this far from it, in rungs' distances, their lights are this near.
LOOK, SAME_PAPER = 0.4, 0.95


def line_segments(lines: LineMap, known: Sequence[np.ndarray] = ()) -> Iterator[tuple[np.ndarray, float]]:
    """The photo's segments in work pixels, shape (N, 2, 2), with the least distance of rungs that is believed of them.

    First those that are seen whole, then with the gaps of dashed lines closed. Then none are sought in ``known``, the
    corners of grids, work pixels, each (4, 2): that takes most of the time.
    """
    yield _work(lines.segments), 0.0
    search = lines.search.copy() if known else lines.search
    for quad in known:
        cv2.fillConvexPoly(search, np.rint((quad + 0.5) / SEARCH_SHRINK - 0.5).astype(np.int32), 0.0)
    yield _work(segments_of(joined(search))), GAPS * GAP * max(lines.dark.shape)


def _work(segments: np.ndarray) -> np.ndarray:
    return ((segments + 0.5) * SEARCH_SHRINK - 0.5).reshape(-1, 2, 2)


def plain(ladder: Ladder) -> bool:
    """Whether it has many rungs, or a few that are even at a rail that is seen over most of its length."""
    many = ladder.rungs * ladder.even >= MANY and ladder.even >= EVEN and ladder.rail >= PART_RAIL
    return many or (ladder.rungs >= FEW and ladder.even >= PLAIN_EVEN and ladder.rail >= PLAIN_RAIL)


def columned(ladder: Ladder) -> bool:
    """Whether there are two rails or more, further apart than squared paper's, and rungs that cross a column."""
    gaps = _gaps(ladder)
    long = np.median(np.linalg.norm(ladder.ends[:, 1] - ladder.ends[:, 0], axis=1)) > SQUARES * ladder.pitch
    return bool(long and len(gaps) and gaps.max() > SQUARES * ladder.pitch and not squared(ladder))


def squared(ladder: Ladder) -> bool:
    """Whether most of the rails are no further apart than the rungs: no column of figures is so narrow."""
    gaps = _gaps(ladder) / ladder.pitch
    return len(gaps) > 1 and bool(np.mean(gaps < SQUARES) > 0.5)


def _gaps(ladder: Ladder) -> np.ndarray:
    """The distances of the rails along the rungs, but for those of a double line."""
    gaps = np.diff(np.sort(ladder.rails.mean(axis=1) @ along(ladder.ends)))
    return gaps[gaps > ONE_RAIL * ladder.pitch]


def on_paper(paper: np.ndarray, rail: np.ndarray, rungs: np.ndarray) -> bool:
    """Whether there is the same paper, by its light, on both sides of a rail; lines are given by their two ends."""
    away = LOOK * pitch_of(rungs) * along(rungs)
    points = rail[0] + (rail[1] - rail[0]) * np.linspace(0.1, 0.9, 9)[:, None]
    height, width = paper.shape
    both = [np.rint(points + sign * away).astype(int) for sign in (-1, 1)]
    light = [np.median(paper[np.clip(p[:, 1], 0, height - 1), np.clip(p[:, 0], 0, width - 1)]) for p in both]
    return bool(min(light) > SAME_PAPER * max(light))


def pitch_of(rungs: np.ndarray) -> float:
    """The usual distance of the rungs' middles."""
    return float(np.median(np.linalg.norm(np.diff(rungs.mean(axis=1), axis=0), axis=1)))


def along(ends: np.ndarray) -> np.ndarray:
    """The direction most lines have, a unit vector from their first ends to their second."""
    step = (ends[:, 1] - ends[:, 0]).sum(axis=0)
    return step / np.linalg.norm(step)


def moved(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Points, shape (..., 2), under a homography."""
    if not points.size:
        return points
    return cv2.perspectiveTransform(points.reshape(1, -1, 2), matrix)[0].reshape(points.shape)
