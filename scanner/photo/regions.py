"""Parts of a photo that may hold one ruled grid, likeliest first, each squared up.

Two kinds of part are tried: connected line work (a grid's rulings all touch) and light, convex blobs (the paper), for
where a coffee ring or a pencil ties the grid to the grain of the table; and the whole picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.rulings import LineMap
from scanner.photo.segments import LEAST_SIDE, SEARCH_SHRINK
from scanner.photo.squaring import Squaring, square_up

#: Darkness from which a search pixel counts as line; a ruling half a pixel wide of a fifth of the paper's light has it.
LINE_DARKNESS = 0.055
#: ... and once more from which only ink and print do: pale stripes of the paper may tie a grid to what lies around it.
PRINT_DARKNESS = 0.13
#: Regions whose poorer family has fewer rulings than a frame and one line more (two edges each) hold no grid.
LEAST_WEALTH = 3.0
#: ... but beside a grid that was found one of its size may have less: half of a frame's edges and one line's.
POOR_WEALTH = 2.0


@dataclass(frozen=True, eq=False)
class Region:
    """A part of the photo squared up.

    Attributes:
        square: homography, work pixels to the squared frame, in which rulings are horizontal and vertical.
        size: (width, height) of the squared frame.
        outline: convex polygon around the part, work pixels, float32 (N, 2).
        wealth: see :class:`scanner.photo.squaring.Squaring`; regions with more are likelier grids.
    """

    square: np.ndarray
    size: tuple[int, int]
    outline: np.ndarray
    wealth: float


def find_regions(lines: LineMap) -> list[Region]:
    """Candidate regions, likeliest first; those under LEAST_WEALTH are worth trying beside others only."""
    search = lines.search
    # Last the whole picture: a ruler right across the pad cuts its line work and its paper in two.
    return _within(lines, [*_components(search), *_papers(lines), np.ones(search.shape, np.uint8)])


def whole_picture(lines: LineMap) -> Region:
    """The whole picture as it is, for what lies about straight in it."""
    height, width = lines.dark.shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return Region(np.eye(3), (width, height), frame, 0.0)


def regions_of(lines: LineMap, masks: Callable[[LineMap, tuple[int, int]], list[np.ndarray]]) -> list[Region]:
    """Candidate regions that ``masks`` proposes, given the line map and the (width, height) its masks must have."""
    return _within(lines, masks(lines, lines.search.shape[::-1]))


def _within(lines: LineMap, masks: list[np.ndarray]) -> list[Region]:
    middles = np.rint(lines.segments.reshape(-1, 2, 2).mean(axis=1)).astype(int)
    middles = np.clip(middles, 0, np.array(lines.search.shape[::-1]) - 1)
    regions = []
    for mask in masks:
        inside = mask[middles[:, 1], middles[:, 0]] > 0
        outline = convex_hull(mask)
        own = (lines.segments[inside] + 0.5) * SEARCH_SHRINK - 0.5
        squarings = [s for s in square_up(own, most=3) if s.wealth > POOR_WEALTH]
        regions += [_region(s, outline * float(SEARCH_SHRINK)) for s in squarings]
    return sorted((r for r in regions if r is not None), key=lambda r: -r.wealth)


def convex_hull(mask: np.ndarray) -> np.ndarray:
    """Convex hull of a mask's set pixels, int32 (N, 2): that of the first and last in every row."""
    rows = np.flatnonzero(mask.any(axis=1))
    first = mask[rows].argmax(axis=1)
    last = mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)
    ends = np.concatenate([np.stack([first, rows], 1), np.stack([last, rows], 1)]).astype(np.int32)
    return cv2.convexHull(ends.reshape(-1, 1, 2)).reshape(-1, 2)


def _region(squaring: Squaring, outline: np.ndarray) -> Region | None:
    there = np.concatenate([outline, np.ones((len(outline), 1))], axis=1) @ squaring.matrix.T
    if (there[:, 2] <= 0.2).any():  # the vanishing line passes through or close by: no paper looks like this
        return None
    points = there[:, :2] / there[:, 2:]
    long = float(np.ptp(outline, axis=0).max())
    low, high = points.min(axis=0) - 0.02 * long, points.max(axis=0) + 0.02 * long
    if (high - low).max() > 4 * long:
        return None
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    width, height = np.ceil(high - low).astype(int)
    return Region(shift @ squaring.matrix, (int(width), int(height)), outline.astype(np.float32), squaring.wealth)


def _components(search: np.ndarray, most: int = 6) -> list[np.ndarray]:
    """Masks (search pixels) of connected line work, largest box first; then those that only darker lines make up."""
    least = LEAST_SIDE * max(search.shape)
    boxes: list[np.ndarray] = []
    masks: list[np.ndarray] = []
    for darkness in (LINE_DARKNESS, PRINT_DARKNESS):
        joined = cv2.dilate((search > darkness).astype(np.uint8), np.ones((3, 3), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        width, height = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
        large = (np.maximum(width, height) > 1.5 * least) & (np.minimum(width, height) > least)
        for i in [int(i) + 1 for i in np.argsort(-(width * height)) if large[i]][:most]:
            left, top, wide, tall = stats[i, :4].astype(int)
            box = np.array([left, top, left + wide, top + tall])
            if all(np.abs(box - b).max() > 0.2 * least for b in boxes):  # a row and a half of the smallest grid
                boxes.append(box)
                masks.append((labels == i).astype(np.uint8))
    return masks


def _papers(lines: LineMap, most: int = 3) -> list[np.ndarray]:
    """Masks (search pixels) of light convex blobs, largest first: sheets of paper on a darker table."""
    size = (lines.dark.shape[1] // SEARCH_SHRINK, lines.dark.shape[0] // SEARCH_SHRINK)
    light = cv2.resize(lines.paper, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA)
    masks: list[tuple[float, np.ndarray]] = []
    middle, _ = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    # Otsu's threshold halves the histogram; a page in shadow or a pale table needs one lower or higher.
    for threshold in (middle, 0.7 * middle, middle + 0.4 * (255 - middle)):
        bright = cv2.erode((light > threshold).astype(np.uint8), np.ones((3, 3), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(bright, connectivity=4)
        for i in np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:2] + 1:
            mask = (labels == i).astype(np.uint8)
            hull = convex_hull(mask)
            area, filled = cv2.contourArea(hull), float(stats[i, cv2.CC_STAT_AREA])
            share = filled / light.size
            if 0.02 < share < 0.9 and filled > 0.8 * area:
                masks.append((share, cv2.fillConvexPoly(np.zeros_like(mask), hull, 1)))
    masks.sort(key=lambda m: -m[0])
    distinct = [m for k, m in enumerate(masks) if all(abs(m[0] - o[0]) > 0.02 for o in masks[:k])]
    return [cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST) for _, mask in distinct[:most]]
