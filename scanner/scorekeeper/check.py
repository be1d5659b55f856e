"""The verification of a whole game of typed texts: what is written, what was meant, every problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scanner.scorekeeper import sentences
from scanner.scorekeeper.causes import Cause, find_cause, maker, may_be_in_order
from scanner.scorekeeper.hands import hand_table
from scanner.scorekeeper.meaning import RowInk, Totals, readable, row_ink, winner_of
from scanner.scorekeeper.slips import Slip
from scanner.scorekeeper.verify import Violation, violations
from scanner.sheet.layout import Layout
from scanner.sheet.results import CellResult, Consequence, GameResult, HandScore, Pair, Problem, RowResult
from scanner.sheet.texts import EMPTY, WON

#: Which rule a kind of slip is reported under, the first of these that is broken.
_CODES: dict[Slip, tuple[str, ...]] = {
    Slip.POINTS_WE: ("hand-total", "set-too-low", "tied-hand", "running-total", "hand-check"),
    Slip.TOTAL_WE: ("running-total", "hand-check", "hand-total"),
    Slip.COUNT_WE: ("hand-total", "set-too-low", "tied-hand", "hand-check"),
    Slip.NO_MARK_WE: ("hand-total", "running-total"),
    Slip.TIED_WE: ("tied-hand",),
    Slip.MARKED_WE: ("set-too-low", "hand-total", "running-total", "hand-check"),
    Slip.BLANK_WE: ("running-total",),
    Slip.SWAPPED: ("running-total",),
    Slip.HAND_CHECK: ("hand-check",),
    Slip.TOTAL_CHECK: ("total-check",),
}


@dataclass(frozen=True)
class JudgedRow:
    """One row between texts and result: meaning, broken rules, best explanation (None: in order, or there is none).

    ``unread``: some cell of points or totals holds no text with a meaning, so a person is asked for it.
    """

    row: int
    texts: dict[str, str]
    before: Totals
    ink: RowInk
    broken: tuple[Violation, ...]
    cause: Cause | None
    unread: bool = False

    @property
    def carried(self) -> Totals:
        """Written totals the next hand starts from."""
        return tuple(side.carried for side in self.ink.sides)

    @property
    def points(self) -> tuple[int | None, int | None]:
        """Points of the most probable true hand."""
        return self.cause.points if self.cause else tuple(side.points for side in self.ink.sides)

    @property
    def set_side(self) -> str | None:
        """The side that was set in the most probable true hand."""
        if self.cause:
            return self.cause.set_side
        return self.ink.set_sides[0] if len(self.ink.set_sides) == 1 else None

    @property
    def moved(self) -> tuple[int, int]:
        """By how much the row's slip changed the running totals of (we, they), signed."""
        known = [(b, c, p) for b, c, p in zip(self.before, self.carried, self.points, strict=True)]
        return tuple(0 if None in three else three[1] - three[0] - three[2] for three in known)


def check_game(rows: Sequence[Mapping[str, str]], winner_mark: str | None, layout: Layout) -> GameResult:
    """Verifies a game of typed cells.

    Args:
        rows: one mapping of cell key to text for each ruled row from the top; a missing key is an empty cell; rows that
            hold nothing, or only a W, are no hands and are left out.
        winner_mark: the column the W stands in, or None.
        layout: what the columns mean.

    Returns:
        The game as written and as meant, with every problem. A text that no cell can hold is an ``unreadable`` problem.
    """
    hands = {number: dict(row) for number, row in enumerate(rows, 1) if holds_hand(row, layout)}
    judged = judge({n: readable(row, layout.arithmetic_keys) for n, row in hands.items()}, layout)
    results, asked = [], []
    for row in judged:
        texts = {key: hands[row.row].get(key, EMPTY) for key in layout.keys}
        unread = [key for key in layout.arithmetic_keys if key not in row.texts]
        cells = {k: CellResult(row.texts.get(k, t.strip()), 1.0, review=k in unread) for k, t in texts.items()}
        results.append(row_result(row, cells, corrected_totals(judged)[row.row]))
        asked += [ask(row.row, key, texts[key]) for key in unread]
    return game_result(judged, tuple(results), winner_mark, tuple(asked))


def ask(row: int, cell: str, text: str | None = None) -> Problem:
    """The question that goes with a cell marked for review; ``text`` is what was typed, if anything."""
    return Problem("unreadable", row, cell, text, None, sentences.unreadable(row, cell, text))


def holds_hand(texts: Mapping[str, str], layout: Layout) -> bool:
    """Whether a row holds more than nothing and a W."""
    return any(texts.get(key, EMPTY).strip().upper() not in (EMPTY, WON) for key in layout.arithmetic_keys)


def judge(hands: Mapping[int, Mapping[str, str]], layout: Layout) -> list[JudgedRow]:
    """Each row of canonical texts (by row number, in order) judged from the written totals before it."""
    keys, before, judged = layout.arithmetic_keys, (0, 0), []
    for number, texts in hands.items():
        texts = dict(texts)
        ink = row_ink(texts, before, keys)
        broken = violations(ink, texts, before, keys)
        if broken and len(texts) < len(keys) and may_be_in_order(texts, before, keys, hand_table()):
            broken = ()  # the cell that could not be read may hold just what the rules want
        cause = find_cause(texts, before, keys, hand_table()) if broken else None
        unread = any(key not in texts for key in keys if not key.endswith("check"))
        judged.append(JudgedRow(number, texts, before, ink, broken, cause, unread))
        before = judged[-1].carried
    return judged


def corrected_totals(judged: Sequence[JudgedRow]) -> dict[int, Totals]:
    """Totals of the true game after each row, added up from 0; None from where a hand is not known.

    The true game ends with the hand that wins it by these totals: hands written after that one do not count.
    """
    totals, found = (0, 0), {}
    for row in judged:
        if winner_of(totals) is None:
            totals = tuple(None if None in (t, p) else t + p for t, p in zip(totals, row.points, strict=True))
        found[row.row] = totals
    return found


def row_result(row: JudgedRow, cells: dict[str, CellResult], corrected: Totals) -> RowResult:
    """One row as the contract wants it."""
    written = HandScore(Pair(*(s.points for s in row.ink.sides)), Pair(*(s.total for s in row.ink.sides)))
    points = row.points
    set_side, made_by, meld = _hand_facts(row)
    return RowResult(row.row, cells, written, HandScore(Pair(*points), Pair(*corrected)), set_side, made_by, meld)


def _hand_facts(row: JudgedRow) -> tuple[str | None, str | None, int | None]:
    """(set side, makers, meld) as far as they are beyond doubt."""
    if row.unread and (row.cause or None in row.points):  # only a mark that can be read says who was set
        marked = row.ink.set_sides[0] if len(row.ink.set_sides) == 1 else None
        return marked, marked, None
    if row.cause and not row.cause.maker_known:
        return None, None, None
    if row.broken and not row.cause:
        return row.set_side, None, None
    if row.set_side or None in row.points:
        return row.set_side, row.set_side, None
    return None, maker(*row.points, None), sum(row.points) - 162


def game_result(judged: Sequence[JudgedRow], results: tuple[RowResult, ...], winner_mark: str | None,
                asked: tuple[Problem, ...]) -> GameResult:  # fmt: skip
    """The game put together: winners, and all problems in the order of the rows."""
    final: Totals = judged[-1].carried if judged else (0, 0)
    meant: Totals = corrected_totals(judged)[judged[-1].row] if judged else (0, 0)
    problems = [p for row in judged for p in _row_problems(row, judged)]
    problems += [*_past_the_end(judged), *asked]
    problems.sort(key=lambda p: p.row)
    winner = winner_of(final)
    problems += _winner_mark(winner, winner_mark, final)
    return GameResult(results, winner_mark, winner, winner_of(meant), tuple(problems))


def _row_problems(row: JudgedRow, judged: Sequence[JudgedRow]) -> list[Problem]:
    """The slips of one row: one problem if one slip explains it, else one for each rule that is broken."""
    if not row.broken:
        return []
    effect = _consequence(row, judged)
    if row.cause is None:
        return [_unexplained(row, violation, effect) for violation in row.broken]
    code, candidates = _code(row), row.cause.candidates
    message = sentences.row_sentence(code, row.row, row.ink, row.before, row.texts, candidates)
    one_cell = len({c.cell for c in candidates}) == 1
    cell = candidates[0].cell if one_cell else None
    expected = candidates[0].expected if len(candidates) == 1 else None
    written = row.texts.get(cell) if cell else None
    also = row.cause.also
    named = (*candidates, *also) if len(candidates) > 1 or also else ()
    return [Problem(code, row.row, cell, written, expected, message, named, 1.0, effect)]


def _unexplained(row: JudgedRow, violation: Violation, effect: Consequence) -> Problem:
    message = sentences.row_sentence(violation.code, row.row, row.ink, row.before, row.texts, (), violation.cell)
    written = row.texts.get(violation.cell) if violation.cell else None
    return Problem(violation.code, row.row, violation.cell, written, violation.expected, message, (), 1.0, effect)


def _code(row: JudgedRow) -> str:
    slip = row.cause.slip
    if slip < Slip.SWAPPED:
        slip = Slip(slip - (slip - 1) % 2)
    broken = [violation.code for violation in row.broken]
    if slip == Slip.TOTAL_WE and "hand-check" in broken:
        return "running-total"
    return next((code for code in _CODES[slip] if code in broken), broken[0])


def _consequence(row: JudgedRow, judged: Sequence[JudgedRow]) -> Consequence:
    """What the slip of one row changed, all other rows as written."""
    moved, final = row.moved, judged[-1].carried
    if None in final:
        return Consequence(False, sum(map(abs, moved)), moved)
    without = winner_of(_shifted(final, moved))
    if not _past_the_end(judged):  # without the slip the game may have been over sooner than its last hand
        ends = (winner_of(_shifted(other.carried, moved)) for other in judged if other.row >= row.row)
        without = next((winner for winner in ends if winner), None)
    return Consequence(without != winner_of(final), sum(map(abs, moved)), moved)


def _shifted(totals: Totals, moved: tuple[int, int]) -> Totals:
    return tuple(None if total is None else total - shift for total, shift in zip(totals, moved, strict=True))


def _past_the_end(judged: Sequence[JudgedRow]) -> list[Problem]:
    for row, after in zip(judged, judged[1:], strict=False):
        winner = winner_of(row.carried)
        if winner:
            message = sentences.past_the_end(after.row, row.row, winner, row.carried)
            final = judged[-1].carried
            moved = tuple(0 if None in pair else pair[1] - pair[0] for pair in zip(row.carried, final, strict=True))
            effect = Consequence(None not in final and winner_of(final) != winner, sum(map(abs, moved)), moved)
            return [Problem("past-the-end", after.row, None, None, None, message, (), 1.0, effect)]
    return []


def _winner_mark(winner: str | None, mark: str | None, final: Totals) -> list[Problem]:
    if winner == mark or None in final:
        return []
    message = sentences.winner_mark(winner, mark, final)
    written = WON if mark else EMPTY
    return [Problem("winner-mark", None, None, written, WON if winner else EMPTY, message)]
