"""Games after the review: asked cells are answered by what is written, and what was asked about is then reported."""

from __future__ import annotations

import numpy as np

from scanner.scorekeeper.decode import decode_game
from scanner.sheet.layout import load_layout
from scanner.sheet.reading import CellReading, certain
from scanner.sheet.texts import EMPTY, INDEX, VOCABULARY
from scanner.workshop.answers import answered
from scanner.workshop.evaluate import score_game

LAYOUT = load_layout("evansville")
#: Three hands; the We total of the last is ten too many, beside a right check (it had 174 and made 92).
HANDS = ("82 80 162 162", "174 150 162 324", "276 220 162 486")
ROWS = [dict(zip(LAYOUT.keys, hand.split(), strict=True)) for hand in HANDS]
TRUTH = {"rows": ROWS, "winner": None, "winner_mark": None,
         "slips": [{"row": 3, "cell": "we_total", "code": "running-total"}]}  # fmt: skip


def wavering(one: str, other: str, share: float) -> CellReading:
    """A reading torn between two texts."""
    chances = np.full(len(VOCABULARY), 1e-6)
    chances[INDEX[one]], chances[INDEX[other]] = share, 1 - share
    return CellReading(np.log(chances / chances.sum()))


def game(cell: CellReading) -> dict:
    """The game's readings, sure but for the guilty cell."""
    places = [(row, key) for row in range(1, LAYOUT.rows + 1) for key in LAYOUT.keys]
    texts = {(row, key): ROWS[row - 1][key] if row <= 3 else EMPTY for row, key in places}
    return {place: certain(text, 1e-4) for place, text in texts.items()} | {(3, "we_total"): cell}


def test_a_slip_that_was_asked_about_is_reported_once_answered() -> None:
    readings = game(wavering("276", "266", 0.99))
    before = decode_game(readings, LAYOUT)
    assert score_game(TRUTH, before)["caught"] == 0
    after, questions = answered(TRUTH, readings, LAYOUT, before)
    count = score_game(TRUTH, after)
    assert questions >= 1 and count["caught"] == count["guilty"] == 1
    assert count["silent"] == count["accused"] == count["asked"] == 0


def test_without_a_question_nothing_is_judged_again() -> None:
    before = decode_game(game(certain("276")), LAYOUT)
    assert answered(TRUTH, game(certain("276")), LAYOUT, before) == (before, 0)
    assert answered(TRUTH, {}, LAYOUT, None) == (None, 0)
