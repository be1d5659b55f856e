"""Every table of a season by name: the frames and what is made of them, for files that other programs read."""

from __future__ import annotations

import pandas as pd

from analysis import form, handstats, stats, weeks
from analysis.doubt import doubtful_standings, in_words
from analysis.fixtures import byes, remaining
from analysis.frames import Frames
from analysis.handmodel import hand_strength, schedule_strength
from analysis.league import criteria_of, not_counted, standings
from analysis.leaguefile import League
from analysis.ranking import CRITERIA, RANKINGS
from analysis.schedule import still_to_meet
from analysis.strength import bradley_terry, title_odds

#: What each table says, but for the frames and the standings, which have a schema.
MEANINGS = {
    "tie_breaks": "What the standings go by, in order.",
    "weeks": "What each team did each week, byes included.",
    "standings_by_week": "The table of each tournament after each of its weeks.",
    "meetings": "Each team against each other: played, won, points, share of games won.",
    "remaining": "Games still to be played: by the schedule, or else every pair that has not met.",
    "byes": "Who does not play when, by the schedule.",
    "standings_in_doubt": "The likeliest rank of each team while questions are open, with its probability, in words.",
    "telling_answers": "Open questions that may change a rank, and what each answer would mean.",
    "not_counted": "Games no table counts, with the reason.",
    "championship": "The table of the city championship, where the league's file names one.",
    "team_rates": "Making trump, being set, points a hand.",
    "team_hands": "Hands kept, sets inflicted, zeros, hands won, meld.",
    "margins": "By how many points games went.",
    "form": "The last games of each team, newest last.",
    "streaks": "Longest runs of games won and lost.",
    "closing_out": "Games in which a team was first at 400 and ahead, and how many of them it won.",
    "comebacks": "Won games by how far behind the winner had been.",
    "first_hands": "How first hands go, and games won after leading.",
    "last_hands": "The hands that ended games: who made trump, and was it kept.",
    "lengths": "Games by their number of hands.",
    "meld": "Made hands by the meld on them, with the points of makers and opponents.",
    "meld_share": "How much of the meld the makers end up with.",
    "biggest_hands": "The hands with most points of one side.",
    "records": "The season's records.",
    "strength_by_games": "Bradley and Terry's model of games won: logits, 0 is the average team.",
    "strength_by_hands": "Points a hand beyond an average team's.",
    "schedule_strength": "Mean strength of the opponents met, and of those still to come.",
    "title_odds": "Chance of each team to end first.",
}


def all_tables(frames: Frames, ranking: str | None = None, league: League | None = None) -> dict[str, pd.DataFrame]:
    """Standings, the frames, and all tables made of them, by name (letters and underscores, at most 31).

    Args:
        ranking, league: see :func:`analysis.league.standings`.
    """
    return {"standings": standings(frames.games, ranking, league)} | vars(frames) | league_tables(
        frames, ranking, league) | team_tables(frames) | strength_tables(frames, ranking, league)


def league_tables(frames: Frames, ranking: str | None = None, league: League | None = None) -> dict[str, pd.DataFrame]:
    """Weeks, meetings, what is left to play, the championship, doubt, and what the tables leave out."""
    games = frames.games
    doubt = doubtful_standings(frames, _way(ranking, league))
    found = {
        "tie_breaks": tie_breaks(ranking, league),
        "weeks": weeks.weekly(games, frames.fixtures),
        "standings_by_week": weeks.cumulative(games, ranking, league),
        "meetings": stats.meetings(games),
        "remaining": left_to_play(frames),
        "byes": byes(frames.fixtures),
        "standings_in_doubt": doubt.ranks.assign(said=in_words(doubt.ranks)),
        "telling_answers": doubt.answers,
        "not_counted": not_counted(games),
    }
    if league is not None and league.championship is not None:
        found["championship"] = weeks.championship(games, league)
    return found


def team_tables(frames: Frames) -> dict[str, pd.DataFrame]:
    """What teams do with their hands and games."""
    games, hands = frames.games, frames.hands
    return {
        "team_rates": stats.team_table(games, hands),
        "team_hands": handstats.team_hand_table(games, hands),
        "margins": stats.margins(games),
        "form": form.form(games),
        "streaks": form.streaks(games),
        "closing_out": form.closing(games, hands),
        "comebacks": form.comebacks(games, hands),
        "first_hands": handstats.first_hands(games, hands),
        "last_hands": handstats.last_hands(games, hands),
        "lengths": handstats.lengths(games),
        "meld": handstats.meld_worth(hands),
        "meld_share": handstats.meld_share(hands),
        "biggest_hands": handstats.biggest_hands(games, hands),
        "records": form.records(games, hands),
    }


def strength_tables(frames: Frames, ranking: str | None = None,
                    league: League | None = None) -> dict[str, pd.DataFrame]:
    """How strong the teams and their opponents were, by games and by hands, and who may still come first."""
    games, left = frames.games, left_to_play(frames)
    strengths = bradley_terry(games)
    return {
        "strength_by_games": strengths,
        "strength_by_hands": hand_strength(games, frames.hands),
        "schedule_strength": schedule_strength(games, strengths, left),
        "title_odds": title_odds(games, _way(ranking, league), league.names if league else None,
                                 left=left[["we", "they"]]),
    }


def left_to_play(frames: Frames) -> pd.DataFrame:
    """What is still to be played: by the schedule, or else every pair that has not met; week, date, we, they.

    The schedule's tournament stands first; without a schedule week and date are empty.
    """
    if len(frames.fixtures):
        return remaining(frames.fixtures)
    pairs = still_to_meet(frames.games).set_axis(["we", "they"], axis=1)
    empty = remaining(frames.fixtures)
    return pd.concat([empty, pairs.astype(dict.fromkeys(pairs.columns, empty["we"].dtype))])[list(empty.columns)]


def tie_breaks(ranking: str | None = None, league: League | None = None) -> pd.DataFrame:
    """What the table goes by, in order: place, criterion, meaning."""
    criteria = criteria_of(ranking, league)
    rows = [(place, name, CRITERIA[name]) for place, name in enumerate(criteria, 1)]
    return pd.DataFrame(rows, columns=["place", "criterion", "meaning"])


def _way(ranking: str | None, league: League | None) -> str:
    """The ranking, for what goes by its first two criteria only."""
    criteria_of(ranking, league)
    return ranking or (league.ranking if league else next(iter(RANKINGS)))
