"""The picture people look at first: the photo with its grid, every reading, and every problem drawn on it.

Four kinds of cell, told apart by colour and by shape: sure (blue, thin line), less sure (orange, dashes), to be checked
by a person (vermilion, thick dashes and a numbered diamond), against the sums (purple, double frame and a numbered
disc). The numbers lead to the sentences under the photo.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw

from scanner.output import ink
from scanner.output.caption import Note, caption
from scanner.output.files import output_name, write_atomically
from scanner.output.frames import cell_frame
from scanner.output.plain import plain
from scanner.sheet.results import CellResult, GameResult, PhotoResult, Problem, Quad

#: The longer side of the picture, pixels: sharp on a screen and under a megabyte.
LONGEST_SIDE = 2000
#: Under this probability a reading that needs nobody is drawn as less sure; one such cell in ten may be wrong.
SURE = 0.9
#: Height of the letters of a reading, in parts of the height of its cell.
_LETTERS = 0.28
#: What is shown above a grid and on its other sides, in parts of its height (at its sides: width): the printed head of
#: a pad is rarely half as high as the grid.
_HEAD, _MARGIN = 0.45, 0.08
#: Small photos are enlarged at most so much; letters would otherwise be too small to read.
_LARGEST_SCALE = 2.0


@dataclass(frozen=True)
class View:
    """How photo pixels (x, y) become picture pixels: cut out, scaled, then turned by quarter turns, anticlockwise.

    ``left``, ``top``, ``right``, ``bottom`` are whole photo pixels, the last two one past the end.
    """

    left: int
    top: int
    right: int
    bottom: int
    scale: float
    turns: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the cut-out after scaling and before turning, pixels."""
        width, height = self.right - self.left, self.bottom - self.top
        return max(round(width * self.scale), 1), max(round(height * self.scale), 1)

    def points(self, quad: Quad) -> np.ndarray:
        """Corners in the picture, shape (4, 2)."""
        x, y = ((np.asarray(quad, dtype=float) - (self.left, self.top)) * self.scale).T
        width, height = self.size
        turned = ((x, y), (y, width - x), (width - x, height - y), (height - y, x))[self.turns]
        return np.stack(turned, axis=1)

    def image(self, pixels: np.ndarray) -> np.ndarray:
        """The photo as it stands in the picture, paled a little so that what is drawn stands out."""
        part = pixels[self.top : self.bottom, self.left : self.right]
        small = cv2.resize(part, self.size, interpolation=cv2.INTER_AREA if self.scale < 1 else cv2.INTER_CUBIC)
        return np.ascontiguousarray(np.rot90(255 - (255 - small) // 8 * 7, self.turns))


def write_overlay(folder: Path, pixels: np.ndarray, result: PhotoResult) -> Path:
    """Draw and write ``folder/<photo name>-<first 8 of its sha256>.jpg``. Raises InputError if it cannot be written."""
    buffer = io.BytesIO()
    draw_overlay(pixels, result).save(buffer, "JPEG", quality=88)
    path = folder / output_name(result, ".jpg")
    write_atomically(path, buffer.getvalue())
    return path


def draw_overlay(pixels: np.ndarray, result: PhotoResult) -> Image.Image:
    """The picture of one photo; ``pixels`` is its RGB array, shape (height, width, 3), as a viewer shows it."""
    view = view_of(pixels, result)
    canvas = view.image(pixels)
    layer = Image.new("RGBA", (canvas.shape[1], canvas.shape[0]))
    draw = ImageDraw.Draw(layer)
    notes: list[Note] = []
    for sheet in result.sheets:
        for game in sheet.games:
            _draw_game(canvas, draw, view, game, notes)
    return caption(ink.compose(canvas, layer), result, notes)


def view_of(pixels: np.ndarray, result: PhotoResult) -> View:
    """The part with the sheets, their heads and some table, upright, at most :data:`LONGEST_SIDE` pixels long."""
    height, width = pixels.shape[:2]
    if not result.sheets:
        return View(0, 0, width, height, min(1.0, LONGEST_SIDE / max(height, width)), 0)
    (x0, y0), (x1, y1) = result.sheets[0].quad[:2]
    turns = round(np.degrees(np.arctan2(y1 - y0, x1 - x0)) / 90) % 4
    wide = np.concatenate([_with_head(np.asarray(sheet.quad, dtype=float)) for sheet in result.sheets])
    left, top = np.maximum(np.floor(wide.min(axis=0)), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(wide.max(axis=0)), (width, height)).astype(int).tolist()
    if right <= left or bottom <= top:
        left, top, right, bottom = 0, 0, width, height
    scale = min(_LARGEST_SCALE, LONGEST_SIDE / max(right - left, bottom - top))
    return View(left, top, right, bottom, scale, turns)


def _with_head(quad: np.ndarray) -> np.ndarray:
    """A sheet's quad with as much above it as a printed head takes, and a margin on the other sides."""
    down, across = (quad[3] - quad[0] + quad[2] - quad[1]) / 2, (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    up, aside = down * _HEAD, across * _MARGIN
    return quad + np.stack([-up - aside, aside - up, down * _MARGIN + aside, down * _MARGIN - aside])


def _draw_game(canvas: np.ndarray, draw: ImageDraw.ImageDraw, view: View, game: GameResult, notes: list[Note]) -> None:
    if game.quad is not None:
        ink.outline(canvas, view.points(game.quad), ink.BLUE, 3)
    for _, _, cell in _cells(game):
        _draw_cell(canvas, draw, view, cell)
    for problem in game.problems:
        note = Note(len(notes) + 1, problem, game.grid)
        notes.append(note)
        _draw_problem(canvas, draw, view, game, note)


def _cells(game: GameResult) -> Iterator[tuple[int, str, CellResult]]:
    for row in game.rows:
        for key, cell in row.cells.items():
            if cell.box is not None:
                yield row.row, key, cell


def _draw_cell(canvas: np.ndarray, draw: ImageDraw.ImageDraw, view: View, cell: CellResult) -> None:
    corners = view.points(cell.box)
    doubtful = cell.review or cell.confidence < SURE
    colour = cell_frame(canvas, corners, "asked" if cell.review else "less" if doubtful else "sure")
    text = plain(cell.text, 12) + ("?" if doubtful else "")
    if cell.struck:
        text = f"{text} ({plain(cell.struck, 12)})"
    if text:
        size = _letter_size(corners)
        ink.label(draw, _inside(corners, 0.05, 0.93), text, size, colour)


def _draw_problem(canvas: np.ndarray, draw: ImageDraw.ImageDraw, view: View, game: GameResult, note: Note) -> None:
    problem = note.problem
    places = {(row, key): cell for row, key, cell in _cells(game)}
    for key in _accused(problem):
        cell = places.get((problem.row, key))
        if cell is None:
            continue
        corners = view.points(cell.box)
        asked = problem.code == "unreadable"
        if not asked:
            cell_frame(canvas, corners, "wrong")
        size = int(_letter_size(corners) * 0.9)
        ink.badge(
            draw,
            _inside(corners, 0.74 if cell.review and not asked else 0.9, 0.22),
            str(note.number),
            size,
            note.colour,
            round_=not asked,
        )


def _accused(problem: Problem) -> list[str]:
    cells = [problem.cell, *(candidate.cell for candidate in problem.candidates)]
    return list(dict.fromkeys(cell for cell in cells if cell))


def _letter_size(corners: np.ndarray) -> int:
    height = (np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))) / 2
    return max(int(height * _LETTERS), 9)


def _inside(corners: np.ndarray, x: float, y: float) -> tuple[float, float]:
    """The point at parts ``x`` and ``y`` of the way along a cell's top and left edge."""
    top, bottom = (corners[a] + (corners[b] - corners[a]) * x for a, b in ((0, 1), (3, 2)))
    return tuple(top + (bottom - top) * y)
