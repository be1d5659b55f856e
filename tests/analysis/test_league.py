"""The table against plain Python, and hand-worked cases of its rules."""

from __future__ import annotations

import random
from collections import defaultdict

import pandas as pd
import pytest
from simulated import NAMES, Game, Hand, play, season

from analysis import schemas
from analysis.league import not_counted, standings, team_results
from scanner.sheet.errors import InputError

COLUMNS = ["rank", "team", "played", "won", "lost", "tied", "points_for", "points_against"]


def frame(games: list[Game]) -> pd.DataFrame:
    columns = ["game_id", "date", "we", "they", "we_total", "they_total", "winner_side", "photo"]
    rows = [(str(i), g.date, g.we, g.they, *g.totals, g.winner, "x.jpg") for i, g in enumerate(games)]
    table = pd.DataFrame(rows, columns=columns)
    table["date"] = pd.to_datetime(table["date"])
    return table.astype({"we_total": schemas.INT, "they_total": schemas.INT, "winner_side": schemas.TEXT,
                         "we": schemas.TEXT, "they": schemas.TEXT})


def plain_table(games: list[Game], ranking: str) -> list[tuple]:
    """The same league table by counting on fingers."""
    teams = defaultdict(lambda: {"played": 0, "won": 0, "lost": 0, "tied": 0, "for": 0, "against": 0})
    for game in games:
        we, they = game.totals
        if game.winner is None and not (we == they >= 500):
            continue
        for name, own, other in ((game.we, we, they), (game.they, they, we)):
            team = teams[name]
            team["played"] += 1
            team["for"] += own
            team["against"] += other
            team["won" if own > other else "lost" if own < other else "tied"] += 1

    def key(name: str) -> tuple:
        return (-teams[name]["won"], -teams[name]["for"]) if ranking == "games" else (-teams[name]["for"],)

    order = sorted(teams, key=lambda name: (key(name), name))
    return [(1 + sum(key(other) < key(name) for other in order), name, *teams[name].values()) for name in order]


@pytest.mark.parametrize("ranking", ["games", "points"])
def test_a_hundred_seasons_agree_with_plain_python(ranking):
    for seed in range(100):
        rng = random.Random(seed)
        games = season(seed, teams=rng.randrange(2, 8))
        games += [play(rng, *rng.sample(NAMES, 2), None, most=rng.randrange(1, 4)) for _ in range(3)]
        rows = list(standings(frame(games), ranking)[COLUMNS].itertuples(index=False, name=None))
        assert rows == plain_table(games, ranking)


def finished(we: str, they: str, we_total: int, they_total: int) -> Game:
    return Game(we, they, "2026-01-05", (Hand(we_total, they_total, we_total, they_total, None, "we", 0),))


def test_equal_teams_share_the_lower_rank_and_the_next_is_skipped():
    games = [finished("A", "B", 510, 400), finished("C", "D", 510, 400), finished("E", "F", 505, 400)]
    table = standings(frame(games))
    assert list(table.columns) == [*COLUMNS, "tie_break"]
    assert table["tie_break"].fillna("").tolist() == ["shared", "shared", "points_for", "shared", "shared", "shared"]
    assert list(zip(table["rank"], table["team"], strict=True)) == [
        (1, "A"), (1, "C"), (3, "E"), (4, "B"), (4, "D"), (4, "F")]


def test_games_won_come_before_points_and_by_points_alone_they_do_not():
    games = [finished("A", "B", 500, 499), finished("A", "B", 500, 499), finished("B", "A", 700, 0)]
    assert standings(frame(games), "games")["team"].tolist() == ["A", "B"]
    assert standings(frame(games), "points")["team"].tolist() == ["B", "A"]
    assert standings(frame(games), "points")["won"].tolist() == [1, 2]


def test_a_tie_at_the_target_counts_as_tied():
    table = standings(frame([finished("A", "B", 520, 520)]))
    assert table[["rank", "played", "won", "lost", "tied"]].to_numpy().tolist() == [[1, 1, 0, 0, 1]] * 2


def test_what_is_not_counted_is_listed_with_the_reason():
    games = frame([finished("A", "B", 520, 400), finished("A", "B", 320, 400), finished("A", "A", 520, 400),
                   finished("A", "B", 520, 400), finished("A", "B", 520, 400), finished("A", "B", 450, 450)])
    games.loc[3, "we"] = None
    games.loc[4, "they_total"] = pd.NA
    left = not_counted(games)
    assert dict(zip(left["game_id"], left["reason"], strict=True)) == {
        "1": "nobody has won yet", "2": "a team against itself", "3": "a team's name is not known",
        "4": "a final total is not known", "5": "nobody has won yet"}
    assert standings(games)["played"].tolist() == [1, 1]


def test_every_game_gives_two_results_that_mirror_each_other():
    results = team_results(frame(season(3)))
    for _, pair in results.groupby("game_id"):
        one, two = pair.to_dict("records")
        assert (one["team"], one["points"], one["won"]) == (two["opponent"], two["against"], two["lost"])


def test_an_unknown_ranking_is_refused():
    with pytest.raises(InputError, match="'games' or 'points'"):
        standings(frame([]), "luck")
