"""``clabber review``: the page on which a person settles what a scan could not decide."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from scanner.commands.status import ExitCode, say
from scanner.review.desk import Desk, Tools
from scanner.review.server import serve


def open_page(season: Path, photos: Sequence[Path], by: str | None, browser: bool) -> ExitCode:
    """Serve the page on this computer until Ctrl-C; ``photos`` are folders to look for moved photos in."""
    tools = Tools(read_cells=_read_cells, standings=league_table, by=by)
    with Desk(season, photos, tools) as desk:
        try:
            serve(desk, partial(_announce, browser=browser), webbrowser.open if browser else None)
        except KeyboardInterrupt:
            say("clabber: the page is closed; every answer is saved.")
    return ExitCode.OK


def league_table(season: Path) -> list[dict]:
    """The standings of a season as plain rows; pandas is loaded when a person first asks for the summary."""
    from analysis.frames import load
    from analysis.league import standings

    columns = ["rank", "team", "played", "won", "lost", "points_for"]
    table = standings(load(season).games)[columns]
    return [dict(zip(columns, map(_plain, row), strict=True)) for row in table.itertuples(index=False)]


def _plain(value: object) -> str | int:
    return value if isinstance(value, str) else int(value)


def _read_cells(images: Sequence) -> list:
    from scanner.reader import read_cells

    return read_cells(images)


def _announce(url: str, browser: bool) -> None:
    where = "The review page is open in your browser. If it is not, open" if browser else "To see the review page, open"
    print(f"{where} this address:\n\n    {url}\n\n"
          "It works on this computer only. Every answer is saved at once. Ctrl-C here closes the page.", flush=True)
    sys.stdout.flush()
