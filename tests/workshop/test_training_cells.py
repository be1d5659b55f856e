"""Training cells: made again from the same seed, labelled as they are written, of the sizes the reader takes."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.reader.network import HEIGHT, NARROWEST, STEP, WIDEST, to_input
from scanner.workshop.cells import PRACTICE, compose, practice_of
from scanner.workshop.glyphs import own_hand
from scanner.workshop.hands import Writers
from scanner.workshop.pens import Style, random_style
from scanner.workshop.pool import ALPHABET
from scanner.workshop.writing import STRUCK, Writing, line, overwritten, place, struck_out

WRITERS = Writers(tuple(own_hand(seed) for seed in range(4)), ())


@pytest.mark.parametrize("practice", PRACTICE)
def test_a_seed_gives_the_same_cell_again_and_another_seed_another(practice) -> None:
    first, again, other = (compose(WRITERS, np.random.default_rng(s), practice) for s in (5, 5, 6))
    assert first[1] == again[1] and np.array_equal(first[0], again[0])
    assert first[0].shape != other[0].shape or not np.array_equal(first[0], other[0])


def test_labels_are_of_the_alphabet_and_cells_fit_the_reader() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        crop, label = compose(WRITERS, rng, PRACTICE[-1])
        assert set(label) <= set(ALPHABET[1:]) and len(label) <= 10
        cell = to_input(crop)
        assert cell.shape[0] == HEIGHT and cell.shape[1] % STEP == 0 and NARROWEST <= cell.shape[1] <= WIDEST


def test_stages_follow_each_other_and_their_shares_sum_to_one() -> None:
    assert [p.first_shard for p in PRACTICE] == sorted(p.first_shard for p in PRACTICE)
    for p in PRACTICE:
        assert sum(p.mixture) == pytest.approx(1.0)
        assert practice_of(p.first_shard) is p and practice_of(p.first_shard + 1) is p


def test_a_struck_label_names_the_dead_and_the_live_number() -> None:
    rng = np.random.default_rng(3)
    labels = [struck_out(WRITERS.strokes[0], 2.2, random_style(rng), 0.6, rng)[1] for _ in range(80)]
    assert all(any(c.isdigit() for c in label) for label in labels)
    assert any(set(label) & set(STRUCK) for label in labels)


def test_an_overwritten_number_has_more_ink_than_its_label_alone() -> None:
    rng = np.random.default_rng(4)
    ink, label = overwritten(WRITERS.strokes[1], 2.2, Style(), 0.6, rng)
    alone = line(WRITERS.strokes[1], label, Style(), np.random.default_rng(0))
    assert label.isdigit() and len(ink.strokes) > len(alone.strokes)


def test_a_number_is_squeezed_rather_than_written_over_its_neighbours() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        wide = Writing([np.array([[0.0, 0.0], [9.0, 1.0]])])
        left, _, right, _ = place(wide, 2.0, 0.7, rng).box()
        assert -0.6 < left and right < 2.6
