"""All explanations of one row that matter, as seen and as washed out by the light."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from scanner.scorekeeper.evidence import Evidence
from scanner.scorekeeper.hands import HandTable
from scanner.scorekeeper.ink import Explanations, explain, join
from scanner.scorekeeper.likelihood import Likelihoods
from scanner.scorekeeper.search import Search
from scanner.scorekeeper.slips import Slip
from scanner.scorekeeper.washed import CHAIN
from scanner.sheet.results import SIDES
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, SET, ZERO

#: Explanations of a row below this share of its best one are dropped.
KEEP = 1e-6
#: Of the (state, hand) pairs that survive their bound only so many of the best are scored for each slip, so that a row
#: nobody can read costs no more than a few others; rows that can be read stay far below.
MOST_PAIRS = 1500
#: ... and of a row that may be washed out, where every hand is as good as its neighbours. Five times as many
#: settled the same texts and asked the same cells of 506 games.
MOST_PAIRS_WASHED = 4000
#: ... and no fewer than these from one state where all states are alike.
_LEAST_PAIRS = 300
#: Columns that show a total.
_TOTALS = {"we_total", "they_total", "total_check"}
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
        older: the chance of every figure to be a total further up (:mod:`scanner.scorekeeper.older`); None if unknown.
        chain: chances that it is washed out, (clear, washed out) above -> (clear, washed out), shape (2, 2).
    """

    seen: Likelihoods
    keys: tuple[str, ...]
    table: HandTable
    keep: float = KEEP
    washed: Likelihoods | None = None
    older: np.ndarray | None = None
    chain: np.ndarray = field(default_factory=lambda: CHAIN)

    def modes(self, states: np.ndarray, shares: np.ndarray) -> tuple[Explanations, np.ndarray, np.ndarray]:
        """Every explanation that matters of the row as seen and as washed out.

        Args:
            states: written totals before it, shape (K, 2).
            shares: the probability of each and of the row as seen and as washed out, by the rows before, shape (K, 2).

        Returns:
            The explanations from written totals ``states``, shape (K, 2), their weights, shape (M,), and for each 0 if
            the ink is seen, 1 if it is washed out, shape (M,).
        """
        search = Search(self._evidence(self.seen), states, shares[:, 0], self.keep, MOST_PAIRS)
        rows, weights = _found(search)
        modes = np.zeros(weights.size, dtype=np.int64)
        if self.washed is None:
            return rows, weights, modes
        faded = self._evidence(self.washed, self.seen)  # no slip is looked for whose figure is gone
        washed = Search(faded, states, shares[:, 1], self.keep, MOST_PAIRS_WASHED)
        washed.best, washed.best_way = search.best, search.best_way
        others, theirs = _found(washed)
        modes = np.concatenate([modes, np.ones(theirs.size, dtype=np.int64)])
        return join([rows, others]), np.concatenate([weights, theirs]), modes

    def explanations(self, states: np.ndarray) -> tuple[Explanations, np.ndarray]:
        """Every explanation that matters of the row as seen, all states alike.

        Returns:
            The explanations from written totals ``states``, shape (K, 2), and their weights, shape (M,).
        """
        return _found(Search(self._evidence(self.seen), states, np.ones(len(states)), self.keep, MOST_PAIRS))

    def _evidence(self, seen: Likelihoods, ink: Likelihoods | None = None) -> Evidence:
        return Evidence(seen, self.keys, self.table, ink, self.older)

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
        fits = fits * self._evidence(self.seen).of_codes(side, codes)
        values = np.where(codes == self.table.set_code, 0, codes)
        found = np.zeros(NUMBERS)
        likely = np.flatnonzero(total[:NUMBERS] > _WORTH_FOLLOWING * total.max())
        before = likely[:, None] - values
        np.maximum.at(found, before[before >= 0], (total[likely, None] * fits)[before >= 0])
        return found + fits[values == 0].max(initial=0.0) * max(total[INDEX[text]] for text in (EMPTY, SET, ZERO))


def _found(search: Search) -> tuple[Explanations, np.ndarray]:
    """All that the search finds, and the row passed over."""
    evidence, states = search.evidence, search.states
    rows, weights = _alike(search) if not _TOTALS & {*evidence.keys} and len(states) > 1 else search.run()
    skipped = SKIPPED * float(np.prod([evidence.seen[key][INDEX[EMPTY]] for key in evidence.keys]))
    rows, weights = join([rows, _skip(states, evidence.table)]), np.append(weights, np.full(len(states), skipped))
    search.know(weights, rows)
    kept = np.flatnonzero(weights > search.least()[rows.state])
    return rows.take(kept), weights[kept]


def _alike(search: Search) -> tuple[Explanations, np.ndarray]:
    """As ``search.run()`` where no column shows a total: what explains the row from one state does from every other."""
    states = search.states
    most = max(search.most_pairs // len(states), _LEAST_PAIRS)
    rows, weights = Search(search.evidence, states[:1], np.ones(1), search.keep, most).run()
    state, one = np.repeat(np.arange(len(states)), weights.size), np.tile(np.arange(weights.size), len(states))
    rows, weights, moved = rows.take(one), weights[one], (states[state] - states[0]).T
    rows = replace(rows, before=rows.before + moved, state=state, after=rows.after + moved)
    inside = np.flatnonzero((rows.after < NUMBERS).all(axis=0))
    return rows.take(inside), weights[inside]


def _skip(states: np.ndarray, table: HandTable) -> Explanations:
    """The row passed over, from each of the states."""
    index = np.arange(len(states))
    rows = explain(states, table, index, np.zeros_like(index), Slip.NONE)
    zero = np.zeros_like(rows.codes)
    return Explanations(rows.before, index, np.full_like(index, -1), rows.slip, rows.figure, zero, zero, rows.before)
