"""Layouts: what each column of a pad means, read from TOML and refused with the nearest right word when wrong."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate
from pathlib import Path

from scanner.sheet.errors import LayoutError

#: Cell keys that take part in the arithmetic, in no particular order.
ARITHMETIC_KEYS = ("we_points", "they_points", "we_total", "they_total", "hand_check", "total_check")
#: Columns that are cut and read but mean nothing to the sums, besides any with ``free = true``.
FREE_KEYS = ("number",)

#: Names of the layouts that come with the program.
BUILT_IN = ("evansville", "beside", "double")

_LAYOUT_KEYS = {"name", "rows", "games", "row_height", "row_heights", "heading_height", "columns"}
_COLUMN_KEYS = {"key", "titles", "width", "free"}
# A page of paper has no more; a layout file comes from outside, so its size is bounded before anything is allocated.
_MOST_ROWS, _MOST_COLUMNS, _MOST_GAMES = 60, 24, 6


@dataclass(frozen=True)
class Column:
    """One column: its cell key, the headings printed on pads, its width in millimetres (a proportion)."""

    key: str
    titles: tuple[str, ...]
    width: float
    free: bool = False


@dataclass(frozen=True)
class Layout:
    """A ruled game: one heading row, then ``rows`` hand rows; ``games`` such grids side by side on a page."""

    name: str
    columns: tuple[Column, ...]
    row_heights: tuple[float, ...]
    heading_height: float
    games: int = 1

    @property
    def rows(self) -> int:
        """Number of hand rows (the heading row not counted)."""
        return len(self.row_heights)

    @property
    def keys(self) -> tuple[str, ...]:
        """Cell keys of all columns from the left."""
        return tuple(c.key for c in self.columns)

    @property
    def arithmetic_keys(self) -> tuple[str, ...]:
        """Cell keys that take part in the sums, from the left."""
        return tuple(c.key for c in self.columns if not c.free)

    @property
    def x_lines(self) -> tuple[float, ...]:
        """Positions of the vertical rulings, millimetres from the grid's left, ``len(columns) + 1`` of them."""
        return (0.0, *accumulate(c.width for c in self.columns))

    @property
    def y_lines(self) -> tuple[float, ...]:
        """Positions of the horizontal rulings, millimetres from the grid's top; heading row first, if there is one."""
        heights = ((self.heading_height,) if self.heading_height else ()) + self.row_heights
        return (0.0, *accumulate(heights))

    @property
    def heading_rows(self) -> int:
        """1 if the grid has a printed heading row, else 0: the index of the first hand row among all ruled rows."""
        return 1 if self.heading_height else 0


def built_in_layouts() -> tuple[Layout, ...]:
    """The three layouts that come with the program, in the order ``auto`` tries them."""
    folder = resources.files("scanner.sheet") / "layouts"
    return tuple(parse_layout((folder / f"{name}.toml").read_text("utf-8"), f"{name}.toml") for name in BUILT_IN)


def load_layout(name_or_path: str) -> Layout:
    """A built-in layout by name, or a user's own by the path of its TOML file.

    Raises:
        LayoutError: no such name or file, or the file is not a layout.
    """
    for layout in built_in_layouts():
        if layout.name == name_or_path:
            return layout
    path = Path(name_or_path)
    if path.suffix != ".toml" and not path.is_file():
        raise LayoutError(_unknown(name_or_path, BUILT_IN, "layout") + " Your own layout is given by its .toml file.")
    try:
        text = path.read_bytes()[:1_000_000].decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"{path}: cannot be read as a layout file ({error}).") from error
    return parse_layout(text, str(path))


def parse_layout(text: str, source: str) -> Layout:
    """A layout from the text of a TOML file; ``source`` names it in error messages.

    Raises:
        LayoutError: not TOML, unknown or missing keys, or impossible sizes.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"{source}: not a TOML file ({error}).") from error
    _refuse_unknown(table, _LAYOUT_KEYS, source)
    columns = tuple(_column(c, f"{source}, column {i}") for i, c in enumerate(_tables(table, source), 1))
    _refuse_doubled([c.key for c in columns], source)
    heights = _row_heights(table, source)
    heading = _length(table, "heading_height", source, default=heights[0], least=0.0)
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise LayoutError(f"{source}: 'name' is missing; give the layout a name, for example name = \"our-pad\".")
    games = _count(table, "games", source, _MOST_GAMES, default=1)
    return Layout(name.strip(), columns, heights, heading, games)


def _tables(table: dict, source: str) -> list[dict]:
    columns = table.get("columns")
    if not isinstance(columns, list) or not columns or not all(isinstance(c, dict) for c in columns):
        raise LayoutError(f"{source}: no columns; add a [[columns]] table for each column from the left.")
    if len(columns) > _MOST_COLUMNS:
        raise LayoutError(f"{source}: {len(columns)} columns; a pad has at most {_MOST_COLUMNS}.")
    return columns


def _column(table: dict, source: str) -> Column:
    _refuse_unknown(table, _COLUMN_KEYS, source)
    key, free, titles = table.get("key"), table.get("free", False), table.get("titles", [])
    if not isinstance(key, str) or not key.isidentifier():
        raise LayoutError(f"{source}: 'key' must be a plain word such as we_total, got {key!r}.")
    if not isinstance(free, bool):
        raise LayoutError(f"{source}: 'free' must be true or false, got {free!r}.")
    if not isinstance(titles, list) or not all(isinstance(t, str) for t in titles):
        raise LayoutError(f"{source}: 'titles' must be a list of printed headings, got {titles!r}.")
    if not free and key not in ARITHMETIC_KEYS + FREE_KEYS:
        raise LayoutError(_unknown(key, ARITHMETIC_KEYS + FREE_KEYS, f"{source}: cell key")
                          + " A column outside the sums takes free = true.")
    return Column(key, tuple(t.upper() for t in titles), _length(table, "width", source), free or key in FREE_KEYS)


def _row_heights(table: dict, source: str) -> tuple[float, ...]:
    if "row_heights" in table:
        heights = table["row_heights"]
        if not isinstance(heights, list) or not 1 <= len(heights) <= _MOST_ROWS:
            raise LayoutError(f"{source}: 'row_heights' must list 1 to {_MOST_ROWS} heights.")
        if "rows" in table and table["rows"] != len(heights):
            raise LayoutError(f"{source}: rows = {table['rows']} but row_heights lists {len(heights)}; drop one.")
        return tuple(_length({"row_heights": h}, "row_heights", source) for h in heights)
    rows = _count(table, "rows", source, _MOST_ROWS)
    return (_length(table, "row_height", source),) * rows


def _count(table: dict, key: str, source: str, most: int, default: int | None = None) -> int:
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise LayoutError(f"{source}: '{key}' must be a whole number from 1 to {most}, got {value!r}.")
    return value


def _length(table: dict, key: str, source: str, default: float | None = None, least: float = 0.1) -> float:
    value = table.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= 1000:
        raise LayoutError(f"{source}: '{key}' must be a length in millimetres, got {value!r}.")
    return float(value)


def _refuse_unknown(table: dict, known: Iterable[str], source: str) -> None:
    for key in table:
        if key not in known:
            raise LayoutError(_unknown(key, known, f"{source}: key"))


def _refuse_doubled(keys: list[str], source: str) -> None:
    for key in keys:
        if keys.count(key) > 1:
            raise LayoutError(f"{source}: two columns have the key {key!r}; each may stand once.")


def _unknown(word: str, known: Iterable[str], what: str) -> str:
    known = sorted(known)
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.4)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"{what} {word!r} is unknown.{hint} Known: {', '.join(known)}."
