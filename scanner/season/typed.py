"""Games typed on a keyboard: the JSON, CSV or Excel files of ``clabber check`` and ``import``, read or refused.

What a cell *holds* is not judged here: a text that is no number and no mark is the check's business, not an error of
the file.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from scanner.season.days import day
from scanner.season.typed_csv import csv_document
from scanner.season.typed_xlsx import xlsx_documents
from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout, load_layout
from scanner.sheet.results import SIDES

#: Bounds on what a file may hold, before anything is built from it. A typed evening is a few kilobytes.
_MOST_BYTES, _MOST_GAMES, _MOST_ROWS, _LONGEST_TEXT, _LONGEST_NAME = 5_000_000, 1000, 200, 40, 80


#: Names of spreadsheets; those that are no .xlsx inside are refused with the advice to save them as one.
_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")


@dataclass(frozen=True)
class TypedGame:
    """One typed game: the texts of its rows by cell key (every key of the layout present), and the side of the W."""

    rows: tuple[dict[str, str], ...]
    winner_mark: str | None


@dataclass(frozen=True)
class TypedSheet:
    """One typed file. ``teams`` is empty and ``date`` (ISO) None where the file does not say."""

    source: str
    sha256: str
    layout: Layout
    games: tuple[TypedGame, ...]
    teams: Mapping[str, str]
    date: str | None


def read_typed(path: str | Path, layout: Layout | None = None, head: bool = False) -> TypedSheet:
    """The games of a typed file that holds one sheet of paper; see :func:`read_typed_sheets`.

    Raises:
        InputError: as there, or an Excel workbook with several sheets of paper.
    """
    sheets = read_typed_sheets(path, layout, head)
    if len(sheets) != 1:
        raise InputError(f"{path}: holds {len(sheets)} sheets of paper; only clabber import takes more than one.")
    return sheets[0]


def read_typed_sheets(path: str | Path, layout: Layout | None = None, head: bool = False) -> list[TypedSheet]:
    """The sheets of paper in a typed file: one in JSON or CSV, any number in an Excel workbook; "-" is JSON on stdin.

    What kind a file is, its name says: ``.csv`` (:mod:`scanner.season.typed_csv`), ``.xlsx``
    (:mod:`scanner.season.typed_xlsx`), anything else JSON.

    Args:
        layout: takes the place of the layout the file names (a user's own, for example).
        head: also demands the names of both teams and a date of the calendar, if any, as a season needs them.

    Raises:
        InputError: the file cannot be read or used; the message names the place in it and what belongs there.
        LayoutError: the file names an unknown layout.
    """
    path = Path(path)
    data = _bytes(path)
    kind = path.suffix.lower()
    if kind in _WORKBOOKS:
        return [_keyed_by_content(_sheet(paper.document, f"{path}, from line {paper.line}", layout, head, data, True))
                for paper in xlsx_documents(data, str(path), layout)]
    if kind == ".csv":
        text = _utf8(data, str(path), 'in the spreadsheet program save it as "CSV UTF-8", or as .xlsx')
        return [_sheet(csv_document(text, str(path), layout), str(path), layout, head, data, True)]
    return [_sheet(_json(data, str(path)), str(path), layout, head, data, False)]


def _sheet(document: object, source: str, layout: Layout | None, head: bool, data: bytes, table: bool) -> TypedSheet:
    """The sheet a document stands for; ``table``: it was typed as lines and columns, so advice names those."""
    if not isinstance(document, dict):
        raise InputError(f'{source}: the file must hold one JSON object, {{"layout": ..., "games": [...]}}.')
    _refuse_misspelt(document, ("layout", "games", "teams", "date"), source)
    layout = layout or _layout(document, source, table)
    teams = _teams(document, source, table)
    if head and not teams:
        advice = 'write their names in the columns "we" and "they" of its first line' if table else \
            'add "teams": {"we": "Eagles", "they": "Owls"}'
        raise InputError(f"{source}: the teams are missing; {advice}.")
    games = _list(document, "games", source, _MOST_GAMES)
    return TypedSheet(
        source, hashlib.sha256(data).hexdigest(), layout,
        tuple(_game(game, layout, f"{source}, game {i}") for i, game in enumerate(games, 1)),
        teams, _date(document.get("date"), source, head))


def _keyed_by_content(sheet: TypedSheet) -> TypedSheet:
    """The sheet with the SHA-256 of what it says in place of its file's."""
    games = [[game.rows, game.winner_mark] for game in sheet.games]
    said = json.dumps([sheet.layout.name, dict(sheet.teams), sheet.date, games], sort_keys=True)
    return replace(sheet, sha256=hashlib.sha256(said.encode()).hexdigest())


def _bytes(path: Path) -> bytes:
    try:
        with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    if len(data) > _MOST_BYTES:
        raise InputError(f"{path}: larger than {_MOST_BYTES // 1_000_000} MB; this is no file of typed games.")
    return data


def _utf8(data: bytes, source: str, advice: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not a text file in UTF-8; {advice}.") from error


def _json(data: bytes, source: str) -> object:
    text = _utf8(data, source, "typed games are JSON, CSV or an Excel workbook, which the name's end must say")
    try:
        return json.loads(text, object_pairs_hook=_once, parse_int=_whole)
    except _DoubledKey as error:
        raise InputError(f"{source}: the key {error.args[0]!r} stands twice; keep one of them.") from error
    except RecursionError as error:
        raise InputError(f"{source}: nested too deeply to be a file of typed games.") from error
    except ValueError as error:
        raise InputError(f"{source}: not JSON ({error}).") from error


def _whole(digits: str) -> int | str:
    """A whole number, or what a cell says that holds more digits than anybody writes."""
    return int(digits) if len(digits) <= _LONGEST_TEXT else "?"


class _DoubledKey(Exception):
    """A key stands twice in one JSON object, where the first would silently vanish."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _DoubledKey(key)
        found[key] = value
    return found


def _refuse_misspelt(table: Mapping, known: tuple[str, ...], source: str) -> None:
    """Keys of other programs' own are passed over, but one that was meant for a missing key of ours must not be."""
    missing = [key for key in known if key not in table]
    for key in table:
        near = [] if key in known else difflib.get_close_matches(key, missing, n=1, cutoff=0.8)
        if near:
            raise InputError(f"{source}: unknown key {_short(key)}. Did you mean {near[0]!r}?")


def _layout(document: Mapping, source: str, table: bool) -> Layout:
    name = document.get("layout")
    if not isinstance(name, str) or not name:
        advice = 'write evansville in a column "layout" of its first line' if table else 'add "layout": "evansville"'
        raise InputError(f"{source}: the layout is missing; {advice} (or another pad's name), or give --layout.")
    return load_layout(name)


def _list(table: Mapping, key: str, source: str, most: int) -> list:
    value = table.get(key)
    if not isinstance(value, list):
        raise InputError(f'{source}: "{key}" must be a list, got {_short(value)}.')
    if len(value) > most:
        raise InputError(f'{source}: "{key}" has {len(value)} entries; at most {most} are taken.')
    return value


def _game(game: object, layout: Layout, source: str) -> TypedGame:
    if not isinstance(game, dict):
        raise InputError(f'{source}: must be an object {{"rows": [...], "winner_mark": ...}}, got {_short(game)}.')
    _refuse_misspelt(game, ("rows", "winner_mark"), source)
    mark = game.get("winner_mark")
    if mark not in (None, *SIDES):
        raise InputError(f'{source}: "winner_mark" must be "we", "they" or null, got {_short(mark)}.')
    rows = _list(game, "rows", source, _MOST_ROWS)
    return TypedGame(tuple(_row(row, layout, f"{source}, row {i}") for i, row in enumerate(rows, 1)), mark)


def _row(row: object, layout: Layout, source: str) -> dict[str, str]:
    if not isinstance(row, dict):
        raise InputError(f"{source}: must be an object of cell keys and texts, got {_short(row)}.")
    for key in row:
        if key not in layout.keys:
            near = difflib.get_close_matches(key, layout.keys, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"{source}: unknown cell key {_short(key)}.{hint} "
                             f"The layout {layout.name!r} has {', '.join(layout.keys)}.")
    return {key: _text(row.get(key), f"{source}, {key}") for key in layout.keys}


def _text(value: object, source: str) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**_LONGEST_TEXT else "?"
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT or not _printable(value):
        raise InputError(f"{source}: a cell holds a short text such as \"92\", \"XX\" or \"\", got {_short(value)}.")
    return value


def _teams(document: Mapping, source: str, table: bool) -> dict[str, str]:
    teams = document.get("teams")
    if teams is None:
        return {}
    if not isinstance(teams, dict) or set(teams) != set(SIDES):
        raise InputError(f'{source}: "teams" must name both sides, {{"we": "Eagles", "they": "Owls"}}.')
    empty = next((side for side in SIDES if table and not teams[side]), None)
    if empty:
        raise InputError(f"{source}, teams, {empty}: must be a team's name and is empty; "
                         f'write it in the column "{empty}" of the first line of the sheet.')
    names = {side: _name(teams[side], f"{source}, teams, {side}") for side in SIDES}
    if names["we"].casefold() == names["they"].casefold():
        raise InputError(f"{source}: {names['we']!r} cannot play itself; correct one of the two team names.")
    return names


def _name(value: object, source: str) -> str:
    if not isinstance(value, str) or not value.strip() or not _printable(value):
        raise InputError(f"{source}: must be a team's name, got {_short(value)}.")
    name = " ".join(value.split())
    if len(name) > _LONGEST_NAME:
        raise InputError(f"{source}: longer than {_LONGEST_NAME} letters; shorten the team's name.")
    return name


def _date(value: object, source: str, needed: bool) -> str | None:
    """The day as ISO date; what is no such date is passed over where nothing hangs on it."""
    if value is None:
        return None
    try:
        return day(value)
    except ValueError as error:
        if not needed:
            return None
        raise InputError(f'{source}: "date" must be a day such as "2026-03-07", got {_short(value)} ({error}).') \
            from error


def _printable(text: str) -> bool:
    """Whether a text can be stored and shown: no control characters, nothing UTF-8 cannot write."""
    return all(c.isprintable() for c in text)


def _short(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."
