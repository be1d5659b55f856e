"""An empty Excel workbook into which a league types its games, one line a hand; ``clabber import`` reads it."""

from __future__ import annotations

from pathlib import Path

from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout

#: Lines prepared for typing: some 150 games.
_LINES = 1000
_TITLES = ("date", "we", "they", "game", "layout")
_NOTES = {
    "date": "Day of the game, on the first line of a sheet.",
    "we": "Team in the column We, on the first line of a sheet.",
    "they": "Team in the column They.",
    "game": "Number of the game, if the sheet has more than one.",
    "layout": "The pad. Leave it as it is, or name another.",
    "winner_mark": "we or they: the column with the W, once a game.",
}
_GUIDE = (
    "One line for each hand, in the order they were played, on the worksheet Games.",
    "Type what is written, right or wrong: numbers, XX for a set side, - for a zero line. The sums are checked later.",
    "Date and teams stand on the first line of each sheet; left out, they go on from the line above.",
    "Sheets of the same two teams on one day: write date and teams again, and the second begins there.",
    "W: write we or they on any one line of a game, for the column in which the W stands. Nothing if there is none.",
    "Save, then: clabber import FILE.xlsx --season season.db",
    "You may go on in the same file and import it again: what was saved is not saved twice. What you changed is "
    "another sheet to the program, so correct saved games with clabber review.",
)


def write_workbook(path: Path, layout: Layout) -> None:
    """Writes the empty workbook for a layout.

    Raises:
        InputError: something is there already, or it cannot be written.
    """
    import xlsxwriter

    if path.suffix.lower() != ".xlsx":
        raise InputError(f"{path}: the template is an Excel workbook; give it a name that ends in .xlsx.")
    if path.exists():
        raise InputError(f"{path}: exists already and is left as it is; choose another name.")
    try:
        with xlsxwriter.Workbook(str(path)) as book:
            _games(book, layout)
            _guide(book)
    except (OSError, xlsxwriter.exceptions.FileCreateError) as error:
        raise InputError(f"{path}: cannot be written ({error}).") from error


def _games(book: object, layout: Layout) -> None:
    sheet = book.add_worksheet("Games")
    head = book.add_format({"bold": True, "bottom": 1})
    day, text = book.add_format({"num_format": "yyyy-mm-dd"}), book.add_format({"num_format": "@"})
    keys = (*_TITLES, *layout.arithmetic_keys, "winner_mark")
    for column, key in enumerate(keys):
        sheet.write_string(0, column, key, head)
        sheet.set_column(column, column, 18 if key in ("we", "they") else 12, {"date": day, "we": text, "they": text}
                         .get(key))
        if key in _NOTES:
            sheet.write_comment(0, column, _NOTES[key])
    sheet.write_string(1, keys.index("layout"), layout.name)
    last = keys.index("winner_mark")
    sheet.data_validation(1, last, _LINES, last, {"validate": "list", "source": ["we", "they"]})
    sheet.freeze_panes(1, 0)


def _guide(book: object) -> None:
    sheet = book.add_worksheet("How to")
    sheet.set_column(0, 0, 110, book.add_format({"text_wrap": True}))
    for row, line in enumerate(_GUIDE):
        sheet.write_string(row, 0, line)
