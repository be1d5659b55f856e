"""Strength from hands rather than games: the mean points by which teams outscore each other, with its uncertainty.

A game says who won; its five or six hands say by how much, so there is more to learn from them.  The points of we less
those of they on a hand are taken as normal around the difference of the teams' strengths, strengths as normal around
zero: linear regression with a ridge (A. E. Hoerl and R. W. Kennard, Technometrics 12, 1970), whose posterior is closed.
A hand's points are far from normal (a set gives one side nothing), but dozens of hands a team are averaged.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pandas as pd

from analysis.league import played_at_the_table, team_results
from analysis.schemas import INT

#: Prior standard deviation of strengths, points a hand. Between simulated teams, from those that merely follow the
#: rules to those that count every card, 30 points a hand go with one logit of winning a game (5.3 points and 0.18
#: logits are their standard deviations: benchmarks/season_intervals.py); so this is the prior of strength.PRIOR.
PRIOR = 15.0


def hand_strength(games: pd.DataFrame, hands: pd.DataFrame, prior: float = PRIOR, level: float = 0.95) -> pd.DataFrame:
    """Strengths of the teams by their hands, strongest first.

    Args:
        prior: standard deviation of the normal prior, points a hand.

    Returns:
        team, hands, strength, low, high (points a hand beyond an average team's), chance (to win a game of usual length
        against an average team, were hands independent).
    """
    margins = _margins(games, hands)
    names = sorted({*margins["we"].unique(), *margins["they"].unique()})
    we, they = (pd.Index(names, dtype=object).get_indexer(margins[side].astype(object)) for side in ("we", "they"))
    gap = margins["gap"].to_numpy(dtype=float)
    mean, covariance, spread = _posterior(we, they, gap, len(names), prior)
    half = NormalDist().inv_cdf(0.5 + level / 2) * np.sqrt(np.diag(covariance))
    played = np.bincount(we, minlength=len(names)) + np.bincount(they, minlength=len(names))
    usual = len(gap) / max(margins["game_id"].nunique(), 1)
    chance = [NormalDist().cdf(s * np.sqrt(usual) / spread) for s in mean]
    table = pd.DataFrame({"team": names, "hands": played, "strength": mean, "low": mean - half, "high": mean + half,
                          "chance": np.array(chance, dtype=float)})
    return table.sort_values(["strength", "team"], ascending=[False, True], ignore_index=True).astype({"hands": INT})


def schedule_strength(games: pd.DataFrame, strengths: pd.DataFrame, left: pd.DataFrame | None = None) -> pd.DataFrame:
    """How strong the opponents were, and those still to come are, by a table of strengths; hardest way first.

    Args:
        strengths: columns team, strength, from :func:`analysis.strength.bradley_terry` or :func:`hand_strength`.
        left: games to come, columns we and they (:func:`analysis.fixtures.remaining`).

    Returns:
        team, met (games), met_strength (mean of the opponents'), left, left_strength; in the unit of ``strengths``,
        missing where there was no game. Forfeits are left out: nobody had to beat anybody.
    """
    known = strengths.set_index("team")["strength"].astype(float)
    met = team_results(played_at_the_table(games))[["team", "opponent"]]
    ways = {"met": met}
    if left is not None:
        turned = left.rename(columns={"we": "they", "they": "we"})
        ways["left"] = pd.concat([left, turned])[["we", "they"]].set_axis(["team", "opponent"], axis=1)
    table = pd.DataFrame(index=pd.Index(sorted(known.index), name="team"))
    for name, pairs in ways.items():
        faced = pairs.assign(strength=pairs["opponent"].map(known).astype(float)).groupby("team")["strength"]
        table[name] = faced.size().reindex(table.index).fillna(0).astype(INT)
        table[f"{name}_strength"] = faced.mean().reindex(table.index)
    return table.sort_values("met_strength", ascending=False, kind="stable", na_position="last").reset_index()


def _margins(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """Points of we less those of they by hand, where both and the teams are known: game_id, we, they, gap."""
    named = games.loc[games["we"].notna() & games["they"].notna(), ["game_id", "we", "they"]]
    rows = hands[["game_id", "we_points", "they_points"]].dropna().merge(named, on="game_id")
    rows = rows[rows["we"] != rows["they"]]
    return rows.assign(gap=(rows["we_points"] - rows["they_points"]).astype(float))


def _posterior(we: np.ndarray, they: np.ndarray, gap: np.ndarray, n: int, prior: float) -> tuple:
    """Mean and covariance of the strengths, and the standard deviation of a hand's points around their difference."""
    met, moved = np.zeros((n, n)), np.zeros(n)
    np.add.at(met, (we, they), 1.0)
    np.add.at(moved, we, gap)
    np.add.at(moved, they, -gap)
    met = met + met.T
    design = np.diag(met.sum(axis=1)) - met
    spread = float(np.sqrt(np.mean(gap**2))) if len(gap) else 1.0
    mean, covariance = np.zeros(n), np.eye(n) * prior**2
    for _ in range(5):  # the spread hardly depends on the strengths, so it settles at once
        spread = max(spread, 1e-9)
        covariance = np.linalg.inv(design / spread**2 + np.eye(n) / prior**2) if n else covariance
        mean = covariance @ moved / spread**2
        spread = float(np.sqrt(np.mean((gap - mean[we] + mean[they]) ** 2))) if len(gap) else spread
    return mean, covariance, spread
