"""Rows whose ink the light has washed out: where one cell is gone its neighbours are too, and so is the next row.

A cell that reads as empty is then no sign that nothing stands in it, and a short text no sign that no digits are
missing from it. Whether a row is washed out is part of the state that is summed over, a chain from row to row; the
totals and the rows below decide as far as they can.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from scanner.scorekeeper.likelihood import Likelihoods, blown_out, settled
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, SET, VOCABULARY, ZERO

#: Chance that a row is washed out after one that is not, and after one that is; chance that a cell of such a row shows
#: nothing, and that it shows only some of its ink. Of 2,579 written rows of the workshop's worst sheets (seeds 77 and
#: 1) 24 held written cells that the reader took for empty; 11 of the 20 rows after them did too, 7 of 2,064 others. In
#: 51 such rows of more sheets 97 of 196 written cells were gone; of the others 51 read right, 38 shorter, 10 otherwise.
ENTERS, STAYS = 0.003, 0.7
UNSEEN, PARTLY = 0.5, 0.2
#: The same where light has blown a cell of the row out, which is seen in the photo; and how often such a cell shows
#: nothing then. Of 121 written ones in rows with three or more 106 read as empty (seed 77), inside such a patch 38 of
#: 41.
LIT_ENTERS, LIT_STAYS, LIT_UNSEEN = 0.7, 0.95, 0.93
#: Whether a row was washed out -> whether the next is: (clear, washed out) both ways, shape (2, 2).
CHAIN = np.array([[1 - ENTERS, ENTERS], [1 - STAYS, STAYS]])
_LIT_CHAIN = np.array([[1 - LIT_ENTERS, LIT_ENTERS], [1 - LIT_STAYS, LIT_STAYS]])
#: What is left of a number: some of its digits side by side, a single stroke (a line or a 1), or any shorter number.
LEFT_DIGITS, LEFT_STROKE, LEFT_ANY = 0.5, 0.25, 0.25
#: A row is held for washed out only if one of its cells may be empty by what the reader says: this much at least.
_LOOKS_EMPTY = 0.02
_STROKES = [INDEX[ZERO], INDEX["1"]]
#: A number of up to four digits has nine shorter runs of its digits.
_MOST_PARTS = 9


def washed_likelihoods(readings: Mapping[str, CellReading], seen: Likelihoods) -> Likelihoods | None:
    """What the same readings say if their row is washed out; None if no cell looks empty, so that it is not.

    Args:
        readings: the cells of one row by key.
        seen: how well each text explains each of them with the ink seen.
    """
    if not any(reading.probability(EMPTY) > _LOOKS_EMPTY for reading in readings.values()):
        return None
    return {key: seen[key] if settled(reading) else _faded(seen[key], blown_out(reading))
            for key, reading in readings.items()}  # fmt: skip


def chain_of(readings: Mapping[str, CellReading]) -> np.ndarray:
    """Chances that a row is washed out, (clear, washed out) above -> (clear, washed out), shape (2, 2)."""
    return _LIT_CHAIN if any(blown_out(reading) for reading in readings.values()) else CHAIN


def _faded(seen: np.ndarray, lit: bool) -> np.ndarray:
    """A cell that may show its ink, or some of it, or, whatever is written there, look as an empty one does."""
    if lit:
        faded = (1 - LIT_UNSEEN) * seen + LIT_UNSEEN * seen[INDEX[EMPTY]]
    else:
        faded = (1 - UNSEEN - PARTLY) * seen + UNSEEN * seen[INDEX[EMPTY]] + PARTLY * _left_over(seen)
    faded[INDEX[EMPTY]] = seen[INDEX[EMPTY]]
    return faded


def _left_over(seen: np.ndarray) -> np.ndarray:
    """How well each text explains what is seen if only some of its ink is, shape (V,)."""
    stroke = float(seen[_STROKES].mean())
    parts, counts, shorter = _parts()
    # The sums over all shorter numbers: of one digit, of two, of three.
    below = np.array([stroke, seen[:10].mean(), seen[:100].mean(), seen[:1000].mean()])[shorter]
    digits = np.where(counts > 0, seen[parts].sum(axis=1, where=parts >= 0) / np.maximum(counts, 1), stroke)
    left = np.full(len(VOCABULARY), stroke)
    left[:NUMBERS] = LEFT_DIGITS * digits + LEFT_STROKE * stroke + LEFT_ANY * below
    left[INDEX[SET]] = 0.5 * stroke + 0.5 * seen[:100].mean()  # some of its strokes may pass for figures
    return left


@cache
def _parts() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every number its shorter runs of digits (padded with -1), how many, and how many digits are fewer, less one.

    Runs that begin with a zero are no number and left out.
    """
    parts, lengths = np.full((NUMBERS, _MOST_PARTS), -1), np.zeros(NUMBERS, dtype=np.int64)
    for number in range(NUMBERS):
        text = str(number)
        runs = {text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)} - {text}
        found = sorted(int(run) for run in runs if str(int(run)) == run)
        parts[number, : len(found)], lengths[number] = found, len(text) - 1
    return parts, (parts >= 0).sum(axis=1), lengths
