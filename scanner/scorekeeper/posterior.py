"""One row of the joint posterior: what stands in its cells, how sure that is, and which cells go wrong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scanner.scorekeeper.ink import options
from scanner.scorekeeper.lattice import Step
from scanner.scorekeeper.likelihood import settled
from scanner.scorekeeper.rowmodel import RowModel
from scanner.scorekeeper.slips import Slip
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import EMPTY, INDEX, VOCABULARY


@dataclass(frozen=True, eq=False)
class DecodedRow:
    """One row of the joint posterior.

    Attributes:
        row: its number on the sheet.
        cells: for each arithmetic cell the probability of every text, shape (V,).
        texts: the texts of the most probable explanation of the game.
        slip: probability that the row holds a slip.
        wrong_with: for each cell how many other cells of the row are wrong along with it, on average over all cases
            (those in which it is right count 0): of a hand misread as another both points and totals are wrong.
    """

    row: int
    cells: dict[str, np.ndarray]
    texts: dict[str, str]
    slip: float
    wrong_with: dict[str, float]


def decoded_row(line: int, step: Step, share: np.ndarray, best: int, model: RowModel,
                readings: Mapping[str, CellReading]) -> DecodedRow:  # fmt: skip
    """One row as the explanation ``best`` has it.

    ``share``: the probabilities of its explanations; what they lack of one is the chance that there is no hand.
    """
    keys, missing = model.keys, max(0.0, 1.0 - float(share.sum()))
    held = {key: _held(step, key, model) for key in keys}
    cells = {key: _marginal(*held[key], share) for key in keys}
    for chances in cells.values():
        chances[INDEX[EMPTY]] += missing
    chosen = {key: _best_text(step, best, key, model) for key in keys}
    answered = {key: reading for key, reading in readings.items() if settled(reading)}  # not to be weighed again
    overruled = any(chosen[key] != reading.text for key, reading in answered.items())
    chosen |= {key: reading.text for key, reading in answered.items()}
    cells |= {key: np.exp(reading.log_probs) for key, reading in answered.items()}
    wrong = {key: np.where(held[key][0] == INDEX[chosen[key]], 0.0, held[key][1]).sum(axis=0)
             for key in keys if key not in answered}  # fmt: skip
    slipped = 1.0 if overruled else float(share[step.rows.slip != Slip.NONE].sum())
    return DecodedRow(line, cells, chosen, slipped, dict.fromkeys(keys, 0.0) | _wrong_with(wrong, share, missing))


def cell_posterior(step: Step, share: np.ndarray, key: str, model: RowModel) -> np.ndarray:
    """Probability of every text of one cell, shape (V,), from the probabilities ``share`` of the row's explanations."""
    return _marginal(*_held(step, key, model), share)


def _held(step: Step, key: str, model: RowModel) -> tuple[np.ndarray, np.ndarray]:
    """The texts a cell may hold under each explanation and, given what was read, their chances, both shape (4, M)."""
    texts, shares = options(step.rows, key, model.keys, model.table.set_code)
    fits = shares * _seen(model, key)[step.modes, texts]
    return texts, fits / fits.sum(axis=0)


def _seen(model: RowModel, key: str) -> np.ndarray:
    """Likelihoods of a cell if the row's ink is seen and if it is washed out, shape (2, V)."""
    return np.stack([model.seen[key], (model.washed or model.seen)[key]])


def _marginal(texts: np.ndarray, chances: np.ndarray, share: np.ndarray) -> np.ndarray:
    return np.bincount(texts.ravel(), weights=(chances * share).ravel(), minlength=len(VOCABULARY))


def _best_text(step: Step, best: int, key: str, model: RowModel) -> str:
    rows, table = step.rows.take(np.array([best])), model.table
    texts, shares = options(rows, key, model.keys, table.set_code)
    return VOCABULARY[texts[:, 0][int(np.argmax(shares[:, 0] * _seen(model, key)[step.modes[best], texts[:, 0]]))]]


def _wrong_with(wrong: Mapping[str, np.ndarray], share: np.ndarray, missing: float) -> dict[str, float]:
    """See :class:`DecodedRow`.

    Args:
        wrong: for each cell the chance that it is wrong under each explanation, shape (M,).
        share: the probabilities of the explanations, shape (M,).
        missing: the chance that there is no such row, in which case all its cells are wrong.
    """
    together = sum(wrong.values(), np.zeros(share.size))
    return {key: float((chance * share * (together - chance)).sum()) + missing * (len(wrong) - 1)
            for key, chance in wrong.items()}  # fmt: skip
