"""Schedules, strengths, odds and doubtful tables, against closed forms, exhaustive counting and simulated truth."""

from __future__ import annotations

import dataclasses
import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from simulated import NAMES, Game, Hand, result_of, save

import analysis
from analysis import schemas
from analysis.doubt import doubtful_standings
from analysis.schedule import met_too_often, round_robin, still_to_meet
from analysis.strength import bradley_terry, title_odds
from scanner.season.store import open_season
from scanner.sheet.errors import InputError
from scanner.sheet.results import CellResult, Label, PhotoResult, SheetResult


def games(results: list[tuple[str, str, int, int]]) -> pd.DataFrame:
    """Finished games: we, they and both totals."""
    rows = [(str(i), None, we, they, a, b, "we" if a > b else "they" if b > a else None)
            for i, (we, they, a, b) in enumerate(results)]
    frame = pd.DataFrame(rows, columns=["game_id", "date", "we", "they", "we_total", "they_total", "winner_side"])
    return frame.assign(date=pd.to_datetime(frame["date"])).astype({
        "we_total": schemas.INT, "they_total": schemas.INT, "winner_side": schemas.TEXT, "we": schemas.TEXT,
        "they": schemas.TEXT})


@pytest.mark.parametrize("n", range(2, 9))
def test_a_round_robin_has_every_pair_once_and_no_team_twice_a_week(n):
    table = round_robin(NAMES[:n])
    pairs = [frozenset(p) for p in zip(table["we"], table["they"], strict=True)]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, combinations(NAMES[:n], 2)))
    assert table["week"].nunique() == (n - 1 if n % 2 == 0 else n)
    for _, week in table.groupby("week"):
        names = [*week["we"], *week["they"]]
        assert len(set(names)) == len(names)


def test_a_team_named_twice_is_refused():
    for teams in (["A", "B", "A"], ["A"], []):
        with pytest.raises(InputError, match="two or more different teams"):
            round_robin(teams)


def test_who_still_has_to_meet_and_who_met_too_often():
    played = games([("A", "B", 510, 400), ("B", "A", 510, 400), ("C", "A", 510, 400)])
    assert still_to_meet(played).to_numpy().tolist() == [["B", "C"]]
    assert still_to_meet(played, ["A", "B", "D"]).to_numpy().tolist() == [["A", "D"], ["B", "D"]]
    assert met_too_often(played).to_numpy().tolist() == [["A", "B", 2]]


def test_strengths_of_two_teams_agree_with_the_closed_form():
    """Without a prior the difference is the log odds of the games won, with variance n / (w (n - w))."""
    table = bradley_terry(games([("A", "B", 510, 400)] * 30 + [("B", "A", 510, 400)] * 10), prior=1e3)
    gap = table["strength"][0] - table["strength"][1]
    assert table["team"].tolist() == ["A", "B"] and table["games"].tolist() == [40, 40]
    assert gap == pytest.approx(math.log(3), abs=1e-5)
    assert 1 / (1 + math.exp(-gap)) == pytest.approx(0.75, abs=1e-6)


def test_the_prior_agrees_with_a_grid_over_all_strengths():
    """Posterior mode of two teams with one game between them, by brute force."""
    table = bradley_terry(games([("A", "B", 510, 400)]), prior=0.5).set_index("team")["strength"]
    grid = np.linspace(-2, 2, 2001)
    a, b = grid[:, None], grid[None, :]
    log_posterior = -np.log1p(np.exp(b - a)) - (a**2 + b**2) / (2 * 0.25)
    i, j = np.unravel_index(np.argmax(log_posterior), log_posterior.shape)
    assert (table["A"], table["B"]) == pytest.approx((grid[i], grid[j]), abs=2e-3)


def test_equal_teams_are_equal_and_a_tie_is_half_a_win():
    table = bradley_terry(games([("A", "B", 520, 520)]))
    assert table["strength"].tolist() == pytest.approx([0, 0], abs=1e-9)
    assert len(bradley_terry(games([]))) == 0


def test_intervals_of_strengths_cover_the_truth():
    """200 leagues drawn from the prior itself; 1,600 intervals should cover 95 % within 1.5 points."""
    rng, covered = np.random.default_rng(5), []
    for _ in range(200):
        truth = rng.normal(0, 0.5, 8)
        results = []
        for i, j in combinations(range(8), 2):
            a_wins = rng.random() < 1 / (1 + np.exp(truth[j] - truth[i]))
            results.append((NAMES[i], NAMES[j], *((510, 400) if a_wins else (400, 510))))
        table = bradley_terry(games(results)).set_index("team").loc[list(NAMES)]
        covered += list((table["low"] <= truth) & (truth <= table["high"]))
    assert abs(np.mean(covered) - 0.95) <= 0.015


def test_odds_agree_with_playing_out_every_case():
    """A and B lead with a win each; C and D have none. With all strengths known to be equal, 4 games are left."""
    played = games([("A", "C", 500, 400), ("B", "D", 500, 400)])
    table = title_odds(played, draws=20000, prior=1e-6).set_index("team")
    left = [("A", "B"), ("A", "D"), ("B", "C"), ("C", "D")]
    first = dict.fromkeys("ABCD", 0)
    for winners in product((0, 1), repeat=4):
        won = {"A": 1, "B": 1, "C": 0, "D": 0}
        points = {"A": 500, "B": 500, "C": 400, "D": 400}
        for pair, winner in zip(left, winners, strict=True):
            won[pair[winner]] += 1
            points[pair[winner]] += 500
            points[pair[1 - winner]] += 400
        best = max((won[t], points[t]) for t in "ABCD")
        for team in "ABCD":
            first[team] += (won[team], points[team]) == best
    for team in "ABCD":
        assert table.loc[team, "chance"] == pytest.approx(first[team] / 16, abs=0.015)
    assert table["remaining"].to_dict() == dict.fromkeys("ABCD", 2)
    assert title_odds(played, draws=200).equals(title_odds(played, draws=200))


def test_a_finished_league_has_no_odds_left():
    table = title_odds(games([("A", "B", 500, 400)]))
    assert table["chance"].tolist() == [1.0, 0.0]


def game_of(totals: list[tuple[int, int]]) -> Game:
    return Game("", "", None, tuple(Hand(1, 1, a, b, None, "we", 0) for a, b in totals))


def photo(name: str, we: str, they: str, totals, choices=None) -> PhotoResult:
    game = result_of(game_of(totals))
    if choices:
        (row, key), options = choices
        rows = list(game.rows)
        cell = CellResult(options[0][0], options[0][1], True, choices=tuple(options))
        rows[row] = dataclasses.replace(rows[row], cells=rows[row].cells | {key: cell})
        game = dataclasses.replace(game, rows=tuple(rows))
    sheet = SheetResult("evansville", 1.0, ((0.0, 0.0),) * 4, (game,), {"we": Label(we, 1.0), "they": Label(they, 1.0)})
    return PhotoResult(name, (name * 64)[:64], 1, 1, (sheet,))


def test_a_doubtful_total_gives_ranks_their_probability(tmp_path):
    """A or B won their game, 3 to 1, and whoever did leads; the doubt about D's first hand moves nobody."""
    path = tmp_path / "season.db"
    winner = ((1, "we_total"), (("510", 0.75), ("310", 0.25)))
    nothing = ((0, "we_total"), (("200", 0.5), ("206", 0.5)))
    with open_season(path) as season:
        season.add_photo(photo("a", "A", "C", [(400, 300), (510, 300)]))
        season.add_photo(photo("b", "B", "C", [(400, 300), (510, 300)]))
        season.add_photo(photo("c", "A", "B", [(200, 300), (510, 505)], winner))
        season.add_photo(photo("d", "D", "E", [(200, 300), (510, 400)], nothing))
    table = doubtful_standings(analysis.load(path), draws=10000)
    ranks = table.ranks.set_index("team")
    assert ranks.index.tolist() == ["A", "B", "D", "C", "E"]
    assert ranks["probability"].tolist() == pytest.approx([0.75, 0.75, 1, 1, 1], abs=0.02)
    assert ranks["open_games"].to_dict() == {"A": 1, "B": 1, "C": 0, "D": 1, "E": 1}
    assert table.answers["cell_id"].tolist() == ["cccccccc/1/1/2/we_total"]


def test_the_chance_of_a_rank_is_the_chance_of_the_reading(tmp_path):
    path = tmp_path / "season.db"
    with open_season(path) as season:
        winner = ((1, "we_total"), (("510", 0.7), ("310", 0.3)))
        season.add_photo(photo("a", "A", "B", [(300, 300), (510, 500)], winner))
    table = doubtful_standings(analysis.load(path), draws=20000)
    ranks = table.ranks.set_index("team")
    assert ranks.loc["A", "rank"] == 1
    assert ranks.loc["A", "probability"] == pytest.approx(0.7, abs=0.015)
    assert table.answers["cell_id"].tolist() == ["aaaaaaaa/1/1/2/we_total"]
    assert table.answers["moves"][0] == pytest.approx(0.7, abs=0.015)
    with open_season(path) as season:
        season.answer("aaaaaaaa/1/1/2/we_total", "510", "Ruth")
    ranks = doubtful_standings(analysis.load(path)).ranks
    assert ranks["probability"].tolist() == [1.0, 1.0] and ranks["team"].tolist() == ["A", "B"]


def test_without_doubt_the_doubtful_table_is_the_table(tmp_path):
    from simulated import season as league

    save(tmp_path / "season.db", league(8, teams=6))
    frames = analysis.load(tmp_path / "season.db")
    told = doubtful_standings(frames, draws=10).ranks
    table = analysis.standings(frames.games)
    assert told[["team", "rank"]].to_numpy().tolist() == table[["team", "rank"]].to_numpy().tolist()
    assert (told["probability"] == 1).all()
