"""The slip prior: made anew it is the same, its chances are chances, and what is likely is likely."""

from __future__ import annotations

import json
from importlib import resources

import numpy as np
import pytest

from scanner.scorekeeper.prior import FIGURED, FILE, SIDED, read_prior, slip_prior
from scanner.sheet.texts import NUMBERS
from scanner.workshop.slip_prior import make_prior


def test_made_anew_from_other_hands_it_is_much_the_same():
    fresh = read_prior(make_prior(1024, seed=9))
    assert fresh.rates == pytest.approx(dict(slip_prior().rates), rel=0.15, abs=1e-4)
    for kind in FIGURED:
        known, anew = slip_prior().figures[kind], fresh.figures[kind]
        common = {gap for gap, share in known.gaps.items() if share > 0.02}
        assert {g: anew.gaps.get(g, 0) for g in common} == pytest.approx({g: known.gaps[g] for g in common}, rel=0.25)


def test_the_file_says_how_it_was_made():
    document = json.loads((resources.files("scanner.scorekeeper") / "data" / FILE).read_text("utf-8"))
    assert document["made_by"].startswith("python -m scanner.workshop.slip_prior --hands")
    with pytest.raises(ValueError, match="schema 9"):
        read_prior(document | {"schema": 9})


def test_about_one_full_row_in_fifteen_holds_a_slip_and_most_are_sums():
    prior = slip_prior()
    assert 0.03 < prior.row_rate(points=True, checks=True) < 0.1
    assert prior.row_rate(True, True) > prior.row_rate(False, True) > prior.row_rate(False, False)
    assert max(prior.rates, key=prior.rates.get) == "total"
    assert set(prior.rates) == {*SIDED, *FIGURED, "swapped"}


@pytest.mark.parametrize("kind", FIGURED)
def test_figures_are_chances_that_add_to_one_for_every_right_figure(kind):
    """Over all that may be written; what no cell can hold (2000 and more, a zero in front) is missing."""
    chances = np.array([slip_prior().chance_of_figure(kind, written) for written in range(NUMBERS)])
    assert (chances >= 0).all() and (np.diag(chances) == 0).all()
    for right in (174, 349, 512):
        assert 0.9 < chances[:, right].sum() <= 1.001


def test_a_forgotten_carry_is_likelier_than_a_stray_digit_and_that_than_nonsense():
    total = slip_prior().chance_of_figure("total", 164)
    assert total[174] > total[164 + 40] > total[164 + 477] > 0
    assert total[146] > total[143]  # neighbours turned round
    points = slip_prior().chance_of_figure("points", 64)
    assert points[46] > points[61] > points[35]
    count = slip_prior().chance_of_figure("count", 82)
    assert count[92] > count[83]  # the last trick forgotten; no card counts one
