"""Where things stand on a pad of the project's own: printing and reading both ask here, so they cannot differ.

Frame: millimetres of the layout, x right and y down from the top left of the first grid (its heading row included). A
layout's millimetres are proportions, so every length here is a part of its row height.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date as Date

from scanner.sheet.layout import Layout

#: Side of a corner mark in row heights: on a 9 mm row a module of the mark is a millimetre, three pixels even in a
#: messenger's 900-pixel copy of a page.
MARK = 0.9
#: White around a mark and around the code, in row heights: one module of a mark.
QUIET = 0.14
#: Between two grids side by side, in row heights.
BETWEEN = 0.9
#: Side of the square code above the right grid, in row heights: its modules are then as large as a mark's.
CODE = 2.8
#: Marks in the dictionary (AprilTag 36h11, Wang and Olson 2016): 587, four of them for each layout.
MARKS = 587
LAYOUT_CODES = MARKS // 4
#: Letters of a name that go into a code; longer ones are cut, since a finer code is read less surely.
LONGEST_NAME = 24

Box = tuple[float, float, float, float]
_SIGN = "CLABBER1"
_FIELD = re.compile(r"[^\x00-\x1f\x7f|]*")


@dataclass(frozen=True)
class Fixture:
    """Who plays whom, when, and the number of this sheet; empty where it is not filled in."""

    we: str = ""
    they: str = ""
    date: str = ""
    number: int = 0


def row_height(layout: Layout) -> float:
    """Mean height of a hand's row, millimetres: the unit of everything here."""
    return sum(layout.row_heights) / layout.rows


def grid_origins(layout: Layout) -> tuple[float, ...]:
    """x of each grid's left edge, from the left."""
    step = layout.x_lines[-1] + BETWEEN * row_height(layout)
    return tuple(number * step for number in range(layout.games))


def block(layout: Layout) -> tuple[float, float]:
    """Width and height of all grids of a page together."""
    return grid_origins(layout)[-1] + layout.x_lines[-1], layout.y_lines[-1]


def mark_boxes(layout: Layout) -> tuple[Box, Box, Box, Box]:
    """(left, top, right, bottom) of the marks above and below the block's corners, clockwise from the top left."""
    width, height = block(layout)
    row = row_height(layout)
    side, off = MARK * row, 2 * QUIET * row
    lefts, tops = (0.0, width - side, width - side, 0.0), (-off - side, -off - side, height + off, height + off)
    return tuple((x, y, x + side, y + side) for x, y in zip(lefts, tops, strict=True))


def code_box(layout: Layout) -> Box:
    """(left, top, right, bottom) of the square code, above the mark at the top right."""
    width, _ = block(layout)
    row = row_height(layout)
    bottom = mark_boxes(layout)[1][1] - 2 * QUIET * row
    return width - CODE * row, bottom - CODE * row, width, bottom


def layout_code(layout: Layout) -> int:
    """A number from 0 for the ruling of a layout: the same for every layout with these columns, whatever its name."""
    shape = (layout.games, [round(h, 2) for h in layout.row_heights], round(layout.heading_height, 2),
             [(c.key, round(c.width, 2)) for c in layout.columns])
    return zlib.crc32(repr(shape).encode()) % LAYOUT_CODES


def mark_ids(layout: Layout) -> tuple[int, int, int, int]:
    """The numbers of a layout's marks, clockwise from the top left."""
    first = 4 * layout_code(layout)
    return first, first + 1, first + 2, first + 3


def code_text(layout: Layout, fixture: Fixture) -> str:
    """What the square code of a pad says."""
    fields = (layout.name, fixture.we, fixture.they, fixture.date)
    return "|".join([_SIGN, *(_short(field) for field in fields), str(fixture.number)])


def read_code(text: str) -> tuple[str, Fixture] | None:
    """The layout's name and the fixture in a code's text; None if the text is not one of :func:`code_text`.

    A code can be printed by anybody, so its text is only believed in this one form.
    """
    fields = text.split("|")
    if len(fields) != 6 or fields[0] != _SIGN or not all(_FIELD.fullmatch(field) for field in fields):
        return None
    name, we, they, date, number = fields[1:]
    if max(map(len, (name, we, they))) > LONGEST_NAME or not re.fullmatch(r"[0-9]{1,7}", number) or not _is_date(date):
        return None
    return name, Fixture(we, they, date, int(number))


def same_in_code(fixtures: Iterable[Fixture]) -> tuple[str, str] | None:
    """Two names of the fixtures that a code would make one, since it holds only the beginning of each; None if none."""
    first: dict[str, str] = {}
    for name in (name for fixture in fixtures for name in (fixture.we, fixture.they) if name):
        other = first.setdefault(_short(name).casefold(), name)
        if one_name(other) != one_name(name):
            return other, name
    return None


def one_name(text: str) -> str:
    """A name as two spellings of it are compared: without regard to capitals and spaces."""
    return " ".join(text.split()).casefold()


def with_code(layouts: Iterable[Layout], code: int) -> tuple[Layout, ...]:
    """Those of the layouts that the marks of a code may mean."""
    return tuple(layout for layout in layouts if layout_code(layout) == code)


def _short(text: str) -> str:
    plain = "".join(c if c.isprintable() and c != "|" else " " for c in text)
    return " ".join(plain.split())[:LONGEST_NAME].strip()


def _is_date(text: str) -> bool:
    try:
        return not text or Date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
