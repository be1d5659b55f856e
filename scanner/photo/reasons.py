"""Why there is no sheet in a photo, in a sentence that says what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from scanner.photo.learn import Learned, learn_table
from scanner.photo.load import Photo
from scanner.photo.regions import Region
from scanner.photo.rulings import LineMap
from scanner.sheet.layout import Layout
from scanner.sheet.results import PhotoError

#: Wealth of a region (see :mod:`scanner.photo.squaring`) that is certainly ruled: four lines each way, two edges each.
RULED = 7.5

#: A table learnt with this support has all its rulings plain to see.
PLAIN = 0.85

#: Columns under this many rows wide are squared paper's: three figures would not go into one.
SQUARES = 1.25

#: Widths of a learnt table's columns that are within this part of a layout's are that layout's: pads of one layout are
#: not printed alike to more than this.
ALIKE = 0.1

_CURES = {
    "no-sheet": "no ruled score sheet found, or its ruling is too faint to be seen. Photograph one sheet from above, "
                "all of it in the picture, in good light",
    "partial-sheet": "only a part of a sheet is in the picture{}. Take it again with all four corners of the ruling",
    "unknown-layout": "the ruling fits none of the known layouts. Give a layout file for this pad with --layout",
    "stranger": "this pad was printed for a layout that is not known here. Give its layout file with --layout",
    "too-poor": "the ruling is too faint or blurred to count the rows. Take it again, closer and in more light",
}


def refusal(reason: str, photo: Photo, lines: LineMap, layouts: Sequence[Layout] = ()) -> PhotoError:
    """The error for a reason: a code, and for "partial-sheet" after a colon the sides at which it is cut off.

    ``layouts`` are those that were looked for: a table with as many rows and columns as one of them is that pad, and it
    was refused since too little of its ruling is seen.
    """
    code, _, sides = reason.partition(": ")
    if code in ("unknown-layout", "too-poor"):
        table = learn_table(lines)
        # Rulings that can be told so well are not too poor for a layout that has them.
        if table is not None and (code == "unknown-layout" or table.score > PLAIN):
            row = float(np.median(np.linalg.norm(np.diff(table.nodes, axis=0), axis=-1)))
            cut = cut_sides(table.nodes, (photo.width, photo.height), row)
            columns = float(np.median(np.linalg.norm(np.diff(table.nodes, axis=1), axis=-1)))
            if cut and columns > SQUARES * row:  # no paper is left beside the table: more of it may lie outside
                return refusal(f"partial-sheet: {cut}", photo, lines)
            if not any(_same_pad(table.layout, layout) for layout in layouts):
                return PhotoError("unknown-layout", f"{photo.name}: {_unknown(photo, table)}.")
            code = "too-poor"
    where = f", it is cut off at the {sides}" if sides else ""
    return PhotoError("unknown-layout" if code == "stranger" else code, f"{photo.name}: {_CURES[code].format(where)}.")


def _same_pad(learned: Layout, known: Layout) -> bool:
    """Whether a learnt table has the rows and columns of a known layout, the columns' widths but for a tenth."""
    one, other = (np.diff(layout.x_lines) / layout.x_lines[-1] for layout in (learned, known))
    return learned.rows == known.rows and len(one) == len(other) and bool(np.all(np.abs(one / other - 1) < ALIKE))


def _unknown(photo: Photo, table: Learned) -> str:
    return (f"this looks like {table.looks}, which no known layout has. Write a layout file for it and scan with "
            f"--layout; clabber layout learn {photo.name} writes a start")


def why_none(code: str, regions: Sequence[Region], lines: LineMap) -> str:
    """Why no grid was found: a ruled region that no layout fits is cut off by the picture's edge, or an unknown pad."""
    if code != "no-sheet":
        return code
    height, width = lines.dark.shape
    ruled = [r for r in regions if r.wealth > RULED and cv2.contourArea(r.outline) > 0.05 * width * height]
    parts = [r for r in ruled if cv2.contourArea(r.outline) < 0.9 * width * height]  # the whole picture is a region too
    if not parts:
        return "no-sheet"
    sides = cut_sides(parts[0].outline, (width, height), 0.01 * max(width, height))
    return f"partial-sheet: {sides}" if sides else "unknown-layout"


def cut_sides(points: np.ndarray, size: tuple[int, int], edge: float) -> str:
    """The picture's sides within ``edge`` of which, or beyond which, some of the points (x, y) lie, in words.

    >>> cut_sides(np.array([[50.0, 50.0], [99.0, 3.0]]), (100, 100), 5.0)
    'right and top'
    """
    low, high = points.reshape(-1, 2).min(axis=0), points.reshape(-1, 2).max(axis=0)
    near = (low[0] < edge, high[0] > size[0] - edge, low[1] < edge, high[1] > size[1] - edge)
    return " and ".join(name for name, on in zip(("left", "right", "top", "bottom"), near, strict=True) if on)
