"""Which cells to ask a person: those whose answer is worth the interruption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: A wrong cell nobody asked about costs about this many questions: a question takes a reviewer five seconds, a wrong
#: hand found weeks later takes minutes, its sheet looked for and the league told. On 1,700 of the workshop's worst
#: sheets (docs/scorekeeper.md) 20 left 13 cells of 45,156 silently wrong and asked 1.4 %, 40 left 8 and asked 1.8 %.
WRONG_COSTS = 40.0
#: A cell whose runner-up would change the game points in the standings costs this many times as much, one that would
#: turn the winner round more.
STANDINGS_COSTS, WINNER_COSTS = 2.0, 4.0
#: A row is accused without a question when its slip is at least this probable. From ``REPORT`` on the slip is reported
#: with its probability and its cell is asked; below, the question comes first and the row is judged by the answer.
ACCUSE, REPORT = 0.9, 0.7
#: Where the reader is this sure of every cell of a row, the bar for a report is higher: what keeps such a slip from
#: being certain is no cell a person could read better, but that the reader may be wrong although sure, a guess about
#: other pens and cameras (``likelihood.READER_MISS``), against a slip without a pattern, another guess. Of 43,044 typed
#: rows, about every fifth with a misreading, 0.10 % are accused by this bar, 0.16 % by 0.8 and 0.07 % by 0.9.
SURE, REPORT_SURE = 0.98, 0.85
#: Below this probability of the number of rows the last row itself is asked.
_LENGTH_DOUBT = 0.8


@dataclass(frozen=True)
class Doubt:
    """One cell that may be asked.

    Attributes:
        row, cell: where it stands.
        chance: probability that its settled text is wrong.
        others: how many other cells of its row are wrong along with it, on average over all cases.
        changes: what its runner-up would change besides the cell: "winner", "standings" (the final totals) or nothing.
        accused: whether its row breaks a rule as settled.
        slip: probability that its row holds a slip.
    """

    row: int
    cell: str
    chance: float
    others: float
    changes: str
    accused: bool
    slip: float

    @property
    def value(self) -> float:
        """What a silent mistake in this cell, and in those that go with it, costs on average, in questions."""
        more = {"winner": WINNER_COSTS, "standings": STANDINGS_COSTS}.get(self.changes, 1.0)
        return (self.chance * more + self.others) * WRONG_COSTS


def choose_questions(
    doubts: Sequence[Doubt], length_probability: float = 1.0, budget: int | None = None
) -> set[tuple[int, str]]:
    """The (row, cell) pairs to ask, the most valuable answers first within the budget.

    A cell is asked when a silent mistake would cost more than the question. Of a row that breaks a rule, but may have
    been misread, the most doubtful cell is asked.
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


def withdrawn(slip: float, least_sure: float) -> bool:
    """Whether a row is not accused while a question in it is open, since the reader may as well be to blame.

    Args:
        slip: the probability that the row holds a slip.
        least_sure: the reader's confidence in the cell of the row of which it is least sure.
    """
    return slip < (REPORT_SURE if least_sure >= SURE else REPORT)


def _most_doubtful(doubts: Sequence[Doubt], row: int) -> Doubt:
    return max((d for d in doubts if d.row == row), key=lambda d: d.chance)
