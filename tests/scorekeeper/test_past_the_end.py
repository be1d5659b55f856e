"""Hands written after the end: the true game stops where it was won, whatever follows on the paper."""

from __future__ import annotations

import numpy as np
import pytest
from paper import draw_hand, write_game, write_row

from scanner.scorekeeper.check import check_game
from scanner.sheet.layout import load_layout

BESIDE = load_layout("beside")
KEYS = ("we_points", "we_total", "they_total", "they_points")


def beside(*rows: str) -> list[dict[str, str]]:
    return [dict(zip(KEYS, row.split(), strict=True)) for row in rows]


def played_on(rng: np.random.Generator, layout, more: int):
    """Rows of a clean game with ``more`` clean hands after its end, and the totals after each row."""
    paper = write_game(rng, layout)
    rows, totals = list(paper.rows), [(0, 0)]
    for row in check_game(rows, None, layout).rows:
        totals.append((row.written.totals.we, row.written.totals.they))
    for _ in range(more):
        row, after = write_row(rng, layout, draw_hand(rng), list(totals[-1]))
        rows.append(row)
        totals.append(tuple(after))
    return rows, totals[1:], len(paper.rows)


@pytest.mark.parametrize("name", ["evansville", "beside", "double"])
@pytest.mark.parametrize("more", [1, 2, 3])
def test_corrected_totals_stop_with_the_hand_that_won_and_the_written_go_on(name, more):
    layout, turned = load_layout(name), 0
    for seed in range(25):
        rows, totals, length = played_on(np.random.default_rng(seed), layout, more)
        game, end = check_game(rows, None, layout), totals[length - 1]
        assert [(p.row, p.code) for p in game.problems if p.code != "winner-mark"] == [(length + 1, "past-the-end")]
        assert [(r.written.totals.we, r.written.totals.they) for r in game.rows] == totals
        found = [(r.corrected.totals.we, r.corrected.totals.they) for r in game.rows]
        assert found == totals[:length] + [end] * more
        assert game.winner_corrected == ("we" if end[0] > end[1] else "they")
        effect = next(p.consequence for p in game.problems if p.code == "past-the-end")
        assert effect.moved == tuple(a - b for a, b in zip(totals[-1], end, strict=True))
        assert effect.points_moved == sum(effect.moved)
        assert effect.winner_changes == (game.winner != game.winner_corrected)
        turned += effect.winner_changes
    assert turned > 0 or more == 1, "some of these games end otherwise on paper"


def test_a_game_the_extra_hands_turned():
    game = check_game(beside("262 262 - -", "262 524 - -", "- 524 262 262", "- 524 524 262", "- 524 686 162"), "they",
                      BESIDE)
    assert (game.winner, game.winner_corrected) == ("they", "we")


def test_a_game_over_by_the_written_totals_alone_goes_on_in_truth():
    # 92 + 50 is 142, the sheet says 502 for 492 after hand 3: by the sums nobody had won, and hand 4 counts.
    rows = beside("262 262 20 20", "132 394 50 30", "98 502 134 84", "62 564 254 120")
    game = check_game(rows, "we", BESIDE)
    assert [(p.row, p.code) for p in game.problems][1:] == [(4, "past-the-end")]
    assert (game.rows[-1].corrected.totals.we, game.rows[-1].corrected.totals.they) == (554, 254)


def test_a_slip_that_hid_the_end_turns_the_winner():
    # We have 502 after hand 3 and have won; the sheet says 402, so hands 4 and 5 are played, and They win on paper.
    rows = beside("262 262 20 20", "132 394 50 30", "108 402 124 74", "- 402 386 262", "- 402 548 162")
    game = check_game(rows, "they", BESIDE)
    (problem,) = game.problems
    assert (problem.code, problem.row) == ("running-total", 3) and problem.consequence.winner_changes
    assert (game.winner, game.winner_corrected) == ("they", "we")
    last = game.rows[-1].corrected.totals
    assert (last.we, last.they) == (502, 124)
