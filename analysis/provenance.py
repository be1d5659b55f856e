"""From a number back to the ink: which cells of which photo a score rests on, and everything that was decided of them.

    >>> cells = cells_of(frames, "1a2b3c4d/1/2", hand=3)          # doctest: +SKIP
    >>> trace(frames, "1a2b3c4d/1/2/3/we_total")["photo"]         # doctest: +SKIP
"""

from __future__ import annotations

import difflib
import json

import pandas as pd

from analysis.frames import Frames
from scanner.sheet.errors import InputError

_OF_GAME = ["photo", "sha256", "source", "sheet_id", "layout", "grid"]


def cells_of(frames: Frames, game_id: str, hand: int | None = None) -> pd.DataFrame:
    """The cells a game (or one hand of it) was read from: the frame ``cells``, those rows, each with its photo.

    Returns:
        The columns of ``cells`` and photo, sha256, source, sheet_id, layout, grid; none for a forfeit.

    Raises:
        InputError: no such game, or no such hand in it.
    """
    game = _row(frames.games, "game_id", game_id)
    cells = frames.cells[frames.cells["game_id"] == game_id]
    if hand is not None:
        rows = frames.hands[(frames.hands["game_id"] == game_id) & (frames.hands["hand"] == hand)]
        if rows.empty:
            raise InputError(f"{game_id}: has {game['hands']} hands, no hand {hand}.")
        cells = cells[cells["row"] == rows["row"].iloc[0]]
    return cells.assign(**{key: game[key] for key in _OF_GAME}).reset_index(drop=True)


def trace(frames: Frames, cell_id: str) -> pd.Series:
    """Everything known of one cell.

    Returns:
        The columns of ``cells`` and of :func:`cells_of`; corners (four (x, y) in the photo as a viewer shows it,
        pixels, clockwise from the cell's own top left; None for a typed cell), likely (text to probability), findings
        (sentences about its row) and decisions (the rows of ``reviews`` about it, oldest first, as records).

    Raises:
        InputError: no such cell; the message names the nearest.
    """
    cell = _row(frames.cells, "cell_id", cell_id)
    whole = cells_of(frames, cell["game_id"])
    found = whole[whole["cell_id"] == cell_id].iloc[0].copy()
    about = frames.problems[(frames.problems["game_id"] == cell["game_id"]) & (frames.problems["row"] == cell["row"])]
    found["corners"] = None if pd.isna(cell["box"]) else [tuple(corner) for corner in json.loads(cell["box"])]
    found["likely"] = dict(json.loads(cell["choices"]))
    found["findings"] = about["message"].tolist()
    found["decisions"] = frames.reviews[frames.reviews["cell_id"] == cell_id].to_dict("records")
    return found


def _row(frame: pd.DataFrame, key: str, value: str) -> pd.Series:
    rows = frame[frame[key] == value]
    if rows.empty:
        near = difflib.get_close_matches(value, frame[key].head(5000).tolist(), n=1, cutoff=0.6)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise InputError(f"{value}: the season has no such {key.removesuffix('_id')}.{hint}")
    return rows.iloc[0]
