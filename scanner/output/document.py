"""The JSON document: the result values spelled as the output contract has them, schema 1."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from scanner.sheet.results import (
    SIDES,
    CellResult,
    GameResult,
    HandScore,
    Label,
    PhotoResult,
    Problem,
    Quad,
    RowResult,
    SheetResult,
)

SCHEMA = 1
#: A runner-up is named from this probability on.
_DOUBT = 0.01


def scan_document(results: Iterable[PhotoResult]) -> dict[str, Any]:
    """The document of ``clabber scan --json -``: every photo in the order given."""
    return {"schema": SCHEMA, "photos": [photo_object(result) for result in results]}


def check_document(games: Iterable[GameResult]) -> dict[str, Any]:
    """The document of ``clabber check --json -``: games as in a scan, without their place in a photo."""
    return {"games": [_judged(game) for game in games]}


def to_json(document: dict[str, Any]) -> str:
    """Compact, strict JSON (no NaN), with one newline at its end; lone surrogates of odd file names survive escaped."""
    return json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"


def photo_object(result: PhotoResult) -> dict[str, Any]:
    """One photo of the document; ``error`` is null or has a code and a message."""
    error = None if result.error is None else {"code": result.error.code, "message": result.error.message}
    return {
        "photo": result.photo,
        "sha256": result.sha256,
        "width": result.width,
        "height": result.height,
        "error": error,
        "sheets": [_sheet(sheet) for sheet in result.sheets],
    }


def _sheet(sheet: SheetResult) -> dict[str, Any]:
    teams = {side: _label(sheet.teams.get(side, Label("", 0.0))) for side in ("we", "they")}
    return {
        "layout": sheet.layout,
        "layout_confidence": _probability(sheet.layout_confidence),
        "quad": _corners(sheet.quad),
        "teams": teams,
        "date": {**_label(sheet.date), "iso": sheet.date.iso},
        "games": [_game(game) for game in sheet.games],
        **_quality(sheet),
    }


def _quality(sheet: SheetResult) -> dict[str, Any]:
    """``quality`` lists what is wrong with the picture; a sheet without faults has no such key."""
    faults = [{"code": f.code, "grid": f.grid, "rows": list(f.rows), "message": f.message, "advice": f.advice}
              for f in sheet.faults]
    return {"quality": faults} if faults else {}


def _label(label: Label) -> dict[str, Any]:
    return {"text": label.text, "confidence": _probability(label.confidence)}


def _game(game: GameResult) -> dict[str, Any]:
    error = None if game.fit_error is None else round(float(game.fit_error), 4)
    return {"grid": game.grid, "quad": _corners(game.quad), "fit_error": error, **_judged(game)}


def _judged(game: GameResult) -> dict[str, Any]:
    return {
        "rows": [_row(row) for row in game.rows],
        "winner_mark": game.winner_mark,
        "winner": game.winner,
        "winner_corrected": game.winner_corrected,
        "problems": [problem_object(problem) for problem in game.problems],
    }


def _row(row: RowResult) -> dict[str, Any]:
    return {
        "row": row.row,
        "cells": {key: _cell(cell) for key, cell in row.cells.items()},
        "written": _score(row.written),
        "corrected": _score(row.corrected),
        "set": row.set,
        "maker": row.maker,
        "meld": row.meld,
    }


def _cell(cell: CellResult) -> dict[str, Any]:
    return {
        "text": cell.text,
        "confidence": _probability(cell.confidence),
        "review": cell.review,
        "struck": cell.struck,
        "box": _corners(cell.box),
        **_runner_up(cell),
    }


def _runner_up(cell: CellResult) -> dict[str, Any]:
    """The likeliest other text of a cell in doubt; a cell beyond doubt has no such key."""
    others = [(text, chance) for text, chance in cell.choices if text != cell.text and chance >= _DOUBT]
    return {"runner_up": {"text": others[0][0], "probability": _probability(others[0][1])}} if others else {}


def _score(score: HandScore) -> dict[str, Any]:
    return {
        name: {"we": pair.we, "they": pair.they} for name, pair in (("points", score.points), ("totals", score.totals))
    }


def problem_object(problem: Problem) -> dict[str, Any]:
    """One problem of the document, with its candidates and its consequence."""
    return {
        "code": problem.code,
        "row": problem.row,
        "cell": problem.cell,
        "written": problem.written,
        "expected": problem.expected,
        "candidates": [
            {"cell": c.cell, "expected": c.expected, "probability": _probability(c.probability)}
            for c in problem.candidates
        ],
        "message": problem.message,
        "probability": _probability(problem.probability),
        "consequence": {
            "winner_changes": problem.consequence.winner_changes,
            "points_moved": problem.consequence.points_moved,
            **_moved(problem.consequence.moved),
        },
    }


def _moved(totals: tuple[int, int]) -> dict[str, Any]:
    """By how much the slip changed both totals from its row on; no such key where it changed none."""
    return {"moved": dict(zip(SIDES, totals, strict=True))} if any(totals) else {}


def _probability(value: float) -> float:
    return round(min(max(float(value), 0.0), 1.0), 6)


def _corners(quad: Quad | None) -> list[list[float]] | None:
    return None if quad is None else [[round(float(x), 1), round(float(y), 1)] for x, y in quad]
