"""The totals further up a column: points that are added to one of them by mistake make a total that is too small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scanner.sheet.reading import CellReading
from scanner.sheet.results import SIDES
from scanner.sheet.texts import NUMBERS

#: So many totals above the right one may be taken for it, each as often (``scanner/workshop/slip_prior.py`` does so).
_ABOVE = 2


def older_totals(rows: Sequence[Mapping[str, CellReading]], keys: Sequence[str]) -> list[np.ndarray | None]:
    """For each row the chance of every figure to be the total that was taken in place of the one just above.

    Args:
        rows: the readings of each row by cell key.
        keys: the arithmetic columns of the layout.

    Returns:
        For each row an array of shape (2, NUMBERS) for (we, they), each adding to one, by what the reader says alone; a
        blank or marked total leaves the one above. None where no older total is, or where no column shows one.
    """
    if not all(f"{side}_total" in keys for side in SIDES):
        return [None] * len(rows)
    start = np.zeros((2, NUMBERS))
    start[:, 0] = 1.0
    totals = [start]
    for row in rows[:-1]:
        shown = np.stack([np.exp(row[f"{side}_total"].log_probs[:NUMBERS]) for side in SIDES])
        totals.append(shown + np.maximum(1 - shown.sum(axis=1, keepdims=True), 0) * totals[-1])
    return [np.mean(totals[max(0, n - _ABOVE):n], axis=0) if n else None for n in range(len(rows))]
