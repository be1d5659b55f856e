"""Games on paper for the tests: hands drawn from the rules, a scorekeeper who errs, a reader who misreads.

None of this shares code or figures with ``scanner.scorekeeper``: what a slip looks like and how a reader fails is
written down here a second time and otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scanner.rules.arithmetic import made_hands, set_scores
from scanner.sheet.layout import Layout
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import INDEX, VOCABULARY

SIDES = ("we", "they")
MELDS, MELD_WEIGHTS = (0, 20, 40, 50, 70, 100, 120, 200), (0.5, 0.22, 0.08, 0.1, 0.05, 0.03, 0.01, 0.01)
UNLIKE = dict(zip("1749385602", ("74", "192", "91", "470", "852", "3609", "368", "508", "689", "731"), strict=True))


@dataclass
class Paper:
    """A written game: rows of texts, the W, and the slips in it as (row, code, cells that may be named)."""

    rows: list[dict[str, str]]
    winner_mark: str | None
    slips: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)


def draw_hand(rng: np.random.Generator) -> tuple[int, int, str | None]:
    """(we, they, set side) of a hand that the rules allow."""
    while True:
        meld = int(rng.choice(MELDS, p=MELD_WEIGHTS))
        tricks = int(np.clip(rng.normal(108, 30), 0, 162))
        points = (tricks + meld, 162 - tricks) if rng.random() < 0.9 else (tricks, 162 - tricks + meld)
        if rng.random() < 0.1:
            score = max(points)
            if score in set_scores():
                return (0, score, "we") if rng.random() < 0.5 else (score, 0, "they")
            continue
        if points in made_hands():
            return (*points, None) if rng.random() < 0.5 else (points[1], points[0], None)


def draw_hands(rng: np.random.Generator, most: int) -> list[tuple[int, int, str | None]]:
    """The hands of a game that ends within ``most`` of them."""
    while True:
        hands, totals = [], [0, 0]
        while len(hands) < most:
            hands.append(draw_hand(rng))
            totals = [t + p for t, p in zip(totals, hands[-1][:2], strict=True)]
            if max(totals) >= 500 and totals[0] != totals[1]:
                return hands


def write_game(rng: np.random.Generator, layout: Layout, slip_rate: float = 0.0) -> Paper:
    """A game by a keeper who carries on from what is written and now and then goes wrong."""
    paper, totals = Paper([], None), [0, 0]
    for hand in draw_hands(rng, layout.rows):
        row, after = write_row(rng, layout, hand, totals)
        if rng.random() < slip_rate:
            slipped = spoil(rng, layout, row, hand, totals, after, len(paper.rows) + 1)
            if slipped:
                row, after, slip = slipped
                paper.slips.append(slip)
        paper.rows.append(row)
        totals = after
        if max(totals) >= 500 and totals[0] != totals[1]:
            break
    if max(totals) >= 500 and totals[0] != totals[1]:
        paper.winner_mark = SIDES[0] if totals[0] > totals[1] else SIDES[1]
    return paper


def write_row(rng: np.random.Generator, layout: Layout, hand, totals) -> tuple[dict[str, str], list[int]]:
    """One row without a slip, and the totals after it."""
    after = [t + p for t, p in zip(totals, hand[:2], strict=True)]
    row = {}
    for i, side in enumerate(SIDES):
        mark = "XX" if hand[2] == side else "-" if hand[i] == 0 else None
        if f"{side}_points" in layout.keys:
            row[f"{side}_points"] = mark or str(hand[i])
            row[f"{side}_total"] = "" if mark and rng.random() < 0.4 else str(after[i])
        else:
            row[f"{side}_total"] = mark or str(after[i])
    row["hand_check"], row["total_check"] = str(sum(hand[:2])), str(sum(after))
    return {key: row.get(key, "") for key in layout.arithmetic_keys}, after


def spoil(rng, layout, row, hand, totals, after, number):
    """The row with one slip in it, the totals it leads to, and the slip; None if the kind drawn does not fit."""
    row, after = dict(row), list(after)
    i = int(rng.integers(2))
    side = SIDES[i]
    kind = rng.choice(["total", "total", "count", "points", "hand_check", "total_check", "mark"])
    key = {"total": f"{side}_total", "count": f"{side}_points", "points": f"{side}_points"}.get(kind, kind)
    if kind == "mark":
        key = f"{side}_points" if f"{side}_points" in row else f"{side}_total"
        if row[key] != "XX" or hand[1 - i] - 162 in MELDS:
            return None
        row[key] = str(totals[i]) if key.endswith("total") else ""
        return row, after, (number, "hand-total", (key,))
    if key not in row or not row[key].isdigit():
        return None
    right = int(row[key])
    wrong = wrong_figure(rng, right)
    if kind in ("count", "total") and wrong - right == 0:
        return None
    row[key] = str(wrong)
    if kind == "count":
        after[i] = totals[i] + wrong
        row[f"{side}_total"] = str(after[i])
        return row, after, (number, "hand-total", ("we_points", "they_points"))
    if kind == "total":
        after[i] = wrong
        if "total_check" in row:
            row["total_check"] = str(sum(after))
        return row, after, (number, "running-total", (key, f"{SIDES[1 - i]}_total"))
    return row, after, (number, kind.replace("_", "-"), (key,))


def wrong_figure(rng: np.random.Generator, right: int) -> int:
    """What a keeper writes instead: a carry, a unit, a digit, two digits turned round."""
    while True:
        how = rng.random()
        digits = list(str(right))
        if how < 0.4:
            wrong = right + int(rng.choice([-10, 10, -100, 100, -20, 20], p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1]))
        elif how < 0.7:
            wrong = right + int(rng.choice([-1, 1, -2, 2, -3, 3]))
        elif how < 0.9:
            digits[int(rng.integers(len(digits)))] = str(rng.integers(10))
            wrong = int("".join(digits))
        else:
            place = int(rng.integers(max(1, len(digits) - 1)))
            digits[place : place + 2] = digits[place : place + 2][::-1]
            wrong = int("".join(digits))
        if 0 < wrong < 1200 and wrong != right:
            return wrong


def read_game(rng: np.random.Generator, paper: Paper, layout: Layout, misread: float = 0.02, doubt: float = 0.05):
    """Posteriors for every cell of the grid: most sure and right, some doubtful, ``misread`` of them wrong."""
    readings = {}
    for number in range(1, layout.rows + 1):
        row = paper.rows[number - 1] if number <= len(paper.rows) else {}
        for key in layout.keys:
            readings[number, key] = read_cell(rng, row.get(key, ""), misread if row else 0.0, doubt)
    if paper.winner_mark and len(paper.rows) < layout.rows:
        readings[len(paper.rows) + 1, f"{paper.winner_mark}_total"] = spread(rng, "W", 0.97)
    return readings


def read_cell(rng: np.random.Generator, text: str, misread: float, doubt: float) -> CellReading:
    """One cell: ``misread`` of the cells show another text with some overconfidence, ``doubt`` of them waver."""
    if text and rng.random() < misread:
        wrong = misreading(rng, text)
        sure = float(rng.choice([0.6, 0.9, 0.98, 0.998], p=[0.4, 0.3, 0.2, 0.1]))
        return spread(rng, wrong, sure, {text: (1 - sure) * float(10 ** -rng.uniform(0.1, 2.5))})
    if text and rng.random() < doubt:
        sure = rng.uniform(0.5, 0.98)
        return spread(rng, text, sure, {misreading(rng, text): (1 - sure) * 0.8})
    return spread(rng, text, 1 - float(10 ** -rng.uniform(2.5, 5)))


def misreading(rng: np.random.Generator, text: str) -> str:
    """Another text a reader may see: a like digit, no first digit, a struck-out number, another mark."""
    while True:
        how = rng.random()
        if text == "XX":
            return str(rng.choice(["44", "11", "-", "71"]))
        if text == "-":
            return str(rng.choice(["1", "", "XX", "7"]))
        digits = list(text)
        if how < 0.75:
            place = int(rng.integers(len(digits)))
            digits[place] = str(rng.choice(list(UNLIKE[digits[place]])))
        elif how < 0.88:
            digits = digits[1:]
        else:
            digits = list(str(rng.integers(1000)))
        wrong = "".join(digits)
        if wrong and str(int(wrong)) == wrong and wrong != text:
            return wrong


def spread(rng: np.random.Generator, text: str, sure: float, others: dict[str, float] | None = None) -> CellReading:
    """A posterior with ``sure`` on one text, given chances on some others and the rest over everything."""
    chances = rng.dirichlet(np.full(len(VOCABULARY), 0.05)) + 1e-12
    others = {t: p for t, p in (others or {}).items() if t != text}
    chances *= max(1e-9, 1 - sure - sum(others.values())) / chances.sum()
    for other, chance in others.items():
        chances[INDEX[other]] += chance
    chances[INDEX[text]] += sure
    return CellReading(np.log(chances / chances.sum()))
