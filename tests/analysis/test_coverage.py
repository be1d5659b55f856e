"""Intervals of the tables themselves, made from whole seasons of known rates, hold the truth as often as they say.

``benchmarks/season_intervals.py`` does the same with 1,000 seasons of simulated card play.
"""

from __future__ import annotations

import random
from itertools import combinations

import pandas as pd
import pytest
from simulated import NAMES, play

from analysis import handstats, schemas, stats

SEASONS, SET_RATE = 250, 0.2


@pytest.fixture(scope="module")
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Team tables over 250 single round robins of six teams, a team called season/name: 1,500 intervals a kind."""
    rng, games, hands = random.Random(9), [], []
    for season in range(SEASONS):
        for we, they in combinations(NAMES[:6], 2):
            game, key = play(rng, f"{season}/{we}", f"{season}/{they}", None, SET_RATE), str(len(games))
            games.append((key, pd.NaT, game.we, game.they))
            hands += [(key, i, h.we, h.they, h.we_total, h.they_total, h.set, h.maker, h.meld)
                      for i, h in enumerate(game.hands, 1)]
    table = pd.DataFrame(games, columns=["game_id", "date", "we", "they"]).astype(
        {"we": schemas.TEXT, "they": schemas.TEXT})
    columns = ["game_id", "hand", "we_points", "they_points", "we_total", "they_total", "set", "maker", "meld"]
    texts = {"game_id", "set", "maker"}
    rows = pd.DataFrame(hands, columns=columns).astype({c: schemas.TEXT if c in texts else schemas.INT
                                                        for c in columns})
    return stats.team_table(table, rows), handstats.team_hand_table(table, rows)


@pytest.mark.parametrize(("which", "key", "truth"), [
    (0, "make", 0.5), (0, "set", SET_RATE), (1, "kept", 1 - SET_RATE), (1, "inflicted", SET_RATE), (1, "best", 0.5)])
def test_rates(tables, which, key, truth):
    table = tables[which]
    held = (table[f"{key}_low"] <= truth) & (truth <= table[f"{key}_high"])
    assert len(held) == 6 * SEASONS and abs(held.mean() - 0.95) <= 0.02


@pytest.mark.parametrize(("which", "key", "n"), [(0, "average", "hands"), (1, "meld", "meld_n")])
def test_means(tables, which, key, n):
    """The truth is the mean of all hands of all seasons together."""
    table = tables[which]
    truth = (table[key] * table[n].astype(float)).sum() / table[n].astype(float).sum()
    held = (table[f"{key}_low"] <= truth) & (truth <= table[f"{key}_high"])
    assert abs(held.mean() - 0.95) <= 0.02
