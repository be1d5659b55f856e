"""Grids put on other corners and sheets read as another pad: by a person, after a rescan, or taken back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from scanner.photo.load import Photo
from scanner.review.grids import ReadCells, read_again
from scanner.review.pictures import Shelf
from scanner.review.places import GameSpot, game_spot
from scanner.season.decisions import UNFOLLOWED, Decision
from scanner.season.packing import quad_of
from scanner.season.store import Season
from scanner.sheet.errors import ClabberError, InputError
from scanner.sheet.layout import Layout, load_layout
from scanner.sheet.results import Quad

#: A grid narrower than this part of the photo has rows of a few pixels; nothing could be read in it.
_SMALLEST = 0.05


class Mover:
    """Reads parts of photos again. The photo is read in the caller's thread, the season only by ``run``.

    Args:
        run: calls a function of the season (and more arguments) in the thread that owns the file.
        shelf: where the photos are.
        read_cells: the reader, or None where there is none.
    """

    def __init__(self, run: Callable, shelf: Shelf, read_cells: ReadCells | None) -> None:
        self._run = run
        self._shelf = shelf
        self._read_cells = read_cells

    def move(self, game: str, quad: Quad, by: str, undoes: int | None = None) -> None:
        """Puts a grid on other corners. Raises InputError without a reader, a photo, or a quadrangle."""
        where = self._run(game_spot, game)
        quad = tuple((float(x), float(y)) for x, y in quad)
        read = self._read(where, quad, where.layout, self._run(Season.answers, game))
        self._run(lambda season: season.move_grid(game, *read, by, undoes))

    def change_layout(self, sheet: str, layout: str, by: str, undoes: int | None = None) -> None:
        """Reads a sheet as another pad on the corners its grids have. Raises InputError, or LayoutError."""
        chosen = load_layout(layout)
        sql = "SELECT game_id FROM games WHERE sheet_id = ? ORDER BY grid"
        games = [row["game_id"] for row in self._run(Season.select, sql, sheet)]
        read = {}
        for game in games:
            where = self._run(game_spot, game)
            read[game] = self._read(where, where.quad, chosen, self._run(Season.answers, game))
        self._run(lambda season: season.change_layout(sheet, chosen, read, by, undoes))

    def take_back(self, decision: Decision, by: str) -> None:
        """Puts a grid or a layout back where it was before a decision."""
        self._place(decision.place, decision.before, by, decision.number)

    def follow(self) -> None:
        """Puts back what people chose before a rescan; what has no photo waits until it has one."""
        for row in self._run(Season.select, UNFOLLOWED):
            with suppress(ClabberError, RuntimeError):  # RuntimeError: the desk was closed meanwhile
                self._place(row["cell_id"], row["text"], row["by"])

    def _place(self, place: str, text: str, by: str, undoes: int | None = None) -> None:
        owner, what = place.rsplit("/", 1)
        if what == "layout":
            self.change_layout(owner, text, by, undoes)
        else:
            self.move(owner, quad_of(text), by, undoes)

    def _read(self, where: GameSpot, quad: Quad | None, layout: Layout, answers: dict) -> tuple:
        if self._read_cells is None:
            raise InputError("This page was opened without a reader; grids cannot be read again here.")
        pixels = self._pixels(where)
        _refuse_afar(quad, pixels)
        return read_again(pixels, quad, layout, self._read_cells, answers)

    def _pixels(self, where: GameSpot) -> np.ndarray:
        photo = None if where.quad is None else self._shelf.photo(where.sha256, where.photo)
        if not isinstance(photo, Photo):
            raise InputError(f"{where.photo}: the photo is not there, so it cannot be read. Name its folder first.")
        return photo.pixels


def _refuse_afar(quad: Quad, pixels: np.ndarray) -> None:
    """Corners may lie a little outside the photo, where the paper was cut off, but a grid is no speck."""
    size = np.array(pixels.shape[1::-1], dtype=float)
    corners = np.asarray(quad, dtype=float) / size
    if (np.abs(corners - 0.5) > 1.0).any() or (np.ptp(corners, axis=0) < _SMALLEST).any():
        raise InputError("The corners must lie on the grid in the photo.")
