"""Every table of a season by name: the frames and what is made of them, for files that other programs read."""

from __future__ import annotations

import pandas as pd

from analysis.frames import Frames
from analysis.league import standings


def all_tables(frames: Frames, ranking: str = "games") -> dict[str, pd.DataFrame]:
    """Standings and all frames by name."""
    return {"standings": standings(frames.games, ranking)} | vars(frames)
