"""How the reader's words are weighed: without the prior it was taught, with a floor under every text."""

from __future__ import annotations

import numpy as np
import pytest
from paper import spread

from scanner.scorekeeper.likelihood import TAUGHT_MARKS, TAUGHT_NUMBERS, floor, likelihood
from scanner.sheet.reading import CellReading, certain
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, SET, VOCABULARY, WON, ZERO
from scanner.workshop.cells import PRACTICE
from scanner.workshop.writing import random_number


def test_the_taught_prior_is_that_of_the_training_cells():
    """Within a factor of two of every stretch of practice: marks and nothing by its mixture, numbers by length.

    Whole sheets practise no W.
    """
    for practice in PRACTICE:
        *numbers, marked, zero, won, nothing = practice.mixture
        shares = {SET: marked, ZERO: zero, WON: won, EMPTY: nothing}
        practised = {text: share for text, share in shares.items() if share or not practice.sheets}
        assert all(0.5 < TAUGHT_MARKS[text] / share < 2 for text, share in practised.items())
        assert sum(TAUGHT_NUMBERS) == pytest.approx(sum(numbers), rel=0.1)
    rng = np.random.default_rng(1)
    lengths = np.bincount([len(random_number(rng)) for _ in range(4000)])[1:5] / 4000
    assert lengths == pytest.approx(np.array(TAUGHT_NUMBERS) / sum(TAUGHT_NUMBERS), abs=0.03)


def test_nothing_at_ninety_percent_is_weak_evidence_against_a_number():
    rng = np.random.default_rng(2)
    seen = likelihood(spread(rng, EMPTY, 0.9, {"115": 0.08}))
    assert seen[INDEX["115"]] > seen[INDEX[EMPTY]]
    sure = likelihood(spread(rng, EMPTY, 0.9999))
    assert sure[INDEX[EMPTY]] > 100 * sure[INDEX["115"]]


@pytest.mark.parametrize("text", ["7", "92", "174", "1093", SET, ZERO, WON, EMPTY])
def test_no_text_is_ever_impossible_and_the_text_read_is_the_likeliest(text):
    seen = likelihood(spread(np.random.default_rng(3), text, 0.999999))
    assert seen.min() > 0 and seen.argmax() == INDEX[text]
    assert floor(INDEX[text]).min() > 0 and floor(INDEX[text]).sum() <= 1 + 1e-9


def test_a_like_digit_and_a_lost_first_digit_stand_above_anything_else():
    seen = likelihood(spread(np.random.default_rng(4), "67", 0.9999))
    assert seen[INDEX["167"]] > 3 * seen[INDEX["395"]] and seen[INDEX["61"]] > 3 * seen[INDEX["395"]]


def test_an_even_posterior_says_nothing_for_a_number_or_an_empty_cell():
    seen = likelihood(CellReading(np.full(len(VOCABULARY), -np.log(len(VOCABULARY)))))
    assert seen[INDEX[EMPTY]] / seen[INDEX["174"]] == pytest.approx(1, abs=0.2)
    assert likelihood(certain("174"))[:NUMBERS].argmax() == 174
