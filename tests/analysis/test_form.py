"""Form, closing, comebacks and records against a walk through the games in plain Python."""

from __future__ import annotations

import pandas as pd
import pytest
from simulated import NAMES, save, season

import analysis
from analysis import form


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    games = season(21, teams=6, rounds=2)
    path = tmp_path_factory.mktemp("form") / "season.db"
    save(path, games)
    return games, analysis.load(path)


def names(game) -> tuple[str, str]:
    """Winner and loser."""
    return (game.we, game.they) if game.winner == "we" else (game.they, game.we)


def test_form_and_streaks(loaded):
    games, frames = loaded
    table = form.form(frames.games).set_index("team")
    for team in NAMES[:6]:
        own = ["W" if names(g)[0] == team else "L" for g in games if team in (g.we, g.they)]
        assert table.loc[team, "form"] == "".join(own[-5:])
        streak = len(own) - len("".join(own).rstrip(own[-1]))
        assert table.loc[team, "streak"] == (streak if own[-1] == "W" else -streak)


def test_closing(loaded):
    games, frames = loaded
    table = form.closing(frames.games, frames.hands).set_index("team")
    led, closed = dict.fromkeys(NAMES[:6], 0), dict.fromkeys(NAMES[:6], 0)
    for game in games:
        for hand in game.hands:
            if max(hand.we_total, hand.they_total) >= 400 and hand.we_total != hand.they_total:
                leader = game.we if hand.we_total > hand.they_total else game.they
                led[leader] += 1
                closed[leader] += leader == names(game)[0]
                break
    for team in table.index:
        assert (table.loc[team, "led"], table.loc[team, "closed"]) == (led[team], closed[team])
        assert table.loc[team, "low"] <= table.loc[team, "rate"] <= table.loc[team, "high"]
    assert table["led"].sum() == sum(led.values())


def test_comebacks_and_records(loaded):
    games, frames = loaded
    behind = []
    for game in games:
        sign = 1 if game.winner == "we" else -1
        behind.append(max(0, *(sign * (h.they_total - h.we_total) for h in game.hands)))
    table = form.comebacks(frames.games, frames.hands)
    assert table["behind"].tolist() == sorted(behind, reverse=True)
    best = games[behind.index(max(behind))]
    assert (table["team"][0], table["opponent"][0]) == names(best)
    told = form.records(frames.games, frames.hands).set_index("record")["value"].to_dict()
    assert told == {
        "biggest hand": max(max(h.we, h.they) for g in games for h in g.hands),
        "widest margin": max(abs(g.totals[0] - g.totals[1]) for g in games),
        "greatest comeback": max(behind),
        "shortest game": min(len(g.hands) for g in games), "longest game": max(len(g.hands) for g in games)}


def test_an_empty_season_has_no_form(loaded):
    _, frames = loaded
    games, hands = frames.games.iloc[:0], frames.hands.iloc[:0]
    for table in (form.form(games), *(f(games, hands) for f in (form.closing, form.comebacks, form.records))):
        assert isinstance(table, pd.DataFrame) and len(table) == 0
