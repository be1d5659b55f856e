"""The rulings of a table nobody described, found one by one in the squared-up picture of a region."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.photo.combs import Squared

#: A ruling is one if it is seen over this part of the table's extent; headings that span columns interrupt some.
COVER = 0.4
#: A piece of it between two crossings is there if it is seen over this part of its length: a column of figures has
#: paper above and below each.
SOLID = 0.85
#: Rulings nearer to each other than this part of the usual distance are one, printed double.
DOUBLE = 0.3
#: A table has at least this many rows and columns, and at most what a layout file may have.
FEWEST, MOST_ROWS, MOST_COLUMNS = 2, 60, 24


def ruled_tables(squared: Squared) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rulings (xs, ys) of the largest pieces of connected line work, in pixels of the squared picture."""
    across, down = (_shown(e) for e in (squared.across, squared.down))
    reach = max(3, round(0.025 * max(across.shape)))
    joined = cv2.morphologyEx(across | down, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    found = []
    for left, top, wide, tall, _ in sorted(stats[1:].tolist(), key=lambda s: -s[2] * s[3])[:2]:
        if min(wide, tall) < 0.1 * max(across.shape):
            continue
        part = (slice(top, top + tall), slice(left, left + wide))
        ys = _peaks(across[part], squared.across[part]) + top
        xs = _peaks(np.ascontiguousarray(down[part].T), squared.down[part].T) + left
        xs, ys = _pruned(across, down, xs, ys)
        if FEWEST < len(ys) <= MOST_ROWS + 2 and FEWEST < len(xs) <= MOST_COLUMNS + 1:
            found.append((xs, ys))
    return found


def _pruned(across: np.ndarray, down: np.ndarray, xs: np.ndarray, ys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lines that run on from crossing to crossing: columns of print do not, nor do lines of the head meet columns.

    ``across`` and ``down`` are 1 where a line is seen, uint8 (H, W); ``xs`` and ``ys`` are pixels of them.
    """
    for _ in range(6):
        if min(len(xs), len(ys)) <= FEWEST:
            break
        level, upright = _solid(across, ys, xs), _solid(np.ascontiguousarray(down.T), xs, ys)
        keep_y = level @ np.diff(xs) > COVER * (xs[-1] - xs[0])
        keep_x = upright @ np.diff(ys) > COVER * (ys[-1] - ys[0])
        # A frame has two uprights in the strip inside it at least; a line of the head has paper there.
        for keep, strips in ((keep_y, upright.sum(axis=0)), (keep_x, level.sum(axis=0))):
            keep[0] &= strips[0] >= min(3, strips.max())
            keep[-1] &= strips[-1] >= min(3, strips.max())
        if keep_x.all() and keep_y.all():
            break
        xs, ys = xs[keep_x], ys[keep_y]
    return xs, ys


def _solid(shown: np.ndarray, rulings: np.ndarray, crossings: np.ndarray) -> np.ndarray:
    """Whether each horizontal piece between crossings is there over most of its length, bool (rulings, pieces)."""
    bow = max(1, round(0.004 * max(shown.shape)))
    rows = np.clip(np.rint(rulings).astype(int)[:, None] + np.arange(-bow, bow + 1), 0, len(shown) - 1)
    line = shown[rows].max(axis=1)
    inset = 0.05 * np.diff(crossings)
    spans = zip(crossings[:-1] + inset, crossings[1:] - inset, strict=True)
    means = [line[:, int(a):max(int(a) + 1, round(b))].mean(axis=1) for a, b in spans]
    return np.stack(means, axis=1) > SOLID


def _shown(evidence: np.ndarray) -> np.ndarray:
    """Where a line is seen, uint8: a quarter of a strong one's evidence, for frames are bolder than rows."""
    strong = evidence[evidence > 0.01]
    level = max(0.01, 0.2 * float(np.quantile(strong, 0.9))) if len(strong) else 1.0
    return (evidence > level).astype(np.uint8)


def _peaks(shown: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    """Rows in which a line runs over the width, sub-pixel; lines closer than a double ruling count once."""
    bow = max(1, round(0.004 * max(shown.shape)))
    cover = cv2.dilate(shown, np.ones((2 * bow + 1, 1), np.uint8)).mean(axis=1)
    on = np.concatenate([[False], cover > COVER, [False]])
    starts, ends = np.flatnonzero(on[1:] & ~on[:-1]), np.flatnonzero(~on[1:] & on[:-1])
    mass = evidence.sum(axis=1) + 1e-9
    centres = [float(np.average(np.arange(a, b), weights=mass[a:b])) for a, b in zip(starts, ends, strict=True)]
    return _single(np.array(centres))


def _single(places: np.ndarray) -> np.ndarray:
    """Sorted places with those that are one double ruling made one."""
    if len(places) < 3:
        return places
    usual = float(np.median(np.diff(places)))
    groups = np.split(places, np.flatnonzero(np.diff(places) > DOUBLE * usual) + 1)
    return np.array([g.mean() for g in groups])
