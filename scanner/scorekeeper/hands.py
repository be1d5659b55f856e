"""The hands a row may record, as arrays, with the probability of each before anything is read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from scanner.rules.arithmetic import made_hands, renege_scores, set_scores

#: Chance that a hand ends with the makers set; clabber players call about one hand in eight too high.
_SET_RATE = 0.14
#: Chance that a hand ends by a renege: seldom, but it must not be impossible.
_RENEGE_RATE = 0.002
#: Meld is halved in frequency for about every 25 points: most hands show none, one in ten thousand shows the mules.
_MELD_HALVING = 25.0
#: Trick points of the stronger side spread about 110 by about 30 (162 a hand, the makers hold the better trumps).
_TRICKS_MEAN, _TRICKS_SPREAD = 110.0, 32.0


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

    @property
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
    """All hands the rules allow, weighted by how often they come up."""
    made, reneged, scores = sorted(made_hands()), sorted(renege_scores()), sorted(set_scores())
    set_code = 1 + max(max(max(pair) for pair in made), reneged[-1], scores[-1])
    pairs = [*made, *((0, r) for r in reneged), *((r, 0) for r in reneged)]
    pairs += [(set_code, s) for s in scores] + [(s, set_code) for s in scores]
    weights = [_made_weights(made), np.full(2 * len(reneged), _RENEGE_RATE / (2 * len(reneged)))]
    weights += [0.5 * _SET_RATE * _set_weights(scores)] * 2
    prior = np.concatenate(weights)
    return HandTable(np.array(pairs, dtype=np.int64).T, prior / prior.sum(), set_code)


def _made_weights(pairs: list[tuple[int, int]]) -> np.ndarray:
    scores = np.array(pairs)
    meld = scores.sum(axis=1) - 162
    # The meld is its higher scorer's as a rule, so the trick points are what is left; a wide bell covers the others.
    tricks = scores.max(axis=1) - 0.7 * meld
    bell = np.exp(-0.5 * ((tricks - _TRICKS_MEAN) / _TRICKS_SPREAD) ** 2) + 0.02
    weights = bell * np.exp2(-meld / _MELD_HALVING)
    return (1 - _SET_RATE - _RENEGE_RATE) * weights / weights.sum()


def _set_weights(scores: list[int]) -> np.ndarray:
    points = np.array(scores, dtype=float)
    weights = np.exp2(-(points - 81) / _MELD_HALVING) + 0.002
    return weights / weights.sum()
