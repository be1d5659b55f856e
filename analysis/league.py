"""The league table, and the games it cannot count.

A game counts once both teams, both totals and the end of the game are known: somebody won, or both totals are equal
at 500 or more (a tie where the house rules allow one).  ``not_counted`` lists the others with the reason.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.frames import typed
from scanner.sheet.errors import InputError

#: A game is over when a team has this many points after a hand.
TARGET = 500

#: What each way of ranking goes by, first to last; what is still equal after it shares a rank.
RANKINGS = {"games": ("won", "points_for"), "points": ("points_for",)}


def standings(games: pd.DataFrame, ranking: str = "games") -> pd.DataFrame:
    """The league table from the frame ``games``.

    Args:
        games: the columns we, they, we_total, they_total and winner_side are used.
        ranking: ``"games"`` ranks by games won, ties broken by game points; ``"points"`` by game points alone.

    Returns:
        A row a team with the columns rank, team, played, won, lost, tied, points_for, points_against; best first,
        equal teams in alphabetical order with the same, lower rank.
    """
    if ranking not in RANKINGS:
        raise InputError(f"ranking {ranking!r} is unknown; it is 'games' or 'points'.")
    results = team_results(games)
    table = results.groupby("team", sort=True).agg(
        played=("won", "size"), won=("won", "sum"), lost=("lost", "sum"), tied=("tied", "sum"),
        points_for=("points", "sum"), points_against=("against", "sum")).reset_index()
    by = list(RANKINGS[ranking])
    table = table.sort_values([*by, "team"], ascending=[False] * len(by) + [True], ignore_index=True)
    return typed(table.assign(rank=_ranks(table[by])), "standings")


def team_results(games: pd.DataFrame) -> pd.DataFrame:
    """One row for each team in each counted game: game_id, date, team, opponent, points, against, won, lost, tied."""
    counted = games[_reasons(games) == ""]
    sides = []
    for side, other in (("we", "they"), ("they", "we")):
        sides.append(pd.DataFrame({
            "game_id": counted["game_id"], "date": counted["date"],
            "team": counted[side], "opponent": counted[other],
            "points": counted[f"{side}_total"], "against": counted[f"{other}_total"],
            "won": counted["winner_side"] == side, "lost": counted["winner_side"] == other,
            "tied": counted["winner_side"].isna()}))
    return pd.concat(sides).sort_index(kind="stable").reset_index(drop=True)


def not_counted(games: pd.DataFrame) -> pd.DataFrame:
    """Games no table counts: game_id, date, we, they, photo, reason."""
    reasons = _reasons(games)
    return games.assign(reason=reasons).loc[reasons != "", ["game_id", "date", "we", "they", "photo", "reason"]]


def _reasons(games: pd.DataFrame) -> pd.Series:
    """Why each game is not counted, "" where it is."""
    we, they = games["we_total"], games["they_total"]
    tied = ((we == they) & (we >= TARGET)).fillna(False)
    conditions = [
        games["we"].isna() | games["they"].isna(),
        games["we"] == games["they"],
        we.isna() | they.isna(),
        games["winner_side"].isna() & ~tied,
    ]
    reasons = ["a team's name is not known", "a team against itself", "a final total is not known",
               "nobody has won yet"]
    # Nullable columns compare to nullable booleans; a missing total is caught by the condition before it.
    plain = [c.fillna(False).to_numpy(dtype=bool) for c in conditions]
    return pd.Series(np.select(plain, reasons, default=""), index=games.index)


def _ranks(table: pd.DataFrame) -> np.ndarray:
    """Ranks of sorted rows; equal rows share the lower number."""
    values = table.to_numpy()
    new = np.ones(len(values), dtype=bool)
    new[1:] = (values[1:] != values[:-1]).any(axis=1)
    places = np.arange(1, len(values) + 1)
    return np.maximum.accumulate(np.where(new, places, 1))
