"""Pads on sheets of paper: as many as fit, with cut marks, as a PDF of lines and letters."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from scanner.press.drawing import Drawing, Words, draw_pad
from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout
from scanner.sheet.plan import LONGEST_NAME, Fixture, one_name, same_in_code

#: Paper by name: width and height in millimetres (ISO 216, ANSI/ASME Y14.1).
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a5": (148.0, 210.0), "legal": (215.9, 355.6)}
#: Millimetres at the paper's edge that office printers leave white.
EDGE = 6.0
#: Between two pads, room for their cut marks.
GUTTER = 4.0
#: A pad is printed smaller to fit, but no row lower than this many millimetres: a hand needs as much.
LEAST_ROW = 6.0
#: Pads in one file. A season of 40 teams has 780 games.
MOST_PADS = 2000
_INCH = 25.4


@dataclass(frozen=True)
class Imposition:
    """How pads lie on the paper: its size in millimetres, columns and rows of pads, and their scale."""

    paper: tuple[float, float]
    columns: int
    rows: int
    scale: float

    @property
    def places(self) -> int:
        """Pads on one sheet of paper."""
        return self.columns * self.rows


def impose(layout: Layout, paper: str) -> Imposition:
    """The way to lay most pads of a layout on a paper, at full size if one fits, else one as large as it goes.

    Raises:
        InputError: unknown paper, or the pad would be too small to write on.
    """
    if paper not in PAPERS:
        raise InputError(f"{paper!r}: no paper of that name is known. Known: {', '.join(PAPERS)}.")
    drawing = draw_pad(layout, Fixture(), Words())
    ways = []
    for size in (PAPERS[paper], PAPERS[paper][::-1]):
        room = [side - 2 * EDGE for side in size]
        columns, rows = (int((r + GUTTER) // (need + GUTTER)) for r, need in
                         zip(room, (drawing.width, drawing.height), strict=True))
        ways.append(Imposition(size, columns, rows, 1.0))
    best = max(ways, key=lambda way: way.places)
    if best.places:
        return best
    scales = [min((w - 2 * EDGE) / drawing.width, (h - 2 * EDGE) / drawing.height) for w, h in (w.paper for w in ways)]
    scale = 0.98 * max(scales)  # the pad's margins do not shrink with it
    lowest = scale * min(layout.row_heights)
    if lowest < LEAST_ROW:
        raise InputError(f"a pad of the layout {layout.name!r} would have rows of {lowest:.1f} mm on {paper}, too low "
                         f"to write in. Take larger paper ({', '.join(PAPERS)}) or fewer games a page.")
    return Imposition(ways[int(np.argmax(scales))].paper, 1, 1, scale)


def pads_pdf(layout: Layout, fixtures: Sequence[Fixture], words: Words, paper: str = "letter") -> bytes:
    """A PDF with one pad for each fixture (an empty one leaves its lines to be filled in by hand).

    Raises:
        InputError: unknown paper, no pads or too many, a pad too small to write on, names its code would mix up,
            or words that are too long or have characters the font lacks.
    """
    refuse_count(len(fixtures))
    _refuse_names(fixtures)
    way = impose(layout, paper)
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.backends.backend_pdf import PdfPages

    stream = io.BytesIO()
    about = {"Title": f"Clabber pads, layout {layout.name}", "CreationDate": None}
    with PdfPages(stream, metadata=about) as pdf:
        for some in _chunks(fixtures, way.places):
            _page(pdf, way, [draw_pad(layout, fixture, words, way.scale) for fixture in some])
    return stream.getvalue()


def refuse_count(pads: int) -> None:
    """Raises InputError for a number of pads that does not go into one file."""
    if not 1 <= pads <= MOST_PADS:
        raise InputError(f"{pads} pads: from 1 to {MOST_PADS} go into one file.")


def _refuse_names(fixtures: Sequence[Fixture]) -> None:
    """A code is believed when a photo of the pad is read, so it must never name another team."""
    for fixture in fixtures:
        if fixture.we and one_name(fixture.we) == one_name(fixture.they):
            raise InputError(f"{fixture.we!r} cannot play itself; correct one of the two names.")
    if mixed := same_in_code(fixtures):
        raise InputError(f"{mixed[0]!r} and {mixed[1]!r} begin alike, and a pad's code holds only the first "
                         f"{LONGEST_NAME} letters of a name; shorten them so that they differ there.")


def _chunks(fixtures: Iterable[Fixture], size: int) -> Iterator[list[Fixture]]:
    rest = iter(fixtures)
    while some := list(islice(rest, size)):
        yield some


def _page(pdf, way: Imposition, drawings: Sequence[Drawing]) -> None:
    from matplotlib.figure import Figure

    width, height = way.paper
    figure = Figure(figsize=(width / _INCH, height / _INCH))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    first = drawings[0]
    left = (width - way.columns * first.width - (way.columns - 1) * GUTTER) / 2
    top = (height - way.rows * first.height - (way.rows - 1) * GUTTER) / 2
    for place, drawing in enumerate(drawings):
        x = left + place % way.columns * (first.width + GUTTER)
        y = top + place // way.columns * (first.height + GUTTER)
        _put(axes, drawing, x, y)
        _cut_marks(axes, (x, y, x + drawing.width, y + drawing.height))
    pdf.savefig(figure)


def _put(axes, drawing: Drawing, x: float, y: float) -> None:
    from matplotlib.collections import LineCollection, PolyCollection

    shift = np.array([x, y])
    ends = np.array([line[:4] for line in drawing.lines]).reshape(-1, 2, 2) + shift
    # Line widths are points, a 72nd of an inch.
    widths, greys = ([line[i] for line in drawing.lines] for i in (4, 5))
    axes.add_collection(LineCollection(ends, linewidths=np.array(widths) / _INCH * 72, capstyle="projecting",
                                       colors=[str(1 - grey) for grey in greys]), autolim=False)
    boxes = np.array(drawing.boxes)
    corners = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2) + shift
    axes.add_collection(PolyCollection(corners, facecolors="black", edgecolors="none", antialiased=False),
                        autolim=False)
    for text in drawing.texts:
        _write(axes, text, shift)


def _write(axes, text, shift: np.ndarray) -> None:
    from scanner.press.lettering import face, fitted

    if not text.text:
        return
    size = fitted(text)
    where = {"l": "left", "m": "center", "r": "right"}[text.anchor]
    # ``parse_math`` off: a club's name may have dollar signs, and is no formula.
    axes.text(text.x + shift[0], text.y + shift[1], text.text, fontproperties=face(text.bold),
              fontsize=size / _INCH * 72, ha=where, va="baseline", parse_math=False, color="0.1")


def _cut_marks(axes, box: tuple[float, float, float, float]) -> None:
    """Short lines at the corners, outside the pad, along which it is cut."""
    from matplotlib.collections import LineCollection

    x0, y0, x1, y1 = box
    near, far = 0.5, GUTTER - 0.5
    ticks = []
    for x, out in ((x0, -1), (x1, 1)):
        for y, down in ((y0, -1), (y1, 1)):
            ticks += [[(x + out * near, y), (x + out * far, y)], [(x, y + down * near), (x, y + down * far)]]
    axes.add_collection(LineCollection(ticks, linewidths=0.3, colors="0.6"), autolim=False)
