"""A sheet of paper as a picture in millimetres, and the pens that write on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

#: Pixels a millimetre of a drawn sheet: a 9 mm row is 108 pixels, more than almost any photo shows of it.
SCALE = 12.0
#: Pens draw this much finer and are averaged down.
_FINER = 2

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Pen:
    """A writing instrument.

    Attributes:
        width: of the line in millimetres.
        colour: of the ink, RGB 0 to 1.
        cover: how much of the paper the ink hides at full pressure, 0 to 1.
        pressure: how much the cover varies along a stroke, 0 to 1.
        skips: share of a stroke's length where the ink nearly fails.
        grain: how much the paper's grain shows in the stroke, as under a pencil.
    """

    name: str
    width: float
    colour: Colour
    cover: float = 0.92
    pressure: float = 0.15
    skips: float = 0.0
    grain: float = 0.0


PENS: tuple[Pen, ...] = (
    Pen("blue ball", 0.45, (0.10, 0.16, 0.55)),
    Pen("black ball", 0.45, (0.08, 0.08, 0.11)),
    Pen("red ball", 0.45, (0.72, 0.08, 0.12)),
    Pen("green ball", 0.5, (0.06, 0.38, 0.20)),
    Pen("pencil", 0.5, (0.25, 0.25, 0.27), 0.72, 0.3, 0.0, 0.55),
    Pen("hard pencil", 0.38, (0.34, 0.34, 0.37), 0.62, 0.25, 0.0, 0.4),
    Pen("felt", 1.1, (0.05, 0.05, 0.06), 0.95, 0.05),
    Pen("blue felt", 0.8, (0.12, 0.2, 0.6), 0.85, 0.08),
    Pen("gel", 0.6, (0.05, 0.05, 0.16), 0.97, 0.03),
    Pen("worn ball", 0.4, (0.14, 0.19, 0.5), 0.85, 0.25, 0.14, 0.2),
    Pen("fine liner", 0.3, (0.07, 0.07, 0.08), 0.95, 0.03),
)


class Paper:
    """A sheet: ``pixels`` uint8 RGB at :data:`SCALE`, and ``cover``, uint8, 0 where the paper is torn away."""

    def __init__(self, width: float, height: float, colour: Colour) -> None:
        """``width`` and ``height`` in millimetres."""
        self.width, self.height = width, height
        size = (round(height * SCALE), round(width * SCALE))
        self.pixels = np.full((*size, 3), np.array(colour) * 255, np.uint8)
        self.cover = np.full(size, 255, np.uint8)

    def stain(self, density: np.ndarray, colour: Colour, x: float = 0.0, y: float = 0.0) -> None:
        """Lays ink of ``colour`` on the paper; ``density`` float 0 to 1, its top left at ``x, y`` millimetres."""
        left, top = round(x * SCALE), round(y * SCALE)
        h, w = density.shape
        y0, y1 = max(0, top), min(self.pixels.shape[0], top + h)
        x0, x1 = max(0, left), min(self.pixels.shape[1], left + w)
        if y1 <= y0 or x1 <= x0:
            return
        part = density[y0 - top:y1 - top, x0 - left:x1 - left, None]
        under = self.pixels[y0:y1, x0:x1].astype(np.float32)
        self.pixels[y0:y1, x0:x1] = under * (1 - part * (1 - np.array(colour, np.float32)))

    def write(self, curves: Iterable[np.ndarray], pen: Pen, rng: np.random.Generator) -> None:
        """Draws curves (n, 2) in millimetres with a pen."""
        curves = list(curves)
        if not curves:
            return
        margin = pen.width * 2 + 0.2
        points = np.concatenate(curves)
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        scale = SCALE * _FINER
        # The patch starts on a whole pixel of the sheet, so nothing is shifted when it is laid down.
        low = np.floor(low * SCALE) / SCALE
        size = np.ceil((high - low) * SCALE).astype(int) * _FINER
        patch = np.zeros((size[1], size[0]), np.uint8)
        for curve in curves:
            _stroke(patch, (curve - low) * scale, pen, rng, scale)
        density = cv2.resize(patch, (size[0] // _FINER, size[1] // _FINER), interpolation=cv2.INTER_AREA)
        density = density.astype(np.float32) / 255
        if pen.grain:
            rough = cv2.GaussianBlur(rng.normal(0, 1, density.shape).astype(np.float32), (0, 0), 0.9) * 2.0
            density *= np.clip(1 - pen.grain * (0.5 + rough), 0.15, 1)
        self.stain(density, pen.colour, *low)


def _stroke(patch: np.ndarray, points: np.ndarray, pen: Pen, rng: np.random.Generator, scale: float) -> None:
    """One curve (pixels of the patch) with pressure that comes and goes."""
    n = len(points)
    phase, swing = rng.uniform(0, 6.28), rng.uniform(0.5, 1.0)
    press = 1 - pen.pressure * swing * (0.5 + 0.5 * np.sin(np.linspace(phase, phase + 5, n)))
    if pen.skips:
        starts = rng.random(n) < pen.skips / 3
        failing = np.convolve(starts, np.ones(3), "same") > 0
        press = np.where(failing, press * 0.5, press)
    fixed = np.round(points * 16).astype(int)
    widths = np.maximum(1, np.round(pen.width * scale * (0.82 + 0.18 * press))).astype(int)
    for i in range(n - 1):
        shade = int(255 * pen.cover * press[i])
        cv2.line(patch, tuple(map(int, fixed[i])), tuple(map(int, fixed[i + 1])), shade, int(widths[i]), cv2.LINE_AA, 4)
