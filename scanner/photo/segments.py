"""Straight segments of thin dark lines: what regions are squared up by and rungs are counted from."""

from __future__ import annotations

import cv2
import numpy as np

#: They are sought on a copy this many times smaller: it closes broken and dotted rulings and costs little.
SEARCH_SHRINK = 2
#: A grid smaller than this part of the long side has rows of under ten work pixels and cannot be read.
LEAST_SIDE = 0.10
#: Gaps in a line up to this part of the long side are closed: a third of a row where a grid's rows are a 20th of it.
GAP = 0.014


def search_copy(dark: np.ndarray) -> np.ndarray:
    """The darkness on the smaller copy, float32."""
    return cv2.resize(dark, None, fx=1 / SEARCH_SHRINK, fy=1 / SEARCH_SHRINK, interpolation=cv2.INTER_AREA)


def joined(dark: np.ndarray) -> np.ndarray:
    """The darkness with the gaps of dashed and dotted lines closed that lie about along or across the picture."""
    gap = max(3, round(GAP * max(dark.shape)))
    along, across = np.ones((1, gap), np.uint8), np.ones((gap, 1), np.uint8)
    return np.maximum(cv2.morphologyEx(dark, cv2.MORPH_CLOSE, along), cv2.morphologyEx(dark, cv2.MORPH_CLOSE, across))


def segments_of(dark: np.ndarray) -> np.ndarray:
    """Straight segments (x0, y0, x1, y1), shape (N, 4), pixels of ``dark``; the LSD detector of Grompone von Gioi."""
    # A seventh of the paper's light is as dark as a ruling need be: deeper ink must not outshine it. Blur joins dots.
    image = np.clip(cv2.blur(dark, (3, 3)) * (255 / 0.14), 0, 255).astype(np.uint8)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(image)[0]
    if found is None:
        return np.zeros((0, 4))
    segments = np.asarray(found, dtype=np.float64).reshape(-1, 4)
    length = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    # Strokes of figures are shorter than rulings; the smallest grid's rulings are a tenth of the picture long.
    return segments[length > LEAST_SIDE / 6 * max(dark.shape)]
