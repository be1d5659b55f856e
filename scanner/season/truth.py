"""What is known of a simulated season beside what its scorekeepers wrote: true hands, slips made, strengths of teams.

A real season has none of it: the tables ``true_hands``, ``true_slips`` and ``true_teams`` are then empty.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from scanner.rules.score import HandScore


@dataclass(frozen=True)
class TrueSlip:
    """A slip as it was made: the row from 1, the code of the finding it calls for, the guilty cell, both texts."""

    row: int
    code: str
    cell: str | None
    written: str | None
    right: str | None


@dataclass(frozen=True)
class Truth:
    """One game as it was played: a hand for each written row, in order, and the slips of whoever kept score."""

    hands: tuple[HandScore, ...]
    slips: tuple[TrueSlip, ...] = ()


def save_truth(db: sqlite3.Connection, game_id: str, truth: Truth) -> None:
    """Writes the truth of a game that is saved; no transaction here."""
    for number, hand in enumerate(truth.hands, 1):
        db.execute("INSERT INTO true_hands VALUES (?, ?, ?, ?, ?)", (game_id, number, hand.we, hand.they, hand.set))
    for number, slip in enumerate(truth.slips, 1):
        db.execute("INSERT INTO true_slips VALUES (?, ?, ?, ?, ?, ?, ?)",
                   (game_id, number, slip.row, slip.code, slip.cell, slip.written, slip.right))


def save_strengths(db: sqlite3.Connection, strengths: Mapping[str, float]) -> None:
    """Writes how strong each team plays, 0 to 1, in place of what was there of it."""
    db.executemany("INSERT OR REPLACE INTO true_teams VALUES (?, ?)", strengths.items())


def saved_truth(db: sqlite3.Connection, game_id: str) -> Truth | None:
    """The truth of a game, None where nobody knows it."""
    hands = db.execute("SELECT we_points, they_points, \"set\" FROM true_hands WHERE game_id = ? ORDER BY hand",
                       (game_id,)).fetchall()
    slips = db.execute("SELECT row, code, cell, written, \"right\" FROM true_slips WHERE game_id = ? ORDER BY number",
                       (game_id,)).fetchall()
    if not hands:
        return None
    return Truth(tuple(HandScore(*hand) for hand in hands), tuple(TrueSlip(*slip) for slip in slips))
