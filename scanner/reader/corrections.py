"""A struck-out number tells of the one that counts: mostly it is the same number with one mistake taken back.

Where the live number's first digit hides in the struck one's last, the lattice alone cannot tell 82 from 182; that 172
is struck out beside it can. The joint probability of a struck number s and a live number t is exact (s stands wholly
before t or wholly after it), and each pair is weighed by P(t | s) against the prior of a number that stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from scanner.reader.lattice import BLANK, DIGITS, STRUCK, Around, number_chances, only_blank, stacked
from scanner.sheet.texts import NUMBERS

#: Cells with less struck ink than this are left as they are.
_LEAST_STRUCK = 0.05
#: Struck numbers looked at in each cell: the likeliest.
_MOST = 4
#: Shares of what a number was struck out for. A sum that came out wrong, a figure copied wrong and one put in a wrong
#: place stand 10 : 2.5 : 3 in ``scanner/workshop/mistakes.py``; here they have half of all, as a number may be struck
#: out for reasons of its own. (On 600 held-out cells, where two fifths of the pairs have nothing to do with each other
#: and the hundred likeliest struck numbers were looked at, log-loss fell from 1.913 to 1.907; with the mistakes as all
#: there is it rose to 1.957.)
_SUM, _COPY = 0.35, 0.15
#: How far off a wrong sum is, either way: shares over 20,000 sums of a total and a hand's points with one mistake.
_GAPS = {100: 0.357, 10: 0.354, 1: 0.131, 2: 0.045, 20: 0.045, 200: 0.0376, 3: 0.0112, 30: 0.0112, 300: 0.0085}
#: Of figures copied wrong: one digit changed, neighbours turned round, a digit lost or doubled (Verhoeff 1969).
_DIGIT, _TURNED, _LENGTH = 0.77, 0.10, 0.13
#: How often numbers of one to four digits are met (``scanner/workshop/writing.py``).
_LENGTHS = (0.10, 0.26, 0.54, 0.10)
_ALONE = np.repeat([share / n for share, n in zip(_LENGTHS, (10, 90, 900, 1000), strict=True)], (10, 90, 900, 1000))


def is_struck(frames: np.ndarray) -> bool:
    """Whether a cell's frames, shape (T, 24), show struck ink that could tell something."""
    return bool(1 - np.prod(1 - np.clip(frames[:, STRUCK].sum(1), 0, 1)) >= _LEAST_STRUCK)


def corrected_log_probs(frames: Sequence[np.ndarray], log_probs: np.ndarray) -> np.ndarray:
    """Log-probabilities of cells with struck ink, each pair of struck and live number weighed by how alike they are.

    Args:
        frames: N arrays of shape (T, 24), T their own.
        log_probs: what the frames say of the vocabulary with any struck number alike, shape (N, V).

    Returns:
        float64, shape (N, V), rows summing to 1 in probability.
    """
    cells = stacked(frames)
    dead = _struck_numbers(cells)
    pairs = _pair_chances(cells, dead)
    chances = np.exp(log_probs)
    weights = np.stack([[likeness(int(s)) for s in some] for some in dead])
    # The pairs' share under the old prior makes room for their share under the new one.
    chances[:, :NUMBERS] = np.maximum(chances[:, :NUMBERS] - pairs.sum(1), 0) + (pairs * weights).sum(1)
    return np.log(chances / chances.sum(1, keepdims=True))


@cache
def likeness(dead: int) -> np.ndarray:
    """P(t counts | ``dead`` is struck out beside it) over P(t), for every number t, shape (2000,)."""
    gaps = np.zeros(NUMBERS)
    for gap, share in _GAPS.items():
        gaps[[n for n in (dead - gap, dead + gap) if 0 <= n < NUMBERS]] = share
    text = str(dead)
    copies = sum(share * _even(ways) for share, ways in ((_DIGIT, _one_changed(text)), (_TURNED, _turned(text)),
                                                         (_LENGTH, _longer_or_shorter(text))))
    return 1 - _SUM - _COPY + (_SUM * gaps / gaps.sum() + _COPY * copies / copies.sum()) / _ALONE


def _one_changed(text: str) -> set[str]:
    return {text[:i] + d + text[i + 1:] for i in range(len(text)) for d in "0123456789"}


def _turned(text: str) -> set[str]:
    return {text[:i] + text[i + 1] + text[i] + text[i + 2:] for i in range(len(text) - 1)}


def _longer_or_shorter(text: str) -> set[str]:
    doubled = {text[:i] + d + text[i:] for i in range(len(text) + 1) for d in "0123456789"}
    return doubled | {text[:i] + text[i + 1:] for i in range(len(text))}


def _even(texts: set[str]) -> np.ndarray:
    """A probability shared evenly by those texts that are numbers as people write them, shape (2000,)."""
    places = [int(t) for t in texts if t and t == str(int(t)) and int(t) < NUMBERS]
    share = np.zeros(NUMBERS)
    share[places] = 1 / max(len(places), 1)
    return share


def _struck_numbers(cells: np.ndarray) -> np.ndarray:
    """The likeliest struck numbers of each cell whatever counts beside them, shape (N, _MOST)."""
    between = cells[:, :, BLANK] + cells[:, :, DIGITS].sum(2)
    chances = number_chances(cells[:, :, STRUCK], between, only_blank(between))
    return np.argsort(-chances, axis=1, kind="stable")[:, :_MOST]


def _pair_chances(cells: np.ndarray, dead: np.ndarray) -> np.ndarray:
    """Probability of each struck number with each live one, in either order, shape (N, _MOST, 2000)."""
    count, most = dead.shape
    each = np.repeat(cells, most, axis=0)
    blank = each[:, :, BLANK]
    texts = [str(s) for s in dead.ravel()]
    # What stands after is read from the end.
    reads = _reads(np.concatenate([each, each[:, ::-1]]), texts + [t[::-1] for t in texts])
    before, after = reads[:, :len(texts)], reads[::-1, len(texts):]
    plain = only_blank(blank)
    around = Around(np.concatenate([before, plain.before], axis=1), np.concatenate([plain.after, after], axis=1))
    digits, both = np.tile(each[:, :, DIGITS], (2, 1, 1)), np.tile(blank, (2, 1))
    return number_chances(digits, both, around).reshape(2, count, most, NUMBERS).sum(0)


def _reads(cells: np.ndarray, texts: Sequence[str]) -> np.ndarray:
    """Probability that the frames before t are one struck text and nothing else, shape (T + 1, N), by CTC's sums."""
    letters = np.zeros((len(texts), 4), int)
    for row, text in zip(letters, texts, strict=True):
        row[:len(text)] = [STRUCK.start + int(d) for d in text]
    states = np.zeros((len(texts), 9))
    states[:, 0] = 1.0
    # The same letter again must pass through a pause first.
    free = np.concatenate([np.zeros((len(texts), 1)), letters[:, 1:] != letters[:, :-1]], axis=1)
    rows, ends = np.arange(len(texts)), 2 * np.array([len(t) for t in texts])
    chances = np.take_along_axis(cells, letters[:, None, :], axis=2)
    out = [states]
    for t in range(cells.shape[1]):
        out.append(_step(out[-1], chances[:, t], cells[:, t, BLANK, None], free))
    seen = np.stack(out)
    return seen[:, rows, ends] + seen[:, rows, ends - 1]


def _step(states: np.ndarray, letters: np.ndarray, blank: np.ndarray, free: np.ndarray) -> np.ndarray:
    """One frame on: even states are the pauses before, between and after the letters, odd ones the letters."""
    pauses, standing = states[:, 0::2], states[:, 1::2]
    new = np.zeros_like(states)
    new[:, 2::2] = standing
    new[:, 0::2] += pauses
    new[:, 0::2] *= blank
    new[:, 3::2] = standing[:, :-1]
    new[:, 1::2] *= free
    new[:, 1::2] += standing
    new[:, 1::2] += pauses[:, :-1]
    new[:, 1::2] *= letters
    return new
