"""``clabber pads``: a PDF of pads to print."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

from scanner.commands.status import ExitCode
from scanner.output.files import write_atomically
from scanner.output.plain import counted, plain
from scanner.press.drawing import Words
from scanner.press.printing import MOST_PADS, impose, pads_pdf
from scanner.sheet.errors import InputError
from scanner.sheet.layout import load_layout
from scanner.sheet.plan import Fixture

_COLUMNS = ("we", "they", "date")


def pads(out: Path, layout: str, count: int | None, fixtures: Path | None, words: tuple[str, str],
         paper: str) -> ExitCode:
    """Write the pads; ``count`` of them with empty lines, or one for each fixture."""
    if count is not None and fixtures is not None:
        raise InputError("--count is for empty pads, --fixtures prints one pad for each game; give one of them.")
    ruling = load_layout(layout)
    way = impose(ruling, paper)
    games = read_fixtures(fixtures) if fixtures is not None else [Fixture()] * (count or way.places)
    write_atomically(out, pads_pdf(ruling, games, Words(*words), paper))
    sheets = -(-len(games) // way.places)
    size = "" if way.scale == 1.0 else f", printed at {way.scale:.0%} to fit the paper"
    print(plain(f"{out}: {counted(len(games), 'pad')} of the layout {ruling.name} on {counted(sheets, 'sheet')} of "
                f"{paper} paper{size}. Print at full size (no 'fit to page'), and scan with --layout {layout}."))
    return ExitCode.OK


def read_fixtures(path: Path) -> list[Fixture]:
    """The games of a CSV file with the columns we, they and date (ISO), numbered from 1 in its order.

    Raises:
        InputError: the file cannot be read, or a line has no teams or no date; the message names the line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file.read(10_000_000).splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as a table of games ({error}). Save it as CSV, UTF-8.") from error
    missing = [key for key in _COLUMNS if rows and key not in rows[0]]
    if not rows or missing:
        raise InputError(f"{path}: no games, or no column {' and '.join(missing) or 'we'}; the first line must be "
                         "we,they,date and each further one a game, for example Eagles,Owls,2026-03-07.")
    if len(rows) > MOST_PADS:
        raise InputError(f"{path}: {len(rows)} games; at most {MOST_PADS} pads go into one file.")
    return [_fixture(row, f"{path}, line {number + 1}", number) for number, row in enumerate(rows, 1)]


def _fixture(row: dict, where: str, number: int) -> Fixture:
    we, they, day = (" ".join((row[key] or "").split()) for key in _COLUMNS)
    try:
        day = date.fromisoformat(day).isoformat() if day else ""
    except ValueError as error:
        raise InputError(f"{where}: {day!r} is no date; write it as year-month-day, for example 2026-03-07.") from error
    if not we or not they:
        raise InputError(f"{where}: a game needs both teams, under we and they.")
    return Fixture(we, they, day, number)
