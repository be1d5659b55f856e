"""A score sheet of which too much is outside the picture to be fitted, told by its ladder, and where it is cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import cv2
import numpy as np

from scanner.photo.ladder_signs import along, columned, line_segments, moved, on_paper, pitch_of, plain
from scanner.photo.ladders import Ladder, ladders
from scanner.photo.regions import Region, whole_picture
from scanner.photo.rulings import LineMap

#: Heights of a row looked for at the picture's edge, work pixels; each finds rows from 0.6 to 1.6 times as high.
ROWS = (14.0, 22.0, 35.0, 56.0, 90.0)
#: Regions looked into, and segments of one, the longest: newsprint has thousands of short ones.
MOST_REGIONS, MOST_SEGMENTS = 3, 700
#: A line ends at the picture's edge if it does within this part of the long side; this part of the rungs must.
EDGE, REACHING = 0.015, 0.6
#: Rails at least that leave the picture, if it is they that do.
LEAST_RAILS = 3
#: A sheet has at most so many rungs more than rows: its frame, its heading's, a double one.
MORE = 4
#: Rungs end within this part of their distance from the frame: curl and perspective bend it.
PAST = 0.6
_OUT = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "top": (0.0, -1.0), "bottom": (0.0, 1.0)}
_SIDES = tuple(_OUT)


def cut_table(lines: LineMap, regions: Sequence[Region], rows: int) -> str:
    """The sides of the picture at which a score sheet is cut off, in words, or "" if none is seen.

    ``rows``: of the known layout that has most.
    """
    for (ends, least), region in product(line_segments(lines), [*regions[:MOST_REGIONS], whole_picture(lines)]):
        back = np.linalg.inv(region.square)
        for row, ladder in _ladders_in(ends, region):
            if ladder.rungs <= rows + MORE and ladder.pitch * row > least and plain(ladder):
                rungs, rails = moved(ladder.ends * row, back), moved(ladder.rails * row, back)
                sides = _reached(rungs, rails, lines.dark.shape)
                if sides and columned(ladder) and _framed(lines.paper, rungs, rails, sides):
                    return " and ".join(sides)
    return ""


def _ladders_in(ends: np.ndarray, region: Region) -> Iterator[tuple[float, Ladder]]:
    """Ladders in a region squared up, each with the height in its pixels that is a unit of them."""
    inside = np.array([cv2.pointPolygonTest(region.outline, (float(x), float(y)), False) >= 0
                       for x, y in ends.mean(axis=1)], bool)
    ends = ends[inside]
    ends = ends[np.argsort(-np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), kind="stable")[:MOST_SEGMENTS]]
    if len(ends):
        flat = moved(ends, region.square)
        for row in ROWS:
            yield from ((row, ladder) for ladder in ladders(flat / row))


def _reached(rungs: np.ndarray, rails: np.ndarray, shape: tuple[int, ...]) -> list[str]:
    """The sides of the picture at which the rungs end, or the rails if the rungs do at none."""
    at_rungs, at_rails = _at_edges(rungs, shape), _at_edges(rails, shape)
    sides = [side for side, on in zip(_SIDES, at_rungs.mean(axis=0), strict=True) if on >= REACHING]
    if sides or not len(rails):
        return sides
    enough = (at_rails.sum(axis=0) >= LEAST_RAILS) & (at_rails.mean(axis=0) >= REACHING)
    return [side for side, on in zip(_SIDES, enough, strict=True) if on]


def _at_edges(ends: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Whether each line ends at the left, right, top and bottom edge, bool (N, 4)."""
    x, y, edge = ends[..., 0], ends[..., 1], EDGE * max(shape)
    return np.stack([x < edge, x > shape[1] - 1 - edge, y < edge, y > shape[0] - 1 - edge], -1).any(axis=1)


def _framed(paper: np.ndarray, rungs: np.ndarray, rails: np.ndarray, sides: Sequence[str]) -> bool:
    """Whether the rungs end at a frame in the picture: at a rail with paper on both sides."""
    way, pitch = along(rungs), pitch_of(rungs)
    for end, sign in ((0, -1), (1, 1)):
        out = max(sign * np.array(_OUT[side]) @ way for side in sides)  # 1 where the rungs run out of the picture
        past = np.array([np.median((rungs[:, end] - rail.mean(axis=0)) @ way) for rail in rails])
        frames = rails[np.abs(past) < PAST * pitch]
        if out < 0.7 and any(on_paper(paper, frame, rungs) for frame in frames):
            return True
    return False
