"""Parts of a photo of one tint: paper on a patterned table, or half in shadow, where light alone does not tell it.

Shade changes a colour's light and hardly its ratios, so pixels are gathered by the logarithms of these, with the light
as a weak third (k-means, Lloyd 1982); a page is a piece of one tint that fills its convex hull and has most of its
outline inside the picture.
"""

from __future__ import annotations

import cv2
import numpy as np

from scanner.photo.regions import convex_hull
from scanner.photo.rulings import LineMap

#: Long side of the copy that is looked at: a page is a tenth of the picture at the least, and has no finer outline.
SIDE = 128
#: Weights of the logarithm of the light beside those of the colour ratios: for stripes of shade, and for grey on grey.
LIGHTS = (0.08, 0.35)
#: Numbers of tints tried: a plain table has one, a checked cloth three.
TINTS = (2, 3, 4, 5)
#: A page takes up this part of the picture, and this part of its own hull.
SHARE, FILLED = (0.03, 0.9), 0.78
#: Pages that share more than this part of what they cover together are one.
SAME = 0.8
#: Pages proposed.
MOST = 5


def tinted_pages(lines: LineMap, size: tuple[int, int]) -> list[np.ndarray]:
    """Masks, uint8 of ``size`` (width, height), of the hulls of what may be paper, the most compact first."""
    found: list[tuple[float, np.ndarray]] = []
    cv2.setRNGSeed(1)  # the same photo gives the same pages
    for light in LIGHTS:
        features = _features(lines, light)
        for count in TINTS:
            labels = _tints(features, count)
            for tint in range(count):
                found += _pages((labels == tint).astype(np.uint8))
    kept: list[np.ndarray] = []
    for _, hull in sorted(found, key=lambda page: -page[0]):
        if all(_overlap(hull, other) < SAME for other in kept):
            kept.append(hull)
    return [cv2.resize(hull, size, interpolation=cv2.INTER_NEAREST) for hull in kept[:MOST]]


def _tints(features: np.ndarray, count: int) -> np.ndarray:
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 15, 1e-3)
    _, labels, _ = cv2.kmeans(features.reshape(-1, 3), count, None, stop, 2, cv2.KMEANS_PP_CENTERS)
    return labels.reshape(features.shape[:2])


def _features(lines: LineMap, light: float) -> np.ndarray:
    scale = SIDE / max(lines.colours.shape[:2])
    small = cv2.resize(lines.colours, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32) + 8
    ratios = [np.log(small[..., channel] / small[..., 1]) for channel in (0, 2)]
    features = np.dstack([*ratios, light * np.log(small[..., 1])]).astype(np.float32)
    return cv2.medianBlur(features, 5)


def _pages(mask: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """How like a page it is, at most 1, and its hull as a mask, for each piece that is large and convex enough."""
    whole = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))  # writing and rulings have other tints
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    _, marks, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
    found = []
    for i in np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:2] + 1:
        piece = (marks == i).astype(np.uint8)
        hull = convex_hull(piece)
        fill = float(piece.sum()) / max(1.0, cv2.contourArea(hull))
        if SHARE[0] < piece.mean() < SHARE[1] and fill > FILLED:
            mask = cv2.fillConvexPoly(np.zeros_like(piece), hull, 1)
            found.append((min(fill, 1.0) - _at_border(mask), mask))
    return found


def _at_border(mask: np.ndarray) -> float:
    """Part of a hull's outline that is the picture's border: a table's tint runs out of the picture."""
    border = sum(int(side.sum()) for side in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))
    inner = int(cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).sum()) / 2
    return border / max(1.0, border + inner)


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    return float((a & b).sum()) / max(1, int((a | b).sum()))
