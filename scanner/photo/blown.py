"""Cells in which light has taken everything: paper pure white, and neither ink nor a ruling to be seen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scanner.sheet.reading import CellReading

#: Grid, row and cell key, as far as they are needed to tell cells apart.
Place = tuple[int, str] | tuple[int, int, str]

#: A pixel is pure white if its darkest channel is at least this, of 255; a cell if this share of its pixels is.
WHITE, WHITE_SHARE = 252, 0.6
#: Nothing is to be seen if hardly a pixel's darkest channel is darker than this: 3 % of them at most.
SEEN, SEEN_SHARE = 200.0, 0.03
#: Where more than this share of a sheet's white cells show ink all the same, its paper is white and no light took it:
#: a scan, or a bright photo with dark ink.
INKED = 0.2
#: A cell in which something is read at least this surely shows ink.
SURELY_INK = 0.9


def blown_out(crops: Mapping[Place, np.ndarray], readings: Mapping[Place, CellReading]) -> set[Place]:
    """The places of the cells of one sheet whose ink, if there was any, the light has taken.

    Args:
        crops: the cells as they were cut, uint8 RGB (H, W, 3), rulings in the margin.
        readings: what was read in them.
    """
    inked = {place for place, reading in readings.items() if reading.text and reading.confidence > SURELY_INK}
    darkest = {place: crop.min(axis=2) for place, crop in crops.items()}
    white = {place for place, values in darkest.items() if (values >= WHITE).mean() >= WHITE_SHARE}
    if len(white & inked) > INKED * len(white):
        return set()
    return {place for place in white if (darkest[place] < SEEN).mean() <= SEEN_SHARE}
