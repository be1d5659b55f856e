"""Believable games as a scorekeeper writes them: every cell, what was struck out, and the slips with their truth.

The hands come as often as in simulated play (:mod:`scanner.rules.priors`); the keeper's habits decide how they look on
the paper, and a game ends when the *written* totals say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from scanner.rules.priors import Outcome, hand_prior
from scanner.sheet.layout import Layout
from scanner.sheet.results import SIDES, other
from scanner.sheet.texts import EMPTY, SET, ZERO
from scanner.workshop.slips import KINDS, Slip, corrected, slip_on

Rng = np.random.Generator
TARGET = 500


@dataclass(frozen=True)
class Hand:
    """Points of one hand by side; ``set`` names the side that was set, if one was."""

    points: dict[str, int]
    set: str | None = None


@dataclass(frozen=True)
class Entry:
    """What stands in one cell.

    Attributes:
        text: the canonical text that counts.
        ink: the spelling drawn (``XXX``, ``~``).
        struck: a number crossed out beside it.
        over: a number that ``text`` was written over, digit on digit.
        placed: where ``text`` stands to the number struck out (beside, before, above, over); None leaves it to chance.
    """

    text: str
    ink: str
    struck: str | None = None
    over: str | None = None
    placed: str | None = None


@dataclass(frozen=True)
class WrittenGame:
    """One grid of a sheet: rows of entries by cell key, slips, and who won (by the written totals, and by the W)."""

    rows: tuple[dict[str, Entry], ...]
    slips: tuple[Slip, ...]
    winner: str | None
    winner_mark: str | None


@dataclass(frozen=True)
class Keeper:
    """A scorekeeper's habits: spellings, whether a total is repeated beside a mark, and how often things go wrong.

    ``slip`` is the chance of a slip in a row; ``strike`` and ``rewrite`` the chances that a number is struck out or
    written over; ``forget`` the chance that the W is left out or put in the wrong column.  ``kinds`` are the kinds of
    slip, and ``weights`` how often each of them comes (alike when None).
    """

    mark: str = SET
    zero: str = ZERO
    repeat: bool = False
    slip: float = 0.05
    strike: float = 0.03
    rewrite: float = 0.015
    forget: float = 0.04
    kinds: tuple[str, ...] = KINDS
    weights: tuple[float, ...] | None = None


def random_keeper(rng: Rng, trouble: float = 0.5) -> Keeper:
    """Somebody who keeps score; ``trouble`` from 0 (careful) to 1."""
    return Keeper(mark=str(rng.choice(["XX", "XXX"], p=[0.7, 0.3])),
                  zero=str(rng.choice(["-", "--", "~"], p=[0.5, 0.25, 0.25])), repeat=bool(rng.random() < 0.3),
                  slip=0.08 * trouble, strike=0.06 * trouble, rewrite=0.03 * trouble, forget=0.08 * trouble)


def random_hand(rng: Rng) -> Hand:
    """One hand as often as it comes under sensible play: mostly made, some set, now and then a zero."""
    outcomes, shares = _outcomes()
    we, they, set_side = outcomes[int(np.searchsorted(shares, rng.random() * shares[-1], side="right"))]
    return Hand({"we": we, "they": they}, set_side)


def _random_hands(rng: Rng) -> Iterator[Hand]:
    while True:
        yield random_hand(rng)


@cache
def _outcomes() -> tuple[tuple[Outcome, ...], np.ndarray]:
    """Every score a hand can have, and the running sum of their probabilities."""
    shares = hand_prior().outcomes
    return tuple(shares), np.cumsum(list(shares.values()))


@dataclass
class _Book:
    """The page while it is being written: totals as written, after each row."""

    layout: Layout
    keeper: Keeper
    rng: Rng
    totals: list[dict[str, int]] = field(default_factory=lambda: [{"we": 0, "they": 0}])
    rows: list[dict[str, Entry]] = field(default_factory=list)
    slips: list[Slip] = field(default_factory=list)

    def winner(self) -> str | None:
        """Who has won by the written totals."""
        we, they = self.totals[-1]["we"], self.totals[-1]["they"]
        return None if max(we, they) < TARGET or we == they else "we" if we > they else "they"


def write_game(
    layout: Layout, keeper: Keeper, rng: Rng, *, planned: str | None = None, unfinished: bool = False,
    hands: Iterable[Hand] | None = None,
) -> WrittenGame:
    """A whole game on one grid.

    Args:
        planned: a kind of slip (one of ``slips.KINDS``) to make once, besides those that happen by the keeper's habit.
        unfinished: stop after a few hands.
        hands: the hands that are played, as many as are needed; random ones when left out.
    """
    book = _Book(layout, keeper, rng)
    played = iter(hands) if hands is not None else _random_hands(rng)
    due = int(rng.integers(1, 4)) if planned else 0
    last = int(rng.integers(2, 5)) if unfinished else layout.rows
    while book.winner() is None and len(book.rows) < last:
        kind = None
        if planned and planned != "past-the-end" and len(book.rows) >= due:
            kind = planned
        elif rng.random() < keeper.slip:
            kind = str(rng.choice(keeper.kinds, p=keeper.weights))
        hand = next(played, None)
        if hand is None:
            break
        if _write_hand(book, hand, kind) and kind == planned:
            planned = None
    if planned == "past-the-end" and book.winner() and len(book.rows) < layout.rows and (hand := next(played, None)):
        _write_hand(book, hand, None)
        book.slips.append(Slip(len(book.rows), "past-the-end", None, None, None))
    winner = book.winner()
    return WrittenGame(tuple(book.rows), tuple(book.slips), winner, _winner_mark(winner, keeper, rng))


def _write_hand(book: _Book, hand: Hand, kind: str | None) -> bool:
    """Writes one row, with a slip if ``kind`` names one that can happen here; says whether it did."""
    row, before = len(book.rows) + 1, book.totals
    numbers, slip = slip_on(kind, row, hand.points, hand.set, before, book.layout.keys, book.rng)
    marked = {s: numbers.set == s for s in SIDES}
    entries = {}
    for key in book.layout.keys:
        entries[key] = _dressed(_text(key, row, numbers, marked, book), key, book)
    book.rows.append(entries)
    book.totals.append(dict(numbers.totals))
    if slip is not None:
        book.slips.append(slip)
    return slip is not None


def _text(key: str, row: int, numbers, marked: dict[str, bool], book: _Book) -> str:
    """The canonical text of a cell."""
    if key == "number":
        return str(row)
    if key in ("hand_check", "total_check"):
        return str(numbers.hand_check if key == "hand_check" else numbers.total_check)
    side, _, what = key.partition("_")
    if side not in SIDES or what not in ("points", "total"):
        return EMPTY
    mark = SET if marked[side] else ZERO if numbers.points[side] == 0 else None
    if numbers.forgot == side:
        mark = EMPTY
    if what == "points":
        return str(numbers.points[side]) if mark is None else mark
    if mark is not None and f"{side}_points" in book.layout.keys:
        return str(numbers.totals[side]) if book.keeper.repeat else EMPTY
    return str(numbers.totals[side]) if mark is None else mark


def _dressed(text: str, key: str, book: _Book) -> Entry:
    """The entry for a text: spelled as the keeper does, sometimes after a first try that was struck or written over."""
    ink = {SET: book.keeper.mark, ZERO: book.keeper.zero}.get(text, text)
    if text in (EMPTY, ZERO) or key == "number":
        return Entry(text, ink)
    chance = book.rng.random()
    if chance < book.keeper.strike:
        old = corrected(text, book.rng) if text.isdigit() else str(book.rng.integers(20, 81))
        return Entry(text, ink, struck=old)
    if chance < book.keeper.strike + book.keeper.rewrite and text.isdigit():
        spot = int(book.rng.integers(len(text)))
        digit = str(int(book.rng.integers(1, 10)))
        old = text[:spot] + digit + text[spot + 1:]
        return Entry(text, ink, over=old if old != text else None)
    return Entry(text, ink)


def _winner_mark(winner: str | None, keeper: Keeper, rng: Rng) -> str | None:
    if winner is None or rng.random() >= keeper.forget:
        return winner
    return None if rng.random() < 0.7 else other(winner)
