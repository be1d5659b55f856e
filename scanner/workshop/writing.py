"""What stands in a training cell, and how it is set: texts, struck-out numbers, marks, their place in the cell.

Everything is in *row units*: the row height is 1, the cell's own top left corner is (0, 0), x to the right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scanner.workshop.hands import RasterHand
from scanner.workshop.pens import Hand, Rng, Style, set_line

#: Labels of the training alphabet: ten digits, ten struck digits (a-j), set mark, zero line, W.
STRUCK = "abcdefghij"


@dataclass
class Writing:
    """Ink in row units: strokes, and scanned digits as (coverage image, x, y, height)."""

    strokes: list[np.ndarray] = field(default_factory=list)
    stamps: list[tuple[np.ndarray, float, float, float]] = field(default_factory=list)

    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of all ink."""
        points = [s for s in self.strokes]
        points += [np.array([[x, y], [x + h * i.shape[1] / i.shape[0], y + h]]) for i, x, y, h in self.stamps]
        every = np.concatenate(points)
        return (*every.min(0), *every.max(0))

    def moved(self, scale_x: float, scale_y: float, dx: float, dy: float) -> Writing:
        """The same ink scaled about the origin, then shifted."""
        stamps = [(i, x * scale_x + dx, y * scale_y + dy, h * scale_y) for i, x, y, h in self.stamps]
        return Writing([s * (scale_x, scale_y) + (dx, dy) for s in self.strokes], stamps)

    def add(self, other: Writing) -> None:
        """Takes the other ink in."""
        self.strokes.extend(other.strokes)
        self.stamps.extend(other.stamps)


def line(hand: Hand | RasterHand, text: str, style: Style, rng: Rng) -> Writing:
    """A text one unit high with its left edge at 0; scanned hands stamp digits side by side."""
    if not isinstance(hand, RasterHand):
        return Writing(set_line(hand, text, style, rng))
    stamps, x = [], 0.0
    for char in text:
        image = hand.image(char, rng)
        height = float(np.exp(rng.normal(0, style.size_jitter)))
        stamps.append((image, x, 1 - height + float(rng.normal(0, style.drift)), height))
        x += height * image.shape[1] / image.shape[0] + max(style.gap, 0.02) + abs(float(rng.normal(0, 0.04)))
    return Writing(stamps=stamps)


#: Shares of the digits where the hard ones are practised: 1 is lost beside a ruling and taken for 4 or 7, 4 for 9.
_HARD_DIGITS = (0.07, 0.20, 0.07, 0.09, 0.13, 0.07, 0.07, 0.12, 0.07, 0.11)


def random_number(rng: Rng, hard: bool = False) -> str:
    """A number to write: every digit equally likely in its place, so the reader learns shapes and no sums."""
    length = rng.choice(4, p=[0.10, 0.26, 0.54, 0.10]) + 1
    if length == 4:
        return str(rng.integers(1000, 2000))
    digits = "".join(str(d) for d in rng.choice(10, length, p=_HARD_DIGITS if hard else None))
    lead = digits.lstrip("0") or "0"
    return digits if len(lead) == len(digits) or rng.random() < 0.15 else str(rng.integers(1, 10)) + digits[1:]


def place(ink: Writing, width: float, size: float, rng: Rng) -> Writing:
    """Ink set into a cell of ``width`` row heights: squeezed if it would run over much, shifted as people do."""
    left, top, right, bottom = ink.box()
    reach = (right - left) * size
    squeeze = min(1.0, width * rng.uniform(0.85, 1.12) / max(reach, 1e-3))
    reach *= squeeze
    slack = width - reach
    side = rng.choice(4, p=[0.35, 0.35, 0.15, 0.15])
    x = {0: slack / 2 + rng.normal(0, 0.12), 1: rng.uniform(0.02, 0.25), 2: slack - rng.uniform(0.02, 0.25),
         3: slack * rng.uniform(-0.1, 1.1)}[int(side)]
    x = float(np.clip(x, min(-0.15, slack / 2), max(slack + 0.15, slack / 2)))
    y = float(np.clip(0.5 - size / 2 + rng.normal(0.02, 0.11), -0.22, max(1.15 - size, -0.2)))
    return ink.moved(size * squeeze, size, x - left * size * squeeze, y)


def written_number(hand, width: float, style: Style, size: float, rng: Rng,
                   hard: bool = False, underlined: float = 0.0) -> tuple[Writing, str]:
    """A number in its cell, a share of them underlined; the label is what the eye sees, leading zeros included."""
    text = random_number(rng, hard)
    ink = place(line(hand, text, style, rng), width, size, rng)
    if rng.random() < 0.02:
        ink.strokes.append(_circle(ink.box(), rng))
    if underlined and rng.random() < underlined:
        ink.strokes.append(_underline(ink.box(), rng))
    return ink, text


def overwritten(hand, width: float, style: Style, size: float, rng: Rng) -> tuple[Writing, str]:
    """A number with one digit written over another in place; the later digit, pressed harder, counts."""
    text = random_number(rng)
    first = list(text)
    spot = int(rng.integers(len(text)))
    first[spot] = str(rng.integers(0, 10))
    tidy = Style(style.slant, style.gap, style.condense, 0.02, 0.03, 0.02)
    seed = int(rng.integers(2 ** 32))
    below = line(hand, "".join(first), tidy, np.random.default_rng(seed))
    above = line(hand, text, tidy, np.random.default_rng(seed))
    below.add(above)
    below.add(above.moved(1, 1, 0.02, 0.01))
    return place(below, width, size, rng), text


@dataclass(frozen=True)
class Strikes:
    """How numbers are struck out.

    Attributes:
        gap: room between the struck number and its correction, in digit heights.
        at: heights of the line through it, as parts of its height from the top; at 1 it runs along the feet of the
            digits, as a hurried line does.
        ratio: the correction's size over the struck number's.
    """

    gap: tuple[float, float] = (0.05, 0.4)
    at: tuple[float, float] = (0.3, 0.7)
    ratio: tuple[float, float] = (0.75, 1.25)


def struck_out(hand, width: float, style: Style, size: float, rng: Rng,
               strikes: Strikes = Strikes()) -> tuple[Writing, str]:  # noqa: B008 (a frozen value)
    """A crossed-out number with the live one beside, above or over it; struck digits are labelled a to j."""
    old, new = random_number(rng), random_number(rng)
    if rng.random() < 0.6:
        new = near(old, rng)
    dead, live = line(hand, old, style, rng), line(hand, new, style, rng)
    dense = _strike(dead, strikes.at, rng)
    struck = "" if dense else "".join(STRUCK[int(d)] for d in old)
    how = rng.random()
    if how < 0.62:
        return _beside(dead, live, width, size, struck, new, strikes, rng)
    small = size * rng.uniform(0.5, 0.75)
    ink = place(dead, width * rng.uniform(0.6, 1), small, rng)
    over = place(live, width, small * rng.uniform(0.8, 1.2), rng)
    shift = rng.uniform(0.35, 0.6) * (1 if rng.random() < 0.2 else -1)
    both = ink.moved(1, 1, 0, shift * -0.5)
    both.add(over.moved(1, 1, 0, shift * 0.5))
    return both, struck + new


def _beside(dead: Writing, live: Writing, width: float, size: float, struck: str, new: str,
            strikes: Strikes, rng: Rng) -> tuple[Writing, str]:
    """Old and new side by side, the new one mostly to the right, both squeezed to fit or nearly."""
    ratio = rng.uniform(*strikes.ratio)
    live = live.moved(ratio, ratio, 0, (1 - ratio) * rng.uniform(0, 1))
    first, second, label = (dead, live, struck + new) if rng.random() < 0.85 else (live, dead, new + struck)
    both = Writing(list(first.strokes), list(first.stamps))
    gap = float(rng.uniform(*strikes.gap)) - second.box()[0]
    both.add(second.moved(1, 1, first.box()[2] + gap, 0))
    fit = min(size, width * rng.uniform(0.9, 1.15) / max(both.box()[2] - both.box()[0], 1e-3) / rng.uniform(0.6, 1.0))
    return place(both, width, max(fit, 0.28), rng), label


def near(text: str, rng: Rng) -> str:
    """A correction of a number: one digit changed, two swapped, or ten more or less."""
    digits = list(text)
    spot = int(rng.integers(len(digits)))
    if rng.random() < 0.25 and len(digits) > 1:
        spot = max(spot, 1)
        digits[spot - 1], digits[spot] = digits[spot], digits[spot - 1]
    else:
        digits[spot] = str(rng.integers(0, 10))
    return "".join(digits).lstrip("0") or "0"


def _strike(ink: Writing, at: tuple[float, float], rng: Rng) -> bool:
    """Crosses the ink out in place; True if so densely that nobody could read it any more."""
    left, top, right, bottom = ink.box()
    height, reach = bottom - top, right - left
    kind = rng.choice(5, p=[0.38, 0.2, 0.14, 0.18, 0.10])
    x = np.linspace(left - reach * 0.1, right + reach * 0.1, 24)
    if kind <= 1:
        for _ in range(1 if kind == 0 else int(rng.integers(2, 5))):
            y = top + height * (rng.uniform(*at) + np.linspace(0, 1, 24) * rng.normal(0, 0.15))
            ink.strokes.append(np.column_stack([x, y + 0.03 * np.sin(x * 4 + rng.uniform(0, 6))]))
    elif kind == 2:
        rise = np.linspace(0.05, 0.95, 24) if rng.random() < 0.5 else np.linspace(0.95, 0.05, 24)
        ink.strokes.append(np.column_stack([x, top + height * rise]))
        if rng.random() < 0.5:
            ink.strokes.append(np.column_stack([x, top + height * rise[::-1]]))
    else:
        turns = rng.uniform(3, 6) if kind == 3 else rng.uniform(10, 18)
        t = np.linspace(0, 1, 120)
        y = top + height * (0.5 + rng.uniform(0.2, 0.45) * np.sin(t * turns * 2 * np.pi))
        ink.strokes.append(np.column_stack([left + reach * t + 0.05 * np.sin(t * turns * 9), y]))
    return bool(kind == 4)


def _underline(box: tuple[float, float, float, float], rng: Rng) -> np.ndarray:
    """A line under a number that counts, as people draw under a final score."""
    left, _, right, bottom = box
    x = np.linspace(left + rng.normal(0, 0.08), right + rng.normal(0, 0.08), 12)
    return np.column_stack([x, bottom + rng.uniform(0.0, 0.12) + np.linspace(0, 1, 12) * rng.normal(0, 0.05)])


def _circle(box: tuple[float, float, float, float], rng: Rng) -> np.ndarray:
    t = np.linspace(rng.uniform(0, 6), rng.uniform(6.2, 7.2) + 6, 40)
    x = (box[0] + box[2]) / 2 + ((box[2] - box[0]) / 2 + 0.1) * np.cos(t)
    y = (box[1] + box[3]) / 2 + ((box[3] - box[1]) / 2 + 0.05) * np.sin(t)
    return np.column_stack([x, y])


def mark(hand: Hand, kind: str, width: float, style: Style, size: float, rng: Rng) -> tuple[Writing, str]:
    """A set mark (XX, XXX), a zero line (-, --, ~) or a W over one to three rows, with its one-letter label."""
    if kind == "X":
        text = "XXX" if rng.random() < 0.3 else "XX"
        return place(line(hand, text, style, rng), width, size * rng.uniform(0.6, 1.15), rng), "X"
    if kind == "-":
        char = "~" if rng.random() < 0.3 else "-"
        text = char * (2 if rng.random() < 0.15 else 1)
        ink = line(hand, text, style, rng).moved(rng.uniform(0.5, 1.6), rng.uniform(0.4, 1.2), 0, 0)
        left, top, right, bottom = ink.box()
        ink = ink.moved(1, 1, 0, 0.5 - (top + bottom) / 2)
        return place(ink, width, size, rng), "-"
    tall = float(rng.choice([1.0, 1.6, 2.4])) * rng.uniform(0.75, 1.1)
    ink = line(hand, "W", style, rng).moved(min(1.0, width / tall) * tall * rng.uniform(0.7, 1.05), tall, 0, 0)
    left, top, right, bottom = ink.box()
    rows = max(tall - 0.9, 0)
    down = -rng.uniform(0, rows) - top + rng.normal(0.0, 0.08)
    return ink.moved(1, 1, (width - right - left) / 2 + rng.normal(0, 0.1), down), "W"
