"""``clabber check``: the verification of a sheet on typed cells, no photo."""

from __future__ import annotations

import sys
from pathlib import Path

from scanner.commands.status import ExitCode
from scanner.output.document import check_document, to_json
from scanner.output.files import write_atomically
from scanner.output.table import print_check
from scanner.scorekeeper.check import check_game
from scanner.season.typed import TypedSheet, read_typed
from scanner.sheet.layout import load_layout
from scanner.sheet.results import GameResult


def check(path: str, layout: str | None, json_to: str | None) -> ExitCode:
    """Verify the games of a JSON file; ``json_to`` is "-" or the file to write, None for a table."""
    games = check_sheet(read_typed(path, load_layout(layout) if layout else None))
    if json_to == "-":
        sys.stdout.write(to_json(check_document(games)))
    else:
        print_check(games, sys.stdout)
    if json_to not in (None, "-"):
        write_atomically(Path(json_to), to_json(check_document(games)).encode())
    return ExitCode.PROBLEMS if any(game.problems for game in games) else ExitCode.OK


def check_sheet(sheet: TypedSheet) -> list[GameResult]:
    """The verdict on every game of a typed sheet."""
    return [check_game(game.rows, game.winner_mark, sheet.layout) for game in sheet.games]
