"""A part of a ruled table: rungs, evenly spaced rulings across, at a rail, a ruling along their ends or through them.

Nothing else on a page or a table looks so: lines of print are not evenly spaced over many rows or meet no upright line,
boards have no rungs, and a sheet of lined paper has more of them than a score sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

#: Lines this near to a direction belong to it, as a tangent (3.5 degrees): covered sheets curl, photos tilt.
SLANT = 0.06
#: Segments of one edge of a line lie within this many units across it, those of a double line's too.
SAME_LINE = 0.2
#: Rungs are this many units apart at least and at most; the next is looked for within this part of their distance.
LEAST_PITCH, MOST_PITCH, OFF = 0.6, 1.6, 0.15
#: A rung is seen over so many units at least, a rail over so many.
LEAST_RUNG, LEAST_RAIL = 0.5, 3.0
#: Rungs are looked for this far from their rail, units: further off another table may stand.
REACH = 5.0
#: Directions and rails tried, the strongest: a table of boards has hundreds of lines.
MOST_DIRECTIONS, MOST_RAILS = 5, 10
#: Rungs and rails cross at 60 degrees at least, where the paper lies askew or another pad's rows are flatter.
SKEW = 0.5
#: Directions within so many degrees are one.
SAME_WAY = 3
#: Directions weaker than this part of the strongest are no sheet's.
WEAK = 0.2
#: A gap in a line of more units than this ends it: what lies further on is something else's.
BROKEN = 0.8
#: A line is a rail if it is seen over this part of the rungs' extent.
RAIL = 0.3
#: Fewer rungs are no sign of a table.
FEWEST = 5


@dataclass(frozen=True, eq=False)
class Ladder:
    """Rungs at a rail.

    Attributes:
        rungs: how many.
        even: the part of the lines between the first and the last rung, by length, that are rungs.
        pitch: how far they are apart, units.
        rail: the part of their extent over which the best of the rails is seen.
        ends: both ends of each rung as far as it is seen on either side of the rail, in the frame of the segments
            given, shape (rungs, 2, 2).
        rails: the same of the upright lines that are seen over RAIL of the rungs' extent, on either side.
    """

    rungs: int
    even: float
    pitch: float
    rail: float
    ends: np.ndarray
    rails: np.ndarray


def ladders(ends: np.ndarray, longest: float = np.inf) -> Iterator[Ladder]:
    """Ladders among segments, float64 (N, 2, 2), in a frame in which a row may be 0.6 to 1.6 units high.

    Both edges of a line are segments, and run in opposite directions, as LSD has them.

    ``longest``: what is longer, in units, is no rung, but a board's edge or a line of other paper.
    """
    if len(ends) < 2 * FEWEST:
        return
    found = _directions(ends)
    for rung, rail in permutations(found, 2):
        if abs(rung @ rail) < SKEW:
            yield from _along(ends @ np.linalg.inv(np.stack([rung, rail])), ends, longest)


def _directions(ends: np.ndarray) -> list[np.ndarray]:
    """The directions most of the length has, unit vectors, the strongest first, then those at right angles to them."""
    step = ends[:, 1] - ends[:, 0]
    degrees = np.degrees(np.arctan2(step[:, 1], step[:, 0])) % 180
    length = np.bincount(degrees.astype(int) % 180, np.hypot(*step.T), 180)
    smooth = sum(np.roll(length, k) * np.exp(-0.5 * (k / 1.5) ** 2) for k in range(-4, 5))
    peaks = np.flatnonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))
    strong = sorted(peaks, key=lambda k: -smooth[k])[:MOST_DIRECTIONS]
    found = [int(k) for k in strong if smooth[k] > WEAK * smooth[strong[0]]]
    # Two edges of a covered sheet are too little for a peak: other lines of the picture have more.
    found += [k for k in ((f + 90) % 180 for f in found) if all(abs((k - f + 90) % 180 - 90) > SAME_WAY for f in found)]
    return [np.array([np.cos(a), np.sin(a)]) for a in np.radians(np.array(found) + 0.5)]


def _along(turned: np.ndarray, ends: np.ndarray, longest: float) -> Iterator[Ladder]:
    """Ladders whose rungs lie along the first axis of ``turned``, which holds ``ends`` turned.

    Of every line one edge is taken, first that on one side and then that on the other.
    """
    step = turned[:, 1] - turned[:, 0]
    length = np.hypot(*step.T)
    across = (np.abs(step[:, 1]) < SLANT * length) & (length < longest)
    upright = np.abs(step[:, 0]) < SLANT * length
    for edge in (1, -1):
        yield from _ladders(turned, ends, length, across & (edge * step[:, 0] > 0), upright & (edge * step[:, 1] > 0))


def _ladders(
    turned: np.ndarray, ends: np.ndarray, length: np.ndarray, across: np.ndarray, upright: np.ndarray
) -> Iterator[Ladder]:
    """Ladders among the segments ``across`` and ``upright``, bool (N,), one of each two edges."""
    middle = turned.mean(axis=1)
    rails = _lines(middle[upright, 0], length[upright])
    strong = rails[rails[:, 1] > LEAST_RAIL]
    for rail in strong[np.argsort(-strong[:, 1])][:MOST_RAILS, 0]:
        for side in (-1, 1):
            away = side * (middle[:, 0] - rail)
            own = across & (away > -0.5) & (away < REACH)
            found = _even(_lines(middle[own, 1], length[own])) if own.sum() >= FEWEST else None
            if found is None:
                continue
            places, even = found
            beside = upright & (np.abs(away) < REACH)
            covers = _covers(turned[beside], rails[:, 0], (places[0], places[-1]))
            yield Ladder(
                len(places), even, float(np.diff(places).mean()), float(covers.max()),
                _extremes(ends[across], turned[across], middle[across, 1], places, 0),
                _extremes(ends[beside], turned[beside], middle[beside, 0], rails[covers >= RAIL, 0], 1))


def _lines(at: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Where segments make a line, and their length in it, shape (M, 2), rising; the longest takes what is near it."""
    near = np.abs(at[:, None] - at) < SAME_LINE
    order = np.argsort(-(near @ length))
    free, found = np.ones(len(at), bool), []
    for i in order:
        if free[i]:
            mine = near[i] & free
            free &= ~near[i]
            found.append((float(at[mine] @ length[mine] / length[mine].sum()), float(length[mine].sum())))
    return np.array(sorted(found)).reshape(-1, 2)


def _even(lines: np.ndarray) -> tuple[np.ndarray, float] | None:
    """The run of evenly spaced lines (places) that has most of its lines' length, and that part; None if too few.

    One rung in a row may be missing: it may be broken or written over.
    """
    lines = lines[lines[:, 1] > LEAST_RUNG]
    best: tuple[float, np.ndarray, float] = (0.0, lines[:0, 0], 0.0)
    for i in range(len(lines)):
        for j in range(i + 1, min(i + 4, len(lines))):
            if LEAST_PITCH < lines[j, 0] - lines[i, 0] < MOST_PITCH:
                run = _run(lines[:, 0], [i, j])
                share = float(lines[run, 1].sum() / lines[run[0]:run[-1] + 1, 1].sum())
                if len(run) * share > best[0]:
                    best = (len(run) * share, lines[run, 0], share)
    return (best[1], best[2]) if len(best[1]) >= FEWEST else None


def _run(at: np.ndarray, run: list[int]) -> list[int]:
    """Carries a run of two lines on with the same step, which may change slowly: the paper lies under a perspective."""
    step = float(at[run[1]] - at[run[0]])
    while True:
        for gap in (1, 2):
            near = int(np.argmin(np.abs(at - at[run[-1]] - gap * step)))
            if near > run[-1] and abs(at[near] - at[run[-1]] - gap * step) < OFF * step:
                break
        else:
            return run
        step = 0.6 * step + 0.4 * float(at[near] - at[run[-1]]) / gap
        run.append(near)


def _covers(upright: np.ndarray, rails: np.ndarray, extent: tuple[float, float]) -> np.ndarray:
    """The part of the rungs' extent over which each rail is seen among the upright segments."""
    low = np.clip(upright[..., 1].min(axis=1), *extent)
    high = np.clip(upright[..., 1].max(axis=1), *extent)
    near = np.abs(upright[..., 0].mean(axis=1) - rails[:, None]) < SAME_LINE
    return np.minimum(near @ (high - low) / (extent[1] - extent[0]), 1.0)


def _extremes(ends: np.ndarray, turned: np.ndarray, at: np.ndarray, places: np.ndarray, axis: int) -> np.ndarray:
    """Both ends along ``axis`` of each line's longest piece without a gap, shape (lines, 2, 2)."""
    found = []
    for place in places:
        on = np.abs(at - place) < SAME_LINE
        along, points = turned[on][..., axis], ends[on]
        order = np.argsort(along.min(axis=1))
        along, points = along[order], points[order]
        reached = np.maximum.accumulate(along.max(axis=1))
        first = np.flatnonzero(np.concatenate([[True], along.min(axis=1)[1:] > reached[:-1] + BROKEN]))
        last = np.append(first[1:], len(along)) - 1
        best = int(np.argmax(reached[last] - along.min(axis=1)[first]))
        piece = slice(first[best], last[best] + 1)
        flat, spots = along[piece].ravel(), points[piece].reshape(-1, 2)
        found.append(spots[[flat.argmin(), flat.argmax()]])
    return np.array(found).reshape(-1, 2, 2)
