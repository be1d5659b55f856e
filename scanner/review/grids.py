"""A grid put where a person says it is, and read again there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scanner.photo.boxes import cell_boxes
from scanner.photo.cells import cut_cells
from scanner.review.pictures import apply, homography
from scanner.scorekeeper.decode import decode_game
from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout
from scanner.sheet.reading import CellReading
from scanner.sheet.results import GameResult, Quad

#: Reads cell images (RGB, uint8); handed in, as this room knows no reader.
ReadCells = Callable[[Sequence[np.ndarray]], Sequence[CellReading]]


@dataclass(frozen=True, eq=False)
class Placed:
    """A grid by its corners: ``nodes`` are the crossings of its rulings, shape (ruled rows + 1, columns + 1, 2)."""

    nodes: np.ndarray


def placed(quad: Quad, layout: Layout) -> Placed:
    """The crossings of a flat sheet whose grid, heading row included, has these corners.

    Raises:
        InputError: the corners do not go round clockwise, or are no quadrangle.
    """
    corners = np.asarray(quad, dtype=float)
    ahead = np.roll(corners, -1, axis=0) - corners
    turns = ahead[:, 0] * np.roll(ahead, -1, axis=0)[:, 1] - ahead[:, 1] * np.roll(ahead, -1, axis=0)[:, 0]
    if not np.isfinite(corners).all() or (turns <= 0).any():
        raise InputError("The four corners must go round the grid: top left, top right, bottom right, bottom left.")
    xs, ys = layout.x_lines, layout.y_lines
    flat = np.array([[0, 0], [xs[-1], 0], [xs[-1], ys[-1]], [0, ys[-1]]], dtype=float)
    u, v = np.meshgrid(xs, ys)
    points = apply(homography(flat, corners), np.stack([u, v], -1).reshape(-1, 2))
    return Placed(points.reshape(len(ys), len(xs), 2))


def boxes(quad: Quad, layout: Layout) -> dict[tuple[int, str], Quad]:
    """Corners of every cell of a flat sheet's grid, by (row, cell key): where no better is known."""
    return cell_boxes(placed(quad, layout), layout)


def read_again(pixels: np.ndarray, quad: Quad, layout: Layout, read_cells: ReadCells,
               answers: dict[tuple[int, str], CellReading],
               ) -> tuple[GameResult, dict[tuple[int, str], CellReading]]:
    """The game inside the corners and all the reader said of its cells; ``answers`` of people count as certain."""
    grid = placed(quad, layout)
    images = cut_cells(pixels, grid, layout)
    readings = dict(zip(images, read_cells(list(images.values())), strict=True))
    known = readings | {place: answer for place, answer in answers.items() if place in readings}
    game = decode_game(known, layout) or GameResult((), None, None, None, ())
    return replace(game.placed(1, quad, 0.0, cell_boxes(grid, layout)), fit_error=None), readings
