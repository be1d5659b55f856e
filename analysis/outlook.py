"""How the race for the title looked from each week: the chance of the first place, with what was known then."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.strength import title_odds

#: Draws of all weeks together: a second's work, and 3 % of error at most for a chance in a season of thirty weeks.
_DRAWS = 8000


def odds_by_week(games: pd.DataFrame, ranking: str = "games", teams: Sequence[str] | None = None,
                 draws: int | None = None, seed: int = 0) -> pd.DataFrame:
    """Chance of each team to end first once every pair has met, told after each week with the games up to it.

    The model is that of :func:`analysis.strength.title_odds`; a team that shares the first place counts as first.

    Args:
        games: the frame ``games``; those of no known week count from the last week on.
        teams: the league; by default every team with a game in the season.
        draws: for each week; by default 1,000, in seasons of more than eight weeks so many fewer that the sum is 8,000.

    Returns:
        week, team, chance, low, high (95 %, of the simulation alone), remaining (games the team had left), best first
        within a week.
    """
    if teams is None:
        teams = sorted({*games["we"].dropna(), *games["they"].dropna()})
    weeks = sorted(int(week) for week in games["week"].dropna().unique())
    draws = draws or min(1000, max(100, _DRAWS // max(len(weeks), 1)))
    parts = []
    for week in weeks:
        known = games if week == weeks[-1] else games[(games["week"] <= week).fillna(False).astype(bool)]
        parts.append(title_odds(known, ranking, teams, draws, seed).assign(week=week))
    columns = ["week", "team", "chance", "low", "high", "remaining"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns).astype(
        {"chance": float, "week": int})
