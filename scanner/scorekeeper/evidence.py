"""What was read in the cells of one row, held against what they may hold: each cell by itself, no row put together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scanner.scorekeeper.hands import HandTable
from scanner.scorekeeper.ink import Explanations, options
from scanner.scorekeeper.likelihood import Likelihoods
from scanner.scorekeeper.slips import BLANK, COUNT, MARKED, NO_MARK, POINTS, TIED, TOTAL, Slip
from scanner.sheet.results import SIDES
from scanner.sheet.texts import INDEX, NUMBERS, SET, ZERO

#: A slip's figure is looked for among this many of the likeliest numbers of its cell, down to this share of the best.
_FIGURES, _FIGURE_SHARE = 8, 1e-3


@dataclass(frozen=True, eq=False)
class Evidence:
    """The cells of one row.

    Attributes:
        seen: likelihoods of its arithmetic cells.
        keys: the arithmetic columns of the layout.
        table: the hands.
        ink: likelihoods from which the figures of slips are taken, if not from ``seen``.
        older: chances of figures to be a total further up, shape (2, NUMBERS); None if nothing is known of them.
    """

    seen: Likelihoods
    keys: tuple[str, ...]
    table: HandTable
    ink: Likelihoods | None = None
    older: np.ndarray | None = None

    def has(self, *keys: str) -> bool:
        """Whether the layout has all these columns."""
        return all(key in self.keys for key in keys)

    def fit(self, rows: Explanations, key: str) -> np.ndarray:
        """How well one cell fits each explanation, shape (M,)."""
        texts, shares = options(rows, key, self.keys, self.table.set_code)
        return np.einsum("ij,ij->j", shares, self.seen[key][texts])

    def figures(self, key: str) -> list[int]:
        """The numbers worth trying as a slip's figure in one cell."""
        seen = (self.ink or self.seen)[key]
        numbers = seen[:NUMBERS]
        likely = np.flatnonzero(numbers > _FIGURE_SHARE * seen.max())
        return likely[np.argsort(-numbers[likely], kind="stable")[:_FIGURES]].tolist()

    def slip_figures(self, slip: Slip) -> list[int]:
        """The figures worth trying for a slip; 0 where it has none, and for a set mark 0 if the total stays, else 1."""
        side = SIDES[(slip - 1) % 2]
        if slip in (*POINTS, *COUNT):
            return self.figures(f"{side}_points")
        if slip in TOTAL:
            return self.figures(f"{side}_total")
        if slip in MARKED:
            return [0, 1] if self.has(f"{side}_points") else [0]
        cell = {Slip.HAND_CHECK: "hand_check", Slip.TOTAL_CHECK: "total_check"}.get(slip)
        return self.figures(cell) if cell else [0]

    def possible(self, slip: Slip) -> bool:
        """Whether the row has the cells for a slip."""
        if slip == Slip.NONE:
            return True
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

    def by_code(self, states: np.ndarray, side: int, key: str) -> np.ndarray:
        """How well one cell, ones where there is none, fits each outcome without a slip, shape (K, codes)."""
        codes = np.arange(self.table.set_code + 1)
        if key not in self.keys:
            return np.ones((len(states), codes.size))
        state = np.repeat(np.arange(len(states)), codes.size)
        both = np.tile(codes, len(states)) * np.ones((2, 1), dtype=np.int64)
        values = np.where(both == self.table.set_code, 0, both)
        before = states[state].T
        zeros = np.zeros_like(state)
        rows = Explanations(before, state, zeros, zeros, zeros, both, values, np.minimum(before + values, NUMBERS - 1))
        texts, shares = options(rows, key, self.keys, self.table.set_code)
        return (shares * self.seen[key][texts]).sum(axis=0).reshape(len(states), codes.size)

    def by_number(self, key: str) -> np.ndarray:
        """How well a check column fits each right figure without a slip, shape (NUMBERS,)."""
        right = np.stack([np.arange(NUMBERS), np.zeros(NUMBERS, dtype=np.int64)])
        zeros = np.zeros_like(right)
        return self.fit(Explanations(zeros, zeros[0], zeros[0], zeros[0], zeros[0], right, right, right), key)

    def of_codes(self, side: int, codes: np.ndarray) -> np.ndarray:
        """Roughly how well the points cell of a side fits some of its outcomes, shape (codes,); ones without one."""
        points = self.seen.get(f"{SIDES[side]}_points")
        if points is None:
            return np.ones(codes.size)
        texts = np.where(codes == self.table.set_code, INDEX[SET], codes)
        return np.where(codes == 0, np.maximum(points[INDEX[ZERO]], points[0]), points[texts])
