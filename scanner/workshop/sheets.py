"""A game written on a pad in one hand, or two: numbers set as people set them, struck-out ones, marks, the W, the head.

All places are worked out in the page's pixels; a hand's own measure is the row height (``pitch``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scanner.sheet.texts import EMPTY, SET, ZERO
from scanner.workshop.games import Entry, WrittenGame
from scanner.workshop.heads import Field
from scanner.workshop.pads import Page
from scanner.workshop.pens import Hand, Pen, Style, draw, lay_ink, random_pen, random_style, set_line
from scanner.workshop.strikes import fitted, moved, reach, strike
from scanner.workshop.wear import smooth_noise

Rng = np.random.Generator
Strokes = list[np.ndarray]


@dataclass(frozen=True)
class Scribe:
    """A person with a pen, and how that person uses a cell.

    Attributes:
        size: digit height in row heights.
        side: where a number goes: 0 left, 0.5 middle, 1 right.
        stray: how far it strays from there, in row heights.
        crowd: widest writing in cell widths; above 1 it runs over the ruling.
        rise: base line's lift from the row's middle line, in row heights.
        slope: of the written line, radians.
    """

    hand: Hand
    pen: Pen
    style: Style
    size: float
    side: float
    stray: float
    crowd: float
    rise: float
    slope: float


def random_scribe(hand: Hand, rng: Rng, trouble: float = 0.5, pen: Pen | None = None) -> Scribe:
    """Somebody about to write; ``trouble`` from 0 (neat, a good pen) to 1 (crowded, straying, a bad pen)."""
    style = random_style(rng)
    calm = 0.35 + 0.65 * trouble
    style = replace(style, slant=0.4 * style.slant, condense=float(np.clip(style.condense, 0.8, 1.25)),
                    wobble=calm * style.wobble, size_jitter=calm * style.size_jitter, drift=calm * style.drift,
                    gap=float(np.clip(style.gap, 0.22 - 0.26 * trouble, 0.35)))
    pen = random_pen(rng) if pen is None else pen
    # A blunt felt pen fills the eyes of small figures: nobody can read those again, so nobody is asked to here.
    pen = replace(pen, skip=trouble * pen.skip, opacity=max(pen.opacity, 0.68 - 0.2 * trouble),
                  width=min(pen.width, 0.065 + 0.035 * trouble))
    return Scribe(
        hand, pen, style,
        size=float(rng.uniform(0.5, 0.62 + 0.25 * trouble)),
        side=float(rng.choice([0.08, 0.5, 0.92], p=[0.25, 0.55, 0.2])),
        stray=float(rng.uniform(0.03, 0.07 + 0.1 * trouble)),
        crowd=float(rng.uniform(0.85, 0.93 + 0.22 * trouble)),
        rise=float(rng.normal(0.02, 0.03 + 0.03 * trouble)),
        slope=float(rng.normal(0, 0.015 + 0.02 * trouble)))


def write_page(page: Page, games: list[WrittenGame], scribes: list[Scribe], heading: dict[str, str], rng: Rng) -> Page:
    """The page with ink on it; the first scribe writes the head, and the second, if any, takes over in mid-game.

    Args:
        games: one for each grid from the left; grids beyond them stay empty.
        heading: texts for the head's lines by field key; those the pad has no line for are left out.
    """
    strokes: list[Strokes] = [[] for _ in scribes]
    for key, text in heading.items():
        if key in page.fields and text:
            strokes[0] += _on_line(scribes[0], text, page.fields[key], rng)
    for number, game in enumerate(games):
        change = int(rng.integers(1, len(game.rows) + 1)) if len(scribes) > 1 else len(game.rows)
        for i, row in enumerate(game.rows):
            who = 0 if i < change else 1
            for key, entry in row.items():
                strokes[who] += _in_cell(scribes[who], entry, page, page.cell(number, i + 1, key), rng)
        strokes[-1] += _winner(scribes[-1], game, page, number, rng)
    pixels = page.pixels
    for scribe, lines in zip(scribes, strokes, strict=True):
        pixels = _inked(pixels, lines, scribe.pen, page.pitch, rng)
    return replace(page, pixels=pixels)


def _inked(pixels: np.ndarray, lines: Strokes, pen: Pen, pitch: float, rng: Rng) -> np.ndarray:
    """The page with one pen's strokes laid on it, worked on only where there are any."""
    if not lines:
        return pixels
    cover = np.zeros(pixels.shape[:2], np.uint8)
    draw(cover, lines, max(1.0, pen.width * pitch), pen, rng)
    rows = np.flatnonzero(cover.any(axis=1))
    top, bottom = rows[0], rows[-1] + 1

    def noise(shape: tuple[int, int], scale: float) -> np.ndarray:
        # The pens measure grain in parts of a one-row picture; here a row is only ``pitch`` of the page.
        return smooth_noise(rng, shape, max(1.5, scale * pitch / shape[0]))

    inked = lay_ink(pixels[top:bottom], cover[top:bottom].astype(np.float32) / 255, pen, rng, noise)
    pixels[top:bottom] = inked
    return pixels


def _in_cell(scribe: Scribe, entry: Entry, page: Page, corners: np.ndarray, rng: Rng) -> Strokes:
    """All ink of one cell in page pixels."""
    left, top = corners[0]
    wide, high = corners[2] - corners[0]
    if entry.text == EMPTY:
        return []
    size = scribe.size * high * float(np.exp(rng.normal(0, 0.05)))
    if entry.struck is not None:
        ink = _corrected(scribe, entry, wide, high, size, rng)
    else:
        ink = _plain(scribe, entry, wide, high, size, rng)
    return moved(ink, (left, top))


def _plain(scribe: Scribe, entry: Entry, wide: float, high: float, size: float, rng: Rng) -> Strokes:
    """A text, or one written over another, about the middle line of a cell whose corner is the origin."""
    if entry.text in (SET, ZERO):
        ink = _mark(scribe, entry, rng)
    else:
        ink = _overwritten(scribe, entry, rng) if entry.over else set_line(scribe.hand, entry.ink, scribe.style, rng)
    ink = fitted(ink, size, scribe.crowd * wide, wide * 0.15)
    return _settled(scribe, ink, wide, high, rng)


def _mark(scribe: Scribe, entry: Entry, rng: Rng) -> Strokes:
    """Turkey tracks, large or small, or a zero line at mid height."""
    ink = set_line(scribe.hand, entry.ink, scribe.style, rng)
    grow = rng.uniform(0.8, 1.25) if entry.text == SET else rng.uniform(0.9, 1.6)
    return [(s - (0, 0.5)) * grow + (0, 0.5) for s in ink]


def _overwritten(scribe: Scribe, entry: Entry, rng: Rng) -> Strokes:
    """The old number with the new digit pressed over it, so that the new one is what anybody sees."""
    tidy = replace(scribe.style, wobble=0.4 * scribe.style.wobble, size_jitter=0.02, drift=0.02)
    seed = int(rng.integers(2**32))
    old = set_line(scribe.hand, entry.over or "", tidy, np.random.default_rng(seed))
    new = set_line(scribe.hand, entry.ink, tidy, np.random.default_rng(seed))
    return old + new + moved(new, (0.03, 0.02))


def _settled(scribe: Scribe, ink: Strokes, wide: float, high: float, rng: Rng) -> Strokes:
    """Ink put where the scribe puts things in a cell of this size."""
    low, far = reach(ink)
    slack = wide - (far[0] - low[0])
    x = slack * (scribe.side if slack > 0 else 0.5) + rng.normal(0, scribe.stray) * min(high, max(slack, 0.1 * high))
    y = high * (0.5 - scribe.rise + rng.normal(0, 0.6 * scribe.stray)) - (low[1] + far[1]) / 2
    middle = np.array([(low[0] + far[0]) / 2, (low[1] + far[1]) / 2])
    cos, sin = np.cos(scribe.slope), np.sin(scribe.slope)
    turned = [(s - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle for s in ink]
    return moved(turned, (x - low[0], y))


def _corrected(scribe: Scribe, entry: Entry, wide: float, high: float, size: float, rng: Rng) -> Strokes:
    """An old text struck out with the new one beside it, or above or over it."""
    old = set_line(scribe.hand, entry.struck or "", scribe.style, rng)
    new = set_line(scribe.hand, entry.ink, scribe.style, rng)
    old = old + strike(old, rng)
    how = entry.placed or rng.choice(["beside", "before", "above", "over"], p=[0.62, 0.08, 0.2, 0.1])
    if how in ("beside", "before"):
        first, second = (old, new) if how == "beside" else (new, old)
        gap = float(rng.uniform(0.12, 0.35))
        both = first + moved(second, (reach(first)[1][0] + gap - reach(second)[0][0], rng.normal(0, 0.06)))
        both = fitted(both, 0.9 * size, min(1.08, max(1.0, scribe.crowd)) * wide, 0.3 * wide)
        return _settled(scribe, both, wide, high, rng)
    small = min(size, 0.56 * high)
    old = _settled(scribe, fitted(old, small, 0.95 * wide, 0.2 * wide), wide, high, rng)
    new = _settled(scribe, fitted(new, small, 0.95 * wide, 0.2 * wide), wide, high, rng)
    # Above: the new one stands on the old one's head and may reach into the row above. Over: half a number higher
    # and aside, the ink of both crossing.
    lift = 0.42 if how == "above" else 0.3
    aside = 0.0 if how == "above" else float(rng.uniform(0.1, 0.3)) * high
    return moved(old, (0, 0.4 * lift * high)) + moved(new, (aside, -(1 - 0.4) * 1.25 * lift * high))


def _winner(scribe: Scribe, game: WrittenGame, page: Page, number: int, rng: Rng) -> Strokes:
    """The large W over one to three rows, under the last hand or over it."""
    if game.winner_mark is None or not game.rows:
        return []
    keys = page.layout.keys
    key = next(k for k in (f"{game.winner_mark}_total", f"{game.winner_mark}_points") if k in keys)
    last, rows = len(game.rows), page.layout.rows
    tall = float(rng.choice([0.95, 1.7, 2.6], p=[0.4, 0.4, 0.2]))
    room = rows - last
    corners = page.cell(number, min(last + 1, rows), key)
    wide, high = corners[2] - corners[0]
    start = 0.1 + rng.normal(0, 0.08)
    if room < tall:
        # No room below: the W goes over the last rows too, across their numbers.
        tall = min(tall, 1.7)
        start = (room if room else 1) - tall
    narrow = min(1.0, 0.95 * wide / (0.8 * tall * high))
    ink = [s * (narrow, 1.0) for s in set_line(scribe.hand, "W", scribe.style, rng)]
    ink = fitted(ink, 0.9 * tall * high, 1.1 * wide, 0.2 * wide)
    low, far = reach(ink)
    x = (wide - far[0] - low[0]) / 2 + rng.normal(0, 0.06) * wide
    return moved(ink, (corners[0][0] + x, corners[0][1] + start * high - low[1]))


def _on_line(scribe: Scribe, text: str, field: Field, rng: Rng) -> Strokes:
    """A name or date on a printed line of the head."""
    ink: Strokes = []
    x = 0.0
    for word in text.split(" "):
        line = set_line(scribe.hand, word, scribe.style, rng)
        ink += moved(line, (x - reach(line)[0][0], 0))
        x += reach(line)[1][0] - reach(line)[0][0] + float(rng.uniform(0.4, 0.6))
    room = field.x1 - field.x0
    low, far = reach(ink)
    size = min(field.height * float(rng.uniform(0.5, 0.8)), 1.05 * room / max(far[0] - low[0], 0.1))
    start = float(rng.uniform(0.0, 0.15)) * max(0.0, room - size * (far[0] - low[0]))
    return moved([s * size for s in ink], (field.x0 + start, field.y - size * (1 + rng.normal(0, 0.05))))
