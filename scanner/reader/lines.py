"""Written lines: strips of any size in, letter probabilities out, and exact probabilities of texts on them.

The network is kin of the cells' one; its letters are a-z with cases folded, digits, the space and a few signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scanner.reader.network import open_network, picture

#: Letters of the network; place 0 is CTC's blank. A comma is read as a point, a plus as the "&" it stands for.
ALPHABET = "_ abcdefghijklmnopqrstuvwxyz0123456789-/'&."
#: Input height; a line is drawn out by ``STRETCH`` so that doubled narrow letters keep a frame between them.
HEIGHT, STRETCH, STEP, NARROWEST, WIDEST = 40, 1.25, 32, 96, 640
#: Parts of a strip's height cut off at the top and bottom for further looks at it. Writers fill a third to four fifths
#: of the network's height in training; where a strip has more room than that, a closer look is the better one.
LOOKS = ((0.0, 0.0), (0.14, 0.10), (0.25, 0.18))

# As in the cells' reader: no frame rules a letter out altogether.
_LEAST = 1e-6
_PLACES = {letter: i for i, letter in enumerate(ALPHABET)}


@dataclass(frozen=True, eq=False)
class Line:
    """What the network sees on one strip: letter probabilities, shape (T, 44), for each look at it."""

    looks: tuple[np.ndarray, ...]

    def log_probs(self, texts: Sequence[str]) -> np.ndarray:
        """Log-probability of each text in each look, shape (looks, texts)."""
        return np.stack([text_log_probs(frames, texts) for frames in self.looks])

    def best_paths(self) -> list[str]:
        """Texts along the best path of each look, with and without figures allowed."""
        return sorted({best_path(part)[0] for frames in self.looks for part in (frames, without_figures(frames))})


def read_lines(strips: Sequence[np.ndarray]) -> list[Line]:
    """Reads written lines.

    Args:
        strips: crops of one line each, uint8, grey or RGB, of any size; printed labels, the writing line and parts of
            the lines above and below may be in the picture, the writing near its middle.

    Raises:
        ClabberError: a strip is no 8-bit picture.
    """
    looks = [[to_line_input(_closer(picture(strip), *cut)) for cut in LOOKS] for strip in strips]
    return [Line(tuple(_frames(look) for look in some)) for some in looks]


def _closer(strip: np.ndarray, top: float, bottom: float) -> np.ndarray:
    height = strip.shape[0]
    return strip[round(top * height):max(round((1 - bottom) * height), round(top * height) + 1)]


def to_line_input(strip: np.ndarray) -> np.ndarray:
    """A strip (H, W, 3) as the network takes it: uint8, shape (40, w, 3), w a multiple of 32."""
    height, width = strip.shape[:2]
    across = int(np.clip(round(HEIGHT * STRETCH * width / height / STEP) * STEP, NARROWEST, WIDEST))
    method = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
    return cv2.resize(strip, (across, HEIGHT), interpolation=method)


def _frames(image: np.ndarray) -> np.ndarray:
    frames = open_network("lines").run(None, {"cells": image[None]})[0][0].astype(np.float64)
    frames = np.maximum(frames, _LEAST)
    return frames / frames.sum(1, keepdims=True)


def fold(text: str) -> str:
    """A text in the network's letters: cases folded, accents dropped, what it has no letter for left out.

    >>> fold("Smith + O'Brien, Jr.")
    "smith & o'brien. jr."
    """
    text = text.casefold().translate(str.maketrans("äöüáéíóúñç’,+", "aouaeiounc'.&"))
    return " ".join("".join(c for c in text if c in _PLACES and c != "_").split())


def text_log_probs(frames: np.ndarray, texts: Sequence[str]) -> np.ndarray:
    """Exact log-probability of each folded text, natural logs, shape (texts,).

    CTC's forward sums (Graves et al. 2006, section 4.1) for all texts side by side, rescaled at every frame.

    Args:
        frames: shape (T, 44), rows summing to 1.
        texts: folded texts (see :func:`fold`); the empty one is allowed.
    """
    states = 2 * max((len(t) for t in texts), default=0) + 1
    path = np.zeros((len(texts), states), np.int64)
    for row, text in zip(path, texts, strict=True):
        row[1:2 * len(text):2] = [_PLACES[c] for c in text]
    skip = np.zeros(path.shape, bool)
    skip[:, 3::2] = path[:, 3::2] != path[:, 1:-2:2]
    alpha = np.zeros(path.shape)
    alpha[:, 0] = 1.0
    # One step before the first frame stands in the first blank, from which the first letter is one step away.
    scale = np.zeros(len(texts))
    for t, frame in enumerate(frames):
        moved = alpha.copy()
        moved[:, 1:] += alpha[:, :-1]
        if t:
            moved[:, 2:] += np.where(skip[:, 2:], alpha[:, :-2], 0.0)
        alpha = moved * frame[path]
        total = np.maximum(alpha.sum(1), 1e-300)
        alpha /= total[:, None]
        scale += np.log(total)
    ends = np.array([2 * len(t) for t in texts], np.int64)
    rows = np.arange(len(texts))
    last = alpha[rows, ends] + np.where(ends > 0, alpha[rows, np.maximum(ends - 1, 0)], 0.0)
    with np.errstate(divide="ignore"):
        return scale + np.log(last)


def without_figures(frames: np.ndarray) -> np.ndarray:
    """The same frames if no figure can stand on the line."""
    part = frames.copy()
    part[:, [_PLACES[d] for d in "0123456789"]] = 0.0
    return part


def best_path(frames: np.ndarray) -> tuple[str, float]:
    """The text along the most probable path, and its exact log-probability over all paths."""
    path = frames.argmax(1)
    letters = [ALPHABET[v] for i, v in enumerate(path) if v and (i == 0 or v != path[i - 1])]
    text = " ".join("".join(letters).split())
    return text, float(text_log_probs(frames, [text])[0])
