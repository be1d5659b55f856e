"""Cells cut out of the photo, curl and perspective taken off."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np

from scanner.sheet.layout import Layout

#: Height of every crop in pixels, margin included.
CELL_HEIGHT = 48
#: What is shown around a cell on all four sides, as a part of the row's height.
MARGIN = 0.15
#: Crops are sampled this much finer and averaged down, so that no stroke falls between two samples.
FINER = 2


class HasNodes(Protocol):
    """Anything with the crossings of its rulings, such as :class:`scanner.photo.sheets.Grid`."""

    nodes: np.ndarray


def cut_cells(
    pixels: np.ndarray, grid: HasNodes, layout: Layout, margin: float = MARGIN, height: int = CELL_HEIGHT
) -> dict[tuple[int, str], np.ndarray]:
    """The grid's cells as upright RGB crops, by (row, cell key), rows counted from 1 under the heading.

    Args:
        pixels: the photo, uint8 RGB, shape (H, W, 3).
        grid: its ``nodes`` are the crossings, photo pixels, shape (ruled rows + 1, columns + 1, 2).
        layout: the layout the grid was fitted to; gives rows, columns and every cell's true proportions.
        margin: shown around the cell, as a part of the row's height, the same length on all sides.
        height: of every crop in pixels, margin included; the width follows the layout's millimetres.
    """
    nodes = np.asarray(grid.nodes, dtype=np.float64)
    pixels, nodes = _shrunk(pixels, nodes, height * FINER / (1 + 2 * margin))
    xs, ys = np.array(layout.x_lines), np.array(layout.y_lines)
    cells = {}
    for row in range(layout.rows):
        top, bottom = ys[row + layout.heading_rows], ys[row + layout.heading_rows + 1]
        edge = margin * (bottom - top)
        scale = height / (bottom - top + 2 * edge)  # crop pixels per millimetre
        strip = _strip(pixels, nodes, xs, ys, (top - edge, bottom + edge, edge), scale * FINER, height * FINER)
        for column, key in enumerate(layout.keys):
            cells[row + 1, key] = _slice(strip, xs[column:column + 2], edge, scale, height)
    return cells


def _shrunk(pixels: np.ndarray, nodes: np.ndarray, row: float) -> tuple[np.ndarray, np.ndarray]:
    """The grid's part of the photo, averaged down by a whole factor to rows of about ``row`` pixels, and its nodes."""
    tall = np.linalg.norm(np.diff(nodes, axis=0), axis=-1).max()
    low = np.floor(nodes.min(axis=(0, 1)) - tall).astype(int).clip(0)
    high = np.ceil(nodes.max(axis=(0, 1)) + tall).astype(int).clip(1)
    part = pixels[low[1]:high[1], low[0]:high[0]]
    factor = max(1, round(tall / row))
    if factor > 1 and min(part.shape[:2]) >= factor:
        rows, columns = part.shape[0] // factor, part.shape[1] // factor
        part = cv2.resize(part[:rows * factor, :columns * factor], (columns, rows), interpolation=cv2.INTER_AREA)
        return part, (nodes - low + 0.5) / factor - 0.5
    return part, nodes - low


def _strip(pixels: np.ndarray, nodes: np.ndarray, xs: np.ndarray, ys: np.ndarray,
           band: tuple[float, float, float], scale: float, height: int) -> np.ndarray:
    """A band (top, bottom, edge at both ends; millimetres) of the flattened grid at ``scale`` pixels a millimetre."""
    top, bottom, edge = band
    width = int(np.ceil((xs[-1] - xs[0] + 2 * edge) * scale))
    step = 12  # pixels between exact places; between them the paper is straight
    u = xs[0] - edge + (np.arange(-(-width // step)) * step + step / 2) / scale
    v = top + (np.arange(-(-height // step)) * step + step / 2) / scale
    net = np.einsum("vi,uj,ijc->vuc", _weights(ys, v), _weights(xs, u), nodes).astype(np.float32)
    places = cv2.resize(net, (len(u) * step, len(v) * step), interpolation=cv2.INTER_LINEAR)[:height, :width]
    return cv2.remap(pixels, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _slice(strip: np.ndarray, sides: np.ndarray, edge: float, scale: float, height: int) -> np.ndarray:
    """One cell of a strip, averaged down to ``height``; ``sides`` are its rulings in millimetres."""
    width = max(8, round((sides[1] - sides[0] + 2 * edge) * scale))
    left = round(sides[0] * scale * FINER)
    part = strip[:, left:left + width * FINER]
    return cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)


def _weights(knots: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Weights (len(at), len(knots)) of the Lagrange polynomial through the four knots nearest to each place."""
    order = min(4, len(knots))
    first = np.clip(np.searchsorted(knots, at) - order // 2, 0, len(knots) - order)
    near = first[:, None] + np.arange(order)
    table = np.zeros((len(at), len(knots)))
    for j in range(order):
        others = np.delete(near, j, axis=1)
        own = near[:, j]
        weight = (at[:, None] - knots[others]) / (knots[own][:, None] - knots[others])
        table[np.arange(len(at)), own] = weight.prod(axis=1)
    return table
