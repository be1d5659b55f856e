"""Slips people make when they keep score, each with the row, the cell and what should have been there.

A slip is made with the numbers of one hand before they are written: added wrong, added to an old total, digits turned
round, cards counted wrong, a check wrong, a set not marked. It is only made where it leaves a trace on the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scanner.rules.arithmetic import hand_possible
from scanner.sheet.results import SIDES, other
from scanner.sheet.texts import EMPTY, SET

Rng = np.random.Generator

#: Kinds of slip a row can have. ``past-the-end`` is made by the game instead, after its last row.
KINDS = ("adding", "carrying", "swapping", "counting", "tied-hand", "set-too-low", "hand-check", "total-check")

#: Kinds that leave the hand what it was and go wrong in the keeping alone, for games whose true hands are known
#: (``tied-hand`` and ``set-too-low`` put another hand in its place).
KEEPING_KINDS = ("adding", "carrying", "copying", "swapping", "counting", "forgotten-mark", "hand-check", "total-check")


@dataclass(frozen=True)
class Slip:
    """One slip: its row from 1, the code of the finding, the guilty cell, the text written and the right one."""

    row: int
    code: str
    cell: str | None
    written: str | None
    right: str | None

    def as_json(self) -> dict:
        """The truth file's object."""
        return {"row": self.row, "code": self.code, "cell": self.cell, "written": self.written, "right": self.right}


@dataclass(frozen=True)
class Numbers:
    """What the keeper means to write for one hand. A side that is set or has nothing counts 0.

    ``forgot`` is a side that was set, but whose cell is left empty.
    """

    points: dict[str, int]
    totals: dict[str, int]
    set: str | None
    hand_check: int
    total_check: int
    forgot: str | None = None


def slip_on(
    kind: str | None,
    row: int,
    points: dict[str, int],
    set_side: str | None,
    before: Sequence[dict[str, int]],
    keys: Sequence[str],
    rng: Rng,
) -> tuple[Numbers, Slip | None]:
    """The numbers to write for a hand, and the slip in them, if one of this kind can be made and would show.

    Args:
        before: totals as written after each row so far, beginning with the zeros.
        keys: the layout's cell keys.
    """
    right = _numbers(points, set_side, before[-1])
    makers = {"adding": _adding, "carrying": _carrying, "copying": _copying, "swapping": _swapping,
              "counting": _counting, "forgotten-mark": _forgotten, "tied-hand": _tied, "set-too-low": _too_low,
              "hand-check": _check, "total-check": _check}
    if kind is None:
        return right, None
    for _ in range(8):
        made = makers[kind](kind, row, right, before, keys, rng)
        if made is not None:
            return made
    return right, None


def corrected(text: str, rng: Rng) -> str:
    """A number somebody might first have written instead of ``text``: a digit off, turned round, ten off."""
    value = int(text)
    tries = [value + int(rng.choice([-10, 10, -1, 1, 100, -100])), _turned(value, rng), value + int(rng.integers(2, 9))]
    rng.shuffle(tries)
    return str(next(t for t in (*tries, value + 1) if 0 < t < 2000 and t != value))


def _numbers(points: dict[str, int], set_side: str | None, before: dict[str, int]) -> Numbers:
    totals = {s: before[s] + points[s] for s in SIDES}
    return Numbers(dict(points), totals, set_side, sum(points.values()), sum(totals.values()))


def _with_total(numbers: Numbers, side: str, total: int) -> Numbers:
    totals = {**numbers.totals, side: total}
    return replace(numbers, totals=totals, total_check=sum(totals.values()))


def _wrong_total(row: int, numbers: Numbers, side: str, total: int, before: Sequence[dict[str, int]],
                 keys: Sequence[str]) -> tuple[Numbers, Slip] | None:
    """The slip of writing ``total`` in a side's total column, unless nothing on the paper would show it."""
    cell, right = f"{side}_total", numbers.totals[side]
    if cell not in keys or total == right or not 0 < total < 1000 or numbers.points[side] == 0:
        return None
    wrong = _with_total(numbers, side, total)
    made = {s: wrong.totals[s] - before[-1][s] for s in SIDES}
    seen = f"{side}_points" in keys or "hand_check" in keys or not hand_possible(made["we"], made["they"], numbers.set)
    return (wrong, Slip(row, "running-total", cell, str(total), str(right))) if seen else None


def _adding(kind, row, numbers, before, keys, rng):
    side = SIDES[int(rng.integers(2))]
    off = int(rng.choice([10, -10, 100, -100, 1, -1, 2, -9], p=[0.3, 0.25, 0.12, 0.08, 0.1, 0.07, 0.04, 0.04]))
    return _wrong_total(row, numbers, side, numbers.totals[side] + off, before, keys)


def _carrying(kind, row, numbers, before, keys, rng):
    side = SIDES[int(rng.integers(2))]
    old = before[-2][side] if len(before) > 2 and rng.random() < 0.6 else before[-1][other(side)]
    return _wrong_total(row, numbers, side, old + numbers.points[side], before, keys)


def _swapping(kind, row, numbers, before, keys, rng):
    side = SIDES[int(rng.integers(2))]
    return _wrong_total(row, numbers, side, _turned(numbers.totals[side], rng), before, keys)


def _copying(kind, row, numbers, before, keys, rng):
    side = SIDES[int(rng.integers(2))]
    digits = str(numbers.totals[side])
    place = int(rng.integers(len(digits)))
    wrong = digits[:place] + str(int(rng.integers(10))) + digits[place + 1 :]
    return _wrong_total(row, numbers, side, int(wrong), before, keys)


def _forgotten(kind, row, numbers, before, keys, rng):
    side = numbers.set
    if side is None or hand_possible(numbers.points["we"], numbers.points["they"]):
        return None
    cell = f"{side}_points" if f"{side}_points" in keys else f"{side}_total"
    return replace(numbers, set=None, forgot=side), Slip(row, "hand-total", cell, EMPTY, SET)


def _counting(kind, row, numbers, before, keys, rng):
    side = SIDES[int(rng.integers(2))]
    points = numbers.points[side] + int(rng.choice([10, -10, 1, -1, 2, -2, 30]))
    pair = {**numbers.points, side: points}
    if numbers.set or points <= 0 or min(pair.values()) <= 0 or hand_possible(pair["we"], pair["they"]):
        return None
    wrong = _numbers(pair, None, before[-1])
    cell = f"{side}_points" if f"{side}_points" in keys else f"{side}_total"
    shown, right = (wrong.points, numbers.points) if cell.endswith("points") else (wrong.totals, numbers.totals)
    return wrong, Slip(row, "hand-total", cell, str(shown[side]), str(right[side]))


def _tied(kind, row, numbers, before, keys, rng):
    half = int(rng.choice([81, 91, 101]))
    wrong = _numbers({"we": half, "they": half}, None, before[-1])
    return wrong, _nobody_knows(row, "tied-hand", "they", wrong, keys)


def _too_low(kind, row, numbers, before, keys, rng):
    loser = SIDES[int(rng.integers(2))]
    wrong = _numbers({loser: 0, other(loser): int(rng.integers(30, 81))}, loser, before[-1])
    return wrong, _nobody_knows(row, "set-too-low", other(loser), wrong, keys)


def _nobody_knows(row: int, code: str, side: str, numbers: Numbers, keys: Sequence[str]) -> Slip:
    """A slip whose right text cannot be known from the paper."""
    cell = f"{side}_points" if f"{side}_points" in keys else f"{side}_total"
    shown = numbers.points if cell.endswith("points") else numbers.totals
    return Slip(row, code, cell, str(shown[side]), None)


def _check(kind, row, numbers, before, keys, rng):
    cell = kind.replace("-", "_")
    if cell not in keys:
        return None
    right = getattr(numbers, cell)
    wrong = right + int(rng.choice([10, -10, 1, -1, 100, -2]))
    if not 0 < wrong < 2000:
        return None
    return replace(numbers, **{cell: wrong}), Slip(row, kind, cell, str(wrong), str(right))


def _turned(value: int, rng: Rng) -> int:
    """The number with two neighbouring digits changed about; itself if there is only one."""
    digits = list(str(value))
    if len(digits) < 2:
        return value
    i = int(rng.integers(len(digits) - 1))
    digits[i], digits[i + 1] = digits[i + 1], digits[i]
    return int("".join(digits))
