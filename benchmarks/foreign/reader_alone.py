"""The reader on cells cut along the true rulings: how much of each kind it reads exactly."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from benchmarks.foreign.marking import text_class
from scanner.photo.cells import cut_cells
from scanner.reader import read_cells
from scanner.sheet.layout import load_layout

#: Rows under the last hand in which the winner's W may stand: its column is left out there, and the empty cells beside
#: it, into which it reaches, are counted for themselves.
_W_ROWS = 3


@dataclass(frozen=True)
class TrueGrid:
    """The crossings of a grid, photo pixels, shape (ruled rows + 1, columns + 1, 2)."""

    nodes: np.ndarray


def read_photo(path: Path, truth: dict) -> tuple[Counter, list[str]]:
    """Figures (kind: how many; ``kind right``; ``kind top3``) and a line for every cell read wrong."""
    with Image.open(path) as picture:
        pixels = np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))
    count, notes = Counter(), []
    for sheet in [truth, *truth["more_sheets"]]:
        if not sheet["games"]:
            continue
        layout = load_layout(sheet["layout"])
        for grid, game in enumerate(sheet["games"], 1):
            cells = cut_cells(pixels, TrueGrid(np.array(sheet["ruling_nodes"][grid - 1])), layout)
            kinds = _kinds(game, layout.keys, layout.rows, {tuple(h[1:]) for h in sheet["hidden"] if h[0] == grid})
            readings = read_cells([cells[place] for place in kinds])
            for (place, (kind, text)), reading in zip(kinds.items(), readings, strict=True):
                top = [text_class(t) for t, _ in reading.top(3)]
                right = text_class(text)
                count.update({kind: 1, f"{kind} right": top[0] == right, f"{kind} top3": right in top})
                count[f"{kind} read as number"] += not text and top[0].isdigit()
                if top[0] != right:
                    notes.append(f"{path.name} grid {grid} row {place[0]} {place[1]}: {kind} {text!r} read {top[0]!r} "
                                 f"{reading.confidence:.3f}")
    return count, notes


def _kinds(game: dict, keys: tuple[str, ...], rows: int, hidden: set) -> dict[tuple[int, str], tuple[str, str]]:
    """Kind and text of every cell that is judged, by row and key."""
    struck = {(s["row"], s["cell"]) for s in game["struck"]}
    over = {(s["row"], s["cell"]) for s in game["overwritten"]}
    done, out = len(game["rows"]), {}
    winner = f"{game['winner_mark']}_total"
    for row in range(1, rows + 1):
        for key in keys:
            text = game["rows"][row - 1][key] if row <= done else ""
            place = (row, key)
            by_w = winner in keys and (done < row <= done + _W_ROWS or done == rows and row >= rows - 1)
            if place in hidden or by_w and key == winner:
                continue
            beside = by_w and abs(keys.index(key) - keys.index(winner)) == 1
            kind = "struck out" if place in struck else "overwritten" if place in over else "digits"
            out[place] = (kind if text.isdigit() else "mark" if text else "beside the W" if beside else "empty", text)
    return out


def interval(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not count:
        return 0.0, 1.0
    z, p = 1.96, right / count
    middle = (p + z * z / 2 / count) / (1 + z * z / count)
    half = z / (1 + z * z / count) * np.sqrt(p * (1 - p) / count + z * z / 4 / count**2)
    return float(middle - half), float(middle + half)
