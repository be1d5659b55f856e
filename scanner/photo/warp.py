"""One smooth warp from layout millimetres to the photo: a homography after a low polynomial for the paper's curl.

``M(u, v) = place(u + f(u, v), v + g(u, v))`` with Chebyshev polynomials f and g of total degree four at most, and a
small offset of every ruling, since pads are not printed to the layout's millimetre.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from scanner.sheet.layout import Layout

#: Total degree of the warp's polynomials. A page rolled over its width bends like a parabola or an S; both are in it.
DEGREE = 4
#: Weight of a wish for flatness at the frame against one sight of a ruling: only where few are seen does it matter.
CALM = 0.03
_POWERS = [(a, d - a) for d in range(DEGREE + 1) for a in range(d + 1)]
#: Ridge on the polynomial's coefficients by degree, in observations: high orders need many rulings to speak for them.
_RIDGE = np.array([(0.02, 0.02, 0.1, 0.4, 1.5)[a + b] for a, b in _POWERS])


@dataclass(frozen=True, eq=False)
class Warp:
    """Layout millimetres to work pixels.

    Attributes:
        layout: whose millimetres they are.
        place: homography, (3, 3).
        bend: coefficients of f and g in millimetres, shape (2, terms).
        nudge_x, nudge_y: offsets of the rulings in millimetres, shapes (columns + 1,) and (rows + 1,).
    """

    layout: Layout
    place: np.ndarray
    bend: np.ndarray = field(default_factory=lambda: np.zeros((2, len(_POWERS))))
    nudge_x: np.ndarray | None = None
    nudge_y: np.ndarray | None = None

    @cached_property
    def xs(self) -> np.ndarray:
        """Vertical rulings, millimetres."""
        lines = np.array(self.layout.x_lines)
        return lines if self.nudge_x is None else lines + self.nudge_x

    @cached_property
    def ys(self) -> np.ndarray:
        """Horizontal rulings, millimetres."""
        lines = np.array(self.layout.y_lines)
        return lines if self.nudge_y is None else lines + self.nudge_y

    @cached_property
    def row(self) -> float:
        """Mean height of a ruled row, millimetres: the unit of every tolerance."""
        return self.size[1] / (len(self.layout.row_heights) + self.layout.heading_rows)

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height of the layout, millimetres."""
        return self.layout.x_lines[-1], self.layout.y_lines[-1]

    def bent(self, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(u + f, v + g): where the paper's flat millimetres lie on the bent sheet."""
        if not self.bend.any():
            return u, v
        terms = self.terms(u, v)
        return u + terms @ self.bend[0], v + terms @ self.bend[1]

    def terms(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Values of the polynomial's terms, shape (*u.shape, terms)."""
        s, t = self._unit(u, self.size[0]), self._unit(v, self.size[1])
        cheb_s, cheb_t = _chebyshev(s), _chebyshev(t)
        return np.stack([cheb_s[a] * cheb_t[b] for a, b in _POWERS], axis=-1)

    def _calm(self, use: list[int], own: int) -> np.ndarray:
        """Rows that ask the terms of degree two and more to vanish at the frame, where nothing else may bind them."""
        u, v = np.meshgrid(np.array(self.layout.x_lines)[[0, -1]], np.array(self.layout.y_lines))
        high = np.array([sum(_POWERS[i]) >= 2 for i in use])
        terms = self.terms(u.ravel(), v.ravel())[:, use] * high
        return np.hstack([terms, np.zeros((len(terms), own))])

    @staticmethod
    def _unit(values: np.ndarray, length: float) -> np.ndarray:
        # Beyond the rulings nothing was measured: the polynomial is held, not extrapolated.
        return np.clip(np.asarray(values, dtype=np.float64) * (2 / length) - 1, -1.05, 1.05)

    def points(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Work pixels (x, y) of millimetres, shape (*u.shape, 2)."""
        a, b = self.bent(np.asarray(u, dtype=np.float64), np.asarray(v, dtype=np.float64))
        h = self.place
        w = h[2, 0] * a + h[2, 1] * b + h[2, 2]
        return np.stack([(h[0, 0] * a + h[0, 1] * b + h[0, 2]) / w, (h[1, 0] * a + h[1, 1] * b + h[1, 2]) / w], -1)

    def nodes(self) -> np.ndarray:
        """Crossings of the rulings in work pixels, shape (rows + 1, columns + 1, 2)."""
        u, v = np.meshgrid(self.xs, self.ys)
        return self.points(u, v)

    def refit(self, axis: int, at: np.ndarray, line: np.ndarray, place: np.ndarray, weight: np.ndarray,
              degree: int, scale: float) -> Warp:
        """The warp with f (axis 0) or g (axis 1) fitted anew to where rulings were seen.

        Args:
            axis: 0 for vertical rulings (f), 1 for horizontal ones (g).
            at: (N, 2), millimetres of the model points observed.
            line: (N,), index of the ruling each belongs to.
            place: (N,), bent coordinate along ``axis`` at which the ruling was seen.
            weight: (N,), trust in each.
            degree: terms up to this total degree are used.
            scale: millimetres beyond which an observation counts as stray (Cauchy weights).
        """
        use = [i for i, (a, b) in enumerate(_POWERS) if a + b <= degree]
        terms = self.terms(at[:, 0], at[:, 1])[:, use]
        count = len(self.layout.x_lines if axis == 0 else self.layout.y_lines)
        own = np.zeros((len(at), count))
        own[np.arange(len(at)), line] = 1.0
        rows = np.hstack([terms, own])
        target = place - np.array(self.layout.x_lines if axis == 0 else self.layout.y_lines)[line]
        calm = self._calm(use, count)
        rows, target = np.vstack([rows, calm]), np.concatenate([target, np.zeros(len(calm))])
        weight = np.concatenate([weight, np.full(len(calm), CALM)])
        # A ruling's own offset is believed late and little: about half of what all its pieces agree on at 8 pieces.
        ridge = np.concatenate([_RIDGE[use], np.full(count, 8.0 if degree >= 3 else 1e6)])
        solution = _robust(rows, target, weight, ridge, scale)
        bend = self.bend.copy()
        bend[axis] = 0.0
        bend[axis, use] = solution[:len(use)]
        nudge = {"nudge_x": solution[len(use):]} if axis == 0 else {"nudge_y": solution[len(use):]}
        return replace(self, bend=bend, **nudge)


def _robust(rows: np.ndarray, target: np.ndarray, weight: np.ndarray, ridge: np.ndarray, scale: float) -> np.ndarray:
    """Ridge regression with Cauchy weights, iterated (Huber 1981)."""
    trust = weight
    solution = np.zeros(rows.shape[1])
    for _ in range(6):
        weighted = rows * trust[:, None]
        solution = np.linalg.solve(rows.T @ weighted + np.diag(ridge), weighted.T @ target)
        miss = (rows @ solution - target) / scale
        trust = weight / (1 + miss * miss)
    return solution


def _chebyshev(s: np.ndarray) -> list[np.ndarray]:
    values = [np.ones_like(s), s]
    for _ in range(DEGREE - 1):
        values.append(2 * s * values[-1] - values[-2])
    return values
