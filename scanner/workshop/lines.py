"""One training line: a name or date written on a line of a pad's head, as a phone would show it, and what it says.

The reader of such a line must read the handwriting at its middle and nothing else: printed labels before and behind,
print and writing above and below that reach into the strip, the writing line itself.  Frame of the composition: the
writing's cap height is 1, its base line at y = 1, its left edge at x = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from PIL import Image, ImageDraw

from scanner.reader.lines import fold
from scanner.workshop import wear
from scanner.workshop.letters import LetterHand, set_words
from scanner.workshop.pens import Pen, Rng, draw, lay_ink, random_pen, random_style
from scanner.workshop.phrases import random_phrase
from scanner.workshop.printing import FAMILIES, advertiser, font, game_name

#: Drawn this many times larger than photographed, then shrunk by area for clean edges.
_FINE = 2

_LABELS = ("We", "They", "Us", "Them", "Date", "Team", "Teams", "Table", "Game", "Round", "Names", "Home", "Visitors")


@dataclass(frozen=True)
class Strip:
    """A strip around a line: ``left``, ``top``, ``right``, ``bottom`` in cap heights, ``unit`` pixels to one."""

    left: float
    top: float
    right: float
    bottom: float
    unit: float

    @property
    def size(self) -> tuple[int, int]:
        """Height and width in photographed pixels."""
        return (max(12, round((self.bottom - self.top) * self.unit)),
                max(24, round((self.right - self.left) * self.unit)))

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Cap heights to pixels of the drawing."""
        return (points - (self.left, self.top)) * (self.unit * _FINE)


def compose_line(hands: tuple[LetterHand, ...], rng: Rng, text: str | None = None) -> tuple[np.ndarray, str]:
    """One strip as uint8 RGB of its photographed size, with its label in the reader's letters.

    ``text`` is what is written, by default a random phrase.
    """
    hand, pen = hands[rng.integers(len(hands))], random_pen(rng)
    text = random_phrase(rng) if text is None else text
    style = random_style(rng)
    spread = float(np.exp(rng.normal(0, 0.12)))
    own = [s * (spread, 1.0) for s in set_words(hand, text, style, rng)]
    reach = max((float(s[:, 0].max()) for s in own), default=float(rng.uniform(1, 6)))
    strip = _random_strip(reach, rng)
    around = _other_writing(hand, style, strip, rng)
    line = (pen.width * float(rng.uniform(1.1, 1.75))) * strip.unit * _FINE
    ink, print_ = _blank(strip), _print(strip, reach, rng)
    draw(ink, [strip.pixels(s) for s in own + around], max(1.0, line), pen, rng)
    ink, print_ = _bend(rng, ink, print_)
    page, noise = wear.paper(rng, strip.size), partial(wear.smooth_noise, rng)
    page = lay_ink(page, _shrunk(print_, strip), _press(pen, rng), rng, noise)
    page = lay_ink(page, _shrunk(ink, strip), pen, rng, noise)
    return wear.camera(wear.light(page, rng), rng), fold(text)


def _random_strip(reach: float, rng: Rng) -> Strip:
    """A strip cut with more or less room: the writing takes a third to four fifths of its height, near the middle."""
    tall = 1 / float(np.clip(rng.normal(0.52, 0.12), 0.3, 0.85))
    spare = tall - 1
    above = spare * float(np.clip(rng.normal(0.5, 0.14), 0.05, 0.95))
    height = float(np.exp(rng.uniform(np.log(20), np.log(72))))
    left = float(rng.choice([rng.uniform(0.05, 0.6), rng.uniform(0.6, 4.0)]))
    right = float(rng.choice([rng.uniform(0.05, 1.0), rng.uniform(1.0, 8.0)], p=[0.6, 0.4]))
    return Strip(-left, -above, reach + right, 1 + spare - above, height / tall)


def _blank(strip: Strip) -> np.ndarray:
    height, width = strip.size
    return np.zeros((height * _FINE, width * _FINE), np.uint8)


def _other_writing(hand: LetterHand, style, strip: Strip, rng: Rng) -> list[np.ndarray]:
    """Writing of the lines above and below that reaches into the strip."""
    out: list[np.ndarray] = []
    for sign in (-1, 1):
        if rng.random() < 0.3:
            shift = (float(rng.uniform(-3, 3)), sign * float(rng.uniform(1.35, 2.4)))
            strokes = [s + shift for s in set_words(hand, random_phrase(rng), style, rng)]
            out += [s for s in strokes if s[:, 1].max() > strip.top and s[:, 1].min() < strip.bottom]
    return out


def _print(strip: Strip, reach: float, rng: Rng) -> np.ndarray:
    """The pad's own print: writing line, labels before and behind, words and rulings above and below."""
    height, width = strip.size
    image = Image.new("L", (width * _FINE, height * _FINE), 0)
    pen = ImageDraw.Draw(image)
    face, size = FAMILIES[rng.integers(len(FAMILIES))][int(rng.random() < 0.3)], float(rng.uniform(0.35, 0.9))
    base = 1 + float(rng.normal(0.08, 0.1))
    if rng.random() < 0.75:
        _label(pen, strip, face, size, -float(rng.uniform(0.15, 0.9)), base, "rs", rng)
    if rng.random() < 0.25:
        _label(pen, strip, face, size, reach + float(rng.uniform(0.3, 5)), base, "ls", rng)
    if rng.random() < 0.85:
        _writing_line(pen, strip, (-0.3 + float(rng.normal(0, 0.3)), strip.right - float(rng.uniform(-1, 1.5))),
                      base + float(rng.uniform(0, 0.15)), rng)
    if rng.random() < 0.45:
        words = game_name(rng) if rng.random() < 0.5 else advertiser(rng)[0]
        _words(pen, strip, words, face, float(rng.uniform(0.6, 1.6)), float(rng.uniform(-3, reach)),
               -float(rng.uniform(0.0, 0.9)), "ls")
    if rng.random() < 0.3:
        down = 1.3 + float(rng.uniform(0.1, 1.2))
        pen.line([*_at(strip, strip.left, down), *_at(strip, strip.right, down + float(rng.normal(0, 0.05)))], 255,
                 max(1, round(0.05 * strip.unit * _FINE)))
    return np.array(image)


def _at(strip: Strip, x: float, y: float) -> tuple[float, float]:
    return tuple(float(v) for v in strip.pixels(np.array([x, y])))


def _label(pen, strip: Strip, face: str, size: float, x: float, y: float, anchor: str, rng: Rng) -> None:
    word = _LABELS[rng.integers(len(_LABELS))] + str(rng.choice([":", "", " -", ".", "#"], p=[.55, .25, .08, .08, .04]))
    _words(pen, strip, word.upper() if rng.random() < 0.3 else word, face, size, x, y, anchor)


def _words(pen, strip: Strip, words: str, face: str, size: float, x: float, y: float, anchor: str) -> None:
    if "♠" not in words:
        pen.text(_at(strip, x, y), words, font=font(face, max(6, round(size * strip.unit * _FINE))), fill=255,
                 anchor=anchor)


def _writing_line(pen, strip: Strip, span: tuple[float, float], y: float, rng: Rng) -> None:
    """A solid, dotted or dashed line to write on."""
    thick = max(1, round(float(rng.uniform(0.02, 0.07)) * strip.unit * _FINE))
    kind = rng.random()
    step = 50.0 if kind < 0.65 else float(rng.uniform(0.12, 0.3))
    part = 1.0 if kind < 0.65 else float(rng.uniform(0.25, 0.7))
    for x in np.arange(span[0], span[1], step):
        pen.line([*_at(strip, x, y), *_at(strip, min(x + step * part, span[1]), y)], 255, thick)


def _bend(rng: Rng, *masks: np.ndarray) -> list[np.ndarray]:
    """All layers turned, sheared and curled alike."""
    height, width = masks[0].shape
    slope = float(rng.normal(0, 0.02)) if rng.random() < 0.85 else float(rng.normal(0, 0.05))
    slope = float(np.clip(slope, -0.25 * height / width, 0.25 * height / width))
    lean, depth = float(rng.normal(0, 0.06)), float(rng.normal(0, 0.02)) * height
    xs, ys = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    wave = depth * np.sin(xs[0] * float(rng.uniform(1, 5)) / width + float(rng.uniform(0, 6)))
    down = ys + (slope * (xs[0] - width / 2) + wave).astype(np.float32)
    across = xs + np.float32(lean) * (ys - height / 2)
    return [cv2.remap(m, across.astype(np.float32), down.astype(np.float32), cv2.INTER_LINEAR) for m in masks]


def _shrunk(mask: np.ndarray, strip: Strip) -> np.ndarray:
    height, width = strip.size
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _press(pen: Pen, rng: Rng) -> Pen:
    """The printer's ink, now and then the same colour as the writer's."""
    colour = pen.colour if rng.random() < 0.15 else rng.uniform(0, 1, 3) * float(rng.choice([0.15, 0.5, 0.85]))
    return Pen("print", 0, tuple(float(c) for c in colour), float(rng.uniform(0.4, 1.0)))
