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
        rows: the explanations.
        weights: their weights, shape (M,), the chain of washed-out rows left out.
        modes: 0 for an explanation by the ink that is seen, 1 for one of a washed-out row, shape (M,).
        chain: the row's chances to be washed out (:class:`RowModel`), shape (2, 2).
        states: written totals after the row, shape (K, 2).
        to: for each explanation the index of its state among ``states``, shape (M,).
        forward: probability of everything read so far and each state, by mode, shape (K, 2), scaled to add to one.
        log_scale: natural log of all scales taken out up to and with this row.
        log_end: natural log of the likelihood of the whole game if this is its last row; no state is dropped for it.
    """

    rows: Explanations
    weights: np.ndarray
    modes: np.ndarray
    chain: np.ndarray
    states: np.ndarray
    to: np.ndarray
    forward: np.ndarray
    log_scale: float
    log_end: float


_START = np.array([[1.0, 0.0]])


#: For states, shape (K, 2), a probability or likelihood of each, shape (K,).
OfStates = Callable[[np.ndarray], np.ndarray]


def run_forward(models: Sequence[RowModel], goes_on: OfStates, ends: Sequence[OfStates] = (),
                most_states: int = MOST_STATES, keep_state: float = KEEP_STATE) -> list[Step]:  # fmt: skip
    """Explains every row from every state the rows before it leave open.

    Args:
        models: the evidence of each row.
        goes_on: the probability that another hand follows.
        ends: for each row how well the sheet below it fits if it is the last one; nothing is known of it if left out.
        most_states, keep_state: what is kept; none of it may be dropped for an exact sum.
    """
    states, forward, scale = np.zeros((1, 2), dtype=np.int64), _START, 0.0
    steps = []
    ends = ends or [lambda after: np.ones(len(after))] * len(models)
    for model, following, end in zip(models, [*models[1:], None], ends, strict=True):
        shares = forward @ model.chain * goes_on(states)[:, None]
        rows, weights, modes = model.modes(states, shares)
        weights = weights * goes_on(states)[rows.state]
        after, to = _states_after(rows)
        sums = _by_state(to, modes, weights * (forward @ model.chain)[rows.state, modes], len(after))
        fits = sums.sum(axis=1) * end(after)
        kept, stand_for = _kept(after, sums.sum(axis=1), fits, following, most_states, keep_state)
        log_end = scale + float(np.log(fits.sum() + 1e-300))
        place = np.full(len(after), -1)
        place[kept] = np.arange(kept.size)
        inside = np.flatnonzero(place[to] >= 0)
        total = sums[kept].sum()
        states, forward, scale = after[kept], sums[kept] / total, scale + float(np.log(total * stand_for))
        steps.append(Step(rows.take(inside), weights[inside] / total, modes[inside], model.chain, states,
                          place[to[inside]], forward, scale, log_end))  # fmt: skip
    return steps


def _by_state(states: np.ndarray, modes: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """Sums of weights by state and mode, shape (count, 2)."""
    return np.bincount(2 * states + modes, weights=weights, minlength=2 * count).reshape(count, 2)


def _states_after(rows: Explanations) -> tuple[np.ndarray, np.ndarray]:
    packed, to = np.unique(rows.after[0] * 4096 + rows.after[1], return_inverse=True)
    return np.stack([packed // 4096, packed % 4096], axis=1), to


def _kept(states: np.ndarray, sums: np.ndarray, ends: np.ndarray, following: RowModel | None, most: int,
          share: float) -> tuple[np.ndarray, float]:  # fmt: skip
    """Indices of the states to keep: the best; where these are too many also the best to end with or to go on from.

    The number beside them says for how many like themselves the kept ones stand in the rows that follow: those dropped
    are taken to fare no worse.
    """
    kept = _best(sums, most, share)
    if kept.size < most:
        return kept, 1.0
    kept = np.union1d(kept, _best(ends, most, share))
    if following is None:
        return kept, 1.0
    guided = sums * following.follows(states)
    kept = np.union1d(kept, _best(guided, most, share))
    return kept, float(guided.sum() / guided[kept].sum())


def _best(sums: np.ndarray, most: int, share: float) -> np.ndarray:
    order = np.argsort(-sums, kind="stable")[:most]
    return np.sort(order[(sums[order] > share * sums.max()) & (sums[order] > 0)])


def posteriors(steps: Sequence[Step], end: np.ndarray) -> list[np.ndarray]:
    """Probability of every explanation of every row, given all rows.

    Args:
        steps: the rows of the game, the last hand last.
        end: for each state after the last row how well the rest of the sheet fits, shape (K,).
    """
    backward, found = np.stack([end, end], axis=1), []
    before = [_START, *(step.forward for step in steps[:-1])]
    for step, start in zip(reversed(steps), reversed(before), strict=True):
        through = step.weights * backward[step.to, step.modes]
        share = (start @ step.chain)[step.rows.state, step.modes] * through
        found.append(share / share.sum())
        backward = _by_state(step.rows.state, step.modes, through, len(start)) @ step.chain.T
        backward = backward / backward.max()
    return found[::-1]


def best_path(steps: Sequence[Step], end: np.ndarray) -> list[int]:
    """The most probable explanation of the whole game: for each row the index of its explanation."""
    best, back = _START, []
    for step in steps:
        ways = best[:, :, None] * step.chain  # state, mode before, mode now
        scores = ways.max(axis=1)[step.rows.state, step.modes] * step.weights
        order = np.argsort(scores, kind="stable")
        choice = np.full(2 * len(step.states), -1)
        choice[2 * step.to[order] + step.modes[order]] = order
        back.append((choice, ways.argmax(axis=1)))
        best = np.where(choice >= 0, scores[choice], 0.0).reshape(-1, 2) / scores.max()
    place, path = int(np.argmax(best * end[:, None])), []
    for step, (choice, modes) in zip(reversed(steps), reversed(back), strict=True):
        index = int(choice[place])
        path.append(index)
        state = int(step.rows.state[index])
        place = 2 * state + int(modes[state, step.modes[index]])
    return path[::-1]
