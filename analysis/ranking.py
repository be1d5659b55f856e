"""Placing teams by ordered criteria, and saying by which of them teams that were level came apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

#: Every criterion a table can go by, in words; more is better but for the last.
CRITERIA = {
    "won": "games won",
    "points_for": "game points",
    "head_to_head": "games won among the teams still level",
    "difference": "game points less those of the opponents",
    "points_against": "fewer game points of the opponents",
}

#: What each way of ranking goes by, first to last; what is still equal after it shares a rank.
RANKINGS = {"games": ("won", "points_for"), "points": ("points_for",)}

#: What stands for the tie break of teams that nothing tells apart.
SHARED = "shared"


@dataclass(frozen=True)
class Places:
    """Rows in order, best first; for each of them its rank, and what broke its tie.

    Attributes:
        order: positions of the rows, shape (n,); equal rows by name.
        rank: from 1, equal rows share the lower number, shape (n,).
        tie_break: the criterion by which the row came apart from the last it was level with on the first one; "" if it
            never was level, :data:`SHARED` if it still is.
    """

    order: np.ndarray
    rank: np.ndarray
    tie_break: list[str]


def stated(criteria: Sequence[str]) -> str:
    """The order of the criteria as a sentence.

    >>> stated(("won", "points_for"))
    'Ranked by games won; teams level in that by game points. Teams level in all of it share a rank.'
    """
    first, *rest = (CRITERIA[c] for c in criteria)
    then = "".join(f"{'; teams level in that by ' if i == 0 else ', then by '}{text}" for i, text in enumerate(rest))
    return f"Ranked by {first}{then}. Teams level in all of it share a rank."


def placed(table: pd.DataFrame, criteria: Sequence[str], meetings: Mapping[tuple[str, str], float]) -> Places:
    """Teams in order. Each criterion is applied to the teams that all before it left level, and to them alone.

    Args:
        table: columns team, won, points_for, points_against.
        meetings: (team, opponent) to games won by the first; needed for head_to_head alone.
    """
    teams = table["team"].tolist()
    numbers = {key: table[key].to_numpy(dtype=float) for key in ("won", "points_for", "points_against")}
    numbers["difference"] = numbers["points_for"] - numbers["points_against"]
    numbers["points_against"] = -numbers["points_against"]
    groups, broken = [sorted(range(len(teams)), key=teams.__getitem__)], [""] * len(teams)
    for depth, criterion in enumerate(criteria):
        parted = []
        for group in groups:
            values = _among(group, teams, meetings) if criterion == "head_to_head" else numbers[criterion][group]
            parts = _split(group, values) if len(group) > 1 else [group]
            if depth and len(group) > 1:
                for part in parts:
                    broken[part[0]] = criterion if len(part) == 1 else broken[part[0]]
            parted += parts
        groups = parted
    rank, place = np.zeros(len(teams), dtype=int), 1
    for group in groups:
        rank[group] = place
        place += len(group)
        for row in group if len(group) > 1 else ():
            broken[row] = SHARED
    order = np.array([row for group in groups for row in group], dtype=int)
    return Places(order, rank[order], [broken[row] for row in order])


def _split(group: list[int], values: np.ndarray) -> list[list[int]]:
    """Rows of equal value together, the best first, in the order they had."""
    return [[row for row, own in zip(group, values, strict=True) if own == value]
            for value in sorted(set(values.tolist()), reverse=True)]


def _among(group: list[int], teams: list[str], meetings: Mapping[tuple[str, str], float]) -> np.ndarray:
    return np.array([sum(meetings.get((teams[a], teams[b]), 0.0) for b in group) for a in group])
