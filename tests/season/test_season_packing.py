"""Readings packed into the season file and out of it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.season.packing import KEPT, pack_readings, unpack_readings
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import VOCABULARY


def posterior(seed: int, sharpness: float) -> np.ndarray:
    scores = np.random.default_rng(seed).normal(size=len(VOCABULARY)) * sharpness
    return scores - np.log(np.exp(scores - scores.max()).sum()) - scores.max()


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10_000), st.floats(0.0, 30.0), st.sampled_from([None, "90"]))
def test_the_likeliest_texts_come_back_and_the_rest_adds_up(seed, sharpness, struck):
    given_ = CellReading(posterior(seed, sharpness), struck)
    back = unpack_readings(pack_readings({(3, "we_total"): given_}))[3, "we_total"]
    assert back.struck == struck
    assert np.isclose(np.exp(back.log_probs).sum(), 1.0, atol=1e-9)
    top = np.argsort(-given_.log_probs, kind="stable")[:KEPT]
    np.testing.assert_allclose(back.log_probs[top], np.maximum(given_.log_probs[top], -99.0), atol=2e-4)
    rest = np.setdiff1d(np.arange(len(VOCABULARY)), top)
    assert np.all(back.log_probs[rest] <= given_.log_probs[top].min() + 2e-4) or sharpness > 1.0


def test_a_reader_with_a_vocabulary_of_its_own_is_stored_by_text():
    digits = tuple("0123456789")
    reading = CellReading(np.log(np.full(10, 0.1)), None, digits)
    back = unpack_readings(pack_readings({(1, "we_total"): reading}))[1, "we_total"]
    assert [round(back.probability(d), 6) for d in digits] == [0.1] * 10


def test_a_page_of_readings_stays_small():
    """A season of a thousand pages should stay under a hundred megabytes."""
    readings = {(row, key): CellReading(posterior(row, 5.0)) for row in range(1, 13) for key in "abcd"}
    assert len(pack_readings(readings)) < 100_000 * 0.3
