"""Games typed into a spreadsheet and saved as CSV, turned into the document that typed JSON files hold.

One line a hand.  Columns: the layout's cell keys; ``game`` (number of the game on the sheet; left out, the one above,
1 at the start);
``winner_mark``, ``layout``, ``date``, ``we`` and ``they``, each of which needs saying once and is refused when it
says two things.  Commas or semicolons, whichever the heading has more of.
"""

from __future__ import annotations

import csv
import difflib
import io
from collections.abc import Iterable, Mapping

from scanner.sheet.errors import InputError
from scanner.sheet.layout import ARITHMETIC_KEYS, Layout

#: What is said of a sheet as a whole.
HEAD = ("layout", "date", "we", "they")
_OF_GAME = ("game", "winner_mark")


def csv_document(text: str, source: str, layout: Layout | None) -> dict:
    """The document a CSV file stands for; what its cells hold is not judged here.

    Raises:
        InputError: no heading, an unknown or doubled column, a line longer than the heading, or two values for one.
    """
    lines = text.splitlines()
    if not lines:
        raise InputError(f"{source}: the file is empty; its first line must name the columns.")
    delimiter = ";" if lines[0].count(";") > lines[0].count(",") else ","
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputError(f"{source}: not a CSV file ({error}).") from error
    heading = [name.strip() for name in table[0]]
    check_heading(heading, source, layout)
    lines = [(i, line) for i, line in enumerate(table[1:], 2) if any(map(str.strip, line))]
    records = [_record(heading, line, f"{source}, line {i}") for i, line in lines]
    refuse_no_hands(records, source)
    return document_of(records, source)


def refuse_no_hands(records: Iterable[Mapping[str, str]], source: str) -> None:
    """Refuses a table no line of which says what a cell of the paper holds, such as an empty template."""
    if not any(text for record in records for key, text in record.items() if key not in (*HEAD, *_OF_GAME)):
        raise InputError(f"{source}: no hand is typed below the heading; type each hand on a line of its own.")


def check_heading(heading: list[str], source: str, layout: Layout | None) -> None:
    """Refuses a heading with a column that is unknown or stands twice."""
    # Without a layout at hand the columns are only narrowed down; the games are held against the named layout later.
    known = (*HEAD, *_OF_GAME, *(layout.keys if layout else ARITHMETIC_KEYS))
    for name in heading:
        if heading.count(name) > 1:
            raise InputError(f"{source}: two columns are called {name!r}; each may stand once.")
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        if name not in known and (layout or near or not name.isidentifier()):
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"{source}: unknown column {name[:40]!r}.{hint} Known: {', '.join(known)}.")


def _record(heading: list[str], line: list[str], source: str) -> dict[str, str]:
    if len(line) > len(heading) and any(cell.strip() for cell in line[len(heading) :]):
        raise InputError(f"{source}: {len(line)} values under {len(heading)} columns.")
    return dict(zip(heading, (cell.strip() for cell in line), strict=False))


def document_of(rows: list[dict[str, str]], source: str) -> dict:
    """The document that the lines of one sheet of paper stand for, each line as column to text."""
    games: dict[str, list[dict[str, str]]] = {}
    number = "1"
    for row in rows:
        number = row.get("game") or number
        games.setdefault(number, []).append(row)
    document: dict = {"games": [_game(lines, f"{source}, game {name}") for name, lines in games.items()]}
    head = {key: _only(rows, key, source) for key in HEAD}
    document |= {key: head[key] for key in ("layout", "date") if head[key]}
    if head["we"] or head["they"]:
        document["teams"] = {"we": head["we"] or "", "they": head["they"] or ""}
    return document


def _game(lines: list[dict[str, str]], source: str) -> dict:
    outside = (*HEAD, *_OF_GAME)
    return {"rows": [{k: v for k, v in line.items() if k not in outside} for line in lines],
            "winner_mark": _only(lines, "winner_mark", source)}


def _only(lines: list[dict[str, str]], key: str, source: str) -> str | None:
    """The one value a column says, None if it says nothing."""
    values = list(dict.fromkeys(line[key] for line in lines if line.get(key)))
    if len(values) > 1:
        raise InputError(f"{source}: the column {key!r} says both {values[0][:40]!r} and {values[1][:40]!r}; "
                         "one file is one sheet.")
    return values[0] if values else None
