"""Where fitted grids lie towards one another: overlap, the same place, in line, and beside where the next must be."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.photo.combs import Hypothesis
from scanner.photo.regions import Region
from scanner.photo.rulings import LineMap
from scanner.photo.warp import Warp
from scanner.sheet.layout import Layout

#: The gap between the games of a page, as a part of a game's width: at most this.
WIDEST_GAP = 0.4
#: How far a game of the page may lie out of line, in rows, at its near and at its far side.
IN_LINE = (0.5, 1.2)
#: The same where the game's own rulings leave no doubt: on a creased page the first game's plane ends at the crease.
IN_LINE_CLEAR = (0.8, 2.5)
#: Gaps tried for a game that is too faint to be found by itself.
GAPS = 10


def quad_of(warp: Warp) -> np.ndarray:
    """Corners of a warp's grid clockwise from its own top left, work pixels, float32 (4, 2)."""
    nodes = warp.nodes()
    return np.array([nodes[0, 0], nodes[0, -1], nodes[-1, -1], nodes[-1, 0]], dtype=np.float32)


def to_millimetres(layout: Layout, nodes: np.ndarray) -> np.ndarray:
    """The homography (3, 3) from work pixels to a grid's millimetres, by its crossings, (rows + 1, columns + 1, 2)."""
    u, v = np.meshgrid(layout.x_lines, layout.y_lines)
    return cv2.findHomography(nodes.reshape(-1, 2), np.stack([u, v], -1).reshape(-1, 2))[0]


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Shared area of two convex polygons as a part of the smaller one."""
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(shared) / max(1.0, min(cv2.contourArea(a), cv2.contourArea(b)))


def same_place(a: Warp, b: Warp) -> bool:
    """Whether two warps lay the same layout on the same rulings (corners within half a row)."""
    if a.layout != b.layout:
        return False
    first, second = a.nodes()[[0, -1]][:, [0, -1]], b.nodes()[[0, -1]][:, [0, -1]]
    row = np.linalg.norm(first[1, 0] - first[0, 0]) / (len(a.layout.y_lines) - 1)
    return bool(np.linalg.norm(first - second, axis=-1).max() < 0.5 * row)


def in_line(one: Warp, other: Warp, most: tuple[float, float] = IN_LINE) -> bool:
    """Whether another grid's rows go on where one's end: to half a row where it is near, more at its far side.

    ``most`` is how far it may lie out of line at its near and at its far side, in rows.

    A grid a row off is a row off at its near side too; the far side is a whole grid away, where curl adds up.
    """
    u, v = np.meshgrid(one.layout.x_lines, one.layout.y_lines)
    back, _ = cv2.findHomography(one.nodes().reshape(-1, 2), np.stack([u, v], -1).reshape(-1, 2))
    ends = cv2.perspectiveTransform(other.nodes()[[0, -1]][:, [0, -1]].reshape(1, -1, 2), back)[0].reshape(2, 2, 2)
    off = np.abs(ends[..., 1] - np.array([[0.0], [one.size[1]]])).max(axis=0) / one.row  # of its left and right side
    away = np.abs(ends[..., 0] - one.size[0] / 2).mean(axis=0)
    near, far = off[np.argsort(away)]
    return bool(near < most[0] and far < most[1])


def gap_between(one: Warp, other: Warp) -> float:
    """The gap between two grids side by side at their middles, in widths of the first."""
    back = to_millimetres(one.layout, one.nodes())
    ends = other.nodes()[:, [0, -1]].mean(axis=0)
    at = cv2.perspectiveTransform(ends.reshape(1, -1, 2), back)[0, :, 0] / one.size[0]
    return float(max(at.min() - 1.0, -at.max(), 0.0))


def placed_beside(warp: Warp, side: int) -> list[Hypothesis]:
    """The same grid once more, left (-1) or right (1) of itself, at gaps a third of a row apart."""
    u, v = np.meshgrid(warp.layout.x_lines, warp.layout.y_lines)
    place, _ = cv2.findHomography(np.stack([u, v], -1).reshape(-1, 2), warp.nodes().reshape(-1, 2))
    gaps = np.linspace(0.02, WIDEST_GAP, GAPS) * warp.size[0]
    shifts = [np.array([[1, 0, side * (warp.size[0] + gap)], [0, 1, 0], [0, 0, 1]]) for gap in gaps]
    return [Hypothesis(warp.layout, 0, place @ shift, 1.0) for shift in shifts]


def paper_region(warp: Warp, box: tuple[float, float, float, float], lines: LineMap) -> Region | None:
    """A box of layout millimetres (left, top, right, bottom) beyond a fitted grid, as a region if in the photo."""
    left, top, right, bottom = box
    nodes = warp.nodes()
    u, v = np.meshgrid(warp.layout.x_lines, warp.layout.y_lines)
    flat = np.stack([u, v], -1).reshape(-1, 2)
    place, _ = cv2.findHomography(flat, nodes.reshape(-1, 2))
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    outline = cv2.perspectiveTransform(corners[None], place)[0]
    height, width = lines.dark.shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    if overlap(outline.astype(np.float32), frame) < 0.3:
        return None
    ppm = np.linalg.norm(nodes[-1, 0] - nodes[0, 0]) / warp.layout.y_lines[-1]
    square = np.array([[ppm, 0, -left * ppm], [0, ppm, -top * ppm], [0, 0, 1]]) @ np.linalg.inv(place)
    size = (int((right - left) * ppm), int((bottom - top) * ppm))
    return Region(square, size, outline.astype(np.float32), 0.0)
