"""A layout written as the TOML file that :func:`scanner.sheet.layout.load_layout` reads, and guesses at its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scanner.sheet.layout import FREE_KEYS, Column, Layout

#: What printed headings call the two sides, the check columns and the points beside a total.
_SIDES = {"WE": "we", "US": "we", "THEY": "they", "THEM": "they"}
_CHECKS = ("CHECK", "CK", "CHK")
_POINTS = ("PTS", "POINTS", "PT")
_NUMBERS = ("NO", "NR", "#", "HAND", "ROW", "GAME")


def guessed(layout: Layout, titles: Sequence[str]) -> Layout:
    """The layout with each column's printed heading, and the cell keys that such headings usually stand for.

    Of two columns of one side the left one is taken for the points of the hand, unless a heading says so itself;
    of two check columns the first for the hand's. Columns that nothing is guessed for stay free.
    """
    words = [title.upper().strip(" .:") for title in titles]
    keys = _keys(words)
    columns = tuple(
        Column(key or column.key, (word,) if word else (), column.width, key is None or key in FREE_KEYS)
        for column, key, word in zip(layout.columns, keys, words, strict=True)
    )
    return replace(layout, columns=columns)


def _keys(words: Sequence[str]) -> list[str | None]:
    """A cell key for each heading, none twice, None where there is no telling."""
    keys: list[str | None] = [None] * len(words)
    sides = [_SIDES.get(word) for word in words]
    for i, word in enumerate(words):
        side = sides[i]
        beside = [s for s in (sides[i - 1] if i else None, sides[i + 1] if i + 1 < len(words) else None) if s]
        if side is not None:
            first = side not in sides[:i] and sides.count(side) > 1
            keys[i] = f"{side}_points" if first else f"{side}_total"
        elif word in _POINTS and len(beside) == 1:
            keys[i] = f"{beside[0]}_points"
        elif word in _CHECKS:
            keys[i] = "total_check" if "hand_check" in keys else "hand_check"
        elif word in _NUMBERS:
            keys[i] = "number"
    return [key if key not in keys[:i] else None for i, key in enumerate(keys)]


def layout_toml(layout: Layout, remark: str = "") -> str:
    """The layout as the text of its file; ``remark`` stands above it, line by line, as a comment."""
    lines = [f"# {line}" for line in remark.splitlines()]
    lines += [f"name = {_quoted(layout.name)}", f"rows = {layout.rows}            # hand rows under the heading row"]
    lines += [f"games = {layout.games}           # grids side by side on a page"]
    if len(set(layout.row_heights)) == 1:
        lines.append(f"row_height = {_number(layout.row_heights[0])}     # millimetres, used as a proportion")
    else:
        lines.append(f"row_heights = [{', '.join(_number(h) for h in layout.row_heights)}]")
    lines.append(f"heading_height = {_number(layout.heading_height)} # the printed heading row, 0 for none")
    for column in layout.columns:
        lines += ["", "[[columns]]", f"key = {_quoted(column.key)}"]
        lines += ["free = true         # takes no part in the sums"] if column.free else []
        lines += [f"titles = [{', '.join(_quoted(title) for title in column.titles)}]"]
        lines += [f"width = {_number(column.width)}"]
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:.6g}" if value != round(value) else f"{value:.1f}"


def _quoted(text: str) -> str:
    """A TOML basic string: quotes, backslashes and control characters escaped (TOML 1.0, "String")."""
    marks = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(marks.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in text) + '"'
