"""Findings in the words of a card player."""

from __future__ import annotations

from scanner.rules.arithmetic import set_scores
from scanner.scorekeeper.meaning import RowInk, Totals
from scanner.sheet.results import SIDES, Candidate, other
from scanner.sheet.texts import SET

_NAMES = {"we": "We", "they": "They"}
_CELLS = {
    "we_points": "the We points", "they_points": "the They points",
    "we_total": "the We total", "they_total": "the They total",
    "hand_check": "the hand's check figure", "total_check": "the totals' check figure",
}  # fmt: skip


def row_sentence(code: str, row: int, ink: RowInk, before: Totals, texts: dict[str, str],
                 candidates: tuple[Candidate, ...], cell: str | None = None) -> str:  # fmt: skip
    """What is wrong with one row and, as far as that is known, what should stand there.

    ``cell``: where the rule was broken, if no candidates are known.
    """
    alone = len({c.cell for c in candidates}) == 1
    lead = _lead(code, ink, before, texts, candidates[0].cell if alone else cell)
    said = code == "running-total" and (alone or cell) and "that is" in lead
    return f"Hand {row}: {lead}" if said else f"Hand {row}: {lead}{_tail(candidates, alone)}"


def _lead(code: str, ink: RowInk, before: Totals, texts: dict[str, str], cell: str | None) -> str:
    points, totals = [s.points for s in ink.sides], [s.total for s in ink.sides]
    if code == "running-total":
        return _running_lead(ink, before, texts, cell)
    if code == "tied-hand":
        return f"both sides have {points[0]} and nobody is marked set; on equal points the makers are set."
    if code == "set-too-low":
        side = ink.set_sides[0] if ink.set_sides else "we"
        scored = ink.sides[SIDES.index(other(side))].points
        return (f"{_NAMES[side]} are marked set, but {_NAMES[other(side)]} have only {scored}; "
                f"whoever sets the makers has at least {min(set_scores())}.")  # fmt: skip
    if code == "hand-check":
        return f"{points[0]} and {points[1]} make {sum(points)}; the check column says {ink.hand_check}."
    if code == "total-check":
        return f"the totals {totals[0]} and {totals[1]} add to {sum(totals)}; the check column says {ink.total_check}."
    return _hand_lead(ink)


def _hand_lead(ink: RowInk) -> str:
    we, they = (side.points for side in ink.sides)
    if len(ink.set_sides) == 2:
        return "both sides are marked set; only the makers can be."
    if ink.set_sides:
        side = other(ink.set_sides[0])
        scored = ink.sides[SIDES.index(side)].points
        return f"{_NAMES[side]} cannot score {scored} when {_NAMES[other(side)]} are set."
    if None in (we, they):
        return "the points do not fit the rest of the row."
    if min(we, they) < 0:
        return "a running total has fallen; totals never fall."
    return f"{we} and {they} make {we + they}, which is not 162 plus a possible meld."


def _running_lead(ink: RowInk, before: Totals, texts: dict[str, str], cell: str | None) -> str:
    side = cell.split("_")[0] if cell and not cell.endswith("check") else None
    if side:
        index = SIDES.index(side)
        stated, had, text = ink.sides[index].stated, before[index], texts.get(f"{side}_total", "")
        says = f"the sheet says {text}" if text else "the total is left blank"
        if stated is not None and had is not None:
            return f"{_NAMES[side]} had {had} and made {stated}, that is {had + stated}; {says}."
        return f"{_NAMES[side]} had {had}; {says}, which does not fit the rest of the row."
    gains = " and ".join("?" if i.total is None or b is None else str(i.total - b)
                         for i, b in zip(ink.sides, before, strict=True))  # fmt: skip
    check = "" if ink.hand_check is None else f", the check column says {ink.hand_check} for the hand"
    return f"the totals grew by {gains}{check}; that does not fit."


def _tail(candidates: tuple[Candidate, ...], alone: bool) -> str:
    """Which cell should hold what, unless the lead has said so."""
    if not candidates:
        return " More than one figure in this row is wrong."
    said = [f"{_CELLS[c.cell]} should be {_spoken(c.expected)}" for c in candidates]
    if len(said) == 1:
        return f" {said[0][0].upper()}{said[0][1:]}."
    if alone:
        figures = ", ".join(_spoken(c.expected) for c in candidates)
        cell = _CELLS[candidates[0].cell]
        return f" {cell[0].upper()}{cell[1:]} should be one of {figures}."
    return f" Either {', or '.join(said)}."


def _spoken(text: str) -> str:
    return "the set mark XX" if text == SET else "a zero line" if text == "-" else text


def past_the_end(row: int, last: int, winner: str, totals: tuple[int, int]) -> str:
    """A hand written after the game was over."""
    score = f"{_NAMES[winner]} had won {max(totals)} to {min(totals)}"
    return f"Hand {row}: the game was over after hand {last}, {score}; this hand does not count."


def winner_mark(winner: str | None, mark: str | None, totals: Totals) -> str:
    """A W that is missing, in the wrong column, or before its time."""
    if winner is None:
        return f"There is a W in the {_NAMES[mark]} column, but by the written totals nobody has won yet."
    score = f"{_NAMES[winner]} won {max(totals)} to {min(totals)}"
    if mark is None:
        return f"{score}, but there is no W in their column."
    return f"{score}, but the W stands in the {_NAMES[mark]} column."


def unreadable(row: int, cell: str, text: str | None = None) -> str:
    """A cell a person must look at."""
    name = _CELLS.get(cell, cell)
    if text is not None:
        holds = "hold" if name.endswith("points") else "holds"
        return f"Hand {row}: {name} {holds} {text!r}, which is no number and no mark; please look."
    return f"Hand {row}: {name} cannot be read for certain; please look."
