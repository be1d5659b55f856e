"""The project's own handwriting: hand-drawn stroke skeletons, bent into one writer's hand and again into each instance.

Frame of every glyph: x to the right, y down, unit one digit height; the top of a digit is y = 0, the base line y = 1,
descenders go below. The leftmost ink of a glyph is at x = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

Glyph = tuple[np.ndarray, ...]
"""Strokes of one character in writing order, each a float array of shape (N, 2), N at least 2."""

#: Points of a polyline lie this far apart, in digit heights: below a tenth of the thinnest loop drawn.
STEP = 0.03


@dataclass(frozen=True, eq=False)
class Skeleton:
    """One variant of a character: its pen strokes as control points, and which of them are corners."""

    weight: float
    strokes: tuple[np.ndarray, ...]
    corners: tuple[np.ndarray, ...]


@cache
def skeletons() -> dict[str, tuple[Skeleton, ...]]:
    """All characters the project can write by hand, with their variants, from ``data/skeletons.txt``."""
    text = (resources.files("scanner.workshop") / "data" / "skeletons.txt").read_text("utf-8")
    found: dict[str, list[Skeleton]] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("# "):
            continue
        head, _, body = line[1:].partition(" : ")
        if body:
            found.setdefault(line[0], []).append(_skeleton(float(head), body))
    return {char: tuple(variants) for char, variants in found.items()}


def characters() -> str:
    """Every character a :class:`Hand` can write, the space included."""
    return "".join(skeletons()) + " "


@dataclass(frozen=True, eq=False)
class Hand:
    """One writer. Lengths are digit heights, angles radians.

    Attributes:
        seed: names the writer; all habits follow from it.
        slant: shear of the whole hand, positive leans right.
        width: how wide the writer's characters are against the skeletons.
        roundness: length over which corners are rounded off.
        habit: how far the writer's own forms stray from the skeletons.
        unrest: how far two instances of one character differ.
        tremor: amplitude of the fine waver of the pen.
        fickle: chance that an instance takes another variant than the writer's usual one.
    """

    seed: int
    slant: float
    width: float
    roundness: float
    habit: float
    unrest: float
    tremor: float
    fickle: float

    def glyph(self, char: str, rng: np.random.Generator) -> Glyph:
        """One instance of ``char`` in this hand; empty for the space.

        Raises:
            ValueError: the project has no skeleton for the character.
        """
        if char == " ":
            return ()
        variants = skeletons().get(char)
        if variants is None:
            raise ValueError(f"no skeleton for {char!r}; the hand writes {characters()!r}")
        index = self._variant(char, variants, rng)
        own = np.random.default_rng([self.seed, ord(char), index])
        pairs = zip(variants[index].strokes, variants[index].corners, strict=True)
        strokes = [self._bent(points, corners, own, rng) for points, corners in pairs]
        return _at_left(self._leaning(strokes, rng))

    def _variant(self, char: str, variants: tuple[Skeleton, ...], rng: np.random.Generator) -> int:
        """The writer's usual variant of a character, now and then another one."""
        weights = np.array([v.weight for v in variants])
        chooser = rng if rng.random() < self.fickle else np.random.default_rng([self.seed, ord(char)])
        return int(chooser.choice(len(variants), p=weights / weights.sum()))

    def _bent(
        self, points: np.ndarray, corners: np.ndarray, own: np.random.Generator, rng: np.random.Generator
    ) -> np.ndarray:
        """One stroke: control points moved by the writer's habit and the instance's unrest, then drawn smoothly."""
        # A short stroke (a dot, a bar) must not be moved by more than its own size.
        size = min(1.0, float(np.ptp(points, axis=0).max()) / 0.5)
        if len(points) <= 3:
            size *= 0.5  # a plain stroke shows every bend: a 1 would turn into a bracket
        moved = points + size * (own.normal(0, self.habit, points.shape) + rng.normal(0, self.unrest, points.shape))
        ends = rng.normal(0, 1.2 * self.unrest, 2) * size
        moved[0] += ends[0] * _direction(moved[0] - moved[1])
        moved[-1] += ends[1] * _direction(moved[-1] - moved[-2])
        line = _rounded(_through(moved, corners), self.roundness)
        return line + _waver(len(line), self.tremor, rng)

    def _leaning(self, strokes: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
        """Width, slant, and an instance's own turn and size, about the middle of the base line."""
        turn, size = rng.normal(0, 1.3 * self.unrest), np.exp(rng.normal(0, 1.5 * self.unrest, 2))
        shear = self.slant + rng.normal(0, self.unrest)
        cos, sin = np.cos(turn), np.sin(turn)
        matrix = np.array([[cos, -sin], [sin, cos]]) @ np.array([[self.width * size[0], -shear], [0, size[1]]])
        return [(s - (0.3, 1)) @ matrix.T + (0.3, 1) for s in strokes]


def own_hand(seed: int) -> Hand:
    """A writer of the project's own: the same seed always gives the same hand."""
    rng = np.random.default_rng([seed, 7041])
    return Hand(
        seed=seed,
        slant=float(rng.normal(0.08, 0.14)),
        width=float(np.exp(rng.normal(0, 0.16))),
        roundness=float(rng.choice([0.0, 0.08, 0.16]) * rng.uniform(0.6, 1.2)),
        habit=float(rng.uniform(0.01, 0.055)),
        unrest=float(rng.uniform(0.008, 0.036)),
        tremor=float(rng.choice([0.0, 0.004, 0.009])),
        fickle=float(rng.choice([0.0, 0.05, 0.2])),
    )


def _skeleton(weight: float, body: str) -> Skeleton:
    strokes = [stroke.split() for stroke in body.split(";")]
    points = tuple(np.array([[float(v) for v in p.rstrip(".").split(",")] for p in s]) / 100 for s in strokes)
    return Skeleton(weight, points, tuple(np.array([p.endswith(".") for p in s]) for s in strokes))


def _through(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Dense polyline through control points, shape (N, 2), broken at corners."""
    cuts = [0, *(i for i in range(1, len(points) - 1) if corners[i]), len(points) - 1]
    parts = [_spline(points[a : b + 1]) for a, b in zip(cuts, cuts[1:], strict=False)]
    return np.concatenate([parts[0], *(p[1:] for p in parts[1:])])


def _spline(points: np.ndarray) -> np.ndarray:
    """Cubic Hermite curve through the points, parametrised by chord length (Catmull-Rom tangents), about STEP apart."""
    chords = np.maximum(np.hypot(*np.diff(points, axis=0).T), 1e-3)
    knots = np.concatenate([[0], np.cumsum(chords)])
    straight = np.tile((points[1] - points[0]) / chords[0], (2, 1))
    slopes = np.gradient(points, knots, axis=0) if len(points) > 2 else straight
    t = np.linspace(0, knots[-1], max(3, int(np.ceil(knots[-1] / STEP))))
    i = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(chords) - 1)
    h, u = chords[i][:, None], ((t - knots[i]) / chords[i])[:, None]
    return ((1 + 2 * u) * (1 - u) ** 2 * points[i] + u * (1 - u) ** 2 * h * slopes[i]
            + u**2 * (3 - 2 * u) * points[i + 1] + u**2 * (u - 1) * h * slopes[i + 1])


def _rounded(line: np.ndarray, length: float) -> np.ndarray:
    """The line averaged over ``length`` along it, its ends kept."""
    reach = min(int(length / STEP), (len(line) - 1) // 2)
    if reach < 1:
        return line
    padded = np.pad(line, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    kernel = np.ones(2 * reach + 1) / (2 * reach + 1)
    return np.stack([np.convolve(padded[:, k], kernel, "valid") for k in (0, 1)], axis=1)


def _waver(count: int, amplitude: float, rng: np.random.Generator) -> np.ndarray:
    """Smooth noise of a pen, shape (count, 2): random values every few steps, interpolated."""
    if not amplitude:
        return np.zeros((count, 2))
    every = np.linspace(0, count - 1, max(2, count // 5))
    return np.stack([np.interp(np.arange(count), every, rng.normal(0, amplitude, len(every))) for _ in (0, 1)], axis=1)


def _direction(vector: np.ndarray) -> np.ndarray:
    length = np.hypot(*vector)
    return vector / length if length > 1e-6 else np.zeros(2)


def _at_left(strokes: list[np.ndarray]) -> Glyph:
    left = min(float(s[:, 0].min()) for s in strokes)
    return tuple(s - (left, 0.0) for s in strokes)
