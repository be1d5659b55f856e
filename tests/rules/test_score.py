"""Scores of hands and games, and tournaments, by hand-worked examples. Sources as in test_melds."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.rules.arithmetic import hand_possible, made_hands, set_scores
from scanner.rules.errors import RuleError
from scanner.rules.house import HouseRules
from scanner.rules.score import Game, HandScore, score_hand, score_renege
from scanner.rules.tournament import Result, champions, championship_field, round_robin, standings


@pytest.mark.parametrize(
    ("tricks", "melds", "makers", "score", "source"),
    [
        ((92, 70), (20, 0), "we", HandScore(112, 70), "made"),
        ((82, 80), (0, 0), "we", HandScore(82, 80), "S0: 82 without meld makes it"),
        ((81, 81), (0, 0), "we", HandScore(0, 81, "we"), "S0: equal is set"),
        ((81, 81), (0, 0), "they", HandScore(81, 0, "they"), "S0: equal is set"),
        ((90, 72), (0, 20), "we", HandScore(0, 92, "we"), "S0: meld counts for the opponents"),
        ((60, 102), (50, 0), "we", HandScore(110, 102), "S0: meld saves the makers"),
        ((60, 102), (20, 20), "we", HandScore(0, 122, "we"), "S0: a set side loses its meld"),
        ((60, 102), (50, 0), "they", HandScore(110, 0, "they"), "set by the others' meld"),
        ((162, 0), (0, 20), "we", HandScore(162, 20), "S0: no trick but meld scores the meld"),
        ((162, 0), (0, 0), "we", HandScore(162, 0), "S0: zero by a line"),
    ],
)
def test_score_of_a_hand(tricks, melds, makers, score, source):
    pair = [dict(zip(("we", "they"), v, strict=True)) for v in (tricks, melds)]
    assert score_hand(*pair, makers) == score
    assert hand_possible(score.we, score.they, score.set)


def test_score_of_a_renege():
    """S1: the opponents score 162 points plus meld; the offenders nothing, meld included."""
    assert score_renege("they", {"we": 20, "they": 200}) == HandScore(182, 0)


def test_a_game_ends_when_a_side_is_ahead_with_500():
    """S1: 500 or more after a hand; the higher total wins."""
    game = Game((HandScore(162, 0), HandScore(162, 0), HandScore(162, 0)))
    assert not game.over and game.winner is None and game.totals == (486, 0)
    assert game.add(HandScore(0, 92, "we")).winner is None
    assert game.add(HandScore(92, 70)).winner == "we"


def test_both_over_500_the_higher_wins():
    game = Game((HandScore(262, 240),) * 2)
    assert game.totals == (524, 480)
    game = Game((HandScore(255, 260),) * 2)
    assert game.over and game.winner == "they"


def test_faults_of_a_game_are_all_named():
    game = Game((HandScore(162, 0),) * 4 + (HandScore(92, 71), HandScore(80, 82)))
    assert [(f.rule, f.message.split(":")[0].split(" was")[0]) for f in game.faults()] == [
        ("end", "Hand 5"), ("162", "Hand 5"), ("end", "Hand 6"),
    ]  # fmt: skip


@given(st.lists(st.one_of(
    st.sampled_from(sorted(made_hands())).map(lambda p: HandScore(*p)),
    st.sampled_from(sorted(set_scores())).map(lambda s: HandScore(0, s, "we")),
), max_size=12))  # fmt: skip
def test_totals_never_fall_and_possible_hands_have_no_fault_but_the_end(hands):
    game = Game()
    for hand in hands:
        after = game.add(hand)
        assert after.totals[0] >= game.totals[0] and after.totals[1] >= game.totals[1]
        game = after
    assert all(f.rule == "end" for f in game.faults())


@pytest.mark.parametrize("count", [2, 3, 6, 9, 16])
def test_round_robin_every_pair_meets_once_and_nobody_twice_a_week(count):
    teams = [f"T{i}" for i in range(count)]
    weeks = round_robin(teams)
    met = [frozenset(pair) for week in weeks for pair in week]
    assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(teams, 2)))
    for week in weeks:
        playing = [t for pair in week for t in pair]
        assert len(playing) == len(set(playing)) >= count - 1
    assert len(weeks) == (count - 1 if count % 2 == 0 else count)


def test_round_robin_refuses_one_team_and_doubles():
    for teams in (["A"], ["A", "A"]):
        with pytest.raises(RuleError, match="two or more different teams"):
            round_robin(teams)


def test_standings_by_games_then_points_equal_teams_share_the_lower_number():
    """S0: games won; if there's a tie, game points."""
    results = [Result("A", "B", 500, 400), Result("C", "D", 500, 400)]
    results += [Result("A", "D", 300, 520), Result("B", "C", 510, 300)]
    table = standings(results, teams=["E"])
    assert [(s.rank, s.team, s.won, s.points) for s in table] == [
        (1, "D", 1, 920), (2, "B", 1, 910), (3, "A", 1, 800), (3, "C", 1, 800), (5, "E", 0, 0),
    ]  # fmt: skip


def test_a_tied_game_is_won_by_nobody():
    assert [s.won for s in standings([Result("A", "B", 500, 500)])] == [0, 0]


def test_the_city_championship_takes_the_best_of_the_year():
    """S0: an annual tournament for the City Champion; who enters it is this program's assumption."""
    autumn = [Result("A", "B", 500, 400), Result("A", "C", 510, 300), Result("B", "C", 520, 480)]
    winter = [Result("A", "B", 450, 505), Result("C", "D", 300, 515)]
    # won: A 2, B 2, D 1, C 0; points: A 1460, B 1425
    assert championship_field([autumn, winter], 2) == ("A", "B")
    assert championship_field([autumn, winter], 3) == ("A", "B", "D")
    # by points alone: A 1460, B 1425, C 1080, D 515
    assert championship_field([autumn, winter], 3, HouseRules(ranking="points")) == ("A", "B", "C")
    for places in (1, 5):
        with pytest.raises(RuleError, match="takes 2 to 4 of 4 teams"):
            championship_field([autumn, winter], places)


def test_all_who_tie_for_the_last_place_play_for_the_championship():
    level = [Result("A", "B", 500, 400), Result("C", "D", 500, 400)]
    assert championship_field([level], 3) == ("A", "C", "B", "D")


def test_champions_are_those_of_rank_one_once_all_have_met():
    played = [Result("A", "B", 500, 400), Result("A", "C", 400, 500), Result("B", "C", 500, 400)]
    assert champions(played) == ("A", "B", "C")  # a ring: one game and 900 points each
    played[2] = Result("B", "C", 501, 400)
    assert champions(played) == ("B",)
    with pytest.raises(RuleError, match="not so: B - C"):
        champions(played[:2])
    with pytest.raises(RuleError, match="not so: A - B"):
        champions([*played, played[0]])
    with pytest.raises(RuleError, match="no games"):
        champions([])


@pytest.mark.parametrize("count", [2, 4, 6, 8, 12])
def test_no_team_sits_on_one_side_all_season(count: int) -> None:
    weeks = round_robin([f"team {i}" for i in range(count)])
    as_we = [we for week in weeks for we, _ in week]
    assert all(as_we.count(f"team {i}") in ((count - 1) // 2, count // 2) for i in range(count))
