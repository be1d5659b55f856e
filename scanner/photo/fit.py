"""A hypothesis drawn onto its rulings: flatten the sheet by the warp, see how far off each ruling is, fit again.

The flattened picture has rulings along its axes, so seeing is one-dimensional and a curl is only a bent row of offsets.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.combs import Hypothesis
from scanner.photo.ends import PRINTED, ends_seen
from scanner.photo.flatten import COARSE_PIXELS, ROW_PIXELS, Flat, flatten
from scanner.photo.judge import judge
from scanner.photo.quick import bounded, quantile
from scanner.photo.rulings import LineMap
from scanner.photo.warp import Warp
from scanner.sheet.layout import Layout

#: (window in rows, degree of the warp) of each round: wide and stiff first, then narrow and supple.
ROUNDS = ((0.38, 1), (0.34, 2), (0.26, 3), (0.18, 4), (0.14, 4))
#: A ruling seen this much of a row beside the warp belongs to something else.
STRAY = 0.03
#: The lines of a double ruling are at most this far apart, in rows; printers set them 0.4 to 1.2 mm apart.
DOUBLE = 0.13
#: Below this after the first two rounds, no later round makes a grid of it: half of the rulings are elsewhere.
HOPELESS = 0.45


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted warp with what speaks for it.

    Attributes:
        turn: quarter turns clockwise of the grid in the photo.
        score: support of all pieces of ruling less what the layout leaves unexplained; 1 is perfect.
        shifted: the score of the best neighbour, the same layout moved by a row or a column.
        error: median distance of the seen rulings from the warp, in row heights.
        gain: pieces of ruling explained less those missing; the better of two fits has more.
        weakest: support of the inner ruling that has least, where it is not covered, 0 to 1.
        foreign: support of the strongest line from top to foot that is none of its rulings, 0 to 1.
        shown: the part of the first row, the last row, the first and the last column that nothing covers.
    """

    warp: Warp
    turn: int
    score: float
    shifted: float
    error: float
    gain: float
    weakest: float = 1.0
    foreign: float = 0.0
    shown: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Draft:
    """A hypothesis after the first, stiff and coarse rounds, with its score and gain then."""

    warp: Warp
    turn: int
    score: float
    gain: float


def draft(lines: LineMap, hypothesis: Hypothesis) -> Draft:
    """The hypothesis roughly drawn onto rulings, moved by a row or column if that fits better; cheap."""
    warp = settle(lines, Warp(hypothesis.layout, hypothesis.place), ROUNDS[:2], COARSE_PIXELS)
    # The gap to a next game is a fifth of a row at the narrowest: coarse pixels would run the two together.
    pitch = ROW_PIXELS if hypothesis.layout.games > 1 else COARSE_PIXELS
    verdict = judge(flatten(lines, warp, pitch), warp)
    if verdict.shifted > max(verdict.score + 0.1, HOPELESS):
        warp = settle(lines, _moved(warp, verdict.move), ROUNDS[:2], COARSE_PIXELS)
        verdict = judge(flatten(lines, warp, pitch), warp)
    return Draft(warp, hypothesis.turn, verdict.score, verdict.gain)


def fit(lines: LineMap, rough: Draft) -> Fit:
    """A draft with its warp drawn onto the rulings to a hundredth of a row, judged."""
    return _judged(lines, settle(lines, rough.warp, ROUNDS[1:]), rough.turn)


def _judged(lines: LineMap, warp: Warp, turn: int) -> Fit:
    flat = flatten(lines, warp)
    verdict = judge(flat, warp)
    error = _median_miss([_seen(flat, warp, axis, ROUNDS[-1][0]) for axis in (0, 1)]) / warp.row
    return Fit(warp, turn, verdict.score, verdict.shifted, error, verdict.gain, verdict.weakest, verdict.foreign,
               verdict.shown)


def relabelled(lines: LineMap, fitted: Fit, layout: Layout, turn: int) -> Fit:
    """The same grid fitted as another layout with as many lines, or turned: what differs are the column widths."""
    nodes = turned_nodes(fitted.warp.nodes(), (turn - fitted.turn) % 4)
    u, v = np.meshgrid(layout.x_lines, layout.y_lines)
    flat = np.stack([u, v], -1).reshape(-1, 2).astype(np.float32)
    place, _ = cv2.findHomography(flat, nodes.reshape(-1, 2).astype(np.float32))
    if place is None:
        return fitted
    return _judged(lines, settle(lines, Warp(layout, place), ROUNDS[-3:]), turn)


def turned_nodes(nodes: np.ndarray, quarters: int) -> np.ndarray:
    """Nodes, shape (rows, columns, 2), as seen from a grid turned ``quarters`` quarter turns further clockwise."""
    # The top left of a grid turned once clockwise is the top right of the picture's: np.rot90 turns the other way.
    return np.rot90(nodes, quarters, axes=(0, 1))


def misfit(fitted: Fit, layout: Layout, turn: int) -> float:
    """How far the fit's columns lie from the widths of a layout with as many, root mean square by the grid's width.

    Perspective is taken off first, by the homography from the layout's crossings: what is left is other columns.
    """
    nodes = turned_nodes(fitted.warp.nodes(), (turn - fitted.turn) % 4)
    u, v = np.meshgrid(layout.x_lines, layout.y_lines)
    flat = np.stack([u, v], -1).reshape(-1, 2)
    back, _ = cv2.findHomography(nodes.reshape(-1, 2), flat)
    if back is None:
        return 1.0
    seen = cv2.perspectiveTransform(nodes.reshape(1, -1, 2), back)[0]
    miss = (seen[:, 0] - flat[:, 0]).reshape(nodes.shape[:2]).mean(axis=0)
    return float(np.sqrt((miss ** 2).mean()) / layout.x_lines[-1])


def settle(lines: LineMap, warp: Warp, rounds: tuple, pitch: int = ROW_PIXELS) -> Warp:
    """The warp drawn onto the rulings in rounds of (window in rows, degree), in pictures of ``pitch`` pixels a row."""
    for window, degree in rounds:
        flat = flatten(lines, warp, pitch)
        stray = STRAY * warp.row * (3 if degree < 3 else 1)
        for axis in (0, 1):
            at, line, offset, weight = _with_ends(flat, warp, axis, window)
            place = warp.bent(at[:, 0], at[:, 1])[axis] + offset
            warp = warp.refit(axis, at, line, place, weight, degree, stray)
    return warp


def _with_ends(flat: Flat, warp: Warp, axis: int, window: float) -> tuple[np.ndarray, ...]:
    """What is seen of the rulings, and for a frame that is not printed the ends of those across it."""
    at, line, offset, weight = _seen(flat, warp, axis, window)
    last = len(warp.xs if axis == 0 else warp.ys) - 1
    bare = [i for i in (0, last) if weight[line == i].mean() < PRINTED]
    if bare:
        own = ends_seen(flat, warp, axis, window + 0.1)
        use = np.isin(own[1], bare)
        # Twice, for an end is one sight of what a piece of ruling shows three times.
        weight = np.concatenate([np.where(np.isin(line, bare), 0.3 * weight, weight), 2 * own[3][use]])
        at, line, offset = (np.concatenate([a, b[use]]) for a, b in ((at, own[0]), (line, own[1]), (offset, own[2])))
    return at, line, offset, weight


def _moved(warp: Warp, move: tuple[float, float]) -> Warp:
    shift = np.array([[1, 0, move[0]], [0, 1, move[1]], [0, 0, 1]])
    return Warp(warp.layout, warp.place @ shift)


def _seen(flat: Flat, warp: Warp, axis: int, window: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Where rulings across ``axis`` are seen: model points (N, 2) in mm, ruling index, offset in mm, weight."""
    evidence = flat.across if axis == 1 else flat.down.T
    rulings, crossings = (warp.ys, warp.xs) if axis == 1 else (warp.xs, warp.ys)
    # Three looks between crossings, away from the crossing rulings themselves.
    parts = np.array([0.22, 0.5, 0.78])
    along = (crossings[:-1, None] + np.diff(crossings)[:, None] * parts).ravel()
    reach = max(2, round(window * flat.pitch))
    centre = flat.pixel(rulings)
    rows = np.rint(centre)[:, None].astype(int) + np.arange(-reach, reach + 1)
    columns = bounded(np.rint(flat.pixel(along)).astype(int), 0, evidence.shape[1] - 1)
    seen = (flat.seen if axis == 1 else flat.seen.T)[np.rint(centre).astype(int)[:, None], columns]
    strips = evidence[bounded(rows, 0, evidence.shape[0] - 1)[:, :, None], columns[None, None, :]]
    offset, weight = _peaks(np.moveaxis(strips, 1, 2), reach, max(1, round(DOUBLE * flat.pitch)))
    offset += (np.rint(centre) - centre)[:, None]
    v, u = np.meshgrid(rulings, along, indexing="ij")
    at = np.stack([u, v] if axis == 1 else [v, u], -1).reshape(-1, 2)
    line = np.repeat(np.arange(len(rulings)), len(along))
    return at, line, offset.ravel() / flat.ppm, (weight * seen).ravel()


def _peaks(strips: np.ndarray, reach: int, about: int) -> tuple[np.ndarray, np.ndarray]:
    """Offset in pixels and weight 0 to 1 of the strongest line in each strip, shape (..., 2 * reach + 1)."""
    steps = np.arange(-reach, reach + 1)
    favoured = strips * (1 - 0.5 * (steps / (reach + 1)) ** 2)  # of two lines the nearer
    best = favoured.argmax(axis=-1)
    # The centre of mass about the peak, twice: of a double ruling both lines are in, and their middle is the answer.
    centre = (best - reach).astype(np.float64)
    for _ in range(2):
        mass = strips * (np.abs(steps - np.rint(centre)[..., None]) <= about)
        total = mass.sum(axis=-1)
        centre = (mass * steps).sum(axis=-1) / np.maximum(total, 1e-9)
    peak = strips.max(axis=-1)
    level = max(quantile(peak, 0.6), 1e-6)
    return centre, np.minimum(peak / level, 1.0) ** 2


def _median_miss(seen: list) -> float:
    offset = np.concatenate([s[2] for s in seen])
    weight = np.concatenate([s[3] for s in seen])
    strong = weight > 0.25
    return float(np.median(np.abs(offset[strong]))) if strong.any() else 1.0
