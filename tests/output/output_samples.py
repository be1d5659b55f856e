"""A hand-made result of one photo, for the tests of what is shown of it."""

from __future__ import annotations

from scanner.sheet.results import (
    Candidate,
    CellResult,
    Consequence,
    GameResult,
    HandScore,
    Label,
    Pair,
    PhotoResult,
    Problem,
    RowResult,
    SheetResult,
)

QUAD = ((100.0, 200.0), (700.0, 200.0), (700.0, 1000.0), (100.0, 1000.0))


def _cell(text: str, row: int, column: int, **more: object) -> CellResult:
    left, top = 100.0 + 150 * column, 200.0 + 100 * row
    box = ((left, top), (left + 150, top), (left + 150, top + 100), (left, top + 100))
    return CellResult(text, more.pop("confidence", 0.999), box=box, **more)


def sample_result(photo: str = "nights/IMG_0412.jpg", we: str = "Eagles") -> PhotoResult:
    """Two hands on an evansville sheet; a slip in hand 2, a cell to check, a struck-out number."""
    first = {
        "we_total": _cell("92", 1, 0),
        "they_total": _cell("70", 1, 1, struck="90"),
        "hand_check": _cell("162", 1, 2),
        "total_check": _cell("162", 1, 3),
    }
    second = {
        "we_total": _cell("184", 2, 0),
        "they_total": _cell("150", 2, 1, confidence=0.61, review=True),
        "hand_check": _cell("", 2, 2),
        "total_check": _cell("", 2, 3, confidence=0.8),
    }
    problems = (
        Problem(
            "running-total",
            2,
            "we_total",
            "184",
            "174",
            "Hand 2: We had 92 and made 82, that is 174; the sheet says 184.",
            (Candidate("we_total", "174", 0.9),),
            0.97,
            Consequence(False, 10),
        ),
        Problem("unreadable", 2, "they_total", "150", None, "Hand 2: they total could be 150 or 156; please look."),
    )
    rows = (
        RowResult(1, first, _score(92, 70, 92, 70), _score(92, 70, 92, 70), None, "we", 0),
        RowResult(2, second, _score(92, 80, 184, 150), _score(82, 80, 174, 150), None, "we", 0),
    )
    game = GameResult(rows, "we", None, None, problems, 1, QUAD, 0.0123456)
    teams = {"we": Label(we, 0.98), "they": Label("Owls", 0.97)}
    sheet = SheetResult("evansville", 0.999, QUAD, (game,), teams, Label("3-7-26", 0.9, "2026-03-07"))
    return PhotoResult(photo, "0123456789abcdef" * 4, 800, 1200, (sheet,))


def _score(we: int, they: int, we_total: int, they_total: int) -> HandScore:
    return HandScore(Pair(we, they), Pair(we_total, they_total))
