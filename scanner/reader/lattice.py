"""Exact probabilities of every text a cell may hold, from the network's row of letter probabilities.

CTC's forward sums (Graves et al. 2006, section 4.1), run over all texts at once as a trie whose level k holds every
digit string of length k.  A struck digit is ink that is not part of the live text, so its probability is added to the
blank's: the sums then run over everything that may have been crossed out, which makes the live text's probability
exact rather than that of the best guess about both.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    frames = stacked(frames)
    blank = frames[:, :, BLANK] + frames[:, :, STRUCK].sum(2)
    alone = only_blank(blank)
    probs = np.zeros((len(frames), len(VOCABULARY)))
    probs[:, :NUMBERS] = number_chances(frames[:, :, DIGITS], blank, alone)
    begun = alone.before[:-1, :, None]
    marks = _totals(np.zeros_like(begun), begun, np.array([-1]), frames[:, :, list(MARKS.values())], alone)
    probs[:, [INDEX[text] for text in MARKS]] = marks
    probs[:, INDEX[""]] = np.prod(blank, axis=1)
    outside = np.clip(1 - probs.sum(1, keepdims=True), 1e-9, 1)
    probs += outside / len(VOCABULARY)
    return np.log(probs / probs.sum(1, keepdims=True))


def stacked(frames: np.ndarray | Sequence[np.ndarray]) -> np.ndarray:
    """The cells' frames in one array (N, T, 24); a certain blank after a cell's end changes none of its sums."""
    out = np.zeros((len(frames), max(map(len, frames)), frames[0].shape[1]))
    out[:, :, BLANK] = 1.0
    for cell, some in zip(out, frames, strict=True):
        np.maximum(some, _LEAST, out=cell[:len(some)])
    return out


@dataclass(frozen=True)
class Around:
    """Probability of what stands about a text that begins at, or is over by, frame t: of the frames before it, and of
    those from t on; both of shape (T + 1, N)."""

    before: np.ndarray
    after: np.ndarray


def only_blank(blank: np.ndarray) -> Around:
    """Nothing but blanks before and after a text, from their probabilities, shape (N, T)."""
    ones = np.ones((1, len(blank)))
    before, after = np.cumprod(blank.T, axis=0), np.cumprod(blank.T[::-1], axis=0)[::-1]
    return Around(np.concatenate([ones, before]), np.concatenate([after, ones]))


def number_chances(digits: np.ndarray, blank: np.ndarray, around: Around) -> np.ndarray:
    """Probability of every number 0 to 1999, shape (N, 2000); leading zeros change no number.

    Args:
        digits: each frame's probability of the ten digits, shape (N, T, 10).
        blank: of nothing between two digits, shape (N, T).
        around: of what stands before and after the number.
    """
    letter, pause = _prefixes(digits, blank, around.before)
    strings = _totals(letter, pause, _LAST, digits, around)
    probs = np.zeros((len(digits), NUMBERS))
    probs[:, :10] += strings[:, :10]
    probs[:, :100] += strings[:, 10:110]
    probs[:, :1000] += strings[:, 110:1110]
    probs[:, 1000:] += strings[:, 1110:]
    return probs


#: The prefixes that another digit may follow: nothing, 0 to 9, 00 to 99, and 100 to 199, as of the strings of four
#: digits only 1000 to 1999 are numbers. Their last digits, and the places of those whose own children are prefixes.
_LAST = np.array([-1, *range(10), *(n % 10 for n in range(100)), *(n % 10 for n in range(100, 200))])
_FERTILE = np.array([0, *range(1, 11), *range(21, 31)])


def _prefixes(digits: np.ndarray, blank: np.ndarray, before: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probability of having read each of the 211 prefixes before frame t, shape (T, N, 211): at its letter, or after.

    Child k * 10 + d of the fertile prefixes is their k-th followed by digit d; all are one frame further at once.
    """
    count, times, size = digits.shape
    letter = np.zeros((times, count, len(_LAST)))
    pause = np.zeros_like(letter)
    pause[:, :, 0] = before[:-1]
    same = np.nonzero(_LAST[_FERTILE] >= 0)[0]
    doubled = (slice(None), same, _LAST[_FERTILE][same])
    for t in range(times - 1):
        waiting, standing = pause[t][:, _FERTILE], letter[t][:, _FERTILE]
        at = letter[t, :, 1:].reshape(count, len(_FERTILE), size)
        entered = at + (waiting + standing)[:, :, None]
        # The same letter again must pass through a blank first, else CTC reads one long letter.
        entered[doubled] = at[doubled] + waiting[:, same]
        entered *= digits[:, t, None, :]
        letter[t + 1, :, 1:] = entered.reshape(count, -1)
        pause[t + 1, :, 1:] = (pause[t, :, 1:] + letter[t, :, 1:]) * blank[:, t, None]
    return letter, pause


def _totals(letter: np.ndarray, pause: np.ndarray, last: np.ndarray, digits: np.ndarray, around: Around) -> np.ndarray:
    """Probability that the whole lattice reads each child, shape (N, K * D), from standing at K parents before frame t.

    A child's letter begins at one frame only, so its probability is the sum over that frame of standing at the parent
    before it, times ending as the child from there on: one product of matrices instead of a walk for every child.
    """
    ends = _endings(digits, around.after).transpose(1, 0, 2)
    pause, letter = pause.transpose(1, 2, 0), letter.transpose(1, 2, 0)
    totals = (pause + letter) @ ends
    same = np.nonzero(last >= 0)[0]
    totals[:, same, last[same]] = np.einsum("nkt,ntk->nk", pause[:, same], ends[:, :, last[same]])
    return totals.reshape(len(digits), -1)


def _endings(digits: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Probability of the frames from t on if a text's last letter begins at t, shape (T, N, D)."""
    out = np.empty((digits.shape[1], len(digits), digits.shape[2]))
    goes_on = np.zeros(out.shape[1:])
    for t in range(digits.shape[1] - 1, -1, -1):
        goes_on = out[t] = digits[:, t] * (goes_on + after[t + 1, :, None])
    return out


def struck_text(frames: np.ndarray) -> str | None:
    """The crossed-out digits along the best path of one cell's frames, shape (T, 24), or None."""
    path = frames.argmax(1)
    digits = [int(v) - STRUCK.start for i, v in enumerate(path)
              if STRUCK.start <= v < STRUCK.stop and (i == 0 or v != path[i - 1])]
    return "".join(map(str, digits)) or None
