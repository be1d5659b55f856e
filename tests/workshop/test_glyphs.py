"""The project's own handwriting: every character a sheet needs, one writer recognisable, no two instances the same."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.workshop.glyphs import characters, own_hand, skeletons


def _extent(glyph):
    points = np.concatenate(glyph)
    return points.min(axis=0), points.max(axis=0)


def test_every_character_of_a_sheet_can_be_written():
    needed = "0123456789XW-~/ ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz&'."
    assert set(needed) <= set(characters())


@pytest.mark.parametrize("digit", "0123456789")
def test_digits_have_variants_that_stand_on_the_base_line(digit):
    assert len(skeletons()[digit]) >= 3
    rng = np.random.default_rng(1)
    for seed in range(30):
        low, high = _extent(own_hand(seed).glyph(digit, rng))
        assert low[0] == pytest.approx(0, abs=1e-9)
        assert -0.3 < low[1] < 0.35 and 0.75 < high[1] < 1.3, f"writer {seed}"
        assert high[0] < 1.4, f"writer {seed}"


def test_a_skeleton_is_as_drawn_when_nothing_moves_it():
    one = skeletons()["7"][0].strokes[0]
    assert one[0] == pytest.approx((0.02, 0.04)) and one[-1] == pytest.approx((0.24, 1.0))


def test_the_same_seed_is_the_same_hand_and_instances_differ():
    one = own_hand(5).glyph("5", np.random.default_rng(3))
    again = own_hand(5).glyph("5", np.random.default_rng(3))
    other = own_hand(5).glyph("5", np.random.default_rng(4))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert len(one) != len(other) or any(not np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_one_writer_is_closer_to_himself_than_to_others():
    """A one, resampled, lies nearer to the same writer's next instance than to another writer's."""

    def sample(seed, draw):
        line = own_hand(seed).glyph("1", np.random.default_rng(draw))[0]
        return line[np.linspace(0, len(line) - 1, 20).astype(int)]

    within = np.mean([np.abs(sample(s, 1) - sample(s, 2)).mean() for s in range(40)])
    between = np.mean([np.abs(sample(s, 1) - sample(s + 1, 2)).mean() for s in range(40)])
    assert within < 0.7 * between


def test_an_unknown_character_is_refused_by_name():
    with pytest.raises(ValueError, match="'§'"):
        own_hand(0).glyph("§", np.random.default_rng(0))
