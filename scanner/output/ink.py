"""Pens of the overlay: colours that stay apart for colour-blind eyes, letters, labels, frames and badges.

Colours are of the set by Okabe and Ito (Color Universal Design, 2008). Whatever a colour says, a shape says too.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Point = tuple[float, float]

BLUE: Colour = (0, 114, 178)
ORANGE: Colour = (230, 159, 0)
VERMILION: Colour = (213, 94, 0)
PURPLE: Colour = (170, 60, 130)
BLACK: Colour = (20, 20, 20)
GREY: Colour = (110, 110, 110)
WHITE: Colour = (255, 255, 255)

# cv2 draws between pixels when told the number of fractional bits.
_BITS = 4


@lru_cache(maxsize=32)
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Letters ``size`` pixels high: DejaVu Sans as it comes with matplotlib, else Pillow's own."""
    matplotlib = find_spec("matplotlib")  # found, not imported: that would take seconds
    if matplotlib is not None and matplotlib.origin:
        name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
        path = Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf" / name
        if path.is_file():
            return ImageFont.truetype(str(path), size)
    return ImageFont.load_default(size)


def outline(canvas: np.ndarray, corners: np.ndarray, colour: Colour, thickness: int) -> None:
    """Draw a closed polygon on an RGB canvas; ``corners`` has shape (N, 2), pixels."""
    points = np.round(corners * 2**_BITS).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [points], True, colour, thickness, cv2.LINE_AA, _BITS)


def dashes(canvas: np.ndarray, corners: np.ndarray, colour: Colour, thickness: int) -> None:
    """Draw a closed polygon in dashes four times as long as thick."""
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        count = max(int(length / (6 * thickness)), 1)
        for i in range(count):
            ends = [start + (end - start) * (i + t) / count for t in (0.0, 0.62)]
            a, b = (tuple(int(v) for v in np.round(p * 2**_BITS)) for p in ends)
            cv2.line(canvas, a, b, colour, thickness, cv2.LINE_AA, _BITS)


def shrunk(corners: np.ndarray, by: float) -> np.ndarray:
    """A quad moved towards its middle by ``by`` (a part of its half size)."""
    middle = corners.mean(axis=0)
    return middle + (corners - middle) * (1.0 - by)


def label(draw: ImageDraw.ImageDraw, at: Point, text: str, size: int, colour: Colour, anchor: str = "lb") -> None:
    """Write ``text`` on a slip of nearly white paper; ``anchor`` as Pillow has it says which corner is ``at``."""
    letters = font(size, bold=True)
    left, top, right, bottom = draw.textbbox(at, text, font=letters, anchor=anchor)
    pad = max(size // 6, 1)
    draw.rounded_rectangle((left - pad, top - pad, right + pad, bottom + pad), radius=pad + 1, fill=(*WHITE, 205))
    draw.text(at, text, font=letters, anchor=anchor, fill=(*colour, 255))


def badge(draw: ImageDraw.ImageDraw, middle: Point, text: str, size: int, colour: Colour, round_: bool) -> None:
    """A number in a filled disc (``round_``) or in a square standing on its corner, white-rimmed, ``size`` high."""
    x, y = middle
    half = size * 0.75
    if round_:
        draw.ellipse((x - half, y - half, x + half, y + half), fill=(*colour, 255), outline=(*WHITE, 255), width=2)
    else:
        half *= 1.25
        corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
        draw.polygon(corners, fill=(*colour, 255), outline=(*WHITE, 255), width=2)
    draw.text((x, y), text, font=font(max(int(size * 0.8), 8), bold=True), anchor="mm", fill=(*WHITE, 255))


def compose(canvas: np.ndarray, layer: Image.Image) -> Image.Image:
    """The RGB canvas with a transparent layer laid on it."""
    return Image.alpha_composite(Image.fromarray(canvas).convert("RGBA"), layer).convert("RGB")
