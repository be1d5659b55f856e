"""A heading row printed as a filled bar: its two rulings are edges, not lines, and are put where lines would be seen.

Everything happens in a flattened sheet (see :mod:`scanner.photo.flatten`), where the bar lies along the x axis.
"""

from __future__ import annotations

import cv2
import numpy as np

#: A bar is darker than the paper above and below it by this part of the paper's light; pale tints print their lines.
DARKER = 0.18
#: Heights of a bar that can be a heading row, in rows.
TALL = (0.55, 1.6)
#: Half the width of a thin ruling in rows: printers set rows of 9 mm with lines of a quarter millimetre.
THIN = 0.015
#: On a curled sheet that is not yet drawn flat a bar's ends lie this many rows off its middle.
BOWED = 0.8
#: A bar runs over this part of the grid's width; a line of large print does not.
ACROSS = 0.8


def stamp_bars(grey: np.ndarray, across: np.ndarray, down: np.ndarray, seen: np.ndarray, dark: np.ndarray,
               frame: tuple[float, float, float, float], pitch: int) -> None:
    """Draws the edges of filled bars into ``across`` as rulings of full evidence, and marks them as seen.

    In the middle of a bar the columns may go on: a grid that begins below it has fewer rows than it should.

    Args:
        grey: the flattened sheet, uint8 (H, W).
        across, down: evidence of horizontal and of vertical rulings, float32 (H, W), changed in place.
        seen: 1 where the paper is seen, float32 (H, W), changed in place: 0 on a bar, 1 on its edges.
        dark: darkness against the paper, 0 to 0.25, float32 (H, W).
        frame: left, right, top and bottom of the grid as the warp lays it, pixels.
        pitch: pixels of a row.
    """
    left, right = (int(np.clip(round(x), 0, grey.shape[1])) for x in frame[:2])
    if right - left < pitch:
        return
    fill = _fill(grey, pitch)
    # Where the median is above: counting is ten times faster.
    filled = (fill[:, left:right] > DARKER).mean(axis=1) > 0.5
    for top, bottom in _bars(filled, pitch):
        level = float(np.median(fill[top:bottom, left:right], axis=1).mean())
        full = (fill[top:bottom, left:right] > 0.5 * level).mean()
        if full > ACROSS and _at_frame(top, bottom, frame, pitch) and _ends_there(fill, (top, bottom), frame, pitch):
            outside = _half_width(dark, frame, top, bottom, pitch)
            within = _stamp(fill, across, seen, (left, right), (top, bottom), 0.5 * level, outside, pitch)
            down[within] = down.max()


def _fill(grey: np.ndarray, pitch: int) -> np.ndarray:
    """How much darker than the paper a row and a half above or below, float32 (H, W), 0 to 1; strokes smoothed out."""
    smooth = cv2.blur(cv2.medianBlur(grey, 3), (round(0.4 * pitch), 1))
    paper = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((round(1.7 * pitch), 1), np.uint8))
    return 1.0 - smooth.astype(np.float32) / np.maximum(paper, 20)


def _bars(filled: np.ndarray, pitch: int) -> list[tuple[int, int]]:
    """First and end row of every stretch of filled rows that is as high as a heading row."""
    on = np.concatenate([[False], filled, [False]])
    starts, ends = np.flatnonzero(on[1:] & ~on[:-1]), np.flatnonzero(~on[1:] & on[:-1])
    return [(int(a), int(b)) for a, b in zip(starts, ends, strict=True) if TALL[0] * pitch < b - a < TALL[1] * pitch]


def _at_frame(top: int, bottom: int, frame: tuple, pitch: int) -> bool:
    """Whether a bar is the grid's first or last row, or lies right beyond it, where it belongs to the true grid."""
    near = 0.4 * pitch
    return bool(min(abs(top - frame[2]), abs(bottom - frame[3]), abs(bottom - frame[2]), abs(top - frame[3])) < near)


def _ends_there(fill: np.ndarray, rows: tuple[int, int], frame: tuple, pitch: int) -> bool:
    """Whether a bar stops at the grid's sides, on one at least: the shadow along a page's edge and the table go on."""
    level = 0.5 * float(np.median(fill[rows[0]:rows[1], round(max(0.0, frame[0])):max(1, round(frame[1]))]))
    for side, way in ((frame[0], -1), (frame[1], 1)):
        a, b = sorted((round(side + way * 0.3 * pitch), round(side + way * 0.7 * pitch)))
        beside = fill[rows[0]:rows[1], max(0, a):max(1, b)]
        if beside.size and float(np.median(beside)) < level:
            return True
    return False


def _half_width(dark: np.ndarray, frame: tuple, top: int, bottom: int, pitch: int) -> tuple[float, float]:
    """Half the width in pixels of the ruling at the bar's top and bottom: as its own row's frame is, seen elsewhere.

    The frame line of the grid's other end is as bold as the one that the bar hides; the inner one is thin.
    """
    middle = (top + bottom) / 2
    at_top = abs(middle - frame[2]) < abs(middle - frame[3])
    other = round(frame[3] if at_top else frame[2])
    reach = round(0.3 * pitch)
    band = dark[max(0, other - reach):other + reach + 1, max(0, round(frame[0])):max(1, round(frame[1]))]
    bold = THIN * pitch
    if band.size:
        profile = np.median(band, axis=1)
        wide = np.flatnonzero(profile > 0.5 * profile.max()) if profile.max() > 0.03 else np.zeros(1)
        bold = max(bold, float(np.ptp(wide) + 1) / 2 if len(wide) > 1 else 0.0)
    bold = min(bold, 0.12 * pitch)
    return (bold, THIN * pitch) if at_top else (THIN * pitch, bold)


def _stamp(fill: np.ndarray, across: np.ndarray, seen: np.ndarray, sides: tuple[int, int], rows: tuple[int, int],
           level: float, inward: tuple[float, float], pitch: int) -> np.ndarray:
    """Replaces what is seen about a bar by a line a little inside of each of its edges; where its middle is, bool."""
    first, last = max(0, rows[0] - round(BOWED * pitch)), min(fill.shape[0], rows[1] + round(BOWED * pitch))
    middle = (rows[0] + rows[1]) // 2
    columns = np.arange(*sides)
    inside = fill[first:last, sides[0]:sides[1]] > level
    edges, found = [], np.ones(len(columns), bool)
    for way, part in ((-1, inside[:middle - first + 1][::-1]), (1, inside[middle - first:])):
        out = np.argmin(part, axis=0)  # rows from the middle to the first one that is no longer filled
        found &= ~part.all(axis=0) & (out > 0)
        near = middle + way * (out - 1)
        a, b = fill[near, columns], fill[np.clip(near + way, 0, fill.shape[0] - 1), columns]
        edges.append(near + way * np.clip((a - level) / np.maximum(a - b, 1e-6), 0, 1))
    strength, near = float(across.max()), 0.3 * pitch
    upper, lower = edges
    at = np.arange(first, last)[:, None]
    about = (at > upper - near) & (at < lower + near) & found
    part = np.s_[first:last, sides[0]:sides[1]]
    across[part][about] = 0.0
    # What is printed on the bar's own ground cannot be told; its edges are seen wherever a ruling is sought nearby.
    seen[part][about] = 1.0
    within = np.zeros(seen.shape, bool)
    within[part] = about & (at > upper + near) & (at < lower - near)
    seen[within] = 0.0
    for edge, way, depth in zip(edges, (1, -1), inward, strict=True):
        place = edge + way * depth
        low = np.floor(place).astype(int)
        for row, share in ((low, 1 - (place - low)), (low + 1, place - low)):
            good = found & (row >= 0) & (row < across.shape[0])
            across[row[good], columns[good]] = strength * share[good]
    return within
