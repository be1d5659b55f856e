"""Rows the light has washed out: no hand is lost or made up, the sums give what they can, the rest is asked."""

from __future__ import annotations

import numpy as np
import pytest
from paper import spread
from paper import write_game as paper_game
from test_check import beside
from test_decode import BESIDE, CLASSIC, EVANSVILLE, LAYOUTS, accused, asked, sure, texts

from scanner.scorekeeper.decode import decode_game
from scanner.sheet.layout import Layout
from scanner.sheet.reading import certain
from scanner.sheet.texts import EMPTY
from scanner.workshop.games import Keeper, write_game

GAME = beside("82 82 80 80", "118 200 124 44", "92 292 194 70", "162 454 234 40", "100 554 296 62")


def washed(readings, places, seen=0.999):
    """The same readings with these cells gone: next to nothing is seen in them."""
    rng = np.random.default_rng(2)
    return readings | {place: spread(rng, EMPTY, seen) for place in places}


def silent(game, rows, layout: Layout = BESIDE):
    """Cells that are not as written and nobody is asked about; all cells of a row that is missed or made up."""
    found = {row.row: row.cells for row in game.rows}
    wrong = [(n, key) for n in set(found) - set(range(1, len(rows) + 1)) for key in layout.keys]
    for n, row in enumerate(rows, 1):
        cells = found.get(n, {})
        wrong += [(n, k) for k in row if k not in cells or (cells[k].text != row[k] and not cells[k].review)]
    return wrong


@pytest.mark.parametrize("mark", ["we", None], ids=["W", "no W"])
@pytest.mark.parametrize("kept", BESIDE.arithmetic_keys)
def test_one_figure_in_a_last_row_that_is_washed_out_is_a_hand_and_no_speck(kept, mark):
    gone = [(5, key) for key in BESIDE.arithmetic_keys if key != kept]
    game = decode_game(washed(sure(GAME, BESIDE, mark), gone), BESIDE)
    assert not silent(game, GAME) and not accused(game)
    assert {row for row, _ in asked(game)} <= {5}


@pytest.mark.parametrize("kept", BESIDE.arithmetic_keys)
def test_a_hand_of_which_nothing_is_left_above_one_of_which_little_is_left_is_asked_for(kept):
    gone = [(n, key) for n in (4, 5) for key in BESIDE.arithmetic_keys if (n, key) != (5, kept)]
    game = decode_game(washed(sure(GAME, BESIDE, "we"), gone), BESIDE)
    assert not silent(game, GAME) and not accused(game)
    assert {row for row, _ in asked(game)} == {4, 5}


@pytest.mark.parametrize("mark", ["we", None], ids=["W", "no W"])
def test_a_last_hand_of_which_nothing_is_left_is_known_by_the_w(mark):
    """Without the W nothing tells it from a row nobody used under a game that was left unfinished."""
    game = decode_game(washed(sure(GAME, BESIDE, mark), [(5, key) for key in BESIDE.arithmetic_keys]), BESIDE)
    assert len(game.rows) == (5 if mark else 4)
    assert not mark or not silent(game, GAME)


@pytest.mark.parametrize("row", [1, 2, 3, 4])
def test_a_hand_between_others_is_given_by_the_totals_around_it(row):
    gone = [(row, key) for key in BESIDE.arithmetic_keys]
    game = decode_game(washed(sure(GAME, BESIDE, "we"), gone), BESIDE)
    assert not silent(game, GAME) and not accused(game)
    found = texts(game, row)
    assert all(found[key] == GAME[row - 1][key] or (row, key) in asked(game) for key in BESIDE.arithmetic_keys)


@pytest.mark.parametrize("row", [1, 2, 3])
def test_half_a_row_is_given_by_the_other_half(row):
    for gone in (("we_total", "they_total"), ("we_total", "hand_check"), ("they_total", "total_check")):
        game = decode_game(washed(sure(CLASSIC, EVANSVILLE), [(row, key) for key in gone]), EVANSVILLE)
        assert not silent(game, CLASSIC, EVANSVILLE) and not accused(game)


def test_the_answers_settle_a_row_that_was_washed_out():
    gone = [(5, key) for key in BESIDE.arithmetic_keys if key != "we_points"]
    readings = washed(sure(GAME, BESIDE, "we"), gone)
    for _ in range(4):
        questions = asked(game := decode_game(readings, BESIDE))
        readings |= {(row, key): certain(GAME[row - 1][key]) for row, key in questions}
    assert not asked(game) and not game.problems and [texts(game, n) for n in range(1, 6)] == GAME


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_rows_nobody_used_make_no_hands(layout):
    """Finished and unfinished games, marks with the total left blank beside them: nothing is asked, nothing made up."""
    rng, blank = np.random.default_rng(8), 0
    careful = Keeper(slip=0.0, strike=0.0, rewrite=0.0, forget=0.3)
    for number in range(12):
        written = write_game(layout, careful, rng, unfinished=number % 3 == 0)
        rows = [{key: entry.text for key, entry in row.items()} for row in written.rows]
        blank += sum(text == "" for row in rows for text in row.values())
        game = decode_game(sure(rows, layout, written.winner_mark), layout)
        assert not silent(game, rows, layout) and not asked(game) and not accused(game)
    assert blank or layout is EVANSVILLE


@pytest.mark.parametrize("speck", ["1", "-", "7", "11"])
def test_a_speck_under_an_unfinished_game_is_no_washed_out_hand(speck):
    readings = sure(GAME[:3], BESIDE)
    readings[4, "they_total"] = spread(np.random.default_rng(2), speck, 0.6, {EMPTY: 0.39})
    game = decode_game(readings, BESIDE)
    assert [row.row for row in game.rows] == [1, 2, 3]



@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("right", [True, False], ids=["winner's column", "loser's column"])
@pytest.mark.parametrize("side", [1, -1], ids=["arm to the right", "arm to the left"])
def test_the_arms_of_a_tall_w_are_no_hand_washed_out_but_for_two_strokes(layout, side, right):
    """The W stands over three rows; of its first only the ends of its arms are seen, in its column and the next.

    In the loser's column another hand that turns the game round would explain the W: it must be seen to be believed.
    """
    rng = np.random.default_rng(4)
    paper = paper_game(rng, layout, 0.0)
    last, keys = len(paper.rows), list(layout.arithmetic_keys)
    if paper.winner_mark is None or last + 3 > layout.rows:
        pytest.skip("this game has no room for a tall W")
    marked = paper.winner_mark if right else {"we": "they", "they": "we"}[paper.winner_mark]
    column = f"{marked}_{'total' if 'we_total' in keys else 'points'}"
    readings = sure(paper.rows, layout, paper.winner_mark)
    for row in (last + 1, last + 2, last + 3):
        readings |= {(row, key): spread(rng, EMPTY, 0.999) for key in keys}
        readings[row, column] = spread(rng, "W", 0.99, {EMPTY: 0.005})
    readings[last + 1, column] = spread(rng, "1", 0.99, {"W": 0.003, EMPTY: 0.003})
    beside_it = keys.index(column) + side
    if 0 <= beside_it < len(keys):
        readings[last + 1, keys[beside_it]] = spread(rng, "1", 0.95, {"W": 0.04, EMPTY: 0.001})
    game = decode_game(readings, layout)
    assert len(game.rows) == last and not accused(game)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("speck", ["-", "40"])
@pytest.mark.parametrize("row", [1, 9])
def test_a_grid_with_a_speck_and_nothing_else_is_judged_without_a_word_of_accusation(layout, speck, row):
    rng = np.random.default_rng(6)
    readings = {(n, key): spread(rng, EMPTY, 0.9995) for n in range(1, layout.rows + 1) for key in layout.keys}
    readings[row, layout.arithmetic_keys[1]] = spread(rng, speck, 0.6, {EMPTY: 0.39})
    game = decode_game(readings, layout)
    assert game is None or not accused(game)
