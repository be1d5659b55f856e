"""All ways a whole game can have been written, row by row: forward and backward sums and the single best way.

The state between two rows is the pair of written totals. What was *meant* needs no state of its own: a hand is kept
with its points, a slip changes only the written totals, and people carry on from what is written; so the totals as
meant are the sums of the points along the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scanner.scorekeeper.ink import Explanations
from scanner.scorekeeper.rowmodel import RowModel

#: States below this share of the likeliest one are dropped, and so are all but the best few dozen.
KEEP_STATE = 1e-7
MOST_STATES = 40


@dataclass(frozen=True, eq=False)
class Step:
    """One row: its explanations, their weights (shape (M,), scaled), and the states they start from and lead to.

    Attributes:
        states: written totals after the row, shape (K, 2).
        to: for each explanation the index of its state among ``states``, shape (M,).
        forward: probability of everything read so far and each state, shape (K,), scaled to add to one.
        log_scale: natural log of all scales taken out up to and with this row.
    """

    rows: Explanations
    weights: np.ndarray
    states: np.ndarray
    to: np.ndarray
    forward: np.ndarray
    log_scale: float


def run_forward(models: Sequence[RowModel], goes_on: Callable[[np.ndarray], np.ndarray],
                most_states: int = MOST_STATES, keep_state: float = KEEP_STATE) -> list[Step]:  # fmt: skip
    """Explains every row from every state the rows before it leave open.

    Args:
        models: the evidence of each row.
        goes_on: for states, shape (K, 2), the probability, shape (K,), that another hand follows.
        most_states, keep_state: what is kept; none of it may be dropped for an exact sum.
    """
    states, forward, scale = np.zeros((1, 2), dtype=np.int64), np.ones(1), 0.0
    steps = []
    for model in models:
        rows, weights = model.explanations(states)
        weights = weights * goes_on(states)[rows.state]
        after, to = _states_after(rows)
        sums = np.bincount(to, weights=weights * forward[rows.state], minlength=len(after))
        kept = _best(sums, most_states, keep_state)
        place = np.full(len(after), -1)
        place[kept] = np.arange(kept.size)
        inside = np.flatnonzero(place[to] >= 0)
        total = sums[kept].sum()
        states, forward, scale = after[kept], sums[kept] / total, scale + float(np.log(total))
        steps.append(Step(rows.take(inside), weights[inside] / total, states, place[to[inside]], forward, scale))
    return steps


def _states_after(rows: Explanations) -> tuple[np.ndarray, np.ndarray]:
    packed, to = np.unique(rows.after[0] * 4096 + rows.after[1], return_inverse=True)
    return np.stack([packed // 4096, packed % 4096], axis=1), to


def _best(sums: np.ndarray, most: int, share: float) -> np.ndarray:
    order = np.argsort(-sums, kind="stable")[:most]
    return np.sort(order[(sums[order] > share * sums.max()) & (sums[order] > 0)])


def posteriors(steps: Sequence[Step], end: np.ndarray) -> list[np.ndarray]:
    """Probability of every explanation of every row, given all rows.

    Args:
        steps: the rows of the game, the last hand last.
        end: for each state after the last row how well the rest of the sheet fits, shape (K,).
    """
    backward, found = end, []
    before = [np.ones(1), *(step.forward for step in steps[:-1])]
    for step, start in zip(reversed(steps), reversed(before), strict=True):
        through = step.weights * backward[step.to]
        share = start[step.rows.state] * through
        found.append(share / share.sum())
        backward = np.bincount(step.rows.state, weights=through, minlength=start.size)
        backward = backward / backward.max()
    return found[::-1]


def best_path(steps: Sequence[Step], end: np.ndarray) -> list[int]:
    """The most probable explanation of the whole game: for each row the index of its explanation."""
    best, back = np.ones(1), []
    for step in steps:
        scores = best[step.rows.state] * step.weights
        order = np.argsort(scores, kind="stable")
        choice = np.zeros(len(step.states), dtype=np.int64)
        choice[step.to[order]] = order
        back.append(choice)
        best = scores[choice] / scores.max()
    state, path = int(np.argmax(best * end)), []
    for step, choice in zip(reversed(steps), reversed(back), strict=True):
        path.append(int(choice[state]))
        state = int(step.rows.state[path[-1]])
    return path[::-1]
