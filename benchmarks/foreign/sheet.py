"""One written sheet: a printed pad, the games a keeper wrote on it, the names, the date, and their truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.foreign.hands import Hand
from benchmarks.foreign.keeper import Game, Habits, keep
from benchmarks.foreign.pads import Pad
from benchmarks.foreign.paper import Paper, Pen
from benchmarks.foreign.printing import name_lines, printed
from benchmarks.foreign.writing import Box, Writer

TEAMS = ("OWLS", "JOKERS", "MULES", "RED JACKS", "BELL RINGERS", "KINGS", "WEST SIDE", "HICKS", "PIGEONS", "LUCKY 9",
         "TURKEYS", "FIFTY CLUB", "PROFITS", "DADS", "RENEGES", "QUEENS", "OLD HANDS", "NIGHT SHIFT", "ACES", "BARGES")


@dataclass(frozen=True)
class Written:
    """A sheet as it lies there: its picture and what it says; ``games`` has None for a grid nobody used."""

    paper: Paper
    pad: Pad
    hand: Hand
    games: tuple[Game | None, ...]
    teams: dict[str, str]
    date: tuple[str, str]  # as written, and ISO


def write_sheet(rng: np.random.Generator, pad: Pad, hand: Hand, pens: tuple[Pen, Pen], habits: Habits) -> Written:
    """A filled-in sheet; ``pens``: the usual one, and the one that corrects."""
    paper = printed(pad, rng)
    writer = Writer(hand, rng)
    # Nobody writes small digits with a thick felt pen.
    thickest = 0.15 * hand.size * pad.stretch[1] * pad.layout.row_heights[0]
    pens = tuple(replace(pen, width=min(pen.width, thickest)) for pen in pens)
    used = [i == 0 or rng.random() < 0.7 for i in range(pad.layout.games)]
    games = tuple(keep(rng, pad.layout, habits) if here else None for here in used)
    teams = dict(zip(("we", "they"), (str(t) for t in rng.choice(TEAMS, 2, replace=False)), strict=True))
    date = _date(rng)
    for what, box in name_lines(pad).items():
        text = date[0] if what == "date" else teams[what]
        paper.write(writer.words(text, box), pens[0], rng)
    for grid, game in enumerate(games):
        if game is not None:
            _write_game(paper, pad, grid, game, writer, pens, rng)
    return Written(paper, pad, hand, games, teams, date)


def _date(rng: np.random.Generator) -> tuple[str, str]:
    year, month, day = int(rng.integers(2019, 2027)), int(rng.integers(1, 13)), int(rng.integers(1, 29))
    sign = str(rng.choice(["-", "/"]))
    short = str(year) if rng.random() < 0.3 else f"{year % 100:02d}"
    return f"{month}{sign}{day}{sign}{short}", f"{year}-{month:02d}-{day:02d}"


def cell_box(pad: Pad, grid: int, row: int, column: int) -> Box:
    """Rulings around a hand row's cell, millimetres; rows from 1."""
    xs, ys = pad.lines(grid)
    top = row - 1 + pad.layout.heading_rows
    return xs[column], ys[top], xs[column + 1], ys[top + 1]


def _write_game(paper: Paper, pad: Pad, grid: int, game: Game, writer: Writer, pens: tuple[Pen, Pen],
                rng: np.random.Generator) -> None:
    struck = {(s.row, s.cell): s for s in game.struck}
    second = pens[1] if rng.random() < 0.3 else pens[0]
    ticked = rng.random() < 0.12
    for number, row in enumerate(game.rows, 1):
        for column, key in enumerate(pad.layout.keys):
            box, text = _inner(cell_box(pad, grid, number, column)), row[key]
            change = struck.get((number, key))
            if change is None:
                paper.write(_text(writer, text, box), pens[0], rng)
            elif change.beside:
                old, new = writer.corrected(change.text, text, box)
                paper.write(old, pens[0], rng)
                paper.write(new, second, rng)
            else:
                _overwrite(paper, writer, change.text, text, box, pens[0], rng)
        if ticked and rng.random() < 0.8:
            x0, y0, x1, y1 = cell_box(pad, grid, number, len(pad.layout.keys) - 1)
            size = (y1 - y0) * 0.4
            paper.write(writer.tick(x1 + 0.35 * size, y0 + 0.25 * (y1 - y0), size), second, rng)
    if game.winner_mark:
        paper.write(writer.won(_won_box(pad, grid, game, rng)), second, rng)


def _inner(box: Box) -> Box:
    x0, y0, x1, y1 = box
    edge = 0.04 * (x1 - x0)
    return x0 + edge, y0, x1 - edge, y1


def _text(writer: Writer, text: str, box: Box) -> list[np.ndarray]:
    if not text:
        return []
    return writer.number(text, box) if text.isdigit() else writer.mark(text, box)


def _overwrite(paper: Paper, writer: Writer, old: str, new: str, box: Box, pen: Pen, rng: np.random.Generator) -> None:
    """The wrong digits written lightly, the right number pressed over them twice, at the same place."""
    state = rng.bit_generator.state
    light = Pen(pen.name, pen.width * 0.85, pen.colour, pen.cover * 0.45, pen.pressure, pen.skips, pen.grain)
    first = writer.number(old, box)
    rng.bit_generator.state = state  # the same wobble again: the new number stands where the old one does
    second = writer.number(new, box)
    heavy = Pen(pen.name, pen.width * 1.7, pen.colour, min(0.98, pen.cover * 1.15), pen.pressure)
    paper.write(first, light, rng)
    paper.write(second, heavy, rng)


def _won_box(pad: Pad, grid: int, game: Game, rng: np.random.Generator) -> Box:
    """Where the W goes: under the last row where there is room, else over the last two."""
    column = pad.layout.keys.index(f"{game.winner_mark}_total")
    done, rows = len(game.rows), pad.layout.rows
    tall = min(int(rng.integers(1, 4)), rows - done)
    first, last = (done + 1, done + tall) if tall else (done - 1, done)
    x0, y0, x1, _ = cell_box(pad, grid, first, column)
    y1 = cell_box(pad, grid, last, column)[3]
    wide, high = x1 - x0, y1 - y0
    side = max(0.08, (1 - 1.5 * high / wide) / 2) * wide
    return x0 + side, y0 + 0.1 * high, x1 - side, y1 - 0.08 * high
