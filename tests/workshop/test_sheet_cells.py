"""Cells cut from whole sheets: the same again from their seed, and labelled by what stands in them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from scanner.reader import read_cells
from scanner.workshop.cells import practice_of
from scanner.workshop.glyphs import own_hand
from scanner.workshop.hands import Writers
from scanner.workshop.pool import ALPHABET, LONGEST, make_shard
from scanner.workshop.sheet_cells import _entry, _struck, cells_of_sheets, random_layout
from scanner.workshop.writing import STRUCK

WRITERS = Writers(tuple(own_hand(seed) for seed in range(4)), ())
PRACTICE = practice_of(200)
DEAD = dict(zip(STRUCK, "0123456789", strict=True))


@pytest.fixture(scope="module")
def cells():
    return list(islice(cells_of_sheets(WRITERS, np.random.default_rng(3), PRACTICE), 220))


def test_a_later_shard_is_cut_from_sheets_and_is_the_same_again():
    one, two = (make_shard(WRITERS, 1, 200, 30) for _ in range(2))
    assert PRACTICE.sheets and not practice_of(196).sheets
    assert np.array_equal(one.data, two.data) and np.array_equal(one.labels, two.labels)


def test_labels_are_of_the_alphabet_and_crops_of_one_height(cells):
    assert all(set(label) <= set(ALPHABET[1:]) and len(label) <= LONGEST for _, label in cells)
    assert {crop.shape[0] for crop, _ in cells} == {48} and all(crop.dtype == np.uint8 for crop, _ in cells)
    kinds = {"empty": "", "mark": "X", "line": "-"}
    assert all(any(label == text for _, label in cells) for text in kinds.values())


def test_the_reader_finds_in_them_what_their_labels_say(cells):
    """It is the judge here: labels that slip by a cell, or name the struck-out number, would leave hardly one right."""
    plain = [(crop, label) for crop, label in cells if label.isdigit()]
    marked = [(crop, {"X": "XX", "-": "-", "": ""}[label]) for crop, label in cells if label in ("X", "-", "")]
    struck = [(crop, "".join(c for c in label if c.isdigit())) for crop, label in cells if set(label) & set(STRUCK)]
    for some, least in ((plain, 0.7), (marked, 0.8), (struck, 0.3)):
        found = [reading.text for reading in read_cells([crop for crop, _ in some])]
        right = sum(text == (str(int(label)) if label.isdigit() else label)
                    for text, (_, label) in zip(found, some, strict=True))  # fmt: skip
        assert len(some) > 15 and right / len(some) > least


def test_a_struck_label_names_dead_and_live_in_the_order_they_stand():
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(60):
        entry, label = _struck("174", rng)
        dead, live = "".join(DEAD[c] for c in label if c in DEAD), "".join(c for c in label if c.isdigit())
        assert (dead, live) == ("174", entry.ink) and entry.struck == "174"
        assert label.startswith(live) == (entry.placed == "before")
        seen.add(entry.placed)
    assert seen == {"beside", "before", "above", "over"}


def test_entries_are_drawn_digit_by_digit_and_in_the_shares_of_the_practice():
    rng = np.random.default_rng(6)
    labels = [_entry(rng, PRACTICE)[1] for _ in range(2000)]
    shares = {"": labels.count("") / 2000, "X": labels.count("X") / 2000, "-": labels.count("-") / 2000}
    *_, marked, zero, won, nothing = PRACTICE.mixture
    assert shares == pytest.approx({"": nothing, "X": marked, "-": zero}, abs=0.02) and "W" not in labels


def test_pads_of_their_own_have_the_columns_of_a_known_one():
    rng = np.random.default_rng(7)
    made = [random_layout(rng) for _ in range(20)]
    assert {len(layout.keys) for layout in made} == {4} and len({layout.x_lines for layout in made}) == 20
