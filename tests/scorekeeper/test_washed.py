"""Rows the light has washed out: no hand is lost or made up, the sums give what they can, the rest is asked."""

from __future__ import annotations

import numpy as np
import pytest
from paper import spread
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

