"""Which cells to ask a person: those whose answer is worth the interruption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: A wrong cell nobody asked about costs about this many questions: a question takes a reviewer five seconds, a wrong
#: hand found weeks later takes the better part of a minute.
WRONG_COSTS = 8.0
#: A wrong cell that turns a winner round costs this many times as much.
WINNER_COSTS = 4.0
#: A row is accused when its slip is at least this probable; below, the question comes first.
ACCUSE = 0.6
#: Below this probability of the number of rows the last row itself is asked.
_LENGTH_DOUBT = 0.8


@dataclass(frozen=True)
class Doubt:
    """One cell that may be asked.

    Attributes:
        row, cell: where it stands.
        chance: probability that its settled text is wrong.
        decisive: whether its runner-up would change the winner.
        accused: whether its row breaks a rule as settled.
        slip: probability that its row holds a slip.
    """

    row: int
    cell: str
    chance: float
    decisive: bool
    accused: bool
    slip: float

    @property
    def value(self) -> float:
        """What a silent mistake in this cell costs on average, in questions."""
        return self.chance * WRONG_COSTS * (WINNER_COSTS if self.decisive else 1.0)


def choose_questions(
    doubts: Sequence[Doubt], length_probability: float = 1.0, budget: int | None = None
) -> set[tuple[int, str]]:
    """The (row, cell) pairs to ask, the most valuable answers first within the budget.

    A cell is asked when a silent mistake would cost more than the question. A row that breaks a rule, but may as well
    have been misread, is asked about (its most doubtful cell) instead of being accused.
    """
    worth = {(d.row, d.cell): d for d in doubts if d.value > 1.0}
    asked_rows = {d.row for d in worth.values()}
    for number in {d.row for d in doubts if d.accused and d.slip < ACCUSE} - asked_rows:
        worst = _most_doubtful(doubts, number)
        worth[worst.row, worst.cell] = worst
    if not worth and length_probability < _LENGTH_DOUBT and doubts:
        worst = _most_doubtful(doubts, doubts[-1].row)
        worth[worst.row, worst.cell] = worst
    order = sorted(worth, key=lambda place: -worth[place].value)
    return set(order if budget is None else order[:budget])


def _most_doubtful(doubts: Sequence[Doubt], row: int) -> Doubt:
    return max((d for d in doubts if d.row == row), key=lambda d: d.chance)
