"""What the page says a slip changes."""

from __future__ import annotations

import pytest

from scanner.review.views import _problem
from scanner.sheet.results import Consequence, Problem


@pytest.mark.parametrize(("effect", "says"), [
    (Consequence(False, 0), "No score changes."), (Consequence(False, 1), "1 point is moved."),
    (Consequence(False, 10), "10 points are moved."), (Consequence(True, 1), "The winner changes."),
])
def test_a_consequence_is_said_in_words(effect, says):
    problem = Problem("running-total", 1, "we_total", "93", "92", "", (), 1.0, effect)
    assert _problem(problem)["consequence"] == says
