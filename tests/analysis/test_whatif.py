"""Other rules: replayed games against a replay in plain Python, simulated rules against what must hold of them."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest
from simulated import result_of, save, season

import analysis
from analysis.whatif import compared, four_tens_effect, house_tables, replayed, target_effect, ties
from scanner.sheet.errors import InputError


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whatif")
    games = season(6, teams=5)
    save(folder / "season.db", games, [result_of(g) for g in games])
    return games, analysis.load(folder / "season.db")


@pytest.mark.parametrize("target", [100, 300, 400, 500])
def test_a_replayed_game_ends_with_the_first_hand_that_reaches_the_target(played, target):
    games, frames = played
    table = replayed(frames.games, frames.hands, target)
    found = table.set_index("game_id").loc[frames.games["game_id"]]
    told = {(r.we, r.they, r.date.date().isoformat()): r for r in found.itertuples()}
    for game in games:
        ends = [h for h in game.hands if max(h.we_total, h.they_total) >= target and h.we_total != h.they_total]
        last = ends[0] if ends else game.hands[-1]
        row = told[game.we, game.they, game.date]
        assert (row.we_total, row.they_total) == (last.we_total, last.they_total)
        assert row.hands == game.hands.index(last) + 1
        assert (row.winner_side if ends else None) == (("we" if last.we_total > last.they_total else "they") if ends
                                                       else None)
    assert table.index.equals(frames.games.index) and list(table) == list(frames.games)
    assert (table.dtypes == frames.games.dtypes).all()


def test_at_the_target_in_use_nothing_changes(played):
    _, frames = played
    pd.testing.assert_frame_equal(replayed(frames.games, frames.hands), frames.games)


def test_corrected_totals_give_the_corrected_winner(played):
    _, frames = played
    table = replayed(frames.games, frames.hands, totals="corrected")
    assert table["winner_side"].fillna("").tolist() == frames.games["winner_corrected"].fillna("").tolist()


def test_a_game_that_never_gets_there_has_no_winner_and_one_without_hands_no_total(played):
    _, frames = played
    first = frames.games["game_id"].iloc[0]
    short = frames.hands[(frames.hands["game_id"] != first) | (frames.hands["hand"] == 1)]
    row = replayed(frames.games, short).iloc[0]
    assert pd.isna(row["winner"]) and pd.isna(row["winner_side"]) and row["hands"] == 1
    none = replayed(frames.games, frames.hands[frames.hands["game_id"] != first]).iloc[0]
    assert pd.isna(none["we_total"]) and none["hands"] == 0


@pytest.mark.parametrize(("target", "totals", "why"), [(501, "official", "sheets end at 500"), (0, "official", "1 to"),
                                                       (500, "wished", "one of official, written, corrected")])
def test_what_sheets_cannot_say_is_refused(played, target, totals, why):
    with pytest.raises(InputError, match=why):
        replayed(played[1].games, played[1].hands, target, totals)


def test_tables_stand_side_by_side(played):
    _, frames = played
    tables = house_tables(frames.games, frames.hands)
    table = compared(tables)
    assert list(table)[1:] == list(tables) and table["as played"].is_monotonic_increasing
    assert table["team"].tolist() == analysis.standings(frames.games)["team"].tolist()


def test_a_tie_is_found_where_both_stand_level_at_the_target():
    totals = {"we_total": [500, 520, 480, None], "they_total": [500, 500, 480, 500]}
    hands = pd.DataFrame({"game_id": list("abcd"), **totals})
    assert ties(hands.astype({"we_total": "Int64", "they_total": "Int64"}))["game_id"].tolist() == ["a"]


def test_four_tens_are_worth_a_hundred_on_the_few_hands_that_have_them():
    table = four_tens_effect(3000, seed=1).set_index("four_tens")
    assert table.loc[True, "changed"] == 0
    # One side has all four tens in one hand of six: 4 * C(20, 2) / C(24, 6) of deals; no meld, so never seen to matter
    # in more hands than have it.
    most = 4 * 190 / 134_596
    low, changed = table.loc[False, "low"], table.loc[False, "changed"]
    assert 0 < changed and low <= most
    assert table.loc[False, "points"] <= table.loc[True, "points"]


def test_longer_games_last_longer_and_are_won_more_often_by_the_stronger():
    table = target_effect((100, 500, 2000), games=1500, deals=1500, seed=2)
    assert table["hands"].is_monotonic_increasing and table["won"].is_monotonic_increasing
    assert table["won"].iloc[0] < table["low"].iloc[-1]
    even = target_effect((500,), "sensible", games=1500, deals=3000, seed=3)
    assert abs(even["won"].iloc[0] - 0.5) < 0.06


def test_an_independent_count_of_how_long_games_last():
    rng, ends = random.Random(4), []
    from scanner.rules.simulate import hand_scores, simulate_batch

    scores = [s for s in hand_scores(simulate_batch(1500, np.random.default_rng(9), "sensible")) if s]
    for _ in range(800):
        we = they = number = 0
        while max(we, they) < 500 or we == they:
            hand = rng.choice(scores)
            we, they, number = we + hand.we, they + hand.they, number + 1
        ends.append(number)
    table = target_effect((500,), "sensible", games=1500, deals=1500, seed=5)
    assert abs(table["hands"].iloc[0] - np.mean(ends)) < 0.2
