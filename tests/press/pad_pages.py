"""Pads of the press as the workshop's pages, so that its pens and its camera can be let loose on them."""

from __future__ import annotations

import numpy as np

from scanner.intake.pdfs import render
from scanner.press.drawing import HEAD, MARGIN, Words, draw_pad
from scanner.press.printing import GUTTER, impose, pads_pdf
from scanner.sheet import plan
from scanner.sheet.layout import Layout
from scanner.sheet.plan import Fixture
from scanner.workshop.pads import Page

WORDS = Words("St. Boniface Men's Club", "Kaiser's Bakery, Main St.")
GAME = Fixture("Eagles", "Owls", "2026-03-07", 7)


def pad_page(layout: Layout, fixture: Fixture = GAME, paper: str = "letter") -> Page:
    """The first pad of a printed PDF, cut out along its cut marks, with the places of its rulings."""
    pixels = render(pads_pdf(layout, [fixture], WORDS, paper), 1)
    way = impose(layout, paper)
    ppm = pixels.shape[0] / way.paper[1]
    pad = draw_pad(layout, fixture, WORDS, way.scale)
    left, top = (
        (whole - many * side - (many - 1) * GUTTER) / 2
        for whole, many, side in zip(way.paper, (way.columns, way.rows), (pad.width, pad.height), strict=True))
    x0, y0 = round(left * ppm), round(top * ppm)
    cut = pixels[y0:round((top + pad.height) * ppm), x0:round((left + pad.width) * ppm)]
    row = plan.row_height(layout)
    head = (HEAD * row - plan.mark_boxes(layout)[0][1]) * way.scale
    corner = np.array([(left + MARGIN) * ppm - x0, (top + MARGIN + head) * ppm - y0]) - 0.5
    lines = np.meshgrid(np.array(layout.x_lines), np.array(layout.y_lines))
    nodes = tuple(corner + (np.stack(lines, -1) + (x, 0)) * way.scale * ppm for x in plan.grid_origins(layout))
    return Page(layout, (cut / 255).astype(np.float32), np.full(cut.shape[:2], 255, np.uint8), nodes, {},
                row * way.scale * ppm, way.scale * ppm)
