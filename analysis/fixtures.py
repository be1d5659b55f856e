"""A league's schedule laid over the games found: which game is which fixture, what was forfeited, what is left.

Treatment of forfeits and byes (the sources say nothing of either; these are assumptions, stated in the report):

- A forfeit is a game played, won by the team that came and lost by the other, with the league's ``forfeit_points``;
  forfeited by both it is lost by both, without points.  It stands in the frame ``games`` with source "forfeit" and no
  hands, so every table of games counts it; strengths, records and all statistics of hands leave it out.
- A bye is no game and brings nothing.
- A game beyond the schedule (a pair that met more often than planned, or whose fixture was forfeited) is set aside and
  listed, never added to another.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from itertools import combinations
from math import comb

import pandas as pd

from analysis.leaguefile import SEASON, Fixture, League

#: Ways to pair games with fixtures that are tried; a pair of teams has one or two meetings, not dozens.
_MOST_WAYS = 2000

#: Columns of the frame ``fixtures`` before it is typed.
COLUMNS = ["tournament", "week", "date", "we", "they", "forfeit", "status", "game_id"]


def apply_league(games: pd.DataFrame, playable: pd.Series, league: League) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The games with week, tournament and forfeits of the schedule, and the schedule with what became of it.

    Args:
        games: the frame ``games``, names as the league spells them, set_aside filled for games entered twice.
        playable: for each game, whether a table would count it.

    Returns:
        games (forfeits at the end), fixtures with the columns :data:`COLUMNS`.
    """
    games = games.copy()
    if league.names:
        _set_strangers_aside(games, league)
    if not league.fixtures:
        return games, pd.DataFrame(columns=COLUMNS)
    found = _matched(games, playable & games["set_aside"].isna(), league)
    games["tournament"], games["week"] = None, None
    for position, game in found.items():
        games.loc[game, ["tournament", "week"]] = league.fixtures[position].tournament, league.fixtures[position].week
    forfeits = [_forfeit(fixture, i, league) for i, fixture in enumerate(league.fixtures) if fixture.forfeit]
    ids = {position: games.at[game, "game_id"] for position, game in found.items()}
    ids |= {i: _forfeit_id(f, i) for i, f in enumerate(league.fixtures) if f.forfeit}
    plan = [(f.tournament, f.week, f.date, f.we, f.they, f.forfeit, _status(f, i in ids), ids.get(i))
            for i, f in enumerate(league.fixtures)]
    if forfeits:
        games = pd.concat([games.astype(object), pd.DataFrame(forfeits)], ignore_index=True)
    return games, pd.DataFrame(plan, columns=COLUMNS)


def remaining(fixtures: pd.DataFrame) -> pd.DataFrame:
    """What is still to be played, in the order of the schedule: tournament, week, date, we, they."""
    left = fixtures[fixtures["status"] == "to play"]
    return left[["tournament", "week", "date", "we", "they"]].reset_index(drop=True)


def byes(fixtures: pd.DataFrame) -> pd.DataFrame:
    """Who does not play when: tournament, week, team; byes the schedule states, and teams it leaves out of a week."""
    sides = fixtures[["tournament", "week", "we", "they"]].melt(["tournament", "week"], value_name="team").dropna(
        subset=["team"])
    plays = set(fixtures.dropna(subset=["they"])[["tournament", "week", "we", "they"]].melt(
        ["tournament", "week"])[["tournament", "week", "value"]].itertuples(index=False, name=None))
    rows = []
    for tournament, own in sides.groupby("tournament", sort=False):
        rows += [(tournament, week, team) for week in sorted(own["week"].unique())
                 for team in sorted(own["team"].unique()) if (tournament, week, team) not in plays]
    return pd.DataFrame(rows, columns=["tournament", "week", "team"])


def _set_strangers_aside(games: pd.DataFrame, league: League) -> None:
    names = set(league.names)
    for side in ("we", "they"):
        strange = {name for name in games[side].dropna().unique() if name not in names}
        for name in strange:
            near = difflib.get_close_matches(name, league.names, n=1, cutoff=0.6)
            hint = f"; {near[0]}, misspelt?" if near else ""
            here = (games[side] == name).fillna(False) & games["set_aside"].isna()
            games.loc[here, "set_aside"] = f"{name} is no team of the league{hint}"


def _matched(games: pd.DataFrame, playable: pd.Series, league: League) -> dict[int, int]:
    """Position of a fixture to index of its game; sets aside the games for which the schedule has no place."""
    planned: dict[frozenset, list[int]] = defaultdict(list)
    for i, fixture in enumerate(league.fixtures):
        if fixture.they:
            planned[frozenset((fixture.we, fixture.they))].append(i)
    played: dict[frozenset, list[int]] = defaultdict(list)
    for index, we, they in games.loc[playable, ["we", "they"]].itertuples(name=None):
        played[frozenset((we, they))].append(index)
    days = dict(zip(games.index, pd.to_datetime(games["date"]), strict=True))
    found = {}
    for pair, indices in played.items():
        places = [i for i in planned[pair] if not league.fixtures[i].forfeit]
        matched = _paired(places, indices, league, days)
        found |= matched
        for index in set(indices) - set(matched.values()):
            games.loc[index, "set_aside"] = _beyond([league.fixtures[i] for i in planned[pair]])
    return found


def _paired(places: list[int], indices: list[int], league: League, days: dict) -> dict[int, int]:
    """Fixtures and games of one pair of teams in order, so that planned and played days lie closest."""
    places = sorted(places, key=lambda i: (league.fixtures[i].date or "", i))
    indices = sorted(indices, key=lambda i: (pd.isna(days[i]), days[i] if not pd.isna(days[i]) else pd.Timestamp(0)))
    few = min(len(places), len(indices))
    ways = comb(len(places), few) * comb(len(indices), few)
    if ways == 1 or ways > _MOST_WAYS:
        return dict(zip(places, indices, strict=False))

    def apart(way: tuple) -> int:
        planned = ((league.fixtures[p].date, days[i]) for p, i in zip(*way, strict=True))
        return sum(abs((pd.Timestamp(plan) - day).days) for plan, day in planned if plan and not pd.isna(day))

    best = min(((p, i) for p in combinations(places, few) for i in combinations(indices, few)), key=apart)
    return dict(zip(*best, strict=True))


def _beyond(planned: list[Fixture]) -> str:
    if any(f.forfeit for f in planned):
        return "the schedule says it was forfeited"
    return "the two met more often than the schedule says" if planned else "the two do not meet in the schedule"


def _status(fixture: Fixture, found: bool) -> str:
    if fixture.they is None:
        return "bye"
    return "forfeit" if fixture.forfeit else "played" if found else "to play"


def _forfeit_id(fixture: Fixture, position: int) -> str:
    return f"forfeit/{fixture.tournament}/{position + 1}"


def _forfeit(fixture: Fixture, position: int, league: League) -> dict:
    """A forfeited fixture as a row of the frame ``games``; the schedule is its sheet."""
    won, lost = league.forfeit_points
    totals = {"we": lost, "they": won} if fixture.forfeit == "we" else {"we": won, "they": lost}
    winner = {"we": "they", "they": "we", "both": None}[fixture.forfeit]
    if winner is None:
        totals = {"we": 0, "they": 0}
    row = {f"{side}_total{kind}": totals[side] for side in totals for kind in ("", "_written", "_corrected")}
    teams = {"we": fixture.we, "they": fixture.they}
    return row | teams | {
        "game_id": _forfeit_id(fixture, position), "date": fixture.date, "winner": teams.get(winner), "hands": 0,
        "winner_side": winner, "official": "written", "winner_written": winner, "winner_corrected": winner,
        "problems": 0, "questions": 0, "heads": 0, "stale": False, "sheet_id": "forfeit", "grid": 1, "layout": "",
        "source": "forfeit", "photo": league.source, "sha256": league.sha256, "tournament": fixture.tournament,
        "week": fixture.week}


def default_weeks(games: pd.DataFrame) -> pd.DataFrame:
    """The games with tournament and week where there is no schedule: calendar weeks from that of the first game."""
    days = pd.to_datetime(games["date"], format="ISO8601")
    monday = days - pd.to_timedelta(days.dt.day_of_week, unit="D")
    return games.assign(tournament=SEASON, week=(monday - monday.min()).dt.days // 7 + 1)
