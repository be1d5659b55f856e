"""The season file as SQLite sees it: tables, versions, and opening a file without ever harming it.

Journal: SQLite's rollback journal (not WAL), ``synchronous=EXTRA``.  A season is one file that secretaries copy to a
stick, mail, or keep in a synchronised folder, and it is written a few times an evening; WAL would keep saved games in
a second file beside it and does not work on network drives, for a speed nobody here needs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scanner.sheet.errors import SeasonError

#: Written into the file's header, so that another program's database is known for what it is ("ClbS" in ASCII).
APPLICATION_ID = 0x436C6253

#: Seconds to wait for another program that is writing; a photo is stored in milliseconds.
PATIENCE = 5.0

_FIRST = """
CREATE TABLE photos (
    sha256 TEXT PRIMARY KEY, short TEXT NOT NULL UNIQUE, photo TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('photo', 'typed')), width INTEGER, height INTEGER,
    error_code TEXT, error_message TEXT, saved_at TEXT NOT NULL) STRICT;
CREATE TABLE sheets (
    sheet_id TEXT PRIMARY KEY, sha256 TEXT NOT NULL REFERENCES photos ON DELETE CASCADE, number INTEGER NOT NULL,
    layout TEXT NOT NULL, layout_confidence REAL NOT NULL, ruling TEXT, quad TEXT,
    we TEXT, we_confidence REAL, we_settled TEXT, they TEXT, they_confidence REAL, they_settled TEXT,
    date_text TEXT, date TEXT, date_confidence REAL, date_settled TEXT) STRICT;
CREATE TABLE games (
    game_id TEXT PRIMARY KEY, sheet_id TEXT NOT NULL REFERENCES sheets ON DELETE CASCADE, grid INTEGER NOT NULL,
    quad TEXT, fit_error REAL, winner_mark TEXT, winner TEXT, winner_corrected TEXT,
    official TEXT NOT NULL DEFAULT 'written' CHECK (official IN ('written', 'corrected')),
    stale INTEGER NOT NULL DEFAULT 0, readings BLOB) STRICT;
CREATE TABLE hands (
    game_id TEXT NOT NULL REFERENCES games ON DELETE CASCADE, row INTEGER NOT NULL,
    written_we_points INTEGER, written_they_points INTEGER, written_we_total INTEGER, written_they_total INTEGER,
    corrected_we_points INTEGER, corrected_they_points INTEGER,
    corrected_we_total INTEGER, corrected_they_total INTEGER,
    "set" TEXT, maker TEXT, meld INTEGER, PRIMARY KEY (game_id, row)) STRICT;
CREATE TABLE cells (
    cell_id TEXT PRIMARY KEY, game_id TEXT NOT NULL REFERENCES games ON DELETE CASCADE, row INTEGER NOT NULL,
    cell TEXT NOT NULL, text TEXT NOT NULL, confidence REAL NOT NULL, review INTEGER NOT NULL, struck TEXT, box TEXT,
    choices TEXT NOT NULL, settled TEXT, settled_by TEXT, settled_at TEXT) STRICT;
CREATE TABLE problems (
    game_id TEXT NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL, code TEXT NOT NULL,
    row INTEGER, cell TEXT, written TEXT, expected TEXT, message TEXT NOT NULL, candidates TEXT NOT NULL,
    probability REAL NOT NULL, winner_changes INTEGER NOT NULL, points_moved INTEGER NOT NULL,
    PRIMARY KEY (game_id, number)) STRICT;
CREATE TABLE reviews (
    review_id INTEGER PRIMARY KEY AUTOINCREMENT, cell_id TEXT NOT NULL, before TEXT, text TEXT,
    by TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE INDEX sheets_of_photo ON sheets (sha256);
CREATE INDEX games_of_sheet ON games (sheet_id);
CREATE INDEX cells_of_game ON cells (game_id);
CREATE INDEX open_questions ON cells (review) WHERE review = 1 AND settled IS NULL;
CREATE INDEX reviews_of_cell ON reviews (cell_id);
CREATE TRIGGER reviews_are_kept BEFORE DELETE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews are never deleted'); END;
CREATE TRIGGER reviews_are_fixed BEFORE UPDATE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews are never changed'); END;
"""

#: What a person says of a sheet as a whole: photographed twice, no score sheet at all, or to be photographed again.
MARKS = ("duplicate", "not-a-sheet", "again")

_DECISIONS = """
ALTER TABLE reviews ADD COLUMN note TEXT;
ALTER TABLE reviews ADD COLUMN undoes INTEGER REFERENCES reviews;
ALTER TABLE sheets ADD COLUMN mark TEXT CHECK (mark IN ('duplicate', 'not-a-sheet', 'again'));
CREATE INDEX reviews_undone ON reviews (undoes) WHERE undoes IS NOT NULL;
"""

_TRUTH = """
CREATE TABLE true_hands (
    game_id TEXT NOT NULL REFERENCES games ON DELETE CASCADE, hand INTEGER NOT NULL,
    we_points INTEGER NOT NULL, they_points INTEGER NOT NULL, "set" TEXT CHECK ("set" IN ('we', 'they')),
    PRIMARY KEY (game_id, hand)) STRICT;
CREATE TABLE true_slips (
    game_id TEXT NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL, row INTEGER NOT NULL,
    code TEXT NOT NULL, cell TEXT, written TEXT, "right" TEXT, PRIMARY KEY (game_id, number)) STRICT;
CREATE TABLE true_teams (team TEXT PRIMARY KEY, strength REAL NOT NULL) STRICT;
"""

#: The step from version n to n + 1 stands at position n; a released step is never edited, a change is a new step.
MIGRATIONS: tuple[str, ...] = (_FIRST, _DECISIONS, _TRUTH)


def connect(path: Path, create: bool) -> sqlite3.Connection:
    """An open connection to the season file at ``path``, brought up to this program's version.

    Raises:
        SeasonError: absent (and ``create`` is false), damaged, locked, of another kind, or of a newer version.
    """
    _refuse_impossible(path, create)
    with explained(path):
        connection = _open(path)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into a :class:`SeasonError` that names the file and the cure."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise SeasonError(f"{path}: {_cure(error)}") from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing: commits at the end, rolls back on any exception. The write lock is taken at the start."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _refuse_impossible(path: Path, create: bool) -> None:
    try:
        _look_at(path, create)
    except OSError as error:  # a folder on the way that may not be entered, a name that is too long
        raise SeasonError(f"{path}: cannot be opened ({error.strerror or error}). "
                          "Check the name and the permissions of its folder.") from error


def _look_at(path: Path, create: bool) -> None:
    if path.is_dir():
        raise SeasonError(f"{path}: this is a folder; give the season file in it, for example {path / 'season.db'}.")
    if not path.exists() and not create:
        raise SeasonError(f"{path}: there is no such season file. Make one with: clabber scan PHOTOS --season {path}")
    if path.exists() and not path.is_file():
        raise SeasonError(f"{path}: this is no ordinary file; choose another name for the season file.")
    if not path.parent.is_dir():
        raise SeasonError(f"{path}: the folder {path.parent} does not exist; make it first.")
    if path.exists() and path.stat().st_size == 0 and not create:
        raise SeasonError(f"{path}: the file is empty, not a season. Restore your copy of it; "
                          f"if there is none, begin a new season in it with: clabber scan PHOTOS --season {path}")


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = EXTRA")
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = _checked_version(connection, path)
    if version == len(MIGRATIONS):
        return
    if version:
        _back_up(connection, path, version)
    with transaction(connection):
        # Another program may have done the same while this one waited for the lock.
        for step in MIGRATIONS[_checked_version(connection, path) :]:
            for statement in _statements(step):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _checked_version(connection: sqlite3.Connection, path: Path) -> int:
    """The file's schema version, 0 for a new file; refuses what is not ours to touch."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (tables or application):
        raise SeasonError(f"{path}: this is another program's database, not a season file; it was left as it is. "
                          "Choose another file name.")
    if version > len(MIGRATIONS):
        raise SeasonError(f"{path}: written by a newer version of this program (file version {version}, this program "
                          f"knows {len(MIGRATIONS)}); it was left as it is. Update clabber-sheets.")
    if tables:
        _refuse_damage(connection, path)
    return version


def _refuse_damage(connection: sqlite3.Connection, path: Path) -> None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise SeasonError(f"{path}: the file is damaged: its parts do not fit together any more. {_RESTORE}")


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Keeps the file as it was before an upgrade, beside it; an existing copy is left alone."""
    copy = path.with_name(f"{path.name}.version{version}")
    if copy.exists():
        return
    target = sqlite3.connect(copy)
    try:
        connection.backup(target)
    finally:
        target.close()


def _statements(script: str) -> Iterator[str]:
    """The single statements of a script; triggers hold semicolons of their own, so SQLite is asked where each ends."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


_RESTORE = "It was left as it is. Restore your last copy of it, or scan the photos again into a new season file."


def _cure(error: sqlite3.DatabaseError) -> str:
    text = str(error)
    with suppress(AttributeError):
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return ("another program is using this season file. Nothing was changed; close that program (or wait until "
                    "it is done) and try again.")
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return f"the file is damaged or no season file ({text}). {_RESTORE}"
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return f"the file or its folder cannot be written ({text}). Check its permissions or copy it elsewhere."
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
            return "the disk is full; nothing was changed. Make room and try again."
    return f"the season file could not be used ({text}). {_RESTORE}"
