"""A scorekeeper: hands as the cards allow them, written down row by row, now and then with a slip."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from scanner.rules.priors import hand_prior
from scanner.sheet.layout import Layout

#: A side with this many points or more after a hand, and ahead, has won.
TARGET = 500
SIDES = ("we", "they")


@dataclass(frozen=True)
class Slip:
    """A human error: row from 1, the problem code it calls for, the guilty cell, what stands there and what should."""

    row: int
    code: str
    cell: str | None
    written: str | None
    expected: str | None


@dataclass(frozen=True)
class Struck:
    """A number crossed out: row from 1, cell, the text under the stroke; ``beside`` False: overwritten in place."""

    row: int
    cell: str
    text: str
    beside: bool = True


@dataclass(frozen=True)
class Game:
    """What one grid holds: texts by row and cell key, the slips among them, the W."""

    rows: tuple[dict[str, str], ...]
    slips: tuple[Slip, ...] = ()
    struck: tuple[Struck, ...] = ()
    winner_mark: str | None = None
    winner: str | None = None


@dataclass(frozen=True)
class Habits:
    """How a scorekeeper writes: mistakes a row, corrections a cell, whether unchanged totals are left blank."""

    slips: float = 0.05
    corrections: float = 0.02
    overwrites: float = 0.01
    blank_totals: bool = True


@dataclass
class _Book:
    """The state of a game while it is written."""

    totals: dict[str, int] = field(default_factory=lambda: {"we": 0, "they": 0})
    slips: list[Slip] = field(default_factory=list)


def keep(rng: np.random.Generator, layout: Layout, habits: Habits, most: int | None = None) -> Game:
    """One game on a layout; it may stop before anybody has won, and ``most`` bounds its rows."""
    outcomes = hand_prior().outcomes
    chances = np.fromiter(outcomes.values(), float)
    deals = list(outcomes)
    last = min(most or layout.rows, layout.rows)
    stop = int(rng.integers(3, 7)) if rng.random() < 0.15 else last
    book, rows = _Book(), []
    while len(rows) < min(stop, last) and _winner(book.totals) is None:
        we, they, set_side = deals[rng.choice(len(deals), p=chances / chances.sum())]
        made = {"we": we, "they": they}
        rows.append(_row(rng, layout, habits, book, made, set_side, len(rows) + 1))
    winner = _winner(book.totals)
    mark = winner
    if winner and rng.random() < habits.slips:
        mark = None if rng.random() < 0.7 else _other(winner)
        book.slips.append(Slip(0, "winner-mark", None, mark, winner))
    return Game(tuple(rows), tuple(book.slips), _corrections(rng, rows, habits), mark, winner)


def _winner(totals: dict[str, int]) -> str | None:
    if max(totals.values()) < TARGET or totals["we"] == totals["they"]:
        return None
    return max(SIDES, key=totals.__getitem__)


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def _row(rng: np.random.Generator, layout: Layout, habits: Habits, book: _Book, made: dict[str, int],
         set_side: str | None, number: int) -> dict[str, str]:
    """One written row; the book's totals become the written ones, and at most one slip is made."""
    slip = rng.random() < habits.slips
    keys = [k for k in layout.keys if k.endswith("_total") and k[:-6] in SIDES and made[k[:-6]] > 0]
    guilty = rng.choice([*keys, *(k for k in layout.keys if k in ("hand_check", "total_check"))]) if slip else None
    texts = {}
    for side in SIDES:
        right = book.totals[side] + made[side]
        written = _mistaken(rng, right, book.totals[side]) if guilty == f"{side}_total" else right
        book.totals[side] = written
        sign = "XX" if set_side == side else "-" if made[side] == 0 else None
        in_points = f"{side}_points" in layout.keys
        texts[f"{side}_points"] = sign or str(made[side])
        unchanged = "" if habits.blank_totals else str(written)
        texts[f"{side}_total"] = str(written) if sign is None else unchanged if in_points else sign
        if guilty == f"{side}_total":
            book.slips.append(Slip(number, "running-total", guilty, str(written), str(right)))
    for key, right in (("hand_check", sum(made.values())), ("total_check", sum(book.totals.values()))):
        texts[key] = str(_mistaken(rng, right, 0) if guilty == key else right)
        if guilty == key:
            book.slips.append(Slip(number, key.replace("_", "-"), key, texts[key], str(right)))
    return {key: texts[key] for key in layout.keys}


def _mistaken(rng: np.random.Generator, right: int, least: int) -> int:
    """A wrong sum as people make them: a carry forgotten, a unit miscounted, two digits swapped, twenty forgotten."""
    wrong = [right + d for d in (-10, 10, -100, 100, -1, 1, -2, 2, -20, 20)]
    text = str(right)
    wrong += [int(text[:i] + text[i + 1] + text[i] + text[i + 2:]) for i in range(len(text) - 1)]
    good = [w for w in wrong if w != right and w >= least and 0 < w < 2000]
    return int(rng.choice(good))


def _corrections(rng: np.random.Generator, rows: list[dict[str, str]], habits: Habits) -> tuple[Struck, ...]:
    """Numbers first written wrong and put right on the paper: struck out, or written over."""
    out = []
    for number, row in enumerate(rows, 1):
        for key, text in row.items():
            chance = rng.random()
            if not text.isdigit() or chance >= habits.corrections + habits.overwrites:
                continue
            beside = chance < habits.corrections
            old = str(_mistaken(rng, int(text), 0)) if beside else _one_digit_off(rng, text)
            out.append(Struck(number, key, old, beside))
    return tuple(out)


def _one_digit_off(rng: np.random.Generator, text: str) -> str:
    at = int(rng.integers(len(text)))
    others = [d for d in "0123456789" if d != text[at] and (d != "0" or at)]
    return text[:at] + str(rng.choice(others)) + text[at + 1:]


def without_last_rows(game: Game, rows: int) -> Game:
    """The game as far as its first ``rows`` rows, as if it had been broken off there."""
    kept = replace(game, rows=game.rows[:rows], slips=tuple(s for s in game.slips if 0 < s.row <= rows),
                   struck=tuple(s for s in game.struck if s.row <= rows))
    return replace(kept, winner_mark=None, winner=None) if rows < len(game.rows) else game
