"""A sheet as its warp flattens it: rulings along the axes, told apart by direction."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.filled import stamp_bars
from scanner.photo.quick import bounded, quantile
from scanner.photo.rulings import LineMap
from scanner.photo.warp import Warp

#: Pixels of a row in the flattened picture: a tenth of a pixel seen is 0.4 % of a row.
ROW_PIXELS = 24
#: The same for the first, coarse rounds of a fit.
COARSE_PIXELS = 14
#: Rows of surroundings in the flattened picture, to see whether rulings go on where the layout says they end.
AROUND = 1.25
#: What differs from the pad's paper by more than this in log colour ratio, or by these factors in light, lies on it.
OTHER_COLOUR, OTHER_LIGHT = 0.22, (0.25, 2.2)


@dataclass(frozen=True, eq=False)
class Flat:
    """A sheet as a warp flattens it.

    Attributes:
        dark: darkness against the paper, 0 to 0.25, float32 (H, W).
        across, down: evidence of a horizontal and of a vertical ruling, float32 (H, W).
        seen: 1 where the pad's paper is seen, 0 where something covers it, float32 (H, W).
        pitch: pixels of a row; ``ppm``: pixels of a millimetre; ``zero``: pixel coordinate of 0 mm on both axes.
    """

    dark: np.ndarray
    across: np.ndarray
    down: np.ndarray
    seen: np.ndarray
    pitch: int
    ppm: float
    zero: float

    def pixel(self, millimetres: np.ndarray) -> np.ndarray:
        """Pixel coordinate of a millimetre coordinate (both axes have the same scale and origin)."""
        return np.asarray(millimetres) * self.ppm + self.zero


def flatten(lines: LineMap, warp: Warp, pitch: int = ROW_PIXELS, around: float = AROUND) -> Flat:
    """Line work as the warp flattens it, ``pitch`` pixels a row, ``around`` rows about it, told apart by direction."""
    ppm = pitch / warp.row
    zero = around * pitch
    width, height = (int(round(length * ppm + 2 * zero)) for length in warp.size)
    step = pitch // 4  # a quarter of a row is straight in any photo
    across, down = -(-width // step), -(-height // step)
    columns, rows = (np.arange(n) * step + (step - 1) / 2 for n in (across, down))
    u, v = np.meshgrid((columns - zero) / ppm, (rows - zero) / ppm)
    net = warp.points(u, v).astype(np.float32)
    whole = (across * step, down * step)
    places = cv2.resize(net, whole, interpolation=cv2.INTER_LINEAR)[:height, :width]
    dark = cv2.remap(lines.dark, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    # A quarter of the paper's light is as dark as a ruling need be: deeper ink must not outshine it.
    dark = np.minimum(dark, 0.25)
    margin = round(around * pitch / step)
    seen = cv2.resize(_seen(lines, net, margin), whole, interpolation=cv2.INTER_LINEAR)[:height, :width]
    across, down = _pieces(dark, pitch), np.ascontiguousarray(_pieces(np.ascontiguousarray(dark.T), pitch).T)
    grey = cv2.remap(lines.grey, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    frame = tuple(float(v) * ppm + zero for v in (warp.xs[0], warp.xs[-1], warp.ys[0], warp.ys[-1]))
    stamp_bars(grey, across, down, seen, dark, frame, pitch)
    return Flat(dark, across, down, seen, pitch, ppm, zero)


def _seen(lines: LineMap, net: np.ndarray, margin: int) -> np.ndarray:
    """Where the paper itself is seen, by its colour, at each place (x, y) of a net in work pixels; float32, 0 or 1."""
    height, width = lines.colours.shape[:2]
    at = np.rint((net + 0.5) / 4 - 0.5).astype(int)
    x, y = at[..., 0], at[..., 1]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    place = bounded(y, 0, height - 1) * width + bounded(x, 0, width - 1)
    red, blue, light = (values.ravel()[place] for values in lines.tints)
    middle = (slice(margin, -margin),) * 2
    lit = quantile(light[middle], 0.5)
    same = (light > OTHER_LIGHT[0] * lit) & (light < OTHER_LIGHT[1] * lit)
    for ratio in (red, blue):
        same &= np.abs(ratio - quantile(ratio[middle], 0.5)) < OTHER_COLOUR
    # Beyond the picture's edge nothing covers the sheet: it is cut off, and that must count against it.
    return (same | ~inside).astype(np.float32)


def _pieces(dark: np.ndarray, pitch: int) -> np.ndarray:
    """Evidence of a horizontal piece of ruling about each pixel: dark on both sides of it for 0.4 rows each."""
    reach = round(0.4 * pitch)
    mean = cv2.blur(dark, (reach, 1))
    half = reach // 2
    both = np.minimum(np.roll(mean, half, axis=1), np.roll(mean, -half, axis=1))
    around = cv2.blur(both, (1, round(0.7 * pitch)))
    return np.maximum(both - around, 0.0)
