"""Cells cut out of the photo, curl and perspective taken off."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.sheet.layout import Layout

#: Height of every crop in pixels, margin included.
CELL_HEIGHT = 48
#: What is shown around a cell on all four sides, as a part of the row's height.
MARGIN = 0.15


def cut_cells(
    pixels: np.ndarray, grid, layout: Layout, margin: float = MARGIN, height: int = CELL_HEIGHT
) -> dict[tuple[int, str], np.ndarray]:
    """The grid's cells as upright RGB crops, by (row, cell key), rows counted from 1 under the heading.

    Args:
        pixels: the photo, uint8 RGB, shape (H, W, 3).
        grid: a :class:`scanner.photo.sheets.Grid`; only its ``nodes`` are used.
        layout: the layout the grid was fitted to; gives rows, columns and every cell's true proportions.
        margin: shown around the cell, as a part of the row's height, the same length on all sides.
        height: of every crop in pixels, margin included; the width follows the layout's millimetres.

    Pixels are averaged, never skipped, where the photo is finer than the crop.
    """
    nodes = np.asarray(grid.nodes, dtype=np.float64)
    xs, ys = np.array(layout.x_lines), np.array(layout.y_lines)
    cells = {}
    for row in range(layout.rows):
        line = row + layout.heading_rows
        edge = margin * (ys[line + 1] - ys[line])
        for column, key in enumerate(layout.keys):
            size = _size(xs[column + 1] - xs[column], ys[line + 1] - ys[line], edge, height)
            cells[row + 1, key] = _cut(pixels, nodes, xs, ys, (line, column), edge, size)
    return cells


def _size(width: float, tall: float, edge: float, height: int) -> tuple[int, int]:
    """Crop size (width, height) in pixels of a cell of ``width`` by ``tall`` millimetres and ``edge`` around it."""
    return max(8, round(height * (width + 2 * edge) / (tall + 2 * edge))), height


def _cut(pixels: np.ndarray, nodes: np.ndarray, xs: np.ndarray, ys: np.ndarray, cell: tuple[int, int], edge: float,
         size: tuple[int, int]) -> np.ndarray:
    line, column = cell
    left, right, top, bottom = xs[column] - edge, xs[column + 1] + edge, ys[line] - edge, ys[line + 1] + edge
    # A net of three points an edge follows the curl inside a cell; crossings carry it from cell to cell.
    u, v = np.linspace(left, right, 5), np.linspace(top, bottom, 5)
    net = _places(nodes, xs, ys, u, v)
    finest = _pixels_per(net, size)
    whole = int(np.clip(np.ceil(finest), 1, 8))
    big = (size[0] * whole, size[1] * whole)
    places = _spread(net, big)
    crop = cv2.remap(pixels, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return crop if whole == 1 else cv2.resize(crop, size, interpolation=cv2.INTER_AREA)


def _spread(net: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The (5, 5, 2) net of places, whose outer points are the crop's outer edges, at every pixel centre of ``size``."""
    width, height = size
    steps = net.shape[0] - 1
    to_net = np.array([[steps / width, 0, 0.5 * steps / width], [0, steps / height, 0.5 * steps / height]])
    return cv2.warpAffine(net.astype(np.float32), to_net, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                          borderMode=cv2.BORDER_REPLICATE)


def _pixels_per(net: np.ndarray, size: tuple[int, int]) -> float:
    """Photo pixels per crop pixel along the finer axis, at the densest part of the cell."""
    across = np.linalg.norm(net[:, -1] - net[:, 0], axis=-1).max() / size[0]
    down = np.linalg.norm(net[-1] - net[0], axis=-1).max() / size[1]
    return float(max(across, down))


def _places(nodes: np.ndarray, xs: np.ndarray, ys: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Photo pixels at every (v, u), shape (len(v), len(u), 2): cubic through the crossings (Catmull-Rom), both axes."""
    return np.einsum("vi,uj,ijc->vuc", _weights(ys, v), _weights(xs, u), nodes)


def _weights(knots: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Weights (len(at), len(knots)) of a Lagrange cubic through the four nearest knots; linear with two, and beyond."""
    count = len(knots)
    order = min(4, count)
    table = np.zeros((len(at), count))
    for i, x in enumerate(at):
        k = int(np.searchsorted(knots, x)) - 1
        first = int(np.clip(k - (order - 2) // 2, 0, count - order))
        near = np.arange(first, first + order)
        for j in near:
            others = near[near != j]
            table[i, j] = np.prod((x - knots[others]) / (knots[j] - knots[others]))
    return table
