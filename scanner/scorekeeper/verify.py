"""The rules of the sheet, row by row: every rule the ink breaks, without yet saying whose fault it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scanner.rules.arithmetic import hand_possible, set_scores
from scanner.scorekeeper.meaning import RowInk, SideInk, Totals
from scanner.sheet.results import SIDES
from scanner.sheet.texts import EMPTY, SET, WON, ZERO


@dataclass(frozen=True)
class Violation:
    """A broken rule: its code, the cell the rule is about (None: either side's) and what the rule wants there."""

    code: str
    cell: str | None = None
    expected: str | None = None


def violations(ink: RowInk, texts: Mapping[str, str], before: Totals, keys: Collection[str]) -> tuple[Violation, ...]:
    """All rules one row breaks, judged from the written totals before it; empty if the row is in order.

    A rule that needs a number nobody wrote, or that could not be read, is not judged.
    """
    found = [_hand(ink)]
    found += [_left_out(s, texts, keys) for s in SIDES]
    found += [_running(s, i, texts, b, keys) for s, i, b in zip(SIDES, ink.sides, before, strict=True)]
    found.append(_check("hand_check", ink.hand_check, [s.points for s in ink.sides]))
    found.append(_check("total_check", ink.total_check, [s.total for s in ink.sides]))
    return tuple(v for v in found if v is not None)


def _hand(ink: RowInk) -> Violation | None:
    we, they = (side.points for side in ink.sides)
    if we is None or they is None:
        return None
    marked = ink.set_sides
    if len(marked) == 2:
        return Violation("hand-total")
    if marked:
        if hand_possible(we, they, marked[0]):
            return None
        scored = they if marked[0] == "we" else we
        return Violation("set-too-low" if scored < min(set_scores()) else "hand-total")
    if we == they and we > 0:
        return Violation("tied-hand")
    return None if hand_possible(we, they) else Violation("hand-total")


def _left_out(side: str, texts: Mapping[str, str], keys: Collection[str]) -> Violation | None:
    """An empty points cell where no total says what was made: somebody forgot to write, points or a mark."""
    key = f"{side}_points"
    if key not in keys or f"{side}_total" in keys or texts.get(key) != EMPTY:
        return None
    return Violation("hand-total", key)


def _running(
    side: str, ink: SideInk, texts: Mapping[str, str], before: int | None, keys: Collection[str]
) -> Violation | None:
    key = f"{side}_total"
    if key not in keys or before is None or key not in texts:
        return None
    text = texts[key]
    if f"{side}_points" not in keys:
        if text in (EMPTY, WON):
            return Violation("running-total", key)
        return Violation("running-total", key) if ink.total is not None and ink.total < before else None
    if ink.stated is None:
        if ink.total is None:
            return Violation("running-total", key) if text in (EMPTY, WON) else None
        return Violation("running-total", key) if ink.total < before else None
    right = before + ink.stated
    wrong = ink.total != right or (text in (SET, ZERO) and ink.stated > 0)
    return Violation("running-total", key, str(right)) if wrong else None


def _check(key: str, figure: int | None, parts: list[int | None]) -> Violation | None:
    if figure is None or None in parts or figure == sum(parts):
        return None
    return Violation(key.replace("_", "-"), key, str(sum(parts)))


def mark_cell(side: str, keys: Collection[str]) -> str | None:
    """The cell a side's set mark belongs in: its points column if there is one, else its total column."""
    for key in (f"{side}_points", f"{side}_total"):
        if key in keys:
            return key
    return None
