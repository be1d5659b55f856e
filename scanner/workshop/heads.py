"""The printed head of a pad (advertiser, the game's name, lines for names and date) and its foot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scanner.workshop.printing import SUITS_FACE, Plate, Word, advertiser, game_name, small_print

Rng = np.random.Generator


@dataclass(frozen=True)
class Field:
    """A line to write on, in pixels of the page: from x0 to x1, base line y, and the height a hand may use."""

    x0: float
    x1: float
    y: float
    height: float


@dataclass(frozen=True)
class Head:
    """What the head shares with the rest of the pad; lengths in millimetres, ``faces`` plain and bold."""

    width: float
    margins: tuple[float, float]
    faces: tuple[str, str]
    titles: int
    casing: str


@dataclass(frozen=True)
class Printed:
    """A printed head: its lower edge in millimetres and the lines to write on, in pixels."""

    bottom: float
    fields: dict[str, Field]


def print_head(plate: Plate, head: Head, rng: Rng) -> Printed:
    """Prints a head from the page's top and says where it ends."""
    y = float(rng.uniform(4, 10))
    if rng.random() < 0.85:
        y = _banner(plate, head, advertiser(rng), y, rng)
    if rng.random() < 0.9:
        size = float(rng.uniform(3.0, 6.0))
        word = plate.fitted(Word(game_name(rng), head.faces[1], size, float(rng.choice([0.0, 0.0, 0.5]))), _room(head))
        plate.put(word, head.width / 2, y + size, "m")
        y += size + float(rng.uniform(1, 4))
    if rng.random() < 0.15:
        plate.put(Word("♠ ♥ ♣ ♦", SUITS_FACE, 3.5), head.width / 2, y + 3.2, "m")
        y += 5
    y, fields = _lines(plate, head, y, rng)
    return Printed(y + float(rng.uniform(1.5, 8)), fields)


def print_foot(plate: Plate, head: Head, y: float, rng: Rng) -> float:
    """Prints the foot from ``y`` on and gives the page's height, both in millimetres."""
    for line in small_print(rng):
        word = plate.fitted(Word(line, head.faces[0], float(rng.uniform(1.8, 2.6))), _room(head))
        y += 1.5 * word.size
        plate.put(word, head.width / 2, y, "m")
    return y + float(rng.uniform(3, 8))


def _room(head: Head) -> float:
    return 0.94 * (head.width - 4)


def _banner(plate: Plate, head: Head, lines: list[str], y: float, rng: Rng) -> float:
    """Prints the advertiser's lines: plain, framed or white on a dark band; at the middle, left or right."""
    kind = str(rng.choice(["plain", "frame", "band"], p=[0.75, 0.12, 0.13]))
    anchor = str(rng.choice(["m", "l", "r"], p=[0.78, 0.15, 0.07])) if kind == "plain" else "m"
    x = {"m": head.width / 2, "l": head.margins[0], "r": head.width - head.margins[1]}[anchor]
    words, big = [], float(rng.uniform(3.2, 6.5))
    for i, line in enumerate(lines):
        face, size = (head.faces[1], big) if i == 0 else (head.faces[0], big * float(rng.uniform(0.5, 0.75)))
        room = _room(head) - (0.6 * head.margins[0] if kind == "plain" else 4)
        words.append(plate.fitted(Word(line, face, size), room))
    bottom = y + sum(1.35 * w.size for w in words)
    if kind == "band":
        plate.box(2, y - 0.5, head.width - 2, bottom + 1.5)
    elif kind == "frame":
        plate.box(3, y - 0.5, head.width - 3, bottom + 1.5, line=0.4)
    for word in words:
        y += 1.35 * word.size
        plate.put(word, x, y - 0.15 * word.size, anchor, 0 if kind == "band" else 255)
    return y + (1.5 if kind == "plain" else 4.0)


def _lines(plate: Plate, head: Head, y: float, rng: Rng) -> tuple[float, dict[str, Field]]:
    """Lines for the teams, the date and sometimes table, game and round; returns their lower edge too."""
    sides = (("We", "They"), ("Us", "Them"))[head.titles]
    date, extra = [("Date", "date")], []
    for label, key in (("Table", "table"), ("Game", "game"), ("Round", "round")):
        if rng.random() < 0.18:
            extra.append((label, key))
    teams = [(sides[0], "we"), (sides[1], "they")]
    rows = [teams, date + extra[:2]] if rng.random() < 0.5 else [[teams[0]], [teams[1]], date + extra[:2]]
    if rng.random() < 0.25:
        rows = rows[-1:] + rows[:-1]
    size, pitch = float(rng.uniform(2.4, 3.6)), float(rng.uniform(7.0, 11.0))
    end = str(rng.choice([":", "", " -", "."], p=[0.5, 0.3, 0.1, 0.1]))
    dotted, fields = rng.random() < 0.2, {}
    for row in rows:
        y += pitch
        room = (head.width - sum(head.margins)) / len(row)
        for i, (label, key) in enumerate(row):
            x = head.margins[0] + i * room
            word = Word((label.upper() if head.casing == "upper" else label) + end, head.faces[0], size)
            plate.put(word, x, y)
            x0 = x + plate.width(word) + 1.0
            x1 = x + room - 2.0 if len(row) > 1 else x + room * float(rng.uniform(0.6, 1.0))
            fields[key] = Field(x0 * plate.ppm, x1 * plate.ppm, y * plate.ppm, 0.8 * pitch * plate.ppm)
            _underline(plate, x0, x1, y + 0.5, dotted)
    return y + 1.0, fields


def _underline(plate: Plate, x0: float, x1: float, y: float, dotted: bool) -> None:
    step = 1.2 if dotted else x1 - x0
    for x in np.arange(x0, x1 - 0.01, step):
        plate.box(float(x), y, float(x) + (0.4 if dotted else x1 - x0), y + 0.2)
