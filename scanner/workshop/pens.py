"""Pens: strokes in, ink coverage out.

A *glyph* is a tuple of strokes, each a float array of shape (N, 2), x to the right and y down, in units of the
writer's digit height: the baseline at y = 1, the top of a digit at y = 0, the left edge at x = 0.  A *line* of
writing is a list of such strokes in the same units.  Pixels come in only when a line is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

Glyph = tuple[np.ndarray, ...]
Rng = np.random.Generator

#: Sub-pixel bits cv2 takes for point coordinates (a fixed-point fraction of 1/16 px).
_SHIFT = 4


class Hand(Protocol):
    """One person's handwriting."""

    def glyph(self, char: str, rng: Rng) -> Glyph:
        """One fresh instance of a character (0-9, X, W, -, ~ and, for some hands, letters)."""
        ...


@dataclass(frozen=True)
class Pen:
    """A writing tool.

    Attributes:
        kind: ``ballpoint``, ``gel``, ``felt`` or ``pencil``.
        width: line width as a fraction of the row height.
        colour: RGB, 0 to 1.
        opacity: how much of the paper's light the ink takes away at full coverage, 0 to 1.
        pressure: how strongly the width swells and thins along a stroke, 0 to 0.5.
        skip: share of the line that the pen leaves out, 0 to 0.5.
        grain: depth of the paper's grain showing in the line (pencil), 0 to 1.
    """

    kind: str
    width: float
    colour: tuple[float, float, float]
    opacity: float
    pressure: float = 0.0
    skip: float = 0.0
    grain: float = 0.0


# Widths: a 0.5 mm ballpoint on a 9 mm row is 0.055; a blunt felt pen of 1.2 mm is 0.13. Shares are the workshop's own
# guess at what lies on a bar table: most people find a ballpoint or a gel pen.
_KINDS = {
    "ballpoint": (0.45, (0.030, 0.075), (0.65, 0.98)),
    "gel": (0.22, (0.045, 0.095), (0.85, 1.0)),
    "felt": (0.15, (0.08, 0.17), (0.75, 1.0)),
    "pencil": (0.18, (0.035, 0.085), (0.30, 0.75)),
}
_INKS = ((0.06, 0.06, 0.08), (0.08, 0.12, 0.42), (0.05, 0.10, 0.60), (0.15, 0.10, 0.45), (0.70, 0.08, 0.12),
         (0.05, 0.40, 0.18), (0.85, 0.15, 0.50), (0.35, 0.12, 0.55), (0.20, 0.35, 0.75))
_INK_SHARES = (0.34, 0.22, 0.15, 0.06, 0.07, 0.04, 0.03, 0.04, 0.05)


def random_pen(rng: Rng) -> Pen:
    """A pen as it may lie on a table, worn ones included."""
    kinds = list(_KINDS)
    kind = kinds[rng.choice(len(kinds), p=[_KINDS[k][0] for k in kinds])]
    _, widths, opacities = _KINDS[kind]
    colour = _INKS[rng.choice(len(_INKS), p=_INK_SHARES)] if kind != "pencil" else (0.25, 0.25, 0.27)
    colour = tuple(float(np.clip(c + rng.normal(0, 0.04), 0, 0.9)) for c in colour)
    worn = kind != "pencil" and rng.random() < 0.10
    return Pen(kind, float(rng.uniform(*widths)), colour, float(rng.uniform(*opacities)) * (0.6 if worn else 1.0),
               pressure=float(max(0.0, rng.uniform(-0.2, 0.35))), skip=float(rng.uniform(0.05, 0.28)) if worn else 0.0,
               grain=float(rng.uniform(0.2, 0.8)) if kind == "pencil" else float(rng.uniform(0, 0.15)))


@dataclass(frozen=True)
class Style:
    """How a person sets a line of writing; all lengths in digit heights."""

    slant: float = 0.0
    gap: float = 0.12
    condense: float = 1.0
    wobble: float = 0.03
    size_jitter: float = 0.06
    drift: float = 0.04


def random_style(rng: Rng) -> Style:
    """A way of writing: upright to leaning, roomy to touching, steady to shaky."""
    return Style(slant=float(rng.normal(0.05, 0.16)), gap=float(rng.normal(0.13, 0.10)),
                 condense=float(np.clip(rng.normal(1.0, 0.15), 0.65, 1.4)), wobble=float(rng.uniform(0.0, 0.06)),
                 size_jitter=float(rng.uniform(0.02, 0.12)), drift=float(rng.uniform(0.01, 0.07)))


def set_line(hand: Hand, text: str, style: Style, rng: Rng) -> list[np.ndarray]:
    """Strokes of a whole text from one hand, left edge at x = 0, baseline near y = 1."""
    strokes: list[np.ndarray] = []
    x = 0.0
    for char in text:
        glyph = _vary(hand.glyph(char, rng), style, rng)
        right = max(float(s[:, 0].max()) for s in glyph)
        strokes.extend(s + (x, 0.0) for s in glyph)
        x += right + max(style.gap + float(rng.normal(0, 0.05)), -0.35 * right)
    return strokes


def _vary(glyph: Glyph, style: Style, rng: Rng) -> Glyph:
    """One instance of a glyph: its own size, place, lean and a smooth bend, then back to a left edge of 0."""
    size = float(np.exp(rng.normal(0, style.size_jitter)))
    lean = style.slant + float(rng.normal(0, 0.05))
    up = float(rng.normal(0, style.drift))
    phase, bend = rng.uniform(0, 2 * np.pi, 2), rng.normal(0, style.wobble, 2)
    out = []
    for stroke in glyph:
        x, y = stroke[:, 0].astype(float), stroke[:, 1].astype(float)
        x, y = x + bend[0] * np.sin(3 * y + phase[0]), y + bend[1] * np.sin(3 * x + phase[1])
        out.append(np.column_stack([(x * style.condense + lean * (1 - y)) * size, 1 - (1 - y) * size + up]))
    left = min(float(s[:, 0].min()) for s in out)
    return tuple(s - (left, 0.0) for s in out)


def draw(mask: np.ndarray, strokes: list[np.ndarray], width: float, pen: Pen, rng: Rng) -> None:
    """Draws strokes (already in the mask's pixels) into an ink coverage mask in place.

    Args:
        mask: uint8 array, shape (H, W); 255 is full coverage. Draw at two or more times the final resolution and
            shrink by area for clean edges.
        strokes: arrays of shape (N, 2), pixels of the mask.
        width: line width in pixels of the mask.
    """
    by_thickness: dict[int, list[np.ndarray]] = {}
    for stroke in strokes:
        for piece, swell in _pieces(stroke, pen, rng):
            thickness = max(1, int(round(width * swell + rng.random() - 0.5)))
            by_thickness.setdefault(thickness, []).append(np.round(piece * (1 << _SHIFT)).astype(np.int32))
    for thickness, pieces in by_thickness.items():
        cv2.polylines(mask, pieces, False, 255, thickness, cv2.LINE_AA, _SHIFT)


def _pieces(stroke: np.ndarray, pen: Pen, rng: Rng) -> list[tuple[np.ndarray, float]]:
    """The stroke cut into short overlapping runs, each with its width factor; a lone point becomes a dot."""
    if len(stroke) == 1:
        return [(np.vstack([stroke, stroke + 0.1]), 1.3)]
    if pen.pressure < 0.05 or len(stroke) < 6:
        return [(stroke, 1.0)]
    count = min(3, len(stroke) // 3)
    cuts = np.linspace(0, len(stroke) - 1, count + 1).astype(int)
    swells = 1 + pen.pressure * np.sin(np.linspace(0, 2.5, count) + rng.uniform(0, 2 * np.pi))
    return [(stroke[a:b + 1], float(s)) for a, b, s in zip(cuts[:-1], cuts[1:], swells, strict=True)]


def lay_ink(paper: np.ndarray, coverage: np.ndarray, pen: Pen, rng: Rng,
            noise: Callable[[tuple[int, int], float], np.ndarray]) -> np.ndarray:
    """Paper with ink on it.

    Args:
        paper: float32 RGB, shape (H, W, 3), 0 to 1.
        coverage: float32, shape (H, W), 0 to 1.
        noise: ``noise((H, W), scale)`` gives a smooth random field, mean 0, deviation 1, features of ``scale`` pixels.
    """
    shape = coverage.shape
    if pen.grain > 0.1:
        coverage = coverage * np.clip(1 - pen.grain * (0.5 + 0.6 * noise(shape, max(1.0, shape[0] / 40))), 0, 1)
    if pen.skip:
        gone = noise(shape, max(1.5, shape[0] / 12)) > 1.6 - 3.2 * pen.skip
        coverage = coverage * np.where(gone, 0.25, 1.0)
    alpha = (coverage * pen.opacity)[..., None]
    return (paper * (1 - alpha) + paper * alpha * np.asarray(pen.colour, np.float32)).astype(np.float32)
