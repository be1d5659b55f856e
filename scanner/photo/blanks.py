"""The head of a page: strips with the names of both sides and the date, cut along the lines they are written on.

The grid says where "above" is and how large things are there.  Lines to write on are what most pads' heads have in
common, and unlike printed labels they are found in any print and under any hand; so they are looked for first, and
Tesseract is asked only what stands before them.  Where a line is not found, its label alone must do.
"""

from __future__ import annotations

import difflib
from dataclasses import replace

import cv2
import numpy as np

from scanner.photo.printed import read_words
from scanner.photo.sheets import FoundSheet
from scanner.photo.writing_lines import UNIT, Blank, flat_head, writing_lines

#: A strip around a writing line, in rows above and below it: room for capitals and descenders of a large hand.
ABOVE, BELOW = 0.85, 0.30
#: Printed labels stand within this many rows before their line.
_LABEL = 2.2
#: Room taken for a name behind a label that has no line, in rows; the next label cuts it short.
_ROOM = 3.5
#: Names and date stand within this many rows of each other, from the first to the last.
_NEAR = 2.6

#: What is looked for, in the order pads have it.
KEYS = ("we", "they", "date")
_WORDS = {"WE": "we", "US": "we", "THEY": "they", "THEM": "they", "DATE": "date"}
#: Labels of lines that are none of ours, so that "Game" is never taken for a team.
_OTHERS = ("TABLE", "GAME", "ROUND", "NO", "SCORER", "WINNER", "PLACE", "TIME")


def cut_head(pixels: np.ndarray, sheet: FoundSheet) -> dict[str, np.ndarray]:
    """Strips of the head, uint8 RGB, one writing line each, under ``we``, ``they`` and ``date``.

    Args:
        pixels: the photo, uint8 RGB, shape (H, W, 3).

    A strip shows the line, what is written on it and perhaps its printed label.  Keys whose line is not found are
    missing.  Without Tesseract the lines are taken in the order pads have them: we, they, date.
    """
    flat = flat_head(pixels, sheet)
    blanks = writing_lines(flat)
    named = name_blanks(blanks, _labels(flat, blanks))
    missing = [k for k in KEYS if k not in {b.key for b in named}]
    named += [b for b in _after_labels(flat) if b.key in missing] if missing else []
    return {b.key: _strip(flat, b, named) for b in named if b.key in KEYS}


def _labels(flat: np.ndarray, blanks: list[Blank]) -> list[str]:
    """The print before each line, letters only, upper case; empty strings without Tesseract."""
    if not blanks:
        return []
    grey = cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY)
    height, width = round(0.8 * UNIT), round(_LABEL * UNIT)
    rows = [_label_picture(grey, b, blanks, (height, width)) for b in blanks]
    found = [""] * len(blanks)
    for word in read_words(np.concatenate(rows), 11) or []:
        middle = word.box[1] + word.box[3] / 2
        found[min(int(middle // height), len(rows) - 1)] += "".join(c for c in word.text.upper() if c.isalpha())
    return found


def _label_picture(grey: np.ndarray, blank: Blank, blanks: list[Blank], size: tuple[int, int]) -> np.ndarray:
    """What stands before a line, at the right of a picture of ``size``, paper around it."""
    before = [b.x1 for b in blanks if abs(b.y - blank.y) < 0.3 * UNIT and b.x1 <= blank.x0 + 1]
    # A line before it may be seen too long, but no label is shorter than this with the gap behind it.
    left = min(max([*before, blank.x0 - size[1]]), blank.x0 - 1.1 * UNIT)
    left, right = max(0, round(left)), max(1, round(blank.x0 + 0.05 * UNIT))
    top = max(0, round(blank.at(blank.x0) - 0.55 * UNIT))
    part = grey[top:top + size[0], min(left, right - 1):right]
    out = np.full(size, int(np.percentile(part, 80)), np.uint8)
    out[:part.shape[0], size[1] - min(part.shape[1], size[1]):] = part[:, -size[1]:]
    return out


def name_blanks(blanks: list[Blank], labels: list[str]) -> list[Blank]:
    """Blanks with what they are for: by their labels first, the rest near those in the order we, they, date.

    >>> name_blanks([Blank(0, 9, 0), Blank(20, 29, 0), Blank(0, 9, 30)], ["WE", "", "DATE"])[1].key
    'they'
    """
    keys: list[str | None] = [None] * len(blanks)
    meant = [_meant(label) for label in labels]
    # Of equals the first: what stands before the second line of a row may be the end of a name ("us") on the first.
    for i in sorted(range(len(blanks)), key=lambda i: -meant[i][0]):
        key = meant[i][1]
        if key and (key == "other" or key not in keys):
            keys[i] = key
    known = [b for b, key in zip(blanks, keys, strict=True) if key in KEYS]
    free = [k for k in KEYS if k not in keys]
    near = [i for i, b in enumerate(blanks) if keys[i] is None and all(abs(b.y - o.y) < _NEAR * UNIT for o in known)]
    # Lines further up belong to the advertiser.
    near = near[max(0, len(near) - len(free)):]
    for key in free:
        above = [b.y for b, k in zip(blanks, keys, strict=True) if k == "we"] if key == "they" else []
        fit = [i for i in near if all(blanks[i].y > y - 0.4 * UNIT for y in above)]
        if fit:
            keys[fit[0]] = key
            near.remove(fit[0])
    return [replace(b, key=k) for b, k in zip(blanks, keys, strict=True)]


def _meant(label: str) -> tuple[float, str]:
    """How well a label matches its nearest known word (0 to 1) and the key that stands for ("" where none does)."""
    words = {**_WORDS, **dict.fromkeys(_OTHERS, "other")}
    scores = {w: 0.9 if len(w) > 2 and w in label else difflib.SequenceMatcher(None, label, w).ratio() for w in words}
    best = max(scores, key=lambda w: scores[w])
    return (scores[best], words[best]) if scores[best] >= 0.6 else (0.0, "")


def _after_labels(flat: np.ndarray) -> list[Blank]:
    """Room to write behind each printed label of the head, for pads without lines; the lowest label of a key counts."""
    found: dict[str, Blank] = {}
    for word in sorted(read_words(cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY), 11) or [], key=lambda w: w.box[1]):
        letters = "".join(c for c in word.text.upper() if c.isalpha())
        if letters in _WORDS:
            left, top, wide, tall = word.box
            found[_WORDS[letters]] = Blank(float(left + wide), left + wide + _ROOM * UNIT, float(top + tall),
                                           key=_WORDS[letters])
    return list(found.values())


def _strip(flat: np.ndarray, blank: Blank, blanks: list[Blank]) -> np.ndarray:
    """The strip along a line, to its left as far as a word may begin early, to its right up to the next label."""
    after = [b.x0 - 0.9 * UNIT for b in blanks if abs(b.y - blank.y) < 0.3 * UNIT and b.x0 > blank.x0 + UNIT]
    left = blank.x0 - 0.35 * UNIT
    right = max(min([blank.x1 + 0.8 * UNIT, *after]), left + UNIT)
    place = np.array([[1, 0, left], [blank.slope, 1, blank.at(left) - ABOVE * UNIT]])
    size = (round(right - left), round((ABOVE + BELOW) * UNIT))
    return cv2.warpAffine(flat, place, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                          borderMode=cv2.BORDER_REPLICATE)
