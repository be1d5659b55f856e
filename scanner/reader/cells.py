"""Cell images in, readings out: a probability for every text a cell may hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from scanner.reader.lattice import struck_text, text_log_probs
from scanner.reader.network import read_frames, to_input
from scanner.sheet.errors import ClabberError
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import INDEX, VOCABULARY, canonical


def read_cells(images: Sequence[np.ndarray], vocabulary: Sequence[str] = VOCABULARY) -> list[CellReading]:
    """Reads handwritten score cells.

    Args:
        images: crops of one cell each, uint8, grey (H, W) or RGB (H, W, 3), of any size; the ruling and the
            neighbours' strokes may be in the picture, best with a margin of about 0.15 of the cell's height.
        vocabulary: texts to choose from, any of 0 to 1999 and the marks ``XX``, ``-``, ``W`` and ``""`` in any
            spelling; the probabilities are shared among these alone.

    Returns:
        One reading per image: ``.text``, ``.confidence``, ``.log_probs`` in the order of ``vocabulary``, ``.struck``.

    Raises:
        ClabberError: an image is no 8-bit picture, or the vocabulary holds a text that no cell may hold.

    Example:
        >>> import numpy as np, scanner
        >>> scanner.read_cells([np.full((60, 120, 3), 255, np.uint8)])[0].text
        ''
    """
    columns = None if vocabulary is VOCABULARY else _columns(vocabulary)
    frames = read_frames([to_input(image) for image in images])
    readings: list[CellReading | None] = [None] * len(frames)
    by_length: dict[int, list[int]] = defaultdict(list)
    for i, frame in enumerate(frames):
        by_length[len(frame)].append(i)
    for places in by_length.values():
        log_probs = text_log_probs(np.stack([frames[i] for i in places]))
        for i, row in zip(places, log_probs, strict=True):
            chosen = row if columns is None else _renormalised(row[columns])
            readings[i] = CellReading(chosen, struck_text(frames[i]), vocabulary)
    return [r for r in readings if r is not None]


def _columns(vocabulary: Sequence[str]) -> np.ndarray:
    places = [INDEX.get(canonical(text) or "?") if text else INDEX[""] for text in vocabulary]
    if not places or None in places:
        bad = next((t for t, p in zip(vocabulary, places, strict=True) if p is None), None)
        raise ClabberError(f"The vocabulary holds {bad!r}, which no cell may hold; "
                           "use 0 to 1999, 'XX', '-', 'W' and ''.")
    return np.array(places)


def _renormalised(log_probs: np.ndarray) -> np.ndarray:
    top = log_probs.max()
    return log_probs - top - np.log(np.exp(log_probs - top).sum())
