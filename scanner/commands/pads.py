"""``clabber pads``: a PDF of pads to print."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from scanner.commands.status import ExitCode
from scanner.output.files import refuse_suffix, write_atomically
from scanner.output.plain import counted, plain
from scanner.press.drawing import Words
from scanner.press.printing import impose, pads_pdf, refuse_count
from scanner.sheet.errors import InputError
from scanner.sheet.layout import load_layout
from scanner.sheet.plan import Fixture, one_name

_COLUMNS = ("we", "they", "date")


def pads(out: Path, layout: str, count: int | None, fixtures: Path | None, words: tuple[str, str],
         paper: str) -> ExitCode:
    """Write the pads; ``count`` of them with empty lines, or one for each fixture."""
    if count is not None and fixtures is not None:
        raise InputError("--count is for empty pads, --fixtures prints one pad for each game; give one of them.")
    refuse_suffix(out, ".pdf")
    ruling = load_layout(layout)
    way = impose(ruling, paper)
    refuse_count(way.places if count is None else count)
    games = read_fixtures(fixtures) if fixtures is not None else [Fixture()] * (count or way.places)
    write_atomically(out, pads_pdf(ruling, games, Words(*(" ".join(text.split()) for text in words)), paper))
    sheets = -(-len(games) // way.places)
    size = "" if way.scale == 1.0 else f", printed at {way.scale:.0%} to fit the paper"
    print(plain(f"{out}: {counted(len(games), 'pad')} of the layout {ruling.name} on {counted(sheets, 'sheet')} of "
                f"{paper} paper{size}. Print at full size (no 'fit to page'), and scan with --layout {layout}."))
    return ExitCode.OK


def read_fixtures(path: Path) -> list[Fixture]:
    """The games of a CSV file with the columns we, they and date (ISO), numbered from 1 in its order.

    Commas or semicolons, whichever the heading has more of. The byes of a schedule (with a column week) need no pad.

    Raises:
        InputError: the file cannot be read, or a line has no teams or no date; the message names the line.
    """
    try:
        rows = list(_rows(path.read_bytes()[:10_000_000].decode("utf-8-sig")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as a table of games ({error}). Save it as CSV, UTF-8.") from error
    missing = [key for key in _COLUMNS if rows and key not in rows[0][1]]
    if not rows or missing:
        raise InputError(f"{path}: no games, or no column {' and '.join(missing) or 'we'}; the first line must be "
                         "we,they,date and each further one a game, for example Eagles,Owls,2026-03-07.")
    games = [(line, row) for line, row in rows if "week" not in row or not row["we"] or row["they"]]
    if not games:
        raise InputError(f"{path}: no games, nothing but byes; there is no pad to print.")
    refuse_count(len(games))
    return [_fixture(row, f"{path}, line {line}", number) for number, (line, row) in enumerate(games, 1)]


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """(number of the line, values by column) of every line with something on it below the heading."""
    heading = text.split("\n", 1)[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=";" if heading.count(";") > heading.count(",") else ",")
    keys = [cell.strip() for cell in next(lines, ())]
    for cells in lines:
        if any(map(str.strip, cells)):
            yield lines.line_num, dict.fromkeys(keys, "") | dict(zip(keys, map(_typed, cells), strict=False))


def _typed(cell: str) -> str:
    """A cell as it was meant: without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    cell = " ".join(cell.split())
    return cell[1:] if cell[:1] == "'" and cell[1:2] in set("=+-@") else cell


def _fixture(row: dict[str, str], where: str, number: int) -> Fixture:
    we, they, day = (row[key] for key in _COLUMNS)
    try:
        day = date.fromisoformat(day).isoformat() if day else ""
    except ValueError as error:
        raise InputError(f"{where}: {day!r} is no date; write it as year-month-day, for example 2026-03-07.") from error
    if not we or not they:
        raise InputError(f"{where}: a game needs both teams, under we and they.")
    if one_name(we) == one_name(they):
        raise InputError(f"{where}: {we!r} cannot play itself; correct one of the two names.")
    return Fixture(we, they, day, number)
