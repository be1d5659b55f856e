"""One training cell: a ruled cell with its neighbours' ink, as a phone would show it, and what stands in it.

The composition is vector work in row units (see :mod:`scanner.workshop.writing`); a small homography and a curl carry
every point into the crop's pixels, so lines and ink stay sharp until the camera blurs them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scanner.workshop import wear
from scanner.workshop.cell_printing import print_under
from scanner.workshop.cell_rulings import rule
from scanner.workshop.hands import RasterHand, Writers
from scanner.workshop.pens import Hand, Pen, Rng, Style, lay_ink, random_pen, random_style
from scanner.workshop.scene import coverage, random_scene
from scanner.workshop.writing import Strikes, Writing, mark, overwritten, struck_out, written_number


@dataclass(frozen=True)
class Practice:
    """What a stretch of training cells practises.

    Attributes:
        first_shard: the shard of the pool it begins with.
        mixture: shares of what stands in a cell: number, struck-out number with its correction, overwritten number,
            set mark, zero line, W, nothing. Struck ones stand far more often than in life, since they are hard.
        hard_digits: whether the digits that are mixed up most come more often.
        strikes: how numbers are struck out.
        boxed: share of cells that are boxes of their own, their rulings ending at the corners.
        calm: share of cells photographed as most are, with the crop nearly in place and little blur: there the
            digits' shapes decide, not what the camera left of them.
        fine: whether people take a pen fit for the size they write, so that a number struck out does not flow into
            the one beside it.
        underlined: share of the numbers that have a line under them and count all the same.
        dashed: share of cells whose rulings are dashes of any length, which are no zero lines.
        beside_w: share of cells into which the tall W of a neighbouring column reaches.
        printed: share of cells with a figure or a word printed under the writing.
        ruled: whether rulings are drawn.
        neighbours: whether the cells around are written in too.
        scans: share of cells in scanned digits instead of recorded strokes.
        sheets: whether the cells are cut from whole sheets (:mod:`scanner.workshop.sheet_cells`).
    """

    first_shard: int
    mixture: tuple[float, ...]
    hard_digits: bool
    strikes: Strikes
    boxed: float = 0.0
    calm: float = 0.0
    fine: bool = False
    underlined: float = 0.0
    dashed: float = 0.0
    beside_w: float = 0.0
    printed: float = 0.0
    ruled: bool = True
    neighbours: bool = True
    scans: float = 0.15
    sheets: bool = False


PRACTICE = (
    Practice(0, (0.64, 0.14, 0.04, 0.055, 0.04, 0.025, 0.06), False, Strikes()),
    Practice(48, (0.49, 0.31, 0.05, 0.045, 0.03, 0.02, 0.055), True, Strikes()),
    Practice(87, (0.43, 0.34, 0.09, 0.04, 0.03, 0.02, 0.05), True, Strikes(gap=(-0.12, 0.35))),
    Practice(96, (0.45, 0.26, 0.07, 0.05, 0.04, 0.02, 0.11), True, Strikes(gap=(-0.12, 0.35)), boxed=0.25),
    Practice(112, (0.50, 0.24, 0.06, 0.05, 0.04, 0.02, 0.09), True, Strikes(gap=(-0.12, 0.4)), boxed=0.2, calm=0.6),
    Practice(152, (0.42, 0.34, 0.06, 0.05, 0.04, 0.02, 0.07), True,
             Strikes(gap=(-0.08, 0.4), at=(0.2, 1.1), ratio=(0.6, 1.2)), boxed=0.2, calm=0.7, fine=True,
             underlined=0.06),
    Practice(168, (0.41, 0.31, 0.05, 0.045, 0.045, 0.03, 0.11), True,
             Strikes(gap=(-0.08, 0.4), at=(0.2, 1.1), ratio=(0.6, 1.2)), boxed=0.15, calm=0.6, fine=True,
             underlined=0.04, dashed=0.2, beside_w=0.1),
    Practice(178, (0.43, 0.31, 0.05, 0.045, 0.04, 0.025, 0.10), True,
             Strikes(gap=(-0.08, 0.4), at=(0.2, 1.1), ratio=(0.6, 1.2)), boxed=0.15, calm=0.6, fine=True,
             underlined=0.04, dashed=0.15, beside_w=0.07, printed=0.12),
    Practice(188, (0.42, 0.36, 0.05, 0.04, 0.03, 0.02, 0.08), True,
             Strikes(gap=(-0.08, 0.4), at=(0.2, 1.1), ratio=(0.6, 1.2)), boxed=0.15, calm=0.4, fine=True,
             underlined=0.04, dashed=0.1, beside_w=0.05, printed=0.08, scans=0.2),
    Practice(197, (0.56, 0.24, 0.05, 0.055, 0.045, 0.0, 0.05), True, Strikes(), sheets=True),
)


#: How much of the usual trouble (crops off, blur, noise, dark) a calm cell has; a round figure.
_CALM = 0.4


def practice_of(shard: int) -> Practice:
    """What a shard of the pool practises."""
    return [p for p in PRACTICE if p.first_shard <= shard][-1]


def compose(writers: Writers, rng: Rng, practice: Practice = PRACTICE[0]) -> tuple[np.ndarray, str]:
    """One cell as a uint8 RGB crop of its photographed size, with its label in the training alphabet."""
    trouble = _CALM if practice.calm > 0 and rng.random() < practice.calm else 1.0
    scene = random_scene(rng, trouble)
    hand, pen, style = _somebody(writers, rng, practice.scans), random_pen(rng), random_style(rng)
    size = float(np.clip(rng.normal(0.66, 0.14), 0.34, 1.1))
    own, label = _own_text(writers, hand, scene.width, style, size, rng, practice)
    around = _neighbours(writers, hand, scene.width, style, size, rng) if practice.neighbours else Writing()
    if practice.beside_w and rng.random() < practice.beside_w:
        around.add(_w_beside(writers, scene.width, style, size, rng))
    pen = _fit_for(pen, own) if practice.fine else pen
    page = wear.paper(rng, scene.size)
    page = print_under(page, scene, rng) if practice.printed and rng.random() < practice.printed else page
    noise = partial(wear.smooth_noise, rng)
    boxed = practice.boxed > 0 and rng.random() < practice.boxed
    rules = partial(rule, scene=scene, pen=pen, rng=rng, boxed=boxed, dashed=practice.dashed)
    rules = rules if practice.ruled else lambda page: page
    under = rng.random() < 0.97
    page = rules(page) if under else page
    unit = scene.size[0] / 1.3
    for ink in (around, own):
        marks = coverage(ink, scene, pen, pen.width * unit, rng)
        page = lay_ink(page, marks, pen, rng, noise)
    page = page if under else rules(page)
    return wear.camera(wear.light(page, rng, trouble), rng, trouble), label


def _somebody(writers: Writers, rng: Rng, scans: float) -> Hand | RasterHand:
    if writers.rasters and rng.random() < scans:
        return writers.rasters[rng.integers(len(writers.rasters))]
    return writers.strokes[rng.integers(len(writers.strokes))]


def _fit_for(pen: Pen, ink: Writing) -> Pen:
    """The pen, no wider than a seventh of the height of what it wrote: a wider one fills the loops of an 8."""
    if not ink.strokes and not ink.stamps:
        return pen
    _, top, _, bottom = ink.box()
    return replace(pen, width=min(pen.width, max(0.03, (bottom - top) / 7)))


def _own_text(writers: Writers, hand, width: float, style: Style, size: float, rng: Rng,
              practice: Practice) -> tuple[Writing, str]:
    kind = rng.choice(7, p=practice.mixture)
    if kind == 0:
        return written_number(hand, width, style, size, rng, practice.hard_digits, practice.underlined)
    if kind == 1:
        return struck_out(hand, width, style, size, rng, practice.strikes)
    if kind == 2:
        return overwritten(hand, width, style, size, rng)
    if kind == 6:
        return _nothing(rng), ""
    pen_hand = hand if not isinstance(hand, RasterHand) else writers.strokes[rng.integers(len(writers.strokes))]
    return mark(pen_hand, "X-W"[int(kind) - 3], width, style, size, rng)


def _nothing(rng: Rng) -> Writing:
    """An empty cell, now and then with a speck or a tick that means nothing."""
    if rng.random() < 0.8:
        return Writing()
    spot = rng.uniform(0.1, 0.9, 2) * (1.5, 1)
    return Writing([spot + rng.normal(0, 0.02, (3, 2))])


def _neighbours(writers: Writers, hand, width: float, style: Style, size: float, rng: Rng) -> Writing:
    """Ink of the eight cells around, at home in their own cells but as unruly as this one's."""
    ink = Writing()
    for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)):
        if rng.random() > (0.75 if not (dx and dy) else 0.35):
            continue
        wide = float(width * rng.uniform(0.7, 1.4)) if dx else width
        if dy == 1 and not dx and rng.random() < 0.08 and not isinstance(hand, RasterHand):
            text, _ = mark(hand, "W", wide, style, size, rng)
            top = text.box()[1]
            text = text.moved(1, 1, 0, max(0.0, -0.12 - top))
        else:
            text, _ = written_number(hand, wide, style, size, rng)
        ink.add(text.moved(1, 1, width if dx > 0 else -wide if dx < 0 else 0.0, float(dy)))
    return ink


def _w_beside(writers: Writers, width: float, style: Style, size: float, rng: Rng) -> Writing:
    """A winner's W over one to three rows in the column left or right, often running over into this cell."""
    hand = writers.strokes[rng.integers(len(writers.strokes))]
    wide = float(width * rng.uniform(0.8, 1.5))
    ink, _ = mark(hand, "W", wide, style, size, rng)
    left, _, right, _ = ink.box()
    into = float(rng.uniform(-0.1, 0.35))
    across = into - right if rng.random() < 0.5 else width - into - left
    return ink.moved(1, 1, across, float(rng.uniform(-0.8, 0.8)))
