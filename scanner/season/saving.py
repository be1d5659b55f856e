"""The statements that write value types into the season file's tables and read them back. No transactions here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scanner.season import packing
from scanner.season.typed import TypedSheet
from scanner.sheet.layout import Layout
from scanner.sheet.reading import CellReading
from scanner.sheet.results import CellResult, GameResult, Label, PhotoError, PhotoResult, SheetResult

Db = sqlite3.Connection

#: Digits of a photo's SHA-256 in its ids; more are taken when two photos of one season share so many.
_SHORT = 8


def save_photo(db: Db, result: PhotoResult, readings: Mapping[tuple[int, int, int, str], CellReading],
               layouts: Mapping[str, Layout], at: str) -> None:
    """Writes a photo in place of what was there of it, and puts the answers given so far on top."""
    short = _short(db, result.sha256)
    db.execute("DELETE FROM photos WHERE sha256 = ?", (result.sha256,))
    error = (result.error.code, packing.storable(result.error.message)) if result.error else (None, None)
    name = packing.storable(result.photo)
    _insert(db, "photos", (result.sha256, short, name, "photo", result.width, result.height, *error, at))
    for number, sheet in enumerate(result.sheets, 1):
        _save_sheet(db, f"{short}/{number}", result.sha256, number, sheet, layouts.get(sheet.layout))
        for game in sheet.games:
            own = {(r, k): v for (s, g, r, k), v in readings.items() if (s, g) == (number, game.grid)}
            _save_game(db, f"{short}/{number}", game, own)
    _settle_all(db, short)


def save_typed(db: Db, sheet: TypedSheet, games: Sequence[GameResult], at: str) -> str:
    """Writes a typed sheet and returns its id; its names and date are certain, its cells have no picture."""
    short = _short(db, sheet.sha256)
    _insert(db, "photos", (sheet.sha256, short, packing.storable(sheet.source), "typed", None, None, None, None, at))
    labels = {side: Label(name, 1.0) for side, name in sheet.teams.items()}
    head = SheetResult(sheet.layout.name, 1.0, (), (), labels, Label(sheet.date or "", 1.0, sheet.date))
    _save_sheet(db, f"{short}/1", sheet.sha256, 1, head, sheet.layout)
    for grid, game in enumerate(games, 1):
        _save_game(db, f"{short}/1", replace(game, grid=grid, quad=None, fit_error=None), {})
    return f"{short}/1"


def replace_game(db: Db, game_id: str, result: GameResult) -> None:
    """Writes a new decoding of a game; answered cells keep what was read of them."""
    before = _rows(db, "cells", game_id)
    for table in ("hands", "problems", "cells"):
        db.execute(f"DELETE FROM {table} WHERE game_id = ?", (game_id,))
    db.execute("UPDATE games SET winner_mark = ?, winner = ?, winner_corrected = ? WHERE game_id = ?",
               (result.winner_mark, result.winner, result.winner_corrected, game_id))
    _save_parts(db, game_id, result)
    for cell in before:
        db.execute("UPDATE cells SET box = ? WHERE cell_id = ?", (cell["box"], cell["cell_id"]))
        if cell["settled"] is not None:
            _keep_as_read(db, cell)
    _settle_all(db, game_id)
    db.execute("UPDATE games SET stale = 0 WHERE game_id = ?", (game_id,))


def replace_reading(db: Db, game_id: str, result: GameResult, readings: packing.Readings) -> None:
    """Writes a game read anew at another place in the photo: its cells, boxes, corners and all the reader said."""
    for table in ("hands", "problems", "cells"):
        db.execute(f"DELETE FROM {table} WHERE game_id = ?", (game_id,))
    db.execute("UPDATE games SET quad = ?, fit_error = NULL, winner_mark = ?, winner = ?, winner_corrected = ?, "
               "readings = ? WHERE game_id = ?",
               (packing.quad_text(result.quad), result.winner_mark, result.winner, result.winner_corrected,
                packing.pack_readings(readings), game_id))
    _save_parts(db, game_id, result)
    _settle_all(db, game_id)


def settle(db: Db, place: str) -> None:
    """Carries the latest decision about a place into the ``settled`` columns, if the place is there."""
    last = db.execute("SELECT text, by, at FROM reviews WHERE cell_id = ? ORDER BY review_id DESC LIMIT 1", (place,))
    text, by, at = last.fetchone()
    parts = place.split("/")
    owner = place.rsplit("/", 1)[0]
    if len(parts) == 3 and parts[-1] in ("we", "they", "date"):
        db.execute(f"UPDATE sheets SET {parts[-1]}_settled = ? WHERE sheet_id = ?", (text, owner))
    elif len(parts) == 3 and parts[-1] == "mark":
        db.execute("UPDATE sheets SET mark = ? WHERE sheet_id = ?", (text, owner))
    elif parts[-1] == "official":
        # Until the captains have answered, the written totals count.
        db.execute("UPDATE games SET official = iif(? = 'corrected', 'corrected', 'written') WHERE game_id = ?",
                   (text, owner))
    elif len(parts) < 5:
        pass  # corners of a grid, layout of a sheet: what follows from them is read from the photo again
    else:
        db.execute("UPDATE cells SET settled = ?, settled_by = ?, settled_at = ? WHERE cell_id = ?",
                   (text, None if text is None else by, None if text is None else at, place))
        db.execute("UPDATE games SET stale = 1 WHERE game_id = ?", ("/".join(parts[:3]),))


def current(db: Db, place: str) -> tuple[str | None] | None:
    """What stands at a place (cell, head of a sheet, ruling on a game), settled or read; None if it is no place."""
    parts = place.split("/")
    owner = place.rsplit("/", 1)[0]
    if len(parts) == 3 and parts[-1] in ("we", "they", "date"):
        sql = f"SELECT coalesce({parts[-1]}_settled, {parts[-1]}) FROM sheets WHERE sheet_id = ?"
        found = db.execute(sql, (owner,)).fetchone()
    elif len(parts) == 3 and parts[-1] in ("mark", "layout"):
        found = db.execute(f"SELECT {parts[-1]} FROM sheets WHERE sheet_id = ?", (owner,)).fetchone()
    elif len(parts) == 4 and parts[-1] in ("official", "quad"):
        found = db.execute(f"SELECT {parts[-1]} FROM games WHERE game_id = ?", (owner,)).fetchone()
    else:
        found = db.execute("SELECT coalesce(settled, text) FROM cells WHERE cell_id = ?", (place,)).fetchone()
        found = found or _unwritten(db, parts)
    return None if found is None else (found[0],)


def saved_game(db: Db, game_id: str) -> GameResult:
    """A game from its rows."""
    game = db.execute("SELECT * FROM games WHERE game_id = ?", (game_id,)).fetchone()
    return packing.game_of(game, *(_rows(db, table, game_id) for table in ("hands", "cells", "problems")))


def saved_cells(db: Db, game_id: str) -> Iterator[tuple[int, str, CellResult]]:
    """(row, cell key, cell) of the cells of a game that are stored, in order."""
    for row in saved_game(db, game_id).rows:
        for key, cell in row.cells.items():
            yield row.row, key, cell


def saved_photo(db: Db, sha256: str) -> PhotoResult | None:
    """A photo from its rows, with names and dates as settled; None if it is not there."""
    photo = db.execute("SELECT * FROM photos WHERE sha256 = ?", (sha256,)).fetchone()
    if photo is None:
        return None
    sheets = db.execute("SELECT * FROM sheets WHERE sha256 = ? ORDER BY number", (sha256,)).fetchall()
    error = PhotoError(photo["error_code"], photo["error_message"]) if photo["error_code"] else None
    return PhotoResult(photo["photo"], sha256, photo["width"], photo["height"],
                       tuple(_sheet_result(db, sheet) for sheet in sheets), error)


def _settle_all(db: Db, owner: str) -> None:
    """Carries every decision about places in ``owner`` (a photo or a game) into the tables."""
    places = db.execute("SELECT DISTINCT cell_id FROM reviews WHERE cell_id LIKE ? || '/%'", (owner,)).fetchall()
    for (place,) in places:
        settle(db, place)


def _keep_as_read(db: Db, cell: sqlite3.Row) -> None:
    """Puts back what was read of an answered cell; if its row is no hand any more, the cell stays all the same."""
    columns = ("text", "confidence", "review", "struck", "choices")
    done = db.execute(f"UPDATE cells SET {' = ?, '.join(columns)} = ? WHERE cell_id = ?",
                      (*(cell[c] for c in columns), cell["cell_id"]))
    if not done.rowcount:
        _insert(db, "cells", tuple(cell))


def _unwritten(db: Db, parts: list[str]) -> tuple[str] | None:
    """An empty text for a cell that was read but in whose row no hand was found, so that a person can fill it."""
    if len(parts) != 5 or not parts[3].isdecimal():
        return None
    game = db.execute("SELECT readings FROM games WHERE game_id = ?", ("/".join(parts[:3]),)).fetchone()
    known = packing.unpack_readings(game["readings"]) if game is not None and game["readings"] else {}
    return ("",) if (int(parts[3]), parts[4]) in known else None


def _short(db: Db, sha256: str) -> str:
    for length in range(_SHORT, len(sha256) + 1):
        if not db.execute("SELECT 1 FROM photos WHERE short = ? AND sha256 <> ?", (sha256[:length], sha256)).fetchone():
            return sha256[:length]
    raise ValueError(f"two photos with the SHA-256 {sha256!r}")


def _save_sheet(db: Db, sheet_id: str, sha256: str, number: int, sheet: SheetResult, layout: Layout | None) -> None:
    we, they = (sheet.teams.get(side, Label("", 0.0)) for side in ("we", "they"))
    quad = packing.quad_text(sheet.quad) if sheet.quad else None
    _insert(db, "sheets", (
        sheet_id, sha256, number, sheet.layout, float(sheet.layout_confidence), packing.layout_text(layout), quad,
        we.text, float(we.confidence), None, they.text, float(they.confidence), None,
        sheet.date.text, sheet.date.iso, float(sheet.date.confidence), None, None))


def _save_game(db: Db, sheet_id: str, game: GameResult, readings: packing.Readings) -> None:
    game_id = f"{sheet_id}/{game.grid}"
    fit_error = None if game.fit_error is None else float(game.fit_error)
    blob = packing.pack_readings(readings) if readings else None
    _insert(db, "games", (game_id, sheet_id, game.grid, packing.quad_text(game.quad), fit_error, game.winner_mark,
                          game.winner, game.winner_corrected, "written", 0, blob))
    _save_parts(db, game_id, game)


def _save_parts(db: Db, game_id: str, game: GameResult) -> None:
    for row in game.rows:
        _insert(db, "hands", packing.hand_row(game_id, row))
        for key, cell in row.cells.items():
            _insert(db, "cells", (f"{game_id}/{row.row}/{key}", game_id, row.row, key, cell.text,
                                  float(cell.confidence), int(cell.review), cell.struck, packing.quad_text(cell.box),
                                  packing.choices_text(cell), None, None, None))
    for number, problem in enumerate(game.problems, 1):
        _insert(db, "problems", packing.problem_row(game_id, number, problem))


def _insert(db: Db, table: str, values: tuple, verb: str = "INSERT") -> None:
    db.execute(f"{verb} INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def _rows(db: Db, table: str, game_id: str) -> list[sqlite3.Row]:
    order = {"hands": "row", "cells": "row, rowid", "problems": "number"}[table]
    return db.execute(f"SELECT * FROM {table} WHERE game_id = ? ORDER BY {order}", (game_id,)).fetchall()


def _sheet_result(db: Db, row: sqlite3.Row) -> SheetResult:
    ids = db.execute("SELECT game_id FROM games WHERE sheet_id = ? ORDER BY grid", (row["sheet_id"],)).fetchall()
    teams = {side: Label(row[f"{side}_settled"] or row[side], 1.0 if row[f"{side}_settled"] else
                         row[f"{side}_confidence"]) for side in ("we", "they")}
    date = Label(row["date_text"], row["date_confidence"], row["date"])
    if row["date_settled"]:
        date = Label(row["date_text"], 1.0, row["date_settled"])
    return SheetResult(row["layout"], row["layout_confidence"], packing.quad_of(row["quad"]) or (),
                       tuple(saved_game(db, game_id) for (game_id,) in ids), teams, date)
