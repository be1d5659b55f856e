"""The head of a sheet read: both teams and the date, as far as their lines were found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

import numpy as np

from scanner.reader.dates import read_date
from scanner.reader.names import read_names
from scanner.reader.typed import PrintReader, typed_name
from scanner.sheet.results import SIDES, Label
from scanner.sheet.roster import Roster

_UNREAD = Label("", 0.0)


@dataclass(frozen=True)
class Head:
    """The teams by side and the date; empty texts where nothing could be read."""

    teams: dict[str, Label] = field(default_factory=lambda: dict.fromkeys(SIDES, _UNREAD))
    date: Label = _UNREAD


def read_head(strips: Mapping[str, np.ndarray], roster: Roster | None = None,
              read_words: PrintReader | None = None) -> Head:
    """Read the strips (RGB, uint8) under "we", "they" and "date"; what is missing stays unread.

    Names nobody wrote are looked for in print, if ``read_words`` (Tesseract) is given.
    """
    if not (resources.files("scanner.reader") / "model" / "lines.onnx").is_file():
        return Head()
    teams = read_names({side: strips[side] for side in SIDES if side in strips}, roster)
    if read_words is not None:
        for side in [side for side, label in teams.items() if not label.text]:
            teams[side] = typed_name(strips[side], roster, read_words) or teams[side]
    return Head(dict.fromkeys(SIDES, _UNREAD) | teams, read_date(strips["date"]) if "date" in strips else _UNREAD)
