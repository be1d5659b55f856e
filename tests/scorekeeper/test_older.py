"""Totals further up the column: what the reader says of them, and what they say of a total that is too small."""

from __future__ import annotations

import numpy as np
import pytest
from paper import spread
from test_check import beside
from test_decode import BESIDE, accused, asked, sure, texts

from scanner.scorekeeper.decode import decode_game
from scanner.scorekeeper.older import older_totals
from scanner.sheet.texts import NUMBERS

KEYS = BESIDE.arithmetic_keys


def test_the_two_totals_above_the_last_are_known_by_what_was_read():
    read = sure(beside("92 92 70 70", "82 174 150 80", "XX _ 250 100", "90 264 322 72", "62 326 422 100"), BESIDE)
    rows = [{key: read[n, key] for key in KEYS} for n in range(1, 6)]
    older = older_totals(rows, KEYS)
    assert older[0] is None  # nothing stands above the first row but the start
    one, two, three, four = ({int(t): round(float(side[t]), 2) for t in np.flatnonzero(side > 0.01)}
                             for (side, _) in older[1:])  # fmt: skip
    assert one == {0: 1.0} and two == {0: 0.5, 92: 0.5}
    assert three == {92: 0.5, 174: 0.5}
    assert four == {174: 1.0}  # after the set nothing new stood there
    assert all(side.shape == (2, NUMBERS) and side.sum(axis=1) == pytest.approx(1) for side in older[1:])


def test_a_total_read_in_doubt_is_known_as_far_as_it_was_read():
    rng = np.random.default_rng(3)
    read = sure(beside("92 92 70 70", "82 174 150 80", "90 264 222 72"), BESIDE)
    read[1, "we_total"] = spread(rng, "92", 0.7, {"97": 0.3})
    older = older_totals([{key: read[n, key] for key in KEYS} for n in range(1, 4)], KEYS)
    assert older[2][0][[0, 92, 97]] == pytest.approx([0.5, 0.35, 0.15], abs=0.01)


def test_without_columns_of_totals_nothing_is_known():
    read = sure(beside("92 92 70 70", "82 174 150 80"), BESIDE)
    rows = [{key: read[n, key] for key in KEYS} for n in (1, 2)]
    assert older_totals(rows, ("we_points", "they_points")) == [None, None]


@pytest.mark.parametrize(
    ("total", "slip"), [("185", True), ("153", True), ("171", False), ("142", False)],
    ids=["62 and the total two rows up", "62 and the other side's", "no sum of 62", "nor this"],
)  # fmt: skip
def test_a_last_total_made_of_one_from_elsewhere_is_a_slip_any_other_small_one_is_asked_about(total, slip):
    """233 and 62 are 295. Nothing is built on a last total; only what a keeper may have added tells the two apart."""
    game = decode_game(sure(beside("39 39 123 123", "52 91 233 110", f"100 191 {total} 62"), BESIDE), BESIDE)
    assert accused(game) == ({3} if slip else set())
    assert slip == ((3, "they_total") not in asked(game)) and (not slip or texts(game, 3)["they_total"] == total)
