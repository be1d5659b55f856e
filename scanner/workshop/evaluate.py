"""Scans held against the truth: how many cells, slips and names were got right, in total and by difficulty.

The truth of a photo is a JSON object beside it: ``photo`` (file name), ``layout``, ``teams``, ``camera.level`` and
``games``, each with ``rows`` (what is written, by cell key), ``slips`` (``row`` from 1), ``winner``, ``winner_mark``.

Every cell of a true row counts. A row that was missed has all its cells wrong, and so has a row read where nothing is
written. A cell is *silently* wrong when its text is wrong and nobody is asked to look.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from scanner.sheet.errors import InputError
from scanner.sheet.results import CellResult, GameResult, PhotoResult, SheetResult
from scanner.sheet.texts import canonical

#: Line of the report, what is counted, and out of what.
LINES = (
    ("photos read", "read", "photos"),
    ("layouts right", "layout", "photos"),
    ("cells as written", "right", "cells"),
    ("cells wrong and not asked", "silent", "cells"),
    ("cells asked", "asked", "cells"),
    ("games perfect once asked", "perfect", "games"),
    ("winners right", "winner", "games"),
    ("W read right", "mark", "games"),
    ("slips caught", "caught", "slips"),
    ("... and the guilty cell named", "guilty", "slips"),
    ("rows wrongly accused", "accused", "rows"),
    ("team names right", "named", "names"),
)
#: Problems that accuse no row of a slip.
ACCUSE_NOBODY = ("unreadable", "winner-mark")


def load_truths(folder: Path) -> list[dict[str, Any]]:
    """The truths of a folder by file name.

    Raises:
        InputError: the folder cannot be read, holds none, or one of them is damaged.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
        texts = {path: path.read_text("utf-8") for path in paths}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{folder}: its truth cannot be read ({error}).") from error
    truths = [_truth(path, text) for path, text in texts.items()]
    if not truths:
        raise InputError(f"{folder}: no truth in this folder; each photo needs a .json file that says what is written.")
    return truths


def _truth(path: Path, text: str) -> dict[str, Any]:
    try:
        truth = json.loads(text)
        if isinstance(truth["photo"], str) and all(isinstance(game["rows"], list) for game in truth["games"]):
            return truth
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path}: not the truth of a photo; it needs at least photo, layout and games with their rows.")


def level_of(truth: Mapping[str, Any]) -> str:
    """How hard the photo is, as its maker says; "" if it does not."""
    return str((truth.get("camera") or {}).get("level", ""))


def evaluate(pairs: Iterable[tuple[Mapping[str, Any], PhotoResult]]) -> dict[str, Counter]:
    """Counts by difficulty, "all" first."""
    counts: dict[str, Counter] = {"all": Counter()}
    for truth, result in pairs:
        count = score_photo(truth, result)
        for level in {"all", level_of(truth)} - {""}:
            counts.setdefault(level, Counter()).update(count)
    return counts


def games_of(truth: Mapping[str, Any], result: PhotoResult) -> list[tuple[Mapping[str, Any], GameResult | None]]:
    """Every game on the paper with what was found of it."""
    games = {game.grid: game for game in result.sheets[0].games} if result.sheets else {}
    return [(game, games.get(number)) for number, game in enumerate(truth["games"], 1)]


def score_photo(truth: Mapping[str, Any], result: PhotoResult) -> Counter:
    """Counts of one photo, under the names of :data:`LINES`."""
    sheet: SheetResult | None = result.sheets[0] if result.sheets else None
    right_layout = sheet is not None and sheet.layout == truth["layout"]
    count = Counter(photos=1, read=int(sheet is not None), layout=int(right_layout))
    for game, found in games_of(truth, result):
        count.update(score_game(game, found))
    for side, name in (truth.get("teams") or {}).items():
        read = sheet.teams[side].text if sheet and side in sheet.teams else ""
        count.update(names=1, named=read.casefold() == name.casefold())
    return count


def score_game(truth: Mapping[str, Any], game: GameResult | None) -> Counter:
    """Counts of one game; None: it was not found."""
    rows = {row.row: row.cells for row in game.rows} if game else {}
    count: Counter = Counter(games=1, rows=len(truth["rows"]))
    for number, written in enumerate(truth["rows"], 1):
        for key, text in written.items():
            count.update(_score_cell(text, rows.get(number, {}).get(key)))
    invented = sum(len(cells) for number, cells in rows.items() if not 1 <= number <= len(truth["rows"]))
    count.update(cells=invented, silent=invented)
    slips = {slip["row"] for slip in truth.get("slips", ())}
    accused = {p.row for p in game.problems if p.code not in ACCUSE_NOBODY} if game else set()
    count.update(slips=len(slips), caught=len(slips & accused), accused=len(accused - slips))
    count.update(guilty=len({slip["row"] for slip in truth.get("slips", ()) if game and _named(slip, game)}))
    count.update(
        perfect=count["silent"] == 0,
        winner=(game.winner if game else None) == truth.get("winner"),
        mark=(game.winner_mark if game else None) == truth.get("winner_mark"),
    )
    return count


def _named(slip: Mapping[str, Any], game: GameResult) -> bool:
    """Whether a problem on the slip's row has the guilty cell (if there is one) in ``cell`` or ``candidates``."""
    for problem in game.problems:
        if problem.row == slip["row"] and problem.code not in ACCUSE_NOBODY:
            cells = {problem.cell, *(c.cell for c in problem.candidates)}
            if slip.get("cell") is None or slip["cell"] in cells:
                return True
    return False


def _score_cell(text: str, cell: CellResult | None) -> Counter:
    right = cell is not None and same_text(text, cell.text)
    asked = cell is not None and cell.review
    return Counter(cells=1, right=right, asked=asked, silent=not right and not asked)


def same_text(one: str, other: str) -> bool:
    """Whether two spellings mean the same ink: all marks of a kind are one.

    >>> same_text("XXX", "xx"), same_text("~", "-"), same_text("17", "11")
    (True, True, False)
    """
    return _class(one) == _class(other)


def _class(text: str) -> str:
    known = canonical(text)
    return text.strip().upper() if known is None else known


def mistakes(truth: Mapping[str, Any], result: PhotoResult) -> list[str]:
    """A line for every cell that is not as written and every row accused or missed, for whoever mends the reader."""
    if not result.sheets:
        return [f"{result.photo}: not read ({result.error.code if result.error else 'no sheet'})"]
    lines = []
    games = {game.grid: game for game in result.sheets[0].games}
    for number, game in enumerate(truth["games"], 1):
        found = games.get(number)
        where = f"{result.photo} game {number}"
        lines += [f"{where} {line}" for line in game_mistakes(game, found)]
    return lines


def game_mistakes(truth: Mapping[str, Any], game: GameResult | None) -> list[str]:
    """A line for every mistake in one game."""
    if game is None:
        return ["not found"]
    rows = {row.row: row.cells for row in game.rows}
    lines = []
    for number, written in enumerate(truth["rows"], 1):
        for key, text in written.items():
            cell = rows.get(number, {}).get(key)
            if cell is None:
                lines.append(f"row {number} {key}: {text!r} missed")
            elif not same_text(text, cell.text):
                how = "asked" if cell.review else "NOT ASKED"
                lines.append(f"row {number} {key}: {text!r} read {cell.text!r} ({cell.confidence:.3f}), {how}")
    lines += [f"row {number} is not on the paper" for number in rows if not 1 <= number <= len(truth["rows"])]
    slips = {slip["row"] for slip in truth.get("slips", ())}
    accused = {p.row for p in game.problems if p.code not in ACCUSE_NOBODY}
    lines += [f"row {row}: slip missed" for row in sorted(slips - accused)]
    return lines + [f"row {row}: wrongly accused" for row in sorted(accused - slips)]


def report(counts: Mapping[str, Counter], seconds: Mapping[str, float] | None = None) -> str:
    """The counts as a table of text, one column a difficulty; ``seconds`` a photo by difficulty in its last line."""
    levels = list(counts)
    lines = [" " * 31 + "".join(f"{level:>24}" for level in levels)]
    for label, part, whole in LINES:
        lines.append(f"{label:31}" + "".join(f"{_share(counts[v][part], counts[v][whole]):>24}" for v in levels))
    if seconds:
        lines.append(f"{'seconds a photo (median)':31}" + "".join(f"{seconds.get(v, 0.0):>24.2f}" for v in levels))
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    # A count of one photo may still be the truth value it began as.
    return f"{int(part)} of {int(whole)}" + (f" = {100 * part / whole:.2f} %" if whole else "")
