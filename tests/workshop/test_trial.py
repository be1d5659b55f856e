"""The trial counts what the reader makes of written rows by kind of cell, before any sums."""

from __future__ import annotations

import numpy as np

from scanner.sheet.layout import load_layout
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import VOCABULARY
from scanner.workshop.trial import TrialGame, reader_alone


def sure_of(text: str) -> CellReading:
    """A reading that gives ``text`` 99 %."""
    rest = np.log(0.01 / (len(VOCABULARY) - 1))
    return CellReading(np.where(np.array(VOCABULARY) == text, np.log(0.99), rest))


def test_cells_are_counted_by_kind_and_only_those_read_as_written_are_exact() -> None:
    layout = load_layout("evansville")
    keys = layout.keys
    written = dict(zip(keys, ["112", "XX", "", "50"], strict=False))
    truth = {"rows": [written], "struck": [{"row": 1, "cell": keys[0], "old": "102"}]}
    read = dict(zip(keys, ["112", "XX", "7", "60"], strict=False))
    counts: dict = {}
    reader_alone(TrialGame("here", truth, layout, {(1, key): sure_of(text) for key, text in read.items()}), counts)
    assert {kind: (c["exact"], c["cells"]) for kind, c in counts.items()} == {
        "struck": (1, 1), "mark": (1, 1), "empty": (0, 1), "digits": (0, 1)}
