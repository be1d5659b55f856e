"""Who plays whom: single round robins, and who still has to meet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from analysis.league import team_results
from scanner.rules import tournament
from scanner.rules.errors import RuleError
from scanner.sheet.errors import InputError


def round_robin(teams: Sequence[str]) -> pd.DataFrame:
    """A single round robin: every team meets every other once, in as few weeks as can be.

    Returns:
        week (from 1), we, they. With an odd number of teams one has a bye each week and is in no row.

    Raises:
        InputError: fewer than two teams, or one twice.
    """
    try:
        weeks = tournament.round_robin(list(teams))
    except RuleError as error:
        raise InputError(str(error)) from error
    rows = [(number, we, they) for number, week in enumerate(weeks, 1) for we, they in week]
    return pd.DataFrame(rows, columns=["week", "we", "they"])


def still_to_meet(games: pd.DataFrame, teams: Sequence[str] | None = None) -> pd.DataFrame:
    """Pairs of a single round robin without a counted game yet: team, opponent, in alphabetical order.

    Args:
        teams: the league; by default every team with a counted game.
    """
    return not_met(team_results(games), teams)


def not_met(results: pd.DataFrame, teams: Sequence[str] | None = None) -> pd.DataFrame:
    """As :func:`still_to_meet`, from :func:`analysis.league.team_results`."""
    names = sorted(set(results["team"].unique()) if teams is None else set(teams))
    met = set(results[["team", "opponent"]].drop_duplicates().itertuples(index=False, name=None))
    return pd.DataFrame([p for p in combinations(names, 2) if p not in met], columns=["team", "opponent"], dtype=object)


def met_too_often(games: pd.DataFrame, meetings: int = 1) -> pd.DataFrame:
    """Pairs with more counted games than the schedule has, with the number: team, opponent, games."""
    results = team_results(games)
    counts = results[results["team"] < results["opponent"]].groupby(["team", "opponent"]).size().rename("games")
    return counts[counts > meetings].reset_index()
