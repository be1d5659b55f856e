"""What each cell holds, given a hand, the written totals before it and a slip: the paper half of the noisy channel.

For a batch of M *explanations* (which state before, which hand, which slip, which wrong figure) every cell has up to
four texts it may hold, each with a share. The same shares score a row against a reading and, read backwards, say what
is written; there is no second copy of this table.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scanner.scorekeeper.hands import HandTable
from scanner.scorekeeper.slips import Slip
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, SET, ZERO

_SET, _ZERO, _EMPTY = INDEX[SET], INDEX[ZERO], INDEX[EMPTY]

# Habits that are no slip. Nobody counted these; anything from a third to three times as much gives the same answers.
#: A zero in the points column is a line, not the figure.
LINE_SHARE = 0.75
#: A points cell or a check figure left out although the rest of the row is there.
LEFT_OUT = 0.002
#: Beside a mark or zero the old total is written again, or left blank, or the mark is repeated.
AGAIN, BLANK, REPEATED = 0.55, 0.35, 0.10
#: Check figures after a slip: worked out from the right numbers, or from the wrong ones in the row.
CHECK_RIGHT, CHECK_FOLLOWS = 0.6, 0.4
#: A ``total_check`` adds up what stands beside it, so it nearly always follows a wrong total.
TOTAL_CHECK_RIGHT, TOTAL_CHECK_FOLLOWS = 0.2, 0.8


@dataclass(frozen=True, eq=False)
class Explanations:
    """M ways to explain one row.

    Attributes:
        before: written totals before the hand, shape (2, M).
        state: index of the state ``before`` came from, shape (M,).
        hand: index into the hand table, shape (M,); -1 for a row that was skipped.
        slip: a :class:`Slip` each, shape (M,).
        figure: the wrong figure of the slip (0 where it has none), shape (M,).
        codes, values: outcomes and points of both sides, shape (2, M).
        after: written totals after the hand, shape (2, M).
    """

    before: np.ndarray
    state: np.ndarray
    hand: np.ndarray
    slip: np.ndarray
    figure: np.ndarray
    codes: np.ndarray
    values: np.ndarray
    after: np.ndarray

    @cached_property
    def kinds(self) -> frozenset[int]:
        """The slips among them."""
        return frozenset(np.flatnonzero(np.bincount(self.slip)).tolist())

    def take(self, index: np.ndarray) -> Explanations:
        """The explanations at ``index``."""
        two = (self.before, self.codes, self.values, self.after)
        before, codes, values, after = (a[:, index] for a in two)
        return Explanations(before, self.state[index], self.hand[index], self.slip[index], self.figure[index],
                            codes, values, after)  # fmt: skip


def join(parts: list[Explanations]) -> Explanations:
    """Several batches as one."""
    names = ("before", "state", "hand", "slip", "figure", "codes", "values", "after")
    return Explanations(*(np.concatenate([getattr(p, n) for p in parts], axis=-1) for n in names))


def explain(states: np.ndarray, table: HandTable, state: np.ndarray, hand: np.ndarray, slip: Slip,
            figure: np.ndarray | int = 0) -> Explanations:  # fmt: skip
    """Explanations that share one slip; ``states`` has shape (K, 2), ``state`` and ``hand`` index it and the table."""
    before = states[state].T
    codes, values = table.codes[:, hand], table.values[:, hand]
    figure = np.broadcast_to(np.asarray(figure, dtype=np.int64), hand.shape)
    after = before + values
    side = (slip - 1) % 2
    if slip in (Slip.TOTAL_WE, Slip.TOTAL_THEY):
        after[side] = figure
    elif slip in (Slip.COUNT_WE, Slip.COUNT_THEY):
        after[side] = before[side] + figure
    elif slip in (Slip.TIED_WE, Slip.TIED_THEY):
        after[side] = before[side] + values[1 - side]
    elif slip in (Slip.MARKED_WE, Slip.MARKED_THEY):
        after[side] = np.where(figure == 1, after[side], before[side])
    slips = np.full(hand.shape, int(slip), dtype=np.int64)
    return Explanations(before, state, hand, slips, figure, codes, values, after)


def options(rows: Explanations, key: str, keys: Collection[str], set_code: int) -> tuple[np.ndarray, np.ndarray]:
    """The texts a cell may hold.

    Returns:
        texts: int array, shape (4, M), positions in the vocabulary.
        shares: float array, shape (4, M); they add to one, or to less where the figure of a slip has its own chance.
    """
    if key == "hand_check":
        texts, shares = _hand_check(rows, keys)
    elif key == "total_check":
        texts, shares = _total_check(rows)
    else:
        side = 0 if key.startswith("we") else 1
        if key.endswith("points"):
            texts, shares = _points(rows, side, set_code)
        else:
            texts, shares = _total(rows, side, set_code, f"{key.split('_')[0]}_points" in keys)
    _put(texts, shares, rows.hand < 0, (_EMPTY, 1.0))
    return texts, shares


def _blank(rows: Explanations) -> tuple[np.ndarray, np.ndarray]:
    shape = (4, rows.hand.size)
    return np.full(shape, _EMPTY, dtype=np.int64), np.zeros(shape)


def _are(rows: Explanations, side: int, *kinds: Slip) -> np.ndarray | None:
    """Where one of these slips of a side was made; None for nowhere, which is quick to know."""
    found = [rows.slip == kind + side for kind in kinds if kind + side in rows.kinds]
    return np.logical_or.reduce(found) if found else None


def _put(texts: np.ndarray, shares: np.ndarray, where: np.ndarray | None,
         *choices: tuple[np.ndarray | int, float]) -> None:  # fmt: skip
    """Fills the columns ``where`` with the (text, share) choices."""
    places = None if where is None else np.flatnonzero(where)
    if places is None or not places.size:
        return
    for slot in range(4):
        text, share = choices[slot] if slot < len(choices) else (_EMPTY, 0.0)
        texts[slot, places] = text[places] if isinstance(text, np.ndarray) else text
        shares[slot, places] = share


def _points(rows: Explanations, side: int, set_code: int) -> tuple[np.ndarray, np.ndarray]:
    texts, shares = _blank(rows)
    code, swapped = rows.codes[side], _are(rows, 0, Slip.SWAPPED)
    if swapped is not None:
        code = np.where(swapped, rows.codes[1 - side], code)
    texts[0], shares[0], shares[1] = code, 1 - LEFT_OUT, LEFT_OUT
    _put(texts, shares, code == 0, (_ZERO, LINE_SHARE - LEFT_OUT), (0, 1 - LINE_SHARE), (_EMPTY, LEFT_OUT))
    _put(texts, shares, code == set_code, (_SET, 1.0))
    _put(texts, shares, _are(rows, side, Slip.POINTS_WE, Slip.COUNT_WE), (rows.figure, 1.0))
    _put(texts, shares, _are(rows, side, Slip.NO_MARK_WE), (_EMPTY, 0.6), (0, 0.2), (_ZERO, 0.2))
    _put(texts, shares, _are(rows, side, Slip.TIED_WE), (rows.values[1 - side], 1.0))
    _put(texts, shares, _are(rows, side, Slip.MARKED_WE), (_SET, 1.0))
    return texts, shares


def _total(rows: Explanations, side: int, set_code: int, has_points: bool) -> tuple[np.ndarray, np.ndarray]:
    texts, shares = _blank(rows)
    code, before, after = rows.codes[side], rows.before[side], rows.after[side]
    texts[0], shares[0] = after, 1.0
    marked, forgot = _are(rows, side, Slip.MARKED_WE), _are(rows, side, Slip.NO_MARK_WE)
    was_set = code == set_code if marked is None else (code == set_code) | marked
    if has_points:
        stays = (code == 0) | (code == set_code)
        if marked is not None:
            stays |= marked & (rows.figure == 0)
        mark = np.where(was_set, _SET, _ZERO)
        _put(texts, shares, stays, (before, AGAIN), (_EMPTY, BLANK), (mark, REPEATED))
        _put(texts, shares, forgot, (before, AGAIN), (_EMPTY, 1 - AGAIN))
    else:
        _put(texts, shares, code == 0, (_ZERO, 0.5), (before, 0.5))
        _put(texts, shares, was_set, (_SET, 1.0))
        _put(texts, shares, forgot, (before, 0.6), (_EMPTY, 0.4))
    _put(texts, shares, _are(rows, side, Slip.TOTAL_WE, Slip.COUNT_WE, Slip.TIED_WE), (after, 1.0))
    _put(texts, shares, _are(rows, side, Slip.BLANK_WE), (_EMPTY, 1.0))
    return texts, shares


def _hand_check(rows: Explanations, keys: Collection[str]) -> tuple[np.ndarray, np.ndarray]:
    texts, shares = _blank(rows)
    right = rows.values.sum(axis=0)
    texts[0], shares[0], shares[1] = right, 1 - LEFT_OUT, LEFT_OUT
    follows = right
    for side in (0, 1):
        theirs = rows.values[1 - side]
        ways = [((Slip.POINTS_WE, Slip.COUNT_WE), rows.figure + theirs), ((Slip.TIED_WE,), 2 * theirs),
                ((Slip.MARKED_WE,), theirs)]  # fmt: skip
        if f"{'we' if side == 0 else 'they'}_points" not in keys:
            moved = np.clip(rows.figure - rows.before[side] + theirs, 0, NUMBERS - 1)
            ways.append(((Slip.TOTAL_WE,), moved))
        for kinds, figure in ways:
            where = _are(rows, side, *kinds)
            if where is not None:
                follows = np.where(where, figure, follows)
    _put(texts, shares, follows != right, (right, CHECK_RIGHT - LEFT_OUT / 2),
         (np.minimum(follows, NUMBERS - 1), CHECK_FOLLOWS - LEFT_OUT / 2), (_EMPTY, LEFT_OUT))  # fmt: skip
    _put(texts, shares, _are(rows, 0, Slip.HAND_CHECK), (rows.figure, 1.0))
    return texts, shares


def _total_check(rows: Explanations) -> tuple[np.ndarray, np.ndarray]:
    texts, shares = _blank(rows)
    right = np.minimum((rows.before + rows.values).sum(axis=0), NUMBERS - 1)
    follows = np.minimum(rows.after.sum(axis=0), NUMBERS - 1)
    texts[0], shares[0], shares[1] = follows, 1 - LEFT_OUT, LEFT_OUT
    _put(texts, shares, follows != right, (follows, TOTAL_CHECK_FOLLOWS - LEFT_OUT / 2),
         (right, TOTAL_CHECK_RIGHT - LEFT_OUT / 2), (_EMPTY, LEFT_OUT))  # fmt: skip
    _put(texts, shares, _are(rows, 0, Slip.TOTAL_CHECK), (rows.figure, 1.0))
    return texts, shares
