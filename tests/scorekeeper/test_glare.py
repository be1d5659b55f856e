"""Cells of which light has left nothing: they may hold anything, so what must be written there is asked, never lost."""

from __future__ import annotations

import numpy as np
import pytest
from paper import spread
from test_check import beside
from test_decode import BESIDE, CLASSIC, EVANSVILLE, LAYOUTS, accused, asked, sure, texts
from test_washed import GAME, silent

from scanner.scorekeeper.decode import decode, decode_game
from scanner.scorekeeper.likelihood import blown_out, in_glare, ink_may_be_gone, likelihood
from scanner.sheet.reading import certain
from scanner.sheet.texts import EMPTY, INDEX

DOUBLE = LAYOUTS[2]


def lit(readings, rows, layout):
    """The same readings with everything in these rows blown out."""
    rng = np.random.default_rng(2)
    gone = {(n, key): ink_may_be_gone(spread(rng, EMPTY, 0.998)) for n in rows for key in layout.keys}
    return readings | gone


def answered(readings, rows, layout):
    """The game after every question is answered by what stands on the paper, in rounds, and the cells asked for."""
    questions = {}
    for _ in range(20):
        game = decode_game(readings | questions, layout)
        new = asked(game) if game else set()
        if not new:
            break
        paper = [*rows, *[{}] * (layout.rows - len(rows))]
        questions |= {(row, key): certain(paper[row - 1].get(key, EMPTY)) for row, key in new}
    return game, set(questions)


def test_nothing_seen_in_a_blown_out_cell_is_no_word_against_any_text():
    seen = likelihood(ink_may_be_gone(spread(np.random.default_rng(1), EMPTY, 0.998)))
    clear = likelihood(spread(np.random.default_rng(1), EMPTY, 0.998))
    for text in ("7", "92", "174", "XX"):
        assert 0.3 < seen[INDEX[text]] / seen[INDEX[EMPTY]] < 1
        assert clear[INDEX[text]] / clear[INDEX[EMPTY]] < 0.3


def test_what_is_read_in_a_blown_out_cell_stays_the_likeliest():
    read = ink_may_be_gone(spread(np.random.default_rng(1), "174", 0.9))
    assert read.text == "174" and not blown_out(read)
    assert blown_out(ink_may_be_gone(spread(np.random.default_rng(1), EMPTY, 0.998)))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_of_a_game_all_blown_out_every_cell_is_asked_and_the_answers_give_it(layout):
    rows = CLASSIC if layout is EVANSVILLE else [row for row in GAME]
    readings = lit(sure(rows, layout), range(1, layout.rows + 1), layout)
    game = decode_game(readings, layout)
    assert game.rows and asked(game) == {(row.row, key) for row in game.rows for key in layout.arithmetic_keys}
    assert not accused(game)
    game, _ = answered(readings, rows, layout)
    assert [texts(game, n) for n in range(1, len(game.rows) + 1)] == rows and not accused(game)


def test_a_grid_that_nobody_used_is_gone_after_few_answers():
    readings = lit(sure([], DOUBLE), range(1, DOUBLE.rows + 1), DOUBLE)
    first = {(1, key): certain(EMPTY) for key in DOUBLE.arithmetic_keys}
    assert decode_game(readings, DOUBLE) is not None and decode_game(readings | first, DOUBLE) is None


@pytest.mark.parametrize("mark", ["we", None], ids=["W", "no W"])
def test_under_a_won_game_no_hands_are_made_of_glare(mark):
    readings = lit(sure(GAME, BESIDE, mark), range(7, BESIDE.rows + 1), BESIDE)
    game = decode_game(readings, BESIDE)
    assert not silent(game, GAME) and not asked(game) and not game.problems[1 if not mark else 0:]


def test_hands_missing_before_anybody_has_won_are_asked_for_where_the_glare_is():
    readings = lit(sure(GAME[:3], BESIDE), (4, 5), BESIDE)
    game, questions = answered(readings, GAME, BESIDE)
    assert [texts(game, n) for n in range(1, 6)] == GAME and {row for row, _ in questions} == {4, 5}


def test_a_last_hand_half_in_the_glare_is_a_hand():
    gone = lit({}, (5,), BESIDE)
    for kept in BESIDE.arithmetic_keys:
        readings = sure(GAME, BESIDE) | {place: r for place, r in gone.items() if place[1] != kept}
        game, _ = answered(readings, GAME, BESIDE)
        assert not silent(game, GAME) and not accused(game)


def test_an_unused_grid_in_good_light_asks_nothing():
    assert decode_game(sure([], DOUBLE), DOUBLE) is None


def test_a_slip_in_clear_rows_is_reported_though_others_are_blown_out():
    rows = beside("82 82 80 80", "118 210 124 44", "92 302 194 70", "162 464 234 40", "100 564 296 62")
    game = decode_game(lit(sure(rows, BESIDE, "we"), (4,), BESIDE), BESIDE)
    assert accused(game) == {2}


def test_only_the_blown_out_cells_are_said_again():
    readings = sure(GAME[:1], BESIDE)
    after = in_glare(readings, {(1, "we_total"), (2, "we_total")})
    changed = {place for place in readings if after[place] is not readings[place]}
    assert changed == {(1, "we_total"), (2, "we_total")} and after[1, "we_total"].text == "82"
    assert blown_out(after[2, "we_total"]) and after.keys() == readings.keys()


def test_a_game_that_may_just_be_there_is_asked_for():
    """One column is seen and empty, so that an unused grid is likelier; but a whole game would be lost."""
    seen = sure([], DOUBLE)
    readings = lit(seen, range(1, 7), DOUBLE) | {place: r for place, r in seen.items() if place[1] == "they_total"}
    (row,) = decode(readings, DOUBLE).rows
    assert 0.5 < row.cells["they_points"][INDEX[EMPTY]] < 0.95
    assert asked(decode_game(readings, DOUBLE)) == {(1, key) for key in DOUBLE.arithmetic_keys}
