"""How well a season's sheets were read, where somebody knows what is written on them: errors, and whether doubt is due.

Two voices are told apart: the reader's own, which sees one cell and nothing else, and what the scan decided after the
sums had spoken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.intervals import wilson
from scanner.season.store import open_season
from scanner.sheet.texts import canonical

#: Edges of the classes of confidence: fine where readings are, near 1.
EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0)


def read_cells(season: str | Path, truths: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Every cell of the true rows beside what was read in it.

    Args:
        season: a season file with the readings of its photographs.
        truths: of the photographs, as they lie beside the sample sheets; matched by file name.

    Returns:
        photo, layout, level (of trouble), pen, grid, row, cell, written (the truth), read and confidence (the reader
        alone; empty and 0 where the row was missed), right, decided, sure (its confidence), asked (a person is), kept
        (the decision is right), silent (it is wrong and nobody is asked).
    """
    truths = {Path(truth["photo"]).name: truth for truth in truths}
    rows = []
    with open_season(season, create=False) as file:
        games = {(Path(r["photo"]).name, r["grid"]): r["game_id"] for r in file.select(
            "SELECT photo, grid, game_id FROM games JOIN sheets USING (sheet_id) JOIN photos USING (sha256)")}
        for photo, truth in truths.items():
            for grid, game in enumerate(truth["games"], 1):
                known = games.get((photo, grid))
                readings = file.readings(known) if known else {}
                decided = {r.row: r.cells for r in file.game(known).rows} if known else {}
                about = (photo, truth["layout"], truth.get("camera", {}).get("level"), truth.get("pen"), grid)
                rows += [(*about, number, cell, text, *_voices(readings, decided, number, cell))
                         for number, row in enumerate(game["rows"], 1) for cell, text in row.items()]
    table = pd.DataFrame(rows, columns=["photo", "layout", "level", "pen", "grid", "row", "cell", "written", "read",
                                        "confidence", "decided", "sure", "asked"])
    written = table["written"].map(_class)
    table["right"], table["kept"] = table["read"].map(_class) == written, table["decided"].map(_class) == written
    return table.assign(silent=~table["kept"] & ~table["asked"].astype(bool))


def reliability(confidence: Iterable[float], right: Iterable[bool], edges: Iterable[float] = EDGES) -> pd.DataFrame:
    """Whether what is called p sure is right in a share p of cases: one row a class of confidence that has any.

    Returns:
        low_edge, high_edge (which is in the class), n, stated (mean confidence), share (right), low, high (95 %).

    >>> reliability([0.9, 0.9, 0.6, 0.6], [True, True, True, False], (0, 0.7, 1))["share"].tolist()
    [0.5, 1.0]
    """
    edges = np.array(list(edges), dtype=float)
    stated, hit = np.array(list(confidence), dtype=float), np.array(list(right), dtype=float)
    place = np.clip(np.searchsorted(edges, stated, side="left") - 1, 0, len(edges) - 2)
    n = np.bincount(place, minlength=len(edges) - 1)
    hits = np.bincount(place, hit, minlength=len(edges) - 1)
    low, high = wilson(hits, n)
    with np.errstate(invalid="ignore"):
        table = pd.DataFrame({"low_edge": edges[:-1], "high_edge": edges[1:], "n": n, "share": hits / n, "low": low,
                              "high": high, "stated": np.bincount(place, stated, minlength=len(edges) - 1) / n})
    columns = ["low_edge", "high_edge", "n", "stated", "share", "low", "high"]
    return table.loc[table["n"] > 0, columns].reset_index(drop=True)


def by_kind(cells: pd.DataFrame, by: str) -> pd.DataFrame:
    """The reader alone by a column of :func:`read_cells`: that column, cells, wrong, rate, low, high (95 %), silent."""
    sums = cells.assign(wrong=~cells["right"]).groupby(by, sort=True).agg(
        cells=("right", "size"), wrong=("wrong", "sum"), silent=("silent", "sum")).reset_index()
    low, high = wilson(sums["wrong"].to_numpy(dtype=float), sums["cells"].to_numpy(dtype=float))
    table = sums.assign(rate=sums["wrong"] / sums["cells"], low=low, high=high)
    return table[[by, "cells", "wrong", "rate", "low", "high", "silent"]]


def _voices(readings: Mapping, decided: Mapping, row: int, cell: str) -> tuple:
    """read, confidence, decided, sure, asked."""
    reading, result = readings.get((row, cell)), decided.get(row, {}).get(cell)
    own = (reading.text, reading.confidence) if reading is not None else ("", 0.0)
    return (*own, *((result.text, result.confidence, result.review) if result is not None else ("", 0.0, False)))


def _class(text: str) -> str:
    """All spellings of a mark are one."""
    known = canonical(text)
    return text if known is None else known
