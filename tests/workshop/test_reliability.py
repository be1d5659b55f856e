"""Probabilities against the truth: honest ones beat a constant, a liar does not, and the figures are worked by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scanner.sheet.errors import InputError
from scanner.sheet.results import CellResult, GameResult, HandScore, Pair, Problem, RowResult
from scanner.workshop.reliability import Said, both, draw, picture_file, table

NOBODY = HandScore(Pair(None, None), Pair(None, None))


def test_figures_worked_by_hand():
    said = Said.of([(0.8, True), (0.8, False), (0.4, False), (0.4, True)])
    assert said.log_loss == pytest.approx(-np.log([0.8, 0.2, 0.6, 0.4]).mean())
    assert [(n, round(s, 6), t) for n, s, t in said.bins()] == [(2, 0.4, 0.5), (2, 0.8, 0.5)]
    assert said.calibration_error == pytest.approx((0.1 + 0.3) / 2)
    assert said.constant().log_loss == pytest.approx(np.log(2)) and said.constant().calibration_error == 0


def test_a_constant_is_calibrated_and_still_looks_bad_beside_honest_probabilities():
    rng = np.random.default_rng(1)
    chances = rng.uniform(0.2, 0.99, 4000)
    honest = Said(chances, rng.random(4000) < chances)
    assert honest.calibration_error < 0.03 and honest.log_loss < honest.constant().log_loss - 0.05
    boaster = Said(np.full(4000, 0.98), honest.true)
    assert boaster.calibration_error > 0.3 and boaster.log_loss > honest.constant().log_loss


def test_doubtful_cells_and_accusations_are_gathered(tmp_path: Path):
    cells = {"we_total": CellResult("92", 0.8), "they_total": CellResult("76", 0.6)}
    cells["hand_check"] = CellResult("1", 0.999)
    problems = (Problem("running-total", 1, None, None, None, "", probability=0.9),
                Problem("unreadable", 1, "we_total", None, None, ""))  # fmt: skip
    game = GameResult((RowResult(1, cells, NOBODY, NOBODY, None, None, None),), None, None, None, problems)
    truth = {"rows": [{"we_total": "92", "they_total": "70", "hand_check": "162"}], "slips": [{"row": 1}]}
    found = both([(truth, game), (truth, None)])
    assert [(list(s.chances), list(s.true)) for s in found.values()] == [([0.8, 0.6], [True, False]), ([0.9], [True])]
    assert "constant" in table("cells", found["cells below 0.99"]) and table("x", Said.of([])) == "x: none"
    draw(found, tmp_path / "said.png")
    assert (tmp_path / "said.png").stat().st_size > 1000


@pytest.mark.parametrize("name", ["said.exe", "said", "nowhere/said.png"])
def test_a_name_that_is_no_picture_is_refused_before_anything_is_scanned(name: str):
    with pytest.raises(InputError, match="picture"):
        picture_file(name)


def test_the_error_luck_makes_is_worked_by_hand():
    """One probability of 0.8 is off by 0.2 in four of five draws and by 0.8 in one: 0.32 on average, 0.8 at most."""
    mean, most = Said(np.array([0.8]), np.array([True])).error_by_luck()
    assert mean == pytest.approx(0.32, abs=0.03) and most == pytest.approx(0.8)
    assert Said.of([]).error_by_luck() == (0.0, 0.0)


def test_honest_probabilities_stay_within_what_luck_makes_and_a_boaster_does_not():
    rng = np.random.default_rng(7)
    chances = rng.uniform(0.3, 0.99, 300)
    within = 0
    for _ in range(40):
        honest = Said(chances, rng.random(300) < chances)
        within += honest.calibration_error <= honest.error_by_luck()[1]
    assert within >= 33  # 38 expected; 33 or fewer once in a hundred times
    boaster = Said(np.full(300, 0.95), rng.random(300) < 0.6)
    assert boaster.calibration_error > boaster.error_by_luck()[1]
