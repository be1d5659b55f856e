"""What a report is made of: sections with text, pictures and a table, and words for numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes


@dataclass(frozen=True)
class Picture:
    """A figure of the report and a line that says how to read it."""

    draw: Callable[[Axes], Axes]
    caption: str


@dataclass(frozen=True)
class Section:
    """One part of the report: its text, its pictures, its table with the headings of the columns shown."""

    title: str
    notes: tuple[str, ...] = ()
    frame: pd.DataFrame | None = None
    titles: dict[str, str] | None = None
    pictures: tuple[Picture, ...] = ()


def percent(chance: float) -> str:
    """A chance as a reader wants it: never quite 0 or 1 unless it is."""
    return "over 99 %" if 0.995 <= chance < 1 else "under 1 %" if 0 < chance < 0.005 else f"{100 * chance:.0f} %"


def unsettled_heads(games: pd.DataFrame) -> str:
    """What is said of names and dates that a person has not settled yet; "" if there are none."""
    count = int(games.drop_duplicates("sheet_id")["heads"].sum())
    if not count:
        return ""
    what = "name or date" if count == 1 else "names or dates"
    return f"{count} {what} still to settle (clabber review); until then the tables take the guess for the name."


def several(count: int, one: str, many: str = "") -> str:
    """A count with its noun.

    >>> several(1, "game"), several(3, "game")
    ('1 game', '3 games')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"
