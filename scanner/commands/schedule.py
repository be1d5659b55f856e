"""``clabber schedule``: a single round robin as the CSV file that a league's file names (docs/league-file.md)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from scanner.commands.status import ExitCode
from scanner.output.files import write_atomically
from scanner.output.plain import counted, plain
from scanner.rules.tournament import round_robin
from scanner.season.days import day
from scanner.sheet.errors import InputError
from scanner.sheet.roster import load_roster

_COLUMNS = ("tournament", "week", "date", "we", "they", "forfeit")


def schedule(roster: str, out: Path, first: str | None, every: int, tournament: str) -> ExitCode:
    """Write the weeks in which every team of the roster meets every other once; nothing is ever written over."""
    if out.exists():
        raise InputError(f"{out}: exists already and is left as it is; choose another name.")
    start = _day(first) if first else None
    from analysis.export import safe_text

    teams = load_roster(roster).names
    lines = list(_lines(teams, start, every, tournament))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([safe_text(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    write_atomically(out, text.getvalue().encode())
    print(plain(f"{out}: {counted(len(teams), 'team')}, {counted(lines[-1][1], 'week')}. Name it in league.toml: "
                f'fixtures = "{out.name}"'))
    return ExitCode.OK


def _lines(teams: Sequence[str], start: date | None, every: int, tournament: str) -> Iterator[tuple]:
    for number, week in enumerate(round_robin(teams), 1):
        on = (start + timedelta(days=every * (number - 1))).isoformat() if start else ""
        for we, they in week:
            yield tournament, number, on, we, they, ""
        for rests in [team for team in teams if all(team not in pair for pair in week)]:
            yield tournament, number, on, rests, "", ""


def _day(text: str) -> date:
    try:
        return date.fromisoformat(day(text))
    except ValueError as error:
        raise InputError(f"{text!r}: no day ({error}); write it as 2026-03-07.") from error
