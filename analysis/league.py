"""The league table, and the games it cannot count.

A game counts once both teams, both totals and the end of the game are known: somebody won, or both totals are equal
at 500 or more (a tie where the house rules allow one); and if it was not set aside when the season was loaded, because
it was entered twice or the league's schedule has no place for it.  A forfeit counts as :mod:`analysis.fixtures` says.
``not_counted`` lists the others with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.leaguefile import League
from analysis.ranking import RANKINGS, placed
from analysis.schemas import typed
from scanner.sheet.errors import InputError

__all__ = ["RANKINGS", "TARGET", "criteria_of", "not_counted", "played_at_the_table", "standings", "team_results",
           "why_not_counted"]

#: A game is over when a team has this many points after a hand.
TARGET = 500


def standings(games: pd.DataFrame, ranking: str | None = None, league: League | None = None,
              tournament: str | None = None) -> pd.DataFrame:
    """The league table from the frame ``games``.

    Args:
        games: the columns we, they, we_total, they_total and winner_side are used; set_aside, source and tournament
            where they are there.
        ranking: ``"games"`` ranks by games won, ties broken by game points; ``"points"`` by game points alone.
        league: gives the ranking (unless ``ranking`` does), the tie breaks, and the teams to list, with or without a
            game; :func:`analysis.load` with the same league puts its forfeits among the games.
        tournament: one tournament of the season alone.

    Returns:
        A row a team with the columns rank, team, played, won, lost, tied, points_for, points_against, tie_break (by
        what the team came apart from others it was level with, see :mod:`analysis.ranking`); best first, equal teams
        in alphabetical order with the same, lower rank.
    """
    criteria = criteria_of(ranking, league)
    if tournament is not None:
        games = games[games["tournament"] == tournament]
    names = [] if league is None or tournament is not None else league.names
    results = team_results(games)
    return typed(ranked(summed(results, names), criteria, meetings_won(results, criteria)), "standings")


def criteria_of(ranking: str | None = None, league: League | None = None) -> tuple[str, ...]:
    """What the table goes by, first to last. Raises InputError for an unknown ranking."""
    if ranking is not None and ranking not in RANKINGS:
        raise InputError(f"ranking {ranking!r} is unknown; it is 'games' or 'points'.")
    if league is not None and ranking in (None, league.ranking):
        return league.criteria
    return RANKINGS[ranking or "games"]


def summed(results: pd.DataFrame, teams: Sequence[str] = ()) -> pd.DataFrame:
    """Results added up: team, played, won, lost, tied, points_for, points_against; ``teams`` without one have zeros."""
    table = results.assign(played=1).groupby("team", sort=True).agg(
        played=("played", "size"), won=("won", "sum"), lost=("lost", "sum"), tied=("tied", "sum"),
        points_for=("points", "sum"), points_against=("against", "sum"))
    if teams:
        table = table.reindex(sorted({*table.index, *teams}), fill_value=0).rename_axis("team")
    return table.reset_index()


def ranked(table: pd.DataFrame, criteria: Sequence[str], meetings: Mapping[tuple[str, str], float]) -> pd.DataFrame:
    """Summed results, best first, with rank and tie_break; see :func:`analysis.ranking.placed`."""
    places = placed(table, criteria, meetings)
    return table.iloc[places.order].reset_index(drop=True).assign(
        rank=places.rank, tie_break=[text or None for text in places.tie_break])


def meetings_won(results: pd.DataFrame, criteria: Sequence[str]) -> dict[tuple[str, str], float]:
    """(team, opponent) to games won by the first, where a criterion asks for it."""
    if "head_to_head" not in criteria:
        return {}
    return results.assign(won=results["won"].astype(float)).groupby(["team", "opponent"])["won"].sum().to_dict()


def team_results(games: pd.DataFrame) -> pd.DataFrame:
    """One row for each team in each counted game, We first.

    Returns:
        game_id, date, team, opponent, points, against, won, lost, tied, forfeit (nobody played).
    """
    counted = games[why_not_counted(games) == ""]
    winner = counted["winner_side"].astype(object)
    won, lost = ((winner == side).to_numpy(dtype=bool) for side in ("we", "they"))
    level = ~(won | lost)
    forfeit = _forfeits(counted).to_numpy(dtype=bool)
    nobody = forfeit & level
    return two_sides(pd.DataFrame({
        "game_id": counted["game_id"], "date": counted["date"],
        "team": counted["we"], "opponent": counted["they"],
        "points": counted["we_total"], "against": counted["they_total"],
        "won": won, "lost": lost | nobody, "tied": level & ~nobody, "forfeit": forfeit}), counter={
            "team": counted["they"], "opponent": counted["we"],
            "points": counted["they_total"], "against": counted["we_total"], "won": lost, "lost": won | nobody})


def two_sides(we: pd.DataFrame, counter: Mapping[str, object]) -> pd.DataFrame:
    """Each row of ``we`` followed by the same from the other side: with the columns in ``counter`` in place of its."""
    both = pd.concat([we, we.assign(**counter)], ignore_index=True)
    return both.take(np.arange(2 * len(we)).reshape(2, -1).T.ravel()).reset_index(drop=True)


def played_at_the_table(games: pd.DataFrame) -> pd.DataFrame:
    """The games without forfeits: those that say something of how well anybody plays."""
    return games[~_forfeits(games)]


def not_counted(games: pd.DataFrame) -> pd.DataFrame:
    """Games no table counts: game_id, date, we, they, photo, reason."""
    reasons = why_not_counted(games)
    return games.assign(reason=reasons).loc[reasons != "", ["game_id", "date", "we", "they", "photo", "reason"]]


def _forfeits(games: pd.DataFrame) -> pd.Series:
    if "source" not in games:
        return pd.Series(False, index=games.index)
    return (games["source"] == "forfeit").fillna(False).astype(bool)


def why_not_counted(games: pd.DataFrame) -> pd.Series:
    """Why each game is not counted by any table, "" where it is."""
    we, they = games["we_total"], games["they_total"]
    tied = ((we == they) & (we >= TARGET)).fillna(False)
    conditions = [
        games["we"].isna() | games["they"].isna(),
        games["we"] == games["they"],
        we.isna() | they.isna(),
        games["winner_side"].isna() & ~tied & ~_forfeits(games),
    ]
    reasons = ["a team's name is not known", "a team against itself", "a final total is not known",
               "nobody has won yet"]
    # Nullable columns compare to nullable booleans; a missing total is caught by the condition before it.
    plain = [c.fillna(False).to_numpy(dtype=bool) for c in conditions]
    found = pd.Series(np.select(plain, reasons, default=""), index=games.index)
    return found if "set_aside" not in games else found.where(games["set_aside"].isna(), games["set_aside"])
