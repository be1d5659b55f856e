"""What happens to a sheet before it is photographed: cups, clips, torn corners, copiers."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from benchmarks.foreign.paper import SCALE, Paper
from benchmarks.foreign.plan import Plan
from benchmarks.foreign.sheet import Written


def worn(written: Written, plan: Plan, rng: np.random.Generator) -> Written:
    """The sheet after its life so far; the paper is changed in place, a copied sheet has a pad of its own size."""
    if plan.stained:
        _rings(written.paper, rng)
    if plan.clip:
        _clip(written, rng)
    if plan.copied:
        written = _copied(written, rng)
    if plan.torn:
        _tear(written.paper, plan.torn, rng)
    return written


def _rings(paper: Paper, rng: np.random.Generator) -> None:
    h, w = paper.cover.shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / SCALE
    for _ in range(int(rng.integers(1, 3))):
        at, radius = rng.uniform(0.1, 0.9, 2) * (paper.width, paper.height), rng.uniform(28, 42)
        d = np.hypot(x - at[0], y - at[1]) + 0.6 * np.sin(np.arctan2(y - at[1], x - at[0]) * 5)
        ring = np.exp(-((d - radius) / 1.6) ** 2) * 0.33 + 0.07 * (d < radius)
        paper.stain(ring.astype(np.float32), (0.45, 0.28, 0.12))


def _clip(written: Written, rng: np.random.Generator) -> None:
    """A metal ruler or clip over the whole heading row of every grid."""
    paper, pad = written.paper, written.pad
    ys = pad.lines(0)[1]
    over = 0.5 if rng.random() < 0.5 else rng.uniform(3.0, 8.0)  # millimetres above the headings
    top, bottom = round((ys[0] - over) * SCALE), round((ys[1] - 0.4) * SCALE)
    t = np.linspace(0, 1, bottom - top)[:, None, None]
    steel = np.array((168, 172, 178)) * (0.8 + 0.3 * np.sin(t * 3.1)) * rng.uniform(0.5, 1.1)
    paper.pixels[top:bottom] = np.clip(steel, 0, 255)
    shadow = np.linspace(0.35, 0, round(1.2 * SCALE), dtype=np.float32)[:, None]
    paper.stain(np.repeat(shadow, paper.pixels.shape[1], axis=1), (0, 0, 0), 0.0, bottom / SCALE)


def _copied(written: Written, rng: np.random.Generator) -> Written:
    """A copier's work: grey, harsh, shifted, a little stretched one way, with specks and a dark edge."""
    old, pad = written.paper, written.pad
    stretch = (1 + rng.uniform(-0.03, 0.03), 1 + rng.uniform(-0.03, 0.03))
    shift = rng.uniform(-2.5, 2.5, 2)
    grey = cv2.cvtColor(old.pixels, cv2.COLOR_RGB2GRAY)
    grey = np.clip((grey.astype(np.float32) / np.percentile(grey, 80) - 0.5) * 1.5 + 0.62, 0.06, 1.0)
    move = np.array([[stretch[0], 0, shift[0] * SCALE], [0, stretch[1], shift[1] * SCALE]], np.float32)
    # ``move`` acts on the middles of pixels; half a pixel belongs to the corner of the first.
    move[:, 2] += (np.array(stretch) - 1) * 0.5
    out = cv2.warpAffine(grey, move, grey.shape[::-1], flags=cv2.INTER_LINEAR, borderValue=1.0)
    specks = rng.random(out.shape) < 0.0004
    out[cv2.dilate(specks.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0] = 0.2
    paper = Paper(old.width, old.height, (1, 1, 1))
    paper.pixels = np.repeat((out * 250).astype(np.uint8)[..., None], 3, axis=2)
    grids = tuple((x * stretch[0] + shift[0], y * stretch[1] + shift[1]) for x, y in pad.grids)
    moved = replace(pad, grids=grids, stretch=(pad.stretch[0] * stretch[0], pad.stretch[1] * stretch[1]))
    return replace(written, paper=paper, pad=moved)


def _tear(paper: Paper, size: float, rng: np.random.Generator) -> None:
    """One corner is missing, ``size`` millimetres along both sides, with a ragged edge."""
    h, w = paper.cover.shape
    side = size * SCALE
    t = np.linspace(0, 1, 40)
    wide = side * rng.uniform(0.7, 1.3)
    edge = np.column_stack([wide * (1 - t), side * t])
    edge += np.cumsum(rng.normal(0, 0.35 * SCALE, edge.shape), axis=0) * (np.sin(np.pi * t) ** 0.5)[:, None] * 0.4
    shape = np.concatenate([edge, [[-SCALE, side], [-SCALE, -SCALE], [wide, -SCALE]]])
    corner = int(rng.integers(4))
    if corner in (1, 2):
        shape[:, 0] = w - shape[:, 0]
    if corner in (2, 3):
        shape[:, 1] = h - shape[:, 1]
    cv2.fillPoly(paper.cover, [np.round(shape).astype(np.int32)], 0)
