"""Typed games: every slip that can be seen is named on its row, clean games are left alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from paper import write_game

from scanner.rules.arithmetic import hand_possible
from scanner.scorekeeper.check import check_game
from scanner.sheet.layout import load_layout, parse_layout

EVANSVILLE, BESIDE, DOUBLE = (load_layout(name) for name in ("evansville", "beside", "double"))


def layout_of(*keys: str):
    columns = "".join(f'[[columns]]\nkey = "{key}"\nwidth = 20.0\n' for key in keys)
    return parse_layout(f'name = "own"\nrows = 12\nrow_height = 9.0\n{columns}', "own.toml")


def classic(*rows):
    keys = ("we_total", "they_total", "hand_check", "total_check")
    return [dict(zip(keys, row.split(), strict=True)) for row in rows]


def beside(*rows):
    keys = ("we_points", "we_total", "they_total", "they_points")
    return [dict(zip(keys, (t.replace("_", "") for t in row.split()), strict=True)) for row in rows]


def found(game):
    return [(p.code, p.row, p.cell, p.expected) for p in game.problems]


def test_a_clean_classic_game_is_understood():
    begin = classic("92 70 162 162", "174 150 162 324", "XX 270 120 444")
    game = check_game(begin + classic("284 332 172 616"), None, EVANSVILLE)
    assert found(game) == [("hand-total", 4, None, None)]  # 110 and 62 make 172, and no meld is 10
    game = check_game(begin + classic("284 332 162 616"), None, EVANSVILLE)
    assert found(game)[0][1] == 4
    game = check_game(begin + classic("294 332 182 626"), None, EVANSVILLE)
    assert found(game) == [] and game.winner is None
    third, fourth = game.rows[2:]
    assert (third.set, third.maker, third.meld) == ("we", "we", None)
    assert (fourth.set, fourth.maker, fourth.meld) == (None, "we", 20)
    assert (fourth.written.points.we, fourth.written.points.they) == (120, 62)
    assert (third.written.totals.we, third.written.totals.they) == (174, 270)


def test_the_example_of_the_contract():
    game = check_game(beside("92 92 70 70", "82 184 150 80", "90 274 222 72"), None, BESIDE)
    (problem,) = game.problems
    assert (problem.code, problem.row, problem.cell) == ("running-total", 2, "we_total")
    assert (problem.written, problem.expected) == ("184", "174")
    assert problem.message == "Hand 2: We had 92 and made 82, that is 174; the sheet says 184."
    assert problem.consequence.points_moved == 10 and not problem.consequence.winner_changes
    assert (game.rows[2].written.totals.we, game.rows[2].corrected.totals.we) == (274, 264)


def test_a_slip_carried_on_is_reported_once():
    rows = classic("92 70 162 162", "184 150 162 334", "266 230 162 496", "348 310 162 658")
    game = check_game(rows, None, EVANSVILLE)
    (problem,) = game.problems
    assert problem.row == 2 and problem.code == "running-total" and problem.expected is None
    assert {(c.cell, c.expected) for c in problem.candidates} == {("we_total", "174"), ("they_total", "140")}
    assert sum(c.probability for c in problem.candidates) == pytest.approx(1, abs=0.05)


def test_a_total_check_from_the_right_totals_points_at_the_wrong_one():
    game = check_game(classic("92 70 162 162", "184 150 162 324"), None, EVANSVILLE)
    named = {c.cell: c.probability for p in game.problems for c in p.candidates}
    assert {p.row for p in game.problems} == {2}
    assert set(named) >= {"we_total", "they_total"}


@pytest.mark.parametrize(
    ("rows", "code", "cell"),
    [
        (beside("92 92 70 70", "101 183 141 71"), "hand-total", "we_points"),
        (beside("92 92 70 70", "91 173 141 71"), "running-total", "we_total"),
        (beside("92 92 70 70", "XX 102 180 110"), "running-total", "we_total"),
        (beside("92 92 70 70", "91 _ 141 71"), "running-total", "we_total"),
        (beside("92 92 70 70", "_ 92 180 110"), "hand-total", "we_points"),
    ],
)
def test_one_guilty_cell_is_named(rows, code, cell):
    (problem,) = check_game(rows, None, BESIDE).problems
    assert (problem.code, problem.row, problem.cell) == (code, 2, cell)
    assert problem.written == rows[1][cell]


def test_a_tie_nobody_marked():
    (problem,) = check_game(beside("81 81 81 81"), None, BESIDE).problems
    assert (problem.code, problem.row) == ("tied-hand", 1)
    assert {(c.cell, c.expected) for c in problem.candidates} >= {("we_points", "XX"), ("they_points", "XX")}


def test_a_set_beside_seventy_points():
    (problem,) = check_game(beside("XX _ 70 70"), None, BESIDE).problems
    assert problem.code == "set-too-low" and "at least 81" in problem.message
    assert "they_points" in {problem.cell, *(c.cell for c in problem.candidates)}


def test_both_sides_marked_set():
    problems = check_game(beside("92 92 70 70", "XX 92 70 XX"), None, BESIDE).problems
    assert {(p.code, p.row) for p in problems} == {("hand-total", 2)}


def test_marks_zeros_and_carried_blanks_are_no_slips():
    rows = beside("- _ 162 162", "XX 0 273 111", "182 182 273 ~", "120 302 335 62")
    game = check_game(rows, None, BESIDE)
    assert game.problems == ()
    assert [(r.maker, r.set, r.meld) for r in game.rows] == [
        ("they", None, 0), ("we", "we", None), ("we", None, 20), ("we", None, 20)]  # fmt: skip
    assert (game.rows[0].written.totals.we, game.rows[1].written.totals.we) == (0, 0)


@pytest.mark.parametrize(("mark", "says"), [(None, "no W"), ("they", "stands in the They column"), ("we", None)])
def test_the_w(mark, says):
    game = check_game(beside("262 262 20 20", "242 504 40 20"), mark, BESIDE)
    assert game.winner == "we" and game.winner_mark == mark
    assert [p.code for p in game.problems] == (["winner-mark"] if says else [])
    assert not says or says in game.problems[0].message
    assert all(p.row is None and p.cell is None for p in game.problems)


def test_a_hand_after_the_end():
    rows = beside("262 262 20 20", "262 524 40 20", "100 624 102 62", "100 724 164 62")
    (problem,) = check_game(rows, "we", BESIDE).problems
    assert (problem.code, problem.row, problem.cell) == ("past-the-end", 3, None)


def test_a_slip_that_turns_the_winner():
    rows = beside("262 262 20 20", "132 404 50 30", "102 496 130 80")
    problems = check_game(rows, None, BESIDE).problems
    assert [(p.code, p.row, p.cell) for p in problems] == [("running-total", row, "we_total") for row in (2, 3)]
    rows = beside("262 262 20 20", "132 394 50 30", "112 516 100 50")
    (problem,) = check_game(rows, "we", BESIDE).problems
    assert problem.expected == "506" and not problem.consequence.winner_changes
    rows = beside("262 262 20 20", "132 394 50 30", "102 506 130 80")
    (problem,) = check_game(rows, "we", BESIDE).problems
    assert problem.expected == "496" and problem.consequence.winner_changes


def test_a_text_no_cell_can_hold_is_asked_and_accuses_nobody():
    game = check_game(beside("92 92 70 70", "9a 174 150 80"), None, BESIDE)
    (problem,) = game.problems
    assert (problem.code, problem.row, problem.cell, problem.written) == ("unreadable", 2, "we_points", "9a")
    assert game.rows[1].cells["we_points"].review and game.rows[1].written.points.we == 82


def test_rows_with_only_the_w_are_no_hands():
    game = check_game([*beside("92 92 70 70"), {}, {"we_total": "W"}, {"we_total": " "}], None, BESIDE)
    assert [r.row for r in game.rows] == [1] and check_game([], None, BESIDE).rows == ()


def test_points_alone_and_totals_alone_work_with_what_they_have():
    points = layout_of("we_points", "they_points")
    rows = [{"we_points": "92", "they_points": "70"}, {"we_points": "95", "they_points": "70"}]
    game = check_game(rows, None, points)
    (problem,) = game.problems
    assert (problem.code, problem.row) == ("hand-total", 2) and len(problem.candidates) >= 2
    assert game.rows[1].written.totals.we == 187
    totals = layout_of("we_total", "they_total")
    rows = [{"we_total": "92", "they_total": "70"}, {"we_total": "84", "they_total": "150"}]
    (problem,) = check_game(rows, None, totals).problems
    assert problem.row == 2 and "we_total" in {problem.cell, *(c.cell for c in problem.candidates)}
    assert check_game([{"hand_check": "162"}], None, layout_of("hand_check")).problems == ()


OWN = (("we_total", "they_total"), ("we_points", "they_points"), ("we_points", "they_points", "hand_check"),
       ("we_total", "they_total", "hand_check"))  # fmt: skip
LAYOUTS = (EVANSVILLE, BESIDE, DOUBLE, *(layout_of(*keys) for keys in OWN))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: "+".join(layout.keys))
def test_clean_games_give_no_alarm(layout):
    rng = np.random.default_rng(11)
    for _ in range(50):
        paper = write_game(rng, layout)
        game = check_game(paper.rows, paper.winner_mark, layout)
        assert game.problems == (), (paper.rows, game.problems)
        assert game.winner == game.winner_corrected == paper.winner_mark
        assert [r.written for r in game.rows] == [r.corrected for r in game.rows]


@pytest.mark.parametrize("layout", [EVANSVILLE, BESIDE, DOUBLE], ids=lambda layout: layout.name)
def test_slips_are_named_on_their_row(layout):
    """A slip breaks the sums unless a miscount happens to make another possible hand."""
    rng = np.random.default_rng(12)
    slips = 0
    for _ in range(30):
        paper = write_game(rng, layout, slip_rate=0.3)
        game = check_game(paper.rows, paper.winner_mark, layout)
        accused = {p.row for p in game.problems if p.row}
        assert accused <= {slip[0] for slip in paper.slips}
        for row, code, cells in paper.slips:
            slips += 1
            named = [p for p in game.problems if p.row == row]
            assert named or (code == "hand-total" and _possible(paper.rows[row - 1])), (paper.rows, paper.slips)
            for problem in named[:1]:
                assert {problem.cell, *(c.cell for c in problem.candidates)} & set(cells), (paper.rows, problem)
    assert slips > 15


def _possible(row):
    points = [row.get(f"{side}_points", "") for side in ("we", "they")]
    marked = next((side for side, text in zip(("we", "they"), points, strict=True) if text == "XX"), None)
    return hand_possible(*(int(t) if t.isdigit() else 0 for t in points), marked)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: "+".join(layout.keys))
def test_one_unreadable_cell_in_a_clean_game_is_asked_and_accuses_nobody(layout):
    """Whatever cell it is: some text in it makes the row right. Who won may then be unknown."""
    rng = np.random.default_rng(13)
    for _ in range(4):
        paper = write_game(rng, layout)
        for number in range(len(paper.rows)):
            for key in layout.arithmetic_keys:
                rows = [dict(row) for row in paper.rows]
                rows[number][key] = "9a"
                problems = check_game(rows, paper.winner_mark, layout).problems
                found_there = [(p.code, p.row, p.cell) for p in problems]
                assert found_there == [("unreadable", number + 1, key)], (rows, problems)


def test_an_unreadable_cell_excuses_no_slip_that_it_cannot_explain():
    """We had 92 and made 82; no They points make a total of 184 of that."""
    game = check_game(beside("92 92 70 70", "82 184 150 8O"), None, BESIDE)
    assert {(p.code, p.row) for p in game.problems} == {("running-total", 2), ("unreadable", 2)}


def test_a_total_that_took_a_wrong_count_over_is_named_beside_it():
    (problem,) = check_game(beside("92 92 70 70", "101 193 141 71"), None, BESIDE).problems
    named = {c.cell: c.expected for c in problem.candidates}
    assert named == {"we_points": "111", "we_total": "203", "they_points": "61", "they_total": "131"}
    (problem,) = check_game(beside("92 92 70 70", "91 183 161 91"), None, BESIDE).problems
    assert {c.cell for c in problem.candidates} == {"we_points", "they_points", "we_total", "they_total"}


def test_points_left_out_are_seen_where_no_total_tells_them():
    """Only points columns: an empty cell is a mark or a figure that somebody forgot."""
    rows = [{"we_points": "102", "they_points": "60"}, {"we_points": "87", "they_points": ""}]
    (problem,) = check_game(rows, None, layout_of("we_points", "they_points")).problems
    assert (problem.code, problem.row) == ("hand-total", 2)
    assert "they_points" in {problem.cell, *(c.cell for c in problem.candidates)}


@pytest.mark.parametrize("name", ["evansville", "beside", "double"])
def test_beside_an_unreadable_cell_nobody_is_set_without_a_mark_nor_maker_without_both_scores(name):
    layout = load_layout(name)
    keys = [key for key in layout.arithmetic_keys if "check" not in key]
    for texts in itertools.product(("", "9a", "92", "70", "XX", "-"), repeat=len(keys)):
        row = dict(zip(keys, texts, strict=True))
        game = check_game([row], None, layout)
        if "9a" not in texts:
            continue
        assert any(p.code == "unreadable" for p in game.problems)
        (hand,) = game.rows
        marked = {key.split("_")[0] for key, text in row.items() if text == "XX"}
        assert hand.set is None or hand.set in marked, row
        assert hand.set or hand.maker is None or None not in (hand.written.points.we, hand.written.points.they), row


def test_a_set_mark_beside_an_unreadable_score_still_says_who_was_set():
    row = check_game(beside("XX XX abc abc"), None, BESIDE).rows[0]
    assert (row.set, row.maker) == ("we", "we")


@pytest.mark.parametrize("name", ["beside", "double"])
def test_each_of_two_totals_that_are_wrong_has_a_sentence_of_its_own(name):
    layout = load_layout(name)
    for totals, says in ((("", ""), "is left blank"), (("91", "99"), "the sheet says 9")):
        row = {"we_points": "92", "they_points": "70", "we_total": totals[0], "they_total": totals[1]}
        said = [p.message for p in check_game([row], None, layout).problems]
        assert len(set(said)) == len(said) == 2 and all(says in text and "?" not in text for text in said)
        assert ["that is 92" in said[0], "that is 70" in said[1]] == [True, True]


@pytest.mark.parametrize(("cell", "says"), [("we_points", "the We points hold 'abc'"),
                                            ("we_total", "the We total holds 'abc'")])
def test_points_hold_and_a_total_holds(cell, says):
    (problem,) = check_game([{"we_points": "92", "we_total": "92", "they_total": "70", "they_points": "70"}
                             | {cell: "abc"}], None, BESIDE).problems
    assert says in problem.message
