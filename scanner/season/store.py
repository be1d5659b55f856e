"""The season file: every photo, sheet, game, hand, cell, question, answer and problem of a league's year.

Ids tell the place: photo ``1a2b3c4d`` (the first eight of its SHA-256), sheet ``1a2b3c4d/1``, game ``1a2b3c4d/1/2``
(grid 2), cell ``1a2b3c4d/1/2/3/we_total`` (row 3).  A sheet's head has the ids ``1a2b3c4d/1/we``, ``/they``, ``/date``.

What a person decided stands in ``reviews``, which only ever grows; every table's ``settled`` columns are the latest of
it and are put back after a rescan.  Each method is one transaction: after a crash at any moment the file holds either
all of a call or nothing of it.
"""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from scanner.season import saving
from scanner.season.days import day
from scanner.season.decisions import DECIDED_BEFORE, LAST_STANDING, PROGRAM, Decision, OvertakenError
from scanner.season.packing import (
    Readings,
    choices_of,
    layout_of,
    layout_text,
    quad_of,
    quad_text,
    reading_of,
    unpack_readings,
)
from scanner.season.questions import OPEN_QUESTIONS, UNSURE_HEADS, HeadQuestion, Question
from scanner.season.schema import MARKS, connect, explained, transaction
from scanner.season.truth import Truth, save_strengths, save_truth, saved_truth
from scanner.season.typed import TypedSheet
from scanner.sheet.errors import InputError, SeasonError
from scanner.sheet.layout import Layout, load_layout
from scanner.sheet.reading import CellReading, certain
from scanner.sheet.results import GameResult, PhotoResult
from scanner.sheet.texts import canonical

#: (sheet, grid, row, cell key), sheets and grids counted from 1, to what the reader said.
PhotoReadings = Mapping[tuple[int, int, int, str], CellReading]
#: Letters of a team's name at most.
LONGEST_NAME = 80

#: Whose totals are official: as they stand on the paper, as they should be, or open until the captains have spoken.
RULINGS = ("written", "corrected", "captains")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def open_season(path: str | Path, create: bool = True, clock: Callable[[], str] = _now) -> Iterator[Season]:
    """The season file at ``path``, made if it is not there, closed at the end of the ``with`` block.

    Args:
        create: False refuses to make a new file, for commands that only read.
        clock: gives the time written beside what is saved, ISO 8601 in UTC.

    Raises:
        SeasonError: the file is damaged, locked, another program's, or of a newer version; it is left as it is.
    """
    path = Path(path)
    connection = connect(path, create)
    connection.row_factory = sqlite3.Row
    try:
        yield Season(path, connection, clock)
    finally:
        connection.close()


class Season:
    """An open season file. Get one from :func:`open_season`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Callable[[], str]) -> None:
        self.path = path
        self._connection = connection
        self._clock = clock

    def has(self, sha256: str) -> bool:
        """Whether this photo (or typed file) was read and saved; one saved with an error does not count."""
        return bool(self.select("SELECT 1 FROM photos WHERE sha256 = ? AND error_code IS NULL", sha256))

    def add_photo(self, result: PhotoResult, readings: PhotoReadings | None = None, rescan: bool = False,
                  layouts: Sequence[Layout] = ()) -> bool:
        """Saves what a scan found, once for each SHA-256.

        A photo that is there already is left as it is, unless it failed before, or ``rescan`` is true and this scan
        succeeded: then its readings are replaced and every answer of a person is put back on top of them.

        Args:
            readings: the reader's posteriors of all cells, so that a game can be decoded again after an answer.
            layouts: the layouts of the run; a user's own is kept with its sheets, as decoding again needs it.

        Returns:
            True if anything was saved.
        """
        with self._writing() as connection:
            known = connection.execute("SELECT error_code FROM photos WHERE sha256 = ?", (result.sha256,)).fetchone()
            failed_before = known is not None and known["error_code"] is not None
            if known is not None and (result.error or not (rescan or failed_before)):
                return False
            by_name = {layout.name: layout for layout in layouts}
            saving.save_photo(connection, result, readings or {}, by_name, self._clock())
        return True

    def add_typed(self, sheet: TypedSheet, games: Sequence[GameResult], truths: Sequence[Truth] = ()) -> bool:
        """Saves a typed sheet with its checked games; False if the same file is there already.

        Args:
            truths: of a simulated sheet, what was really played in each of its games.
        """
        if len(games) != len(sheet.games) or len(truths) not in (0, len(games)):
            raise ValueError(f"{len(sheet.games)} typed games but {len(games)} checked and {len(truths)} true ones")
        with self._writing() as connection:
            if connection.execute("SELECT 1 FROM photos WHERE sha256 = ?", (sheet.sha256,)).fetchone():
                return False
            sheet_id = saving.save_typed(connection, sheet, games, self._clock())
            for grid, truth in enumerate(truths, 1):
                save_truth(connection, f"{sheet_id}/{grid}", truth)
        return True

    def add_strengths(self, strengths: Mapping[str, float]) -> None:
        """Saves how strong the teams of a simulated season play, 0 to 1, by name."""
        with self._writing() as connection:
            save_strengths(connection, strengths)

    def truth(self, game_id: str) -> Truth | None:
        """What was really played in a simulated game; None for a real one, where nobody knows."""
        with self._reading():
            return saved_truth(self._connection, game_id)

    def questions(self) -> list[Question]:
        """Cells a person must look at and nobody has, in the order of the sheets; none of a sheet set aside."""
        return [
            Question(**{**row, "box": quad_of(row["box"]), "choices": choices_of(row["choices"])})
            for row in map(dict, self.select(OPEN_QUESTIONS))
        ]

    def head_questions(self) -> list[HeadQuestion]:
        """Names and dates nobody could read on the heads of sheets that count and have a hand on them."""
        return [HeadQuestion(**dict(row)) for row in self.select(UNSURE_HEADS)]

    def answer(self, cell_id: str, text: str, by: str, note: str | None = None, seen: int | None = None) -> None:
        """Settles a cell, or a name or date of a sheet's head: what is written there, and who says so.

        The cell's game becomes :meth:`stale` until :meth:`update_game` brings it decoded again.

        Args:
            note: why, in the decider's words.
            seen: number of the latest decision about this place that the decider knew of (0: none); None: any.

        Raises:
            InputError: no such cell, a text no such cell may hold, or nobody named.
            OvertakenError: somebody has decided after ``seen``; nothing was written.
        """
        self._decide(cell_id, self._allowed(cell_id, text), by, note, seen)

    def take_back(self, cell_id: str, by: str) -> None:
        """Opens a settled cell or head again; the answers given so far stay in the history."""
        self._decide(cell_id, None, by)

    def rule(self, game_id: str, official: str, by: str, note: str | None = None, seen: int | None = None) -> None:
        """Decides whose totals count for a game: ``"written"`` (the default), ``"corrected"``, or ``"captains"``.

        Once the captains are asked the written totals go on counting until one of the other two is decided.
        """
        if official not in RULINGS:
            raise InputError(f"{official!r}: the official score of a game is one of {', '.join(RULINGS)}.")
        self._decide(f"{game_id}/official", official, by, note, seen)

    def mark(self, sheet_id: str, mark: str | None, by: str, note: str | None = None) -> None:
        """Sets a sheet aside as one of :data:`scanner.season.schema.MARKS`, or takes it back with None."""
        if mark is not None and mark not in MARKS:
            raise InputError(f"{mark!r}: a sheet is set aside as one of {', '.join(MARKS)}.")
        self._decide(f"{sheet_id}/mark", mark, by, note)

    def set_aside(self, sheet_id: str, note: str) -> None:
        """Marks a sheet as a duplicate in the program's own name; only :meth:`mark`, by a person, takes that back."""
        self._decide(f"{sheet_id}/mark", "duplicate", None, note)

    def move_grid(self, game_id: str, result: GameResult, readings: Readings, by: str,
                  undoes: int | None = None) -> None:
        """Replaces a game by what is read inside other corners of the photo; answers stay on top of it."""
        with self._writing() as connection:
            self._record(connection, f"{game_id}/quad", quad_text(result.quad), by, None, undoes)
            saving.replace_reading(connection, game_id, result, readings)

    def change_layout(self, sheet_id: str, layout: Layout, games: Mapping[str, tuple[GameResult, Readings]],
                      by: str, undoes: int | None = None) -> None:
        """Replaces the games of a sheet (by game id) by what is read on it as another layout."""
        with self._writing() as connection:
            self._record(connection, f"{sheet_id}/layout", layout.name, by, None, undoes)
            connection.execute("UPDATE sheets SET layout = ?, layout_confidence = 1.0, ruling = ? WHERE sheet_id = ?",
                               (layout.name, layout_text(layout), sheet_id))
            for game_id, (result, readings) in games.items():
                saving.replace_reading(connection, game_id, result, readings)

    def last_decision(self, by: str) -> Decision | None:
        """The latest decision of a person that still stands: not taken back, and not decided over by another.

        Raises:
            InputError: the name is the program's, whose decisions are no person's to undo.
        """
        _refuse_program(by)
        rows = self.select(LAST_STANDING.replace(":by", "?1"), by.strip())
        return Decision(*rows[0]) if rows else None

    def undo(self, decision: Decision, by: str) -> None:
        """Takes a decision back: what stood before it is decided again, so the history keeps both.

        Corners and layouts are taken back by :meth:`move_grid` and :meth:`change_layout`.
        """
        with self._writing() as connection:
            before = connection.execute(DECIDED_BEFORE, (decision.place, decision.number)).fetchone()
            text = None if before is None else before["text"]
            self._record(connection, decision.place, text, by, None, decision.number)
            saving.settle(connection, decision.place)

    def copy_to(self, path: Path) -> None:
        """A copy of the whole season as it is now, at a new path."""
        with self._reading():
            copy = sqlite3.connect(path)
            try:
                self._connection.backup(copy)
            finally:
                copy.close()

    def stale(self) -> list[str]:
        """Ids of games with answers that their stored decoding does not know yet."""
        return [row["game_id"] for row in self.select("SELECT game_id FROM games WHERE stale = 1 ORDER BY rowid")]

    def readings(self, game_id: str) -> dict[tuple[int, str], CellReading]:
        """(row, cell key) to reading for one game, with every answer as certain: what decoding again starts from."""
        game = self._one("SELECT readings FROM games WHERE game_id = ?", game_id, "game")
        readings = unpack_readings(game["readings"]) if game["readings"] else {
            (row, key): reading_of(cell) for row, key, cell in saving.saved_cells(self._connection, game_id)}
        return readings | self.answers(game_id)

    def answers(self, game_id: str) -> dict[tuple[int, str], CellReading]:
        """(row, cell key) to what people said is written there, as certain."""
        places = ((review["cell_id"].rsplit("/", 2), review["text"]) for review in self._answers(game_id))
        return {(int(row), key): certain(text) for (_, row, key), text in places}

    def game(self, game_id: str) -> GameResult:
        """A game as it is stored."""
        self._one("SELECT 1 FROM games WHERE game_id = ?", game_id, "game")
        return saving.saved_game(self._connection, game_id)

    def layout(self, game_id: str) -> str:
        """Name of the layout of a game's sheet."""
        sql = "SELECT layout FROM sheets JOIN games USING (sheet_id) WHERE game_id = ?"
        return self._one(sql, game_id, "game")["layout"]

    def ruling(self, game_id: str) -> Layout:
        """The layout of a game's sheet as it was when the sheet was saved. Raises LayoutError if it is unknown."""
        sql = "SELECT layout, ruling FROM sheets JOIN games USING (sheet_id) WHERE game_id = ?"
        sheet = self._one(sql, game_id, "game")
        return layout_of(sheet["ruling"]) or load_layout(sheet["layout"])

    def update_game(self, game_id: str, result: GameResult) -> None:
        """Replaces a game's decoding; what the reader said of answered cells, and the place in the photo, stay."""
        with self._writing() as connection:
            saving.replace_game(connection, game_id, result)

    def photo(self, sha256: str) -> PhotoResult | None:
        """What was saved of a photo, or None if it is not there."""
        with self._reading():
            return saving.saved_photo(self._connection, sha256)

    def select(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """The rows of a query; for reading only."""
        with self._reading():
            return self._connection.execute(sql, values).fetchall()

    def table(self, sql: str, *values: object) -> tuple[list[str], list[tuple]]:
        """Column names and plain rows of a query, for :mod:`analysis`; for reading only."""
        with self._reading():
            cursor = self._connection.cursor()
            cursor.row_factory = None
            rows = cursor.execute(sql, values).fetchall()
            return [name for name, *_ in cursor.description], rows

    def _decide(self, place: str, text: str | None, by: str | None, note: str | None = None,
                seen: int | None = None) -> None:
        with self._writing() as connection:
            last = connection.execute("SELECT max(review_id) FROM reviews WHERE cell_id = ?", (place,)).fetchone()[0]
            if seen is not None and (last or 0) > seen:
                raise OvertakenError(f"{place}: somebody has decided this in the meantime; look at it once more.")
            self._record(connection, place, text, by, note)
            saving.settle(connection, place)

    def _record(self, connection: sqlite3.Connection, place: str, text: str | None, by: str | None,
                note: str | None, undoes: int | None = None) -> None:
        """A row of the reviews; ``by`` None: the program itself."""
        if by is not None:
            _refuse_program(by)
        by = PROGRAM if by is None else by.strip()
        if not by:
            raise InputError(f"{place}: say who decides, for example --by Ruth.")
        values = (place, self._current(place), text, by, self._clock(), note, undoes)
        sql = "INSERT INTO reviews (cell_id, before, text, by, at, note, undoes) VALUES (?, ?, ?, ?, ?, ?, ?)"
        connection.execute(sql, values)

    def _allowed(self, cell_id: str, text: str) -> str:
        last = cell_id.rsplit("/", 1)[-1]
        if cell_id.count("/") != 2:
            allowed = canonical(text)
            if allowed is None:
                raise InputError(f"{text!r}: a cell holds a number up to 1999, XX, -, W, or nothing.")
            return allowed
        allowed = " ".join(text.split())
        if last == "date":
            try:
                return day(allowed)
            except ValueError as error:
                raise InputError(f"{text!r}: no date ({error}); write year-month-day, as 2026-03-07.") from error
        if not allowed:
            raise InputError(f"{cell_id}: a team's name cannot be empty.")
        if len(allowed) > LONGEST_NAME or not allowed.isprintable():
            raise InputError(f"{cell_id}: a team's name has at most {LONGEST_NAME} letters, all of them visible.")
        return allowed

    def _current(self, place: str) -> str | None:
        """What stands at a place now, settled or read. Raises InputError if there is no such place."""
        found = saving.current(self._connection, place)
        if found is None:
            asked = self._connection.execute("SELECT cell_id FROM cells WHERE review = 1 LIMIT 5000")
            known = [row[0] for row in asked]
            near = difflib.get_close_matches(place, known, n=1, cutoff=0.6)
            hint = f" Did you mean {near[0]}?" if near else " The queue of questions lists the ids."
            raise InputError(f"{place}: there is no such cell in {self.path}.{hint}")
        return found[0]

    def _answers(self, game_id: str) -> list[sqlite3.Row]:
        sql = """SELECT cell_id, text FROM reviews WHERE cell_id LIKE ?1 || '/%/%' AND text IS NOT NULL AND review_id IN
                 (SELECT max(review_id) FROM reviews WHERE cell_id LIKE ?1 || '/%/%' GROUP BY cell_id)"""
        return self.select(sql, game_id)

    def _one(self, sql: str, value: str, what: str) -> sqlite3.Row:
        rows = self.select(sql, value)
        if not rows:
            raise InputError(f"{value}: there is no such {what} in {self.path}.")
        return rows[0]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with explained(self.path):
            yield

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with explained(self.path), transaction(self._connection):
            yield self._connection


def _refuse_program(by: str) -> None:
    if " ".join(by.split()).casefold() == PROGRAM.casefold():
        raise InputError(f"{PROGRAM!r}: that is how this program signs; give a person's name, for example --by Ruth.")


__all__ = ["HeadQuestion", "PhotoReadings", "Question", "Readings", "Season", "SeasonError", "open_season"]
