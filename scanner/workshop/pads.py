"""Printed pads for any layout: a head, one to several ruled games, a foot, on paper; with the rulings' exact places.

Frames: millimetres of the page while it is planned, pixels of the page (x right, y down, centres of pixels whole) in
what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scanner.sheet.layout import Layout
from scanner.workshop.heads import Field, Head, print_foot, print_head
from scanner.workshop.papers import cut_out, sheet_of_paper
from scanner.workshop.printing import FAMILIES, Plate, Word
from scanner.workshop.rulings import RulingStyle, random_rulings, rule_grid

Rng = np.random.Generator
Colour = tuple[float, float, float]

_PRESS_INKS: tuple[Colour, ...] = ((0.07, 0.07, 0.08), (0.25, 0.25, 0.27), (0.10, 0.16, 0.45), (0.62, 0.10, 0.12),
                                   (0.08, 0.36, 0.20), (0.40, 0.25, 0.12), (0.20, 0.45, 0.70), (0.45, 0.20, 0.45))


@dataclass(frozen=True, eq=False)
class Page:
    """A pad's top sheet, flat.

    Attributes:
        layout: what the columns mean.
        pixels: float32 RGB 0 to 1, shape (H, W, 3).
        mask: uint8 (H, W), 255 where there is paper.
        nodes: for every grid from the left, float (lines + 1, columns + 1, 2): crossings of the rulings, page pixels.
        fields: where names, date and the like are written, by key, page pixels.
        pitch: mean height of a hand's row, page pixels.
        ppm: page pixels to the millimetre.
    """

    layout: Layout
    pixels: np.ndarray
    mask: np.ndarray
    nodes: tuple[np.ndarray, ...]
    fields: dict[str, Field]
    pitch: float
    ppm: float

    def cell(self, grid: int, row: int, key: str) -> np.ndarray:
        """Corners of a cell, (4, 2) clockwise from the top left; ``grid`` from 0, ``row`` from 1 under the heading."""
        i, j = row - 1 + self.layout.heading_rows, self.layout.keys.index(key)
        n = self.nodes[grid]
        return np.array([n[i, j], n[i, j + 1], n[i + 1, j + 1], n[i + 1, j]])


@dataclass(frozen=True)
class PadStyle:
    """Everything a pad's printer decides but the words."""

    stretch: tuple[float, float]
    gap: float
    margins: tuple[float, float]
    foot: float
    faces: tuple[str, str]
    words: Colour
    rules: Colour
    rulings: RulingStyle
    heading: str
    heading_size: float
    titles: int
    casing: str
    numbers: bool
    zebra: float
    unevenness: float


def random_style(rng: Rng, trouble: float = 0.5, ink: Colour | None = None) -> PadStyle:
    """A pad style; ``trouble`` from 0 (clean print) to 1; ``ink`` is the writer's, as some pads are ruled like it."""
    size = float(rng.uniform(0.8, 1.35))
    words = _PRESS_INKS[int(rng.integers(len(_PRESS_INKS)))]
    rules = words if rng.random() < 0.6 else _PRESS_INKS[int(rng.integers(len(_PRESS_INKS)))]
    if ink is not None and rng.random() < 0.15 + 0.2 * trouble:
        rules = ink
    return PadStyle(
        stretch=(size, size * float(rng.uniform(0.93, 1.08))), gap=float(rng.uniform(2, 14)),
        margins=(float(rng.uniform(4, 17)), float(rng.uniform(4, 17))), foot=float(rng.uniform(3, 35)),
        faces=FAMILIES[int(rng.integers(len(FAMILIES)))], words=words, rules=rules,
        rulings=random_rulings(rng, trouble),
        heading=str(rng.choice(["plain", "inverse", "tinted"], p=[0.74, 0.1, 0.16])),
        heading_size=float(rng.uniform(0.28, 0.55)), titles=int(rng.choice(2, p=[0.75, 0.25])),
        casing=str(rng.choice(["upper", "title"])), numbers=bool(rng.random() < 0.15),
        zebra=float(rng.uniform(0.04, 0.12)) if rng.random() < 0.12 else 0.0,
        unevenness=float(rng.uniform(0, 0.012)) if rng.random() < trouble else 0.0)


def print_pad(layout: Layout, rng: Rng, *, ppm: float = 12.0, trouble: float = 0.5, ink: Colour | None = None) -> Page:
    """A fresh page of a random pad with this layout.

    Args:
        ppm: pixels to the millimetre; a row is about 9 mm high.
        trouble: 0 for clean pads to 1 for stained, faint, dotted ones.
        ink: RGB of the pen that will write on it; some pads are ruled in the same colour.
    """
    style = random_style(rng, trouble, ink)
    grid = layout.x_lines[-1] * style.stretch[0], layout.y_lines[-1] * style.stretch[1]
    width = sum(style.margins) + layout.games * grid[0] + (layout.games - 1) * style.gap + 6 * style.numbers
    plate = Plate(width, 420.0, ppm)
    head = print_head(plate, Head(width, style.margins, style.faces, style.titles, style.casing), rng)
    left = style.margins[0] + 6 * style.numbers
    origins = [(left + g * (grid[0] + style.gap), head.bottom) for g in range(layout.games)]
    for x, y in origins:
        _print_words(plate, layout, style, x, y)
    foot = head.bottom + grid[1] + style.foot
    height = print_foot(plate, Head(width, style.margins, style.faces, style.titles, style.casing), foot, rng)
    pitch = float(np.mean(layout.row_heights)) * style.stretch[1] * ppm
    nodes = tuple(_nodes(layout, style, origin, ppm, pitch, rng) for origin in origins)
    shape = round(height * ppm), plate.pixels.shape[1]
    paper = sheet_of_paper(rng, shape, pitch, trouble)
    pixels = _pressed(paper, plate.pixels[: shape[0]], nodes, layout, style, pitch, rng)
    return Page(layout, pixels, cut_out(rng, shape, pitch, trouble), nodes, head.fields, pitch, ppm)


def title(layout: Layout, column: int, style: PadStyle) -> str:
    """The heading printed over a column; the pads' words agree (US with THEM)."""
    titles = layout.columns[column].titles
    word = titles[min(style.titles, len(titles) - 1)] if titles else ""
    return word.upper() if style.casing == "upper" else word.title()


def _print_words(plate: Plate, layout: Layout, style: PadStyle, x: float, y: float) -> None:
    """Headings and row numbers of one grid whose corner is at (x, y) millimetres."""
    xs = [x + v * style.stretch[0] for v in layout.x_lines]
    ys = [y + v * style.stretch[1] for v in layout.y_lines]
    if layout.heading_rows:
        high = ys[1] - ys[0]
        if style.heading == "inverse":
            plate.box(xs[0], ys[0], xs[-1], ys[1])
        for j in range(len(layout.columns)):
            word = Word(title(layout, j, style), style.faces[1], style.heading_size * high)
            word = plate.fitted(word, 0.86 * (xs[j + 1] - xs[j]))
            plate.put(word, (xs[j] + xs[j + 1]) / 2, (ys[0] + ys[1]) / 2 + 0.36 * word.size, "m",
                      0 if style.heading == "inverse" else 255)
    if style.numbers:
        for i, (top, bottom) in enumerate(zip(ys[layout.heading_rows:], ys[layout.heading_rows + 1:], strict=False), 1):
            plate.put(Word(str(i), style.faces[0], 0.3 * (bottom - top)), x - 1.2, (top + bottom) / 2 + 1.0, "r")


def _nodes(
    layout: Layout, style: PadStyle, origin: tuple[float, float], ppm: float, pitch: float, rng: Rng
) -> np.ndarray:
    """Crossings of one grid in page pixels; each line may lie a little off its place, as on cheap print."""
    xs = (origin[0] + np.array(layout.x_lines) * style.stretch[0]) * ppm
    ys = (origin[1] + np.array(layout.y_lines) * style.stretch[1]) * ppm
    xs = xs + rng.normal(0, style.unevenness * pitch, len(xs)) if style.unevenness else xs
    ys = ys + rng.normal(0, style.unevenness * pitch, len(ys)) if style.unevenness else ys
    return np.stack(np.meshgrid(xs, ys), axis=-1)


def _pressed(page: np.ndarray, words: np.ndarray, nodes: tuple[np.ndarray, ...], layout: Layout, style: PadStyle,
             pitch: float, rng: Rng) -> np.ndarray:
    """Paper with words and rulings printed on it."""
    rules = np.zeros(page.shape[:2], np.uint8)
    middle = len(layout.columns) // 2 if len(layout.columns) % 2 == 0 else None
    for n in nodes:
        rule_grid(rules, n, style.rulings, pitch, layout.heading_rows, middle, rng)
        _tint(page, n, layout, style)
    for mask, colour in ((words, style.words), (rules, style.rules)):
        rows = np.flatnonzero(mask.any(axis=1))
        if len(rows):
            part = slice(rows[0], rows[-1] + 1)
            cover = mask[part, :, None].astype(np.float32) / 255
            page[part] *= 1 - cover * (1 - np.asarray(colour, np.float32))
    return page


def _tint(page: np.ndarray, nodes: np.ndarray, layout: Layout, style: PadStyle) -> None:
    """Shaded heading and every other row, in the colour of the words."""
    shade = 1 - np.asarray(style.words, np.float32)
    x0, x1 = round(nodes[0, 0, 0]), round(nodes[0, -1, 0])
    ys = np.round(nodes[:, 0, 1]).astype(int)
    if style.heading == "tinted" and layout.heading_rows:
        page[ys[0]:ys[1], x0:x1] *= 1 - 0.25 * shade
    if style.zebra:
        for i in range(layout.heading_rows, len(ys) - 1, 2):
            page[ys[i]:ys[i + 1], x0:x1] *= 1 - style.zebra * shade
