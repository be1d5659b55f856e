"""Games after the review: every cell that is asked is answered by what is written in it, and the game judged again.

What a scan reports before any answer is only half of what it finds: of a row that the reader may have misread a cell is
asked, and whether the row holds a slip is said once a person has looked. So the figures after the answers are counted
beside those before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from scanner.scorekeeper.decode import Readings, decode_game
from scanner.sheet.layout import Layout
from scanner.sheet.reading import certain
from scanner.sheet.results import GameResult
from scanner.sheet.texts import EMPTY, canonical

#: So often at most a game is judged again with the answers to what it asked; no game asks anything new that late.
_MOST_ROUNDS = 20
#: Line of the report, what is counted, and out of what.
_LINES = (
    ("cells asked in all", "questions", "cells"),
    ("cells wrong", "silent", "cells"),
    ("games right", "perfect", "games"),
    ("slips reported", "caught", "slips"),
    ("... and the guilty cell named", "guilty", "slips"),
    ("rows wrongly accused", "accused", "rows"),
)


def answered(
    truth: Mapping[str, Any], readings: Readings, layout: Layout, decoded: GameResult | None
) -> tuple[GameResult | None, int]:
    """One game with all its questions answered.

    As in the review an answer counts as certain and the whole game is decoded again, which may ask new questions.

    Args:
        truth: what is written, as in a truth file's ``games``.
        readings: what the reader said of every cell of the grid.
        layout: what the columns mean.
        decoded: the game as judged before any answer.

    Returns:
        The game, and how many cells were asked in all.
    """
    answers = {}
    for _ in range(_MOST_ROUNDS):
        asked = _asked(decoded)
        if not asked:
            break
        answers |= {place: certain(_written(truth, *place)) for place in asked}
        decoded = decode_game({**readings, **answers}, layout)
    return decoded, len(answers)


def show_answered(counts: Counter) -> str:
    """The counts of games after all answers (those of ``score_game``, and ``questions``) as a table of text."""
    lines = ["once all questions are answered and the games judged again"]
    for label, part, whole in _LINES:
        share = 100 * counts[part] / max(1, counts[whole])
        lines.append(f"{label:31}{counts[part]} of {counts[whole]} = {share:.2f} %")
    return "\n".join(lines)


def _asked(game: GameResult | None) -> list[tuple[int, str]]:
    return [(row.row, key) for row in game.rows for key, cell in row.cells.items() if cell.review] if game else []


def _written(truth: Mapping[str, Any], row: int, key: str) -> str:
    """What stands in a cell of the paper, nothing in rows nobody used."""
    rows = truth["rows"]
    text = canonical(rows[row - 1].get(key, EMPTY)) if row <= len(rows) else EMPTY
    return EMPTY if text is None else text
