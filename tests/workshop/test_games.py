"""Written games judged by a hand-written referee of this file: honest rows add up, and every slip leaves its trace."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.sheet.layout import built_in_layouts, parse_layout
from scanner.workshop.games import Keeper, random_keeper, write_game
from scanner.workshop.slips import KINDS, corrected

LAYOUTS = {layout.name: layout for layout in built_in_layouts()}
CAREFUL = Keeper(slip=0, strike=0, rewrite=0, forget=0)
#: From the rules' text, typed by hand.
MELDS = {0, 20, 40, 50, 60, 70, 80, 90, 100, 110, 120, 140, 150, 160, 170, 200, 220, 240, 260, 300, 320}


def _faults(game) -> set[int]:
    """Rows in which something is wrong, by the sums of the rules' section on sheets."""
    faults, before, over = set(), {"we": 0, "they": 0}, False
    for number, row in enumerate(game.rows, 1):
        text = {key: entry.text for key, entry in row.items()}
        points, totals = _points(text, before), _totals(text, before)
        marked = [s for s in before if "XX" in (text.get(f"{s}_points"), text.get(f"{s}_total"))]
        low, high = sorted(points.values())
        wrong = over
        if marked:
            wrong |= high < 81
        else:
            wrong |= low == high or low + high - 162 not in MELDS or low in (1, 161)
        wrong |= any(f"{s}_points" in text and totals[s] != before[s] + points[s] for s in before)
        wrong |= "hand_check" in text and text["hand_check"] != str(sum(points.values()))
        wrong |= "total_check" in text and text["total_check"] != str(sum(totals.values()))
        if wrong:
            faults.add(number)
        before, over = totals, max(totals.values()) >= 500 and totals["we"] != totals["they"]
    return faults


def _totals(text, before):
    return {s: int(t) if (t := text.get(f"{s}_total", "")).isdigit() else before[s] for s in before}


def _points(text, before):
    totals = _totals(text, before)
    if "we_points" in text:
        return {s: int(t) if (t := text[f"{s}_points"]).isdigit() else 0 for s in before}
    return {s: totals[s] - before[s] for s in before}


@pytest.mark.parametrize("name", LAYOUTS)
def test_careful_games_have_no_fault_and_end_with_a_winner(name):
    for seed in range(40):
        game = write_game(LAYOUTS[name], CAREFUL, np.random.default_rng(seed))
        assert _faults(game) == set(), f"seed {seed}"
        assert game.slips == () and game.winner == game.winner_mark
        assert 2 <= len(game.rows) <= LAYOUTS[name].rows
        assert all(entry.struck is None and entry.over is None for row in game.rows for entry in row.values())


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("kind", [*KINDS, "past-the-end"])
def test_every_slip_leaves_a_trace_in_its_row_and_nowhere_else(name, kind):
    made = 0
    for seed in range(12):
        game = write_game(LAYOUTS[name], CAREFUL, np.random.default_rng(seed), planned=kind)
        assert _faults(game) == {slip.row for slip in game.slips}, f"seed {seed}"
        made += len(game.slips)
        for slip in game.slips:
            if slip.cell is not None:
                assert game.rows[slip.row - 1][slip.cell].text == slip.written != slip.right
    assert made >= 9 or (kind.endswith("check") and kind.replace("-", "_") not in LAYOUTS[name].keys)


def test_habits_show_in_the_ink_and_not_in_the_text():
    keeper = Keeper(mark="XXX", zero="~", slip=0, strike=0, rewrite=0, forget=0)
    rows = [r for seed in range(30) for r in write_game(LAYOUTS["beside"], keeper, np.random.default_rng(seed)).rows]
    inks = {(e.text, e.ink) for row in rows for e in row.values() if not e.text.isdigit()}
    assert inks == {("XX", "XXX"), ("-", "~"), ("", "")}


def test_struck_numbers_are_numbers_and_differ():
    rng = np.random.default_rng(1)
    game = write_game(LAYOUTS["evansville"], Keeper(slip=0, strike=1, rewrite=0, forget=0), rng)
    struck = [e for row in game.rows for e in row.values() if e.struck is not None]
    assert struck and all(e.struck.isdigit() and e.struck != e.text for e in struck)
    assert all(corrected(str(v), rng) != str(v) for v in range(1, 999, 7))


def test_columns_of_any_layout_are_filled():
    text = 'name = "own"\nrows = 8\nrow_height = 8.0\n' + "".join(
        f'[[columns]]\nkey = "{k}"\ntitles = []\nwidth = 15.0\n{more}' for k, more in
        [("number", ""), ("we_points", ""), ("they_points", ""), ("note", "free = true\n")])
    game = write_game(parse_layout(text, "own"), CAREFUL, np.random.default_rng(2))
    assert [row["number"].text for row in game.rows] == [str(i + 1) for i in range(len(game.rows))]
    assert all(row["note"].text == "" and row["we_points"].text != "" for row in game.rows)


def test_trouble_makes_more_slips():
    def slips(trouble, seed):
        keeper = random_keeper(np.random.default_rng(seed), trouble)
        return len(write_game(LAYOUTS["beside"], keeper, np.random.default_rng(seed)).slips)

    assert sum(slips(0.0, s) for s in range(40)) == 0 < sum(slips(1.0, s) for s in range(40))
