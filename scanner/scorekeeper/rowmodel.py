"""All explanations of one row that matter, as seen and as washed out by the light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scanner.scorekeeper.evidence import Evidence
from scanner.scorekeeper.hands import HandTable
from scanner.scorekeeper.ink import Explanations, explain, join
from scanner.scorekeeper.likelihood import Likelihoods
from scanner.scorekeeper.search import Search
from scanner.scorekeeper.slips import Slip
from scanner.sheet.results import SIDES
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, SET, ZERO

#: Explanations of a row below this share of its best one are dropped.
KEEP = 1e-6
#: Of the (state, hand) pairs that survive their bound only so many of the best are scored for each slip, so that a row
#: nobody can read costs no more than a few others; rows that can be read stay far below.
MOST_PAIRS = 1500
#: ... and of a row that may be washed out, where every hand is as good as its neighbours: all hands of a few states.
MOST_PAIRS_WASHED = 20_000
#: Texts below this share of a cell's best say nothing about the totals a row can follow.
_WORTH_FOLLOWING = 1e-4
#: A row left empty between two hands.
SKIPPED = 0.0005


@dataclass(frozen=True, eq=False)
class RowModel:
    """One row's evidence.

    Attributes:
        seen: likelihoods of its arithmetic cells.
        keys: the arithmetic columns of the layout.
        table: the hands.
        keep: explanations below this share of the best are dropped; none for 0.
        washed: the likelihoods if the light has washed the row out; None if it has not.
    """

    seen: Likelihoods
    keys: tuple[str, ...]
    table: HandTable
    keep: float = KEEP
    washed: Likelihoods | None = None

    def modes(self, states: np.ndarray) -> tuple[Explanations, np.ndarray, np.ndarray]:
        """Every explanation that matters of the row as seen and as washed out.

        Returns:
            The explanations from written totals ``states``, shape (K, 2), their weights, shape (M,), and for each 0 if
            the ink is seen, 1 if it is washed out, shape (M,).
        """
        rows, weights = self.explanations(states)
        modes = np.zeros(weights.size, dtype=np.int64)
        if self.washed is None:
            return rows, weights, modes
        faded = Evidence(self.washed, self.keys, self.table, self.seen)  # no slip is looked for whose figure is gone
        others, theirs = self._explained(faded, states, MOST_PAIRS_WASHED, float(weights.max(initial=0.0)))
        modes = np.concatenate([modes, np.ones(theirs.size, dtype=np.int64)])
        return join([rows, others]), np.concatenate([weights, theirs]), modes

    def explanations(self, states: np.ndarray) -> tuple[Explanations, np.ndarray]:
        """Every explanation that matters of the row as seen.

        Returns:
            The explanations from written totals ``states``, shape (K, 2), and their weights, shape (M,).
        """
        return self._explained(Evidence(self.seen, self.keys, self.table), states, MOST_PAIRS)

    def _explained(self, evidence: Evidence, states: np.ndarray, most: int,
                   best: float = 0.0) -> tuple[Explanations, np.ndarray]:  # fmt: skip
        """What explains a row; ``best``: the weight of one that is known already."""
        search = Search(evidence, states, self.keep, most, best)
        for slip in Slip:
            if evidence.possible(slip):
                search.collect(slip)
        skipped = SKIPPED * float(np.prod([evidence.seen[key][INDEX[EMPTY]] for key in self.keys]))
        rows = join([*search.parts, _skip(states, self.table)])
        weights = np.concatenate([*search.weights, np.full(len(states), skipped)])
        kept = weights > self.keep * max(best, weights.max())
        return rows.take(np.flatnonzero(kept)), weights[kept]

    def follows(self, states: np.ndarray) -> np.ndarray:
        """Roughly how well the row follows written totals ``states``, shape (K, 2) -> (K,), both sides by themselves.

        A hint which states to keep where the rows before leave too many open; no probability is made of it.
        """
        fits = [self._follows(side)[np.minimum(states[:, side], NUMBERS - 1)] for side in (0, 1)]
        return fits[0] * fits[1]

    def _follows(self, side: int) -> np.ndarray:
        total = self.seen.get(f"{SIDES[side]}_total")
        if total is None:
            return np.ones(NUMBERS)
        codes, where = np.unique(self.table.codes[side], return_inverse=True)
        fits = np.bincount(where, weights=self.table.prior)
        fits = fits * Evidence(self.seen, self.keys, self.table).of_codes(side, codes)
        values = np.where(codes == self.table.set_code, 0, codes)
        found = np.zeros(NUMBERS)
        likely = np.flatnonzero(total[:NUMBERS] > _WORTH_FOLLOWING * total.max())
        before = likely[:, None] - values
        np.maximum.at(found, before.clip(0), np.where(before < 0, 0.0, total[likely][:, None] * fits))
        return found + fits[values == 0].max(initial=0.0) * max(total[INDEX[text]] for text in (EMPTY, SET, ZERO))


def _skip(states: np.ndarray, table: HandTable) -> Explanations:
    """The row passed over, from each of the states."""
    index = np.arange(len(states))
    rows = explain(states, table, index, np.zeros_like(index), Slip.NONE)
    zero = np.zeros_like(rows.codes)
    return Explanations(rows.before, index, np.full_like(index, -1), rows.slip, rows.figure, zero, zero, rows.before)
