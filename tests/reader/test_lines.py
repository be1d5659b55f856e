"""Exact probabilities of texts on written lines, held against a sum over every path."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.reader.lines import (
    ALPHABET,
    LOOKS,
    NARROWEST,
    STEP,
    WIDEST,
    best_path,
    fold,
    text_log_probs,
    to_line_input,
)


def _every_text(frames: np.ndarray, letters: list[int]) -> Counter:
    """Probability of every text the letters can make, path by path."""
    texts: Counter = Counter()
    for path in itertools.product(letters, repeat=len(frames)):
        text = "".join(ALPHABET[v] for i, v in enumerate(path) if v and (i == 0 or v != path[i - 1]))
        texts[text] += float(np.prod([frames[i, v] for i, v in enumerate(path)]))
    return texts


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_a_text_has_the_probability_of_all_its_paths(seed: int, length: int):
    rng = np.random.default_rng(seed)
    letters = [0, *rng.choice(np.arange(1, len(ALPHABET)), 3, replace=False)]
    frames = np.zeros((length, len(ALPHABET)))
    frames[:, letters] = rng.dirichlet(np.full(4, 0.7), length)
    truth = _every_text(frames, letters)
    texts = [t for t, p in truth.items() if p > 1e-200]
    got = np.exp(text_log_probs(frames, texts))
    np.testing.assert_allclose(got, [truth[t] for t in texts], rtol=1e-9, atol=1e-290)
    assert got.sum() == pytest.approx(1.0)


def test_a_doubled_letter_needs_a_blank_between():
    frames = np.zeros((2, len(ALPHABET)))
    frames[:, ALPHABET.index("l")] = 1.0
    single, double = np.exp(text_log_probs(frames, ["l", "ll"]))
    assert (single, double) == (1.0, 0.0)


@given(st.text(alphabet=ALPHABET[1:], max_size=12))
def test_the_best_path_of_sure_frames_is_their_text(text: str):
    frames = sure(text)
    text = " ".join(text.split())
    if frames.shape[0] and text == "".join(_kept(frames)):
        assert best_path(frames)[0] == text


def _kept(frames: np.ndarray) -> list[str]:
    return [ALPHABET[v] for v in frames.argmax(1) if v]


def sure(text: str, doubt: float = 1e-4) -> np.ndarray:
    """Frames of a reader that is all but certain of a text: each letter in one frame, a blank after it."""
    places = [p for char in text for p in (ALPHABET.index(char), 0)] or [0]
    frames = np.full((len(places), len(ALPHABET)), doubt / (len(ALPHABET) - 1))
    frames[np.arange(len(places)), places] = 1 - doubt
    return frames


@pytest.mark.parametrize("text, folded", [("Smith + O'Brien, Jr.", "smith & o'brien. jr."), ("WEST  SIDE", "west side"),
                                          ("Mädchen", "madchen"), ("♠#!", "")])
def test_folding_keeps_what_the_network_can_read(text: str, folded: str):
    assert fold(text) == folded


@given(st.integers(1, 300), st.integers(1, 3000))
def test_any_strip_becomes_an_input_the_network_takes(height: int, width: int):
    image = to_line_input(np.full((height, width, 3), 200, np.uint8))
    assert image.shape[0] == 40 and image.shape[1] % STEP == 0 and NARROWEST <= image.shape[1] <= WIDEST


def test_every_look_leaves_the_middle_of_the_strip():
    assert all(top < 0.4 and bottom < 0.4 for top, bottom in LOOKS)
