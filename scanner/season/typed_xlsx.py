"""Games typed into an Excel workbook, turned into the documents that typed JSON files hold, one a sheet of paper.

The first worksheet is read: a heading, then one line a hand, columns as in a CSV file (:mod:`typed_csv`).  ``layout``,
``date``, ``we`` and ``they`` stand on the first line of a sheet of paper, or on all of its lines; where they are left
out, those above go on (names only both together).  A new sheet begins where one of them changes, or is written after
lines that left them out.  A workbook can so hold a whole season and be imported again as it grows: what tells two
sheets apart is what they say, not the bytes of the file, which change whenever Excel saves it.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from importlib.util import find_spec

from scanner.season.typed_csv import HEAD, check_heading, document_of, refuse_no_hands
from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout

#: Bounds on what a workbook may unpack to, and on the part of it that is looked at. A season of 1,000 games typed into
#: one sheet has some 6,000 lines and unpacks to 3 MB.
_MOST_UNPACKED, _MOST_LINES, _MOST_COLUMNS, _MOST_PARTS = 60_000_000, 50_000, 40, 2_000


@dataclass(frozen=True)
class PaperSheet:
    """One sheet of paper in a workbook: the line on which it begins, and its document."""

    line: int
    document: dict


def xlsx_documents(data: bytes, source: str, layout: Layout | None) -> list[PaperSheet]:
    """The documents a workbook stands for, in its order; what its cells hold is not judged here.

    Raises:
        InputError: no workbook, no heading, an unknown or doubled column, a formula nobody calculated, a number with
            decimals, or two values for what one game can have but once.
    """
    lines = [(number, texts) for number, texts in _lines(data, source) if any(texts)]
    if not lines:
        raise InputError(f"{source}: the first worksheet is empty; its first line must name the columns.")
    (_, heading), *rest = lines
    while heading and not heading[-1]:
        heading = heading[:-1]
    check_heading(heading, source, layout)
    papers = list(_papers(heading, rest, source))
    refuse_no_hands((record for rows in papers for _, record in rows), source)
    return [PaperSheet(rows[0][0], document_of([record for _, record in rows], f"{source}, from line {rows[0][0]}"))
            for rows in papers]


def _papers(heading: list[str], lines: list[tuple[int, list[str]]], source: str) -> Iterator[list[tuple[int, dict]]]:
    """The lines of each sheet of paper as records; the values of its head stand in every one of them."""
    head: dict[str, str] = {}
    rows: list[tuple[int, dict]] = []
    written = True
    for number, texts in lines:
        if any(texts[len(heading) :]):
            raise InputError(f"{source}, line {number}: a value stands under no heading.")
        record = dict(zip(heading, texts, strict=False))
        new = head | _head(record)
        if rows and (new != head or (_head(record) and not written)):
            yield rows
            rows = []
        head, written = new, bool(_head(record))
        rows.append((number, record | head))
    if rows:
        yield rows


def _head(record: dict[str, str]) -> dict[str, str]:
    """What a line says of its sheet of paper; one name alone leaves the other empty, to be refused for it."""
    said = {key for key in HEAD if record.get(key)}
    return {key: record.get(key, "") for key in said | ({"we", "they"} if said & {"we", "they"} else set())}


def _lines(data: bytes, source: str) -> Iterator[tuple[int, list[str]]]:
    """Number and texts of each line of the first worksheet that is written on."""
    values, formulas = (_first_worksheet(data, source, calculated) for calculated in (True, False))
    for number, (line, behind) in enumerate(zip(values, formulas, strict=True), 1):
        yield number, [_text(value, formula, f"{source}, line {number}, column {column}")
                       for column, (value, formula) in enumerate(zip(line, behind, strict=True), 1)]


def _first_worksheet(data: bytes, source: str, calculated: bool) -> list[tuple]:
    """The values of the first worksheet, or the formulas behind them."""
    if find_spec("openpyxl") is None:
        raise InputError(f"{source}: reading Excel files needs openpyxl: pip install openpyxl (or save it as CSV).")
    import openpyxl

    _refuse_bomb(data, source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl names every Excel feature it passes over
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=calculated)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what the file says of its size may be wrong
            lines = list(sheet.iter_rows(max_row=_MOST_LINES + 1, max_col=_MOST_COLUMNS, values_only=True))
    except Exception as error:  # openpyxl promises nothing about what a broken file raises
        raise InputError(f"{source}: damaged or no Excel workbook ({type(error).__name__}). "
                         "Open it in Excel, save it again as .xlsx, or save it as CSV.") from error
    if len(lines) > _MOST_LINES:
        raise InputError(f"{source}: more than {_MOST_LINES} lines; split the workbook.")
    return lines


def _refuse_bomb(data: bytes, source: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise InputError(f"{source}: no Excel workbook; save the spreadsheet as .xlsx or .csv.") from error
    # zipfile never unpacks more of a part than its entry says, so what is declared is what can come.
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _MOST_UNPACKED:
        raise InputError(f"{source}: unpacks to more than {_MOST_UNPACKED // 1_000_000} MB; this is no file of games.")


def _text(value: object, formula: object, source: str) -> str:
    """What a cell of the workbook says, as a person would have typed it into a CSV file."""
    if value is None:
        if isinstance(formula, str) and formula.startswith("="):
            raise InputError(f"{source}: a formula that was never calculated; open the file in Excel and save it.")
        return ""
    if isinstance(value, datetime | date):
        return value.strftime("%Y-%m-%d")
    if isinstance(value, bool):
        raise InputError(f"{source}: says {value}; a cell holds a number, a mark such as XX or -, or a name.")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str | int):
        return str(value).strip()
    raise InputError(f"{source}: {str(value)[:40]!r} is no whole number; points have no decimals.")
