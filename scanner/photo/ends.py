"""Where rulings end: the only witness of a frame that is not printed, and against one that is something else.

A pad without a frame leaves its outermost rulings to be told by where the ones across them stop. A page's edge beside
such a pad makes a fine frame in every other respect.
"""

from __future__ import annotations

import cv2
import numpy as np

from scanner.photo.flatten import Flat
from scanner.photo.warp import Warp

#: A ruling is looked for within this part of a row of where the warp puts it.
NEAR = 0.09
#: Stretches of ruling compared, in rows: a dotted line has ends everywhere if they are short, a column is no longer.
STRETCH = 0.5
#: Nearest and farthest part of a ruling that must be there if it reaches its frame, in rows from it.
REACH = (0.1, 0.45)
#: Below this part of the typical inner stretch a ruling is not there.
THERE = 0.35
#: Mean weight of the sights of a frame (see the fit) from which it is printed; torn ink may have less.
PRINTED = 0.3
#: Share of a line seen along the ends themselves from which they end at a printed frame, if a torn one.
LINED = 0.15


def ends_seen(flat: Flat, warp: Warp, axis: int, window: float) -> tuple[np.ndarray, ...]:
    """Where the rulings along ``axis`` end: model points (N, 2) in mm, index of the frame line, offset in mm, weight.

    ``window`` is how far from the frame, in rows, an end may lie. The ends on a side along which a line is printed
    weigh nothing: rulings run on to the outer edge of a bold frame.
    """
    strokes = _strokes(flat, warp, axis)
    own = warp.ys if axis == 0 else warp.xs
    frames = (warp.xs if axis == 0 else warp.ys)[[0, -1]]
    level = _level(strokes, flat.pixel(frames), flat.pitch)
    total = np.concatenate([np.zeros((len(strokes), 1)), np.cumsum(np.minimum(strokes / level, 1.0), axis=1)], axis=1)
    reach, wide = round(window * flat.pitch), max(2, round(STRETCH * flat.pitch))
    offsets, weights = [], []
    for frame, way in zip(flat.pixel(frames), (-1, 1), strict=True):
        at = round(float(frame)) + np.arange(-reach, reach + 1)
        high, low = (np.clip(at + d, 0, strokes.shape[1]) for d in (wide, -wide))
        at = np.clip(at, 0, strokes.shape[1])
        after, before = (total[:, high] - total[:, at]) / wide, (total[:, at] - total[:, low]) / wide
        fall = (before - after) * way
        best = fall.argmax(axis=1)
        # A pixel's left edge has its index: the end lies between two pixels, half a pixel before the second's middle.
        offsets.append(at[best] - 0.5 - float(frame))
        printed = _lined(flat, axis, at[best], flat.pixel(own)) > LINED
        weights.append(np.clip(fall.max(axis=1) - 0.4, 0, 0.5) * (0 if printed else 2))
    u = np.repeat(frames, len(own))
    points = np.stack([u, np.tile(own, 2)] if axis == 0 else [np.tile(own, 2), u], -1)
    count = len(warp.xs if axis == 0 else warp.ys)
    line = np.repeat([0, count - 1], len(own))
    return points, line, np.concatenate(offsets) / flat.ppm, np.concatenate(weights)


def _lined(flat: Flat, axis: int, ends: np.ndarray, own: np.ndarray) -> float:
    """How much of a line is seen from end to end of neighbouring rulings, 0 to 1, against the lines of the grid."""
    evidence = flat.down.T if axis == 0 else flat.across
    reach = max(1, round(0.14 * flat.pitch))
    rows = ((ends[:-1] + ends[1:]) // 2)[:, None] + np.arange(-reach, reach + 1)
    looks = own[:-1, None] + np.diff(own)[:, None] * np.array([0.3, 0.5, 0.7])
    looks = np.clip(np.rint(looks).astype(int), 0, evidence.shape[1] - 1)
    seen = evidence[np.clip(rows, 0, len(evidence) - 1)[:, :, None], looks[:, None, :]].max(axis=1)
    level = max(float(np.quantile(evidence[:, looks.ravel()].max(axis=0), 0.4)), 0.01)
    return float((np.minimum(seen / level, 1.0) ** 2).mean())


def shortness(flat: Flat, warp: Warp) -> float:
    """For the worst side of the grid: the part of the rulings seen inside that stop short of it there, 0 to 1."""
    worst = 0.0
    for axis in (0, 1):
        strokes = _strokes(flat, warp, axis)
        frames = flat.pixel((warp.xs if axis == 0 else warp.ys)[[0, -1]])
        own = flat.pixel(warp.ys if axis == 0 else warp.xs)
        level = _level(strokes, frames, flat.pitch)
        shown = flat.seen if axis == 0 else flat.seen.T
        for frame, way in zip(frames, (1, -1), strict=True):
            near = _mean(strokes, frame, way, REACH, flat.pitch)
            inner = _mean(strokes, frame, way, (REACH[1] + 0.3, REACH[1] + 0.9), flat.pitch)
            place = np.clip(round(float(frame + way * 0.5 * flat.pitch)), 0, shown.shape[1] - 1)
            rows = np.clip(np.rint(own).astype(int), 0, shown.shape[0] - 1)
            sure = (inner > THERE * level) & (shown[rows, place] > 0.5)
            # The frame's own corners belong to both: inner rulings alone are asked.
            sure[[0, -1]] = False
            if sure.sum() >= max(3, 0.3 * len(sure)):
                worst = max(worst, float((near[sure] < THERE * inner[sure]).mean()))
    return worst


def _strokes(flat: Flat, warp: Warp, axis: int) -> np.ndarray:
    """Darkness of each ruling that runs along ``axis``, against the paper beside it, by pixel; (rulings, length)."""
    dark = flat.dark if axis == 0 else flat.dark.T
    rulings = flat.pixel(warp.ys if axis == 0 else warp.xs)
    reach, beside = max(1, round(NEAR * flat.pitch)), round(0.28 * flat.pitch)
    rows = np.rint(rulings).astype(int)[:, None]
    line = _at(dark, rows + np.arange(-reach, reach + 1)).max(axis=1)
    around = _at(dark, rows + np.array([-beside, -beside + 1, beside - 1, beside])).min(axis=1)
    thin = np.maximum(line - around, 0.0).astype(np.float32)
    return cv2.blur(thin, (max(1, round(0.12 * flat.pitch)), 1))


def _at(dark: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.asarray(dark)[np.clip(rows, 0, dark.shape[0] - 1)]


def _level(strokes: np.ndarray, frames: np.ndarray, pitch: int) -> float:
    low, high = (round(float(f)) for f in frames)
    inner = strokes[:, max(0, low + pitch // 2):max(1, high - pitch // 2)]
    return max(float(np.median(inner)) if inner.size else 0.0, 0.01)


def _mean(strokes: np.ndarray, frame: float, way: int, between: tuple[float, float], pitch: int) -> np.ndarray:
    a, b = sorted(round(float(frame + way * part * pitch)) for part in between)
    return strokes[:, max(0, a):max(1, b)].mean(axis=1)
