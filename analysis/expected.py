"""Points above expectation: what a team scored less what simulated players score on hands of which as much is known.

A sheet does not show the cards. What it does show of a hand, before anybody has played it well or badly, is who made
trump; so a hand is held against the mean of simulated hands with the same maker (:func:`scanner.rules.priors.
hand_prior`, 400,000 hands among players from beginners to card counters, both sides alike).  A team's points a hand
less those of *any* simulated hand then fall into two parts that add up:

    calling  what making trump as often as the team did is worth to simulated players
    play     what the team scored beyond them on those hands

Limits: good cards and good play look alike on a sheet, and over a season's forty hands the cards weigh more: read the
intervals.  Calling on weak cards shows as a loss in play.  Opponents are taken as they came; a weak schedule looks like
strength.  The simulated players' judgement of when to call is theirs, not the league's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from analysis.intervals import LEVEL, mean_half_width
from analysis.schemas import INT
from analysis.stats import team_hands
from scanner.rules.priors import hand_prior


@dataclass(frozen=True)
class Baseline:
    """What a hand brings in simulated play.

    Attributes:
        makers, others: mean points of the side that made trump, and of the other.
        set_rate: share of hands in which the makers are set.
        scores: probability of each score of one side on one hand, from 0 up; both sides counted; sums to 1.
    """

    makers: float
    others: float
    set_rate: float
    scores: np.ndarray

    @property
    def any(self) -> float:
        """Mean points of a side, whoever made trump."""
        return (self.makers + self.others) / 2


@cache
def baseline() -> Baseline:
    """The simulated hands that come with the program; its standard errors are below 0.1 points."""
    prior = hand_prior()
    rows = [(makers, others, count) for (makers, others), count in prior.made.items()]
    rows += [(0, others, count) for others, count in prior.set.items()]
    makers, others, counts = (np.array(column) for column in zip(*rows, strict=True))
    scores = np.bincount(np.concatenate([makers, others]), np.concatenate([counts, counts]))
    return Baseline(float(np.average(makers, weights=counts)), float(np.average(others, weights=counts)),
                    prior.set_rate, scores / scores.sum())


def above_expectation(games: pd.DataFrame, hands: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Points above expectation a hand, best team first. Hands whose maker the sheet leaves open are not counted.

    Returns:
        team, hands, points (a hand), expected (by who made trump), play, low, high (points less expected, with its
        interval: hands as independent draws), calling (see the module's text), total (play and calling added), swing,
        swing_low, swing_high: the same as ``play`` for own points less the opponents', which is what wins games.
    """
    base = baseline()
    told = team_hands(games, hands)
    told = told[told["told"]].dropna(subset=["points", "against"])
    made = told["made"].to_numpy(dtype=bool)
    points, against = (told[key].to_numpy(dtype=float) for key in ("points", "against"))
    expected = np.where(made, base.makers, base.others)
    rows = pd.DataFrame({"team": told["team"], "points": points, "expected": expected, "play": points - expected,
                         "swing": points - against - np.where(made, 1, -1) * (base.makers - base.others)})
    by = rows.groupby("team", sort=True)
    table = by.mean(numeric_only=True).assign(hands=by.size().astype(INT)).reset_index()
    for key, low, high in (("play", "low", "high"), ("swing", "swing_low", "swing_high")):
        half = mean_half_width(by[key].std().to_numpy(), table["hands"].to_numpy(dtype=float), level)
        table[low], table[high] = table[key] - half, table[key] + half
    table["calling"] = table["expected"] - base.any
    table["total"] = table["play"] + table["calling"]
    table = table.sort_values(["swing", "team"], ascending=[False, True], ignore_index=True)
    return table[["team", "hands", "points", "expected", "play", "low", "high", "calling", "total", "swing",
                  "swing_low", "swing_high"]]


def hand_surprises(games: pd.DataFrame, hands: pd.DataFrame, most: int = 10) -> pd.DataFrame:
    """The hands that went furthest from expectation, one row each, furthest first.

    Returns:
        game_id, date, hand, team, opponent, points, against, made, above (the team's points less the opponents', beyond
        what simulated play gives a team in its place).
    """
    base = baseline()
    told = team_hands(games, hands)
    told = told[told["told"]].dropna(subset=["points", "against"])
    lead = np.where(told["made"].to_numpy(dtype=bool), 1, -1) * (base.makers - base.others)
    above = told["points"].to_numpy(dtype=float) - told["against"].to_numpy(dtype=float) - lead
    table = told.assign(above=above).sort_values("above", ascending=False, kind="stable", ignore_index=True)
    return table.head(most)[["game_id", "date", "hand", "team", "opponent", "points", "against", "made", "above"]]
