"""The row or column beyond the outermost ruling learnt, where the rulings across go on past it.

A table's last ruling may be too faint or broken to be found among the others, and a title or a sum may stand in cells
joined over the whole width. The rulings across tell: where they go on there is more of the table, up to a line however
weak, or to where they end.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.flatten import Flat, flatten
from scanner.photo.rulings import LineMap
from scanner.photo.warp import Warp

#: How far beyond the frame is looked, in usual rows or columns: last rows and columns hold sums and are larger.
FAR = 1.8
#: A ruling goes on if it does for this part of a row: printers let them run over a frame by a fifth at most.
GOES_ON = 0.45
#: A piece of a ruling that goes on is there from this part of the typical inner darkness.
THERE = 0.35
#: Where the rulings across end, and a line for them, are within this part of a row of each other.
NEAR = 0.15
#: Part of the typical ruling's evidence from which a place counts as on a line: a quarter of the ink is seen easily.
WEAK = 0.2
#: Cover from which a line is there by itself; where the rulings across end, or at the usual pitch, a part will do.
CLEAR, PART = 0.6, 0.25
#: Part of the rulings that go on which must end at one place for it to be a frame, with no line seen there.
END = 0.7
#: Part of the rulings across that must go on where those of the frame do not.
MOST = 0.6
#: A ruling is looked for within this part of a row of where it was last seen.
DRIFT = 0.12
#: Looks at each piece of a line between two crossings.
LOOKS = 9


@dataclass(frozen=True, eq=False)
class _Side:
    """A side of the table, turned so that outward is down.

    Attributes:
        along: evidence of rulings that run along the side, float32 (H, W).
        dark: darkness against the paper, float32 (H, W).
        rulings: pixel rows of those along the side, rising; the last is the outermost.
        crossings: pixel columns of those across.
        pitch: pixels of a row.
    """

    along: np.ndarray
    dark: np.ndarray
    rulings: np.ndarray
    crossings: np.ndarray
    pitch: int


def rulings_beyond(lines: LineMap, warp: Warp) -> tuple[np.ndarray, np.ndarray] | None:
    """The rulings (xs, ys) of a table, millimetres, with one more at each side where the others go on, or None."""
    widest = max(float(np.diff(warp.ys).max()), float(np.diff(warp.xs).max()), warp.row) / warp.row
    flat = flatten(lines, warp, around=FAR * widest)
    xs, ys = warp.xs, warp.ys
    for name, side in _sides(flat, warp).items():
        more = _closing(side) / flat.ppm
        if not more:
            continue
        if name in ("top", "bottom"):
            ys = np.append(ys, ys[-1] + more) if name == "bottom" else np.insert(ys, 0, ys[0] - more)
        else:
            xs = np.append(xs, xs[-1] + more) if name == "right" else np.insert(xs, 0, xs[0] - more)
    return (xs, ys) if len(xs) + len(ys) > len(warp.xs) + len(warp.ys) else None


def _sides(flat: Flat, warp: Warp) -> dict[str, _Side]:
    px, py, pitch = flat.pixel(warp.xs), flat.pixel(warp.ys), flat.pitch
    height, width = flat.dark.shape
    down, dark = flat.down.T, flat.dark.T
    return {
        "bottom": _Side(flat.across, flat.dark, py, px, pitch),
        "top": _Side(flat.across[::-1], flat.dark[::-1], height - 1 - py[::-1], px, pitch),
        "right": _Side(down, dark, px, py, pitch),
        "left": _Side(down[::-1], dark[::-1], width - 1 - px[::-1], py, pitch),
    }


def _closing(side: _Side) -> float:
    """How far beyond the frame the next ruling is, pixels, or 0 where nothing goes on."""
    runs = _runs(side)
    on = np.flatnonzero(runs >= GOES_ON * side.pitch)
    # Cells joined over the whole width leave the two rulings of the frame; other than that most must go on.
    framed = len(on) > 1 and on[0] == 0 and on[-1] == len(runs) - 1
    if not framed and len(on) < max(2, MOST * len(runs)):
        return 0.0
    usual = float(np.median(np.diff(side.rulings)))
    last = float(side.rulings[-1] - side.rulings[-2])
    far = min(round(FAR * max(usual, last)), len(side.dark) - 1 - round(float(side.rulings[-1])))
    cover = _cover(side, on, far)
    steps, near = np.arange(len(cover)), NEAR * side.pitch
    ends = (np.abs(runs[on][:, None] - steps) < near).mean(axis=0)
    peak = cover >= cv2.dilate(cover[:, None], np.ones((2 * round(near) + 1, 1)))[:, 0]
    weak = peak & (cover > PART) & ((ends >= 0.5) | (np.abs(steps - usual) < near))
    line = (steps >= GOES_ON * side.pitch) & (weak | peak & (cover > CLEAR))
    line &= steps < np.median(runs[on]) + near  # a line after their end is none of the table's
    if line.any():
        return float(np.flatnonzero(line)[0])
    best = int(ends.argmax())
    alike = runs[on][np.abs(runs[on] - best) < near]
    return float(np.median(alike)) if ends[best] >= END and best < far - near else 0.0


def _runs(side: _Side) -> np.ndarray:
    """How far each ruling across goes on beyond the frame without a gap, pixels."""
    pitch, frame = side.pitch, round(float(side.rulings[-1]))
    thin = cv2.blur(_followed(side, frame), (1, max(1, round(0.25 * pitch))))
    level = max(0.01, float(np.median(thin[round(float(side.rulings[0])):frame])))
    start = round(0.2 * pitch)  # the frame itself is as dark
    there = thin[frame + start:] > THERE * level
    gone = np.where(there.all(axis=0), len(there), (~there).argmax(axis=0))
    return np.where(gone > 0, gone + start, 0)


def _followed(side: _Side, frame: int) -> np.ndarray:
    """Darkness of each ruling across against the paper beside it, by pixel row, float32 (H, rulings).

    Beyond the frame it is followed: there the warp is a guess, and a curled page's rulings drift from it.
    """
    pitch, width = side.pitch, side.dark.shape[1]
    reach, beside = max(1, round(DRIFT * pitch)), round(0.3 * pitch)
    around = cv2.erode(side.dark, np.ones((1, 2 * (beside - reach) + 1), np.uint8))
    thin = np.maximum(side.dark - np.maximum(np.roll(around, beside, axis=1), np.roll(around, -beside, axis=1)), 0)
    thin = np.asarray(thin, np.float32)
    at = np.clip(np.rint(side.crossings).astype(int), reach, width - 1 - reach)
    places = np.repeat(at[None], len(thin), axis=0)
    window = np.arange(-reach, reach + 1)
    for row in range(frame + 1, len(thin)):
        near = thin[row, np.clip(at[:, None] + window, 0, width - 1)]
        best = near.argmax(axis=1)
        # A pixel at a time, and only towards something: noise pulls to both sides alike.
        at = at + np.sign(window[best]) * (near.max(axis=1) > 1.5 * near[:, reach]) * (row % 2)
        places[row] = np.clip(at, reach, width - 1 - reach)
    rows = np.arange(len(thin))[:, None, None]
    return thin[rows, places[:, :, None] + window].max(axis=2)


def _cover(side: _Side, on: np.ndarray, far: int) -> np.ndarray:
    """Part of a line seen between the rulings that go on, by pixels beyond the frame, float64 (far,)."""
    first, last = on[0], on[-1]
    edges = side.crossings[first:last + 1]
    columns = (edges[:-1, None] + np.diff(edges)[:, None] * np.linspace(0.08, 0.92, LOOKS)).ravel()
    columns = np.clip(np.rint(columns).astype(int), 0, side.along.shape[1] - 1)
    slack = max(1, round(0.08 * side.pitch))
    soft = cv2.dilate(np.ascontiguousarray(side.along), np.ones((2 * slack + 1, 1), np.uint8))
    inner = np.rint(side.rulings).astype(int)
    level = max(0.01, WEAK * float(np.median(soft[inner][:, columns])))
    frame = inner[-1]
    weight = np.repeat(np.diff(edges), LOOKS)
    return (soft[frame:frame + far][:, columns] > level) @ weight / weight.sum()
