"""Rows whose ink the light has washed out: where one cell is gone its neighbours are too, and so is the next row.

A cell that reads as empty is then no sign that nothing stands in it. Whether a row is washed out is part of the state
that is summed over, a chain from row to row; the totals and the rows below decide as far as they can.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scanner.scorekeeper.likelihood import Likelihoods, settled
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import EMPTY, INDEX

#: Chance that a row is washed out after one that is not, and after one that is; chance that a cell of such a row shows
#: nothing. Of 2,579 written rows of the workshop's worst sheets (seeds 77 and 1) 24 held written cells that the reader
#: took for empty; 11 of the 20 rows after them did too, 7 of 2,064 other rows; half of their cells were gone.
ENTERS, STAYS = 0.003, 0.7
UNSEEN = 0.6
#: Whether a row was washed out -> whether the next is: (clear, washed out) both ways, shape (2, 2).
CHAIN = np.array([[1 - ENTERS, ENTERS], [1 - STAYS, STAYS]])
#: A row is held for washed out only if one of its cells may be empty by what the reader says: this much at least.
_LOOKS_EMPTY = 0.02


def washed_likelihoods(readings: Mapping[str, CellReading], seen: Likelihoods) -> Likelihoods | None:
    """What the same readings say if their row is washed out; None if no cell looks empty, so that it is not.

    Args:
        readings: the cells of one row by key.
        seen: how well each text explains each of them with the ink seen.
    """
    if not any(reading.probability(EMPTY) > _LOOKS_EMPTY for reading in readings.values()):
        return None
    return {key: seen[key] if settled(reading) else _unseen(seen[key]) for key, reading in readings.items()}


def _unseen(seen: np.ndarray) -> np.ndarray:
    """A cell that may show its ink or, whatever is written there, look as an empty one does."""
    return (1 - UNSEEN) * seen + UNSEEN * seen[INDEX[EMPTY]]
