"""Schedules over games: forfeits, byes, strangers, games twice, what is left; hand-worked and plainly counted."""

from __future__ import annotations

import csv
import dataclasses
import random
import re
from itertools import combinations
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import NAMES, Game, Hand, play, result_of, save

import analysis
from analysis import form, stats, weeks
from analysis.fixtures import apply_league, byes, remaining
from analysis.league import not_counted
from analysis.leaguefile import Fixture, League, load_league
from analysis.ranking import CRITERIA
from analysis.sections import sections
from analysis.strength import bradley_terry
from scanner.season.store import open_season
from scanner.sheet.errors import InputError
from scanner.sheet.roster import Team


def final(we: str, they: str, we_total: int, they_total: int, day: str | None = "2026-01-05", seed: int = 0) -> Game:
    """A game of two hands; the seed makes it unlike others with the same end."""
    first = (100 + seed, 62)
    hands = (Hand(*first, *first, None, "we", 0),
             Hand(we_total - first[0], they_total - first[1], we_total, they_total, None, "we", 0))
    return Game(we, they, day, hands)


def loaded(folder, games: list[Game], league: League | None = None):
    save(folder / "season.db", games)
    return analysis.load(folder / "season.db", league)


def fixtures(*lines: tuple) -> tuple[Fixture, ...]:
    return tuple(Fixture("season", *line) for line in lines)


def reasons(frames) -> dict[str, str]:
    left = not_counted(frames.games)
    return dict(zip(left["photo"], left["reason"], strict=True))


def test_a_forfeit_is_won_by_who_came_and_is_no_evidence_of_strength(tmp_path):
    league = League(fixtures=fixtures((1, None, "A", "B", "they"), (1, None, "C", "D"), (2, None, "A", "C", "both"),
                                      (2, None, "B", "D", None), (3, None, "A", "D")))
    frames = loaded(tmp_path, [final("C", "D", 510, 400), final("B", "D", 400, 530, None)], league)
    table = analysis.standings(frames.games, league=league)
    assert table.drop(columns="tie_break").to_numpy().tolist() == [
        [1, "D", 2, 1, 1, 0, 930, 910], [2, "C", 2, 1, 1, 0, 510, 400], [3, "A", 2, 1, 1, 0, 500, 0],
        [4, "B", 2, 0, 2, 0, 400, 1030]]
    assert remaining(frames.fixtures)[["week", "we", "they"]].to_numpy().tolist() == [[3, "A", "D"]]
    assert frames.fixtures["status"].tolist() == ["forfeit", "played", "forfeit", "played", "to play"]
    assert bradley_terry(frames.games).set_index("team")["games"].to_dict() == {"B": 1, "C": 1, "D": 2}
    assert form.form(frames.games).set_index("team")["form"].to_dict() == {"A": "WL", "B": "LL", "C": "LW", "D": "WL"}
    assert set(form.records(frames.games, frames.hands)["game_id"].str.startswith("forfeit")) == {False}
    assert stats.team_table(frames.games, frames.hands)["team"].tolist() == ["B", "C", "D"]
    assert frames.games["source"].tolist() == ["typed", "typed", "forfeit", "forfeit"]


def test_points_of_a_forfeit_are_the_leagues(tmp_path):
    league = League(fixtures=fixtures((1, None, "A", "B", "we")), forfeit_points=(501, 20))
    table = analysis.standings(loaded(tmp_path, [], league).games, league=league)
    assert table[["team", "won", "points_for"]].to_numpy().tolist() == [["B", 1, 501], ["A", 0, 20]]


def test_teams_without_a_game_stand_in_the_table(tmp_path):
    league = League(teams=(Team("A"), Team("B"), Team("Z")))
    table = analysis.standings(loaded(tmp_path, [final("A", "B", 510, 400)], league).games, league=league)
    assert table[["rank", "team", "played"]].to_numpy().tolist() == [[1, "A", 1], [2, "B", 1], [3, "Z", 0]]


def test_an_alias_is_its_team_and_a_stranger_is_set_aside(tmp_path):
    league = League(teams=(Team("Eagles", ("The Eagles",)), Team("Owls"), Team("Hawks")))
    frames = loaded(tmp_path, [final("the eagles", "OWLS", 510, 400), final("Hawk", "Owls", 510, 420)], league)
    assert frames.games["we"].tolist() == ["Eagles", "Hawk"] and frames.games["winner"].tolist() == ["Eagles", "Hawk"]
    assert reasons(frames) == {"1.json": "Hawk is no team of the league; Hawks, misspelt?"}
    spellings = dict(zip(frames.teams["team"], frames.teams["spellings"], strict=True))
    assert spellings["Eagles"] == "Eagles | the eagles" and spellings["Owls"] == "Owls | OWLS"
    assert analysis.standings(frames.games)["team"].tolist() == ["Eagles", "Owls"]


def test_a_pair_that_met_too_often_is_counted_as_often_as_planned(tmp_path):
    """Of the two games the one near the planned day is the fixture."""
    league = League(fixtures=fixtures((1, "2026-01-12", "A", "B"), (2, None, "A", "C", "we"), (3, None, "B", "C")))
    games = [final("A", "B", 510, 400, "2026-01-05"), final("B", "A", 520, 400, "2026-01-13"),
             final("A", "C", 510, 400), final("C", "D", 510, 400)]
    frames = loaded(tmp_path, games, league)
    assert reasons(frames) == {"0.json": "the two met more often than the schedule says",
                               "2.json": "the schedule says it was forfeited",
                               "3.json": "D is no team of the league"}
    assert analysis.standings(frames.games)[["team", "won"]].to_numpy().tolist() == [["B", 1], ["C", 1], ["A", 0]]


def test_games_that_do_not_meet_in_the_schedule_are_set_aside(tmp_path):
    league = League(teams=tuple(map(Team, "ABC")), fixtures=fixtures((1, None, "A", "B")))
    assert reasons(loaded(tmp_path, [final("A", "C", 510, 400)], league)) == {
        "0.json": "the two do not meet in the schedule"}


def test_two_tournaments_of_one_year_are_told_apart_by_their_days(tmp_path):
    """A and B never played in autumn; what they played in spring is not taken for it."""
    plan = (Fixture("autumn", 1, "2025-09-01", "A", "B"), Fixture("spring", 1, "2026-02-02", "B", "A"))
    frames = loaded(tmp_path, [final("A", "B", 510, 400, "2026-02-03")], League(fixtures=plan))
    assert frames.games[["tournament", "week"]].to_numpy().tolist() == [["spring", 1]]
    assert remaining(frames.fixtures)["tournament"].tolist() == ["autumn"]


def test_an_unfinished_game_is_still_to_be_played(tmp_path):
    frames = loaded(tmp_path, [final("A", "B", 300, 400)], League(fixtures=fixtures((1, None, "A", "B"))))
    assert len(remaining(frames.fixtures)) == 1 and reasons(frames) == {"0.json": "nobody has won yet"}


def test_byes_are_those_stated_and_those_left_out_of_a_week(tmp_path):
    league = League(fixtures=fixtures((1, None, "A", "B"), (1, None, "C", None), (2, None, "A", "C"),
                                      (3, None, "B", "C")))
    frames = loaded(tmp_path, [final("A", "B", 510, 400)], league)
    assert byes(frames.fixtures)[["week", "team"]].to_numpy().tolist() == [[1, "C"], [2, "B"], [3, "A"]]
    table = weeks.weekly(frames.games, frames.fixtures)
    assert table[["week", "team", "played", "bye"]].to_numpy().tolist() == [
        [1, "A", 1, False], [1, "B", 1, False], [1, "C", 0, True], [2, "B", 0, True], [3, "A", 0, True]]
    assert analysis.standings(frames.games, league=league)["played"].tolist() == [1, 1, 0]


def test_a_round_robin_with_forfeits_against_plain_counting(tmp_path):
    """Every pair once; some fixtures forfeited, some left: the table and what is left, counted on fingers."""
    rng, names = random.Random(5), NAMES[:6]
    plan, games, won, points, left = [], [], dict.fromkeys(names, 0), dict.fromkeys(names, 0), []
    for i, (a, b) in enumerate(combinations(names, 2)):
        what = rng.choice(["played", "played", "forfeit", "left"])
        plan.append(Fixture("season", i // 3 + 1, None, a, b, "we" if what == "forfeit" else None))
        if what == "played":
            games.append(play(rng, b, a, None))
            winner = games[-1].we if games[-1].winner == "we" else games[-1].they
            won[winner] += 1
            for name, total in zip((b, a), games[-1].totals, strict=True):
                points[name] += total
        elif what == "forfeit":
            won[b] += 1
            points[b] += 500
        else:
            left.append([a, b])
    league = League(fixtures=tuple(plan))
    frames = loaded(tmp_path, games, league)
    table = analysis.standings(frames.games, league=league).set_index("team")
    assert table["won"].to_dict() == won and table["points_for"].to_dict() == points
    assert remaining(frames.fixtures)[["we", "they"]].to_numpy().tolist() == left
    order = sorted(names, key=lambda n: (-won[n], -points[n], n))
    assert table.index.tolist() == order


def test_a_game_entered_twice_is_counted_once_and_another_is_counted(tmp_path):
    rng = random.Random(1)
    game = play(rng, "Eagles", "Owls", "2026-01-05")
    mirrored = Game("Owls", "Eagles", None, tuple(
        Hand(h.they, h.we, h.they_total, h.we_total, None, "we", 0) for h in game.hands))
    next_week = dataclasses.replace(game, date="2026-01-12")
    other = play(rng, "Eagles", "Owls", "2026-01-05")
    frames = loaded(tmp_path, [game, other, mirrored, next_week, dataclasses.replace(game, we="eagles")])
    twin = frames.games.loc[frames.games["photo"] == "2.json"].iloc[0]
    assert reasons(frames) == dict.fromkeys(
        ("2.json", "4.json"), f"entered twice: the same as {frames.games['game_id'][0]} (0.json)")
    assert analysis.standings(frames.games)["played"].tolist() == [3, 3]
    assert len(frames.hands[frames.hands["game_id"] == twin["game_id"]]) == len(game.hands), "nothing is lost"


def test_one_hand_alike_and_two_grids_of_one_sheet_are_no_twins(tmp_path):
    short = Game("A", "B", "2026-01-05", (Hand(510, 400, 510, 400, None, "we", 0),))
    assert reasons(loaded(tmp_path, [short, short])) == {}
    from scanner.season.typed import TypedGame, TypedSheet
    from scanner.sheet.layout import load_layout

    sheet = TypedSheet("x", "a" * 64, load_layout("evansville"), (TypedGame((), None),) * 2, {"we": "A", "they": "B"},
                       "2026-01-05")
    with open_season(tmp_path / "two.db") as season:
        season.add_typed(sheet, [result_of(final("A", "B", 510, 400))] * 2)
    assert reasons(analysis.load(tmp_path / "two.db")) == {}


def test_the_championship_is_for_the_best_of_the_year(tmp_path):
    plan = (Fixture("autumn", 1, None, "A", "B"), Fixture("spring", 1, None, "C", "D"),
            Fixture("final", 1, None, "A", "C"))
    league = League(fixtures=plan, championship="final", places=2)
    games = [final("A", "B", 510, 400), final("C", "D", 520, 400)]
    frames = loaded(tmp_path, games, league)
    assert weeks.championship_field(frames.games, 2, league=league) == ["C", "A"]
    assert weeks.championship(frames.games, league)[["rank", "team", "played"]].to_numpy().tolist() == [
        [1, "A", 0], [1, "C", 0]]
    (tmp_path / "played").mkdir()
    frames = loaded(tmp_path / "played", [*games, final("A", "C", 700, 400)], league)
    assert weeks.championship_field(frames.games, 2, league=league) == ["C", "A"], "the final is not part of the way"
    assert weeks.championship(frames.games, league)["team"].tolist() == ["A", "C"]
    with pytest.raises(InputError, match="2 to 4 of 4 teams"):
        weeks.championship_field(frames.games, 5, league=league)
    with pytest.raises(InputError, match="no .championship."):
        weeks.championship(frames.games, League())


def test_who_ties_for_the_last_place_of_the_field_plays_too(tmp_path):
    games = [final("A", "B", 510, 400), final("C", "D", 510, 400, seed=3)]
    frames = loaded(tmp_path, games)
    assert weeks.championship_field(frames.games, 3) == ["A", "C", "B", "D"]


def test_a_schedule_file_beside_the_season(tmp_path):
    (tmp_path / "league.toml").write_text('fixtures = "plan.csv"')
    with (tmp_path / "plan.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["week", "we", "they", "forfeit"], [1, "A", "B", "A"]])
    save(tmp_path / "season.db", [])
    games = analysis.load(tmp_path / "season.db", tmp_path / "league.toml").games
    assert games["photo"].tolist() == [str(tmp_path / "plan.csv")] and games["winner"].tolist() == ["B"]


def test_the_example_in_the_documentation_is_a_league(tmp_path):
    text = (Path(__file__).resolve().parents[2] / "docs" / "league-file.md").read_text("utf-8")
    toml = re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]
    plan = re.search(r"```\n(tournament,.*?)```", text, re.DOTALL)[1]
    (tmp_path / "league.toml").write_text(toml)
    (tmp_path / "fixtures.csv").write_text(plan)
    (tmp_path / "roster.toml").write_text("".join(f'[[teams]]\nname = "{n}"\n' for n in ("Eagles", "Owls", "Hawks")))
    league = load_league(tmp_path / "league.toml")
    assert [f.forfeit for f in league.fixtures] == [None, None, "they"] and league.places == 4
    assert all(f"| `{name}` | {words} |" in text for name, words in CRITERIA.items())


PAIRS = st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD")).filter(lambda p: p[0] != p[1])
DAYS = st.none() | st.integers(1, 28).map(lambda d: f"2026-02-{d:02d}")


@settings(deadline=None, max_examples=100)
@given(plan=st.lists(st.tuples(PAIRS, DAYS, st.sampled_from([None, None, "we", "both"])), max_size=7),
       games=st.lists(st.tuples(PAIRS, DAYS), max_size=7))
def test_whatever_the_schedule_no_game_is_lost_or_counted_twice(plan, games):
    league = League(teams=tuple(map(Team, "ABCD")), fixtures=tuple(
        Fixture("season", i // 2 + 1, day, *pair, forfeit) for i, (pair, day, forfeit) in enumerate(plan)))
    rows = [(str(i), day, *pair, None) for i, (pair, day) in enumerate(games)]
    frame = pd.DataFrame(rows, columns=["game_id", "date", "we", "they", "set_aside"], dtype=object)
    laid, told = apply_league(frame, pd.Series(True, index=frame.index), league)
    assert laid["game_id"].tolist()[: len(games)] == [str(i) for i in range(len(games))]
    if not plan:
        assert laid["set_aside"].isna().all()
        return
    counted = set(laid.loc[laid["set_aside"].isna(), "game_id"])
    assert told["game_id"].dropna().is_unique and set(told["game_id"].dropna()) == counted
    for pair in {frozenset(p) for p, *_ in (*plan, *games)}:
        planned = sum(frozenset(p) == pair and forfeit is None for p, _, forfeit in plan)
        played = sum(frozenset(p) == pair for p, _ in games)
        here = told[[frozenset((a, b)) == pair for a, b in zip(told["we"], told["they"], strict=True)]]
        assert (here["status"] == "played").sum() == min(planned, played)
        assert (here["status"] == "to play").sum() == max(planned - played, 0)


def test_the_report_says_what_is_left_by_the_schedule(tmp_path):
    league = League(fixtures=fixtures((1, None, "A", "B"), (2, "2026-02-02", "B", "A"), (3, None, "A", "C", "they")))
    frames = loaded(tmp_path, [final("A", "B", 510, 400)], league)
    parts = {part.title: part for part in sections(frames, league=league)}
    left = parts["Still to play"]
    assert left.frame[["week", "we", "they"]].to_numpy().tolist() == [[2, "B", "A"]] and "date" in left.titles
    odds = parts["Who may still win"]
    assert "By the schedule 1 game is still to come" in odds.notes[0]
    assert odds.frame.set_index("team")["remaining"].to_dict() == {"A": 1, "B": 1, "C": 0}
