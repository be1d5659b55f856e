"""Where in which photo a question lies, and its pictures."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from scanner.review import pictures
from scanner.review.grids import boxes
from scanner.review.pictures import Picture, Shelf
from scanner.season.packing import layout_of, quad_of
from scanner.season.store import Season
from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout, load_layout
from scanner.sheet.results import Quad

#: Rows of the photo shown above the one that is asked about: the totals before, and the ones before those.
_ROWS_ABOVE = 2


@dataclass(frozen=True)
class Spot:
    """A place to show: its photo, and the corners of what matters there.

    Attributes:
        kind: ``"cell"``, ``"rows"`` (a whole game) or ``"head"``.
        quad: corners of the cell, of the game's grid, or of all the sheet's grids, photo pixels; None: typed.
        rows: first and last cell of each row to show, from the top.
        pitch: height of a row as a part of ``quad``'s, for heads.
    """

    sha256: str
    photo: str
    kind: str
    quad: Quad | None
    rows: tuple[tuple[Quad, Quad], ...] = ()
    pitch: float = 0.1


@dataclass(frozen=True)
class GameSpot:
    """A game in its photo: layout, corners of the grid (None: typed) and of every cell by (row, cell key)."""

    sha256: str
    photo: str
    layout: Layout
    quad: Quad | None
    boxes: dict[tuple[int, str], Quad]


def game_spot(season: Season, game_id: str) -> GameSpot:
    """Where a game lies. Raises InputError if there is none such."""
    row = _one(season.select(_GAME, game_id), game_id)
    layout, quad = layout_of(row["ruling"]) or load_layout(row["layout"]), quad_of(row["quad"])
    known = boxes(quad, layout) if quad else {}
    for cell in season.select("SELECT row, cell, box FROM cells WHERE game_id = ? AND box IS NOT NULL", game_id):
        known[cell["row"], cell["cell"]] = quad_of(cell["box"])
    return GameSpot(row["sha256"], row["photo"], layout, quad, known)


def spot(season: Season, place: str) -> Spot:
    """What to show of a cell, a ruling (the game) or a name or date (the head). Raises InputError if it is no place."""
    parts = place.split("/")
    if len(parts) == 3:
        return _head_spot(season, parts)
    game = game_spot(season, "/".join(parts[:3]))
    keys = game.layout.keys
    if len(parts) == 4:
        wanted, corners = _written_rows(season, "/".join(parts[:3])), game.quad
    elif len(parts) == 5 and parts[3].isdecimal():
        row = int(parts[3])
        wanted, corners = range(max(1, row - _ROWS_ABOVE), row + 1), game.boxes.get((row, parts[4]))
    else:
        raise InputError(f"{place}: there is no such place.")
    rows = tuple((game.boxes[r, keys[0]], game.boxes[r, keys[-1]]) for r in wanted if (r, keys[0]) in game.boxes)
    return Spot(game.sha256, game.photo, "cell" if len(parts) == 5 else "rows", corners, rows)


def show(spot: Spot, shelf: Shelf) -> dict[str, dict | None]:
    """The pictures of a spot as JSON: ``cell`` and ``rows``, or ``head``; empty if the photo is not there."""
    if spot.quad is None:
        return {}
    photo = shelf.photo(spot.sha256, spot.photo)
    if photo is None:
        return {"missing": {"photo": spot.photo}}
    if spot.kind == "head":
        return {"head": asdict(pictures.head_picture(photo.pixels, spot.quad, spot.pitch))}
    rows = asdict(pictures.rows_picture(photo.pixels, spot.rows, spot.quad)) if spot.rows else None
    if spot.kind == "rows":
        return {"rows": rows}
    return {"cell": asdict(_cell(photo.pixels, spot.quad)), "rows": rows}


def _cell(pixels: np.ndarray, box: Quad) -> Picture:
    return pictures.cell_picture(pixels, box)


def _head_spot(season: Season, parts: list[str]) -> Spot:
    sheet_id = "/".join(parts[:2])
    row = _one(season.select(_SHEET, sheet_id), sheet_id)
    layout = layout_of(row["ruling"]) or load_layout(row["layout"])
    return Spot(row["sha256"], row["photo"], "head", quad_of(row["quad"]), (),
                layout.row_heights[0] / layout.y_lines[-1])


def _written_rows(season: Season, game_id: str) -> list[int]:
    return [row["row"] for row in season.select("SELECT row FROM hands WHERE game_id = ? ORDER BY row", game_id)]


def _one(rows: list, place: str):
    if not rows:
        raise InputError(f"{place}: there is no such place.")
    return rows[0]


_GAME = """
SELECT photos.sha256, photo, layout, ruling, games.quad
  FROM games JOIN sheets USING (sheet_id) JOIN photos USING (sha256) WHERE game_id = ?
"""
_SHEET = "SELECT sha256, photo, layout, ruling, quad FROM sheets JOIN photos USING (sha256) WHERE sheet_id = ?"
