"""``clabber import`` and ``clabber review``: typed games into a season file, and its open questions settled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scanner.commands.check import check_sheet
from scanner.commands.duplicates import tell_twins
from scanner.commands.status import ExitCode, say, tell_empty
from scanner.output.files import refuse_suffix
from scanner.output.plain import counted, plain
from scanner.output.table import findings
from scanner.review.again import decide, decode_stale
from scanner.review.queue import open_items
from scanner.season.store import Season, open_season
from scanner.season.typed import TypedSheet, read_typed_sheets
from scanner.season.typed_template import write_workbook
from scanner.sheet.errors import ClabberError, InputError
from scanner.sheet.layout import load_layout
from scanner.sheet.results import GameResult


def import_typed(paths: Sequence[str], season: Path | None, layout: str | None) -> ExitCode:
    """Save typed games; of an unusable file nothing is saved, it is named, the others go on, status 2 at the end."""
    if not paths or season is None:
        raise InputError("import takes files and --season FILE, or --template FILE.xlsx for an empty one.")
    own = load_layout(layout) if layout else None
    code = ExitCode.OK
    tell_empty(season)
    with open_season(season) as file:
        for path in paths:
            try:
                sheets = read_typed_sheets(path, own, head=True)
                checked = [(sheet, check_sheet(sheet)) for sheet in sheets]
                new = [(sheet, games) for sheet, games in checked if file.add_typed(sheet, games)]
            except InputError as error:
                say(f"clabber: {error}")
                code = ExitCode.USAGE
            else:
                print(plain(f"{path}: {_told(sheets, new)}"))
                for sheet, _ in new:
                    tell_twins(file, sheet.sha256)
    return code


def _told(sheets: Sequence[TypedSheet], new: Sequence[tuple[TypedSheet, list[GameResult]]]) -> str:
    games = [game for _, found in new for game in found]
    known = sum(len(sheet.games) for sheet in sheets) - len(games)
    if not new:
        return f"{counted(known, 'game')} known already, nothing changed"
    also = f", {counted(known, 'game')} known already" if len(new) < len(sheets) else ""
    return f"{counted(len(games), 'game')} saved{also}: {findings(games)}"


def write_template(path: Path, layout: str | None) -> ExitCode:
    """Write an empty workbook to type games into."""
    refuse_suffix(path, ".xlsx")
    write_workbook(path, load_layout(layout or "evansville"))
    print(plain(f"{path}: fill it in, then: clabber import {path} --season season.db"))
    return ExitCode.OK


def list_questions(season: Path) -> ExitCode:
    """Print the queue, one question a line, its cell id first."""
    with open_season(season, create=False) as file:
        questions, heads, items = file.questions(), file.head_questions(), open_items(file)
        if not (questions or heads or items):
            print("Nothing is asked: every cell, name and date that counts is settled.")
        for question in questions:
            print(plain(question.line, 1000))
        for head in heads:
            what = "date" if head.what == "date" else f"name of the team '{head.what}'"
            print(plain(f"{head.cell_id}  {what}: {head.text or '(not read)'}?  {head.photo}", 1000))
        for item in (item for item in items if item.kind == "ruling"):
            said = " ".join(p.message for p in file.game(item.game).problems if p.code != "unreadable")
            print(plain(f"{item.place}  written, corrected, or captains?  {said}", 1000))
    return ExitCode.OK


def answer_questions(season: Path, answers: Sequence[str], by: str | None) -> ExitCode:
    """Settle cells from ``CELL=TEXT`` answers, then decode their games again."""
    if not by:
        raise InputError("say who decides, for example --by Ruth; every answer keeps its name.")
    with open_season(season, create=False) as file:
        for place, text in [_split(answer) for answer in answers]:
            decide(file, place, text, by)
            print(plain(f"{place}: {text or '(empty)'}, says {by}"))
        _settle(file)
    return ExitCode.OK


def _split(answer: str) -> tuple[str, str]:
    place, equals, text = answer.partition("=")
    if not equals:
        raise InputError(f"{answer!r}: an answer is CELL=TEXT, the cell's id as clabber review --list prints it.")
    return place.strip(), text


def _settle(file: Season) -> None:
    for game_id in file.stale():
        try:
            decode_stale(file, game_id)
        except ClabberError as error:
            say(f"clabber: {game_id}: the answer is kept, but the game was not decoded again: {error}")
