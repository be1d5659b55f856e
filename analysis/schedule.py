"""Who plays whom: single round robins, and who still has to meet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from analysis.league import team_results
from scanner.sheet.errors import InputError


def round_robin(teams: Sequence[str]) -> pd.DataFrame:
    """A single round robin: every team meets every other once, in as few weeks as can be (the circle method).

    Returns:
        week (from 1), we, they. With an odd number of teams one has a bye each week and is in no row.
    """
    if len(set(teams)) != len(teams):
        raise InputError("a team stands twice in the list; name each once.")
    ring: list[str | None] = [*teams, *([None] if len(teams) % 2 else [])]
    rows = []
    for week in range(1, len(ring)):
        for i in range(len(ring) // 2):
            pair = ring[i], ring[-1 - i]
            if None not in pair:
                # A team moves on by one place a week, so turning every other place about changes its column weekly;
                # only the first stays where it is and is turned by the week.
                rows.append((week, *(pair if (i or week) % 2 else pair[::-1])))
        ring.insert(1, ring.pop())
    return pd.DataFrame(rows, columns=["week", "we", "they"])


def still_to_meet(games: pd.DataFrame, teams: Sequence[str] | None = None) -> pd.DataFrame:
    """Pairs of a single round robin without a counted game yet: team, opponent, in alphabetical order.

    Args:
        teams: the league; by default every team with a counted game.
    """
    results = team_results(games)
    names = sorted(set(results["team"]) if teams is None else set(teams))
    met = set(zip(results["team"], results["opponent"], strict=True))
    return pd.DataFrame([p for p in combinations(names, 2) if p not in met], columns=["team", "opponent"], dtype=object)


def met_too_often(games: pd.DataFrame, meetings: int = 1) -> pd.DataFrame:
    """Pairs with more counted games than the schedule has, with the number: team, opponent, games."""
    results = team_results(games)
    counts = results[results["team"] < results["opponent"]].groupby(["team", "opponent"]).size().rename("games")
    return counts[counts > meetings].reset_index()
