"""Which cells to ask a person: those whose answer is worth the interruption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: A wrong cell nobody asked about costs about this many questions; ask when the doubt is more than its inverse.
_WRONG_COSTS = 8.0
#: A hand row that may not be one: its surest cell is asked below this probability of the number of rows.
_LENGTH_DOUBT = 0.8


@dataclass(frozen=True)
class Doubt:
    """One cell that may be asked: ``chance`` that its text is wrong, ``slip`` that its row holds a slip."""

    row: int
    cell: str
    chance: float
    slip: float


def choose_questions(
    doubts: Sequence[Doubt], length_probability: float, budget: int | None = None
) -> set[tuple[int, str]]:
    """The (row, cell) pairs to ask, the most valuable answers first within the budget."""
    worth = [d for d in doubts if d.chance * _WRONG_COSTS > 1.0]
    if not worth and length_probability < _LENGTH_DOUBT and doubts:
        worth = [max((d for d in doubts if d.row == doubts[-1].row), key=lambda d: d.chance)]
    worth.sort(key=lambda d: -d.chance)
    return {(d.row, d.cell) for d in (worth if budget is None else worth[:budget])}
