"""A sheet as its warp flattens it: rulings along the axes, told apart by direction."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.rulings import LineMap
from scanner.photo.warp import Warp

#: Pixels of a row in the flattened picture: a tenth of a pixel seen is 0.4 % of a row.
ROW_PIXELS = 24
#: Rows of surroundings in the flattened picture, to see whether rulings go on where the layout says they end.
AROUND = 1.25


@dataclass(frozen=True, eq=False)
class Flat:
    """A sheet as a warp flattens it: darkness, line evidence by direction, pixels a millimetre and where 0 mm lies."""

    dark: np.ndarray
    across: np.ndarray
    down: np.ndarray
    ppm: float
    zero: float

    def pixel(self, millimetres: np.ndarray) -> np.ndarray:
        """Pixel coordinate of a millimetre coordinate (both axes have the same scale and origin)."""
        return np.asarray(millimetres) * self.ppm + self.zero


def flatten(lines: LineMap, warp: Warp) -> Flat:
    """Line work as the warp flattens it, told apart into pieces of horizontal and of vertical ruling."""
    ppm = ROW_PIXELS / warp.row
    zero = AROUND * ROW_PIXELS
    width = int(round(warp.layout.x_lines[-1] * ppm + 2 * zero))
    height = int(round(warp.layout.y_lines[-1] * ppm + 2 * zero))
    places = _places(warp, width, height, ppm, zero)
    dark = cv2.remap(lines.dark, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    dark = np.minimum(dark, 0.25)
    return Flat(dark, _pieces(dark), np.ascontiguousarray(_pieces(np.ascontiguousarray(dark.T)).T), ppm, zero)


def _places(warp: Warp, width: int, height: int, ppm: float, zero: float) -> np.ndarray:
    """Work pixels (x, y) of every flattened pixel, float32 (height, width, 2): exact on a net, linear between."""
    step = ROW_PIXELS // 6  # a sixth of a row is straight in any photo
    across, down = -(-width // step), -(-height // step)
    columns, rows = (np.arange(n) * step + (step - 1) / 2 for n in (across, down))
    u, v = np.meshgrid((columns - zero) / ppm, (rows - zero) / ppm)
    net = warp.points(u, v).astype(np.float32)
    return cv2.resize(net, (across * step, down * step), interpolation=cv2.INTER_LINEAR)[:height, :width]


def _pieces(dark: np.ndarray) -> np.ndarray:
    """Evidence of a horizontal piece of ruling about each pixel: dark on both sides of it for 0.4 rows each."""
    reach = round(0.4 * ROW_PIXELS)
    mean = cv2.blur(dark, (reach, 1))
    half = reach // 2
    both = np.minimum(np.roll(mean, half, axis=1), np.roll(mean, -half, axis=1))
    around = cv2.blur(both, (1, round(0.7 * ROW_PIXELS)))
    return np.maximum(both - around, 0.0)
