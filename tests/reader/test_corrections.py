"""Struck-out numbers and what they tell of the live one: sums held against CTC spelled out, and what people expect."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scanner.reader import corrections
from scanner.reader.corrections import corrected_log_probs, is_struck, likeness
from scanner.reader.lattice import text_log_probs
from scanner.scorekeeper.likelihood import TAUGHT_NUMBERS
from scanner.sheet.texts import INDEX, NUMBERS
from scanner.workshop.mistakes import wrong_sums

LETTERS = "_0123456789abcdefghijX-W"


def spelled(frames: np.ndarray) -> dict[str, float]:
    """Probability of every string of letters, struck ones included, by walking all paths that are not negligible."""
    found = {"": {"_": 1.0}}
    for frame in frames:
        now: dict[str, dict[str, float]] = {}
        for text, ends in found.items():
            for end, p in ends.items():
                for letter, q in zip(LETTERS, frame, strict=True):
                    longer = text if letter in ("_", end) else text + letter
                    into = now.setdefault(longer, {})
                    into[letter] = into.get(letter, 0.0) + p * q
        found = now
    return {text: sum(ends.values()) for text, ends in found.items()}


def pairs(strings: dict[str, float]) -> dict[tuple[int, int], float]:
    """Probability of each (struck number, live number), one wholly before the other."""
    out: dict[tuple[int, int], float] = {}
    for text, p in strings.items():
        both = re.fullmatch(r"([a-j]+)(\d{1,3})|(\d{1,3})([a-j]+)", text)
        if both:
            dead = "".join(str("abcdefghij".index(c)) for c in both[1] or both[4])
            key = int(dead), int(both[2] or both[3])
            out[key] = out.get(key, 0.0) + p
    return out


def path_frames(path: str, sure: float = 0.9) -> np.ndarray:
    """Frames that show these letters, the rest of each frame's probability spread evenly."""
    frames = np.full((len(path), len(LETTERS)), (1 - sure) / (len(LETTERS) - 1))
    frames[np.arange(len(path)), [LETTERS.index(c) for c in path]] = sure
    return frames


def test_a_pair_gains_by_its_likeness_alone() -> None:
    """Over four frames: new = old + sum over pairs of P(pair) * (likeness - 1), whatever else the frames may hold."""
    rng = np.random.default_rng(3)
    frames = rng.dirichlet(np.full(24, 0.3), size=4)
    # Of struck digits only 1 can be, so that 1 and 11 are all the struck numbers there are, none left out.
    frames[:, [11, *range(13, 21)]] = 0.0
    frames[:, 12] += 0.3
    frames = np.maximum(frames / frames.sum(1, keepdims=True), 1e-7)
    old = text_log_probs(frames[None])
    expected = np.exp(old[0])
    for (dead, live), p in pairs(spelled(frames)).items():
        expected[live] += p * (likeness(dead)[live] - 1)
    new = np.exp(corrected_log_probs([frames], old)[0])
    assert new == pytest.approx(expected / expected.sum(), abs=1e-6)
    assert np.abs(new - np.exp(old[0])).max() > 5e-3


def test_likeness_is_a_share_taken_from_unlike_numbers() -> None:
    """P(t | s) sums to 1: weights average to 1 over the numbers as they are met when alone."""
    alone = np.repeat([0.10 / 10, 0.26 / 90, 0.54 / 900, 0.10 / 1000], (10, 90, 900, 1000))
    for dead in (0, 7, 10, 99, 172, 428, 1000, 1999):
        assert likeness(dead) @ alone == pytest.approx(1.0)
        assert likeness(dead).min() > 0


@pytest.mark.parametrize(("dead", "like", "unlike"), [(172, 182, 82), (181, 182, 82), (104, 114, 14), (428, 427, 27),
                                                      (137, 127, 27), (66, 76, 400), (421, 412, 42), (95, 195, 15)])
def test_a_number_one_mistake_away_is_likelier_than_another(dead: int, like: int, unlike: int) -> None:
    assert likeness(dead)[like] > 5 * likeness(dead)[unlike]


def test_a_first_digit_lost_in_the_struck_number_comes_back() -> None:
    """172 struck, then 82 or 182: the frames lean towards 82, the correction of 172 is 182."""
    frames = path_frames("_b_h_c__8_2_", 0.93)
    frames[7, LETTERS.index("_")], frames[7, LETTERS.index("1")] = 0.68, 0.25
    alone = text_log_probs(frames[None])[0]
    weighed = corrected_log_probs([frames], alone[None])[0]
    assert alone[:NUMBERS].argmax() == 82
    assert weighed[:NUMBERS].argmax() == 182


def test_what_is_clearly_written_stays_however_unlike() -> None:
    for path, text in (("_b_h_c__9_0_", "90"), ("_4_0_0__b_d_", "400")):
        frames = path_frames(path, 0.99)
        rows = text_log_probs(frames[None])
        assert corrected_log_probs([frames], rows)[0].argmax() == rows[0].argmax() == INDEX[text]


def test_cells_in_a_batch_are_weighed_as_alone_and_sum_to_one() -> None:
    rng = np.random.default_rng(8)
    frames = [rng.dirichlet(np.full(24, 0.2), size=n) for n in (12, 20, 16)]
    rows = text_log_probs(frames)
    together = corrected_log_probs(frames, rows)
    assert np.exp(together).sum(1) == pytest.approx(np.ones(3))
    for frame, row, both in zip(frames, rows, together, strict=True):
        assert both == pytest.approx(corrected_log_probs([frame], row[None])[0])


def test_only_struck_ink_is_looked_at() -> None:
    assert is_struck(path_frames("__b_7__", 0.999))
    assert not is_struck(path_frames("__1_7__", 0.999))


def test_how_far_off_a_wrong_sum_is_are_the_shares_of_all_mistakes_in_adding() -> None:
    """Every single mistake in adding a hand's points to a total, over sums as they come in games."""
    rng, shares = np.random.default_rng(1), dict.fromkeys(corrections._GAPS, 0.0)
    for first, second in rng.integers((0, 5), (600, 200), (4_000, 2)).tolist():
        for mistake in wrong_sums(first, second):
            shares[abs(mistake.gap)] += mistake.chance
    whole = sum(shares.values())
    assert {gap: share / whole for gap, share in shares.items()} == pytest.approx(corrections._GAPS, abs=0.01)


def test_numbers_are_as_often_of_each_length_as_the_scorekeeper_takes_them_to_be() -> None:
    assert np.array(corrections._LENGTHS) == pytest.approx(np.array(TAUGHT_NUMBERS) / sum(TAUGHT_NUMBERS), abs=0.001)
