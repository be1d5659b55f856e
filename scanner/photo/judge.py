"""How well a layout explains the rulings of a flattened sheet, and how well it would moved by a row or column."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.ends import shortness
from scanner.photo.flatten import Flat
from scanner.photo.quick import bounded, quantile
from scanner.photo.warp import Warp

#: A piece of ruling counts where it is seen within this part of a row of where the warp puts it.
NEAR = 0.09
#: Evidence below this is the grain of paper or table, however evenly it lies: a fiftieth of the paper's light at half a
#: pixel's width. Without the floor a patch of nothing would be as good as a grid.
FAINTEST = 0.01
#: The paler direction's rulings have at least this part of the bolder one's evidence.
PALER = 0.3
#: A line further than this from every ruling of the layout is one the layout does not know (double rulings are nearer).
FOREIGN = 0.27

#: What it costs if all rulings stop short of a frame: it is the page's edge, and the layout another.
SHORT = 0.6

#: Score at which as much speaks against a layout as for it.
EVEN = 0.4
#: Where rulings are looked for beyond the frame, in rows; a stray stroke or a shadow is not at all three.
PAST = np.array([0.4, 0.55, 0.7])
#: Another game of the page may begin this far beyond the frame, in rows: further than the second line of a double
#: frame, and nearer than a column is wide, so that no inner ruling is taken for the next game's frame; a gap wider than
#: that keeps the rows of the next game out of sight of PAST.
NEXT_GAME = (0.16, 0.6)
#: Support from which a crossing ruling is there: two of the three looks at a piece of it.
THERE = 0.75
#: Part of a frame's pieces that must be seen for it to be the next game's.
NEXT_FRAME = 0.75


@dataclass(frozen=True)
class Verdict:
    """Support of the layout where it lies, ``score``, and of its best neighbour, ``shifted``.

    ``held`` is the part of its rulings seen, ``move`` the neighbour's place, millimetres right and down, and ``gain``
    what tells layouts with different numbers of rows apart: the pieces of ruling explained less those missing.
    ``weakest`` is the support of the inner ruling that has least, where it is neither covered nor washed out, and
    ``foreign`` that of the strongest line from top to foot that is none of its rulings, 0 to 1; along the rows it
    might be print. ``shown`` is the part of the first row, the last row, the first and the last column that nothing
    covers.
    """

    score: float
    held: float
    shifted: float
    move: tuple[float, float]
    gain: float
    weakest: float
    foreign: float
    shown: tuple[float, float, float, float]


def judge(flat: Flat, warp: Warp) -> Verdict:
    """The support of the layout where the warp lays it, and moved by a row or column."""
    row, column = warp.row, float(np.diff(warp.xs).mean())
    level = _levels(flat, warp)
    page, soft = warp.layout.games > 1, _soft(flat)
    score, held, pieces, weakest, foreign = _score(flat, soft, warp.xs, warp.ys, level, page)
    score -= SHORT * max(0.0, shortness(flat, warp) - 0.3)
    moves = [(0.0, row), (0.0, -row), (column, 0.0), (-column, 0.0)]
    scores = [_score(flat, soft, warp.xs + dx, warp.ys + dy, level, page)[0] for dx, dy in moves]
    best = int(np.argmax(scores))
    return Verdict(score, held, scores[best], moves[best], pieces * (score - EVEN), weakest, foreign,
                   _shown(flat, warp, level))


def _shown(flat: Flat, warp: Warp, levels: tuple[float, float]) -> tuple[float, float, float, float]:
    """Part of the first row, the last row, the first and the last column that nothing covers, 0 to 1.

    Where the rulings across them are seen, nothing does: deep shade has not the paper's light.
    """
    px, py = flat.pixel(warp.xs), flat.pixel(warp.ys)
    across = np.minimum(_support(flat.across, flat.seen, py, px, flat.pitch)[0] / levels[0], 1)
    down = np.minimum(_support(flat.down.T, flat.seen.T, px, py, flat.pitch)[0] / levels[1], 1)
    ruled = [float(pieces.mean()) for pieces in (down[:, 0], down[:, -1], across[:, 0], across[:, -1])]
    xs, ys = np.rint(px).astype(int), np.rint(py).astype(int)
    grid = flat.seen[ys[0]:ys[-1] + 1, xs[0]:xs[-1] + 1]
    first, last = ys[[1, -2]] - ys[0]
    left, right = xs[[1, -2]] - xs[0]
    parts = (grid[:first + 1], grid[last:], grid[:, :left + 1], grid[:, right:])
    return tuple(max(float(p.mean()), r if r > THERE else 0.0) for p, r in zip(parts, ruled, strict=True))


def _levels(flat: Flat, warp: Warp) -> tuple[float, float]:
    """From which evidence a piece along the rows and one along the columns counts in full.

    Half of the typical strong one of its direction, as frames are bolder than rows; and of the bolder direction a part,
    for lines of one print do not differ by more.
    """
    across, _ = _support(flat.across, flat.seen, flat.pixel(warp.ys), flat.pixel(warp.xs), flat.pitch)
    down, _ = _support(flat.down.T, flat.seen.T, flat.pixel(warp.xs), flat.pixel(warp.ys), flat.pitch)
    own = [quantile(pieces, 0.6) * 0.5 for pieces in (across, down)]
    return max(own[0], PALER * own[1], FAINTEST), max(own[1], PALER * own[0], FAINTEST)


def _score(
    flat: Flat, soft: tuple[np.ndarray, np.ndarray], xs: np.ndarray, ys: np.ndarray, levels: tuple[float, float],
    page: bool,
) -> tuple[float, float, float, float, float]:
    """Score, held, pieces seen, weakest and foreign (see :class:`Verdict`); ``page``: other games may stand beside."""
    px, py, pitch = flat.pixel(xs), flat.pixel(ys), flat.pitch
    level, upright = levels
    across, seen_across = _support(flat.across, flat.seen, py, px, pitch)
    down, seen_down = _support(flat.down.T, flat.seen.T, px, py, pitch)
    across, down = np.minimum(across / level, 1), np.minimum(down / upright, 1)
    upright_foreign = _foreign(soft[1], px, py, pitch, upright)
    foreign = max(_foreign(soft[0], py, px, pitch, level), upright_foreign)
    past = _beyond(flat.across, flat.seen, py, px, pitch, level)
    if page and max(past) > 0.25:  # a next game close by has rows where ours would go on, but a frame before them
        past = tuple(b * (1 - n) for b, n in zip(past, _next_games(flat.down.T, px, py, pitch, upright), strict=True))
    beyond = max(*_beyond(flat.down.T, flat.seen.T, px, py, pitch, upright), *past)
    held = (_share(across, seen_across) + _share(down, seen_down)) / 2
    # The weakest ruling inside counts by itself: a layout with a row too many has one that is not there at all.
    weakest = min(_weakest(across, seen_across), _weakest(down, seen_down))
    ends = min(_ends(across, seen_across), _ends(down, seen_down))
    score = 0.65 * held + 0.2 * weakest + 0.15 * ends - 0.4 * max(0, foreign - 0.3) - 0.6 * max(0, beyond - 0.25)
    plain = min(_weakest(across, seen_across * _crossed(down), 0.0), _weakest(down, seen_down * _crossed(across), 0.0))
    return float(score), float(held), float(seen_across.sum() + seen_down.sum()), plain, upright_foreign


def _share(support: np.ndarray, seen: np.ndarray) -> float:
    """Mean support of the pieces by how much of them is seen; the frame counts half, as some pads print none."""
    weight = seen + 0.02
    weight[[0, -1]] *= 0.5
    return float((support * weight).sum() / weight.sum())


def _ends(support: np.ndarray, seen: np.ndarray) -> float:
    """Support of the rulings' outermost pieces, at the end with less: where the grid stops, its rulings do."""
    weight = seen + 0.02
    return min(float(((support * weight)[:, k].sum() + 0.1) / (weight[:, k].sum() + 0.1)) for k in (0, -1))


def _crossed(across: np.ndarray) -> np.ndarray:
    """Where the rulings that cross the others are there on both sides of them, 0 or 1, shape (others, pieces).

    A ruling is missing only from paper that shows its print: in glare and at a thing's edge the crossing ones end too.
    """
    before = np.maximum(across[:-1], across[1:]).T
    both = np.minimum(before[:-1], before[1:])
    return np.pad((both >= THERE).astype(np.float32), ((1, 1), (0, 0)), constant_values=1.0)


def _weakest(support: np.ndarray, seen: np.ndarray, least: float = 0.02) -> float:
    """Support of the least supported ruling inside the frame; one that is all but covered says nothing."""
    weight = seen + least
    each = ((support * weight).sum(axis=1) + 0.1) / (weight.sum(axis=1) + 0.1)
    return float(each[1:-1].min()) if len(each) > 2 else float(each.min())


def _support(
    evidence: np.ndarray, seen: np.ndarray, rulings: np.ndarray, crossings: np.ndarray, pitch: int
) -> tuple[np.ndarray, np.ndarray]:
    """Evidence of each piece of horizontal ruling and how much of it is seen, shapes (rulings, crossings - 1)."""
    reach = max(1, round(NEAR * pitch))
    rows = np.rint(rulings).astype(int)[:, None] + np.arange(-reach, reach + 1)
    columns = np.rint(crossings[:-1, None] + np.diff(crossings)[:, None] * np.array([0.25, 0.5, 0.75])).astype(int)
    values = _at(evidence, rows[:, :, None, None], columns[None, None]).max(axis=1)
    visible = _at(seen, rows[:, reach, None, None], columns[None])
    return values.mean(axis=2), visible.min(axis=2)  # half a piece covered is no evidence at all


def _at(evidence: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    height, width = evidence.shape
    if rows.min() >= 0 and rows.max() < height and columns.min() >= 0 and columns.max() < width:
        return evidence[rows, columns]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    return np.where(inside, evidence[bounded(rows, 0, height - 1), bounded(columns, 0, width - 1)], 0.0)


def _soft(flat: Flat) -> tuple[np.ndarray, np.ndarray]:
    """Evidence on the paper of lines along the rows, and along the columns (turned), by a twentieth of a row."""
    box = np.ones((2 * max(1, round(0.05 * flat.pitch)) + 1, 1), np.uint8)
    return cv2.dilate(flat.across * flat.seen, box), cv2.dilate(np.ascontiguousarray((flat.down * flat.seen).T), box)


def _foreign(soft: np.ndarray, rulings: np.ndarray, crossings: np.ndarray, pitch: int, level: float) -> float:
    """Support of the strongest line right across the grid that no ruling of the layout explains, 0 to 1.

    A line is there in four fifths of its pieces; writing is in the rows and columns somebody has filled. ``soft`` is
    of :func:`_soft`.
    """
    low, high = int(max(0, np.ceil(rulings[0]))), int(min(soft.shape[0] - 1, rulings[-1]))
    rows = np.arange(low, high + 1)
    far = np.abs(rows[:, None] - rulings[None, :]).min(axis=1) > FOREIGN * pitch
    if not far.any():
        return 0.0
    columns = np.rint(crossings[:-1, None] + np.diff(crossings)[:, None] * np.array([0.25, 0.5, 0.75])).astype(int)
    values = np.minimum(_at(soft, rows[far][:, None], columns.reshape(1, -1)) / level, 1)
    least = np.partition(values, values.shape[1] // 5, axis=1)[:, values.shape[1] // 5]
    return float(least.max())


def _beyond(
    evidence: np.ndarray, seen: np.ndarray, rulings: np.ndarray, crossings: np.ndarray, pitch: int, level: float
) -> tuple[float, float]:
    """Support for the rulings going on past the first and past the last crossing, 0 to 1."""
    reach = max(1, round(NEAR * pitch))
    rows = np.rint(rulings).astype(int)[:, None] + np.arange(-reach, reach + 1)
    found = []
    for ends in (crossings[0] - pitch * PAST, crossings[-1] + pitch * PAST):
        columns = np.rint(ends).astype(int)
        values = np.minimum(_at(evidence, rows[:, :, None], columns).max(axis=1).mean(axis=1) / level, 1)
        visible = _at(seen, rows[:, reach, None], columns).mean(axis=1) + 0.02
        found.append(float((values * visible).sum() / visible.sum()))
    return found[0], found[1]


def _next_games(
    evidence: np.ndarray, frames: np.ndarray, crossings: np.ndarray, pitch: int, level: float
) -> tuple[bool, bool]:
    """Whether another game's frame runs beside the first and beside the last of ``frames``, clear of it."""
    along = crossings[:-1, None] + np.diff(crossings)[:, None] * np.array([0.25, 0.5, 0.75])
    columns = np.rint(along).astype(int).ravel()
    steps = np.arange(round(NEXT_GAME[1] * pitch) + 1)
    found = []
    for frame, side in ((frames[0], -1), (frames[-1], 1)):
        strips = _at(evidence, np.rint(frame + side * steps).astype(int)[:, None], columns[None])
        beside = np.minimum(cv2.dilate(strips, np.ones((3, 1), np.uint8)) / level, 1).mean(axis=1)
        profile = np.median(strips, axis=1)
        near = int(np.ceil(NEXT_GAME[0] * pitch))
        own, best = int(np.argmax(profile[:near])), near + int(np.argmax(profile[near:]))
        # Two lines with paper between them: one line a little off the frame would be both its sides.
        clear = profile[own:best].min() < 0.5 * min(profile[own], profile[best])
        found.append(bool(beside[best] > NEXT_FRAME and clear))
    return found[0], found[1]
