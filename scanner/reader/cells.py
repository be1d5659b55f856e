"""Cell images in, readings out: a probability for every text a cell may hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scanner.reader.corrections import corrected_log_probs, is_struck
from scanner.reader.lattice import struck_text, text_log_probs
from scanner.reader.network import closer, read_frames, stretched, to_input
from scanner.sheet.errors import ClabberError
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import INDEX, VOCABULARY, canonical

#: A reading at least this sure gets no second look. A round figure, not fitted: it keeps second looks to a small part
#: of a clear photo's cells, so they cost little time.
_SURE = 0.97
#: Weight of each of the three opinions' log-probabilities. They err in ways of their own, so together they are surer
#: than one: with 1.2 in all log-loss is least on written cells of the foreign set's seeds 1 and 3 (1,366 doubtful ones,
#: 361 with 1.0, 333 with 1.2), and their calibration error falls from 4.9 to 3.0 %.
_WEIGHT = 0.4
#: Cells scored at once: their lattices take 2 MB, so they stay in a core's cache (twice as fast as 48 at once).
_BATCH = 16
#: Looks at struck-out numbers weighed at once; each is a lattice for each of eight pairs of struck number and order.
_STRUCK_BATCH = 3


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
    inputs = [to_input(image) for image in images]
    frames = read_frames(inputs)
    log_probs = _text_log_probs(frames)
    _look_again(inputs, frames, log_probs)
    rows = [row if columns is None else _renormalised(row[columns]) for row in log_probs]
    return [CellReading(row, struck_text(frame), vocabulary) for row, frame in zip(rows, frames, strict=True)]


def _text_log_probs(frames: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The vocabulary's log-probabilities of each cell, a batch at a time."""
    return [row for start in range(0, len(frames), _BATCH) for row in text_log_probs(frames[start:start + _BATCH])]


def _look_again(inputs: Sequence[np.ndarray], frames: Sequence[np.ndarray], log_probs: list[np.ndarray]) -> None:
    """Doubtful cells are read twice more, stretched and from closer by, and the three opinions averaged in place.

    An opinion of a cell with a struck-out number is first weighed by how like it the live number is.

    Closer by, what reaches in from the neighbours is gone. Of the looks tried (wider, smaller, larger, moved, slanted,
    turned, blurred) these two leave 149 of 1,564 doubtful cells of the foreign set's seeds 1 and 3 wrong, where one
    look leaves 191, and a smaller one in the larger one's place 181. Sure cells do not change.
    """
    doubtful = [i for i, row in enumerate(log_probs) if row.max() < np.log(_SURE)]
    others = read_frames([stretched(inputs[i]) for i in doubtful] + [closer(inputs[i]) for i in doubtful])
    looks = [frames[i] for i in doubtful] + others
    rows = [log_probs[i] for i in doubtful] + _text_log_probs(others)
    _weigh_corrections(looks, rows, [j for j in range(len(looks)) if is_struck(looks[j % len(doubtful)])])
    for place, i in enumerate(doubtful):
        log_probs[i] = _renormalised(_WEIGHT * sum(rows[place::len(doubtful)]))


def _weigh_corrections(looks: Sequence[np.ndarray], rows: list[np.ndarray], struck: Sequence[int]) -> None:
    """In place, of the looks at these places, the live number by how like the struck-out one beside it is."""
    for start in range(0, len(struck), _STRUCK_BATCH):
        some = struck[start:start + _STRUCK_BATCH]
        weighed = corrected_log_probs([looks[j] for j in some], np.stack([rows[j] for j in some]))
        for j, row in zip(some, weighed, strict=True):
            rows[j] = row


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
