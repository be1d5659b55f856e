"""All explanations of one row that matter: hands and slips, scored against what was read.

Every (state, hand) pair is bounded from above by the factors a slip leaves alone; what cannot reach ``keep`` times the
best explanation of the row is dropped. With ``keep = 0`` nothing is dropped and the sum is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scanner.scorekeeper.hands import HandTable
from scanner.scorekeeper.ink import Explanations, explain, join, options
from scanner.scorekeeper.likelihood import Likelihoods
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
    rate,
)
from scanner.sheet.results import SIDES
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, SET, ZERO

#: Explanations of a row below this share of its best one are dropped.
KEEP = 1e-6
#: A slip's figure is looked for among this many of the likeliest numbers of its cell, down to this share of the best.
_FIGURES, _FIGURE_SHARE = 8, 1e-3
#: No wrong figure is likelier than this, given the right one (the commonest is a carry of ten).
_MOST_LIKELY_FIGURE = 0.4
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
        keep: see the module's docstring.
        washed: the likelihoods if the light has washed the row out; None if it has not.
        most_pairs: how many (state, hand) pairs are scored for each slip, and hands without one.
    """

    seen: Likelihoods
    keys: tuple[str, ...]
    table: HandTable
    keep: float = KEEP
    washed: Likelihoods | None = None
    most_pairs: int = MOST_PAIRS

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
        faded = _Washed(self.washed, self.keys, self.table, self.keep, self.seen, MOST_PAIRS_WASHED)
        others, theirs = faded.explanations(states)
        modes = np.concatenate([modes, np.ones(theirs.size, dtype=np.int64)])
        return join([rows, others]), np.concatenate([weights, theirs]), modes

    def explanations(self, states: np.ndarray) -> tuple[Explanations, np.ndarray]:
        """Every explanation that matters from written totals ``states``, shape (K, 2), and its weight, shape (M,)."""
        search = _Search(self, states)
        search.collect(Slip.NONE)
        for slip in Slip:
            if slip and self._possible(slip):
                search.collect(slip)
        rows = join([*search.parts, self._skip(states)])
        weights = np.concatenate([*search.weights, self._skip_weight() * np.ones(len(states))])
        kept = weights > self.keep * weights.max()
        return rows.take(np.flatnonzero(kept)), weights[kept]

    def fit(self, rows: Explanations, key: str) -> np.ndarray:
        """How well one cell fits each explanation, shape (M,)."""
        texts, shares = options(rows, key, self.keys, self.table.set_code)
        return np.einsum("ij,ij->j", shares, self.seen[key][texts])

    def figures(self, key: str) -> list[int]:
        """The numbers worth trying as a slip's figure in one cell."""
        numbers = self.seen[key][:NUMBERS]
        likely = np.flatnonzero(numbers > _FIGURE_SHARE * self.seen[key].max())
        return likely[np.argsort(-numbers[likely], kind="stable")[:_FIGURES]].tolist()

    def follows(self, states: np.ndarray) -> np.ndarray:
        """Roughly how well the row follows written totals ``states``, shape (K, 2) -> (K,), both sides by themselves.

        A hint which states to keep where the rows before leave too many open; no probability is made of it.
        """
        fits = [self._follows(side)[np.minimum(states[:, side], NUMBERS - 1)] for side in (0, 1)]
        return fits[0] * fits[1]

    def _follows(self, side: int) -> np.ndarray:
        points, total = (self.seen.get(f"{SIDES[side]}_{what}") for what in ("points", "total"))
        codes, where = np.unique(self.table.codes[side], return_inverse=True)
        fits = np.bincount(where, weights=self.table.prior)
        if points is not None:
            fits = fits * _of_codes(points, codes, self)
        values = np.where(codes == self.table.set_code, 0, codes)
        found = np.zeros(NUMBERS)
        if total is None:
            return found + 1.0
        likely = np.flatnonzero(total[:NUMBERS] > _WORTH_FOLLOWING * total.max())
        before = likely[:, None] - values
        np.maximum.at(found, before.clip(0), np.where(before < 0, 0.0, total[likely][:, None] * fits))
        return found + fits[values == 0].max(initial=0.0) * max(total[INDEX[text]] for text in (EMPTY, SET, ZERO))

    def has(self, *keys: str) -> bool:
        """Whether the layout has all these columns."""
        return all(key in self.keys for key in keys)

    def _possible(self, slip: Slip) -> bool:
        side = SIDES[(slip - 1) % 2]
        points, total = f"{side}_points", f"{side}_total"
        if slip in (*POINTS, *COUNT):
            return self.has(points)
        if slip in (*TOTAL, *BLANK):
            return self.has(total)
        if slip == Slip.SWAPPED:
            return self.has("we_points", "they_points")
        if slip in (*TIED, *NO_MARK, *MARKED):
            return self.has(points) or self.has(total)
        return self.has({Slip.HAND_CHECK: "hand_check", Slip.TOTAL_CHECK: "total_check"}[slip])

    def _skip_weight(self) -> float:
        return SKIPPED * float(np.prod([self.seen[key][INDEX[EMPTY]] for key in self.keys]))

    def _skip(self, states: np.ndarray) -> Explanations:
        index = np.arange(len(states))
        rows = explain(states, self.table, index, np.zeros_like(index), Slip.NONE)
        zero = np.zeros_like(rows.codes)
        nothing = np.full_like(index, -1)
        return Explanations(rows.before, index, nothing, rows.slip, rows.figure, zero, zero, rows.before)


@dataclass(frozen=True, eq=False)
class _Washed(RowModel):
    """The same row washed out; a slip is looked for only where its figure can be seen."""

    def figures(self, key: str) -> list[int]:
        return RowModel(self.washed, self.keys, self.table).figures(key)


class _Search:
    """Works through the slips of one row and keeps what matters."""

    def __init__(self, model: RowModel, states: np.ndarray) -> None:
        self.model, self.states, self.best = model, states, 0.0
        self.parts: list[Explanations] = []
        self.weights: list[np.ndarray] = []
        self._points = [_by_code(model, states[:1], side, f"{SIDES[side]}_points")[0] for side in (0, 1)]
        self._totals = [_by_code(model, states, side, f"{SIDES[side]}_total") for side in (0, 1)]
        self._checks = {key: _by_number(model, key) for key in ("hand_check", "total_check") if key in model.keys}
        self._hands = self._worthwhile()

    def collect(self, slip: Slip) -> None:
        """Adds the explanations with one slip that can matter."""
        chance = rate(slip)
        hands = self._hands[self._fits(slip, self.model.table.codes[:, self._hands])]
        gate = chance * self.model.table.prior[hands] * self._gate(slip, hands)
        if slip in FIGURED:
            gate = gate * _MOST_LIKELY_FIGURE
        state, place = self._survivors(gate)
        figures = self._figures(slip)
        if not state.size or not figures:
            return
        figure = np.repeat(figures, state.size)
        state, hand = np.tile(state, len(figures)), np.tile(hands[place], len(figures))
        self._add(slip, explain(self.states, self.model.table, state, hand, slip, figure), chance)

    def _survivors(self, gate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Indices of the (state, hand) pairs worth scoring."""
        gate = np.broadcast_to(gate, (len(self.states), gate.shape[1]))
        state, place = np.nonzero(gate > self.model.keep * self.best)
        most = self.model.most_pairs
        if self.model.keep and state.size > most:
            best = np.argpartition(-gate[state, place], most)[:most]
            state, place = state[best], place[best]
        return state, place

    def _add(self, slip: Slip, rows: Explanations, chance: float) -> None:
        if rows.after.max() >= NUMBERS:
            rows = rows.take(np.flatnonzero((rows.after < NUMBERS).all(axis=0)))
        weights = chance * self._weigh(slip, rows) * _figure_chance(rows, slip)
        kept = np.flatnonzero(weights > self.model.keep * max(self.best, weights.max(initial=0.0)))
        if kept.size:
            self.parts.append(rows.take(kept))
            self.weights.append(weights[kept])
            self.best = max(self.best, float(weights.max()))

    def _weigh(self, slip: Slip, rows: Explanations) -> np.ndarray:
        """The probability of hand and reading given the slip, shape (M,): cells it leaves alone come from tables."""
        weights = self.model.table.prior[rows.hand]
        touched = _touched(slip, self.model.keys)
        for key in self.model.keys:
            weights = weights * (self.model.fit(rows, key) if key in touched else self._plain(rows, key))
        return weights

    def _plain(self, rows: Explanations, key: str) -> np.ndarray:
        if key in self._checks:
            parts = rows.values if key == "hand_check" else rows.after
            return self._checks[key][np.minimum(parts.sum(axis=0), NUMBERS - 1)]
        side = 0 if key.startswith("we") else 1
        if key.endswith("points"):
            return self._points[side][rows.codes[side]]
        return self._totals[side][rows.state, rows.codes[side]]

    def _figures(self, slip: Slip) -> list[int]:
        side = SIDES[(slip - 1) % 2]
        if slip in (*POINTS, *COUNT):
            return self.model.figures(f"{side}_points")
        if slip in TOTAL:
            return self.model.figures(f"{side}_total")
        if slip in MARKED:
            return [0, 1] if self.model.has(f"{side}_points") else [0]
        cell = {Slip.HAND_CHECK: "hand_check", Slip.TOTAL_CHECK: "total_check"}.get(slip)
        return self.model.figures(cell) if cell else [0]

    def _fits(self, slip: Slip, codes: np.ndarray) -> np.ndarray:
        """Which hands (columns of ``codes``) can suffer this slip."""
        own, was_set = codes[(slip - 1) % 2], codes == self.model.table.set_code
        if slip in (*NO_MARK, *TIED):
            return was_set[(slip - 1) % 2]
        if slip in (*MARKED, *BLANK):
            return ~was_set[(slip - 1) % 2] & (own > 0)
        marked_there = slip in TOTAL and not self.model.has(f"{SIDES[(slip - 1) % 2]}_points")
        if slip in (*COUNT, *POINTS) or marked_there:
            return ~was_set[(slip - 1) % 2]
        return np.ones(codes.shape[1], dtype=bool)

    def _side(self, side: int, hands: np.ndarray, points: bool = True, total: bool = True) -> np.ndarray:
        """How well one side's cells fit, shape (K, len(hands)), or broadcastable to it."""
        codes = self.model.table.codes[side, hands]
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
        if not self.model.has("hand_check"):
            return np.ones(1)
        seen = self.model.seen["hand_check"]
        return seen[self.model.table.values[:, hands].sum(axis=0)] + seen[INDEX[EMPTY]]

    def _worthwhile(self) -> np.ndarray:
        """Hands in which one side at least fits its cells, or both their totals: a slip spoils no more than that."""
        table = self.model.table
        everything = np.arange(table.prior.size)
        if not self.model.keep:
            return everything
        total = [self._totals[side].max(axis=0) for side in (0, 1)]
        fit = [total[side] * self._points[side] for side in (0, 1)]
        one, two = table.codes
        bound = fit[0][one] * fit[1][two] * self._hand_check(everything)
        likeliest = max(rate(slip) for slip in Slip if slip)
        bound = np.maximum(bound, likeliest * np.maximum(fit[0][one], fit[1][two]))
        if self.model.has("we_points", "they_points"):
            bound = np.maximum(bound, rate(Slip.SWAPPED) * total[0][one] * total[1][two])
        bound = bound * table.prior
        return np.flatnonzero(bound > 0.1 * self.model.keep * bound.max())


def _by_code(model: RowModel, states: np.ndarray, side: int, key: str) -> np.ndarray:
    """How well one cell fits each outcome of its side without a slip, shape (K, codes); ones where there is no cell."""
    codes = np.arange(model.table.set_code + 1)
    if key not in model.keys:
        return np.ones((len(states), codes.size))
    state = np.repeat(np.arange(len(states)), codes.size)
    both = np.tile(codes, len(states)) * np.ones((2, 1), dtype=np.int64)
    values = np.where(both == model.table.set_code, 0, both)
    before = states[state].T
    zeros = np.zeros_like(state)
    rows = Explanations(before, state, zeros, zeros, zeros, both, values, np.minimum(before + values, NUMBERS - 1))
    texts, shares = options(rows, key, model.keys, model.table.set_code)
    return (shares * model.seen[key][texts]).sum(axis=0).reshape(len(states), codes.size)


def _by_number(model: RowModel, key: str) -> np.ndarray:
    """How well a check column fits each right figure without a slip, shape (NUMBERS,)."""
    right = np.stack([np.arange(NUMBERS), np.zeros(NUMBERS, dtype=np.int64)])
    zeros = np.zeros_like(right)
    return model.fit(Explanations(zeros, zeros[0], zeros[0], zeros[0], zeros[0], right, right, right), key)


def _of_codes(points: np.ndarray, codes: np.ndarray, model: RowModel) -> np.ndarray:
    """How well a points cell fits outcomes of its side."""
    texts = np.where(codes == model.table.set_code, INDEX[SET], codes)
    return np.where(codes == 0, np.maximum(points[INDEX[ZERO]], points[0]), points[texts])


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


def _figure_chance(rows: Explanations, slip: Slip) -> np.ndarray | float:
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
    return chance
