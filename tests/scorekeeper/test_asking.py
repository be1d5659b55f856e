"""Which cells are put to a person: by what a silent mistake would cost, in the cell and in those that go with it."""

from __future__ import annotations

import numpy as np
import pytest
from paper import spread
from test_check import beside
from test_decode import BESIDE, EVANSVILLE, asked, sure
from test_washed import GAME, silent, washed

from scanner.scorekeeper.asking import REPORT, REPORT_SURE, SURE, WRONG_COSTS, Doubt, choose_questions, withdrawn
from scanner.scorekeeper.decode import decode, decode_game
from scanner.sheet.texts import EMPTY, INDEX


def doubt(row: int, chance: float, others: float = 0.0, changes: str = "") -> Doubt:
    """A cell's doubt, its row in order."""
    return Doubt(row, "we_total", chance, others, changes, accused=False, slip=0.0)


def test_a_cell_is_asked_from_the_doubt_that_costs_a_question():
    low, high = 0.9 / WRONG_COSTS, 1.1 / WRONG_COSTS
    assert choose_questions([doubt(1, low), doubt(2, high)]) == {(2, "we_total")}
    assert choose_questions([doubt(1, low / 2, low / 2)]) == set()
    assert choose_questions([doubt(1, low, low)]) == {(1, "we_total")}
    assert choose_questions([doubt(1, low, changes="standings")]) == {(1, "we_total")}


def test_the_budget_goes_to_what_costs_most():
    chance = 2 / WRONG_COSTS
    doubts = [doubt(1, chance), doubt(2, chance, chance), doubt(3, chance, changes="winner")]
    assert choose_questions(doubts, budget=2) == {(2, "we_total"), (3, "we_total")}


def test_a_row_is_accused_sooner_where_a_doubtful_cell_is_all_that_keeps_its_slip_from_being_certain():
    doubtful = SURE - 0.01
    assert [withdrawn(slip, doubtful) for slip in (REPORT - 0.01, REPORT, REPORT_SURE)] == [True, False, False]
    assert [withdrawn(slip, SURE) for slip in (REPORT, REPORT_SURE - 0.01, REPORT_SURE)] == [True, True, False]


def test_points_and_total_of_one_hand_misread_alike_are_wrong_together():
    """35 or 55 (a meld of 20), twice: the sums cannot tell, and whoever is wrong in the one is wrong in the other."""
    rng = np.random.default_rng(3)
    readings = sure(beside("127 127 35 35"), BESIDE)
    for key in ("they_points", "they_total"):
        readings[1, key] = spread(rng, "35", 0.9, {"55": 0.099})
    row = decode(readings, BESIDE).rows[0]
    wrong = {key: 1 - row.cells[key][INDEX[text]] for key, text in row.texts.items()}
    for key in ("they_points", "they_total"):
        assert 0.001 < wrong[key] < 0.1 and row.wrong_with[key] == pytest.approx(wrong[key], rel=0.05)
    assert row.wrong_with["we_points"] < 0.2 * wrong["we_points"] + 0.001


def test_what_is_settled_by_a_person_is_not_wrong_with_anything():
    readings = sure(beside("127 127 35 35"), BESIDE)
    from scanner.sheet.reading import certain

    readings[1, "we_total"] = certain("127")
    assert decode(readings, BESIDE).rows[0].wrong_with["we_total"] == 0.0


@pytest.mark.parametrize("left", ["55", "4", "-", "1"])
def test_what_the_light_has_left_of_a_figure_is_not_settled_as_the_figure(left):
    """A last hand washed out but for some digits, or a stroke, of its We total (554)."""
    gone = [(5, key) for key in BESIDE.arithmetic_keys]
    readings = washed(sure(GAME, BESIDE, "we"), gone)
    readings[5, "we_total"] = spread(np.random.default_rng(4), left, 0.98)
    assert not silent(decode_game(readings, BESIDE), GAME)


def test_no_cell_is_surer_than_its_hand():
    """Something is seen of a last row, but not much: whether it is a hand counts in each of its cells."""
    rng = np.random.default_rng(5)
    for sure_of_it in (0.5, 0.7, 0.9):
        readings = sure(GAME[:4], BESIDE)
        readings[5, "we_total"] = spread(rng, "554", sure_of_it, {EMPTY: 0.99 - sure_of_it})
        decoded = decode(readings, BESIDE)
        if len(decoded.rows) == 5:
            most = max(decoded.rows[4].cells[key][INDEX[text]] for key, text in decoded.rows[4].texts.items())
            assert most <= decoded.length_probability + 1e-6


def test_a_sure_sheet_asks_nothing():
    classic = [dict(zip(EVANSVILLE.keys, r.split(), strict=True)) for r in ("92 70 162 162", "174 150 162 324")]
    assert not asked(decode_game(sure(classic, EVANSVILLE), EVANSVILLE))
