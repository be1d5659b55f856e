"""What was found, for people: a table of each game with its problems in words, and a line that sums the run up."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scanner.output.plain import counted, plain
from scanner.sheet.heads import unsettled_heads
from scanner.sheet.results import CellResult, GameResult, PhotoResult, Problem, RowResult, SheetResult

#: Columns of a terminal nobody has told us the width of, as when the output goes into a file.
_PIPED_WIDTH = 110
_SIDES = {"we": "We", "they": "They"}


def make_console(file: TextIO) -> Console:
    """A console that never reads markup or emoji codes in what it prints, plain when ``file`` is no terminal."""
    return Console(file=file, markup=False, emoji=False, highlight=False, width=None if file.isatty() else _PIPED_WIDTH)


def print_scan(results: Sequence[PhotoResult], file: TextIO, heads: int | None = None) -> None:
    """Every photo with its games and problems, then the summary; ``heads`` as there."""
    console = make_console(file)
    for result in results:
        _print_photo(console, result)
    console.print(summary(results, heads))


def print_failures(results: Sequence[PhotoResult], file: TextIO) -> None:
    """Of a run of several photos those that were not read, each with its reason, where nobody has to look for them."""
    failed = [result for result in results if result.error is not None]
    if not failed or len(results) < 2:
        return
    console = make_console(file)
    console.print(f"Not read, {len(failed)} of {counted(len(results), 'photo')}:")
    for result in failed:
        reason = result.error.message.removeprefix(f"{result.photo}: ")
        _print_wrapped(console, f"{plain(result.photo)}: {plain(reason)} ({result.error.code})", "red")


def print_problems(results: Sequence[PhotoResult], file: TextIO) -> None:
    """Only what is wrong or doubtful, photo by photo, then the summary."""
    console = make_console(file)
    for result in results:
        problems = [problem for sheet in result.sheets for game in sheet.games for problem in game.problems]
        if problems or result.error:
            console.print(Text(plain(result.photo), style="bold"))
        if result.error:
            _print_wrapped(console, f"not read ({result.error.code}): {plain(result.error.message)}", "red")
        for problem in problems:
            _print_problem(console, problem)
    console.print(summary(results))


def print_check(games: Sequence[GameResult], file: TextIO) -> None:
    """The verdict on typed games."""
    console = make_console(file)
    if not games:
        console.print("There is no game in the file, so nothing was checked.")
    for number, game in enumerate(games, 1):
        console.print(Text(f"Game {number}", style="bold"))
        print_game(console, game)


def summary(results: Sequence[PhotoResult], heads: int | None = None) -> str:
    """One line: photos, games, hands, slips, cells to look at; a second if names or dates are to be settled.

    ``heads`` is how many of those a season asks, which knows what was answered and what is set aside.

    >>> summary([])
    '0 photos read: 0 games, 0 hands, 0 slips, 0 cells to check.'
    """
    games = [game for result in results for sheet in result.sheets for game in sheet.games]
    hands = sum(len(game.rows) for game in games)
    failed = sum(result.error is not None for result in results)
    parts = [
        counted(len(games), "game"),
        counted(hands, "hand"),
        findings(games),
    ]
    not_read = f", {failed} not read" if failed else ""
    if heads is None:
        heads = sum(len(unsettled_heads(sheet)) for result in results for sheet in result.sheets)
    what = "name or date" if heads == 1 else "names or dates"
    unsettled = f"\n{heads} {what} still to settle (clabber review)." if heads else ""
    return f"{counted(len(results) - failed, 'photo')} read{not_read}: {', '.join(parts)}.{unsettled}"


def findings(games: Iterable[GameResult]) -> str:
    """What was found in games, counted: slips, and cells that a person is asked for.

    >>> findings([])
    '0 slips, 0 cells to check'
    """
    games = list(games)
    slips = sum(problem.code != "unreadable" for game in games for problem in game.problems)
    asked = sum(cell.review for game in games for row in game.rows for cell in row.cells.values())
    return f"{counted(slips, 'slip')}, {counted(asked, 'cell')} to check"


def _print_photo(console: Console, result: PhotoResult) -> None:
    console.print(Text(plain(result.photo), style="bold"))
    if result.error is not None:
        _print_wrapped(console, f"not read ({result.error.code}): {plain(result.error.message)}", "red")
    for sheet in result.sheets:
        console.print(Text(f"  {_sheet_line(sheet)}"))
        for fault in sheet.faults:
            where = f"Game {fault.grid}: " if fault.grid and len(sheet.games) > 1 else ""
            _print_wrapped(console, f"{where}{fault.message} {fault.advice}", "yellow")
        if not sheet.games:
            console.print("  Nothing is written on it.")
        for game in sheet.games:
            if len(sheet.games) > 1:
                console.print(f"  Game {game.grid}")
            print_game(console, game)
    console.print()


def _sheet_line(sheet: SheetResult) -> str:
    labels = {side: sheet.teams[side].text for side in sheet.teams if sheet.teams[side].text}
    asked = unsettled_heads(sheet)
    names = [plain(labels.get(side, default)) + "?" * (side in asked) for side, default in _SIDES.items()]
    date = plain(sheet.date.iso or sheet.date.text)
    date += "?" * (date != "" and "date" in asked)
    layout = f"{plain(sheet.layout)} ({sheet.layout_confidence:.0%} sure)"
    return ", ".join(part for part in (" – ".join(names), date, f"layout {layout}") if part)


def print_game(console: Console, game: GameResult) -> None:
    """One game: a table with a mark at each doubtful cell, who won, and its problems as sentences."""
    keys = list(dict.fromkeys(key for row in game.rows for key in row.cells))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True)
    table.add_column("hand", justify="right")
    for key in keys:
        table.add_column(key.replace("_", " "), justify="right")
    guilty = _guilty(game.problems)
    for row in game.rows:
        table.add_row(str(row.row), *(_cell_text(row, key, guilty) for key in keys))
    console.print(table)
    console.print(Text(f"  {_verdict(game)}"))
    for problem in game.problems:
        _print_problem(console, problem)


def _guilty(problems: Iterable[Problem]) -> Counter:
    cells: Counter = Counter()
    for problem in problems:
        if problem.code != "unreadable":
            cells.update((problem.row, cell) for cell in (problem.cell, *(c.cell for c in problem.candidates)) if cell)
    return cells


def _cell_text(row: RowResult, key: str, guilty: Counter) -> Text:
    cell: CellResult | None = row.cells.get(key)
    if cell is None:
        return Text("")
    mark, style = ("?", "yellow") if cell.review else ("!", "red") if guilty[row.row, key] else (" ", "")
    struck = f"({plain(cell.struck)}) " if cell.struck else ""
    return Text(f"{struck}{plain(cell.text)}{mark}", style=style)


def _verdict(game: GameResult) -> str:
    corrected = game.winner_corrected
    doubt = "" if corrected == game.winner else f" By the corrected totals {_won(corrected)}"
    written = "Nobody has won yet" if game.winner is None else f"{_SIDES[game.winner]} won"
    return f"{written}, as written.{doubt}"


def _won(side: str | None) -> str:
    return "nobody has won yet." if side is None else f"{_SIDES[side]} won."


def _print_problem(console: Console, problem: Problem) -> None:
    asked = problem.code == "unreadable"
    sure = "" if problem.probability >= 0.995 else f" ({problem.probability:.0%} sure)"
    text = f"{'?' if asked else '!'} {plain(problem.message)}{sure}"
    _print_wrapped(console, text, "yellow" if asked else "red")


def _print_wrapped(console: Console, text: str, style: str) -> None:
    width = max(console.width, 40)
    lines = textwrap.fill(text, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    console.print(Text(lines, style=style))
