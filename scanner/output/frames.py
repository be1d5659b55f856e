"""The four frames a cell can have, each with a colour and a line of its own."""

from __future__ import annotations

import numpy as np

from scanner.output import ink


def cell_frame(canvas: np.ndarray, corners: np.ndarray, kind: str) -> ink.Colour:
    """Frame a cell on an RGB canvas (``corners``: shape (4, 2), pixels) and return the colour for its letters.

    ``kind``: "sure", "less" (sure), "asked" (a person must look) or "wrong" (against the sums).
    """
    if kind == "asked":
        ink.dashes(canvas, ink.shrunk(corners, 0.05), ink.VERMILION, 4)
        return ink.VERMILION
    if kind == "less":
        ink.dashes(canvas, ink.shrunk(corners, 0.05), ink.ORANGE, 2)
        return ink.BLACK
    if kind == "wrong":
        ink.outline(canvas, ink.shrunk(corners, 0.04), ink.PURPLE, 4)
        ink.outline(canvas, ink.shrunk(corners, 0.16), ink.PURPLE, 1)
        return ink.PURPLE
    ink.outline(canvas, corners, ink.BLUE, 1)
    return ink.BLUE
