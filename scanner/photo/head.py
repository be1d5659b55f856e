"""The lines of a page's head: where team names and the date are written, found by the labels printed before them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.printed import Word, read_words
from scanner.photo.sheets import FoundSheet

#: Width of the grids in the flattened head, pixels. Labels are at least a quarter of a row high, some 15 pixels then.
GRID_WIDTH = 760
#: What is flattened above the grids (parts of their height) and at their sides (parts of their width). A head higher
#: than this would leave no room for the hands on its page.
_ABOVE, _ASIDE = 0.8, 0.1
_LABELS = {"we": ("we", "us"), "they": ("they", "them"), "date": ("date",)}
#: A strip reaches so far above and below the line's foot, in heights of the label's capitals: people write names about
#: twice as high as they are asked for, so the writing fills half of the strip, in its middle.
_UP, _DOWN = 3.0, 1.0
#: A "y" hangs under the line by this part of a capital's height, in all common faces.
_TAIL = 0.28


@dataclass(frozen=True)
class Label:
    """A printed label: left and right edge, the foot of its letters and the height of its capitals, pixels."""

    left: float
    right: float
    foot: float
    capital: float


def cut_lines(pixels: np.ndarray, sheet: FoundSheet) -> dict[str, np.ndarray]:
    """Strips (RGB, uint8) of what is written behind the labels "we", "they" and "date"; those not found are left out.

    Without Tesseract no label is found.
    """
    head = flatten_head(pixels, sheet)
    labels = with_guesses(find_labels(read_words(cv2.cvtColor(head, cv2.COLOR_RGB2GRAY), 11) or ()))
    strips = {}
    for name in labels:
        left, top, right, bottom = room(labels, name, head.shape[1])
        if right - left >= 24 and bottom - top >= 12:
            strips[name] = head[top:bottom, left:right]
    return strips


def flatten_head(pixels: np.ndarray, sheet: FoundSheet) -> np.ndarray:
    """The page above the grids as an upright RGB picture, uint8, its lower edge at theirs.

    The perspective is that of the grids' own corners, carried on above them; outside the photo the picture is white.
    """
    corners = np.asarray(sheet.quad, dtype=np.float32)
    width = _length(corners[0], corners[1]) + _length(corners[3], corners[2])
    height = _length(corners[0], corners[3]) + _length(corners[1], corners[2])
    down = GRID_WIDTH * min(height / max(width, 1.0), 3.0)
    up, aside = max(int(down * _ABOVE), 1), int(GRID_WIDTH * _ASIDE)
    flat = np.array([(0, up), (GRID_WIDTH, up), (GRID_WIDTH, up + down), (0, up + down)]) + (aside, 0)
    place = cv2.getPerspectiveTransform(corners, flat.astype(np.float32))
    size = (GRID_WIDTH + 2 * aside, up)
    return cv2.warpPerspective(pixels, place, size, flags=cv2.INTER_AREA, borderValue=(255, 255, 255))


def find_labels(words: Sequence[Word]) -> dict[str, Label]:
    """The labels among the words of a head; of several with one name the lowest, nearest to the grids."""
    found: dict[str, Label] = {}
    for word in sorted(words, key=lambda w: w.box[1]):
        text = re.sub(r"[^a-z]", "", word.text.casefold())
        for name, spellings in _LABELS.items():
            if text in spellings:
                left, top, width, height = word.box
                tail = _TAIL if "y" in word.text else 0.0
                found[name] = Label(left, left + width, top + height / (1 + tail), height / (1 + tail))
    return found


def with_guesses(labels: Mapping[str, Label]) -> dict[str, Label]:
    """The labels, and where "we" must stand if only "they" and "date" were seen: beside or above "they"."""
    they, date = labels.get("they"), labels.get("date")
    if "we" in labels or they is None or date is None:
        return dict(labels)
    beside = they.left - date.left > 4 * they.capital
    foot = they.foot if beside else they.foot - abs(date.foot - they.foot)
    return {**labels, "we": Label(date.left, date.left + 2.6 * they.capital, foot, they.capital)}


def room(labels: Mapping[str, Label], name: str, width: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of where the answer to a label is written: behind it, up to the next one."""
    label = labels[name]
    behind = [o.left for o in labels.values() if o.left > label.right and abs(o.foot - label.foot) < label.capital]
    right = min(behind, default=width) - label.capital / 4
    above = [o.foot + _TAIL * o.capital for o in labels.values() if o.foot < label.foot - label.capital]
    top, bottom = max([label.foot - _UP * label.capital, *above]), label.foot + _DOWN * label.capital
    return int(label.right + label.capital / 3), int(max(top, 0)), int(right), int(max(bottom, 0))


def _length(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.hypot(*(b - a)))
