"""Where a game ends and who marked the winner: how many rows are hands, and what the rows under them hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scanner.scorekeeper.likelihood import likelihood, settled
from scanner.scorekeeper.meaning import winner_of
from scanner.sheet.reading import CellReading
from scanner.sheet.results import SIDES
from scanner.sheet.texts import EMPTY, INDEX, WON

#: Chance that people play on although the game is won, and that they stop before it is (a game left unfinished).
PLAYS_ON, STOPS_EARLY = 0.01, 0.02
#: Chance that nobody used a grid, on a page of one and of several: nobody photographs a sheet without a game, but a
#: page of two may hold one. It counts only where light may have taken all there is.
UNUSED_ALONE, UNUSED = 0.002, 0.05
#: People put the W in three won games of four or better, in the other column hardly ever, and seldom too early.
_MARKS_WINNER, _MARKS_LOSER, _MARKS_EARLY = 0.85, 0.005, 0.01
#: A W fills one to three rows; a row of it reads as W, as nothing, or as any short text. (A twentieth for a 1, an arm,
#: would make a W of many a speck: of 285 worst games two more.)
_TALLEST_W = 3
_READS_W, _READS_EMPTY, _READS_OTHER = 0.5, 0.3, 0.2 / 3000
#: Its arms reach into the columns beside it: so often a cell there reads as a stroke, a 1, or as a W. Round: the reader
#: takes 42 of 975 such cells of foreign sheets for one.
_ARM, _ARM_IS_W = 0.04, 0.15
#: A cell that holds nothing may still carry a stray stroke or a speck that reads as some text. Seldom: a whole row of
#: clear figures must stay a hand even when two of them contradict the rest.
_STRAY = 0.003
_READS_STRAY = 1 / 2000
#: A row whose cells are all surer than this to be empty (or the W) is no hand and ends the search for hands.
_SURELY_EMPTY = 0.5
#: What a person said is written in a cell is no stray stroke.
_NEVER = 1e-30


@dataclass(frozen=True)
class Mark:
    """A hypothesis about the W: the side whose column it stands in (None: there is none) and how well it fits."""

    side: str | None
    fit: float


def goes_on(states: np.ndarray) -> np.ndarray:
    """Probability that another hand follows, given the written totals, shape (K, 2) -> (K,)."""
    return np.where(_won(states), PLAYS_ON, 1 - STOPS_EARLY)


def _won(states: np.ndarray) -> np.ndarray:
    return (states.max(axis=1) >= 500) & (states[:, 0] != states[:, 1])


def last_possible_hand(rows: Sequence[Mapping[str, CellReading]]) -> int:
    """The last row in which something but a W may be written, 0 if there is none.

    Between it and a W under it hands may stand that the light has washed out.
    """
    last = 0
    for line, row in enumerate(rows, 1):
        nothing = [r.probability(EMPTY) + r.probability(WON) for r in row.values()]
        if min(nothing) < _SURELY_EMPTY:
            last = line
    above = rows_above_w(rows)
    return above if 0 < last < above < len(rows) else last


def rows_above_w(rows: Sequence[Mapping[str, CellReading]]) -> int:
    """The number of rows above the first that reads as a W and nothing else, all if there is none."""
    for line, row in enumerate(rows):
        texts = {reading.text for reading in row.values()}
        if WON in texts and texts <= {WON, EMPTY}:
            return line
    return len(rows)


def marks_below(rows: Sequence[Mapping[str, CellReading]], keys: Sequence[str]) -> list[Mark]:
    """Every way the rows under the last hand can be read: nothing, or a W in one side's column.

    Args:
        rows: readings of the rows under the last hand, from the top.
        keys: the arithmetic columns.
    """
    empty = [{key: _empty_fit(row[key]) for key in keys} for row in rows]
    blank = float(np.prod([fit for row in empty for fit in row.values()]))
    found = [Mark(None, blank)]
    for side in SIDES:
        columns = [key for key in (f"{side}_total", f"{side}_points") if key in keys]
        fits = [blank * _w_gain(rows, empty, column, height)
                for column in columns for height in range(1, min(_TALLEST_W, len(rows)) + 1)]  # fmt: skip
        found.append(Mark(side, sum(fits) / max(1, len(fits))))
    return found


def unused_fit(rows: Sequence[Mapping[str, CellReading]], keys: Sequence[str], games: int) -> float:
    """Natural log of how well the readings fit a grid that nobody used, its own chance included.

    ``games``: the grids of the page.
    """
    blank = sum(np.log(_empty_fit(row[key])) for row in rows for key in keys)
    return float(np.log(UNUSED if games > 1 else UNUSED_ALONE) + blank)


def _empty_fit(reading: CellReading) -> float:
    if settled(reading):
        return 1.0 if reading.text == EMPTY else _NEVER
    return (1 - _STRAY) * float(likelihood(reading)[INDEX[EMPTY]]) + _STRAY * _READS_STRAY


def _w_gain(
    rows: Sequence[Mapping[str, CellReading]], empty: list[dict[str, float]], column: str, height: int
) -> float:
    gain, keys = 1.0, list(empty[0])
    # A W of which nothing but an arm is seen is a speck.
    drawn = any(likelihood(row[column])[INDEX[WON]] > likelihood(row[column])[INDEX[EMPTY]] for row in rows[:height])
    beside = [key for key in keys if drawn and abs(keys.index(key) - keys.index(column)) == 1]
    for row, fits in zip(rows[:height], empty, strict=False):
        seen = likelihood(row[column])
        fit = _READS_W * float(seen[INDEX[WON]]) + _READS_EMPTY * float(seen[INDEX[EMPTY]]) + _READS_OTHER
        gain *= fit / fits[column]
        for key in beside:
            gain *= 1.0 if settled(row[key]) else 1 - _ARM + _ARM * _arm_fit(row[key]) / fits[key]
    return gain


def _arm_fit(reading: CellReading) -> float:
    """How well a cell with an arm of the W next door, and nothing else in it, explains what the reader saw."""
    seen = likelihood(reading)
    return (1 - _ARM_IS_W) * float(seen[INDEX["1"]]) + _ARM_IS_W * float(seen[INDEX[WON]])


def end_fit(states: np.ndarray, marks: Sequence[Mark]) -> np.ndarray:
    """How well the game's end fits each state of written totals, the W summed out, shape (K,)."""
    won = _won(states)
    winner = np.where(won, np.argmax(states, axis=1), len(SIDES))
    fits = [sum(_mark_chance(mark, side) * mark.fit for mark in marks) for side in (*SIDES, None)]
    return np.where(won, 1 - PLAYS_ON, STOPS_EARLY) * np.array(fits)[winner]


def mark_posterior(totals: tuple[int, int], marks: Sequence[Mark]) -> dict[str | None, float]:
    """Probability of each place of the W, given the final written totals."""
    scores = {m.side: _mark_chance(m, winner_of(totals)) * m.fit for m in marks}
    return {side: score / sum(scores.values()) for side, score in scores.items()}


def _mark_chance(mark: Mark, winner: str | None) -> float:
    if winner is None:
        return _MARKS_EARLY / 2 if mark.side else 1 - _MARKS_EARLY
    if mark.side is None:
        return 1 - _MARKS_WINNER - _MARKS_LOSER
    return _MARKS_WINNER if mark.side == winner else _MARKS_LOSER
