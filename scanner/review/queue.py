"""The queue: what a season still asks a person, sheet by sheet, the most valuable question of each first."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from scanner.season.questions import HeadQuestion
from scanner.season.store import Season

#: How much more a doubt weighs in a column the score is taken from than in one that only checks it.
_SCORE_WEIGHT = 3.0
_CHECKS = ("hand_check", "total_check")
#: Names and dates offered besides what was read. More would not fit on the number keys of one hand.
_OFFERED = 5
#: A known name at least this like what was read is offered before it (difflib's ratio: three letters of five agree).
_ALIKE = 0.6


@dataclass(frozen=True)
class Item:
    """One question.

    Attributes:
        place: id of what is settled: a cell, ``SHEET/we``, ``SHEET/they``, ``SHEET/date`` or ``GAME/official``.
        kind: ``"cell"``, ``"head"`` (a name or a date) or ``"ruling"`` (the paper is wrong: whose score counts).
        sheet: id of the sheet, ``game`` that of the game (None for a head).
        guess: the text Enter accepts, "" for nothing; ``choices`` the texts offered, with probabilities where known.
        worth: how much an answer is worth, larger first; comparable within one kind.
    """

    place: str
    kind: str
    sheet: str
    game: str | None
    row: int | None
    cell: str
    guess: str
    choices: tuple[tuple[str, float | None], ...]
    worth: float


def open_items(season: Season) -> list[Item]:
    """Everything still open, sheets with most at stake first; on a sheet cells, then rulings, then names and date."""
    by_sheet: dict[str, list[Item]] = defaultdict(list)
    cells = _cells(season)
    asked = {item.game for item in cells}
    aside = {row["sheet_id"] for row in season.select("SELECT sheet_id FROM sheets WHERE mark IS NOT NULL")}
    for item in (*cells, *_rulings(season, asked), *_heads(season)):
        if item.sheet not in aside:
            by_sheet[item.sheet].append(item)
    return [item for items in sorted(by_sheet.values(), key=_stake, reverse=True) for item in items]


def _stake(items: Sequence[Item]) -> float:
    return sum(item.worth for item in items if item.kind != "head")


def _cells(season: Season) -> list[Item]:
    found = []
    for q in season.questions():
        doubt = 1.0 - (q.choices[0][1] if q.choices else q.confidence)
        worth = doubt * (1.0 if q.cell in _CHECKS else _SCORE_WEIGHT)
        choices = q.choices or ((q.text, q.confidence),)
        found.append(Item(q.cell_id, "cell", q.game_id.rsplit("/", 1)[0], q.game_id, q.row, q.cell, choices[0][0],
                          choices, worth))
    return sorted(found, key=lambda item: -item.worth)


def _rulings(season: Season, asked: Iterable[str | None]) -> list[Item]:
    """Games whose true score is not the written one, once nothing in them is doubtful any more."""
    found = []
    for game in season.select(_WRONG_PAPERS):
        if game["game_id"] in asked:
            continue
        changed = game["winner"] != game["winner_corrected"]
        found.append(Item(f"{game['game_id']}/official", "ruling", game["sheet_id"], game["game_id"], None, "official",
                          "written", (("written", None), ("corrected", None), ("captains", None)),
                          2.0 if changed else 1.0))
    return found


def known_names(season: Season) -> list[str]:
    """Names of teams that were settled or read for certain, the most frequent first."""
    return [name for name, _ in Counter(row["name"] for row in season.select(_NAMES)).most_common()]


def _heads(season: Season) -> list[Item]:
    heads = season.head_questions()
    if not heads:
        return []
    names = Counter(row["name"] for row in season.select(_NAMES))
    dates = Counter(row["date"] for row in season.select(_DATES))
    found = []
    for head in heads:
        offered = _offered_dates(head, dates) if head.what == "date" else _offered_names(head, names)
        guess = offered[0][0] if offered and (head.text or head.what == "date") else ""
        found.append(Item(head.cell_id, "head", head.cell_id.rsplit("/", 1)[0], None, None, head.what, guess,
                          offered[:_OFFERED], 0.0))
    return found


def _offered_dates(head: HeadQuestion, known: Counter[str]) -> tuple[tuple[str, None], ...]:
    """A day written without its year, in the years of the other sheets; then the most frequent dates."""
    years = Counter(date[:4] for date in known.elements())
    own = [day for year, _ in years.most_common(2) if (day := dated((head.text or "")[:40], int(year)))]
    return tuple((day, None) for day in dict.fromkeys([*own, *(day for day, _ in known.most_common(_OFFERED))]))


def dated(text: str, year: int) -> str | None:
    """The ISO date of a month and a day written without a year ("Apr 3", "3 April", "4/3"); None if it is none.

    >>> dated("Sept. 3", 2026), dated("4-3", 2026), dated("31 June", 2026)
    ('2026-09-03', '2026-04-03', None)
    """
    word, figures = re.search(r"[A-Za-z]{3,}", text), re.findall(r"\d+", text)
    if word and len(figures) == 1:
        month, day = _MONTHS.get(word[0][:3].lower(), 0), int(figures[0])
    elif not word and len(figures) == 2:
        month, day = map(int, figures)
    else:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


_MONTHS = {name.lower(): number for number, name in enumerate(
    ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1)}


def _offered_names(head: HeadQuestion, known: Counter[str]) -> tuple[tuple[str, float | None], ...]:
    """Known names most like what was read, then what was read, then the most frequent names."""
    text = head.text or ""
    near = difflib.get_close_matches(text, list(known), n=2, cutoff=_ALIKE) if text else []
    rest = [name for name, _ in known.most_common(_OFFERED)]
    chances = {text: head.confidence}
    return tuple((name, chances.get(name)) for name in dict.fromkeys([*near, *([text] if text else []), *rest]))


_NAMES = """
SELECT name FROM (SELECT coalesce(we_settled, iif(we_confidence >= 0.5, we, NULL)) AS name FROM sheets UNION ALL
                  SELECT coalesce(they_settled, iif(they_confidence >= 0.5, they, NULL)) FROM sheets) WHERE name <> ''
"""

_DATES = """
SELECT coalesce(date_settled, date) AS date FROM sheets
 WHERE date_settled IS NOT NULL OR (date IS NOT NULL AND date_confidence >= 0.5)
"""

#: A ruling stands until a cell of its game is changed afterwards.
_WRONG_PAPERS = """
WITH last AS (SELECT game_id, max(row) AS row FROM hands GROUP BY game_id),
     said AS (SELECT cell_id, max(review_id) AS review_id FROM reviews WHERE cell_id LIKE '%/official' GROUP BY cell_id)
SELECT games.game_id, sheet_id, winner, winner_corrected
  FROM games JOIN last USING (game_id) JOIN hands USING (game_id, row)
  LEFT JOIN said ON said.cell_id = games.game_id || '/official' LEFT JOIN reviews USING (review_id)
 WHERE corrected_we_total IS NOT NULL AND corrected_they_total IS NOT NULL
   AND (written_we_total IS NOT corrected_we_total OR written_they_total IS NOT corrected_they_total
        OR winner IS NOT winner_corrected)
   AND (reviews.text IS NULL
        OR EXISTS (SELECT 1 FROM reviews AS later WHERE later.review_id > said.review_id
                      AND later.cell_id LIKE games.game_id || '/%/%' AND later.before IS NOT later.text))
 ORDER BY games.rowid
"""
