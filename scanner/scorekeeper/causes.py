"""Who is to blame for a row that breaks a rule: the slips that explain it, as cells with what they should hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scanner.scorekeeper.hands import HandTable
from scanner.scorekeeper.ink import Explanations
from scanner.scorekeeper.likelihood import typed_likelihoods
from scanner.scorekeeper.meaning import Totals
from scanner.scorekeeper.rowmodel import RowModel
from scanner.scorekeeper.slips import COUNT, MARKED, TIED, Slip
from scanner.scorekeeper.verify import mark_cell
from scanner.sheet.results import SIDES, Candidate
from scanner.sheet.texts import SET, ZERO

#: A cell that explains less than this share of the ways a row can have gone wrong is not worth a player's attention.
_WORTH_NAMING = 0.03
_MOST_NAMED = 6
#: Above this share one cell (or one figure) is named alone.
_SURE = 0.9


@dataclass(frozen=True)
class Cause:
    """The explanation of one row.

    Attributes:
        slip: the most probable kind.
        points: (we, they) of the most probable hand.
        set_side: the side that was set in it, or None.
        maker_known: whether all probable hands have the same makers.
        candidates: guilty cells, most probable first; one entry if there is no doubt worth a sentence.
        also: the other cells that might be guilty although one is named alone, and totals that carry the wrong figure.
    """

    slip: Slip
    points: tuple[int, int]
    set_side: str | None
    maker_known: bool
    candidates: tuple[Candidate, ...]
    also: tuple[Candidate, ...]


def find_cause(texts: Mapping[str, str], before: Totals, keys: tuple[str, ...], table: HandTable) -> Cause | None:
    """The slips that explain a row of typed texts, or None if no single one does.

    Columns that hang on a total nobody knows are left out of the account.
    """
    rows, weights, keys = _explained(texts, before, keys, table)
    slipped = (rows.slip != Slip.NONE) & (weights > 0)
    if not slipped.any():
        return None
    rows, weights = rows.take(np.flatnonzero(slipped)), weights[slipped]
    return _summary(rows, weights / weights.sum(), keys, table)


def may_be_in_order(texts: Mapping[str, str], before: Totals, keys: tuple[str, ...], table: HandTable) -> bool:
    """Whether some text in the cells that are missing from ``texts`` makes the row one without a slip."""
    rows, weights, _ = _explained(texts, before, keys, table)
    return bool(((rows.slip == Slip.NONE) & (rows.hand >= 0) & (weights > 0)).any())


def _explained(texts: Mapping[str, str], before: Totals, keys: tuple[str, ...],
               table: HandTable) -> tuple[Explanations, np.ndarray, tuple[str, ...]]:  # fmt: skip
    """All explanations of typed texts, their weights, and the columns that could be judged."""
    unknown = {f"{s}_total" for s, total in zip(SIDES, before, strict=True) if total is None}
    if unknown:
        unknown.add("total_check")
    keys = tuple(key for key in keys if key not in unknown)
    model = RowModel(typed_likelihoods(texts, keys), keys, table)
    states = np.array([[total or 0 for total in before]])
    return (*model.explanations(states), keys)


def _summary(rows: Explanations, shares: np.ndarray, keys: tuple[str, ...], table: HandTable) -> Cause:
    by_hand: dict[tuple, float] = {}
    by_cell: dict[str, dict[str, float]] = {}
    followed: dict[str, dict[str, float]] = {}
    for i in range(shares.size):
        scores = table.scores(int(rows.hand[i]))
        by_hand[scores] = by_hand.get(scores, 0.0) + shares[i]
        for cell, expected in guilty(rows, i, keys, table.set_code):
            cells = by_cell.setdefault(cell, {})
            cells[expected] = cells.get(expected, 0.0) + shares[i]
        for cell, expected in _carrying(rows, i, keys):
            cells = followed.setdefault(cell, {})
            cells[expected] = cells.get(expected, 0.0) + shares[i]
    we, they, set_side = max(by_hand, key=by_hand.get)
    makers = {maker(*scores) for scores, share in by_hand.items() if share > _WORTH_NAMING}
    candidates = _candidates(by_cell)
    named = {candidate.cell for candidate in candidates}
    also = tuple(c for c in _by_cell(by_cell) if c.cell not in named) if len(named) == 1 else ()
    named |= {candidate.cell for candidate in also}
    also += tuple(c for c in _by_cell(followed) if c.cell not in named) if followed else ()
    return Cause(Slip(rows.slip[shares.argmax()]), (we, they), set_side, len(makers) == 1, candidates, also)


def _candidates(by_cell: dict[str, dict[str, float]]) -> tuple[Candidate, ...]:
    cells = _by_cell(by_cell)
    if cells[0].probability < _SURE or (len(cells) > 1 and cells[1].probability >= _SURE):
        return cells
    figures = sorted(by_cell[cells[0].cell].items(), key=lambda item: -item[1])
    if figures[0][1] >= _SURE * cells[0].probability:
        return cells[:1]
    worth = [(text, share) for text, share in figures if share > _WORTH_NAMING][:_MOST_NAMED] or figures[:1]
    return tuple(Candidate(cells[0].cell, text, round(float(share), 4)) for text, share in worth)


def _by_cell(by_cell: dict[str, dict[str, float]]) -> tuple[Candidate, ...]:
    """One candidate for each cell worth naming, with its likeliest figure and the share of all its figures."""
    shares = sorted(((sum(figures.values()), cell) for cell, figures in by_cell.items()), reverse=True)
    worth = [(share, cell) for share, cell in shares if share > _WORTH_NAMING][:_MOST_NAMED] or shares[:1]
    best = {cell: max(by_cell[cell], key=by_cell[cell].get) for _, cell in worth}
    return tuple(Candidate(cell, best[cell], round(float(share), 4)) for share, cell in worth)


def guilty(rows: Explanations, index: int, keys: tuple[str, ...], set_code: int) -> list[tuple[str, str]]:
    """(cell, what it should hold) of one explanation; two for entries that changed places."""
    slip = Slip(rows.slip[index])
    side = (slip - 1) % 2
    name = SIDES[side]
    codes, values, before = rows.codes[:, index], rows.values[:, index], rows.before[:, index]
    if slip == Slip.HAND_CHECK:
        return [("hand_check", str(values.sum()))]
    if slip == Slip.TOTAL_CHECK:
        return [("total_check", str(rows.after[:, index].sum()))]
    if slip == Slip.SWAPPED:
        return [(f"{s}_points", _points_text(code, set_code)) for s, code in zip(SIDES, codes, strict=True)]
    if slip in (Slip.TOTAL_WE, Slip.TOTAL_THEY, Slip.BLANK_WE, Slip.BLANK_THEY):
        return [(f"{name}_total", str(before[side] + values[side]))]
    if slip in (Slip.POINTS_WE, Slip.POINTS_THEY, Slip.COUNT_WE, Slip.COUNT_THEY):
        return [(f"{name}_points", _points_text(codes[side], set_code))]
    cell = mark_cell(name, keys)
    if codes[side] == set_code or cell.endswith("points"):
        return [(cell, _points_text(codes[side], set_code))]
    return [(cell, str(before[side] + values[side]))]


def _carrying(rows: Explanations, index: int, keys: tuple[str, ...]) -> list[tuple[str, str]]:
    """Totals that took the wrong figure over from the points column, with what they should be."""
    slip = Slip(rows.slip[index])
    side = (slip - 1) % 2
    cell = f"{SIDES[side]}_total"
    right = rows.before[side, index] + rows.values[side, index]
    moved = slip in (*COUNT, *TIED, *MARKED) and rows.after[side, index] != right
    return [(cell, str(right))] if moved and cell in keys and f"{SIDES[side]}_points" in keys else []


def _points_text(code: int, set_code: int) -> str:
    return SET if code == set_code else str(code) if code else ZERO


def maker(we: int, they: int, set_side: str | None) -> str | None:
    """The makers of a hand: the side that was set, else the higher one; None for a tie."""
    if set_side or we == they:
        return set_side
    return SIDES[0] if we > they else SIDES[1]
