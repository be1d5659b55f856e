"""Printed pads of the built-in layouts: geometry, rulings, headings, adverts and paper, drawn by this package alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.foreign.paper import Colour
from scanner.sheet.layout import Layout, built_in_layouts

ADVERTS = (
    ("HOOSIER TIRE & BRAKE", "Four wheels, one price"), ("Fehrenbacher Meats", "Brain sandwiches every Friday"),
    ("RIVER CITY SAVINGS", "Member since 1911"), ("Wessel's Pharmacy", "Corner of Maryland & Fulton"),
    ("SCHNELL PLUMBING", "Day or night 4-2281"), ("Gerst Haus", "Schnitzel - Beer - Cards"),
    ("UNION LOCAL 103", "Friday night clabber"), ("St. Boniface Men's Club", "Everybody welcome"),
    ("TRI-STATE SEED CO.", "Grow with us"), ("Darmstadt Inn", "Chicken dinners since 1934"),
)
TITLES = ("CLABBER", "Clabber", "CLABBER SCORE", "Official Clabber Score", "CLABBER  -  KLABBERJASS")
FOOTERS = ("Game is 500", "Jack 20 - Nine 14 - last trick 10", "Please recycle", "Form 27-B", "")
SANS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf")
FACES = ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "LiberationSerif-Bold.ttf", "DejaVuSerif.ttf",
         "LiberationSansNarrow-Bold.ttf", "LiberationSerif-Italic.ttf", "DejaVuSansMono-Bold.ttf")


@dataclass(frozen=True)
class Ruling:
    """How lines are printed: width in millimetres, colour, strength 0 to 1, pattern, and what is doubled."""

    width: float = 0.3
    colour: Colour = (0.1, 0.1, 0.1)
    strength: float = 0.9
    pattern: str = "solid"  # solid, dotted, dashed, broken
    frame: str = "single"  # single, heavy, double
    heading_line: str = "single"  # the line under the headings: single, heavy, double


@dataclass(frozen=True)
class Pad:
    """One printed page.

    Attributes:
        layout: what the columns mean.
        size: of the page, millimetres.
        grids: top left corner of every grid, millimetres on the page.
        stretch: millimetres on paper for one of the layout's, across and down.
        paper: colour of the paper.
        pattern: what is printed or pressed under everything: plain, weave, dots, wash.
        title, advert, footer, face: the words of the head and their typeface.
        heading_shade: darkness of a tint behind the headings, 0 for none.
        extras: other print that might be taken for rulings, see :data:`EXTRAS`.
    """

    layout: Layout
    size: tuple[float, float]
    grids: tuple[tuple[float, float], ...]
    stretch: tuple[float, float]
    ruling: Ruling
    paper: Colour = (0.97, 0.96, 0.94)
    pattern: str = "plain"
    title: str = "CLABBER"
    advert: tuple[str, str] = ADVERTS[0]
    footer: str = ""
    face: str = FACES[0]
    heading_shade: float = 0.0
    heading_hidden: bool = False
    extras: tuple[str, ...] = ()

    def lines(self, grid: int) -> tuple[np.ndarray, np.ndarray]:
        """Places of a grid's vertical and horizontal rulings, millimetres on the page."""
        x, y = self.grids[grid]
        wide, high = self.stretch
        return x + np.array(self.layout.x_lines) * wide, y + np.array(self.layout.y_lines) * high

    def nodes(self, grid: int) -> np.ndarray:
        """Crossings of a grid's rulings, millimetres, shape (rows + 2, columns + 1, 2), line by line from the top."""
        xs, ys = self.lines(grid)
        return np.stack(np.meshgrid(xs, ys), axis=-1)

    @property
    def head(self) -> tuple[float, float, float]:
        """Left, right and bottom of the head, millimetres."""
        return self.lines(0)[0][0], self.lines(len(self.grids) - 1)[0][-1], self.grids[0][1]


#: A frame around the page, numbers before the rows, holes of a spiral, a row of little boxes, ruled margins.
EXTRAS = ("border", "numbers", "holes", "tally", "margins")

#: Paper as printers offer it.
PAPERS: tuple[Colour, ...] = ((0.97, 0.97, 0.96), (0.98, 0.95, 0.88), (0.96, 0.96, 0.99), (0.95, 0.93, 0.86))
TINTS: tuple[Colour, ...] = ((0.98, 0.93, 0.70), (0.84, 0.92, 0.80), (0.97, 0.84, 0.84), (0.80, 0.88, 0.96),
                             (0.86, 0.82, 0.72))
INKS: tuple[Colour, ...] = ((0.1, 0.1, 0.1), (0.12, 0.2, 0.5), (0.1, 0.35, 0.2), (0.55, 0.12, 0.12),
                            (0.35, 0.35, 0.35), (0.25, 0.5, 0.75), (0.45, 0.3, 0.15))


def print_pad(rng: np.random.Generator, layout: Layout | None = None) -> Pad:
    """A pad as some printer of the town might make it."""
    layout = layout or _pick(rng, built_in_layouts())
    scale = rng.uniform(0.8, 1.25)
    stretch = (scale * rng.uniform(0.97, 1.03), scale * rng.uniform(0.97, 1.03))
    wide, high = layout.x_lines[-1] * stretch[0], layout.y_lines[-1] * stretch[1]
    gap, side = rng.uniform(6, 16), rng.uniform(7, 20)
    top, foot = rng.uniform(26, 48), rng.uniform(8, 22)
    grids = tuple((side + i * (wide + gap), top) for i in range(layout.games))
    size = (2 * side + layout.games * wide + (layout.games - 1) * gap, top + high + foot)
    return Pad(layout, size, grids, stretch, _ruling(rng), **_looks(rng))


def _looks(rng: np.random.Generator) -> dict:
    tinted = rng.random() < 0.25
    return {
        "paper": _pick(rng, TINTS if tinted else PAPERS),
        "pattern": str(rng.choice(["plain", "plain", "plain", "weave", "dots", "wash"])),
        "title": _pick(rng, TITLES), "advert": _pick(rng, ADVERTS), "footer": _pick(rng, FOOTERS),
        "face": _pick(rng, FACES), "heading_shade": float(rng.choice([0, 0, 0.12, 0.25])),
    }


def _ruling(rng: np.random.Generator) -> Ruling:
    return Ruling(
        width=rng.uniform(0.18, 0.5), colour=_pick(rng, INKS), strength=rng.uniform(0.65, 0.95),
        pattern=str(rng.choice(["solid", "solid", "solid", "dashed"])),
        frame=str(rng.choice(["single", "heavy", "double"])),
        heading_line=str(rng.choice(["single", "heavy", "double"])),
    )


def faint(rng: np.random.Generator, pad: Pad, pattern: str) -> Pad:
    """The pad with rulings a person still sees: ``pale``, ``dotted`` or ``broken`` ones."""
    if pattern == "pale":
        ruling = Ruling(rng.uniform(0.2, 0.35), _pick(rng, INKS[1:]), rng.uniform(0.22, 0.35))
    else:
        ruling = replace(pad.ruling, pattern=pattern, strength=rng.uniform(0.6, 0.9), frame="single",
                         heading_line="single")
    return replace(pad, ruling=ruling)


def _pick(rng: np.random.Generator, things: tuple):
    return things[int(rng.integers(len(things)))]
