"""Other papers that lie about: notebook leaves, squared paper, ledgers, lists."""

from __future__ import annotations

import numpy as np

from benchmarks.foreign.hands import HANDS
from benchmarks.foreign.paper import PENS, Paper
from benchmarks.foreign.printing import line
from benchmarks.foreign.writing import Writer

_BLUE, _RED, _GREY = (0.35, 0.5, 0.8), (0.8, 0.25, 0.3), (0.4, 0.42, 0.45)


def ruled_paper(rng: np.random.Generator) -> Paper:
    """A sheet of ruled paper that is no score sheet, partly written on."""
    wide, high = rng.uniform(120, 190), rng.uniform(150, 230)
    paper = Paper(wide, high, (0.97, 0.96, 0.90) if rng.random() < 0.5 else (0.97, 0.97, 0.97))
    kind = int(rng.integers(3))
    pitch = 5.0 if kind == 1 else rng.uniform(6.5, 8.7)
    for y in np.arange(22.0 if kind != 1 else pitch, high - 4, pitch):
        line(paper, (0, y), (wide, y), 0.25, _BLUE, 0.7)
    uprights = {0: [28.0], 1: list(np.arange(pitch, wide, pitch)), 2: [14.0, wide - 62, wide - 42, wide - 22]}[kind]
    for x in uprights:
        line(paper, (x, 0), (x, high), 0.3, _BLUE if kind == 1 else _RED if kind == 0 else _GREY, 0.75)
    _list(paper, rng, pitch if kind != 1 else 10.0)
    return paper


def _list(paper: Paper, rng: np.random.Generator, pitch: float) -> None:
    """A shopping list or some sums in somebody's hand."""
    writer = Writer(HANDS[int(rng.integers(len(HANDS)))], rng)
    pen = PENS[int(rng.integers(3))]
    words = ("EGGS", "CORN 3", "BEER", "SALT 1", "CARDS", "PAPER", "RAKE 12", "BREAD", "HAM 2-50", "CALL ANN")
    for i in range(int(rng.integers(3, 9))):
        y = 22.0 + (i + 1) * pitch
        if y < paper.height - 10:
            paper.write(writer.words(str(rng.choice(words)), (32.0, y - 0.9 * pitch, 90.0, y - 0.5)), pen, rng)
