"""Hand-made results of a scan for the tests of the season file."""

from __future__ import annotations

import hashlib

import numpy as np

from scanner.sheet.reading import CellReading
from scanner.sheet.results import (
    Candidate,
    CellResult,
    Consequence,
    GameResult,
    HandScore,
    Label,
    Pair,
    PhotoError,
    PhotoResult,
    Problem,
    RowResult,
    SheetResult,
)
from scanner.sheet.texts import VOCABULARY

QUAD = ((10.0, 20.5), (110.0, 20.0), (112.5, 300.0), (9.0, 301.0))


def sha(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def cell(text: str, review: bool = False) -> CellResult:
    return CellResult(text, 0.75, review, "90" if review else None, QUAD, ((text, 0.75), ("7", 0.125)))


def row(number: int, we: str, they: str, review: bool = False) -> RowResult:
    totals = Pair(int(we), int(they))
    score = HandScore(Pair(100, 62), totals)
    return RowResult(number, {"we_total": cell(we), "they_total": cell(they, review)}, score, score, None, "we", 0)


def game(grid: int = 1, asks: bool = True) -> GameResult:
    problems = [Problem("running-total", 2, "we_total", "210", "200", "Hand 2: 210 is not 200.",
                        (Candidate("we_total", "200", 0.5),), 0.875, Consequence(True, 10))]
    if asks:
        problems.append(Problem("unreadable", 2, "they_total", "124", None, "Hand 2: 124 or 7?"))
    return GameResult((row(1, "100", "62"), row(2, "210", "124", asks)), "we", None, "we", tuple(problems), grid, QUAD,
                      0.0125)


def photo(name: str = "a.jpg", games: int = 1, asks: bool = True) -> PhotoResult:
    teams = {"we": Label("Eagles", 0.9), "they": Label("Owls", 0.8)}
    sheet = SheetResult("evansville", 0.99, QUAD, tuple(game(g + 1, asks) for g in range(games)), teams,
                        Label("3-7-26", 0.9, "2026-03-07"))
    return PhotoResult(name, sha(name), 3024, 4032, (sheet,))


def failed(name: str = "a.jpg") -> PhotoResult:
    return PhotoResult(name, sha(name), 0, 0, (), PhotoError("no-sheet", "No sheet in it."))


def reading(*probabilities: tuple[str, float]) -> CellReading:
    """A reading with the given probabilities, the rest shared by all other texts."""
    rest = (1 - sum(p for _, p in probabilities)) / (len(VOCABULARY) - len(probabilities))
    chances = dict(probabilities)
    return CellReading(np.log([chances.get(text, rest) for text in VOCABULARY]))


def readings(result: PhotoResult) -> dict[tuple[int, int, int, str], CellReading]:
    """A reading for every cell of the photo and for two empty ones in the row under its last hand."""
    found = {}
    for number, sheet in enumerate(result.sheets, 1):
        for one in sheet.games:
            for line in one.rows:
                for key, value in line.cells.items():
                    found[number, one.grid, line.row, key] = reading((value.text, 0.75), ("7", 0.125))
            for key in ("we_total", "they_total"):
                found[number, one.grid, 3, key] = reading(("", 0.9))
    return found
