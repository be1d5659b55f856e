"""Frames as an Excel workbook, written column by column: a season of 10,000 games in a second, not in five.

Only what a table needs of the format (ECMA-376, SpreadsheetML): shared texts, numbers, truth values, days, a bold
heading that stays in sight, a filter.  There is no element for formulas or links in here, so no text can become one.
The same frames give the same bytes.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pandas as pd

#: Excel's limits: letters in a cell, rows in a sheet.
_MOST_LETTERS, _MOST_ROWS = 32_000, 1_048_000
#: Widths of columns in letters, and rows looked at for them.
_NARROWEST, _WIDEST, _LOOKED_AT = 8, 60, 200
# Excel counts days from here and believes that 1900 was a leap year, so days before March of it are written as text.
_DAY_ZERO, _FIRST_DAY = pd.Timestamp("1899-12-30"), pd.Timestamp("1900-03-01")
_HEAD, _DAY = 1, 2  # places in the list of cell formats below

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>'
    '<border><left/><right/><top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0" applyFont="1" applyBorder="1"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1">'
    '<alignment horizontal="left"/></xf></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>')
# What XML cannot hold, and what Excel would take for an escaped character.
_UNHOLDABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def write_workbook(sheets: Mapping[str, pd.DataFrame], path: Path) -> None:
    """Writes frames as the sheets of a workbook; names of sheets are ours, at most 31 letters and no punctuation."""
    texts: dict[str, int] = {}
    shown = {name: frame.head(_MOST_ROWS) for name, frame in sheets.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for number, frame in enumerate(shown.values(), 1):
            _store(archive, f"xl/worksheets/sheet{number}.xml", _sheet(frame, texts))
        _store(archive, "xl/sharedStrings.xml", _shared(texts))
        _store(archive, "xl/styles.xml", [_STYLES])
        _store(archive, "xl/workbook.xml", [_book(shown)])
        for name, text in _plumbing(len(shown)).items():
            _store(archive, name, [text])


def _store(archive: zipfile.ZipFile, name: str, parts: Iterable[str]) -> None:
    # Level 1 packs numbers nearly as well as 6 and takes a third of the time.
    archive.writestr(zipfile.ZipInfo(name), "".join(parts).encode("utf-8"), zipfile.ZIP_DEFLATED, compresslevel=1)


def _sheet(frame: pd.DataFrame, texts: dict[str, int]) -> Iterator[str]:
    letters = [_letters(i) for i in range(len(frame.columns))]
    yield (f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" '
           'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>')
    if letters:
        widths = [_width(frame[key]) for key in frame.columns]
        yield "<cols>" + "".join(f'<col min="{i}" max="{i}" width="{width}" customWidth="1"/>'
                                 for i, width in enumerate(widths, 1)) + "</cols>"
    heads = (f'<c r="{letter}1" s="{_HEAD}" t="s"><v>{_index(str(key), texts)}</v></c>'
             for letter, key in zip(letters, frame.columns, strict=True))
    yield f'<sheetData><row r="1">{"".join(heads)}</row>'
    columns = [_cells(frame[key], letter, texts) for key, letter in zip(frame.columns, letters, strict=True)]
    for number, row in enumerate(zip(*columns, strict=True), 2):
        yield f'<row r="{number}">{"".join(row)}</row>'
    yield "</sheetData>"
    if len(frame) and letters:
        yield f'<autoFilter ref="A1:{letters[-1]}{len(frame) + 1}"/>'
    yield "</worksheet>"


def _cells(column: pd.Series, letter: str, texts: dict[str, int]) -> list[str]:
    """A column's cells as XML, "" for null."""
    kind = column.dtype
    if isinstance(kind, pd.DatetimeTZDtype):
        return _text_cells(column.map(pd.Timestamp.isoformat, na_action="ignore"), letter, texts)
    if pd.api.types.is_datetime64_any_dtype(kind):
        return _day_cells(column, letter, texts)
    if pd.api.types.is_bool_dtype(kind):
        return [f'<c r="{letter}{row}" t="b"><v>{int(value)}</v></c>' if value is not pd.NA else ""
                for row, value in enumerate(column.tolist(), 2)]
    if pd.api.types.is_numeric_dtype(kind):
        return [f'<c r="{letter}{row}"><v>{value}</v></c>' if value is not pd.NA and math.isfinite(value) else ""
                for row, value in enumerate(column.tolist(), 2)]
    return _text_cells(column, letter, texts)


def _text_cells(column: pd.Series, letter: str, texts: dict[str, int]) -> list[str]:
    codes, uniques = pd.factorize(column)
    places = [_index(str(text), texts) for text in uniques]
    return [f'<c r="{letter}{row}" t="s"><v>{places[code]}</v></c>' if code >= 0 else ""
            for row, code in enumerate(codes.tolist(), 2)]


def _day_cells(column: pd.Series, letter: str, texts: dict[str, int]) -> list[str]:
    if (column < _FIRST_DAY).any():
        return _text_cells(column.dt.strftime("%Y-%m-%d"), letter, texts)
    days = (column.dt.normalize() - _DAY_ZERO).dt.days
    return ["" if math.isnan(day) else f'<c r="{letter}{row}" s="{_DAY}"><v>{day:.0f}</v></c>'
            for row, day in enumerate(days.astype("float64").tolist(), 2)]


def _index(text: str, texts: dict[str, int]) -> int:
    return texts.setdefault(text[:_MOST_LETTERS], len(texts))


def _shared(texts: dict[str, int]) -> Iterator[str]:
    yield f'{_XML}<sst xmlns="{_MAIN}" uniqueCount="{len(texts)}">'
    for text in texts:
        yield f'<si><t xml:space="preserve">{_holdable(text)}</t></si>'
    yield "</sst>"


def _holdable(text: str) -> str:
    """A text as XML that Excel shows as it is; what no XML can hold in Excel's own way, half characters as a question
    mark."""
    def code(found: re.Match) -> str:
        return "?" if "\ud800" <= found[0] <= "\udfff" else f"_x{ord(found[0]):04X}_"

    return escape(_UNHOLDABLE.sub(code, text))


def _letters(number: int) -> str:
    """Excel's name of a column, from 0.

    >>> _letters(0), _letters(25), _letters(26), _letters(702)
    ('A', 'Z', 'AA', 'AAA')
    """
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _width(column: pd.Series) -> int:
    shown = (len(f"{value:.3f}" if isinstance(value, float) else str(value))
             for value in column.head(_LOOKED_AT).dropna())
    longest = 10 if pd.api.types.is_datetime64_any_dtype(column.dtype) else max(shown, default=0)
    return min(max(longest + 2, len(str(column.name)) + 4, _NARROWEST), _WIDEST)


def _book(sheets: Mapping[str, pd.DataFrame]) -> str:
    names = "".join(f'<sheet name={quoteattr(name)} sheetId="{i}" r:id="rId{i}"/>' for i, name in enumerate(sheets, 1))
    filters = "".join(
        f'<definedName name="_xlnm._FilterDatabase" localSheetId="{i}" hidden="1">'
        f"'{escape(name)}'!$A$1:${_letters(len(frame.columns) - 1)}${len(frame) + 1}</definedName>"
        for i, (name, frame) in enumerate(sheets.items()) if len(frame) and len(frame.columns))
    defined = f"<definedNames>{filters}</definedNames>" if filters else ""
    return f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{names}</sheets>{defined}</workbook>'


def _plumbing(sheets: int) -> dict[str, str]:
    """The parts that say which part is what."""
    numbers = range(1, sheets + 1)
    kinds = {"/xl/workbook.xml": "sheet.main", "/xl/styles.xml": "styles", "/xl/sharedStrings.xml": "sharedStrings"}
    kinds |= {f"/xl/worksheets/sheet{i}.xml": "worksheet" for i in numbers}
    types = "".join(f'<Override PartName="{part}" ContentType="{_TYPE}{kind}+xml"/>' for part, kind in kinds.items())
    targets = [("worksheet", f"worksheets/sheet{i}.xml") for i in numbers]
    targets += [("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")]
    links = "".join(f'<Relationship Id="rId{i}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
                    for i, (kind, target) in enumerate(targets, 1))
    relationships = f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    return {
        "[Content_Types].xml":
            f'{_XML}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
        "_rels/.rels":
            f'{relationships}<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>",
        "xl/_rels/workbook.xml.rels": f"{relationships}{links}</Relationships>",
    }
