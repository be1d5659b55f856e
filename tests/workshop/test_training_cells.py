"""Training cells: made again from the same seed, labelled as they are written, of the sizes the reader takes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from scanner.reader.network import HEIGHT, NARROWEST, STEP, WIDEST, to_input
from scanner.workshop.cell_printing import print_under
from scanner.workshop.cell_rulings import _ruling
from scanner.workshop.cells import PRACTICE, _w_beside, compose, practice_of
from scanner.workshop.glyphs import own_hand
from scanner.workshop.hands import Writers
from scanner.workshop.pens import Style, random_style
from scanner.workshop.pool import ALPHABET
from scanner.workshop.scene import random_scene
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


def test_dashes_of_a_ruling_come_from_dots_to_the_length_of_a_zero_line() -> None:
    a, b = np.array([0.0, 0.0]), np.array([4.0, 0.0])
    for pitch, ink in ((0.06, 0.4), (0.4, 0.7)):
        strokes = _ruling(a, b, "dotted", 0.02, (pitch, ink))
        lengths = [np.linalg.norm(s[-1] - s[0]) for s in strokes]
        assert len(strokes) == int(4 / pitch) and lengths == pytest.approx([pitch * ink] * len(strokes))
        gaps = [after[0, 0] - before[-1, 0] for before, after in itertools.pairwise(strokes)]
        assert min(gaps) > 0


def test_a_w_beside_a_cell_reaches_into_it_at_most_by_a_third_of_a_row() -> None:
    rng, width = np.random.default_rng(6), 2.0
    boxes = [_w_beside(WRITERS, width, Style(), 0.6, rng).box() for _ in range(60)]
    sides = [right <= 0.36 for _, _, right, _ in boxes]
    assert all(right <= 0.36 or left >= width - 0.36 for left, _, right, _ in boxes)
    assert 10 < sum(sides) < 50 and any(0 < right <= 0.36 for _, _, right, _ in boxes)
    assert any(bottom - top > 1.2 for _, top, _, bottom in boxes)


@pytest.mark.parametrize(("stage", "labels"), [
    (3, "- jgc38 311 959 639 bdjh1396 511 eb986 1062 1190 102 1572"),
    (5, "1150 1230  1509 573 179  102 X X  cdf233"),
])
def test_a_later_kind_of_practice_leaves_earlier_shards_as_they_were(stage: int, labels: str) -> None:
    """Printed before there were dashes and Ws beside: every draw of a cell moves the next one's label."""
    rng = np.random.default_rng(8)
    assert [compose(WRITERS, rng, PRACTICE[stage])[1] for _ in range(12)] == labels.split(" ")


def test_print_is_pale_where_it_is_large_and_small_where_it_is_dark() -> None:
    rng, dark, large = np.random.default_rng(9), 0, 0
    for _ in range(120):
        scene = random_scene(rng, 0.4)
        depth = 1 - print_under(np.ones((*scene.size, 3), np.float32), scene, rng).min(axis=2)
        rows = np.flatnonzero((depth > 0.03).any(axis=1))
        if not len(rows):
            continue
        height = (rows[-1] - rows[0] + 1) / (scene.size[0] / 1.3)
        assert depth.max() <= 0.25 or height < 0.45
        dark, large = dark + (depth.max() > 0.25), large + (height > 0.45)
    assert dark > 20 and large > 10
