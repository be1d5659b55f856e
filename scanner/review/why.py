"""Why a cell is asked, in one plain sentence: what each of its likely texts would mean for the sums."""

from __future__ import annotations

from collections.abc import Sequence

from scanner.scorekeeper.check import check_game
from scanner.sheet.layout import Layout
from scanner.sheet.results import GameResult, Problem

#: Problems that say nothing of whether a row adds up.
_ELSEWHERE = ("unreadable", "winner-mark", "past-the-end")


def meanings(game: GameResult, layout: Layout, row: int, cell: str, texts: Sequence[str]) -> list[str]:
    """For each text what the hand would be if the cell held it: "the hand adds up", "the scorekeeper lost 50"."""
    return [_meaning(_problems(game, layout, row, cell, text)) for text in texts]


def sentence(texts: Sequence[str], meant: Sequence[str]) -> str:
    """The two likeliest texts and their meanings in one sentence."""
    if not texts:
        return "Nothing could be read here."
    if len(texts) > 1 and meant[0] == meant[1]:
        said = f"{shown(texts[0])} and {shown(texts[1])} look alike here, and with either {meant[0]}"
    else:
        pairs = list(zip(texts, meant, strict=True))[:2]
        said = "; ".join(f"as {shown(text)} {meaning}" for text, meaning in pairs)
    return f"{said[0].upper()}{said[1:]}."


def shown(text: str) -> str:
    """A text in words, where it would not be seen."""
    return {"": "an empty cell", "-": "a zero line", "XX": "the set mark XX"}.get(text, text)


def _problems(game: GameResult, layout: Layout, row: int, cell: str, text: str) -> list[Problem]:
    rows: list[dict[str, str]] = [{} for _ in range(max([row, *(r.row for r in game.rows)]))]
    for hand in game.rows:
        rows[hand.row - 1] = {key: value.text for key, value in hand.cells.items()}
    rows[row - 1] = rows[row - 1] | {cell: text}
    found = check_game(rows, game.winner_mark, layout).problems
    # A wrong total shows in its own row and, as the next hand starts from it, in the one after.
    return [p for p in found if p.code not in _ELSEWHERE and p.row in (row, row + 1)]


def _meaning(problems: list[Problem]) -> str:
    if not problems:
        return "the hand adds up"
    first = problems[0]
    if first.code == "running-total" and _number(first.written) is not None and _number(first.expected) is not None:
        lost = _number(first.expected) - _number(first.written)
        return f"the scorekeeper {'lost' if lost > 0 else 'gained'} {abs(lost)}"
    return {
        "running-total": "the running total does not follow",
        "hand-total": "the two sides do not make 162 and a meld",
        "tied-hand": "both sides are equal and nobody is set",
        "set-too-low": "the set does not fit the points",
        "hand-check": "the check column disagrees",
        "total-check": "the check column disagrees",
    }.get(first.code, "the hand does not add up")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None
