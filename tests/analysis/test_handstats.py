"""Statistics of hands against plain counting over the same games."""

from __future__ import annotations

import statistics
from collections import Counter
from itertools import groupby

import pandas as pd
import pytest
from simulated import NAMES, play, save, season

import analysis
from analysis import form, handstats, stats

TEAMS = NAMES[:5]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    import random

    games = season(31, teams=5, rounds=2)
    games.append(play(random.Random(1), "Eagles", "Owls", None, most=2))  # nobody has won it yet
    path = tmp_path_factory.mktemp("hands") / "season.db"
    save(path, games)
    return games, analysis.load(path)


def own(games, team: str) -> list[tuple]:
    """(game, hand, its points, theirs, side) of a team's hands in order."""
    rows = []
    for game in games:
        if team in (game.we, game.they):
            side = "we" if game.we == team else "they"
            for hand in game.hands:
                mine, other = (hand.we, hand.they) if side == "we" else (hand.they, hand.we)
                rows.append((game, hand, mine, other, side))
    return rows


def is_won(game, team: str) -> bool:
    return game.winner is not None and (game.we if game.winner == "we" else game.they) == team


def test_kept_inflicted_zeros_best_and_meld(loaded):
    games, frames = loaded
    table = handstats.team_hand_table(frames.games, frames.hands).set_index("team")
    for team in TEAMS:
        rows, row = own(games, team), table.loc[team]
        made = [(h, side) for _, h, _, _, side in rows if h.maker == side]
        theirs = [(h, side) for _, h, _, _, side in rows if h.maker != side]
        assert (row["kept_n"], row["kept"]) == (len(made), sum(h.set is None for h, _ in made))
        assert (row["inflicted_n"], row["inflicted"]) == (len(theirs), sum(h.set is not None for h, _ in theirs))
        zeros = sum(mine == 0 and h.set != side for _, h, mine, _, side in rows)
        assert (row["zeros_n"], row["zeros"]) == (len(rows), zeros)
        assert row["best"] == sum(mine > other for _, _, mine, other, _ in rows)
        melds = [h.meld for h, _ in made if h.meld is not None]
        assert (row["meld_n"], row["meld"]) == (len(melds), pytest.approx(statistics.mean(melds)))
        for key in ("kept", "inflicted", "zeros", "best"):
            assert row[f"{key}_low"] <= row[f"{key}_rate"] <= row[f"{key}_high"]
        assert row["meld_low"] < row["meld"] < row["meld_high"]


def test_meld_by_size_and_what_the_makers_have_of_it(loaded):
    games, frames = loaded
    made = [h for g in games for h in g.hands if h.meld is not None]
    table = handstats.meld_worth(frames.hands).set_index("meld")
    counts = {"0": 0, "20 to 40": 20, "50 to 90": 50, "100 to 150": 100, "160 and more": 160}
    assert table["hands"].to_dict() == {name: sum(h.meld == n for h in made) for name, n in counts.items()}
    assert table["share"].sum() == pytest.approx(1)
    fifty = [max(h.we, h.they) for h in made if h.meld == 50]
    assert table.loc["50 to 90", "makers"] == pytest.approx(statistics.mean(fifty))
    share = handstats.meld_share(frames.hands).iloc[0]
    slope = statistics.linear_regression([h.meld for h in made], [max(h.we, h.they) for h in made]).slope
    assert (share["n"], share["share"]) == (len(made), pytest.approx(slope))
    assert share["low"] < 1 < share["high"], "here the makers have all of the meld"


def test_the_biggest_hands(loaded):
    games, frames = loaded
    table = handstats.biggest_hands(frames.games, frames.hands, 7)
    scores = sorted((s for g in games for h in g.hands for s in (h.we, h.they)), reverse=True)
    assert table["points"].tolist() == scores[:7]


def test_first_hands(loaded):
    games, frames = loaded
    table = handstats.first_hands(frames.games, frames.hands).set_index("team")
    for team in TEAMS:
        first = [r for r in own(games, team) if r[1] is r[0].hands[0]]
        led = [r for r in first if r[2] > r[3] and r[0].winner]
        row = table.loc[team]
        assert (row["n"], row["average"]) == (len(first), pytest.approx(statistics.mean(r[2] for r in first)))
        assert (row["ahead"], row["won"]) == (len(led), sum(is_won(r[0], team) for r in led))


def test_last_hands(loaded):
    games, frames = loaded
    table = handstats.last_hands(frames.games, frames.hands).set_index("team")
    for team in TEAMS:
        last = [r for r in own(games, team) if r[0].winner and r[1] is r[0].hands[-1]]
        made = [h for _, h, _, _, side in last if h.maker == side]
        row = table.loc[team]
        assert (row["n"], row["average"]) == (len(last), pytest.approx(statistics.mean(r[2] for r in last)))
        assert (row["made"], row["kept"]) == (len(made), sum(h.set is None for h in made))


def test_lengths_margins_meetings_and_streaks(loaded):
    games, frames = loaded
    over = [g for g in games if g.winner]
    counts = Counter(len(g.hands) for g in over)
    table = handstats.lengths(frames.games)
    assert dict(zip(table["hands"], table["games"], strict=True)) == dict(counts)
    margins = stats.margins(frames.games).set_index("team")
    met = stats.meetings(frames.games).set_index(["team", "opponent"])
    runs = form.streaks(frames.games).set_index("team")
    for team in TEAMS:
        mine = [g for g in over if team in (g.we, g.they)]
        gaps = [(g.totals[0] - g.totals[1]) * (1 if g.we == team else -1) for g in mine]
        row = margins.loc[team]
        assert (row["n"], row["best"], row["worst"]) == (len(gaps), max(gaps), min(gaps))
        assert row["margin"] == pytest.approx(statistics.mean(gaps)) and row["low"] < row["margin"] < row["high"]
        wins = [gap for gap in gaps if gap > 0]
        assert row["in_wins"] == pytest.approx(statistics.mean(wins)) if wins else pd.isna(row["in_wins"])
        for other in set(TEAMS) - {team}:
            both = [g for g in mine if other in (g.we, g.they)]
            assert met.loc[(team, other), ["played", "won"]].tolist() == [len(both), sum(is_won(g, team) for g in both)]
        letters = [is_won(g, team) for g in mine]
        lasted = [(key, len(list(run))) for key, run in groupby(letters)]
        longest = [max((n for key, n in lasted if key == won), default=0) for won in (True, False)]
        assert runs.loc[team, ["longest_won", "longest_lost"]].tolist() == longest


def test_an_empty_season_has_none_of_it(loaded):
    _, frames = loaded
    games, hands = frames.games.iloc[:0], frames.hands.iloc[:0]
    for table in (handstats.team_hand_table, handstats.biggest_hands, handstats.first_hands, handstats.last_hands):
        assert len(table(games, hands)) == 0
    assert handstats.meld_worth(hands)["hands"].sum() == 0 and pd.isna(handstats.meld_share(hands)["share"][0])
    for table in (handstats.lengths, stats.meetings, stats.margins, form.streaks):
        assert len(table(games)) == 0
