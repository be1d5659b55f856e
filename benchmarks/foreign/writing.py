"""What a hand puts into a cell, as pen paths in millimetres: numbers, marks, corrections, the W, names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.foreign.hands import CAPITALS, SHAPES, Hand
from benchmarks.foreign.strokes import bent, parse, slanted, smooth, trembling

#: Curves of one piece of writing, each (n, 2) in millimetres on the page.
Ink = list[np.ndarray]
#: x0, y0, x1, y1 in millimetres on the page.
Box = tuple[float, float, float, float]
#: Strokes join digits only over this much of a height; a longer one would look like a part of a digit itself.
_JOINED = 0.4
#: Heights from one digit to the next at least: two upright ones nearer than this run into one under a thick pen.
_LEAST = 0.2


class Writer:
    """A hand at work: the shapes of its digits are bent once, in its own way, and then vary a little each time."""

    def __init__(self, hand: Hand, rng: np.random.Generator) -> None:
        haste = rng.uniform(0.8, 1.7)  # the same hand is tidier on one evening than on another
        self.hand, self.rng = replace(hand, looseness=hand.looseness * haste), rng
        self._own = {digit: self._bend(SHAPES[f"{digit} {shape}"], 0.025) for digit, shape in hand.shapes.items()}
        self._letters = {letter: self._bend(path, 0.03) for letter, path in CAPITALS.items()}

    def _bend(self, path: str, amount: float) -> list[tuple[np.ndarray, np.ndarray]]:
        seed = int(self.rng.integers(1 << 30))  # one field for all strokes of a glyph, so they still meet
        return [(bent(np.random.default_rng(seed), points, amount), corners) for points, corners in parse(path)]

    def number(self, text: str, box: Box, size: float | None = None) -> Ink:
        """A number in its cell, as high as the hand writes; condensed where the cell is too narrow."""
        x0, y0, x1, y1 = box
        row = y1 - y0
        height = row * (size or self.hand.size) * self.rng.uniform(0.93, 1.07)
        curves, width = self._line([self._own[d] for d in text], self.hand.breadth)
        squeeze = min(1.0, 0.98 * (x1 - x0) / (width * height))
        room = max(0.0, (x1 - x0) - width * height * squeeze)
        left = x0 + room * np.clip(self.hand.align + self.rng.normal(0, 0.12), 0.02, 0.98)
        base = y1 - (row - height) * np.clip(0.5 + self.rng.normal(0, 0.22), 0.05, 1.0)
        tilt = self.rng.normal(0, 0.025)
        place = np.array([left, base - height])
        inked = [place + c * height * (squeeze, 1.0) for c in curves]
        return [np.column_stack([c[:, 0], c[:, 1] - (c[:, 0] - left) * tilt]) for c in inked]

    def _line(self, glyphs: list, breadth: float) -> tuple[Ink, float]:
        """Curves of glyphs side by side in heights, and their width."""
        out: Ink = []
        pen = 0.0
        for i, glyph in enumerate(glyphs):
            curves = self._glyph(glyph, breadth)
            low = min(c[:, 0].min() for c in curves)
            high = max(c[:, 0].max() for c in curves)
            rise = self.rng.normal(0, 0.02)
            curves = [c + (pen - low, rise) for c in curves]
            if i and self.rng.random() < self.hand.joins:
                dx, dy = curves[0][0] - out[-1][-1]
                if 0 < dx < _JOINED and abs(dy) < _JOINED:
                    out.append(np.linspace(out[-1][-1], curves[0][0], 6) + (0, 0.02))
            out += curves
            pen += max(high - low + self.hand.gap + self.rng.normal(0, 0.03), _LEAST)
        return out, max(c[:, 0].max() for c in out)

    def _glyph(self, glyph: list, breadth: float) -> Ink:
        seed, hand, rng = int(self.rng.integers(1 << 30)), self.hand, self.rng
        size = 1 + rng.normal(0, 0.04)
        lean = hand.slant + rng.normal(0, 0.03)
        curves = []
        for points, corners in glyph:
            points = bent(np.random.default_rng(seed), points, hand.looseness)
            points = points + rng.normal(0, hand.looseness / 3, points.shape)
            curve = slanted(smooth(points, corners), lean) * (breadth, 1.0)
            curves.append(trembling(rng, (curve - (0, 1)) * size + (0, 1), hand.tremor or 0.002))
        return curves

    def mark(self, text: str, box: Box) -> Ink:
        """A set mark or a zero line in its cell."""
        return self._crosses(box) if text == "XX" else self._dash(box)

    def _crosses(self, box: Box) -> Ink:
        x0, y0, x1, y1 = box
        count, rng = len(self.hand.set_mark), self.rng
        high = (y1 - y0) * np.clip(self.hand.size * rng.uniform(0.8, 1.1), 0.45, 0.85)
        wide = min(high * rng.uniform(0.7, 1.0), (x1 - x0) / (count + 0.6))
        left = x0 + ((x1 - x0) - wide * count * 1.1) * rng.uniform(0.3, 0.7)
        top = y0 + (y1 - y0 - high) * rng.uniform(0.3, 0.7)
        out: Ink = []
        for i in range(count):
            a = np.array([left + i * wide * 1.1, top]) + rng.normal(0, 0.05, 2) * high
            ends = rng.normal(0, 0.07, (4, 2)) * high
            out.append(self._pull(a + ends[0], a + (wide, high) + ends[1]))
            out.append(self._pull(a + (wide, 0) + ends[2], a + (0, high) + ends[3]))
        return out

    def _dash(self, box: Box) -> Ink:
        x0, y0, x1, y1 = box
        rng, kind = self.rng, self.hand.zero_mark
        wide = min((y1 - y0) * rng.uniform(0.6, 1.1), 0.75 * (x1 - x0))
        left = x0 + (x1 - x0 - wide) * rng.uniform(0.35, 0.65)
        y = y0 + (y1 - y0) * rng.uniform(0.42, 0.6)
        if kind == "~":
            x = np.linspace(0, 1, 20)
            return [np.column_stack([left + x * wide, y - np.sin(x * 2 * np.pi) * 0.13 * (y1 - y0)])]
        half = wide * (0.42 if kind == "--" else 1.0)
        starts = (left, left + wide - half) if kind == "--" else (left,)
        return [self._pull(np.array([s, y]), np.array([s + half, y - rng.normal(0, 0.04) * wide])) for s in starts]

    def _pull(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """One quick stroke with a little bow."""
        t = np.linspace(0, 1, 9)[:, None]
        across = np.array([-(b - a)[1], (b - a)[0]]) * self.rng.normal(0, 0.05)
        return a + t * (b - a) + 4 * t * (1 - t) * across

    def strike(self, ink: Ink) -> Ink:
        """The line or the scribble that crosses a number out."""
        points = np.concatenate(ink)
        low, high = points.min(axis=0), points.max(axis=0)
        size, rng = high - low, self.rng
        middle = low[1] + size[1] * rng.uniform(0.4, 0.62)
        a, b = np.array([low[0] - 0.08 * size[1], middle]), np.array([high[0] + 0.08 * size[1], middle])
        kind = rng.integers(4)
        if kind == 0:
            return [self._pull(a, b + (0, rng.normal(0, 0.1) * size[1]))]
        if kind == 1:
            return [self._pull(a + (0, d), b + (0, d)) for d in (-0.1 * size[1], 0.12 * size[1])]
        if kind == 2:
            return [self._pull(np.array([a[0], high[1]]), np.array([b[0], low[1]]))]
        turns = np.arange(7)
        x = a[0] + (b[0] - a[0]) * turns / 6
        y = low[1] + size[1] * np.where(turns % 2, 0.22, 0.8)
        return [smooth(np.column_stack([x, y]), np.zeros(7, bool))]

    def corrected(self, old: str, new: str, box: Box) -> tuple[Ink, Ink]:
        """A number struck out with the right one above, under or beside it: (old with its strike, new)."""
        x0, y0, x1, y1 = box
        wide, high = x1 - x0, y1 - y0
        size = min(self.hand.size, 0.62)
        if self.rng.random() < 0.55:  # beside
            share = 0.49
            first = self.number(old, (x0, y0, x0 + wide * share, y1), size * 0.85)
            second = self.number(new, (x0 + wide * (share + 0.04), y0, x1 + 0.02 * wide, y1), size * 0.85)
        else:
            above = self.rng.random() < 0.7
            upper, lower = (x0, y0 - 0.1 * high, x1, y0 + 0.46 * high), (x0, y0 + 0.5 * high, x1, y1 + 0.08 * high)
            first = self.number(old, lower if above else upper, 0.82)
            second = self.number(new, upper if above else lower, 0.86)
        return first + self.strike(first), second

    def won(self, box: Box) -> Ink:
        """The winner's large W over the whole of a box."""
        x0, y0, x1, y1 = box
        return [np.array([x0, y0]) + c * (x1 - x0, y1 - y0) * np.array([1.5, 1.0])
                for c in self._glyph(self._letters["W"], 1.0)]

    def tick(self, x: float, y: float, size: float) -> Ink:
        """A tick behind a checked row."""
        return [np.array([[0, 0.5], [0.3, 1.0], [1.0, 0.0]]) * size + (x, y) + self.rng.normal(0, 0.06, (3, 2)) * size]

    def words(self, text: str, box: Box) -> Ink:
        """Capitals, digits and signs on a line of the head."""
        x0, y0, x1, y1 = box
        height = (y1 - y0) * 0.72
        out: Ink = []
        pen = 0.0
        for letter in text.upper():
            if letter == " ":
                pen += 0.45
                continue
            curves = self._glyph(self._own.get(letter) or self._letters[letter], 0.95)
            low, high = min(c[:, 0].min() for c in curves), max(c[:, 0].max() for c in curves)
            out += [c + (pen - low, 0) for c in curves]
            pen += high - low + 0.2
        squeeze = min(1.0, (x1 - x0) / (pen * height))
        return [np.array([x0, y1 - height]) + c * height * (squeeze, 1.0) for c in out]
