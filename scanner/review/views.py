"""What the page shows of a season, as plain JSON values: a question, the sheets, one sheet, look-alikes, the end."""

from __future__ import annotations

from scanner.review.places import game_spot
from scanner.review.queue import Item, known_names
from scanner.review.why import meanings, sentence
from scanner.season.decisions import DISAGREEMENTS, LATEST
from scanner.season.store import Season
from scanner.sheet.errors import InputError
from scanner.sheet.heads import SURE_HEAD
from scanner.sheet.results import GameResult

CELL_NAMES = {
    "we_points": "We points", "they_points": "They points", "we_total": "We total", "they_total": "They total",
    "hand_check": "check of the hand", "total_check": "check of the totals",
    "we": "name of the team called We", "they": "name of the team called They", "date": "date",
}  # fmt: skip
#: What else is decided, in words.
_DECIDED = {"official": "the paper is wrong", "mark": "what this sheet is"}

#: A cell read with less than this is coloured as less than sure. For the eye only: what is asked is decided elsewhere.
_SURE = 0.9
#: Cells on one page of look-alikes.
PAGE = 60


def item_view(season: Season, item: Item) -> dict:
    """One question with everything the page says about it."""
    head = sheet_row(season, item.sheet)
    view = {"place": item.place, "kind": item.kind, "sheet": item.sheet, "guess": item.guess,
            "seen": seen(season, item.place), "photo": head["photo"], "teams": _teams(head), "row": item.row,
            "name": CELL_NAMES.get(item.cell, item.cell.replace("_", " ")), "problems": []}
    choices = [{"text": text, "chance": chance, "why": None} for text, chance in item.choices]
    if item.kind == "cell":
        texts = [c["text"] for c in choices]
        meant = meanings(season.game(item.game), season.ruling(item.game), item.row, item.cell, texts)
        choices = [c | {"why": why} for c, why in zip(choices, meant, strict=True)]
        view["why"] = sentence(texts, meant)
    elif item.kind == "ruling":
        view |= _ruling(season.game(item.game), _teams(head))
    else:
        view["why"] = "It could not be read for certain." if item.guess else "It could not be read."
        view["known"] = [] if item.cell == "date" else known_names(season)
    return view | {"choices": choices}


def _ruling(game: GameResult, teams: dict) -> dict:
    last = game.rows[-1]
    torn = any(len({c.cell for c in p.candidates}) > 1 for p in game.problems)
    return {
        "why": "What is written does not follow the rules of the game. Which score shall count?"
               + (" More than one correction would fit; the likeliest is shown." if torn else ""),
        "problems": [_problem(p) for p in game.problems if p.code != "unreadable"],
        "scores": {"written": _score(last.written.totals, game.winner, teams),
                   "corrected": _score(last.corrected.totals, game.winner_corrected, teams)},
    }


def _score(totals, winner: str | None, teams: dict) -> dict:
    return {"we": totals.we, "they": totals.they, "winner": (teams[winner] or winner.capitalize()) if winner else None}


def _problem(problem) -> dict:
    effect = problem.consequence
    moved = "1 point is moved." if effect.points_moved == 1 else f"{effect.points_moved} points are moved."
    said = "The winner changes." if effect.winner_changes else moved if effect.points_moved else "No score changes."
    return {"row": problem.row, "cell": problem.cell, "code": problem.code, "message": problem.message,
            "consequence": said}


def seen(season: Season, place: str) -> int:
    """Number of the latest decision about a place, 0 if there is none."""
    return season.select("SELECT coalesce(max(review_id), 0) AS n FROM reviews WHERE cell_id = ?", place)[0]["n"]


def sheets_view(season: Season, open_by_sheet: dict[str, int]) -> list[dict]:
    """Every sheet with what is left of it, in the order they were saved; photos without a sheet at the end."""
    found = []
    for number, row in enumerate(season.select(_SHEETS), 1):
        found.append({"sheet": row["sheet_id"], "number": number, "photo": row["photo"], "teams": _teams(row),
                      "date": row["date"], "mark": row["mark"], "layout": row["layout"], "typed": row["quad"] is None,
                      "open": open_by_sheet.get(row["sheet_id"], 0), "problems": row["problems"]})
    failed = season.select("SELECT photo, error_message FROM photos WHERE error_code IS NOT NULL ORDER BY rowid")
    return found + [{"sheet": None, "photo": row["photo"], "error": row["error_message"]} for row in failed]


def sheet_view(season: Season, sheet_id: str, items: list[Item]) -> dict:
    """One sheet: its head, its games with all cells, certainty, boxes and problems, and who decided what."""
    row = sheet_row(season, sheet_id)
    asked = {item.place for item in items if item.sheet == sheet_id}
    decided = {d["cell_id"]: dict(d) for d in season.select(LATEST, sheet_id)}
    games = season.select("SELECT game_id, official FROM games WHERE sheet_id = ? ORDER BY grid", sheet_id)
    texts = {"we": row["we"], "they": row["they"], "date": row["date"] or row["date_text"]}
    heads = {what: {"place": f"{sheet_id}/{what}", "text": texts[what] or "",
                    "settled": row[f"{what}_settled"] is not None,
                    "sure": row[f"{what}_settled"] is not None or (row[f"{what}_confidence"] or 0) >= SURE_HEAD,
                    "seen": seen(season, f"{sheet_id}/{what}")} for what in ("we", "they", "date")}
    return {"sheet": sheet_id, "photo": row["photo"], "width": row["width"], "height": row["height"],
            "layout": row["layout"], "mark": row["mark"], "typed": row["quad"] is None, "heads": heads,
            "teams": _teams(row), "decided": list(decided.values()),
            "games": [_game(season, game, asked, decided) for game in games]}


def _game(season: Season, row, asked: set[str], decided: dict[str, dict]) -> dict:
    game_id = row["game_id"]
    game, spot = season.game(game_id), game_spot(season, game_id)
    settled = {c["cell_id"]: c for c in season.select(_SETTLED, game_id)}
    hands = {hand.row: hand for hand in game.rows}
    lines = []
    for number in range(1, max([spot.layout.rows, *hands]) + 1):
        cells = {key: _cell(f"{game_id}/{number}/{key}", hands.get(number), key, settled, asked, decided)
                 | {"box": spot.boxes.get((number, key))} for key in spot.layout.keys}
        lines.append({"row": number, "hand": number in hands, "cells": cells})
    ruling = decided.get(f"{game_id}/official")
    return {"game": game_id, "quad": spot.quad, "keys": list(spot.layout.keys), "fit_error": game.fit_error,
            "titles": [CELL_NAMES.get(key, key.replace("_", " ")) for key in spot.layout.keys], "rows": lines,
            "official": ruling["text"] if ruling and ruling["text"] else row["official"],
            "ruled": bool(ruling and ruling["text"]), "note": ruling["note"] if ruling else None,
            "ruled_by": ruling["by"] if ruling else None, "seen": seen(season, f"{game_id}/official"),
            "winner": game.winner, "winner_corrected": game.winner_corrected,
            "problems": [_problem(p) for p in game.problems if p.code != "unreadable"]}


def _cell(place: str, hand, key: str, settled: dict, asked: set[str], decided: dict[str, dict]) -> dict:
    answer, last = settled.get(place), decided.get(place)
    read = hand.cells.get(key) if hand else None
    text = answer["settled"] if answer else read.text if read else ""
    sure = read is None or read.confidence >= _SURE
    state = "settled" if answer else "open" if place in asked else "sure" if sure else "fair"
    return {"place": place, "text": text, "state": state, "by": answer["settled_by"] if answer else None,
            "confidence": read.confidence if read else None, "struck": read.struck if read else None,
            "seen": last["review_id"] if last else 0,
            "choices": [list(c) for c in read.choices] if read else []}


def alike_view(season: Season, what: str, page: int) -> dict:
    """Cells whose text holds a digit (or is a mark), a page at a time, photo by photo; typed cells have no picture."""
    if what not in (*"0123456789", "XX", "-", "W"):
        raise InputError(f"{what!r}: look-alikes are shown of one digit, XX, - or W.")
    like = f"%{what}%" if what.isdigit() else what
    rows = season.select(_ALIKE, like, PAGE + 1, max(0, page) * PAGE)
    cells = [{"place": r["cell_id"], "text": r["text"], "photo": r["photo"], "row": r["row"],
              "name": CELL_NAMES.get(r["cell"], r["cell"]), "seen": seen(season, r["cell_id"])} for r in rows[:PAGE]]
    return {"what": what, "page": page, "more": len(rows) > PAGE, "cells": cells}


def disagreements(season: Season) -> list[dict]:
    """Places where the last words of two people differ, each said in words."""
    return [dict(row) | {"where": _where(season, row["cell_id"])} for row in season.select(DISAGREEMENTS)]


def _where(season: Season, place: str) -> str:
    """A decided place as a person would say it: "Owls – Larks, sheet01.jpg: Hand 3, We total"."""
    sheet_id, rest = "/".join(place.split("/")[:2]), place.split("/")[2:]
    row = sheet_row(season, sheet_id)
    name = CELL_NAMES.get(rest[-1]) or _DECIDED.get(rest[-1], rest[-1].replace("_", " "))
    what = f"Hand {rest[-2]}, {name}" if len(rest) == 3 else name
    photo = row["photo"].replace("\\", "/").rsplit("/", 1)[-1]
    return f"{row['we'] or '?'} – {row['they'] or '?'}, {photo}: {what}"


def waiting_view(season: Season) -> dict:
    """What waits for others: disagreements, captains to ask, sheets set aside, photos that could not be read."""
    return {"disagreements": disagreements(season)} | {
        name: [dict(row) for row in season.select(sql)]
        for name, sql in (("captains", _CAPTAINS), ("aside", _ASIDE), ("failed", _FAILED))}


def sheet_row(season: Season, sheet_id: str):
    """A sheet's photo and head. Raises InputError if there is no such sheet."""
    rows = season.select(_SHEET, sheet_id)
    if not rows:
        raise InputError(f"{sheet_id}: there is no such sheet.")
    return rows[0]


def _teams(row) -> dict[str, str]:
    return {"we": row["we"] or "", "they": row["they"] or ""}


_SHEETS = """
SELECT sheet_id, photo, layout, sheets.quad, mark, coalesce(we_settled, we) AS we, coalesce(they_settled, they) AS they,
       coalesce(date_settled, date) AS date,
       (SELECT count(*) FROM problems JOIN games USING (game_id)
         WHERE games.sheet_id = sheets.sheet_id AND code <> 'unreadable') AS problems
  FROM sheets JOIN photos USING (sha256) ORDER BY photos.rowid, sheets.number
"""
_SHEET = """
SELECT sheet_id, photo, sha256, width, height, layout, quad, mark, we_settled, they_settled, date_settled,
       we_confidence, they_confidence, date_confidence, date_text,
       coalesce(we_settled, we) AS we, coalesce(they_settled, they) AS they, coalesce(date_settled, date) AS date
  FROM sheets JOIN photos USING (sha256) WHERE sheet_id = ?
"""
_SETTLED = "SELECT cell_id, settled, settled_by FROM cells WHERE game_id = ? AND settled IS NOT NULL"
_ALIKE = """
SELECT cell_id, coalesce(settled, text) AS text, photo, row, cell
  FROM cells JOIN games USING (game_id) JOIN sheets USING (sheet_id) JOIN photos USING (sha256)
 WHERE coalesce(settled, text) LIKE ? AND games.quad IS NOT NULL AND mark IS NULL
 ORDER BY photos.rowid, cells.rowid LIMIT ? OFFSET ?
"""
_CAPTAINS = """
SELECT cell_id, by, note, coalesce(we_settled, we) AS we, coalesce(they_settled, they) AS they, photo
  FROM reviews JOIN games ON cell_id = game_id || '/official' JOIN sheets USING (sheet_id) JOIN photos USING (sha256)
 WHERE text = 'captains' AND review_id IN (SELECT max(review_id) FROM reviews GROUP BY cell_id)
"""
_ASIDE = "SELECT photo, mark FROM sheets JOIN photos USING (sha256) WHERE mark IS NOT NULL ORDER BY sheets.rowid"
_FAILED = "SELECT photo, error_message AS message FROM photos WHERE error_code IS NOT NULL ORDER BY rowid"
