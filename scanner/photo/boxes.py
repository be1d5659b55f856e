"""Where each cell of a grid lies in the photo."""

from __future__ import annotations

from scanner.photo.sheets import Grid
from scanner.sheet.layout import Layout
from scanner.sheet.results import Quad


def cell_boxes(grid: Grid, layout: Layout) -> dict[tuple[int, str], Quad]:
    """Corners of every cell of a grid in photo pixels, by (row from 1 under the heading, cell key)."""
    boxes: dict[tuple[int, str], Quad] = {}
    for row in range(1, layout.rows + 1):
        line = layout.heading_rows + row - 1
        for column, key in enumerate(layout.keys):
            corners = (grid.nodes[line + i, column + j] for i, j in ((0, 0), (0, 1), (1, 1), (1, 0)))
            boxes[row, key] = tuple((float(x), float(y)) for x, y in corners)
    return boxes
