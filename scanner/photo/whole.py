"""Whether a page is in the picture as a whole: a part of one can look like another pad's whole grid."""

from __future__ import annotations

import numpy as np

from scanner.sheet.layout import Layout

#: A grid's frame keeps this many row heights from the picture's border. Nearer than the width of a bold ruling nothing
#: tells the frame from an inner ruling of a grid that goes on outside.
_EDGE = 0.15


def is_whole(layout: Layout, nodes: list[np.ndarray], size: tuple[int, int]) -> bool:
    """Whether all games of a page are found, each with its whole frame inside the picture.

    Args:
        nodes: for every grid found on the page the crossings of its rulings, shape (lines, columns, 2), photo pixels.
        size: the photo's (width, height) in pixels.

    A pad with two games of which one shows is cut off, or is another pad altogether: the first four columns of a
    longer sheet, say, whose last rows lie outside the picture.
    """
    return len(nodes) == layout.games and all(_inside(grid, size) for grid in nodes)


def _inside(grid: np.ndarray, size: tuple[int, int]) -> bool:
    sides = np.linalg.norm(grid[-1, [0, -1]] - grid[0, [0, -1]], axis=1)
    edge = _EDGE * float(sides.mean()) / (len(grid) - 1)
    corner = grid.reshape(-1, 2)
    return bool((corner.min(0) >= edge).all() and (corner.max(0) <= np.array(size) - edge).all())
