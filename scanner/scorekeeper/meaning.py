"""What the ink of one row means: points and totals of both sides, given the written totals before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scanner.sheet.results import SIDES
from scanner.sheet.texts import EMPTY, SET, WON, ZERO, canonical, number

#: Running totals of (we, they); None where not known.
Totals = tuple[int | None, int | None]


@dataclass(frozen=True)
class SideInk:
    """One side of one row.

    Attributes:
        mark: ``XX`` if a set mark stands in either column, ``-`` if a zero (line or figure), else None.
        points: what the side scored: its points column, a mark as 0, else the difference of its totals; None unknown.
        stated: points as the points column states them (a mark is 0), None without such a column or when it is blank.
        total: written running total; a mark, or a blank beside one, is the total before; None unknown.
        carried: the total before the next hand; as ``total``, but a total nobody wrote is worked out from the points.
    """

    mark: str | None
    points: int | None
    stated: int | None
    total: int | None
    carried: int | None


@dataclass(frozen=True)
class RowInk:
    """One row: both sides in the order we, they, and the figures in the check columns (None: none written)."""

    sides: tuple[SideInk, SideInk]
    hand_check: int | None
    total_check: int | None

    @property
    def set_sides(self) -> tuple[str, ...]:
        """The sides that carry a set mark; more than one is a slip."""
        return tuple(side for side, ink in zip(SIDES, self.sides, strict=True) if ink.mark == SET)


def readable(texts: Mapping[str, str], keys: Collection[str]) -> dict[str, str]:
    """The canonical texts of the cells in ``keys``; cells that hold no text of the vocabulary are left out."""
    found = {key: canonical(texts.get(key, EMPTY)) for key in keys}
    return {key: text for key, text in found.items() if text is not None}


def row_ink(texts: Mapping[str, str], before: Totals, keys: Collection[str]) -> RowInk:
    """The meaning of one row.

    Args:
        texts: canonical texts by cell key; a key of ``keys`` that is missing could not be read.
        before: written totals before this hand.
        keys: the arithmetic columns of the layout.
    """
    sides = tuple(_side(texts, side, total, keys) for side, total in zip(SIDES, before, strict=True))
    checks = [number(texts.get(key, EMPTY)) for key in ("hand_check", "total_check")]
    return RowInk(sides, *checks)


def _side(texts: Mapping[str, str], side: str, before: int | None, keys: Collection[str]) -> SideInk:
    has_points, has_total = f"{side}_points" in keys, f"{side}_total" in keys
    points_text = texts.get(f"{side}_points") if has_points else EMPTY
    total_text = texts.get(f"{side}_total") if has_total else EMPTY
    mark = _mark(points_text, total_text)
    stated = 0 if points_text in (SET, ZERO) else number(points_text or EMPTY)
    if points_text == EMPTY and total_text in (SET, ZERO):
        stated = 0
    total = _total(total_text, mark, before, has_total)
    if not has_total and before is not None and stated is not None:
        total = before + stated
    points = stated
    if stated is None and total is not None and before is not None:
        points = total - before
    carried = total if total is not None else (before + stated if None not in (before, stated) else None)
    return SideInk(mark, points, stated if has_points else None, total, carried)


def _mark(points_text: str | None, total_text: str | None) -> str | None:
    if SET in (points_text, total_text):
        return SET
    zero = points_text in (ZERO, "0") or (total_text == ZERO and points_text in (EMPTY, None))
    return ZERO if zero else None


def _total(text: str | None, mark: str | None, before: int | None, has_total: bool) -> int | None:
    if not has_total or text is None:
        return None
    if text in (SET, ZERO) or (text in (EMPTY, WON) and mark):
        return before
    return number(text)


def winner_of(totals: Totals, target: int = 500) -> str | None:
    """The side that has won: ``target`` or more, and ahead. The target is the game's 500 (spec of the rules)."""
    we, they = totals
    if we is None or they is None or max(we, they) < target or we == they:
        return None
    return SIDES[0] if we > they else SIDES[1]
