"""Where a layout's rulings could lie in a squared-up region: every position and scale along each axis is tried.

In a squared region (see :mod:`scanner.photo.regions`) the rulings of a grid are two combs of straight teeth with the
layout's spacing, so an exhaustive search along each axis finds them however many teeth are hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from scanner.photo.quick import bounded
from scanner.photo.regions import Region
from scanner.photo.rulings import LineMap
from scanner.sheet.layout import Layout

#: Long side of the squared picture that is searched: rows of a grid that fills a third of it are 10 pixels high.
SQUARED_SIDE = 560
#: Step of the scale in the search. Half a step moves the last of 14 rulings by less than a tenth of a row.
SCALE_STEP = 1.02
#: Teeth are matched within this part of the mean spacing, enough for a curled page.
TOOTH = 0.14
#: A pad's millimetres are proportions only and perspective is undone but for the camera's unknown lens.
ASPECTS = (0.6, 1.7)
#: Support from which a grid stands as it was guessed: the wrong pair of turns has 0.5 to 0.7 on the workshop's sheets.
STANDS = 0.8
#: A pair of turns with this much less support than the other is not tried: right ones led by 0.1 to 0.35 there.
APART = 0.1


@dataclass(frozen=True)
class Hypothesis:
    """A layout laid on a region: ``place`` maps layout millimetres (homogeneous) to work pixels.

    ``turn`` counts quarter turns clockwise of the grid in the photo; ``score`` is the support of its rulings, 0 to 1.
    """

    layout: Layout
    turn: int
    place: np.ndarray
    score: float


@dataclass(frozen=True, eq=False)
class Squared:
    """A region's line work by direction, float32 (H, W), and the homography from its pixels to work pixels.

    ``combs`` remembers what was found along an axis, for the layouts and turns that have the same teeth, and where
    each layout was placed.
    """

    across: np.ndarray
    down: np.ndarray
    to_work: np.ndarray
    combs: dict = field(default_factory=dict)


def squared_lines(lines: LineMap, region: Region, side: int = SQUARED_SIDE) -> Squared:
    """The region's line work, squared up and told apart by direction; its long side is ``side`` pixels."""
    scale = min(1.0, side / max(region.size))
    size = tuple(max(8, round(s * scale)) for s in region.size)
    to_squared = np.diag([scale, scale, 1.0]) @ region.square
    soft = cv2.blur(np.minimum(lines.dark, 0.25), (3, 3)) if scale < 0.7 else np.minimum(lines.dark, 0.25)
    dark = cv2.warpPerspective(soft, to_squared, size, flags=cv2.INTER_LINEAR)
    corners = cv2.perspectiveTransform(region.outline[None].astype(np.float64), to_squared)[0]
    inside = cv2.fillConvexPoly(np.zeros(dark.shape, np.uint8), np.rint(corners).astype(np.int32), 1)
    dark *= cv2.dilate(inside, np.ones((5, 5), np.uint8))
    reach = max(4, round(max(size) / 40))
    across, down = _runs(dark, reach), _runs(dark.T, reach).T
    # A grid's rulings have others across them; wood grain, page edges and lines of print have not.
    room = 2 * max(3, round(max(size) / 14)) + 1
    near = np.sqrt(cv2.blur(across, (room, room)) * cv2.blur(np.ascontiguousarray(down), (room, room)))
    gate = np.minimum(1.0, near / max(float(near.max()), 1e-6) * 3)
    return Squared(across * gate, np.ascontiguousarray(down) * gate, np.linalg.inv(to_squared))


def _runs(dark: np.ndarray, reach: int) -> np.ndarray:
    """Evidence of a horizontal line through each pixel that goes on for ``reach`` pixels to both sides."""
    dark = np.ascontiguousarray(dark)
    mean = cv2.blur(dark, (reach, 1))
    half = (reach + 1) // 2
    both = np.minimum(np.roll(mean, half, axis=1), np.roll(mean, -half, axis=1))
    around = cv2.blur(both, (1, 2 * max(3, reach // 2) + 1))
    return np.maximum(both - around, 0.0)


def hypotheses(
    squared: Squared, layouts: Sequence[Layout], turns: Sequence[int], framed: bool = True
) -> list[Hypothesis]:
    """The best supported placements of each of the layouts in each of the turns, best first.

    With ``framed`` false the outermost rulings need not be there: some pads print none.
    """
    cache = squared.combs
    if not cache:
        cache["profiles"] = _profile(squared.down.T), _profile(squared.across)
    found: list[Hypothesis] = []
    for layout in layouts:
        for turn in turns:
            if (framed, layout, turn) not in cache:
                cache[framed, layout, turn] = _placed(squared, layout, turn, framed)
            found += cache[framed, layout, turn]
    return sorted(found, key=lambda h: -h.score)


def _placed(squared: Squared, layout: Layout, turn: int, framed: bool) -> list[Hypothesis]:
    """The best supported placements of one layout in one turn."""
    teeth, spots = _teeth(layout, turn), []
    for axis in (0, 1):
        key = (framed, axis, tuple(np.round(np.diff(teeth[axis]) / teeth[axis][-1], 4)))
        if key not in squared.combs:
            profile = squared.combs["profiles"][axis]
            squared.combs[key] = _comb(profile, np.array(teeth[axis]) / teeth[axis][-1], framed)
        spots.append(squared.combs[key])
    return _pairs(squared, layout, turn, teeth, spots)


def turn_order(squared: Squared, layouts: Sequence[Layout]) -> list[tuple[int, int]]:
    """The pairs of turns (half a turn apart) worth trying in a region, the likelier first.

    Rows and columns are told apart by their numbers, so an upright grid leaves the lying one little support.
    """
    best = {pair: max((h.score for h in hypotheses(squared, layouts, pair)), default=0.0) for pair in ((0, 2),)}
    if best[0, 2] > STANDS:
        return [(0, 2)]
    best[1, 3] = max((h.score for h in hypotheses(squared, layouts, (1, 3))), default=0.0)
    most = max(best.values())
    return sorted((pair for pair in best if best[pair] > most - APART), key=lambda pair: -best[pair])


def _teeth(layout: Layout, turn: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Positions of the rulings along the region's x and y axes, from 0, for a grid turned by quarter turns."""
    x, y = layout.x_lines, layout.y_lines
    back_x, back_y = tuple(x[-1] - v for v in x[::-1]), tuple(y[-1] - v for v in y[::-1])
    return ((x, y), (back_y, x), (back_x, back_y), (y, back_x))[turn]


def _turned(layout: Layout, turn: int) -> np.ndarray:
    """Matrix from layout millimetres to the same turned clockwise about itself, its corner back at the origin."""
    width, height = layout.x_lines[-1], layout.y_lines[-1]
    return np.array((
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((0, -1, height), (1, 0, 0), (0, 0, 1)),
        ((-1, 0, width), (0, -1, height), (0, 0, 1)),
        ((0, 1, 0), (-1, 0, width), (0, 0, 1)),
    )[turn], dtype=np.float64)


def _profile(across: np.ndarray) -> np.ndarray:
    """Line evidence along the axis, capped so that one strong line cannot stand for a comb; shape (len,)."""
    # Curl bows a ruling by a few pixels: what counts is that every part of the width has the line nearby.
    spread = cv2.dilate(np.ascontiguousarray(across), np.ones((3, 1), np.uint8))
    profile = spread.mean(axis=1)
    before, after = np.roll(profile, 1), np.roll(profile, -1)
    peaks = np.sort(profile[(profile >= before) & (profile > after)])
    # The fourth strongest: no layout has fewer rulings than a frame and a line each way.
    return np.minimum(profile, (peaks[-4] if len(peaks) >= 4 else profile.max()) + 1e-9)


def _comb(profile: np.ndarray, teeth: np.ndarray, framed: bool, keep: int = 4) -> list[tuple[float, float]]:
    """The (offset, length) in pixels of the best fits of a comb with unit length to the profile, best first."""
    shrink = max(1, -(-len(profile) // 300))
    profile = np.pad(profile, (0, -len(profile) % shrink)).reshape(-1, shrink).max(axis=1)
    size = len(profile)
    spacing = float(np.diff(teeth).mean())
    least = max(0.2 * size, 4.0 / spacing)
    if least >= size or not profile.max() > 0:
        return []
    steps = max(2, int(np.log(size * 1.02 / least) / np.log(SCALE_STEP)) + 1)
    lengths = np.geomspace(least, size * 1.02, steps)
    # The root makes a tooth without a line cost more than a strong line earns.
    score = _comb_scores(np.sqrt(profile / profile.max()), teeth, lengths, framed)
    chosen: list[tuple[float, float]] = []
    for flat in np.argsort(-score, axis=None)[:600].tolist():
        i, j = divmod(flat, score.shape[1])
        start, length = float(j - 3), float(lengths[i])
        apart = 0.35 * spacing * length
        if all(abs(start - s) > apart or abs(start + length - s - n) > apart for s, n in chosen):
            chosen.append((start, length))
        if len(chosen) == keep:
            break
    return [(s * shrink, n * shrink) for s, n in chosen]


def _comb_scores(profile: np.ndarray, teeth: np.ndarray, lengths: np.ndarray, framed: bool) -> np.ndarray:
    """Score of every (length, start - 3); minus infinity where the comb would hang over the end."""
    size, spacing = len(profile), float(np.diff(teeth).mean())
    gaps = (teeth[1:] + teeth[:-1]) / 2
    if not framed and len(teeth) > 4:
        teeth = teeth[1:-1]
    padded = np.pad(profile, (3, 2 * size))
    reaches = (TOOTH * 0.5 * spacing * lengths).astype(int)
    widths = np.unique(reaches)
    soft = np.stack([cv2.dilate(padded[None], np.ones((1, 2 * int(reach) + 1), np.uint8))[0] for reach in widths])
    # All lengths at once, a tooth after the other: windows[i, k] is what the starts see k pixels further.
    windows = np.lib.stride_tricks.sliding_window_view(soft, size + 3, axis=1)
    own, plain = np.searchsorted(widths, reaches), np.lib.stride_tricks.sliding_window_view(padded, size + 3)
    total, between = np.zeros((2, len(lengths), size + 3), padded.dtype)
    for tooth in teeth:
        total += windows[own, np.rint(tooth * lengths).astype(int)]
    for gap in gaps:
        between += plain[np.rint(gap * lengths).astype(int)]
    score = total / len(teeth) - 0.5 * (between / len(gaps))
    count = np.maximum(1, np.minimum(size + 3, (size - lengths + 6).astype(int)))
    score[np.arange(size + 3) >= count[:, None]] = -np.inf
    return score


def _pairs(squared: Squared, layout: Layout, turn: int, teeth: tuple, spots: list) -> list[Hypothesis]:
    found = []
    for x0, width in spots[0]:
        for y0, height in spots[1]:
            scale_x, scale_y = width / teeth[0][-1], height / teeth[1][-1]
            if not ASPECTS[0] < scale_x / scale_y < ASPECTS[1]:
                continue
            xs, ys = x0 + np.array(teeth[0]) * scale_x, y0 + np.array(teeth[1]) * scale_y
            place = np.array([[scale_x, 0, x0], [0, scale_y, y0], [0, 0, 1]])
            found.append(Hypothesis(layout, turn, squared.to_work @ place @ _turned(layout, turn),
                                    _support(squared, xs, ys)))
    found.sort(key=lambda h: -h.score)
    return found[:3]


def _support(squared: Squared, xs: np.ndarray, ys: np.ndarray) -> float:
    """Mean support of the pieces of ruling between crossings, each against the typical strong piece, 0 to 1."""
    across = _pieces(squared.across, ys, xs)
    down = _pieces(squared.down.T, xs, ys)
    pieces = np.concatenate([across.ravel(), down.ravel()])
    level = max(float(np.partition(pieces, int(0.7 * len(pieces)))[int(0.7 * len(pieces))]), 1e-6)
    return float((np.minimum(across / level, 1).mean() + np.minimum(down / level, 1).mean()) / 2)


def _pieces(across: np.ndarray, ys: np.ndarray, xs: np.ndarray) -> np.ndarray:
    """Evidence of each horizontal piece, shape (len(ys), len(xs) - 1): the best row within the tooth, three points."""
    height, width = across.shape
    reach = max(1, int(TOOTH * np.diff(ys).mean()))
    rows = bounded((ys[:, None] + np.arange(-reach, reach + 1)[None, :] + 0.5).astype(int), 0, height - 1)
    columns = xs[:-1, None] + np.diff(xs)[:, None] * np.array([0.25, 0.5, 0.75])[None, :]
    columns = bounded((columns + 0.5).astype(int), 0, width - 1)
    values = across[rows[:, :, None, None], columns[None, None, :, :]]
    return values.max(axis=1).mean(axis=2)
