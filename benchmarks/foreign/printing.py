"""Draws a pad onto paper: ground, head, headings, rulings."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from benchmarks.foreign.pads import Pad, Ruling
from benchmarks.foreign.paper import SCALE, Paper

#: A ruling's pattern: length of ink and of gap, millimetres.
_PATTERNS = {"dotted": (0.35, 0.9), "dashed": (2.2, 0.9), "broken": (7.0, 3.0)}


def printed(pad: Pad, rng: np.random.Generator) -> Paper:
    """The unwritten page."""
    paper = Paper(*pad.size, pad.paper)
    _ground(paper, pad, rng)
    _head(paper, pad, rng)
    for grid in range(len(pad.grids)):
        _grid(paper, pad, grid, rng)
    return paper


@cache
def typeface(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A typeface at a size in pixels; Pillow's own where the machine has not got it."""
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return ImageFont.load_default(size)


def type_text(paper: Paper, text: str, centre: tuple[float, float], height: float, face: str, ink: tuple,
              room: float = 1e9) -> None:
    """Prints text of ``height`` millimetres about ``centre``, smaller if it is wider than ``room`` millimetres."""
    if not text:
        return
    font = typeface(face, max(4, round(height * SCALE)))
    box = font.getbbox(text)
    if box[2] - box[0] > room * SCALE:
        font = typeface(face, max(4, int(height * SCALE * room * SCALE / (box[2] - box[0]))))
        box = font.getbbox(text)
    size = (box[2] - box[0] + 4, box[3] - box[1] + 4)
    picture = Image.new("L", size)
    ImageDraw.Draw(picture).text((2 - box[0], 2 - box[1]), text, fill=255, font=font)
    density = np.asarray(picture, np.float32) / 255 * 0.92
    paper.stain(density, ink, centre[0] - size[0] / 2 / SCALE, centre[1] - size[1] / 2 / SCALE)


def line(paper: Paper, a: tuple[float, float], b: tuple[float, float], width: float, ink: tuple, strength: float,
         pattern: str = "solid", rng: np.random.Generator | None = None) -> None:
    """A level or upright printed line from ``a`` to ``b``, millimetres, its middle exactly there."""
    down = abs(b[1] - a[1]) > abs(b[0] - a[0])
    start, stop, at = (a[1], b[1], a[0]) if down else (a[0], b[0], a[1])
    length = max(1, round((stop - start) * SCALE))
    half = width / 2
    first = int(np.floor((at - half) * SCALE)) - 1
    rows = np.arange(first, first + int(width * SCALE) + 4)
    across = np.clip((at + half) * SCALE - rows, 0, 1) * np.clip(rows + 1 - (at - half) * SCALE, 0, 1)
    along = np.ones(length)
    if pattern != "solid":
        on, off = _PATTERNS[pattern]
        place = np.arange(length) / SCALE + (rng.uniform(0, on + off) if rng else 0)
        along = (place % (on + off) < on).astype(float)
    density = (np.outer(across, along) * strength).astype(np.float32)
    x, y = (first / SCALE, start) if down else (start, first / SCALE)
    paper.stain(density.T if down else density, ink, x, y)


def _grid(paper: Paper, pad: Pad, grid: int, rng: np.random.Generator) -> None:
    xs, ys = pad.lines(grid)
    ruling = pad.ruling
    if pad.heading_shade and not pad.heading_hidden:
        tint = np.full((round((ys[1] - ys[0]) * SCALE), round((xs[-1] - xs[0]) * SCALE)), pad.heading_shade, np.float32)
        paper.stain(tint, ruling.colour, xs[0], ys[0])
    for i, y in enumerate(ys):
        kind = ruling.frame if i in (0, len(ys) - 1) else ruling.heading_line if i == 1 else "single"
        _rule(paper, (xs[0], y), (xs[-1], y), ruling, kind, rng)
    for i, x in enumerate(xs):
        kind = ruling.frame if i in (0, len(xs) - 1) else "single"
        _rule(paper, (x, ys[0]), (x, ys[-1]), ruling, kind, rng)
    if not pad.heading_hidden:
        _headings(paper, pad, xs, ys, rng)


def _rule(paper: Paper, a: tuple, b: tuple, ruling: Ruling, kind: str, rng: np.random.Generator) -> None:
    """A ruling whose middle is the crossing's place, single, heavy or double."""
    if kind == "double":
        apart = 0.45
        down = abs(b[1] - a[1]) > abs(b[0] - a[0])
        for side in (-apart, apart):
            move = (side, 0.0) if down else (0.0, side)
            line(paper, (a[0] + move[0], a[1] + move[1]), (b[0] + move[0], b[1] + move[1]), ruling.width,
                 ruling.colour, ruling.strength, ruling.pattern, rng)
        return
    width = ruling.width * (2.2 if kind == "heavy" else 1.0)
    line(paper, a, b, width, ruling.colour, ruling.strength, ruling.pattern, rng)


def _headings(paper: Paper, pad: Pad, xs: np.ndarray, ys: np.ndarray, rng: np.random.Generator) -> None:
    which = int(rng.integers(2))
    high = (ys[1] - ys[0]) * 0.46
    for column, (x0, x1) in zip(pad.layout.columns, zip(xs, xs[1:], strict=False), strict=True):
        title = column.titles[min(which, len(column.titles) - 1)]
        text = title if pad.face != "DejaVuSerif.ttf" else title.capitalize()
        type_text(paper, text, ((x0 + x1) / 2, (ys[0] + ys[1]) / 2), high, pad.face, pad.ruling.colour,
                  (x1 - x0) * 0.8)


def extra_print(paper: Paper, pad: Pad) -> None:
    """Whatever else a printer thought of: see :data:`benchmarks.foreign.pads.EXTRAS`."""
    wide, high = pad.size
    (xs, ys), ink = pad.lines(0), pad.ruling.colour
    if "border" in pad.extras:
        for d in (2.5, 3.6):
            for a, b in (((d, d), (wide - d, d)), ((d, high - d), (wide - d, high - d)), ((d, d), (d, high - d)),
                         ((wide - d, d), (wide - d, high - d))):
                line(paper, a, b, 0.35, ink, 0.85)
    if "margins" in pad.extras:
        for x in (xs[0] - 3.2, pad.head[1] + 3.2):
            line(paper, (x, 0), (x, high), 0.3, (0.8, 0.3, 0.3), 0.7)
    if "numbers" in pad.extras:
        for i, (y0, y1) in enumerate(zip(ys[1:], ys[2:], strict=False), 1):
            type_text(paper, str(i), (xs[0] - 2.6, (y0 + y1) / 2), 2.8, "LiberationSans-Regular.ttf", ink)
    if "tally" in pad.extras:
        top = ys[-1] + 1.5
        for k in range(13):
            line(paper, (xs[0] + 4.5 * k, top), (xs[0] + 4.5 * k, top + 4.5), 0.25, ink, 0.8)
        for y in (top, top + 4.5):
            line(paper, (xs[0], y), (xs[0] + 54, y), 0.25, ink, 0.8)
    if "holes" in pad.extras:
        for x in np.arange(6.0, wide - 3, 8.4):
            cv2.circle(paper.cover, (round(x * SCALE), round(2.6 * SCALE)), round(1.6 * SCALE), 0, -1)


def name_lines(pad: Pad) -> dict[str, tuple[float, float, float, float]]:
    """Where the two names and the date are written: x0, y0, x1, y1 in millimetres."""
    left, right, bottom = pad.head
    middle, y1 = (left + right) / 2, bottom - 4.0
    high = min(7.0, 0.22 * bottom)
    return {
        "we": (left + 10, y1 - high, middle - 2, y1), "they": (middle + 13, y1 - high, right, y1),
        "date": (right - 0.36 * (right - left), y1 - 2.3 * high, right, y1 - 1.3 * high),
    }


def _head(paper: Paper, pad: Pad, rng: np.random.Generator) -> None:
    left, right, bottom = pad.head
    ink, room = pad.ruling.colour, (right - left) * 0.6
    size = bottom - 17.0
    type_text(paper, pad.title, (left + room / 2, 3.5 + size * 0.25), min(8.0, size * 0.5), pad.face, ink, room * 0.9)
    advert, motto = pad.advert
    type_text(paper, advert, (left + room / 2, 3.0 + size * 0.66), min(4.2, size * 0.3), pad.face, ink, room * 0.9)
    type_text(paper, motto, (left + room / 2, 3.0 + size * 0.98), min(3.0, size * 0.22), pad.face, ink, room * 0.8)
    for what, (x0, _, x1, y1) in name_lines(pad).items():
        line(paper, (x0, y1 + 0.6), (x1, y1 + 0.6), 0.22, ink, 0.7)
        label = {"we": "WE", "they": "THEY", "date": "Date"}[what]
        type_text(paper, label, (x0 - (4 if what == "we" else 5.5), y1 - 1.2), 2.6, "LiberationSans-Regular.ttf", ink)
    extra_print(paper, pad)
    type_text(paper, pad.footer, (pad.size[0] / 2, pad.size[1] - 4.0), 2.4, pad.face, ink, pad.size[0] * 0.8)
    _ornament(paper, pad, rng)


def _ornament(paper: Paper, pad: Pad, rng: np.random.Generator) -> None:
    """A spade, a diamond or rings in the head's right corner, as printers like them."""
    right = pad.head[1]
    radius = min(4.5, pad.head[2] * 0.12)
    centre = (right - radius - 2, 3 + radius)
    patch = np.zeros((round(2.4 * radius * SCALE),) * 2, np.uint8)
    c, r = patch.shape[0] // 2, round(radius * SCALE)
    kind = rng.integers(4)
    if kind == 0:
        cv2.fillPoly(patch, [np.array([[c, c - r], [c + r * 3 // 4, c], [c, c + r], [c - r * 3 // 4, c]])], 230)
    elif kind == 1:
        cv2.circle(patch, (c, c), r, 200, max(2, r // 6), cv2.LINE_AA)
        cv2.circle(patch, (c, c), r // 2, 200, -1, cv2.LINE_AA)
    elif kind == 2:
        cv2.rectangle(patch, (c - r, c - r), (c + r, c + r // 2), 210, max(2, r // 8))
        cv2.line(patch, (c - r, c + r // 2), (c, c - r), 210, max(2, r // 8), cv2.LINE_AA)
    else:
        return
    paper.stain(patch.astype(np.float32) / 255 * 0.85, pad.ruling.colour, centre[0] - patch.shape[0] / 2 / SCALE,
                centre[1] - patch.shape[0] / 2 / SCALE)


def _ground(paper: Paper, pad: Pad, rng: np.random.Generator) -> None:
    """The paper's own unevenness, and a pattern under the print."""
    h, w = paper.pixels.shape[:2]
    cloud = cv2.resize(rng.normal(0, 1, (h // 150 + 2, w // 150 + 2)).astype(np.float32), (w, h),
                       interpolation=cv2.INTER_CUBIC)
    density = np.clip(0.012 + 0.008 * cloud, 0, 0.05)
    if pad.pattern == "weave":
        y, x = np.mgrid[0:h, 0:w].astype(np.float32) / SCALE
        density += 0.018 * (np.sin(x * 7.3) + np.sin(y * 6.7) + 2)
    elif pad.pattern == "dots":
        y, x = np.mgrid[0:h, 0:w].astype(np.float32) / SCALE
        density += 0.09 * ((x % 3 - 1.5) ** 2 + (y % 3 - 1.5) ** 2 < 0.12)
    elif pad.pattern == "wash":
        y, x = np.mgrid[0:h, 0:w].astype(np.float32) / SCALE
        density += 0.05 * (1 + np.sin(x / 9 + 2 * np.sin(y / 23)))
    paper.stain(density.astype(np.float32), pad.ruling.colour)
