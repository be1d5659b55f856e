"""A reading of a cell whose ink may not have been seen: a probability still, and never surer than before."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.pipeline import HIDDEN, doubted
from scanner.sheet.reading import certain


@settings(max_examples=30, deadline=None)
@given(st.floats(0.0, 1.0), st.sampled_from(["", "92", "XX"]))
def test_doubt_shares_out_and_keeps_the_sum(doubt: float, text: str) -> None:
    reading = certain(text).doubted(doubt)
    assert np.exp(reading.log_probs).sum() == pytest.approx(1.0)
    blank = 0.5 * doubt if text else 1 - 0.5 * doubt
    assert reading.probability("") == pytest.approx(blank, abs=1e-6)
    if text:
        assert reading.probability(text) == pytest.approx(1 - doubt, abs=1e-3)


def test_cells_under_a_thing_are_doubted_down_to_the_last_writing_only() -> None:
    keys, written = ("we_total", "they_total"), {1: "92", 2: "", 3: "162", 4: "", 5: ""}
    readings = {(1, row, key): certain(text) for row, text in written.items() for key in keys}
    hidden = {(1, row, key) for row in (2, 5) for key in keys}
    after = doubted(readings, hidden)
    assert all(after[1, 2, key].confidence == pytest.approx(1 - HIDDEN / 2) for key in keys)
    assert all(after[1, row, key] is readings[1, row, key] for row in (1, 3, 4, 5) for key in keys)
