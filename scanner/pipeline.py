"""The way of one photo: load, find sheets, cut cells, read, decode. Only the order of the stages lives here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scanner.photo.blanks import cut_head
from scanner.photo.blown import blown_out
from scanner.photo.boxes import cell_boxes
from scanner.photo.cells import cut_cells
from scanner.photo.load import Photo, fingerprint, load
from scanner.photo.printed import read_words
from scanner.photo.quality import unwritten
from scanner.photo.sheets import FoundSheet, find_sheets
from scanner.reader import read_cells
from scanner.reader.fixture import with_fixture
from scanner.reader.head import Head, read_head
from scanner.scorekeeper.decode import decode_game
from scanner.scorekeeper.likelihood import in_glare
from scanner.sheet.layout import Layout
from scanner.sheet.reading import CellReading
from scanner.sheet.results import GameResult, PhotoError, PhotoResult, SheetResult

if TYPE_CHECKING:
    from scanner.sheet.roster import Roster

#: Probability that the ink of a cell under a thing or in glare was not seen, whatever the reader made of what is there.
HIDDEN = 0.5


@dataclass(frozen=True)
class Settings:
    """What holds for every photo of a run: the layouts to choose among, the league's roster, if any, and how many
    cells of a game may be asked about (None: all that are worth it)."""

    layouts: tuple[Layout, ...]
    roster: Roster | None = None
    budget: int | None = None


#: Part of the written cells to be asked about from which the picture itself may be wrong. The sample sheets ask a
#: twentieth at most, their mirror images two fifths at least.
UNREADABLE = 0.3
MIRRORED = ("the picture is a mirror image, turned over it can be read. Turn off mirroring in the camera's settings, "
            "or flip the picture and save it without its EXIF data")

#: (sheet from 1, grid, row, cell key) to what the reader said of that cell.
Readings = Mapping[tuple[int, int, int, str], CellReading]


@dataclass(frozen=True)
class Scan:
    """A result, the photo it was read from (None if it could not be opened) and all that the reader said."""

    result: PhotoResult
    photo: Photo | None = None
    readings: Readings = field(default_factory=dict)


def scan_photo(path: Path, name: str, settings: Settings) -> Scan:
    """Read one photo; ``name`` is how the result calls it. What cannot be read is a result with an error.

    A mirror image (a camera for selfies, a wrong EXIF note) is told by that its other side can be read.
    """
    photo = load(path)
    if isinstance(photo, PhotoError):
        return Scan(PhotoResult(name, fingerprint(path), 0, 0, error=photo))
    scan = _scanned(photo, name, settings)
    if _mostly_asked(scan.result):
        mirrored = replace(photo, pixels=np.ascontiguousarray(photo.pixels[:, ::-1]))
        other = _scanned(mirrored, name, settings).result
        if other.sheets and _asked(other) < _asked(scan.result) / 2 and not _mostly_asked(other):
            error = PhotoError("unsupported", f"{photo.name}: {MIRRORED}.")
            return Scan(replace(scan.result, sheets=(), error=error), photo)
    return scan


def _scanned(photo: Photo, name: str, settings: Settings) -> Scan:
    height, width = photo.pixels.shape[:2]
    found = find_sheets(photo, settings.layouts)
    if isinstance(found, PhotoError):
        return Scan(PhotoResult(name, photo.sha256, width, height, error=found), photo)
    readings = {(i, *place): r for i, s in enumerate(found, 1) for place, r in read_sheet(photo.pixels, s).items()}
    heads = [_head(photo.pixels, sheet, settings.roster) for sheet in found]
    sheets = tuple(decode_sheet(s, _of(readings, i + 1), heads[i], settings.budget) for i, s in enumerate(found))
    return Scan(PhotoResult(name, photo.sha256, width, height, sheets), photo, readings)


def _mostly_asked(result: PhotoResult) -> bool:
    return _asked(result) > UNREADABLE


def _asked(result: PhotoResult) -> float:
    """Part of the written cells that a person is to look at, 0 to 1."""
    cells = [c for sheet in result.sheets for game in sheet.games for row in game.rows for c in row.cells.values()]
    written = [cell.review for cell in cells if cell.text or cell.review]
    return sum(written) / max(1, len(written))


def _head(pixels: np.ndarray, sheet: FoundSheet, roster: Roster | None) -> Head:
    return with_fixture(read_head(cut_head(pixels, sheet), roster, read_words), sheet.fixture, roster)


def read_sheet(pixels: np.ndarray, sheet: FoundSheet) -> dict[tuple[int, int, str], CellReading]:
    """(grid, row, cell key) to reading for every cell of a sheet, all of them in one batch of the reader."""
    cut = {grid.number: cut_cells(pixels, grid, sheet.layout) for grid in sheet.grids}
    images = {(number, *place): image for number, cells in cut.items() for place, image in cells.items()}
    readings = dict(zip(images, read_cells(list(images.values())), strict=True))
    hidden = {(grid.number, *place) for grid in sheet.grids for place in grid.look.hidden}
    return in_glare(doubted(readings, hidden), blown_out(images, readings))


def doubted(
    readings: dict[tuple[int, int, str], CellReading], hidden: set[tuple[int, int, str]]
) -> dict[tuple[int, int, str], CellReading]:
    """The readings with those of ``hidden`` cells doubted, down to the last row of a grid in which writing is seen.

    Below it nobody wrote, or everything is hidden: a thing that lies on unused rows must not make hands of them.
    """
    sure = [place for place, r in readings.items() if r.text and r.confidence > 0.5 and place not in hidden]
    last = {grid: max((row for g, row, _ in sure if g == grid), default=0) for grid, _, _ in readings}
    return {
        place: reading.doubted(HIDDEN) if place in hidden and place[1] <= last[place[0]] else reading
        for place, reading in readings.items()
    }


def decode_sheet(sheet: FoundSheet, readings: Mapping[tuple[int, int, str], CellReading], head: Head,
                 budget: int | None = None) -> SheetResult:  # fmt: skip
    """The games on a sheet, each with its place in the photo; a grid nobody wrote in gives none.

    ``budget`` is the most cells of one game a person may be asked about.
    """
    games: list[GameResult] = []
    for grid in sheet.grids:
        game = decode_game(_of(readings, grid.number), sheet.layout, budget)
        if game is not None and game.rows:  # a stray line on an unused grid is no game
            games.append(game.placed(grid.number, grid.quad, grid.fit_error, cell_boxes(grid, sheet.layout)))
    empty = unwritten([grid.number for grid in sheet.grids], [game.grid for game in games])
    faults = (*sheet.faults, *(fault for grid in sheet.grids for fault in grid.look.faults), *empty)
    return SheetResult(
        sheet.layout.name, sheet.layout_confidence, sheet.quad, tuple(games), head.teams, head.date, faults
    )


def _of(readings: Mapping[tuple, CellReading], number: int) -> dict[tuple, CellReading]:
    """What stands under one sheet or one grid, its number left out of the keys."""
    return {place[1:]: reading for place, reading in readings.items() if place[0] == number}
