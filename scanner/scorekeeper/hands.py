"""The hands a row may record, as arrays, with the probability of each before anything is read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from scanner.rules.arithmetic import renege_scores
from scanner.rules.priors import hand_prior

#: Chance that a hand ends by a renege: seldom, but it must not be impossible.
_RENEGE_RATE = 0.002


@dataclass(frozen=True, eq=False)
class HandTable:
    """N possible hands.

    Attributes:
        codes: int array, shape (2, N): the outcome of each side (we, they): its points, or ``set_code`` if it was set.
        prior: float array, shape (N,), sums to one.
        set_code: the code of a side that was set; one more than the highest score.
    """

    codes: np.ndarray
    prior: np.ndarray
    set_code: int

    @cached_property
    def values(self) -> np.ndarray:
        """Points scored, shape (2, N): a side that was set scores 0."""
        return np.where(self.codes == self.set_code, 0, self.codes)

    def scores(self, index: int) -> tuple[int, int, str | None]:
        """(we, they, side that was set or None) of one hand."""
        we, they = (int(v) for v in self.values[:, index])
        was_set = self.codes[:, index] == self.set_code
        return we, they, "we" if was_set[0] else "they" if was_set[1] else None


@cache
def hand_table() -> HandTable:
    """All hands the rules allow, weighted by how often they come up in simulated play, and a few reneges."""
    chances = {outcome: (1 - _RENEGE_RATE) * chance for outcome, chance in hand_prior().outcomes.items()}
    reneged = [pair for score in renege_scores() for pair in ((0, score, None), (score, 0, None))]
    for outcome in reneged:
        chances[outcome] = chances.get(outcome, 0.0) + _RENEGE_RATE / len(reneged)
    set_code = 1 + max(max(outcome[:2]) for outcome in chances)
    codes = [(set_code if s == "we" else we, set_code if s == "they" else they) for we, they, s in chances]
    return HandTable(np.array(codes, dtype=np.int64).T, np.array(list(chances.values())), set_code)
