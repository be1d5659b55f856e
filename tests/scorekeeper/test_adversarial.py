"""Games built to deceive, read for certain or nearly so: what is said of each, as docs/scorekeeper.md shows it."""

from __future__ import annotations

import pytest
from test_check import beside
from test_decode import BESIDE, accused, asked, reading, sure, texts

from scanner.output.document import check_document
from scanner.scorekeeper.decode import decode_game

FIRST = "92 92 70 70"


@pytest.mark.parametrize(
    ("rows", "mark", "code", "row"),
    [
        ((FIRST, "81 173 151 81"), None, "tied-hand", 2),
        ((FIRST, "XX 92 140 70"), None, "set-too-low", 2),
        (("262 262 20 20", "242 504 40 20"), None, "winner-mark", None),
        (("262 262 20 20", "242 504 40 20"), "they", "winner-mark", None),
        (("262 262 20 20", "262 524 40 20", "100 624 102 62"), "we", "past-the-end", 3),
        ((FIRST, "82 174 160 80", "90 264 232 72"), None, "running-total", 2),
    ],
    ids=["a tie nobody marked", "a set beside 70", "no W", "W in the other column", "a hand after the end",
         "a slip carried on"],
)  # fmt: skip
def test_what_the_paper_says_wrong_is_reported_from_readings_as_from_typed_cells(rows, mark, code, row):
    game = decode_game(sure(beside(*rows), BESIDE, mark), BESIDE)
    assert [(p.code, p.row) for p in game.problems if p.code != "unreadable"] == [(code, row)]
    assert all(texts(game, n) == written for n, written in enumerate(beside(*rows), 1))


def test_a_check_figure_right_for_a_wrong_total_clears_neither_the_total_nor_the_reader():
    """174 written as 184; the check column adds the right totals. The next row carries 184 on, so it is the paper."""
    keys = ("we_total", "they_total", "hand_check", "total_check")
    rows = [dict(zip(keys, r.split(), strict=True)) for r in ("92 70 162 162", "184 150 162 324", "266 230 162 496")]
    from test_decode import EVANSVILLE

    game = decode_game(sure(rows, EVANSVILLE), EVANSVILLE)
    (problem,) = [p for p in game.problems if p.code != "unreadable"]
    assert problem.row == 2 and "we_total" in {problem.cell, *(c.cell for c in problem.candidates)}
    assert texts(game, 2)["we_total"] == "184"


def test_a_forgotten_mark_is_asked_about_or_reported():
    """An empty cell may be a mark nobody made or one the light has washed out; the sums want it either way."""
    game = decode_game(sure(beside(FIRST, "82 174 150 80", "_ 174 260 110"), BESIDE), BESIDE)
    assert 3 in accused(game) or (3, "we_points") in asked(game)


def test_a_washed_out_number_is_found_by_the_sums():
    """The reader sees next to nothing where 82 stands; blank points are a slip or a habit, but a rare one."""
    readings = sure(beside(FIRST, "82 174 150 80"), BESIDE)
    readings[2, "we_points"] = reading(t=0.9, t82=0.01)
    game = decode_game(readings, BESIDE)
    assert texts(game, 2)["we_points"] == "82" or (2, "we_points") in asked(game)
    assert not accused(game)


@pytest.mark.parametrize("seen", ["", "XX", "8"])
def test_a_total_read_as_nothing_a_mark_or_nonsense_accuses_nobody(seen):
    """On the last row nothing is built on the total, so only the shape of the error can tell."""
    readings = sure(beside(FIRST, "82 174 150 80"), BESIDE)
    readings[2, "we_total"] = reading(**{f"t{seen}": 0.99})
    game = decode_game(readings, BESIDE)
    assert not accused(game) and (texts(game, 2)["we_total"] == "174" or (2, "we_total") in asked(game))


def test_what_a_slip_moves_and_the_runner_up_of_a_doubtful_cell_are_in_the_document():
    readings = sure(beside(FIRST, "82 184 150 80", "90 274 222 72"), BESIDE)
    readings[1, "they_points"] = reading(t70=0.5, t10=0.45)
    readings[1, "they_total"] = reading(t70=0.5, t10=0.45)
    (game,) = check_document([decode_game(readings, BESIDE)])["games"]
    (problem,) = [p for p in game["problems"] if p["code"] != "unreadable"]
    assert problem["consequence"] == {"winner_changes": False, "points_moved": 10, "moved": {"we": 10, "they": 0}}
    assert [r["corrected"]["totals"]["we"] for r in game["rows"]] == [92, 174, 264]
    assert game["rows"][0]["cells"]["we_total"].keys() == {"text", "confidence", "review", "struck", "box"}
    wavers = reading(t70=0.5, t90=0.4)  # 92 and 90 make 182: a bell
    one = sure(beside(FIRST), BESIDE) | {(1, key): wavers for key in ("they_points", "they_total")}
    (game,) = check_document([decode_game(one, BESIDE)])["games"]
    assert game["rows"][0]["cells"]["they_total"]["runner_up"]["text"] == "90"
