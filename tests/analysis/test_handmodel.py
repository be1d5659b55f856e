"""Strength by hands against closed forms, another way to solve it, and simulated truth; schedules worked by hand."""

from __future__ import annotations

import statistics
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from analysis import schemas
from analysis.handmodel import hand_strength, schedule_strength

Row = tuple[str, str, int, int]


def frames(rows: list[Row], hands_a_game: int = 5) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Hands (we, they, both points) dealt out to games of their pair."""
    ids = [f"{we}-{they}-{i // hands_a_game}" for i, (we, they, _, _) in enumerate(rows)]
    hands = pd.DataFrame({"game_id": ids, "we_points": [r[2] for r in rows], "they_points": [r[3] for r in rows]})
    hands = hands.astype({"we_points": schemas.INT, "they_points": schemas.INT})
    games = pd.DataFrame({"game_id": ids, "we": [r[0] for r in rows], "they": [r[1] for r in rows]})
    return games.drop_duplicates("game_id", ignore_index=True), hands


def test_two_teams_agree_with_the_closed_form():
    """Without a prior the difference is the mean margin, with variance spread² / n."""
    rng = np.random.default_rng(1)
    gaps = rng.normal(20, 80, 60).round()
    games, hands = frames([("A", "B", int(100 + g), 100) for g in gaps])
    table = hand_strength(games, hands, prior=1e4).set_index("team")
    assert table.loc["A", "strength"] - table.loc["B", "strength"] == pytest.approx(gaps.mean(), rel=1e-4)
    chance = statistics.NormalDist().cdf(table.loc["A", "strength"] * np.sqrt(5) / gaps.std())
    assert table.loc["A", "chance"] == pytest.approx(chance, rel=1e-3)
    assert table["hands"].tolist() == [60, 60]


def test_the_posterior_agrees_with_least_squares_on_prior_rows():
    """A ridge is least squares with one made-up observation of zero a team."""
    rng, names, rows = np.random.default_rng(2), "ABCDE", []
    for a, b in combinations(names, 2):
        rows += [(a, b, int(x), int(y)) for x, y in rng.integers(0, 200, (7, 2))]
    table = hand_strength(*frames(rows), prior=12.0).set_index("team").loc[list(names)]
    design = np.array([[(n == a) - (n == b) for n in names] for a, b, _, _ in rows], dtype=float)
    gap = np.array([x - y for *_, x, y in rows], dtype=float)
    spread = np.sqrt(np.mean((gap - design @ table["strength"].to_numpy()) ** 2))
    for _ in range(3):
        tall = np.vstack([design / spread, np.eye(5) / 12.0])
        found = np.linalg.lstsq(tall, np.concatenate([gap / spread, np.zeros(5)]), rcond=None)[0]
        spread = np.sqrt(np.mean((gap - design @ found) ** 2))
    assert table["strength"].tolist() == pytest.approx(found.tolist(), abs=1e-3)
    half = 1.959964 * np.sqrt(np.diag(np.linalg.inv(tall.T @ tall)))
    assert (table["high"] - table["strength"]).tolist() == pytest.approx(half.tolist(), rel=1e-3)


def test_intervals_cover_the_truth():
    """200 leagues of 6 teams drawn from the prior: 1,200 intervals should cover 95 % within 2 points."""
    rng, names, covered = np.random.default_rng(3), "ABCDEF", []
    for _ in range(200):
        truth, rows = dict(zip(names, rng.normal(0, 15, 6), strict=True)), []
        for a, b in combinations(names, 2):
            rows += [(a, b, int(300 + g), 300) for g in rng.normal(truth[a] - truth[b], 90, 6).round()]
        for row in hand_strength(*frames(rows, 6)).itertuples():
            covered.append(row.low <= truth[row.team] <= row.high)
    assert abs(np.mean(covered) - 0.95) <= 0.02


def test_hands_without_points_or_names_tell_nothing():
    games, hands = frames([("A", "B", 100, 62), ("A", "B", 62, 100), ("A", "C", 500, 0)], 1)
    hands.loc[1, "we_points"] = pd.NA
    games.loc[2, "they"] = None
    table = hand_strength(games, hands)
    assert table["team"].tolist() == ["A", "B"] and table["hands"].tolist() == [1, 1]
    assert len(hand_strength(games.iloc[:0], hands)) == 0


def test_the_strength_of_a_schedule_is_the_mean_of_the_opponents():
    rows = [("A", "B", "we"), ("A", "C", "they"), ("B", "C", "we"), ("A", "B", "we")]
    games = pd.DataFrame({
        "game_id": list("0123"), "date": pd.NaT, "we": [r[0] for r in rows], "they": [r[1] for r in rows],
        "we_total": 510, "they_total": 500, "winner_side": [r[2] for r in rows], "source": ["photo"] * 3 + ["forfeit"]})
    strengths = pd.DataFrame({"team": ["A", "B", "C", "D"], "strength": [1.0, 0.0, -2.0, 5.0]})
    left = pd.DataFrame({"we": ["D", "A"], "they": ["A", "C"]})
    table = schedule_strength(games, strengths, left).set_index("team")
    assert table["met"].to_dict() == {"A": 2, "B": 2, "C": 2, "D": 0}
    assert table["met_strength"].fillna(99).to_dict() == {"C": 0.5, "B": -0.5, "A": -1.0, "D": 99}
    assert table["left_strength"].fillna(99).to_dict() == {"A": 1.5, "B": 99, "C": 1.0, "D": 1.0}
    assert table.index[0] == "C" and "left" not in schedule_strength(games, strengths)
