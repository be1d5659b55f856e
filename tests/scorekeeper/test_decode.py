"""Whole games through the decoder: what is read wrong is settled or asked, what is written wrong is reported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from paper import Paper, read_cell, read_game, spread, write_game

from scanner.scorekeeper.check import check_game
from scanner.scorekeeper.decode import decode_game
from scanner.sheet.layout import load_layout
from scanner.sheet.reading import certain

LAYOUTS = [load_layout(name) for name in ("evansville", "beside", "double")]
EVANSVILLE, BESIDE, _ = LAYOUTS
CLASSIC = [
    {"we_total": "92", "they_total": "70", "hand_check": "162", "total_check": "162"},
    {"we_total": "174", "they_total": "150", "hand_check": "162", "total_check": "324"},
    {"we_total": "294", "they_total": "212", "hand_check": "182", "total_check": "506"},
    {"we_total": "XX", "they_total": "323", "hand_check": "111", "total_check": "617"},
]


def sure(rows, layout, mark=None, height=1):
    """Sure readings of typed rows, a W of some height under them, nothing below."""
    readings, rng = {}, np.random.default_rng(1)
    for number in range(1, layout.rows + 1):
        row = rows[number - 1] if number <= len(rows) else {}
        for key in layout.keys:
            text = row.get(key, "")
            if mark and key == f"{mark}_total" and len(rows) < number <= len(rows) + height:
                text = "W"
            readings[number, key] = spread(rng, text, 1 - 1e-5)
    return readings


def reading(seed=0, **chances):
    """A posterior with these chances (``t184=0.6``), the rest spread over everything."""
    (first, chance), *others = [(text[1:], chance) for text, chance in chances.items()]
    return spread(np.random.default_rng(seed), first, chance, dict(others))


def texts(game, row):
    return {key: cell.text for key, cell in game.rows[row - 1].cells.items()}


def asked(game):
    return {(row.row, key) for row in game.rows for key, cell in row.cells.items() if cell.review}


def accused(game):
    return {p.row for p in game.problems if p.code not in ("unreadable", "winner-mark")}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_certain_readings_are_typed_cells(layout):
    rng = np.random.default_rng(3)
    for _ in range(5):
        paper = write_game(rng, layout, slip_rate=0.2)
        game = decode_game(sure(paper.rows, layout, paper.winner_mark), layout)
        typed = check_game(paper.rows, paper.winner_mark, layout)
        assert [texts(game, r.row) for r in game.rows] == paper.rows
        assert [(p.code, p.row, p.cell, p.expected) for p in game.problems if p.code != "unreadable"] == [
            (p.code, p.row, p.cell, p.expected) for p in typed.problems]  # fmt: skip
        assert (game.winner, game.winner_mark) == (typed.winner, typed.winner_mark)


def test_an_empty_grid_is_no_game():
    assert decode_game(sure([], EVANSVILLE), EVANSVILLE) is None


@pytest.mark.parametrize("height", [1, 2, 3])
def test_the_w_is_no_hand_however_tall(height):
    rows = [*CLASSIC, {"we_total": "XX", "they_total": "515", "hand_check": "192", "total_check": "809"}]
    readings = sure(rows, EVANSVILLE, "they", height)
    if height == 3:  # the middle of a tall W reads as anything
        readings[7, "they_total"] = reading(t11=0.7, tW=0.1)
    game = decode_game(readings, EVANSVILLE)
    assert len(game.rows) == 5 and game.winner_mark == game.winner == "they" and game.problems == ()


def test_a_w_over_the_last_hand_leaves_the_number_to_the_sums():
    rows = [*CLASSIC, {"we_total": "XX", "they_total": "515", "hand_check": "192", "total_check": "809"}]
    readings = sure(rows, EVANSVILLE)
    readings[5, "they_total"] = reading(tW=0.98)
    game = decode_game(readings, EVANSVILLE)
    assert texts(game, 5)["they_total"] == "515" and game.winner_mark == "they"


def test_a_right_text_ranked_twentieth_is_recovered_by_the_sums():
    readings = sure(CLASSIC, EVANSVILLE)
    others = (184, 114, 179, 194, 124, 144, 154, 164, 171, 177, 178, 1744, 474, 774, 134, 17, 14, 119)
    wrong = {f"t{n}": 0.04 for n in others}
    readings[2, "we_total"] = reading(**{"t74": 0.2779, **wrong, "t174": 0.002})
    assert [t for t, _ in readings[2, "we_total"].top(20)].index("174") == 19
    game = decode_game(readings, EVANSVILLE)
    assert texts(game, 2)["we_total"] == "174" and not accused(game) and not asked(game)


def test_a_digit_the_reader_cannot_tell_is_settled_by_the_sums():
    readings = sure(CLASSIC, EVANSVILLE)
    readings[3, "we_total"] = reading(t244=0.6, t294=0.39)
    game = decode_game(readings, EVANSVILLE)
    assert texts(game, 3) == CLASSIC[2] and game.problems == ()
    assert game.rows[2].cells["we_total"].confidence > 0.99
    assert game.rows[2].cells["we_total"].choices[0][0] == "294"


def test_a_clear_but_wrong_sum_stays_as_written():
    rows = [dict(row) for row in CLASSIC]
    rows[2]["total_check"] = "516"
    game = decode_game(sure(rows, EVANSVILLE), EVANSVILLE)
    (problem,) = game.problems
    assert (problem.code, problem.row, problem.cell, problem.expected) == ("total-check", 3, "total_check", "506")
    assert problem.probability > 0.8 and texts(game, 3)["total_check"] == "516"


def test_two_misreadings_that_cancel_are_asked():
    """10 too many for one side, 10 too few for the other: no check column, no later row can tell."""
    readings = sure(CLASSIC[:2], EVANSVILLE)
    readings[2, "we_total"] = reading(t184=0.6, t174=0.38)
    readings[2, "they_total"] = reading(t140=0.6, t150=0.38)
    game = decode_game(readings, EVANSVILLE)
    assert not accused(game) and asked(game) & {(2, "we_total"), (2, "they_total")}
    readings.update({k: v for k, v in sure(CLASSIC, EVANSVILLE).items() if k[0] > 2})
    game = decode_game(readings, EVANSVILLE)
    assert not accused(game) and asked(game) & {(2, "we_total"), (2, "they_total")}


def test_a_misreading_that_makes_a_wrong_sum_right_is_asked():
    """Either the second total is wrong by ten and the third right, or the other way round: the reader must say."""
    rows = [{"we_points": "92", "we_total": "92", "they_total": "70", "they_points": "70"},
            {"we_points": "82", "we_total": "184", "they_total": "150", "they_points": "80"},
            {"we_points": "90", "we_total": "274", "they_total": "222", "they_points": "72"}]  # fmt: skip
    readings = sure(rows, BESIDE)
    readings[2, "we_total"] = reading(t174=0.7, t184=0.28)
    game = decode_game(readings, BESIDE)
    assert (2, "we_total") in asked(game)
    readings[2, "we_total"] = reading(t184=0.99, t174=0.005)
    game = decode_game(readings, BESIDE)
    (problem,) = game.problems
    assert (problem.row, problem.cell, problem.expected) == (2, "we_total", "174")


def test_a_slip_where_a_digit_is_smudged_is_reported_and_the_digit_asked():
    rows = [{"we_points": "92", "we_total": "92", "they_total": "70", "they_points": "70"},
            {"we_points": "82", "we_total": "184", "they_total": "150", "they_points": "80"}]  # fmt: skip
    readings = sure(rows, BESIDE)
    readings[2, "we_total"] = reading(t184=0.5, t194=0.499)
    game = decode_game(readings, BESIDE)
    assert accused(game) | {row for row, _ in asked(game)} == {2}


@pytest.mark.parametrize(("other", "opponents", "is_slip", "reported"), [
    (0.0002, 1.0, True, True),
    (0.0004, 1.0, True, False),  # the reader is sure of all: a wrong figure without a pattern, or a misreading likewise
    (0.0004, 0.95, True, True),  # it is not: its doubt is what keeps the slip from being certain
    (0.002, 1.0, False, False),
])  # fmt: skip
def test_paper_or_reader_in_doubt_is_asked_and_the_answer_decides(other, opponents, is_slip, reported):
    rows = [{"we_points": "92", "we_total": "92", "they_total": "70", "they_points": "70"},
            {"we_points": "82", "we_total": "174", "they_total": "150", "they_points": "80"}]  # fmt: skip
    readings = sure(rows, BESIDE)
    readings[2, "we_total"] = reading(t184=0.995, t174=other)
    if opponents < 1:
        readings[2, "they_points"] = reading(t80=opponents, t88=0.02)
    game = decode_game(readings, BESIDE)
    assert (2, "we_total") in asked(game)
    slips = [(p.row, p.cell, p.expected) for p in game.problems if p.code != "unreadable"]
    assert slips == ([(2, "we_total", "174")] if reported else [])
    assert all(0.7 <= p.probability < 0.9 for p in game.problems if p.code != "unreadable")
    answered = decode_game(readings | {(2, "we_total"): certain("184" if is_slip else "174")}, BESIDE)
    assert bool(accused(answered)) == is_slip and not asked(answered)


def test_the_budget_keeps_the_dearest_questions():
    readings = sure(CLASSIC, EVANSVILLE)
    for row in (3, 4):
        readings[row, "we_total"] = reading(t184=0.4, t174=0.3)
        readings[row, "they_total"] = reading(t240=0.4, t250=0.35)
        readings[row, "hand_check"] = reading(t240=0.4, t250=0.35)
    everything = asked(decode_game(readings, EVANSVILLE))
    assert len(everything) > 1
    assert asked(decode_game(readings, EVANSVILLE, budget=1)) < everything
    assert asked(decode_game(readings, EVANSVILLE, budget=0)) == set()


def test_struck_numbers_and_choices_are_kept():
    readings = sure(CLASSIC, EVANSVILLE)
    readings[2, "we_total"] = replace(readings[2, "we_total"], struck="184")
    cell = decode_game(readings, EVANSVILLE).rows[1].cells["we_total"]
    assert (cell.text, cell.struck, cell.choices[0][0]) == ("174", "184", "174")


def test_an_answer_of_a_person_is_not_weighed_again():
    rows = [{"we_points": "92", "we_total": "92", "they_total": "70", "they_points": "70"},
            {"we_points": "82", "we_total": "174", "they_total": "150", "they_points": "80"}]  # fmt: skip
    readings = sure(rows, BESIDE)
    readings[2, "we_total"], readings[2, "they_points"] = certain("188"), certain("83")
    game = decode_game(readings, BESIDE)
    assert (texts(game, 2)["we_total"], texts(game, 2)["they_points"]) == ("188", "83")
    assert accused(game) == {2} and not asked(game) & {(2, "we_total"), (2, "they_points")}


def count(games, **noise):
    """Cells, silently wrong, asked; rows, accused wrongly; slips, caught."""
    rng = np.random.default_rng(21)
    sums = dict.fromkeys(("cells", "silent", "asked", "rows", "wrongly", "slips", "caught", "looked"), 0)
    for i in range(games):
        layout = LAYOUTS[i % 3]
        paper: Paper = write_game(rng, layout, noise.get("slips", 0.0))
        game = decode_game(read_game(rng, paper, layout, noise["misread"], noise["doubt"]), layout)
        read = {r.row: r.cells for r in game.rows}
        slips = {slip[0] for slip in paper.slips}
        seen = slips & accused(check_game(paper.rows, paper.winner_mark, layout))  # some make another possible hand
        for number, row in enumerate(paper.rows, 1):
            for key, text in row.items():
                cell = read[number][key] if number in read else None
                sums["cells"] += 1
                sums["asked"] += bool(cell and cell.review)
                sums["silent"] += cell is None or (cell.text != text and not cell.review)
        sums["rows"] += len(paper.rows)
        sums["slips"] += len(seen)
        sums["caught"] += len(seen & accused(game))
        sums["looked"] += len(seen & (accused(game) | {row for row, _ in asked(game)}))
        sums["wrongly"] += len(accused(game) - slips)
    return sums


def test_noisy_readings_of_games_with_slips():
    """2 % of cells misread, half of them with some confidence, and a slip in one row of ten."""
    sums = count(36, slips=0.1, misread=0.02, doubt=0.05)
    assert sums["silent"] <= 0.005 * sums["cells"]
    assert sums["asked"] <= 0.03 * sums["cells"]
    assert sums["wrongly"] <= 0.01 * sums["rows"]
    assert sums["slips"] >= 8 and sums["caught"] >= 0.8 * sums["slips"]
    assert sums["looked"] == sums["slips"]


def test_one_confident_misreading_accuses_nobody():
    rng = np.random.default_rng(22)
    rows = accusations = silent = 0
    for i in range(30):
        layout = LAYOUTS[i % 3]
        paper = write_game(rng, layout)
        readings = sure(paper.rows, layout, paper.winner_mark)
        row, key = int(rng.integers(len(paper.rows))), str(rng.choice(layout.arithmetic_keys))
        text = paper.rows[row][key]
        readings[row + 1, key] = read_cell(rng, text, 1.0, 0.0)
        game = decode_game(readings, layout)
        rows += len(paper.rows)
        accusations += len(accused(game))
        silent += texts(game, row + 1)[key] != text and (row + 1, key) not in asked(game)
    assert accusations <= 1 and silent <= 1 and rows > 100
