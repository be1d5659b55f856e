"""Pen paths: control points written as short strings, smooth curves through them, and small changes of shape.

A path is one or more strokes divided by ``|``; a stroke is control points ``x,y`` in hundredths of the digit's height,
x to the right, y down, 0 the top and 100 the base line. A ``*`` after a point makes it a corner: curves end there.
"""

from __future__ import annotations

from functools import cache

import numpy as np

#: Points of a drawn curve between two control points; enough that no bend shows at a row of 120 pixels.
_STEPS = 9

#: One stroke: control points, float (n, 2), and which of them are corners, bool (n,).
Stroke = tuple[np.ndarray, np.ndarray]


@cache
def parse(text: str) -> tuple[Stroke, ...]:
    """The strokes of a path string, in heights (1.0 is the height of a digit)."""
    strokes = []
    for part in text.split("|"):
        words = part.split()
        points = np.array([[float(v) for v in word.rstrip("*").split(",")] for word in words]) / 100
        strokes.append((points, np.array([word.endswith("*") for word in words])))
    return tuple(strokes)


def smooth(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """A curve (m, 2) through control points (n, 2): Catmull-Rom splines between the corners."""
    cuts = [0, *[i for i in range(1, len(points) - 1) if corners[i]], len(points) - 1]
    pieces = [_spline(points[a:b + 1]) for a, b in zip(cuts, cuts[1:], strict=False)]
    return np.concatenate(pieces) if pieces else points


def _spline(points: np.ndarray) -> np.ndarray:
    if len(points) < 3:
        return np.linspace(points[0], points[-1], _STEPS + 1)
    ends = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    t = np.linspace(0, 1, _STEPS, endpoint=False)[:, None]
    out = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        out.append(b + t * (c - a) / 2 + t**2 * (a - 2.5 * b + 2 * c - d / 2) + t**3 * (1.5 * (b - c) + (d - a) / 2))
    return np.concatenate([*out, points[-1:]])


def bent(rng: np.random.Generator, points: np.ndarray, amount: float) -> np.ndarray:
    """Points moved by a smooth random field: neighbours move together, so a shape is changed, not made to tremble."""
    grid = rng.normal(0, amount, (3, 3, 2))
    at = np.clip(points, -0.2, 1.2) * 1.6 + 0.2
    cell = np.clip(at.astype(int), 0, 1)
    f = np.clip(at - cell, 0, 1)
    fx, fy = f[:, :1], f[:, 1:]
    i, j = cell[:, 1], cell[:, 0]
    top = grid[i, j] * (1 - fx) + grid[i, j + 1] * fx
    low = grid[i + 1, j] * (1 - fx) + grid[i + 1, j + 1] * fx
    return points + top * (1 - fy) + low * fy


def slanted(points: np.ndarray, tangent: float) -> np.ndarray:
    """Points leant to the right by ``tangent`` per height, about the base line."""
    return np.column_stack([points[:, 0] + (1 - points[:, 1]) * tangent, points[:, 1]])


def trembling(rng: np.random.Generator, points: np.ndarray, amount: float) -> np.ndarray:
    """A drawn curve with a slow hand's tremor of ``amount`` heights."""
    noise = rng.normal(0, 1, (len(points) + 8, 2))
    kernel = np.hanning(9) / np.sqrt((np.hanning(9) ** 2).sum())
    soft = np.column_stack([np.convolve(noise[:, k], kernel, "valid") for k in (0, 1)])
    return points + soft * amount
