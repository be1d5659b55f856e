"""How strong the teams are and who may still win: Bradley and Terry's model with its uncertainty, and draws from it.

R. A. Bradley and M. E. Terry, Biometrika 39 (1952): a team of strength a beats one of strength b with probability
1 / (1 + exp(b - a)).  A normal prior keeps teams that won or lost everything finite; with it the posterior is near
enough to normal for the intervals given here (Laplace's approximation).
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pandas as pd

from analysis.league import RANKINGS, TARGET, team_results
from analysis.schedule import not_met

#: Prior standard deviation of strengths on the logit scale. 0.5 lets the better of two typical teams win 64 % of games,
#: about what one would expect of a game that is half cards; a league of one round cannot tell it from its own data.
#: Simulated teams, from those that merely follow the rules to those that count every card, differ by 0.18 only: if
#: people are no more unlike, these intervals are too wide (they held the truth in 99.9 %, not 95 % of such seasons).
PRIOR = 0.5


def bradley_terry(games: pd.DataFrame, prior: float = PRIOR, level: float = 0.95) -> pd.DataFrame:
    """Strengths of the teams, strongest first. A tie counts as half a game won by each.

    Args:
        prior: standard deviation of the normal prior, in logits.

    Returns:
        team, games, strength, low, high (logits, 0 is the average team), chance (to beat the average team).
    """
    teams, mean, covariance, played = _fit(team_results(games), prior)
    half = NormalDist().inv_cdf(0.5 + level / 2) * np.sqrt(np.diag(covariance))
    table = pd.DataFrame({"team": teams, "games": played, "strength": mean, "low": mean - half, "high": mean + half,
                          "chance": 1 / (1 + np.exp(-mean))})
    return table.sort_values(["strength", "team"], ascending=[False, True], ignore_index=True)


def title_odds(games: pd.DataFrame, ranking: str = "games", teams: Sequence[str] | None = None, draws: int = 4000,
               seed: int = 0, prior: float = PRIOR, left: pd.DataFrame | None = None) -> pd.DataFrame:
    """Chance of each team to end first once the rest is played, by playing the remaining games many times.

    Each time the strengths are drawn from their posterior, winners from the strengths, and both totals from those of
    games already played. The table goes by the first two criteria of the ranking; a first place shared by them counts
    for all who share it.

    Args:
        left: the remaining games, two columns of teams (``remaining(frames.fixtures)[["we", "they"]]``); by default
            every pair that has not met.

    Returns:
        team, remaining (games left), chance, low, high: 95 % simulation error only; best first.
    """
    results = team_results(games)
    left = not_met(results, teams) if left is None else left
    teams = sorted({*(teams or ()), *left.to_numpy().ravel(), *results["team"].unique()})
    names, mean, covariance, _ = _fit(results, prior, teams)
    place = {name: i for i, name in enumerate(names)}
    pairs = np.array([(place[a], place[b]) for a, b in left.itertuples(index=False)], dtype=int).reshape(-1, 2)
    first = _play_out(_ends(results), pairs, (mean, covariance), _now(results, names), RANKINGS[ranking], draws, seed)
    chance = first.mean(axis=0)
    error = NormalDist().inv_cdf(0.975) * np.sqrt(chance * (1 - chance) / draws)
    remaining = np.bincount(pairs.ravel(), minlength=len(names))
    table = pd.DataFrame({"team": names, "remaining": remaining, "chance": chance, "low": np.maximum(chance - error, 0),
                          "high": np.minimum(chance + error, 1)})
    return table.sort_values(["chance", "team"], ascending=[False, True], ignore_index=True)


def _fit(results: pd.DataFrame, prior: float, teams: Sequence[str] | None = None) -> tuple:
    """Team names, posterior mean and covariance of their strengths, games played; Newton's method."""
    results = results[~results["forfeit"]]
    names = sorted({*results["team"].unique(), *(teams or ())})
    team, other = (_places(names, results[key]) for key in ("team", "opponent"))
    score = (results["won"].astype(float) + 0.5 * results["tied"].astype(float)).to_numpy(dtype=float)
    wins = np.zeros((len(names), len(names)))
    np.add.at(wins, (team, other), score)
    n = wins + wins.T
    strength = np.zeros(len(names))
    for _ in range(50):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = wins.sum(axis=1) - (n * chance).sum(axis=1) - strength / prior**2
        curve = n * chance * (1 - chance)
        bend = np.diag(curve.sum(axis=1) + 1 / prior**2) - curve
        step = np.linalg.solve(bend, slope) if len(names) else slope
        strength = strength + step
        if not len(names) or np.abs(step).max() < 1e-10:
            break
    covariance = np.linalg.inv(bend) if len(names) else np.zeros((0, 0))
    return names, strength, covariance, np.bincount(team, minlength=len(names))


def _places(names: list[str], column: pd.Series) -> np.ndarray:
    return pd.Index(names, dtype=object).get_indexer(column.astype(object))


def _now(results: pd.DataFrame, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Games won and game points so far, forfeits included."""
    place = _places(names, results["team"])
    return tuple(np.bincount(place, results[key].to_numpy(dtype=float), len(names)) for key in ("won", "points"))


def _play_out(ends: np.ndarray, pairs: np.ndarray, strengths: tuple, now: tuple, by: tuple[str, ...], draws: int,
              seed: int) -> np.ndarray:
    """Whether each team ended first, boolean, shape (draws, teams)."""
    rng = np.random.default_rng(seed)
    mean, covariance = strengths
    won, points = (np.tile(values, (draws, 1)) for values in now)
    if not len(mean):
        return np.zeros((draws, 0), dtype=bool)
    drawn = rng.multivariate_normal(mean, covariance, draws, method="cholesky")
    if not len(ends):  # nobody has won yet: any plausible end will do
        ends = np.array([[TARGET + 20.0, TARGET - 120.0]])
    rows = np.arange(draws)
    for one, two in pairs:
        one_wins = rng.random(draws) < 1 / (1 + np.exp(drawn[:, two] - drawn[:, one]))
        end = ends[rng.integers(len(ends), size=draws)]
        winner, loser = np.where(one_wins, one, two), np.where(one_wins, two, one)
        won[rows, winner] += 1
        points[rows, winner] += end[:, 0]
        points[rows, loser] += end[:, 1]
    # Wins weigh more than any points can, where the ranking goes by them first.
    key = points + (won * 1e6 if by[0] == "won" else 0)
    return key == key.max(axis=1, keepdims=True)


def _ends(results: pd.DataFrame) -> np.ndarray:
    """Final totals (winner's, loser's) of the games played, shape (n, 2)."""
    return results.loc[results["won"] & ~results["forfeit"], ["points", "against"]].to_numpy(dtype=float)
