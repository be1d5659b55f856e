"""Sheets photographed more than once: found by what is written on them, set aside, and left to a person to decide.

A sheet set aside stays in the season with everything read and decided on it; it only is not counted. The decision is a
row of the reviews like any other, made by :data:`PROGRAM`, and a person's word about a sheet is never overruled.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from scanner.season.decisions import PROGRAM
from scanner.season.likeness import Row, Writing, same_sheet
from scanner.season.packing import choices_of
from scanner.season.store import Season
from scanner.sheet.errors import InputError
from scanner.sheet.results import Label

#: Set aside without asking. One in a thousand such is wrong, and it is said every time.
SURE = 0.999
#: Less sure than this is not worth a question.
WORTH_ASKING = 0.1


@dataclass(frozen=True)
class Twin:
    """Two sheets that are, or may be, one.

    Attributes:
        sheet, other: ids; the second is the one that counts or should.
        photo, other_photo: names of their photos.
        probability: that they are one sheet.
        aside: whether the first is set aside as a duplicate.
        decided: who set it aside, or said that it is none; None if nobody has.
    """

    sheet: str
    other: str
    photo: str
    other_photo: str
    probability: float
    aside: bool
    decided: str | None = None


def set_aside_duplicates(season: Season, sha256: str) -> list[Twin]:
    """Sets aside what a photo shows again, or what it shows more of, and says so; doubtful pairs are only named.

    Of two photos of one sheet the one with more hands counts, of equal ones the first.
    """
    twins = []
    for row in season.select("SELECT sheet_id FROM sheets WHERE sha256 = ? AND mark IS NULL", sha256):
        for twin in _twins(season, row["sheet_id"]):
            if twin.aside:
                continue
            if twin.probability >= SURE and twin.decided is None:
                note = f"the same sheet as {twin.other} ({twin.other_photo}), {twin.probability:.4f} sure"
                season.set_aside(twin.sheet, note[:500])
                twin = replace(twin, aside=True, decided=PROGRAM)
            twins.append(twin)
            if twin.aside and twin.sheet == row["sheet_id"]:
                break
    return twins


def all_twins(season: Season) -> list[Twin]:
    """Every pair of sheets of the season that is or may be one, the surest first."""
    found: dict[frozenset[str], Twin] = {}
    for row in season.select("SELECT sheet_id FROM sheets ORDER BY rowid"):
        for twin in _twins(season, row["sheet_id"]):
            found.setdefault(frozenset((twin.sheet, twin.other)), twin)
    return sorted(found.values(), key=lambda twin: -twin.probability)


def count_sheet(season: Season, sheet: str, by: str, instead: bool = False) -> None:
    """Counts a sheet (again); with ``instead`` its twin that counts now is set aside for it.

    Raises:
        InputError: no such sheet, or no twin to take its place.
    """
    if instead:
        others = [t.other if t.sheet == sheet else t.sheet for t in _twins(season, sheet)]
        counted = [other for other in others if _mark(season, other) is None]
        if not counted:
            raise InputError(f"{sheet}: no other sheet that counts looks like it; it can be counted with --count.")
        season.mark(counted[0], "duplicate", by, f"counted instead: {sheet}")
    season.mark(sheet, None, by)


def _mark(season: Season, sheet: str) -> str | None:
    rows = season.select("SELECT mark FROM sheets WHERE sheet_id = ?", sheet)
    return rows[0]["mark"] if rows else None


def _twins(season: Season, sheet: str) -> list[Twin]:
    """The sheets that may be this one, the surest first."""
    near = [row["sheet_id"] for row in season.select(_NEAR, sheet)]
    if not near:
        return []
    (count,) = season.select("SELECT count(*) FROM sheets")[0]
    mine = _writing(season, sheet)
    twins = []
    for other in near:
        theirs = _writing(season, other)
        probability = same_sheet(mine, theirs, count)
        if probability >= WORTH_ASKING:
            twins.append(_ordered(season, sheet, other, len(mine.rows) - len(theirs.rows), probability))
    return sorted(twins, key=lambda twin: -twin.probability)


def _ordered(season: Season, sheet: str, other: str, more: int, probability: float) -> Twin:
    """The pair, the one first that is or should be set aside."""
    about = {row["sheet_id"]: row for row in season.select(_ABOUT, sheet, other)}
    a, b = about[sheet], about[other]
    marks = (a["mark"], b["mark"])
    lesser = more < 0 or (more == 0 and a["place"] > b["place"])
    first_aside = marks[0] == "duplicate" if "duplicate" in marks else lesser
    less, counts = (a, b) if first_aside else (b, a)
    return Twin(less["sheet_id"], counts["sheet_id"], less["photo"], counts["photo"], probability,
                less["mark"] == "duplicate", less["decider"] or counts["decider"])


def _writing(season: Season, sheet: str) -> Writing:
    cells: dict[tuple[int, int], dict[str, dict[str, float]]] = defaultdict(dict)
    for row in season.select(_CELLS, sheet):
        certain = row["settled"]
        choices = {certain: 1.0} if certain is not None else dict(choices_of(row["choices"]))
        cells[row["grid"], row["row"]][row["cell"]] = choices or {row["text"]: row["confidence"]}
    rows = {(row["grid"], row["row"]): Row(cells[row["grid"], row["row"]], (row["we"], row["they"], row["set"]))
            for row in season.select(_HANDS, sheet)}
    (head,) = season.select(_HEAD, sheet)
    labels = {key: Label(head[key], head[f"{key}_sure"] or 0.0) for key in ("we", "they", "date") if head[key]}
    return Writing(rows, labels)


#: Other sheets with a row of the same written totals or points at the same place: only these need a closer look.
_NEAR = """
SELECT DISTINCT theirs.sheet_id FROM games AS mine JOIN hands AS a USING (game_id)
  JOIN hands AS b ON b.row = a.row AND b.game_id <> a.game_id
   AND ((b.written_we_points, b.written_they_points) = (a.written_we_points, a.written_they_points)
     OR (b.written_we_total, b.written_they_total) = (a.written_we_total, a.written_they_total))
  JOIN games AS theirs ON theirs.game_id = b.game_id AND theirs.grid = mine.grid
  JOIN sheets ON sheets.sheet_id = theirs.sheet_id
 WHERE mine.sheet_id = ?1 AND theirs.sheet_id <> ?1 AND (sheets.mark IS NULL OR sheets.mark = 'duplicate')
"""
_ABOUT = """
SELECT sheet_id, mark, photo, photos.rowid * 1000 + number AS place,
       (SELECT by FROM reviews WHERE cell_id = sheet_id || '/mark' ORDER BY review_id DESC LIMIT 1) AS decider
  FROM sheets JOIN photos USING (sha256) WHERE sheet_id IN (?, ?)
"""
_CELLS = """
SELECT grid, row, cell, text, confidence, choices, settled FROM cells JOIN games USING (game_id) WHERE sheet_id = ?
"""
_HANDS = """
SELECT grid, row, written_we_points AS we, written_they_points AS they, "set" FROM hands JOIN games USING (game_id)
 WHERE sheet_id = ?
"""
_HEAD = """
SELECT coalesce(we_settled, we) AS we, iif(we_settled IS NULL, we_confidence, 1.0) AS we_sure,
       coalesce(they_settled, they) AS they, iif(they_settled IS NULL, they_confidence, 1.0) AS they_sure,
       coalesce(date_settled, date) AS date, iif(date_settled IS NULL, date_confidence, 1.0) AS date_sure
  FROM sheets WHERE sheet_id = ?
"""
