"""Which layout a fitted grid is, and which way up.

Layouts with as many rows and columns differ in their columns' widths and their printed headings; a grid upside down has
its heading row at the foot and the head of the page below it. Each is evidence in nats (natural log-odds), added up.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.belief import LEAST_SHOWN
from scanner.photo.fit import Fit, misfit, relabelled, turned_nodes
from scanner.photo.flatten import AROUND, Flat, flatten
from scanner.photo.printed import Word, find_tesseract, read_words
from scanner.photo.rulings import LineMap
from scanner.sheet.layout import Layout

#: Printed columns stray from the layout's widths by about this part of the grid's width (curl and print together).
COLUMN_SPREAD = 0.006
#: Trust in the EXIF turn, nats: about one phone photo in twenty lies on its head.
EXIF_TRUST = 3.0
#: Below this lead over the next choice the printed headings are read: one error in twenty.
DOUBT = 3.0
#: A title found in its column speaks for layout and turn; one letter in a hundred words is misread into another title.
TITLE_NATS = 2.5
#: Darkness, of the paper's light, of ink and print and not of grain.
DARK = 0.08
#: Confidence from which a word is certainly print; figures in a hand are read as words with less.
PRINT = 0.8


@dataclass(frozen=True)
class Naming:
    """The fit as the likeliest layout and turn, and the probability that the layout is right."""

    fit: Fit
    confidence: float


def name_grid(
    lines: LineMap, pixels: np.ndarray, fitted: Fit, layouts: Sequence[Layout], turns: Sequence[int]
) -> Naming:
    """The fit as the likeliest of the layouts in the likeliest of the turns it may have.

    ``turns`` are the ones allowed; two of them half a turn apart mean that it is not known which way up the grid lies.
    """
    shape = (len(fitted.warp.layout.y_lines), len(fitted.warp.layout.x_lines))
    same = [x for x in layouts if (len(x.y_lines), len(x.x_lines)) == shape]
    names = [(x, t) for x in same for t in (fitted.turn, (fitted.turn + 2) % 4) if t in turns]
    stray = np.array([misfit(fitted, layout, turn) for layout, turn in names])
    nats = -0.5 * (stray / COLUMN_SPREAD) ** 2 + np.array([EXIF_TRUST * (turn == 0) for _, turn in names])
    if len(turns) > 1:
        way = upright(flatten(lines, fitted.warp), fitted) / 2
        nats += np.array([way if turn == fitted.turn else -way for _, turn in names])
    best = names[int(np.argmax(nats))]
    if _lead(nats) < DOUBT or (len(turns) > 1 and best[1] != 0):
        words = heading_words(pixels, lines.to_photo(fitted.warp.nodes()), fitted.warp.layout)
        nats += np.array([_titles(words, fitted, layout, turn) for layout, turn in names])
        best = names[int(np.argmax(nats))]
    weight = np.exp(nats - nats.max())
    share = sum(w for w, (layout, _) in zip(weight, names, strict=True) if layout == best[0]) / weight.sum()
    if best != (fitted.warp.layout, fitted.turn):
        fitted = relabelled(lines, fitted, *best)
    return Naming(fitted, float(share))


def ends_known(lines: LineMap, pixels: np.ndarray, fitted: Fit, layouts: Sequence[Layout]) -> bool:
    """Whether no row can be taken for another: both ends are seen, or the foot is hidden and the headings are read.

    Under a thing or beside the sheet there might be any number of rows.
    """
    first, last = fitted.shown[:2]
    if min(first, last) > LEAST_SHOWN:
        return True
    layout = fitted.warp.layout
    if first <= LEAST_SHOWN or not layout.heading_rows:
        return False
    seen = print_seen(pixels, lines.to_photo(fitted.warp.nodes()), layout, layouts)
    return seen is not None and seen[0]


def _lead(nats: np.ndarray) -> float:
    return float("inf") if len(nats) < 2 else float(np.diff(np.sort(nats)[-2:])[0])


def upright(flat: Flat, fitted: Fit) -> float:
    """Nats for the fit being the right way up: print is in every cell of the heading row, and above the grid."""
    ink = (flat.dark > DARK).astype(np.float32)
    xs, ys = flat.pixel(fitted.warp.xs), flat.pixel(fitted.warp.ys)
    # The emptiest cell of the first row against that of the last: headings are printed in all columns.
    first, last = _emptiest(ink, xs, ys[:2]), _emptiest(ink, xs, ys[-2:])
    pitch = float(np.diff(ys).mean())
    above, below = _beside(ink, xs, ys[0], -pitch), _beside(ink, xs, ys[-1], pitch)
    # Two letters fill about 2 % of a cell, a written line 4 % of a strip.
    return float(np.clip((first - last) / 0.006, -3, 3) + np.clip((above - below) / 0.02, -1.5, 1.5))


def _emptiest(ink: np.ndarray, xs: np.ndarray, rows: np.ndarray) -> float:
    inset = 0.17 * (rows[1] - rows[0])
    top, bottom = round(rows[0] + inset), round(rows[1] - inset)
    sides = zip(xs[:-1] + inset, xs[1:] - inset, strict=True)
    return min(float(ink[top:bottom, round(left):round(right)].mean()) for left, right in sides)


def _beside(ink: np.ndarray, xs: np.ndarray, line: float, step: float) -> float:
    """Ink in the strip from 0.3 rows to the picture's edge beyond a frame line, none if it is no paper (a texture)."""
    low, high = sorted((line + 0.3 * step, line + (AROUND - 0.05) * step))
    strip = ink[max(0, round(low)):round(high), round(xs[0]):round(xs[-1])]
    share = float(strip.mean()) if strip.size else 0.0
    return share if share < 0.25 else 0.0


def heading_words(pixels: np.ndarray, nodes: np.ndarray, layout: Layout) -> dict[str, list[tuple[Word, float]]]:
    """Words of the "first" and the (turned) "last" row of a grid, each with its place along the row, 0 to 1."""
    rows = [_row_picture(pixels, n, layout) for n in (nodes[:2], turned_nodes(nodes, 2)[:2])]
    words = read_words(np.vstack(rows))
    height, width = rows[0].shape
    found: dict[str, list[tuple[Word, float]]] = {"first": [], "last": []}
    for word in words or []:
        left, top, wide, tall = word.box
        found["first" if top + tall / 2 < height else "last"].append((word, (left + wide / 2) / width))
    return found


def _row_picture(pixels: np.ndarray, nodes: np.ndarray, layout: Layout, height: int = 84) -> np.ndarray:
    """The cells of one ruled row, grey, their rulings cut off; print in it is about 30 pixels high."""
    xs = np.array(layout.x_lines)
    u, v = np.linspace(0, xs[-1], 40), np.array([0.12, 0.88])
    top, bottom = (np.stack([np.interp(u, xs, nodes[i, :, c]) for c in (0, 1)], -1) for i in (0, 1))
    net = (top + (bottom - top) * v[:, None, None]).astype(np.float32)
    row = layout.y_lines[1]
    size = (max(40, round(height * xs[-1] / (row * 0.76))), height)
    scale = np.array([[39 / size[0], 0, 0], [0, 1 / size[1], 0]])
    places = cv2.warpAffine(net, scale, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                            borderMode=cv2.BORDER_REPLICATE)
    part = cv2.remap(pixels, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)


def _titles(words: dict[str, list[tuple[Word, float]]], fitted: Fit, layout: Layout, turn: int) -> float:
    """Nats for a layout in a turn: how many of its titles stand in their columns, at most four counted."""
    row = words["first" if turn == fitted.turn else "last"]
    edges = np.array(layout.x_lines) / layout.x_lines[-1]
    hits = 0.0
    for i, column in enumerate(layout.columns):
        inside = [w for w, at in row if edges[i] < at < edges[i + 1]]
        hits += max((w.confidence for w in inside if _is_title(w.text, column.titles)), default=0.0)
    return TITLE_NATS * min(hits, 4.0)


def print_seen(
    pixels: np.ndarray, nodes: np.ndarray, layout: Layout, layouts: Sequence[Layout]
) -> tuple[bool, bool] | None:
    """Whether the first row of a grid, and the last one turned round, has words or titles in its columns.

    None where there is nothing to read print with. ``nodes`` are the crossings of ``layout`` in photo
    pixels; the titles are those of all ``layouts``.
    """
    if find_tesseract() is None:
        return None
    titles = [title for x in layouts for column in x.columns for title in column.titles]
    edges = np.array(layout.x_lines[1:-1]) / layout.x_lines[-1]
    found = []
    for row in heading_words(pixels, nodes, layout).values():
        words = [at for word, at in row if _is_title(word.text, titles) or _is_print(word)]
        columns = {int(np.searchsorted(edges, at)) for at in words}
        found.append(len(columns) > len(layout.columns) / 3)
    return found[0], found[1]


def _is_print(word: Word) -> bool:
    return word.confidence > PRINT and len(word.text) > 1 and word.text.isalpha()


def _is_title(text: str, titles: Sequence[str]) -> bool:
    letters = "".join(c for c in text.upper() if c.isalpha())
    return any(difflib.SequenceMatcher(None, letters, title).ratio() >= 0.75 for title in titles)
