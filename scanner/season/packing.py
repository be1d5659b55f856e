"""Value types to and from what a row of the season file holds: JSON texts and one packed blob of readings a game."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from scanner.sheet.layout import Column, Layout
from scanner.sheet.reading import CellReading
from scanner.sheet.results import (
    Candidate,
    CellResult,
    Consequence,
    GameResult,
    HandScore,
    Pair,
    Problem,
    Quad,
    RowResult,
)
from scanner.sheet.texts import INDEX, VOCABULARY

#: Texts kept of a reading. What lies below them shares the rest evenly: the reader's 20th guess is far below 1e-6.
KEPT = 20
#: Least probability shared among the texts not kept, so that nothing becomes impossible by having been stored.
_LEAST_REST = 1e-12

Readings = Mapping[tuple[int, str], CellReading]


def pack_readings(readings: Readings) -> bytes:
    """The readings of one grid, (row, cell key) to reading, as compressed JSON."""
    plain = [[row, key, reading.struck, _kept(reading)] for (row, key), reading in sorted(readings.items())]
    return zlib.compress(json.dumps(plain, separators=(",", ":")).encode(), 6)


def unpack_readings(blob: bytes) -> dict[tuple[int, str], CellReading]:
    """The readings :func:`pack_readings` packed: the kept texts as they were, the rest of the probability spread."""
    return {(row, key): _spread(kept, struck) for row, key, struck, kept in json.loads(zlib.decompress(blob))}


def reading_of(cell: CellResult) -> CellReading:
    """The best reading that can be had of a cell whose own reading was not stored: its choices after decoding."""
    choices = cell.choices or ((cell.text, min(cell.confidence, 1 - 1e-9)),)
    kept = [[text, float(np.log(max(p, 1e-12)))] for text, p in choices]
    return _spread(kept, cell.struck)


def _kept(reading: CellReading) -> list[list]:
    order = np.argsort(-reading.log_probs, kind="stable")[:KEPT]
    return [[reading.vocabulary[i], round(max(float(reading.log_probs[i]), -99.0), 5)] for i in order]


def _spread(kept: list[list], struck: str | None) -> CellReading:
    kept = [(text, log_prob) for text, log_prob in kept if text in INDEX]
    rest = max(1.0 - sum(np.exp(log_prob) for _, log_prob in kept), _LEAST_REST)
    log_probs = np.full(len(VOCABULARY), np.log(rest / (len(VOCABULARY) - len(kept))))
    for text, log_prob in kept:
        log_probs[INDEX[text]] = log_prob
    log_probs -= np.log(np.exp(log_probs).sum())
    return CellReading(log_probs, struck)


def layout_text(layout: Layout | None) -> str | None:
    """A layout as JSON, so that a sheet on a user's own pad can be decoded without its layout file."""
    return None if layout is None else json.dumps(asdict(layout))


def layout_of(text: str | None) -> Layout | None:
    """The layout :func:`layout_text` wrote."""
    if text is None:
        return None
    table = json.loads(text)
    columns = tuple(Column(c["key"], tuple(c["titles"]), c["width"], c["free"]) for c in table["columns"])
    return Layout(table["name"], columns, tuple(table["row_heights"]), table["heading_height"], table["games"])


def storable(text: str) -> str:
    """A text as the file can hold it: a file name's bytes that are no UTF-8 are written as escapes.

    >>> storable("IMG_\\udcff.jpg")
    'IMG_\\\\udcff.jpg'
    """
    return text.encode("utf-8", "backslashreplace").decode()


def quad_text(quad: Quad | None) -> str | None:
    """Four corners as JSON, to a tenth of a pixel."""
    return None if quad is None else json.dumps([[round(float(x), 1), round(float(y), 1)] for x, y in quad])


def quad_of(text: str | None) -> Quad | None:
    """The corners :func:`quad_text` wrote."""
    return None if text is None else tuple((x, y) for x, y in json.loads(text))


def choices_text(cell: CellResult) -> str:
    """The choices offered to a reviewer as JSON."""
    return json.dumps([[text, round(float(p), 6)] for text, p in cell.choices])


def choices_of(text: str) -> tuple[tuple[str, float], ...]:
    """The choices :func:`choices_text` wrote."""
    return tuple((text, p) for text, p in json.loads(text))


def hand_row(game_id: str, row: RowResult) -> tuple:
    """One row of the table ``hands``."""
    scores = (row.written.points, row.written.totals, row.corrected.points, row.corrected.totals)
    numbers = [None if pair[side] is None else int(pair[side]) for pair in scores for side in ("we", "they")]
    return (game_id, row.row, *numbers, row.set, row.maker, None if row.meld is None else int(row.meld))


def problem_row(game_id: str, number: int, problem: Problem) -> tuple:
    """One row of the table ``problems``."""
    candidates = json.dumps([asdict(c) for c in problem.candidates])
    return (game_id, number, problem.code, problem.row, problem.cell, problem.written, problem.expected,
            problem.message, candidates, float(problem.probability), int(problem.consequence.winner_changes),
            int(problem.consequence.points_moved))


def game_of(game: Mapping, hands: list[Mapping], cells: list[Mapping], problems: list[Mapping]) -> GameResult:
    """A game as it was saved, from its rows in the four tables (mappings by column name)."""
    return GameResult(
        rows=tuple(_row_result(hand, [c for c in cells if c["row"] == hand["row"]]) for hand in hands),
        winner_mark=game["winner_mark"], winner=game["winner"], winner_corrected=game["winner_corrected"],
        problems=tuple(_problem(p) for p in problems),
        grid=game["grid"], quad=quad_of(game["quad"]), fit_error=game["fit_error"])


def _row_result(hand: Mapping, cells: list[Mapping]) -> RowResult:
    def score(kind: str) -> HandScore:
        pairs = (Pair(hand[f"{kind}_we_{what}"], hand[f"{kind}_they_{what}"]) for what in ("points", "total"))
        return HandScore(*pairs)

    return RowResult(hand["row"], {c["cell"]: _cell(c) for c in cells}, score("written"), score("corrected"),
                     hand["set"], hand["maker"], hand["meld"])


def _cell(row: Mapping) -> CellResult:
    return CellResult(row["text"], row["confidence"], bool(row["review"]), row["struck"], quad_of(row["box"]),
                      choices_of(row["choices"]))


def _problem(row: Mapping) -> Problem:
    candidates = tuple(Candidate(**c) for c in json.loads(row["candidates"]))
    return Problem(row["code"], row["row"], row["cell"], row["written"], row["expected"], row["message"], candidates,
                   row["probability"], Consequence(bool(row["winner_changes"]), row["points_moved"]))
