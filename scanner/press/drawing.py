"""One pad's drawing, in millimetres of the paper: rulings, words, corner marks and the square code, as plain shapes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from scanner.sheet import plan
from scanner.sheet.layout import Layout
from scanner.sheet.plan import Box, Fixture

#: Millimetres of white between a pad's edge and what is printed on it.
MARGIN = 5.0
#: Height of the head above the corner marks and of the foot below them, in row heights.
HEAD, FOOT = 4.75, 0.8
#: Widths of rulings in millimetres: an office printer's finest sure line, and the frame.
THIN, BOLD = 0.3, 0.5
#: Share of black in what is ruled: light enough not to hide a pen's stroke, dark enough for a dim photo.
RULE_GREY = 0.7


@dataclass(frozen=True)
class Words:
    """What a club has printed on its pads."""

    club: str = ""
    sponsor: str = ""
    title: str = "Clabber"


@dataclass(frozen=True)
class Text:
    """A run of print: base line at (x, y), ``size`` is the height of its letters' body; ``anchor`` l, m or r."""

    x: float
    y: float
    size: float
    text: str
    anchor: str = "l"
    bold: bool = False
    widest: float = 1e9


@dataclass
class Drawing:
    """A pad of ``width`` x ``height`` millimetres: lines (x0, y0, x1, y1, width, grey), black boxes, texts."""

    width: float
    height: float
    lines: list[tuple[float, float, float, float, float, float]] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)


def draw_pad(layout: Layout, fixture: Fixture, words: Words, scale: float = 1.0) -> Drawing:
    """The drawing of one pad sheet; ``scale`` is paper millimetres per layout millimetre."""
    row = plan.row_height(layout)
    width, height = plan.block(layout)
    above = -plan.mark_boxes(layout)[0][1] + HEAD * row
    below = plan.mark_boxes(layout)[2][3] - height + FOOT * row
    drawing = Drawing(width * scale + 2 * MARGIN, (above + height + below) * scale + 2 * MARGIN)
    pen = _Pen(drawing, MARGIN, MARGIN + above * scale, scale)
    for x in plan.grid_origins(layout):
        _grid(pen, layout, x, row)
    for number, box in zip(plan.mark_ids(layout), plan.mark_boxes(layout), strict=True):
        pen.modules(_mark(number), box)
    pen.modules(_code(layout, fixture), plan.code_box(layout))
    _head(pen, layout, fixture, words, -above, row)
    if words.sponsor:
        pen.text(Text(width / 2, height + below - 0.15 * row, 0.42 * row, words.sponsor, "m", widest=width))
    return drawing


@dataclass(frozen=True)
class _Pen:
    """Draws in layout millimetres from the first grid's corner, which lies at (x, y) millimetres of the pad."""

    drawing: Drawing
    x: float
    y: float
    scale: float

    def line(self, x0: float, y0: float, x1: float, y1: float, width: float = THIN, grey: float = RULE_GREY) -> None:
        ends = (self.x + x0 * self.scale, self.y + y0 * self.scale, self.x + x1 * self.scale, self.y + y1 * self.scale)
        self.drawing.lines.append((*ends, width, grey))

    def text(self, text: Text) -> None:
        self.drawing.texts.append(replace(text, x=self.x + text.x * self.scale, y=self.y + text.y * self.scale,
                                          size=text.size * self.scale, widest=text.widest * self.scale))

    def modules(self, dark: np.ndarray, box: Box) -> None:
        """Black squares where ``dark`` (bool, square) is true, filling a box."""
        left, top, right, _ = box
        step = (right - left) / len(dark)
        for i, j in zip(*np.nonzero(dark), strict=True):
            corner = (self.x + (left + j * step) * self.scale, self.y + (top + i * step) * self.scale)
            self.drawing.boxes.append((*corner, corner[0] + step * self.scale, corner[1] + step * self.scale))


def _grid(pen: _Pen, layout: Layout, x: float, row: float) -> None:
    xs, ys = [x + v for v in layout.x_lines], layout.y_lines
    for i, v in enumerate(xs):
        pen.line(v, 0, v, ys[-1], BOLD if i in (0, len(xs) - 1) else THIN)
    for i, v in enumerate(ys):
        pen.line(xs[0], v, xs[-1], v, BOLD if i in (0, layout.heading_rows, len(ys) - 1) else THIN)
    if layout.heading_rows:
        size = min(0.42 * row, 0.5 * ys[1])
        for left, right, column in zip(xs, xs[1:], layout.columns, strict=False):
            word = column.titles[0] if column.titles else ""
            pen.text(Text((left + right) / 2, ys[1] / 2 + 0.36 * size, size, word, "m", True, 0.86 * (right - left)))


def _head(pen: _Pen, layout: Layout, fixture: Fixture, words: Words, top: float, row: float) -> None:
    """Club and title at the top, below them lines for both names and the date, left of the code."""
    right = plan.code_box(layout)[0] - 0.4 * row
    if words.club:
        pen.text(Text(0, top + 0.62 * row, 0.55 * row, words.club, "l", True, right))
    title = f"{words.title}  No. {fixture.number}" if fixture.number else words.title
    pen.text(Text(0, top + 1.32 * row, 0.42 * row, title, widest=right))
    # The lines are spaced as a hand writes: a capital takes most of a row.
    for y, label, filled in ((2.35, "WE", fixture.we), (3.4, "THEY", fixture.they), (4.45, "DATE", fixture.date)):
        _blank(pen, top + y * row, label, filled, row, right)


def _blank(pen: _Pen, y: float, label: str, filled: str, row: float, right: float) -> None:
    start = 1.5 * row
    pen.text(Text(0, y, 0.4 * row, label, bold=True, widest=start - 0.15 * row))
    pen.line(start, y, right, y, THIN, 0.7)
    if filled:
        pen.text(Text(start + 0.2 * row, y - 0.12 * row, 0.55 * row, filled, widest=right - start - 0.3 * row))


def _mark(number: int) -> np.ndarray:
    """The modules of a corner mark, bool, its black border included."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    side = dictionary.markerSize + 2
    return cv2.aruco.generateImageMarker(dictionary, number, side, borderBits=1) < 128


def _code(layout: Layout, fixture: Fixture) -> np.ndarray:
    """The modules of the square code (QR, ISO/IEC 18004), bool, without the white around it."""
    settings = cv2.QRCodeEncoder_Params()
    settings.correction_level = cv2.QRCODE_ENCODER_CORRECT_LEVEL_M
    dark = cv2.QRCodeEncoder.create(settings).encode(plan.code_text(layout, fixture)) < 128
    rows = np.flatnonzero(dark.any(axis=1))
    return dark[rows[0]:rows[-1] + 1, rows[0]:rows[-1] + 1]
