"""The short forms of numpy's functions against numpy's own."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scanner.photo.quick import bounded, quantile

# Numbers below the normal range have fewer digits than the comparison asks for.
NUMBERS = st.lists(st.floats(-1e6, 1e6, width=32, allow_subnormal=False), min_size=1, max_size=40)


@given(NUMBERS, st.floats(0, 1))
def test_quantile_is_numpys(values: list[float], part: float) -> None:
    array = np.array(values, np.float32)
    spread = float(np.ptp(array)) + float(np.abs(array).max())
    assert abs(quantile(array, part) - float(np.quantile(array.astype(float), part))) <= 1e-5 * spread + 1e-37


def test_quantile_takes_any_shape_and_leaves_it_alone() -> None:
    table = np.random.default_rng(1).random((7, 5))
    before = table.copy()
    assert quantile(table, 0.6) == np.float64(np.quantile(table, 0.6))
    np.testing.assert_array_equal(table, before)


@given(st.lists(st.integers(-50, 50)), st.integers(-9, 9), st.integers(0, 9))
def test_bounded_is_numpys_clip(values: list[int], low: int, more: int) -> None:
    array = np.array(values, int)
    np.testing.assert_array_equal(bounded(array, low, low + more), np.clip(array, low, low + more))
