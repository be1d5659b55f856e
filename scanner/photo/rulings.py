"""Thin dark lines in a photo, whatever their colour and the light on them.

Frames: "work" pixels are those of the working copy, ``photo = (work + 0.5) * scale - 0.5``
(whole numbers are pixel centres).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from scanner.photo.segments import search_copy, segments_of

#: Long side of the working copy. A pad that fills a quarter of it still has rows 20 pixels high, and a ruling is found
#: to a third of a pixel, so crossings are placed within 2 % of a row.
WORK_SIDE = 1280
#: The widest structure that counts as a line, as a part of the long side. A 0.6 mm ruling of a 9 mm row that is a
#: twelfth of the picture high takes 1/180; a double ruling twice that.
LINE_WIDTH = 1 / 110


@dataclass(frozen=True, eq=False)
class LineMap:
    """Where a photo has thin dark structures: rulings, print, ink.

    Attributes:
        dark: float32, shape (H, W), work pixels; how much darker than the paper beside it, 0 to 1 of the paper's light.
        paper: uint8, shape (H, W); the light of the paper as it would be without them.
        grey: uint8, shape (H, W); the light as it is, of the darkest channel.
        colours: uint8 RGB, a copy of the photo four times coarser than the work pixels.
        scale: photo pixels per work pixel.
    """

    dark: np.ndarray
    paper: np.ndarray
    grey: np.ndarray
    colours: np.ndarray
    scale: float

    @cached_property
    def tints(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of every pixel of ``colours`` the logarithms of red and of blue against green, and green; float32 (h, w).

        Eight is added to all colours first, for in the dark their ratios are noise.
        """
        red, green, blue = (np.ascontiguousarray(self.colours[..., i]).astype(np.float32) + 8 for i in range(3))
        return np.log(red / green), np.log(blue / green), green

    @cached_property
    def search(self) -> np.ndarray:
        """The darkness on the smaller copy that parts of the picture are sought on, float32."""
        return search_copy(self.dark)

    @cached_property
    def segments(self) -> np.ndarray:
        """Straight segments (x0, y0, x1, y1) of ``search``, its pixels, shape (N, 4)."""
        return segments_of(self.search)

    @property
    def side(self) -> int:
        """Long side in work pixels."""
        return max(self.dark.shape)

    def to_photo(self, points: np.ndarray) -> np.ndarray:
        """Photo pixels of work pixels, any shape."""
        return (np.asarray(points) + 0.5) * self.scale - 0.5

    def from_photo(self, points: np.ndarray) -> np.ndarray:
        """Work pixels of photo pixels, any shape."""
        return (np.asarray(points) + 0.5) / self.scale - 0.5


def line_map(pixels: np.ndarray, side: int = WORK_SIDE) -> LineMap:
    """The thin dark structures of an RGB photo, shape (H, W, 3), on a working copy with the given long side.

    The darkest of the three channels shows a ruling of any colour on paper of any other; the morphological closing
    (Serra 1982) is the paper as it would be without them, shadow and all, so their ratio knows no shadow.
    """
    scale = max(1.0, max(pixels.shape[:2]) / side)
    small = shrink(pixels, scale)
    grey = np.minimum(np.minimum(small[:, :, 0], small[:, :, 1]), small[:, :, 2])
    grey = cv2.GaussianBlur(grey, (3, 3), 0)
    width = 2 * max(2, round(max(grey.shape) * LINE_WIDTH / 2)) + 1
    paper = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((width, width), np.uint8))
    # Below a twelfth of full light a photo holds noise only; the floor keeps the ratio from blowing it up.
    dark = (paper.astype(np.float32) - grey) / np.maximum(paper, 20).astype(np.float32)
    return LineMap(dark, paper, grey, shrink(small, 4.0), scale)


def shrink(pixels: np.ndarray, scale: float) -> np.ndarray:
    """The picture ``scale`` times smaller, every pixel the mean of what it covers; beyond two times nearly so."""
    if scale <= 1.0:
        return pixels
    height, width = pixels.shape[:2]
    size = (max(1, round(width / scale)), max(1, round(height / scale)))
    if scale < 2:
        return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    # A power of two first: other factors take several times longer.
    whole = 2 ** int(np.log2(min(scale, height, width)))
    pixels = cv2.resize(pixels[:height // whole * whole, :width // whole * whole], (width // whole, height // whole),
                        interpolation=cv2.INTER_AREA)
    # Less than two are left to a pixel, which a straight line between two neighbours does not miss.
    return cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR)
