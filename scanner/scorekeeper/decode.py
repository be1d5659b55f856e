"""From the reader's posteriors to a verified game: what is written, what was meant, what a person must look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scanner.scorekeeper.asking import Doubt, choose_questions, withdrawn
from scanner.scorekeeper.check import JudgedRow, ask, corrected_totals, game_result, judge, row_result
from scanner.scorekeeper.ending import (
    Mark,
    end_fit,
    goes_on,
    last_possible_hand,
    mark_posterior,
    marks_below,
    rows_above_w,
    unused_fit,
)
from scanner.scorekeeper.hands import HandTable, hand_table
from scanner.scorekeeper.lattice import Step, best_path, posteriors, run_forward
from scanner.scorekeeper.likelihood import blown_out, row_likelihoods
from scanner.scorekeeper.meaning import winner_of
from scanner.scorekeeper.older import older_totals
from scanner.scorekeeper.posterior import DecodedRow, decoded_row
from scanner.scorekeeper.rowmodel import RowModel
from scanner.scorekeeper.washed import chain_of, washed_likelihoods
from scanner.sheet.layout import Layout
from scanner.sheet.reading import CellReading
from scanner.sheet.results import SIDES, CellResult, GameResult, Problem
from scanner.sheet.texts import INDEX, VOCABULARY, WON, number

Readings = Mapping[tuple[int, str], CellReading]

#: Numbers of hands less likely than this are left out of the account.
_WORTH_WEIGHING = 1e-4
#: Where light may have taken all ink of a grid, a game in it is asked for from this chance on: the row that is asked
#: takes four questions, and some twenty cells would be wrong at ``asking.WRONG_COSTS`` each.
_WORTH_ASKING = 0.005
#: How many of a cell's likeliest texts a reviewer is offered.
_CHOICES = 5


@dataclass(frozen=True, eq=False)
class Decoded:
    """The joint posterior of one game: its rows with a hand, the W, and how sure the number of rows is."""

    rows: tuple[DecodedRow, ...]
    winner_mark: str | None
    mark_probability: float
    length_probability: float


def decode_game(readings: Readings, layout: Layout, budget: int | None = None) -> GameResult | None:
    """Decodes one grid.

    Args:
        readings: the reader's posterior for each (row, cell key), rows from 1.
        layout: what the columns mean.
        budget: ask at most this many cells (those whose answers matter most); None asks all that are worth it.

    Returns:
        The game, or None if nothing is written on the grid.
    """
    decoded = decode(readings, layout)
    if decoded is None:
        return None
    judged = judge({row.row: row.texts for row in decoded.rows}, layout)
    doubts = [_doubt(row, key, judged) for row in decoded.rows for key in layout.arithmetic_keys]
    asked = choose_questions(doubts, decoded.length_probability, budget)
    totals, results = corrected_totals(judged), []
    for row, judgement in zip(decoded.rows, judged, strict=True):
        cells = {key: _cell(readings, row, key, (row.row, key) in asked) for key in layout.keys}
        results.append(row_result(judgement, cells, totals[row.row]))
    questions = tuple(ask(row, key) for row, key in sorted(asked))
    game = game_result(judged, tuple(results), decoded.winner_mark, questions)
    least = {r.row: min(readings[r.row, key].confidence for key in layout.arithmetic_keys) for r in decoded.rows}
    return replace(game, problems=_weighed(game.problems, decoded, asked, least))


def decode(readings: Readings, layout: Layout, table: HandTable | None = None) -> Decoded | None:
    """The joint posterior itself; None if nothing is written."""
    table, keys = table or hand_table(), layout.arithmetic_keys
    if not keys:
        return None
    rows = [{key: readings[number, key] for key in keys} for number in range(1, layout.rows + 1)]
    last = last_possible_hand(rows)
    if not last:
        return None
    tails = [marks_below(rows[n:], keys) for n in range(1, last + 1)]
    models = _models(rows, last, keys, table)
    steps = run_forward(models, goes_on, [partial(end_fit, marks=marks) for marks in tails])
    lengths = _lengths(steps, unused_fit(rows, keys, layout.games))
    glare = any(blown_out(reading) for row in rows for reading in row.values())
    if lengths.sum() < (_WORTH_ASKING if glare else 0.5):
        return None
    ways = {n: _posteriors(steps[:n], tails[n - 1]) for n in range(1, last + 1) if lengths[n - 1] > _WORTH_WEIGHING}
    return _summary(steps, tails, rows, models, lengths, ways)


def _models(rows: Sequence[Mapping[str, CellReading]], last: int, keys: tuple[str, ...],
            table: HandTable) -> list[RowModel]:  # fmt: skip
    """The evidence of the first ``last`` rows."""
    faded = [washed_likelihoods(row, row_likelihoods(row)) for row in rows[: rows_above_w(rows)]]
    faded += [None] * (last - len(faded))  # under a W no hand is looked for that cannot be seen
    parts = zip(rows[:last], faded, older_totals(rows[:last], keys), strict=False)
    return [RowModel(row_likelihoods(row), keys, table, washed=fade, older=above, chain=chain_of(row))
            for row, fade, above in parts]  # fmt: skip


def _lengths(steps: Sequence[Step], unused: float) -> np.ndarray:
    """The probability that the game has 1, 2, ... hands; what they lack of one is that there is no game.

    ``unused``: the natural log of how well no game fits.
    """
    scores = np.array([unused, *(step.log_end for step in steps)])
    chances = np.exp(scores - scores.max())
    return chances[1:] / chances.sum()


def _posteriors(steps: Sequence[Step], marks: list[Mark]) -> list[np.ndarray]:
    """The probabilities of all explanations of all rows if these are the rows of the game."""
    end = end_fit(steps[-1].states, marks)
    return posteriors(steps, end / end.max())


def _summary(steps: list[Step], tails: list[list[Mark]], rows: list[dict[str, CellReading]], models: list[RowModel],
             lengths: np.ndarray, ways: Mapping[int, list[np.ndarray]]) -> Decoded:  # fmt: skip
    """The rows of the likeliest number of hands; what other numbers say of them counts by their probability.

    Args:
        lengths: the probability that the game has 1, 2, ... hands.
        ways: for each number of hands worth weighing what :func:`_posteriors` says.
    """
    length = int(np.argmax(lengths)) + 1
    marks, keys = tails[length - 1], models[0].keys
    path = best_path(steps[:length], end_fit(steps[length - 1].states, marks))
    found = []
    for line, best in enumerate(path, 1):
        step = steps[line - 1]
        share = sum(lengths[n - 1] * shares[line - 1] for n, shares in ways.items() if n >= line)
        row = decoded_row(line, step, share, best, models[line - 1], rows[line - 1])
        if step.rows.hand[best] >= 0:
            found.append(row)
    final = steps[length - 1].rows.after[:, path[-1]]
    mark = mark_posterior((int(final[0]), int(final[1])), marks)
    side = max(mark, key=mark.get)
    side = side or _mark_over(rows[length - 1], keys)
    return Decoded(tuple(found), side, mark[side], float(lengths[length - 1]))


def _mark_over(row: Mapping[str, CellReading], keys: Sequence[str]) -> str | None:
    """The side whose cell in the last hand's row reads as a W: the mark was drawn over it."""
    found = [key for key in keys if not key.endswith("check") and row[key].probability(WON) > 0.5]
    return found[0].split("_")[0] if found else None


def _doubt(row: DecodedRow, key: str, judged: Sequence[JudgedRow]) -> Doubt:
    settled = INDEX[row.texts[key]]
    chance = 1.0 - float(row.cells[key][settled])
    accused = next(bool(j.broken) for j in judged if j.row == row.row)
    return Doubt(row.row, key, chance, row.wrong_with[key], _changes(row, key, judged[-1]), accused, row.slip)


def _changes(row: DecodedRow, key: str, last: JudgedRow) -> str:
    """What the runner-up of a final total would change: the winner, or at least the game points in the standings."""
    final, side = last.carried, 0 if key.startswith("we") else 1
    alone = f"{SIDES[side]}_total" not in row.cells  # without total columns every row's points are part of the final
    if None in final or key.endswith("check") or not (alone or (row.row == last.row and key.endswith("_total"))):
        return ""
    others = row.cells[key].copy()
    others[INDEX[row.texts[key]]] = 0.0
    runner_up, settled = (number(text) for text in (VOCABULARY[int(np.argmax(others))], row.texts[key]))
    if runner_up is None or (alone and settled is None):
        return ""
    total = final[side] + runner_up - settled if alone else runner_up
    totals = (total, final[1]) if side == 0 else (final[0], total)
    return "winner" if winner_of(totals) != winner_of(final) else "standings"


def _cell(readings: Readings, row: DecodedRow, key: str, review: bool) -> CellResult:
    reading = readings[row.row, key]
    if key not in row.cells:
        return CellResult(reading.text, reading.confidence, False, reading.struck, choices=tuple(reading.top(_CHOICES)))
    chances = row.cells[key]
    order = np.argsort(-chances, kind="stable")[:_CHOICES]
    choices = tuple((VOCABULARY[i], float(chances[i])) for i in order if chances[i] > 0)
    chance = float(chances[INDEX[row.texts[key]]])
    return CellResult(row.texts[key], min(chance, 1.0), review, reading.struck, choices=choices)


def _weighed(problems: tuple[Problem, ...], decoded: Decoded, asked: set[tuple[int, str]],
             least_sure: Mapping[int, float]) -> tuple[Problem, ...]:  # fmt: skip
    """The problems with their probabilities, without those that a question has taken the place of.

    ``least_sure`` is the reader's own confidence in the cell of each row of which it is least sure.
    """
    slips = {row.row: row.slip for row in decoded.rows}
    # That a hand stands after the end is said as surely as that it is a hand.
    hands = dict.fromkeys(slips, 1.0) | {row: decoded.length_probability for row in list(slips)[-1:]}
    open_rows, found = {row for row, _ in asked}, []
    for problem in problems:
        chances = hands if problem.code == "past-the-end" else slips
        if problem.code == "unreadable":
            found.append(problem)
        elif problem.code == "winner-mark":
            found.append(replace(problem, probability=round(decoded.mark_probability, 4)))
        elif problem.row not in open_rows or not withdrawn(chances[problem.row], least_sure[problem.row]):
            found.append(replace(problem, probability=round(chances[problem.row], 4)))
    return tuple(found)
