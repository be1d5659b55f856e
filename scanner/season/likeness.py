"""Whether two photos show the same sheet of paper: what is written on both is compared, never their pixels.

The chance of one against the other (Good 1950, weight of evidence): a hand that two sheets share by accident is rare,
and how rare is known from the distribution of hands; a hand that differs on one sheet is rare too. What speaks against
the same sheet although much is equal is a start that was copied: then the first rows agree and the others do not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from scanner.rules.priors import hand_prior
from scanner.sheet.results import GameResult, Label, SheetResult

#: Columns compared. The checks say nothing that these do not.
KEYS = ("we_points", "they_points", "we_total", "they_total")
#: Photos of a season that show a sheet again. People take a second picture when the first looks poor, one in fifty.
AGAIN = 0.02
#: Sheets begun with the rows of another, as when a spoiled one is begun anew: one in a thousand is a guess on the high
#: side, so that such games are asked about rather than merged.
BEGUN_ALIKE = 0.001
#: Rows of one sheet that two photos show differently for another reason than doubt in reading: written in between,
#: or misread with confidence (none of 1,696 cells of the sheets this was measured on).
CHANGED = 0.01
#: A hand's probability is taken between these: rarer ones are mostly slips, and a slip is copied with its sheet.
_RAREST, _UNKNOWN = 1e-4, 1e-2
#: How much likelier two sheets' equal names and dates are when it is one sheet: a league has about 14 teams of which
#: two play, and about five sheets are written on one date. Unequal ones, both sure, speak against it as CHANGED does.
_NAME, _DATE = 14.0, 5.0
#: Names and dates that people typed, settled or had printed are this sure or more. Where such differ, equal hands alone
#: never make two sheets one: a person is asked, at most this sure of it.
KNOWN, ASKED = 0.98, 0.99


@dataclass(frozen=True)
class Row:
    """One written row: for each cell its texts with their probabilities, and the score (we, they, set) it means."""

    cells: Mapping[str, Mapping[str, float]]
    outcome: tuple[int | None, int | None, str | None]


@dataclass(frozen=True)
class Writing:
    """All that is written on one sheet: rows by (grid, row), names and date with their confidence."""

    rows: Mapping[tuple[int, int], Row]
    heads: Mapping[str, Label] = field(default_factory=dict)


def writing_of(sheet: SheetResult) -> Writing:
    """The writing on a sheet as a scan found it."""
    rows = {(game.grid, row.row): r for game in sheet.games for row, r in _rows(game)}
    heads = {side: label for side, label in sheet.teams.items() if label.text}
    if sheet.date.iso:
        heads["date"] = Label(sheet.date.iso, sheet.date.confidence)
    return Writing(rows, heads)


def _rows(game: GameResult):
    for row in game.rows:
        cells = {key: dict(cell.choices) or {cell.text: cell.confidence} for key, cell in row.cells.items()}
        yield row, Row(cells, (row.written.points.we, row.written.points.they, row.set))


def same_sheet(a: Writing, b: Writing, others: int) -> float:
    """Probability, 0 to 1, that both are photos of one sheet, if each might as well be one of ``others`` sheets.

    Rows that only one of them has do not count against it: a game goes on after a photo, and a thumb hides rows.
    """
    common = sorted(a.rows.keys() & b.rows.keys())
    one, equal, alike = 0.0, 0.0, 0.0
    for place in common:
        ratio = _row_ratio(a.rows[place], b.rows[place])
        one += math.log((1 - CHANGED) * ratio + CHANGED)
        equal += math.log(max(ratio, 1e-300))
        if place != common[-1]:
            alike = max(alike, equal)
    # A sheet begun with another's rows has its names and date too.
    heads = sum(math.log(_head_ratio(key, a.heads[key], b.heads[key])) for key in a.heads.keys() & b.heads.keys())
    copied = math.log(BEGUN_ALIKE / max(others, 1)) + alike + heads
    two = max(copied, 0.0) + math.log1p(math.exp(-abs(copied)))
    odds = math.log(AGAIN / max(others, 1)) + one + heads - two
    probability = 1 / (1 + math.exp(-max(min(odds, 700.0), -700.0)))
    return min(probability, ASKED) if _at_odds(a, b) else probability


def _at_odds(a: Writing, b: Writing) -> bool:
    """Whether names or dates differ that are known on both, not only read."""
    return any(a.heads[key].confidence * b.heads[key].confidence >= KNOWN and not _equal(a.heads[key], b.heads[key])
               for key in a.heads.keys() & b.heads.keys())


def _row_ratio(a: Row, b: Row) -> float:
    """How much likelier two rows' inks are when they are one row than when they are any two."""
    keys = [key for key in KEYS if key in a.cells and key in b.cells]
    if not keys:
        return 1.0
    agree = math.prod(sum(p * b.cells[key].get(text, 0.0) for text, p in a.cells[key].items()) for key in keys)
    outcomes = hand_prior().outcomes
    known = [outcomes.get(row.outcome, _RAREST) for row in (a, b) if None not in row.outcome[:2]]
    return agree / max([*known, _RAREST] if known else [_UNKNOWN])


def _head_ratio(key: str, a: Label, b: Label) -> float:
    sure = a.confidence * b.confidence
    return (1 - sure) + sure * ((_DATE if key == "date" else _NAME) if _equal(a, b) else CHANGED)


def _equal(a: Label, b: Label) -> bool:
    return a.text.casefold() == b.text.casefold()
