"""Holds the scan of one photo against its truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

#: A crossing further off than this, in row heights, is a miss; from half a row on the grid is off by a row or column.
CLOSE, OFF = 0.06, 0.5
#: Problems that accuse no row.
_NO_ACCUSATION = ("unreadable", "winner-mark")


@dataclass
class Mark:
    """What one photo scored.

    Attributes:
        count: figures by name, added up over photos.
        worst: largest distance of a crossing from its true place, row heights, over all grids found.
        notes: what went wrong, one line each.
    """

    count: Counter = field(default_factory=Counter)
    worst: float = 0.0
    notes: list[str] = field(default_factory=list)


def mark_photo(truth: dict, scan: dict | None) -> Mark:
    """``truth`` as :mod:`benchmarks.foreign.photos` writes it, ``scan`` as ``clabber scan`` does; None: it died."""
    mark = Mark(Counter(photos=1))
    error = (scan or {}).get("error") if scan else {"code": "crashed", "message": ""}
    if truth["refusal"]:
        _mark_refusal(mark, truth, error)
        return mark
    if error:
        mark.count["refused"] += 1
        mark.notes.append(f"refused: {error['code']}: {error['message']}")
        return mark
    mark.count["read"] += 1
    left = list(scan["sheets"])
    for sheet in [truth, *truth["more_sheets"]]:
        found = _matching(sheet, left)
        if found is not None:
            left.remove(found)
            _mark_sheet(mark, sheet, found)
        elif not sheet["optional"]:
            _lose_sheet(mark, sheet)
    mark.count["extra sheets"] += len(left)
    mark.notes += [f"a sheet that is not there: {s['layout']}" for s in left]
    return mark


def _mark_refusal(mark: Mark, truth: dict, error: dict | None) -> None:
    if error is None:
        mark.count["read though hopeless"] += 1
        mark.notes.append(f"read, though {' or '.join(truth['refusal'])} is true")
    else:
        right = error["code"] in truth["refusal"]
        mark.count["refused truly" if right else "refused for a wrong reason"] += 1
        mark.notes += [] if right else [f"refused: {error['code']} instead of {' or '.join(truth['refusal'])}"]


def _centre(points: list) -> np.ndarray:
    return np.array(points, float).reshape(-1, 2).mean(axis=0)


def _matching(sheet: dict, found: list[dict]) -> dict | None:
    """The scanned sheet that lies on a true one: its middle is nearer than half the true sheet's diagonal."""
    quads = np.array(sheet["game_quads"], float).reshape(-1, 2)
    reach = np.linalg.norm(quads.max(axis=0) - quads.min(axis=0)) / 2
    near = [(float(np.linalg.norm(_centre(f["quad"]) - quads.mean(axis=0))), i) for i, f in enumerate(found)]
    return found[min(near)[1]] if near and min(near)[0] < reach else None


def _lose_sheet(mark: Mark, sheet: dict) -> None:
    mark.count["sheets"] += 1
    mark.count["lost sheets"] += 1
    mark.notes.append("a sheet was not found")


def _mark_sheet(mark: Mark, sheet: dict, found: dict) -> None:
    right_layout = found["layout"] == sheet["layout"]
    mark.count.update(sheets=1, layout=right_layout, names=2, named=sum(
        ((found.get("teams") or {}).get(side) or {}).get("text", "").upper() == name
        for side, name in sheet["teams"].items()))
    if not right_layout:
        mark.count["wrong layout"] += 1
        mark.notes.append(f"layout {found['layout']} instead of {sheet['layout']}")
    games = {g["grid"]: g for g in found["games"]}
    for number, game in enumerate(sheet["games"], 1):
        hidden = {(row, key) for grid, row, key in sheet["hidden"] if grid == number}
        nodes = np.array(sheet["ruling_nodes"][number - 1])
        if number in games:
            _mark_grid(mark, nodes, games[number], list(game["rows"][0]), right_layout)
        elif not all((r, k) in hidden for r, row in enumerate(game["rows"], 1) for k in row):
            mark.count["lost games"] += 1
            mark.notes.append(f"grid {number} lost")
        _mark_game(mark, game, games.get(number, {"rows": [], "problems": [], "winner_mark": None}), hidden)


def _mark_grid(mark: Mark, nodes: np.ndarray, game: dict, keys: list[str], right_layout: bool) -> None:
    """Distances of the grid's corners and of its written cells' corners from where they are."""
    row = float(np.median(np.linalg.norm(np.diff(nodes, axis=0), axis=-1)))
    pairs = [(game["quad"], nodes[[0, 0, -1, -1], [0, -1, -1, 0]])]
    if right_layout:
        for line in game["rows"]:
            i = line["row"]  # row 1 lies under the heading row, between lines 1 and 2
            pairs += [(line["cells"][key]["box"], nodes[[i, i, i + 1, i + 1], [j, j + 1, j + 1, j]])
                      for j, key in enumerate(keys) if i + 1 < len(nodes) and line["cells"].get(key, {}).get("box")]
    off = np.concatenate([np.linalg.norm(np.array(a, float) - b, axis=1) for a, b in pairs]) / row
    mark.worst = max(mark.worst, float(off.max()))
    close = off <= CLOSE
    mark.count.update(grids=1, close=bool(close.all()), crossings=len(off), close_crossings=int(close.sum()))
    if np.median(off) >= OFF or off[:4].min() >= OFF:
        mark.count["off by a row"] += 1
        mark.notes.append(f"off by a row or column: corners {np.round(off[:4], 2).tolist()}")
    elif off.max() > CLOSE:
        mark.notes.append(f"crossings off by up to {off.max():.3f} rows")


def text_class(text: str | None) -> str:
    """A text with all spellings of one mark made one."""
    text = (text or "").strip().upper()
    return {"X": "XX", "XXX": "XX", "--": "-", "~": "-", "–": "-", "—": "-"}.get(text, text)


def _mark_game(mark: Mark, truth: dict, game: dict, hidden: set[tuple[int, str]]) -> None:
    rows = {row["row"]: row["cells"] for row in game["rows"]}
    old = {(s["row"], s["cell"]): s["text"] for s in truth["struck"] + truth["overwritten"]}
    for number, written in enumerate(truth["rows"], 1):
        for key, text in written.items():
            cell = rows.get(number, {}).get(key) or {}
            right = number in rows and text_class(cell.get("text")) == text_class(text)
            asked = bool(cell.get("review"))
            if (number, key) in hidden:
                mark.count.update(hidden=1, hidden_guessed=not right and not asked and bool(cell.get("text")))
                continue
            mark.count.update(cells=1, right=right, asked=asked, silent=not right and not asked)
            if not right:
                was = f" (was {old[number, key]})" if (number, key) in old else ""
                mark.notes.append(f"row {number} {key}: {text!r}{was} read {cell.get('text')!r}, "
                                  f"{'asked' if asked else 'SILENT'} {cell.get('confidence')}")
    for number in sorted(set(rows) - set(range(1, len(truth["rows"]) + 1))):
        cells = rows[number].values()
        mark.count.update(invented=1, silent=sum(bool(c.get("text")) and not c.get("review") for c in cells))
        mark.notes.append(f"row {number} is not on the paper: {[c.get('text') for c in cells]}")
    _mark_slips(mark, truth, game, {row for row, _ in hidden})
    mark.count.update(games=1, winner_marks=game.get("winner_mark") == truth["winner_mark"])
    if game.get("winner_mark") != truth["winner_mark"]:
        mark.notes.append(f"W of {truth['winner_mark']} read {game.get('winner_mark')}")


def _mark_slips(mark: Mark, truth: dict, game: dict, veiled: set[int]) -> None:
    """Rows with a hidden cell are left out, and so is the row after one, whose sums rest on it."""
    doubtful = veiled | {row + 1 for row in veiled}
    slips = {slip["row"] for slip in truth["slips"]} - doubtful
    accused = {p["row"] for p in game["problems"] if p["code"] not in _NO_ACCUSATION} - doubtful
    mark.count.update(slips=len(slips), caught=len(slips & accused), accused=len(accused - slips))
    if slips ^ accused:
        mark.notes.append(f"slips in rows {sorted(slips)}, accused {sorted(accused)}")
