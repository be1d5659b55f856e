"""The trial counts what the reader makes of written rows by kind of cell, before any sums."""

from __future__ import annotations

import numpy as np

from scanner.sheet.layout import load_layout
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import VOCABULARY
from scanner.workshop import trial
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


def test_what_another_reader_said_is_not_taken_for_what_this_one_says(tmp_path, monkeypatch) -> None:
    """Readings are kept by the reader that made them: other weights or another program in its room read anew."""
    for name in ("cells.py", "lattice.py", "model/cells.json"):
        file = tmp_path / "scanner.reader" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
    monkeypatch.setattr(trial.resources, "files", lambda room: tmp_path / room)
    sums = [trial._checksum()]
    for name in ("lattice.py", "model/cells.json"):
        (tmp_path / "scanner.reader" / name).write_text("changed")
        sums.append(trial._checksum())
    assert len(set(sums)) == 3 and trial._checksum() == sums[-1]
