"""The head of a page: labels found among printed words, and the room for the answer behind each."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner.photo.head import GRID_WIDTH, Label, find_labels, flatten_head, room, with_guesses
from scanner.photo.printed import Word
from scanner.photo.sheets import FoundSheet
from scanner.sheet.layout import built_in_layouts

BESIDE = (
    Word("CLABBER", 0.9, (300, 20, 200, 30)),
    Word("We:", 0.9, (100, 100, 40, 16)),
    Word("They:", 0.9, (500, 100, 60, 20)),
    Word("Date:", 0.9, (100, 150, 50, 16)),
)
STACKED = (
    Word("WE", 0.9, (100, 100, 40, 16)),
    Word("THEY", 0.9, (100, 140, 60, 16)),
    Word("DATE", 0.9, (100, 180, 60, 16)),
)


@pytest.mark.parametrize(
    "words",
    [BESIDE, STACKED, tuple(reversed(BESIDE)), (*BESIDE, Word("we", 0.9, (300, 10, 30, 12)))],
    ids=["beside", "stacked", "any order", "a we in the sponsor's line above"],
)
def test_labels_are_found_and_the_lowest_of_a_name_counts(words: tuple[Word, ...]):
    labels = find_labels(words)
    assert set(labels) == {"we", "they", "date"}
    assert labels["we"].left == 100 and labels["we"].foot == 116


def test_the_tail_of_a_y_hangs_under_the_line():
    labels = find_labels(BESIDE)
    assert labels["they"].foot == pytest.approx(labels["we"].foot, abs=1)


def test_an_answer_ends_at_the_next_label_of_its_line_and_below_the_line_above():
    labels = find_labels(BESIDE)
    left, top, right, bottom = room(labels, "we", 912)
    assert 140 < left < 150 and 490 < right <= 500
    assert top < 100 - 16 and 116 < bottom < 150
    assert room(labels, "they", 912)[2] > 900
    assert room(labels, "date", 912)[1] >= 116


@pytest.mark.parametrize("words", [BESIDE, STACKED], ids=["beside", "stacked"])
def test_a_we_that_was_not_seen_is_guessed_where_it_stands(words: tuple[Word, ...]):
    seen = find_labels(words)
    guessed = with_guesses({name: label for name, label in seen.items() if name != "we"})["we"]
    assert guessed.left == seen["we"].left and guessed.foot == pytest.approx(seen["we"].foot, abs=2)


def test_nothing_is_guessed_from_one_label():
    they = {"they": Label(100, 150, 200, 16)}
    assert with_guesses(they) == they


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_the_head_is_upright_whichever_way_the_page_lies(quarter: int):
    page = np.full((1200, 900, 3), 255, np.uint8)
    cv2.rectangle(page, (200, 300), (300, 340), (0, 0, 0), -1)  # a dark block above the left half of the grid
    corners = np.array([(150, 500), (750, 500), (750, 1100), (150, 1100)], float)
    photo = np.ascontiguousarray(np.rot90(page, quarter))
    x, y = corners.T
    turned = ((x, y), (y, 900 - x), (900 - x, 1200 - y), (1200 - y, x))[quarter]
    quad = tuple((float(a), float(b)) for a, b in zip(*turned, strict=True))
    head = flatten_head(photo, FoundSheet(built_in_layouts()[0], 1.0, quad, ()))
    rows, columns = np.nonzero(head[..., 0] < 128)
    scale = GRID_WIDTH / 600
    assert columns.mean() == pytest.approx((250 - 150) * scale + 0.1 * GRID_WIDTH, abs=3)
    assert head.shape[0] - rows.mean() == pytest.approx((500 - 320) * scale, abs=3)
