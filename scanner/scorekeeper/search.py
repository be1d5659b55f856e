"""The search for the explanations of one row: hands and slips, scored against what was read.

Every (state, hand) pair is bounded from above by the factors a slip leaves alone; what cannot reach ``keep`` times the
best explanation of the row is dropped, and so is what cannot matter from a state that is unlikely itself. With
``keep = 0`` nothing is dropped and the sum is exact.
"""

from __future__ import annotations

import numpy as np

from scanner.scorekeeper.evidence import Evidence
from scanner.scorekeeper.ink import Explanations, explain, join
from scanner.scorekeeper.slips import (
    BLANK,
    COUNT,
    FIGURED,
    MARKED,
    NO_MARK,
    POINTS,
    TIED,
    TOTAL,
    Slip,
    chance_of_figure,
    chance_of_others_total,
    more_for_older,
    rate,
)
from scanner.sheet.results import SIDES
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS

#: Of the ways up to and with this row those below this share of the best are dropped: a hundred of them together would
#: not make a state that is kept (``lattice.KEEP_STATE``).
KEEP_WAY = 1e-9
#: No wrong figure is likelier than this, given the right one (the commonest is a carry of ten).
_MOST_LIKELY_FIGURE = 0.4


class Search:
    """Works through the slips of one row and keeps what matters.

    Args:
        evidence: what was read in the row.
        states: written totals before it, shape (K, 2).
        shares: the probability of each of them by the rows before, shape (K,), in any unit.
        keep: what is below this share of the best explanation is dropped.
        most_pairs: how many (state, hand) pairs are scored for each slip, and without one.
    """

    def __init__(
        self, evidence: Evidence, states: np.ndarray, shares: np.ndarray, keep: float, most_pairs: int
    ) -> None:
        self.evidence, self.states, self.keep, self.most_pairs = evidence, states, keep, most_pairs
        self.shares, self.best, self.best_way = np.maximum(shares, 1e-300), 0.0, 0.0
        self.parts: list[Explanations] = []
        self.weights: list[np.ndarray] = []
        self._points = [evidence.by_code(states[:1], side, f"{SIDES[side]}_points")[0] for side in (0, 1)]
        self._totals = [evidence.by_code(states, side, f"{SIDES[side]}_total") for side in (0, 1)]
        self._checks = {key: evidence.by_number(key) for key in ("hand_check", "total_check") if key in evidence.keys}
        self._hands = self._worthwhile()
        self._codes, self._prior = evidence.table.codes[:, self._hands], evidence.table.prior[self._hands]

    def run(self) -> tuple[Explanations, np.ndarray]:
        """All explanations by a hand, with a slip or without, and their weights, shape (M,)."""
        for slip in Slip:
            if self.evidence.possible(slip):
                self._collect(slip)
        nothing = np.zeros(0, dtype=np.int64)
        parts = self.parts or [explain(self.states, self.evidence.table, nothing, nothing, Slip.NONE)]
        return join(parts), np.concatenate([*self.weights, np.zeros(0)])

    def _collect(self, slip: Slip) -> None:
        """Adds the explanations with one slip that can matter."""
        chance = rate(slip)
        fits = self._fits(slip, self._codes)
        hands = self._hands[fits]
        gate = chance * self._prior[fits] * self._gate(slip, hands)
        if slip in FIGURED:
            gate = gate * _MOST_LIKELY_FIGURE
        state, place, stand_for = self._survivors(gate)
        figures = self.evidence.slip_figures(slip)
        if not state.size or not figures:
            return
        figure = np.repeat(figures, state.size)
        state, hand = np.tile(state, len(figures)), np.tile(hands[place], len(figures))
        self._add(slip, explain(self.states, self.evidence.table, state, hand, slip, figure), chance * stand_for)

    def know(self, weights: np.ndarray, rows: Explanations) -> None:
        """Takes note of the best of some explanations there are: later ones are held against it."""
        self.best = max(self.best, float(weights.max(initial=0.0)))
        self.best_way = max(self.best_way, float((weights * self.shares[rows.state]).max(initial=0.0)))

    def least(self) -> np.ndarray:
        """The weight from which an explanation matters, by state, shape (K,)."""
        if not self.keep:
            return np.zeros(len(self.states))
        return np.maximum(self.keep * self.best, KEEP_WAY * self.best_way / self.shares)

    def _survivors(self, gate: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Indices of the (state, hand) pairs worth scoring, and for how many like themselves they stand."""
        gate = np.broadcast_to(gate, (len(self.states), gate.shape[1]))
        state, place = np.nonzero(gate > self.least()[:, None])
        most = self.most_pairs
        if not self.keep or state.size <= most:
            return state, place, 1.0
        ways = gate[state, place] * self.shares[state]
        best = np.argpartition(-ways, most)[:most]
        return state[best], place[best], float(ways.sum() / ways[best].sum())

    def _add(self, slip: Slip, rows: Explanations, chance: float) -> None:
        if rows.after.max() >= NUMBERS:
            rows = rows.take(np.flatnonzero((rows.after < NUMBERS).all(axis=0)))
        weights = chance * self._weigh(slip, rows) * _figure_chance(rows, slip, self.evidence.older)
        self.know(weights, rows)
        kept = np.flatnonzero(weights > self.least()[rows.state])
        if kept.size:
            self.parts.append(rows.take(kept))
            self.weights.append(weights[kept])

    def _weigh(self, slip: Slip, rows: Explanations) -> np.ndarray:
        """The probability of hand and reading given the slip, shape (M,): cells it leaves alone come from tables."""
        weights = self.evidence.table.prior[rows.hand]
        touched = _touched(slip, self.evidence.keys)
        for key in self.evidence.keys:
            weights = weights * (self.evidence.fit(rows, key) if key in touched else self._plain(rows, key))
        return weights

    def _plain(self, rows: Explanations, key: str) -> np.ndarray:
        if key in self._checks:
            parts = rows.values if key == "hand_check" else rows.after
            return self._checks[key][np.minimum(parts.sum(axis=0), NUMBERS - 1)]
        side = 0 if key.startswith("we") else 1
        if key.endswith("points"):
            return self._points[side][rows.codes[side]]
        return self._totals[side][rows.state, rows.codes[side]]

    def _fits(self, slip: Slip, codes: np.ndarray) -> np.ndarray:
        """Which hands (columns of ``codes``) can suffer this slip."""
        own, was_set = codes[(slip - 1) % 2], codes == self.evidence.table.set_code
        if slip in (*NO_MARK, *TIED):
            return was_set[(slip - 1) % 2]
        if slip in (*MARKED, *BLANK):
            return ~was_set[(slip - 1) % 2] & (own > 0)
        marked_there = slip in TOTAL and not self.evidence.has(f"{SIDES[(slip - 1) % 2]}_points")
        if slip in (*COUNT, *POINTS) or marked_there:
            return ~was_set[(slip - 1) % 2]
        return np.ones(codes.shape[1], dtype=bool)

    def _side(self, side: int, hands: np.ndarray, points: bool = True, total: bool = True) -> np.ndarray:
        """How well one side's cells fit, shape (K, len(hands)), or broadcastable to it."""
        codes = self.evidence.table.codes[side, hands]
        fit = self._totals[side][:, codes] if total else np.ones((len(self.states), 1))
        return fit * self._points[side][codes] if points else fit

    def _gate(self, slip: Slip, hands: np.ndarray) -> np.ndarray:
        """An upper bound, shape (K, len(hands)), on the cells' likelihood: what a slip may change is taken as 1."""
        if slip == Slip.NONE or slip >= Slip.HAND_CHECK:
            gate = self._side(0, hands) * self._side(1, hands)
            return gate if slip == Slip.HAND_CHECK else gate * self._hand_check(hands)
        side = (slip - 1) % 2
        if slip == Slip.SWAPPED:
            return self._side(0, hands, points=False) * self._side(1, hands, points=False)
        return self._side(side, hands, slip in (*TOTAL, *BLANK), slip in POINTS) * self._side(1 - side, hands)

    def _hand_check(self, hands: np.ndarray) -> np.ndarray:
        if not self.evidence.has("hand_check"):
            return np.ones(1)
        seen = self.evidence.seen["hand_check"]
        return seen[self.evidence.table.values[:, hands].sum(axis=0)] + seen[INDEX[EMPTY]]

    def _worthwhile(self) -> np.ndarray:
        """Hands in which one side at least fits its cells, or both their totals: a slip spoils no more than that."""
        table = self.evidence.table
        everything = np.arange(table.prior.size)
        if not self.keep:
            return everything
        total = [self._totals[side].max(axis=0) for side in (0, 1)]
        fit = [total[side] * self._points[side] for side in (0, 1)]
        one, two = table.codes
        bound = fit[0][one] * fit[1][two] * self._hand_check(everything)
        likeliest = max(rate(slip) for slip in Slip if slip)
        bound = np.maximum(bound, likeliest * np.maximum(fit[0][one], fit[1][two]))
        if self.evidence.has("we_points", "they_points"):
            bound = np.maximum(bound, rate(Slip.SWAPPED) * total[0][one] * total[1][two])
        bound = bound * table.prior
        return np.flatnonzero(bound > 0.1 * self.keep * max(self.best, bound.max()))


def _touched(slip: Slip, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The cells that a slip may change."""
    if slip in (Slip.NONE, Slip.HAND_CHECK, Slip.TOTAL_CHECK):
        return {Slip.NONE: (), Slip.HAND_CHECK: ("hand_check",), Slip.TOTAL_CHECK: ("total_check",)}[slip]
    if slip == Slip.SWAPPED:
        return ("we_points", "they_points")
    points, total = (f"{SIDES[(slip - 1) % 2]}_{what}" for what in ("points", "total"))
    if slip in POINTS:
        return (points, "hand_check")
    if slip in TOTAL:
        return (total, "total_check") if points in keys else (total, "hand_check", "total_check")
    if slip in (*NO_MARK, *BLANK):
        return (points, total)
    return (points, total, "hand_check", "total_check")


def _figure_chance(rows: Explanations, slip: Slip, older: np.ndarray | None) -> np.ndarray | float:
    """Chance of the slip's figures given the right ones, shape (M,)."""
    side = (slip - 1) % 2
    if slip in (*POINTS, *COUNT):
        right = rows.values[side]
    elif slip in TOTAL:
        right = rows.before[side] + rows.values[side]
    elif slip == Slip.HAND_CHECK:
        right = rows.values.sum(axis=0)
    elif slip == Slip.TOTAL_CHECK:
        right = rows.after.sum(axis=0)
    else:
        return 0.5 if slip in MARKED else 1.0
    figures, which = np.unique(rows.figure, return_inverse=True)
    chances = np.stack([chance_of_figure(slip, int(figure)) for figure in figures]) if figures.size else np.ones((1, 1))
    chance = chances[which, np.minimum(right, NUMBERS - 1)]
    if slip in TOTAL:
        others = rows.before[1 - side] + rows.values[side]
        chance = chance + np.where((rows.figure == others) & (others != right), chance_of_others_total(), 0.0)
        if older is not None:
            chance = chance + more_for_older(rows.figure, rows.values[side], right, older[side])
    return chance
