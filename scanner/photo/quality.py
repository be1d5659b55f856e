"""What is wrong with a picture of a sheet that was found: faults with reasons, and the cells that cannot be trusted.

A poor photo is read all the same; its faults are said, and what glare has washed out or a thing covers is doubted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.flatten import Flat, flatten
from scanner.photo.rulings import LineMap
from scanner.photo.warp import Warp
from scanner.sheet.layout import Layout
from scanner.sheet.results import Fault

#: Rows lower than this many photo pixels leave digits under 12 pixels; the reader's own crops have 48.
SMALL_ROW = 19.0
#: Paper darker than this, of 255, has a camera's noise as deep as a pencil's stroke.
DARK_PAPER = 62.0
#: Standard deviation of the blur over edges, in rows: a pen's stroke is a tenth of a row wide.
BLURRED = 0.075
#: A cell shows too little of its rulings if they have less than this part of the sheet's usual evidence.
GONE = 0.3
#: ... and that is glare where the paper is lighter than usual by this factor or nearly white (of 255).
LIGHTER, WHITE = 1.18, 243.0
#: Part of a cell that must be covered for it to be hidden.
COVERED = 0.45
#: Part of a row's cells from which the row is named.
ROW_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class Look:
    """One grid's faults, and the cells (row from 1 under the heading, cell key) whose ink may not be seen."""

    faults: tuple[Fault, ...]
    hidden: frozenset[tuple[int, str]]


#: Nothing is wrong.
FLAWLESS = Look((), frozenset())


def look_at(lines: LineMap, warp: Warp, number: int, headless: bool = False) -> Look:
    """Faults of the picture about one fitted grid; ``number`` is the grid's on its page.

    ``headless`` says that its heading row is hidden.
    """
    flat = flatten(lines, warp)
    layout = warp.layout
    whole = [f for f in (_small(lines, warp, number), _dark(lines, warp, number), _blurred(lines, warp, number)) if f]
    light = _light(lines, warp)
    washed, covered = _washed(flat, warp, light), _covered(flat, warp)
    head = Fault("covered", "Something lies on the heading row.", _WORDS["covered"][1], number)
    whole += [head] if headless else []
    parts = [_rows(layout, number, washed & ~covered, "glare"), _rows(layout, number, covered, "covered")]
    hidden = {(row + 1, layout.keys[column]) for row, column in zip(*np.nonzero(washed | covered), strict=True)}
    return Look(tuple(whole + [p for p in parts if p]), frozenset(hidden))


def unwritten(grids: Sequence[int], played: Sequence[int]) -> tuple[Fault, ...]:
    """Grids in which no hand was read though one must be expected: a game stands in a later one, or in none at all.

    Nobody photographs a sheet without a game, and games are written from the left; light may have taken all ink.
    """
    last = max(played, default=max(grids, default=0) + 1)
    return tuple(
        Fault("nothing-read", f"No hand was read in grid {grid}.",
              "If a game is written there, take the photo again without the lamp's or the flash's light on it.", grid)
        for grid in grids if grid < last and grid not in played
    )


def _small(lines: LineMap, warp: Warp, number: int) -> Fault | None:
    nodes = lines.to_photo(warp.nodes())
    row = float(np.median(np.linalg.norm(np.diff(nodes, axis=0), axis=-1)))
    if row >= SMALL_ROW:
        return None
    return Fault("too-small", f"The rows are only {row:.0f} pixels high.",
                 "Go closer, or send the original photo instead of a messenger's copy.", number)


def _dark(lines: LineMap, warp: Warp, number: int) -> Fault | None:
    light = float(np.median(_light(lines, warp)))
    if light >= DARK_PAPER:
        return None
    return Fault("too-dark", "The picture is too dark.", "Turn on a light, or photograph it at a window.", number)


def _light(lines: LineMap, warp: Warp) -> np.ndarray:
    """Light of the paper in the middle of each hand cell, 0 to 255, shape (rows, columns)."""
    xs, ys = warp.xs, warp.ys[warp.layout.heading_rows:]
    u, v = np.meshgrid((xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2)
    at = np.rint(warp.points(u, v)).astype(int)
    height, width = lines.paper.shape
    soft = cv2.blur(lines.paper, (5, 5))
    return soft[at[..., 1].clip(0, height - 1), at[..., 0].clip(0, width - 1)].astype(np.float64)


def _blurred(lines: LineMap, warp: Warp, number: int) -> Fault | None:
    if edge_blur(lines, warp) < BLURRED:
        return None
    return Fault("blurred", "The picture is blurred.", "Hold still, wait until the camera has focused, use more light.",
                 number)


def edge_blur(lines: LineMap, warp: Warp) -> float:
    """Standard deviation of the blur of the sharper edges in the grid, in rows; 0 where there are no edges.

    Over an edge of height C that a Gaussian blurs, the steepest slope is C / (sigma sqrt(2 pi)).
    """
    nodes = warp.nodes()
    low, high = np.floor(nodes.min(axis=(0, 1))).astype(int).clip(0), np.ceil(nodes.max(axis=(0, 1))).astype(int)
    grey = lines.grey[low[1]:high[1], low[0]:high[0]]
    part = grey.astype(np.float32)
    row = float(np.median(np.linalg.norm(np.diff(nodes, axis=0), axis=-1)))
    if min(part.shape) < 8:
        return 0.0
    reach = 2 * max(1, round(0.12 * row)) + 1
    box = np.ones((reach, reach), np.uint8)
    height = cv2.subtract(cv2.dilate(grey, box), cv2.erode(grey, box)).astype(np.float32)
    slope = cv2.magnitude(cv2.Sobel(part, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(part, cv2.CV_32F, 0, 1) / 8)
    steepest = cv2.dilate(slope, box)
    edges = (height > 0.25 * np.median(grey)) & (slope >= steepest)
    if edges.sum() < 20:
        return 0.0
    sigma = height[edges] / (2.507 * np.maximum(slope[edges], 1e-3))
    return float(np.quantile(sigma, 0.25)) / row


def _washed(flat: Flat, warp: Warp, light: np.ndarray) -> np.ndarray:
    """Cells, bool (rows, columns), around which the rulings are gone and the paper is lighter than elsewhere."""
    shown = _rulings_about(flat, warp)
    usual = float(np.median(shown))
    if usual <= 0:
        return np.zeros(shown.shape, bool)
    bright = (light > LIGHTER * np.median(light)) | (light > WHITE)
    return (shown < GONE * usual) & bright


def _rulings_about(flat: Flat, warp: Warp) -> np.ndarray:
    """Evidence of the ruling around each hand cell, shape (rows, columns): the mean of its four sides."""
    px, py = flat.pixel(warp.xs), flat.pixel(warp.ys[warp.layout.heading_rows:])
    across = cv2.dilate(flat.across, np.ones((5, 1), np.uint8))
    down = cv2.dilate(flat.down, np.ones((1, 5), np.uint8))
    middle_x, middle_y = (px[1:] + px[:-1]) / 2, (py[1:] + py[:-1]) / 2
    level = _sample(across, py, middle_x)
    upright = _sample(down, middle_y, px)
    return (level[:-1] + level[1:] + upright[:, :-1] + upright[:, 1:]) / 4


def _sample(evidence: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    at = [np.clip(np.rint(v).astype(int), 0, n - 1) for v, n in zip((rows, columns), evidence.shape, strict=True)]
    return evidence[np.ix_(*at)].astype(np.float64)


def _covered(flat: Flat, warp: Warp) -> np.ndarray:
    """Cells, bool (rows, columns), of which something that is not the paper covers a good part."""
    px, py = flat.pixel(warp.xs), flat.pixel(warp.ys[warp.layout.heading_rows:])
    parts = np.array([0.2, 0.5, 0.8])
    columns = (px[:-1, None] + np.diff(px)[:, None] * parts).ravel()
    rows = (py[:-1, None] + np.diff(py)[:, None] * parts).ravel()
    seen = _sample(flat.seen, rows, columns).reshape(len(py) - 1, 3, len(px) - 1, 3)
    return (seen < 0.5).mean(axis=(1, 3)) > COVERED


_WORDS = {
    "glare": ("Glare on {}: writing there may be washed out.", "Turn the flash off, and tilt the sheet away from the "
                                                               "lamp."),
    "covered": ("Something lies on {}.", "Take it off the sheet."),
}


def _rows(layout: Layout, number: int, cells: np.ndarray, code: str) -> Fault | None:
    """The fault of a kind, with the rows it is on; None where there are none."""
    rows = tuple(int(r) + 1 for r in np.flatnonzero(cells.mean(axis=1) >= ROW_SHARE))
    if not rows:
        return None
    message, advice = _WORDS[code]
    return Fault(code, message.format(spoken_rows(rows)), advice, number, rows)


def spoken_rows(rows: Sequence[int]) -> str:
    """Row numbers as people say them.

    >>> spoken_rows((7, 8, 9, 12))
    'rows 7 to 9 and 12'
    >>> spoken_rows((3,))
    'row 3'
    """
    runs: list[list[int]] = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    said = [str(r[0]) if len(r) == 1 else f"{r[0]} to {r[-1]}" if len(r) > 2 else f"{r[0]} and {r[1]}" for r in runs]
    return ("row " if len(rows) == 1 else "rows ") + (said[0] if len(said) == 1 else
                                                     ", ".join(said[:-1]) + f" and {said[-1]}")
