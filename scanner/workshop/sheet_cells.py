"""Training cells cut from whole photographed sheets: rulings, light, curl and neighbours as they come together.

Cells composed one by one (:mod:`scanner.workshop.cells`) are cut off and lit each in its own way. Here one of the
recorded writers fills a printed pad, the whole sheet is photographed and cut along rulings a little off, as found ones
are. What stands in the cells is drawn as there, digit by digit, so nothing is learnt of sums or games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import SimpleNamespace

import cv2
import numpy as np

from scanner.photo.cells import cut_cells
from scanner.sheet.layout import Layout, built_in_layouts, parse_layout
from scanner.sheet.texts import EMPTY, SET, ZERO
from scanner.workshop.cells import Practice
from scanner.workshop.develop import compressed
from scanner.workshop.games import Entry, WrittenGame
from scanner.workshop.hands import Writers
from scanner.workshop.pens import Rng
from scanner.workshop.samples import TROUBLE, fresh_page, random_sheet, take_shot
from scanner.workshop.sheets import random_scribe, write_page
from scanner.workshop.writing import STRUCK, near, random_number

Cell = tuple[np.ndarray, str]

#: Shares of the levels the sheets are drawn at: mostly hard, since on easy ones there is little left to learn.
_LEVELS = {"brutal": 0.5, "hard": 0.3, "medium": 0.2}
#: Share of sheets on pads of no known widths, and ranges of these in millimetres.
_OWN_PAD, _COLUMN, _ROW = 0.4, (14.0, 30.0), (7.0, 11.0)
#: How far cuts are off: standard deviations of a shift, in row heights, and of the scale about the grid's middle.
_SHIFTED, _SCALED = 0.03, 0.002
#: Written cells whose grey values, from the 5th to the 95th percentile, span less than this hold ink that nobody sees.
_SEEN = 14.0
#: Rows left for the W under the last hand of a game, and the share of their cells that are practised as empty ones.
_BELOW, _EMPTY_SHARE = 3, 0.25


def cells_of_sheets(writers: Writers, rng: Rng, practice: Practice) -> Iterator[Cell]:
    """Cells without end, each as a uint8 RGB crop with its label in the training alphabet."""
    while True:
        yield from _one_sheet(writers, rng, practice)


def _one_sheet(writers: Writers, rng: Rng, practice: Practice) -> list[Cell]:
    level = str(rng.choice(list(_LEVELS), p=list(_LEVELS.values())))
    layouts = (random_layout(rng),) if rng.random() < _OWN_PAD else built_in_layouts()
    plan = replace(random_sheet(rng, level, layouts), hands=1)
    layout = next(one for one in layouts if one.name == plan.layout)
    hand = writers.strokes[int(rng.integers(len(writers.strokes)))]
    scribes = [random_scribe(hand, rng, TROUBLE[level])]
    page = fresh_page(plan, layout, scribes, rng)
    filled = [_filled(layout, rng, practice) for _ in range(layout.games)]
    page = write_page(page, [grid.game for grid in filled], scribes, {}, rng)
    shot = take_shot(plan, page, [grid.game for grid in filled], TROUBLE[level], rng)
    pixels = compressed(shot.pixels, plan.quality)
    found = []
    for grid, nodes in zip(filled, shot.nodes, strict=True):
        crops = cut_cells(pixels, SimpleNamespace(nodes=_off(nodes, rng)), layout)
        found += [(crop, grid.labels[place]) for place, crop in crops.items()
                  if place in grid.labels and (not grid.labels[place] or _seen(crop))]
    return found


def random_layout(rng: Rng) -> Layout:
    """A pad with the columns of a built-in one in widths and rows of its own."""
    model = built_in_layouts()[int(rng.integers(len(built_in_layouts())))]
    widths = {key: rng.uniform(*_COLUMN) for key in model.keys}
    columns = "".join(f'[[columns]]\nkey = "{key}"\nwidth = {width:.1f}\n' for key, width in widths.items())
    row = rng.uniform(*_ROW)
    return parse_layout(f'name = "practice"\nrows = {model.rows}\nrow_height = {row:.1f}\n{columns}', "practice.toml")


@dataclass(frozen=True, eq=False)
class _Filled:
    """A grid's entries as a game to be written, and the label of every cell that may be practised, by (row, key)."""

    game: WrittenGame
    labels: dict[tuple[int, str], str]


def _filled(layout: Layout, rng: Rng, practice: Practice) -> _Filled:
    """Something in every cell down to the last rows, which the W of one side takes."""
    rows, labels = [], {}
    for row in range(1, layout.rows + 1 - _BELOW):
        drawn = {key: _entry(rng, practice) for key in layout.keys}
        rows.append({key: entry for key, (entry, _) in drawn.items()})
        labels |= {(row, key): label for key, (_, label) in drawn.items()}
    side = str(rng.choice(["we", "they"]))
    for row in range(layout.rows + 1 - _BELOW, layout.rows + 1):
        # How far down the W's own column it reaches is not known here; its arms in the others are no writing.
        others = [key for key in layout.keys if not key.startswith(side)]
        labels |= {(row, key): "" for key in others if rng.random() < _EMPTY_SHARE}
    return _Filled(WrittenGame(tuple(rows), (), side, side), labels)


def _entry(rng: Rng, practice: Practice) -> tuple[Entry, str]:
    """What stands in one cell, and its label; a W by itself is left to the composed cells."""
    shares = np.array(practice.mixture) * (1, 1, 1, 1, 1, 0, 1)
    kind = int(rng.choice(7, p=shares / shares.sum()))
    if kind == 3:
        return Entry(SET, "XXX" if rng.random() < 0.3 else "XX"), "X"
    if kind == 4:
        return Entry(ZERO, str(rng.choice(["-", "--", "~"], p=[0.6, 0.1, 0.3]))), "-"
    if kind == 6:
        return Entry(EMPTY, ""), ""
    text = random_number(rng, practice.hard_digits)
    if kind == 1:
        return _struck(text, rng)
    if kind == 2:
        place = int(rng.integers(len(text)))
        return Entry(text, text, over=text[:place] + str(rng.integers(10)) + text[place + 1 :]), text
    return Entry(text, text), text


def _struck(old: str, rng: Rng) -> tuple[Entry, str]:
    new = near(old, rng) if rng.random() < 0.6 else random_number(rng)
    where = str(rng.choice(["beside", "before", "above", "over"], p=[0.62, 0.08, 0.2, 0.1]))
    dead = "".join(STRUCK[int(digit)] for digit in old)
    return Entry(new, new, struck=old, placed=where), new + dead if where == "before" else dead + new


def _off(nodes: np.ndarray, rng: Rng) -> np.ndarray:
    """Crossings as a search might find them."""
    row = float(np.linalg.norm(np.diff(nodes, axis=0), axis=-1).mean())
    middle = nodes.mean(axis=(0, 1))
    return (nodes - middle) * (1 + rng.normal(0, _SCALED, 2)) + middle + rng.normal(0, _SHIFTED * row, 2)


def _seen(crop: np.ndarray) -> bool:
    low, high = np.percentile(cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY), (5, 95))
    return bool(high - low >= _SEEN)
