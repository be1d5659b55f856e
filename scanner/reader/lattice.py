"""Exact probabilities of every text a cell may hold, from the network's row of letter probabilities.

CTC's forward sums (Graves et al. 2006, section 4.1), run over all texts at once as a trie whose level k holds every
digit string of length k.  A struck digit is ink that is not part of the live text, so its probability is added to the
blank's: the sums then run over everything that may have been crossed out, which makes the live text's probability
exact rather than that of the best guess about both.
"""

from __future__ import annotations

import numpy as np

from scanner.sheet.texts import INDEX, NUMBERS, SET, VOCABULARY, WON, ZERO

#: Places in the network's alphabet ``_0123456789abcdefghijX-W``: blank, digits, struck digits, marks.
BLANK, DIGITS, STRUCK, MARKS = 0, slice(1, 11), slice(11, 21), {SET: 21, ZERO: 22, WON: 23}

# A frame never rules a letter out altogether: half-precision weights and a finite training set do not support odds
# beyond one in ten million, and the products over 50 frames must stay within double precision.
_LEAST = 1e-7


def text_log_probs(frames: np.ndarray) -> np.ndarray:
    """Log-probability of every text of the vocabulary.

    Args:
        frames: shape (N, T, 24), each row over the letters summing to 1.

    Returns:
        float64, shape (N, 2004), rows summing to 1 in probability.  What the frames give to texts outside the
        vocabulary is spread evenly over it, so a scribble that is no text leaves every text improbable.
    """
    frames = np.maximum(np.asarray(frames, np.float64), _LEAST)
    blank = frames[:, :, BLANK] + frames[:, :, STRUCK].sum(2)
    probs = np.zeros((len(frames), len(VOCABULARY)))
    _numbers(frames[:, :, DIGITS], blank, probs)
    for text, letter in MARKS.items():
        ends, _ = _extend(*_root(blank), None, frames[:, :, letter:letter + 1], blank)
        probs[:, INDEX[text]] = ends[0][-1, :, 0] + ends[1][-1, :, 0]
    probs[:, INDEX[""]] = np.prod(blank, axis=1)
    outside = np.clip(1 - probs.sum(1, keepdims=True), 1e-9, 1)
    probs += outside / len(VOCABULARY)
    return np.log(probs / probs.sum(1, keepdims=True))


def _numbers(digits: np.ndarray, blank: np.ndarray, probs: np.ndarray) -> None:
    """Adds the digit strings of length 1 to 4 to their numbers; leading zeros change no number."""
    state, last_digits = _extend(*_root(blank), None, digits, blank)
    for length in (1, 2, 3):
        total = state[0][-1] + state[1][-1]
        probs[:, :10 ** length] += total
        if length == 3:
            # Only 1000 to 1999 have four digits: their parents are the strings 100 to 199.
            state, last_digits = (state[0][:, :, 100:200], state[1][:, :, 100:200]), last_digits[100:200]
        state, last_digits = _extend(*state, last_digits, digits, blank)
    probs[:, 1000:NUMBERS] += state[0][-1] + state[1][-1]


def _root(blank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The empty prefix: (ends in a letter, ends in blank) after each frame, time first, shape (T, N, 1)."""
    ends_blank = np.cumprod(blank.T, axis=0)[:, :, None]
    return np.zeros_like(ends_blank), ends_blank


def _extend(letter: np.ndarray, pause: np.ndarray, last: np.ndarray | None, digits: np.ndarray,
            blank: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """All prefixes one letter longer.

    Args:
        letter, pause: shape (T, N, K), probability of having read prefix k by frame t, its last frame a letter or not.
        last: shape (K,), the prefixes' last letters, or None for the empty prefix.
        digits: shape (N, T, D), blank: shape (N, T).

    Returns:
        The same pair for the K * D children (child = k * D + d), and their last letters, shape (K * D,).
    """
    times, count, parents = letter.shape
    choices = digits.shape[2]
    enter = np.empty((times, count, parents, choices))
    enter[0] = 1.0 if last is None else 0.0
    enter[1:] = (letter[:-1] + pause[:-1])[..., None]
    if last is not None:
        # The same letter again must pass through a blank first, else CTC reads one long letter.
        enter[1:, :, np.arange(parents), last] = pause[:-1]
    enter = enter.reshape(times, count, parents * choices)
    emit = np.broadcast_to(digits.transpose(1, 0, 2)[:, :, None, :], (times, count, parents, choices))
    emit = emit.reshape(times, count, parents * choices)
    new_letter, new_pause = np.empty_like(enter), np.empty_like(enter)
    new_letter[0], new_pause[0] = enter[0] * emit[0], 0.0
    for t in range(1, times):
        np.multiply(enter[t] + new_letter[t - 1], emit[t], out=new_letter[t])
        np.multiply(new_pause[t - 1] + new_letter[t - 1], blank[:, t, None], out=new_pause[t])
    return (new_letter, new_pause), np.tile(np.arange(choices), parents)


def struck_text(frames: np.ndarray) -> str | None:
    """The crossed-out digits along the best path of one cell's frames, shape (T, 24), or None."""
    path = frames.argmax(1)
    digits = [int(v) - STRUCK.start for i, v in enumerate(path)
              if STRUCK.start <= v < STRUCK.stop and (i == 0 or v != path[i - 1])]
    return "".join(map(str, digits)) or None
