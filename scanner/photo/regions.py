"""Parts of a photo that may hold one ruled grid, each with the homography that squares it up.

A pad lies in the picture under an unknown perspective, but its rulings still meet in two vanishing points. Sending these
to infinity makes all rulings of a family parallel and the rows evenly spaced again (Hartley & Zisserman 2004, 8.6);
what is left is a position and a scale along each axis, which :mod:`scanner.photo.combs` finds.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.rulings import LineMap

#: Regions are sought on a copy this many times smaller: it closes broken and dotted rulings and costs little.
SEARCH_SHRINK = 2
#: Darkness from which a search pixel counts as line. A ruling half a pixel wide of a fifth of the paper's light keeps it.
LINE_DARKNESS = 0.055
#: A grid smaller than this part of the long side has rows of under ten work pixels and cannot be read.
LEAST_SIDE = 0.10
#: How far a ruling's direction may turn across a grid: 35 degrees of tilt at arm's length turn it by about 12.
FAMILY_SPREAD = np.deg2rad(14)
#: Angle within which a segment points at a vanishing point; curl turns the ends of a ruling by about this.
AIM = np.deg2rad(1.5)


@dataclass(frozen=True, eq=False)
class Region:
    """A part of the photo squared up: ``square`` maps work pixels (homogeneous) to the squared frame.

    In it the first family of rulings is horizontal, the second vertical; ``size`` is (width, height) in its pixels.
    """

    square: np.ndarray
    size: tuple[int, int]
    box: tuple[int, int, int, int]


def find_regions(lines: LineMap, most: int = 6) -> list[Region]:
    """Candidate regions, largest first. Frames: boxes are (x, y, width, height) in work pixels."""
    search = cv2.resize(lines.dark, None, fx=1 / SEARCH_SHRINK, fy=1 / SEARCH_SHRINK, interpolation=cv2.INTER_AREA)
    regions = []
    for box, mask in _components(search, most):
        x, y, w, h = box
        part = search[y:y + h, x:x + w] * mask
        segments = _segments(part) + np.tile([x, y], 2)
        square = square_up(segments * SEARCH_SHRINK)
        if square is not None:
            work_box = tuple(int(v * SEARCH_SHRINK) for v in box)
            regions.append(_region(square, work_box))
    return [r for r in regions if r is not None]


def _components(search: np.ndarray, most: int) -> list[tuple[tuple[int, int, int, int], np.ndarray]]:
    """Connected line work, largest box first, with its mask (dilated, so that LSD sees whole strokes)."""
    line = (search > LINE_DARKNESS).astype(np.uint8)
    joined = cv2.dilate(line, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    least = LEAST_SIDE * max(search.shape)
    boxes = []
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        if max(w, h) >= 1.5 * least and min(w, h) >= least:
            boxes.append((w * h, (x, y, w, h), i))
    boxes.sort(key=lambda b: -b[0])
    return [(b, (labels[b[1]:b[1] + b[3], b[0]:b[0] + b[2]] == i).astype(np.float32)) for _, b, i in boxes[:most]]


def _segments(dark: np.ndarray) -> np.ndarray:
    """Straight segments (x0, y0, x1, y1), shape (N, 4), pixels of ``dark``; the LSD detector of Grompone von Gioi."""
    # A quarter of the paper's light is as dark as a ruling need be: deeper ink must not outshine it.
    image = np.clip(dark * (255 / 0.25), 0, 255).astype(np.uint8)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(image)[0]
    if found is None:
        return np.zeros((0, 4))
    segments = np.asarray(found, dtype=np.float64).reshape(-1, 4)
    length = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    # Strokes of figures are shorter than a row, rulings longer; a row is at least a 40th of the grid.
    keep = length > max(dark.shape) / 40
    return segments[keep]


def square_up(segments: np.ndarray) -> np.ndarray | None:
    """The homography under which the two families among ``segments``, shape (N, 4), are horizontal and vertical.

    The family nearer to the horizontal becomes horizontal. Its scale is 1 at the segments' centre. None when there are
    no two families.
    """
    if len(segments) < 8:
        return None
    angle = np.arctan2(segments[:, 3] - segments[:, 1], segments[:, 2] - segments[:, 0]) % np.pi
    weight = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    pair = _two_directions(angle, weight)
    if pair is None:
        return None
    pair = sorted(pair, key=lambda a: abs(np.sin(a)))
    centre = np.average(segments.reshape(-1, 2), axis=0, weights=np.repeat(weight, 2))
    spread = np.abs(segments.reshape(-1, 2) - centre).max()
    local = (segments - np.tile(centre, 2)) / spread
    points = [_vanishing_point(local[_turn(angle, a) < FAMILY_SPREAD], a) for a in pair]
    if any(p is None for p in points):
        return None
    unsquare = _directions(points)
    if unsquare is None:
        return None
    to_local = np.array([[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]])
    return np.diag([spread, spread, 1.0]) @ np.linalg.inv(unsquare) @ to_local


def _turn(angle: np.ndarray, direction: float) -> np.ndarray:
    """Angle between undirected lines, 0 to pi/2."""
    d = np.abs(angle - direction) % np.pi
    return np.minimum(d, np.pi - d)


def _two_directions(angle: np.ndarray, weight: np.ndarray) -> tuple[float, float] | None:
    bins = 90
    histogram = np.bincount((angle / np.pi * bins).astype(int) % bins, weight, bins)
    reach = np.arange(-6, 7)
    smooth = sum(np.roll(histogram, k) * np.exp(-0.5 * (k / 2.5) ** 2) for k in reach)
    centres = (np.arange(bins) + 0.5) * np.pi / bins
    # Rulings cross at a right angle on paper and at 50 degrees at least in any photo worth reading.
    crossing = _turn(centres[:, None], centres[None, :]) > np.deg2rad(50)
    product = smooth[:, None] * smooth[None, :] * crossing
    i, j = np.unravel_index(np.argmax(product), product.shape)
    if product[i, j] <= 0:
        return None
    return float(centres[i]), float(centres[j])


def _vanishing_point(segments: np.ndarray, direction: float, tries: int = 200) -> np.ndarray | None:
    """Homogeneous point most segments aim at (RANSAC over pairs, then least squares), or None for too few segments."""
    if len(segments) < 3:
        return None
    ends = np.concatenate([segments.reshape(-1, 2), np.ones((2 * len(segments), 1))], axis=1).reshape(-1, 2, 3)
    line = np.cross(ends[:, 0], ends[:, 1])
    length = np.hypot(line[:, 0], line[:, 1])
    line /= length[:, None]
    middle = ends.mean(axis=1)
    rng = np.random.default_rng(len(segments))
    longest = np.argsort(-length)[:80]
    pairs = rng.choice(longest, (tries, 2))
    points = np.cross(line[pairs[:, 0]], line[pairs[:, 1]])
    points = np.vstack([points, [np.cos(direction), np.sin(direction), 0.0]])
    norm = np.linalg.norm(points, axis=1)
    points = points[norm > 1e-9] / norm[norm > 1e-9, None]
    miss = np.stack([_miss(p, line, middle) for p in points])
    score = (np.exp(-0.5 * (miss / AIM) ** 2) * length).sum(axis=1)
    best = points[int(np.argmax(score))]
    for _ in range(3):
        near = np.exp(-0.5 * (_miss(best, line, middle) / AIM) ** 2) * length
        reach = np.linalg.norm(best[:2] - best[2] * middle[:, :2], axis=1)
        rows = line * (near / np.maximum(reach, 1e-9))[:, None]
        best = np.linalg.svd(rows, full_matrices=False)[2][-1]
    return best


def _miss(point: np.ndarray, line: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Angle between each segment and the direction from its middle to ``point``."""
    towards = point[None, :2] - point[2] * middle[:, :2]
    reach = np.maximum(np.linalg.norm(towards, axis=1), 1e-12)
    return np.arcsin(np.clip(np.abs(towards[:, 0] * line[:, 0] + towards[:, 1] * line[:, 1]) / reach, 0, 1))


def _directions(points: list[np.ndarray]) -> np.ndarray | None:
    """Matrix whose columns are the two vanishing points, scaled to unit speed and pointing right and down, and 0."""
    columns = []
    for p, axis in zip(points, (0, 1), strict=True):
        speed = np.hypot(p[0], p[1])
        if speed < 1e-6:
            return None
        p = p / speed
        columns.append(p if p[axis] >= 0 else -p)
    matrix = np.column_stack([*columns, [0.0, 0.0, 1.0]])
    return matrix if abs(np.linalg.det(matrix)) > 0.3 else None


def _region(square: np.ndarray, box: tuple[int, int, int, int]) -> Region | None:
    """The region with its origin moved to the squared box's corner and a size that holds the box, or None if wild."""
    x, y, w, h = box
    corners = np.array([[x, y, 1], [x + w, y, 1], [x + w, y + h, 1], [x, y + h, 1]], dtype=np.float64).T
    there = square @ corners
    if (there[2] <= 0.2).any():  # the vanishing line passes through or close by: no paper looks like this
        return None
    points = there[:2] / there[2]
    low, high = points.min(axis=1) - 0.02 * max(w, h), points.max(axis=1) + 0.02 * max(w, h)
    size = high - low
    if size.max() > 4 * max(w, h):
        return None
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    return Region(shift @ square, (int(np.ceil(size[0])), int(np.ceil(size[1]))), box)
