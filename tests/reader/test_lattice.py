"""The exact sums held against brute force: every path of a short lattice, spelled out and added up."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

from scanner.reader.lattice import struck_text, text_log_probs
from scanner.sheet.texts import VOCABULARY

#: What each letter of the network adds to the live text: a struck digit (places 11 to 20) adds nothing, like a blank.
LETTERS = ["", *"0123456789", *[""] * 10, "X", "-", "W"]


def spelled(frames: np.ndarray) -> dict[str, float]:
    """Probability of every live text, by walking all 24^T paths."""
    probs: dict[str, float] = defaultdict(float)
    for path in itertools.product(range(24), repeat=len(frames)):
        letters = [LETTERS[k] for k in path]
        text = "".join(a for a, b in zip(letters, ["", *letters], strict=False) if a and a != b)
        probs[text] += float(np.prod([frames[t, k] for t, k in enumerate(path)]))
    return probs


def by_vocabulary(probs: dict[str, float]) -> dict[str, float]:
    """Texts as the sheet means them: 007 is 7, X is the set mark; everything else lies outside."""
    out: dict[str, float] = defaultdict(float)
    for text, p in probs.items():
        if text.isdigit() and (len(text) <= 3 or (len(text) == 4 and text[0] == "1")):
            out[str(int(text))] += p
        elif text in ("X", "-", "W", ""):
            out["XX" if text == "X" else text] += p
    return out


@pytest.mark.parametrize(("seed", "times"), [(0, 4), (1, 3), (2, 3), (3, 2)])
def test_every_text_has_the_probability_of_all_its_paths(seed: int, times: int) -> None:
    frames = np.random.default_rng(seed).dirichlet(np.full(24, 0.4), size=times)
    frames = np.maximum(frames, 1e-7)
    expected = by_vocabulary(spelled(frames))
    outside = (1 - sum(expected.values())) / len(VOCABULARY)
    ours = np.exp(text_log_probs(frames[None])[0])
    for text, p in zip(VOCABULARY, ours, strict=True):
        assert p == pytest.approx(expected[text] + outside, abs=1e-6)


def test_probabilities_sum_to_one_and_a_batch_equals_its_cells() -> None:
    frames = np.random.default_rng(5).dirichlet(np.full(24, 0.2), size=(3, 20)).astype(np.float32)
    together = text_log_probs(frames)
    assert np.exp(together).sum(1) == pytest.approx(np.ones(3))
    for i in range(3):
        assert together[i] == pytest.approx(text_log_probs(frames[i:i + 1])[0])


def path_frames(path: list[int]) -> np.ndarray:
    frames = np.full((1, len(path), 24), 1e-6)
    frames[0, np.arange(len(path)), path] = 1 - 23e-6
    return frames


def test_a_struck_number_leaves_the_live_one_certain_and_is_reported() -> None:
    frames = path_frames([13, 0, 14, 15, 0, 4, 0, 5, 5, 0, 6, 0])
    log_probs = text_log_probs(frames)[0]
    assert VOCABULARY[int(log_probs.argmax())] == "345" and log_probs.max() > np.log(0.999)
    assert struck_text(frames[0]) == "234"


def test_doubled_digits_need_a_pause() -> None:
    assert VOCABULARY[int(text_log_probs(path_frames([2, 0, 2, 0]))[0].argmax())] == "11"
    assert VOCABULARY[int(text_log_probs(path_frames([2, 2, 2, 0]))[0].argmax())] == "1"


def test_a_text_no_cell_may_hold_makes_every_text_improbable() -> None:
    log_probs = text_log_probs(path_frames([3, 0, 4, 0, 5, 0, 6, 0, 7]))[0]
    assert log_probs.max() < np.log(0.01)


def test_a_cell_reads_the_same_beside_longer_and_shorter_ones() -> None:
    rng = np.random.default_rng(8)
    cells = [rng.dirichlet(np.full(24, 0.2), size=times) for times in (12, 40, 3, 26, 1)]
    together = text_log_probs(cells)
    for row, cell in zip(together, cells, strict=True):
        assert row == pytest.approx(text_log_probs([cell])[0], abs=1e-10)
    assert text_log_probs([]).shape == (0, len(VOCABULARY))
