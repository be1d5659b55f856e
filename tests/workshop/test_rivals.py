"""The rivals and the trial: games of the trial depend on seed and number alone, and each way judges what it says."""

from __future__ import annotations

from collections import Counter

import numpy as np

from scanner.sheet.layout import load_layout
from scanner.sheet.reading import CellReading, certain
from scanner.sheet.texts import INDEX, VOCABULARY
from scanner.workshop.rivals import WAYS, examples, table
from scanner.workshop.trial import TrialGame, trial_games

BESIDE = load_layout("beside")
ROWS = [{"we_points": "92", "we_total": "92", "they_total": "70", "they_points": "70"},
        {"we_points": "82", "we_total": "174", "they_total": "150", "they_points": "80"},
        {"we_points": "90", "we_total": "264", "they_total": "222", "they_points": "72"}]  # fmt: skip


def game(rows=ROWS, slips=(), **wrong) -> TrialGame:
    readings = {(n, key): certain(rows[n - 1].get(key, "") if n <= len(rows) else "", 1e-4)
                for n in range(1, BESIDE.rows + 1) for key in BESIDE.keys}  # fmt: skip
    for key, (text, sure, right, chance) in wrong.items():
        chances = np.full(len(VOCABULARY), (1 - sure - chance) / len(VOCABULARY))
        chances[INDEX[text]] += sure
        chances[INDEX[right]] += chance
        readings[2, key] = CellReading(np.log(chances))
    truth = {"rows": rows, "slips": [{"row": n} for n in slips], "winner": None, "winner_mark": None}
    return TrialGame("here", truth, BESIDE, readings)


def accused(result):
    return {p.row for p in result.problems if p.code not in ("unreadable", "winner-mark")}


def test_a_clear_clean_game_is_clean_to_all():
    assert all(accused(way(game())) == set() for way in WAYS.values())


def test_a_w_read_in_a_check_column_names_no_side():
    checked = load_layout("evansville")
    rows = [{"we_total": "92", "they_total": "70", "hand_check": "162", "total_check": "162"}]
    readings = {(n, key): certain(rows[0][key] if n == 1 else "W" if (n, key) == (2, "hand_check") else "", 1e-4)
                for n in range(1, checked.rows + 1) for key in checked.keys}  # fmt: skip
    truth = {"rows": rows, "slips": [], "winner": None, "winner_mark": None}
    found = {name: way(TrialGame("here", truth, checked, readings)).winner_mark for name, way in WAYS.items()}
    assert set(found.values()) == {None}


def test_one_misread_total_is_blamed_on_the_paper_by_the_greedy_alone():
    misread = game(we_total=("114", 0.9, "174", 0.05))
    said = {name: accused(way(misread)) for name, way in WAYS.items()}
    assert said == {"greedy": {2, 3}, "by sum rules": set(), "by repair": set(), "scorekeeper": set()}
    assert any("accused: greedy" in line for line in examples(misread, {n: way(misread) for n, way in WAYS.items()}))


def test_a_slip_is_mended_away_by_repair_and_reported_by_the_scorekeeper():
    rows = [ROWS[0], ROWS[1] | {"we_total": "184"}, ROWS[2] | {"we_total": "274"}]
    slipped = game(rows, (2,), we_total=("184", 0.998, "174", 0.0005))
    assert accused(WAYS["by repair"](slipped)) != {2} and accused(WAYS["scorekeeper"](slipped)) == {2}


def test_the_table_has_a_line_a_way():


    assert len(table({name: Counter(cells=1) for name in WAYS}).splitlines()) == 2 + len(WAYS)


def test_a_trial_goes_on_where_it_stopped(tmp_path):
    (first, *_) = trial_games(tmp_path, 1, 3, "easy")
    made = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.np?")}
    (again, *_) = trial_games(tmp_path, 1, 3, "easy")
    assert made == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.np?")} and len(made) == 2
    assert first.truth == again.truth and first.where == "easy 3/0 game 1"
    place = next(iter(first.readings))
    assert (first.readings[place].log_probs == again.readings[place].log_probs).all()
