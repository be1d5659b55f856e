"""Exact probabilities of every text a cell may hold, from the network's row of letter probabilities.

CTC's forward sums (Graves et al. 2006, section 4.1), run over all texts at once as a trie whose level k holds every
digit string of length k.  A struck digit is ink that is not part of the live text, so its probability is added to the
blank's: the sums then run over everything that may have been crossed out, which makes the live text's probability
exact rather than that of the best guess about both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scanner.sheet.texts import INDEX, NUMBERS, SET, VOCABULARY, WON, ZERO

#: Places in the network's alphabet ``_0123456789abcdefghijX-W``: blank, digits, struck digits, marks.
BLANK, DIGITS, STRUCK, MARKS = 0, slice(1, 11), slice(11, 21), {SET: 21, ZERO: 22, WON: 23}

# A frame never rules a letter out altogether: half-precision weights and a finite training set do not support odds
# beyond one in ten million, and the products over 50 frames must stay within double precision.
_LEAST = 1e-7


def text_log_probs(frames: np.ndarray | Sequence[np.ndarray]) -> np.ndarray:
    """Log-probability of every text of the vocabulary.

    Args:
        frames: N arrays of shape (T, 24), T their own, each row over the letters summing to 1.

    Returns:
        float64, shape (N, 2004), rows summing to 1 in probability.  What the frames give to texts outside the
        vocabulary is spread evenly over it, so a scribble that is no text leaves every text improbable.
    """
    if not len(frames):
        return np.empty((0, len(VOCABULARY)))
    frames = _stacked(frames)
    blank = frames[:, :, BLANK] + frames[:, :, STRUCK].sum(2)
    probs = np.zeros((len(frames), len(VOCABULARY)))
    _add_numbers(frames[:, :, DIGITS], blank, probs)
    for text, letter in MARKS.items():
        probs[:, INDEX[text]] = _totals(_root(blank), frames[:, :, letter:letter + 1], blank)[:, 0]
    probs[:, INDEX[""]] = np.prod(blank, axis=1)
    outside = np.clip(1 - probs.sum(1, keepdims=True), 1e-9, 1)
    probs += outside / len(VOCABULARY)
    return np.log(probs / probs.sum(1, keepdims=True))


def _stacked(frames: np.ndarray | Sequence[np.ndarray]) -> np.ndarray:
    """The cells' frames in one array (N, T, 24); a certain blank after a cell's end changes none of its sums."""
    out = np.zeros((len(frames), max(map(len, frames)), frames[0].shape[1]))
    out[:, :, BLANK] = 1.0
    for cell, some in zip(out, frames, strict=True):
        np.maximum(some, _LEAST, out=cell[:len(some)])
    return out


@dataclass(frozen=True)
class _Prefixes:
    """Probability of having read each of K prefixes by each frame, shape (T, N, K): its last frame a letter, or not.

    ``last`` holds the prefixes' last letters, shape (K,), -1 for the empty prefix.
    """

    letter: np.ndarray
    pause: np.ndarray
    last: np.ndarray


def _add_numbers(digits: np.ndarray, blank: np.ndarray, probs: np.ndarray) -> None:
    """Adds the digit strings of length 1 to 4 to their numbers; leading zeros change no number."""
    ones = _children(_root(blank), digits, blank)
    tens = _children(ones, digits, blank)
    probs[:, :10] += ones.letter[-1] + ones.pause[-1]
    probs[:, :100] += tens.letter[-1] + tens.pause[-1]
    probs[:, :1000] += _totals(tens, digits, blank)
    # Only 1000 to 1999 have four digits: their parents are the strings 100 to 199, children of 10 to 19.
    teens = _Prefixes(tens.letter[:, :, 10:20], tens.pause[:, :, 10:20], tens.last[10:20])
    probs[:, 1000:NUMBERS] += _totals(_children(teens, digits, blank), digits, blank)


def _root(blank: np.ndarray) -> _Prefixes:
    ends_blank = np.cumprod(blank.T, axis=0)[:, :, None]
    return _Prefixes(np.zeros_like(ends_blank), ends_blank, np.array([-1]))


def _children(parents: _Prefixes, digits: np.ndarray, blank: np.ndarray) -> _Prefixes:
    """All prefixes one letter longer: child k * D + d is parent k followed by letter d."""
    steps = [(letter.copy(), pause) for letter, pause in _steps(parents, digits, blank)]
    shape = (len(steps), len(digits), -1)
    letter, pause = (np.stack(part).reshape(shape) for part in zip(*steps, strict=True))
    return _Prefixes(letter, pause, np.tile(np.arange(digits.shape[2]), len(parents.last)))


def _totals(parents: _Prefixes, digits: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """Probability that the whole lattice reads each child, shape (N, K * D).

    A child's letter begins at one frame only, so its probability is the sum over that frame of standing at the parent
    before it, times ending as the child from there on: one product of matrices instead of a walk for every child.
    """
    ends = _endings(digits, blank).transpose(1, 0, 2)
    pause = np.concatenate([np.zeros_like(parents.pause[:1]), parents.pause[:-1]]).transpose(1, 2, 0)
    letter = np.concatenate([np.zeros_like(parents.letter[:1]), parents.letter[:-1]]).transpose(1, 2, 0)
    pause[:, parents.last < 0, 0] = 1.0
    totals = (pause + letter) @ ends
    # The same letter again must pass through a blank first, else CTC reads one long letter.
    same = np.nonzero(parents.last >= 0)[0]
    totals[:, same, parents.last[same]] = np.einsum("nkt,ntk->nk", pause[:, same], ends[:, :, parents.last[same]])
    return totals.reshape(len(digits), -1)


def _endings(digits: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """Probability of the frames from t on if a text's last letter begins at t and nothing follows, shape (T, N, D)."""
    rest = np.ones((len(digits), 1))
    after = np.ones((len(digits), digits.shape[2]))
    out = np.empty((digits.shape[1], len(digits), digits.shape[2]))
    for t in range(digits.shape[1] - 1, -1, -1):
        out[t] = digits[:, t] * after
        rest = rest * blank[:, t, None]
        after = out[t] + rest
    return out


def _steps(parents: _Prefixes, digits: np.ndarray, blank: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The children's (letter, pause) after each frame, shape (N, K, D); ``letter`` is reused from frame to frame."""
    times, count, size = parents.letter.shape
    letter = np.zeros((count, size, digits.shape[2]))
    pause = np.zeros_like(letter)
    same = np.nonzero(parents.last >= 0)[0]
    doubled = (slice(None), same, parents.last[same])
    for t in range(times):
        pause = (pause + letter) * blank[:, t, None, None]
        before = _entered(parents, t)
        # The same letter again must pass through a blank first, else CTC reads one long letter.
        again = letter[doubled] + (parents.pause[t - 1][:, same] if t else 0.0)
        letter += before[:, :, None]
        letter[doubled] = again
        letter *= digits[:, t, None, :]
        yield letter, pause


def _entered(parents: _Prefixes, t: int) -> np.ndarray:
    """Probability of standing at each parent just before frame t, shape (N, K); before frame 0 only the empty one."""
    if t == 0:
        return np.broadcast_to((parents.last < 0).astype(float), parents.letter.shape[1:])
    return parents.letter[t - 1] + parents.pause[t - 1]


def struck_text(frames: np.ndarray) -> str | None:
    """The crossed-out digits along the best path of one cell's frames, shape (T, 24), or None."""
    path = frames.argmax(1)
    digits = [int(v) - STRUCK.start for i, v in enumerate(path)
              if STRUCK.start <= v < STRUCK.stop and (i == 0 or v != path[i - 1])]
    return "".join(map(str, digits)) or None
