"""Ways of crossing a number out, and small tools for moving ink about. Strokes are (N, 2) arrays, x right, y down."""

from __future__ import annotations

import numpy as np

Rng = np.random.Generator
Strokes = list[np.ndarray]


def reach(ink: Strokes) -> tuple[np.ndarray, np.ndarray]:
    """Top left and bottom right of all strokes, each (2,)."""
    points = np.concatenate(ink)
    return points.min(axis=0), points.max(axis=0)


def moved(ink: Strokes, by: tuple[float, float] | np.ndarray) -> Strokes:
    """The strokes shifted."""
    return [s + np.asarray(by, float) for s in ink]


def fitted(ink: Strokes, size: float, room: float, least: float) -> Strokes:
    """Strokes of unit height scaled to ``size``; squeezed to ``room`` if wider: first narrower, then smaller.

    ``least`` keeps a lone dash or 1 from being treated as too wide.
    """
    low, far = reach(ink)
    wide = max((far[0] - low[0]) * size, least)
    squeeze = min(1.0, room / wide)
    # A number is narrowed to four fifths at most before it is also made smaller.
    narrow, small = max(squeeze, 0.8) if squeeze < 1 else 1.0, min(1.0, squeeze / 0.8)
    return [s * (size * narrow * small, size * small) for s in ink]


def strike(ink: Strokes, rng: Rng) -> Strokes:
    """Strokes that cross the ink out: a line or two, a slash, a cross, a zigzag or loops; it stays legible."""
    low, far = reach(ink)
    wide, high = far - low
    low, wide = low - (0.12 * high, 0), wide + 0.24 * high
    t = np.linspace(0, 1, 25)
    kind = rng.choice(["line", "lines", "slash", "cross", "zigzag", "loops"], p=[0.36, 0.2, 0.14, 0.08, 0.12, 0.1])
    if kind in ("line", "lines"):
        return [_line(low, wide, high, at, rng) for at in ((0.52,) if kind == "line" else (0.38, 0.64))]
    if kind in ("slash", "cross"):
        up = np.stack([low[0] + wide * t, low[1] + high * (0.95 - 0.9 * t)], axis=1)
        return [up] if kind == "slash" else [up, up[:, :] * (1, -1) + (0, 2 * low[1] + high)]
    turns = rng.uniform(2.5, 4.5)
    if kind == "zigzag":
        y = 0.5 + 0.38 * (2 / np.pi) * np.arcsin(np.sin(2 * np.pi * turns * np.linspace(0, 1, 120)))
        return [np.stack([low[0] + wide * np.linspace(0, 1, 120), low[1] + high * y], axis=1)]
    a = 2 * np.pi * turns * np.linspace(0, 1, 160)
    x = low[0] + wide * np.linspace(0.06, 0.94, 160) + 0.1 * high * np.sin(a)
    return [np.stack([x, low[1] + high * (0.5 + 0.32 * np.cos(a))], axis=1)]


def _line(low: np.ndarray, wide: float, high: float, at: float, rng: Rng) -> np.ndarray:
    """One nearly level line, a little wavy."""
    t = np.linspace(0, 1, 25)
    y = at + rng.normal(0, 0.07) + rng.normal(0, 0.09) * (t - 0.5) + 0.025 * np.sin(7 * t + rng.uniform(0, 6))
    return np.stack([low[0] + wide * t, low[1] + high * y], axis=1)
