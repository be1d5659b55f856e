"""The printed rulings around one training cell, of any kind a printer offers: running lines, or boxes of their own."""

from __future__ import annotations

from functools import partial

import numpy as np

from scanner.workshop import wear
from scanner.workshop.pens import Pen, Rng, lay_ink
from scanner.workshop.scene import Scene, coverage
from scanner.workshop.writing import Writing

#: A ruling's two ends, in row units.
Line = tuple[tuple[float, float], tuple[float, float]]
#: Pitch of a dotted ruling in row heights, and the part of it that is inked.
_DOTS = (0.11, 0.05 / 0.11)


def rule(page: np.ndarray, scene: Scene, pen: Pen, rng: Rng, boxed: bool = False, dashed: float = 0.0) -> np.ndarray:
    """The printed rulings: the cell's four sides and their continuation, of any kind a printer offers.

    A ``dashed`` share of them are dashes of one length and gap, from dots to the size of a written zero line.
    """
    if rng.random() < 0.04:
        return page
    colour = np.array(pen.colour if rng.random() < 0.15 else rng.uniform(0, 1, 3) * rng.choice([0.15, 0.5, 0.85]))
    ruler = Pen("ruling", 0, tuple(colour), float(rng.uniform(0.25, 1.0)))
    thin, kind = float(rng.uniform(0.012, 0.05)), rng.choice(["single", "double", "dotted", "mixed"],
                                                             p=[0.66, 0.1, 0.1, 0.14])
    dash = _DOTS
    if dashed and rng.random() < dashed:
        kind, dash = "dotted", (float(np.exp(rng.uniform(np.log(0.05), np.log(0.5)))), float(rng.uniform(0.3, 0.8)))
    lines = _boxes(scene.width, float(rng.uniform(0.04, 0.35))) if boxed else _lines(scene.width)
    if rng.random() < 0.08:
        lines.pop(rng.integers(len(lines)))
    strokes: list[np.ndarray] = []
    widths: list[float] = []
    for a, b in lines:
        style = kind if kind != "mixed" else rng.choice(["single", "double", "thick"])
        for stroke in _ruling(np.array(a), np.array(b), style, thin, dash):
            strokes.append(stroke)
            widths.append(thin * (2.2 if style == "thick" else 1.0))
    ink = np.zeros(scene.size, np.float32)
    for width in sorted(set(widths)):
        some = Writing([s for s, w in zip(strokes, widths, strict=True) if w == width])
        ink = np.maximum(ink, coverage(some, scene, ruler, width * scene.size[0] / 1.3, rng))
    return lay_ink(page, ink, ruler, rng, partial(wear.smooth_noise, rng))


def _lines(width: float, far: float = 1.2) -> list[Line]:
    """The cell's four sides, running on beyond it as on a ruled pad."""
    return ([((-far, y), (width + far, y)) for y in (0.0, 1.0)]
            + [((x, -far), (x, 1 + far)) for x in (0.0, width)])


def _boxes(width: float, gap: float) -> list[Line]:
    """The cell as a closed box, with the boxes left, right, above and below it at a distance."""
    sides = []
    for dx, dy in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
        left, top = dx * (width + gap), dy * (1 + gap)
        corners = [(left, top), (left + width, top), (left + width, top + 1), (left, top + 1)]
        sides += list(zip(corners, corners[1:] + corners[:1], strict=True))
    return sides


def _ruling(a: np.ndarray, b: np.ndarray, style: str, thin: float, dash: tuple[float, float]) -> list[np.ndarray]:
    """One ruling as strokes of enough points to follow a curl; ``dash`` is the pitch of a dotted one and its ink."""
    t = np.linspace(0, 1, 30)[:, None]
    along = a + (b - a) * t
    if style == "double":
        across = np.array([-(b - a)[1], (b - a)[0]]) / np.linalg.norm(b - a) * thin * 1.6
        return [along + across, along - across]
    if style == "dotted":
        pitch, ink = dash
        count = int(np.linalg.norm(b - a) / pitch)
        starts = a + (b - a) * (np.arange(count) / count)[:, None]
        return [np.array([s, s + (b - a) / np.linalg.norm(b - a) * (pitch * ink)]) for s in starts]
    return [along]
