"""Mistakes of a person who counts, adds and copies, against sums worked by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.rules.cards import card
from scanner.workshop.mistakes import COPY, STEP, SUM, wrong_copies, wrong_counts, wrong_places, wrong_sums

figures = st.integers(0, 999)


def gaps(mistakes) -> dict[int, float]:
    found: dict[int, float] = {}
    for mistake in mistakes:
        found[mistake.gap] = found.get(mistake.gap, 0.0) + mistake.chance
    return found


def test_what_can_go_wrong_in_47_and_58():
    """15 down and 1 to carry, 10 down and 1 to carry: both carries may be forgotten, none made up above them."""
    wrong = gaps(wrong_sums(47, 58))
    assert wrong[-10] > wrong[10] and wrong[-100] > wrong[-1] == wrong[1]
    assert set(wrong) == {*range(-3, 4), *range(-30, 31, 10), -100} - {0}


def test_without_a_carry_one_may_be_made_up():
    wrong = gaps(wrong_sums(142, 51))
    assert wrong[10] > wrong[-10] and -1000 not in wrong and 1000 not in wrong


@given(figures, figures)
def test_sums_go_wrong_one_time_in_a_hundred_and_never_below_nothing(first, second):
    wrong = gaps(wrong_sums(first, second))
    if wrong:
        assert math.isclose(sum(wrong.values()), SUM)
    assert all(first + second + gap >= 0 for gap in wrong) and 0 not in wrong


def test_a_count_misses_cards_that_count_the_last_trick_and_the_meld():
    """One trick of hearts: 20 + 0 + 11 + 10 = 41. No column of 0 + 41 is off by more than three."""
    trick = [card(name) for name in ("JH", "9C", "AS", "TS")]
    wrong = gaps(wrong_counts([trick], trump=2, meld=50, took_last=True))
    # the nine of clubs counts nothing and cannot be missed; the ten and the last trick are worth the same
    assert wrong[-10] > wrong[-50] > wrong[-41] > 0 and wrong[-11] > wrong[11] and wrong[20] > 0
    assert set(wrong) == {-50, -41, -11, 11, *range(-30, 31, 10), *range(-3, 4)}
    assert wrong[0] == pytest.approx(COPY)  # the sum heard wrong, by whatever figure
    assert set(gaps(wrong_counts([], trump=2, meld=0, took_last=False))) == {10, 0}


def test_copies_and_places_have_their_rates():
    assert sum(m.chance for m in wrong_copies()) == pytest.approx(COPY)
    assert gaps(wrong_places(174, [92, 150, 174])) == {-82: STEP / 2, -24: STEP / 2}
    assert list(wrong_places(0, [0, 0])) == []
