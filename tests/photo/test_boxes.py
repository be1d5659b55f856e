"""Every cell's corners are those of its place in the grid, heading row left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scanner.photo.boxes import cell_boxes
from scanner.photo.sheets import Grid
from scanner.sheet.layout import built_in_layouts


@pytest.mark.parametrize("heading", [9.0, 0.0])
def test_boxes_follow_the_nodes(heading: float):
    layout = replace(built_in_layouts()[0], heading_height=heading)
    lines, columns = np.mgrid[: layout.rows + layout.heading_rows + 1, : len(layout.keys) + 1]
    nodes = np.stack([100.0 * columns, 10.0 * lines], axis=-1)
    boxes = cell_boxes(Grid(1, ((0.0, 0.0),) * 4, nodes, 0.0), layout)
    assert set(boxes) == {(row, key) for row in range(1, layout.rows + 1) for key in layout.keys}
    top = 10.0 * layout.heading_rows
    assert boxes[1, layout.keys[0]] == ((0.0, top), (100.0, top), (100.0, top + 10), (0.0, top + 10))
    right, bottom = 100.0 * len(layout.keys), 10.0 * (layout.rows + layout.heading_rows)
    assert boxes[layout.rows, layout.keys[-1]][2] == (right, bottom)
