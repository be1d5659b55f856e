"""Two families of segments to the homography under which they are horizontal and vertical.

A pad lies in the picture under an unknown perspective, but its rulings still meet in two vanishing points. Sending
these to infinity makes all rulings of a family parallel and the rows evenly spaced again (Hartley & Zisserman 2004,
8.6); what is left is a position and a scale along each axis, which :mod:`scanner.photo.combs` finds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: How far a ruling's direction may turn across a grid: 35 degrees of tilt at arm's length turn it by about 12.
FAMILY_SPREAD = np.deg2rad(14)
#: Angle within which a segment points at a vanishing point; curl turns the ends of a ruling by about this.
AIM = np.deg2rad(1.5)


@dataclass(frozen=True, eq=False)
class Squaring:
    """The homography (3, 3) that squares up what the segments were taken from, and how much each family has.

    ``wealth`` is the length of the poorer family's segments in units of the families' extent: about twice the number of
    rulings (each has two edges), 4 for the outline of a page.
    """

    matrix: np.ndarray
    wealth: float


def square_up(segments: np.ndarray, most: int = 1) -> list[Squaring]:
    """Squarings of the likeliest pairs of families among ``segments``, shape (N, 4), each (x0, y0, x1, y1).

    More than one pair is worth trying where a patterned table or paper has directions of its own.
    """
    if len(segments) < 8:
        return []
    angle = np.arctan2(segments[:, 3] - segments[:, 1], segments[:, 2] - segments[:, 0]) % np.pi
    weight = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    pairs = _directions_of(angle, weight, most)
    found = [_square_pair(segments, angle, weight, pair) for pair in pairs]
    return [f for f in found if f is not None]


def _square_pair(
    segments: np.ndarray, angle: np.ndarray, weight: np.ndarray, pair: tuple[float, float]
) -> Squaring | None:
    """The squaring of one pair of directions; the family nearer to the horizontal becomes horizontal.

    Its scale is 1 at the centre of the segments.
    """
    pair = tuple(sorted(pair, key=lambda a: abs(np.sin(a))))
    near = [_turn(angle, a) < FAMILY_SPREAD for a in pair]
    own = near[0] | near[1]
    centre = np.average(segments[own].reshape(-1, 2), axis=0, weights=np.repeat(weight[own], 2))
    spread = np.abs(segments.reshape(-1, 2) - centre).max()
    local = (segments - np.tile(centre, 2)) / spread
    points = [_vanishing_point(local[n], a) for n, a in zip(near, pair, strict=True)]
    if any(p is None for p in points):
        return None
    unsquare = _directions(points)
    if unsquare is None:
        return None
    to_local = np.array([[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]])
    matrix = np.diag([spread, spread, 1.0]) @ np.linalg.inv(unsquare) @ to_local
    return Squaring(matrix, _wealth(matrix, segments[own]))


def _wealth(matrix: np.ndarray, segments: np.ndarray) -> float:
    """Length of the poorer family in units of its own extent, segments squared up and axis-parallel to 2 degrees."""
    ends = np.concatenate([segments.reshape(-1, 2), np.ones((2 * len(segments), 1))], axis=1) @ matrix.T
    if (ends[:, 2] <= 0.1).any():
        return 0.0
    points = (ends[:, :2] / ends[:, 2:]).reshape(-1, 2, 2)
    step = np.abs(points[:, 1] - points[:, 0])
    counts = []
    for axis in (0, 1):
        along = step[:, axis] > 28 * step[:, 1 - axis]  # the tangent of 2 degrees
        if not along.any():
            return 0.0
        extent = np.quantile(points[along, :, axis], 0.95) - np.quantile(points[along, :, axis], 0.05)
        counts.append(step[along, axis].sum() / max(extent, 1e-9))
    return float(min(counts))


def _turn(angle: np.ndarray, direction: float) -> np.ndarray:
    """Angle between undirected lines, 0 to pi/2."""
    d = np.abs(angle - direction) % np.pi
    return np.minimum(d, np.pi - d)


def _directions_of(angle: np.ndarray, weight: np.ndarray, most: int) -> list[tuple[float, float]]:
    """The pairs of crossing directions with most length in both, best first, each pair unlike the others."""
    bins = 90
    histogram = np.bincount((angle / np.pi * bins).astype(int) % bins, weight, bins)
    smooth = sum(np.roll(histogram, k) * np.exp(-0.5 * (k / 2.5) ** 2) for k in range(-6, 7))
    centres = (np.arange(bins) + 0.5) * np.pi / bins
    peak = np.flatnonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))
    # Rulings cross at a right angle on paper and at 50 degrees at least in any photo worth reading.
    pairs = [
        (smooth[i] * smooth[j], (float(centres[i]), float(centres[j])))
        for i in peak for j in peak if i < j and _turn(centres[i], centres[j]) > np.deg2rad(50)
    ]
    pairs.sort(reverse=True)
    return [pair for product, pair in pairs[:most] if product > 0.02 * pairs[0][0]]


def _vanishing_point(segments: np.ndarray, direction: float, tries: int = 150) -> np.ndarray | None:
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
    miss = _miss(points[:, None, :], line, middle)
    score = (np.exp(-0.5 * (miss / AIM) ** 2) * length).sum(axis=1)
    best = points[int(np.argmax(score))]
    for _ in range(3):
        near = np.exp(-0.5 * (_miss(best, line, middle) / AIM) ** 2) * length
        reach = np.linalg.norm(best[:2] - best[2] * middle[:, :2], axis=1)
        rows = line * (near / np.maximum(reach, 1e-9))[:, None]
        best = np.linalg.svd(rows, full_matrices=False)[2][-1]
    return best


def _miss(point: np.ndarray, line: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Angle between each segment and the direction from its middle to ``point``, shape (3,) or (..., 1, 3)."""
    towards_x = point[..., 0] - point[..., 2] * middle[:, 0]
    towards_y = point[..., 1] - point[..., 2] * middle[:, 1]
    # No hypot: it guards against overflow, which takes five times as long.
    reach = np.maximum(np.sqrt(towards_x * towards_x + towards_y * towards_y), 1e-12)
    return np.minimum(np.abs(towards_x * line[:, 0] + towards_y * line[:, 1]) / reach, 1.0)  # sine = angle, if small


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


