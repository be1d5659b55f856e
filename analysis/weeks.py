"""The season week by week: each week's results, the table after it, and the city championship that closes the year.

A week is the schedule's; without a schedule it is the calendar week, counted from that of the first game.  Games of
no known week (no date, and no schedule that tells) are in the season's table and in none of these.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.fixtures import byes
from analysis.league import criteria_of, meetings_won, ranked, standings, summed, team_results
from analysis.leaguefile import League
from analysis.schemas import INT, typed
from scanner.sheet.errors import InputError

_SUMS = ["played", "won", "lost", "tied", "points_for", "points_against"]


def weekly(games: pd.DataFrame, fixtures: pd.DataFrame | None = None) -> pd.DataFrame:
    """What each team did each week: tournament, week, team, played, won, lost, tied, points_for, points_against, bye.

    Args:
        fixtures: the frame ``fixtures``, for the byes: teams the schedule lets rest that week, with zeros.
    """
    results = _dated(games).assign(played=1)
    sums = results.groupby(["tournament", "week", "team"], sort=True).agg(
        played=("played", "size"), won=("won", "sum"), lost=("lost", "sum"), tied=("tied", "sum"),
        points_for=("points", "sum"), points_against=("against", "sum")).reset_index().assign(bye=False)
    if fixtures is not None and len(fixtures):
        resting = byes(fixtures).merge(sums[["tournament", "week", "team"]], how="left", indicator=True)
        resting = resting[resting["_merge"] == "left_only"].drop(columns="_merge")
        sums = pd.concat([sums, resting.assign(**dict.fromkeys(_SUMS, 0), bye=True)])
        sums = sums.sort_values(["tournament", "week", "team"], kind="stable", ignore_index=True)
    return sums.astype({key: INT for key in ("week", *_SUMS)} | {"bye": bool})


def cumulative(games: pd.DataFrame, ranking: str | None = None, league: League | None = None) -> pd.DataFrame:
    """The table of each tournament after each of its weeks: tournament, week, and the columns of the standings.

    Every team with a game in the tournament stands in each of its tables, with zeros before its first.
    """
    results, criteria = _dated(games), criteria_of(ranking, league)
    parts = []
    for tournament, own in results.groupby("tournament", sort=True):
        weeks, teams = sorted(own["week"].unique()), sorted(own["team"].unique())
        sums = _running(own, weeks, teams)
        for number, week in enumerate(weeks):
            table = pd.DataFrame({"team": teams} | {key: sums[key][number] for key in _SUMS})
            so_far = own[own["week"] <= week] if "head_to_head" in criteria else own
            table = ranked(table, criteria, meetings_won(so_far, criteria))
            parts.append(table.assign(tournament=tournament, week=week))
    table = pd.concat(parts, ignore_index=True) if parts else ranked(summed(results), criteria, {}).assign(
        tournament="", week=0)
    told = table[["tournament", "week"]].astype({"week": INT})
    return told.join(typed(table, "standings"))


def championship_field(games: pd.DataFrame, places: int, ranking: str | None = None,
                       league: League | None = None) -> list[str]:
    """The teams that play for the city championship: the best of all the year's tournaments together, best first.

    Who ties for the last place plays too.  The championship's own games are left out where the league names them.

    Raises:
        InputError: fewer than two places, or fewer teams than places.
    """
    if league is not None and league.championship is not None:
        games = games[(games["tournament"] != league.championship).fillna(True).astype(bool)]
    table = standings(games, ranking, league)
    if not 2 <= places <= len(table):
        raise InputError(f"A championship takes 2 to {len(table)} of {len(table)} teams, got {places} places.")
    return table.loc[table["rank"] <= places, "team"].tolist()


def championship(games: pd.DataFrame, league: League) -> pd.DataFrame:
    """The table of the city championship as far as it was played; the columns of the standings.

    Teams of the field without a game yet stand in it with zeros.

    Raises:
        InputError: the league's file says nothing of a championship, or as :func:`championship_field`.
    """
    if league.championship is None or league.places is None:
        raise InputError("The league's file has no [championship]; add one with tournament and places.")
    own = games[(games["tournament"] == league.championship).fillna(False).astype(bool)]
    results = team_results(own)
    field = championship_field(games, league.places, league=league)
    criteria = league.criteria
    return typed(ranked(summed(results, field), criteria, meetings_won(results, criteria)), "standings")


def _dated(games: pd.DataFrame) -> pd.DataFrame:
    """Results with the tournament and week of their game, those of no week left out."""
    results = team_results(games).merge(games[["game_id", "tournament", "week"]], on="game_id", how="left")
    results = results.dropna(subset=["tournament", "week"])
    return results.astype({"week": "int64", "tournament": object, "team": object})


def _running(results: pd.DataFrame, weeks: Sequence[int], teams: Sequence[str]) -> dict[str, np.ndarray]:
    """Sums up to and with each week, shape (weeks, teams)."""
    at = (np.searchsorted(weeks, results["week"].to_numpy()), np.searchsorted(teams, results["team"].to_numpy()))
    values = {"played": np.ones(len(results)), "won": results["won"], "lost": results["lost"], "tied": results["tied"],
              "points_for": results["points"], "points_against": results["against"]}
    sums = {}
    for key, value in values.items():
        sums[key] = np.zeros((len(weeks), len(teams)), dtype=int)
        np.add.at(sums[key], at, np.asarray(value, dtype=int))
        sums[key] = sums[key].cumsum(axis=0)
    return sums
