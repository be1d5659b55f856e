"""Hands that write words: letters from a stroke collection, set on a base line by their typographic class.

The collection scales every sample to its own box, so a recorded "g" is as high as a recorded "l".  What a letter's
height and place are in writing is known beforehand, and that is put back here.  Frame as in
:mod:`scanner.workshop.pens`: capitals and digits reach from y = 0 to the base line at y = 1, descenders go below.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from scanner.workshop.glyphs import own_hand
from scanner.workshop.hands import held_out_writer, samples
from scanner.workshop.pens import Glyph, Hand, Rng, Style, set_line

#: Top and bottom of a letter's box when its writer has an x-height of 1 and a cap height of 1: (class, drop).
_SMALL, _DESCENDING, _TALL = "acemnorsuvwxz", "gpqy", "bdfhkl"
#: How far below the base line descenders reach, in cap heights.
_DROP = 0.38


@dataclass
class LetterHand:
    """One writer's letters, digits and signs; what is missing comes from ``lender``.

    Attributes:
        x_height: of small letters, in cap heights.
        joined: whether small letters are tied together by a stroke, as in cursive writing.
    """

    writer: str
    lender: Hand
    x_height: float = 0.58
    joined: bool = False
    glyphs: dict[str, list[Glyph]] = field(default_factory=lambda: defaultdict(list))

    def glyph(self, char: str, rng: Rng) -> Glyph:
        """A fresh instance of a character at its place on the line, left edge at 0."""
        known = self.glyphs.get(char)
        if not known:
            return self.lender.glyph(char, rng)
        glyph = known[rng.integers(len(known))]
        top, bottom = _span(char, len(glyph), self.x_height, rng)
        if char == "-":
            reach = float(rng.uniform(0.25, 0.5))
            return tuple(s * (reach, reach) + (0.0, float(rng.uniform(0.5, 0.7))) for s in glyph)
        return tuple(s * (bottom - top) + (0.0, top) for s in glyph)


def _span(char: str, strokes: int, x_height: float, rng: Rng) -> tuple[float, float]:
    """Top and bottom of a character's box."""
    small = 1 - x_height * float(rng.uniform(0.93, 1.07))
    if char in _SMALL:
        return small, 1.0
    if char in _DESCENDING:
        return small, 1 + _DROP * float(rng.uniform(0.7, 1.2))
    if char == "i":
        return (small - 0.25 if strokes > 1 else small), 1.0
    if char == "j":
        return (small - 0.25 if strokes > 1 else small), 1 + _DROP
    if char == "t":
        return float(rng.uniform(0.0, 0.3)), 1.0
    if char == "f":
        return 0.0, 1.0 if rng.random() < 0.6 else 1 + _DROP
    if char == "/":
        return -0.05, float(rng.uniform(1.0, 1.15))
    if char == "+":
        return float(rng.uniform(0.2, 0.45)), float(rng.uniform(0.85, 1.0))
    return (float(rng.uniform(-0.05, 0.05)) if char in _TALL else 0.0), 1.0


def load_letter_hands(folder: Path, held_out: bool = False) -> tuple[LetterHand, ...]:
    """Writers who left both small and capital letters, then a fifth as many of the project's own.

    Args:
        folder: holds ``unipen_train``.
        held_out: the writers kept out of training instead of those in it.

    Raises:
        FileNotFoundError: a collection is missing.
    """
    found: dict[str, LetterHand] = {}
    first = 190_000 if held_out else 110_000
    for name in ("lower", "letters", "digits", "symbols"):
        for sample in samples(folder / f"unipen_train/unipen_{name}.jsonl.gz"):
            char = sample["l"]
            if held_out_writer(sample["w"]) != held_out or char in "*=_|~":
                continue
            if sample["w"] not in found:
                rng = np.random.default_rng([first, len(found)])
                found[sample["w"]] = LetterHand(sample["w"], own_hand(first + len(found)),
                                                float(np.clip(rng.normal(0.58, 0.08), 0.42, 0.78)),
                                                bool(rng.random() < 0.3))
            found[sample["w"]].glyphs[char].append(_boxed(sample["s"], char))
    full = [h for h in found.values() if sum(c.islower() for c in h.glyphs) >= 15]
    full = [h for h in full if sum(c.isupper() for c in h.glyphs) >= 8] or full
    own = [LetterHand(f"own-{i}", own_hand(first + 50_000 + i)) for i in range(max(1, len(full) // 5))]
    return tuple(full + own)


def _boxed(strokes: list[list[float]], char: str) -> Glyph:
    """Recorded strokes with their box one unit high (a dash: one unit wide), left top at the origin."""
    arrays = [np.asarray(s, np.float32).reshape(-1, 2) for s in strokes if len(s) >= 2]
    points = np.concatenate(arrays)
    low, high = points.min(0), points.max(0)
    width, height = np.maximum(high - low, 1e-3)
    scale = 1 / width if char == "-" else 1 / max(height, 0.4 * width)
    return tuple(((a - low) * scale).astype(np.float32) for a in arrays)


def set_words(hand: LetterHand, text: str, style: Style, rng: Rng) -> list[np.ndarray]:
    """Strokes of a line of writing, left edge at x = 0, base line near y = 1; spaces are gaps of a word."""
    strokes: list[np.ndarray] = []
    x, last, before = 0.0, None, " "
    space = float(rng.uniform(0.3, 0.8))
    for char in text:
        if char == " ":
            x, last, before = x + space * float(rng.uniform(0.8, 1.3)), None, char
            continue
        glyph = [s + (x, 0.0) for s in set_line(hand, char, style, rng)]
        tied = hand.joined and before.islower() and char.islower()
        if tied and last is not None:
            _tie(strokes, last, glyph[0][0])
        strokes.extend(glyph)
        right = max(float(s[:, 0].max()) for s in glyph)
        gap = style.gap * 0.8 + float(rng.normal(0, 0.05))
        x, last, before = max(x + 0.08, right + max(gap, -0.15)), max(glyph, key=len)[-1], char
    return strokes


def _tie(strokes: list[np.ndarray], a: np.ndarray, b: np.ndarray) -> None:
    """A connecting stroke from the end of one letter to the start of the next, sagging a little."""
    if np.linalg.norm(b - a) > 0.8:
        return
    t = np.linspace(0, 1, 8)[:, None]
    sag = np.array([0.0, 0.12 * float(np.linalg.norm(b - a))])
    strokes.append(a + (b - a) * t + sag * 4 * t * (1 - t))
