"""Names that are typed or printed on the line instead of written: Tesseract's words held against the roster."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from scanner.reader.lines import fold
from scanner.sheet.results import Label
from scanner.sheet.roster import Roster


class PrintedWord(Protocol):
    """A word as Tesseract read it, with its confidence, 0 to 1."""

    text: str
    confidence: float


#: Reads the words of a grey picture in a page segmentation mode; None where there is no Tesseract.
PrintReader = Callable[[np.ndarray, int], Sequence[PrintedWord] | None]

#: Tesseract's mode for a picture of one line.
_ONE_LINE = 7
#: Print is read nearly without fault or not at all: a name may differ in one letter of seven, and each of its words
#: must be one Tesseract stands by. Handwriting it guesses at passes neither.
_LIKE, _SURE = 0.85, 0.6
#: Print on a name's line takes up at least this part of the strip's width; specks and the label's end do not.
_INKED = 0.12
_LABELS = {"we", "they", "us", "them", "date", "team"}


def typed_name(strip: np.ndarray, roster: Roster | None, read_words: PrintReader) -> Label | None:
    """The team printed on a strip (RGB, uint8), or None where nothing like a name is.

    Without a roster any words Tesseract is sure of are the name.
    """
    grey = np.asarray(strip).mean(axis=2).astype(np.uint8)
    if not has_ink(grey):
        return None
    words = [w for w in read_words(grey, _ONE_LINE) or () if re.sub(r"\W", "", w.text).casefold() not in _LABELS]
    words = [w for w in words if fold(w.text)]
    if not words or min(w.confidence for w in words) < _SURE:
        return None
    text, sure = " ".join(w.text for w in words), min(w.confidence for w in words)
    if roster is None:
        return Label(text, sure)
    likeness, name = max((_alike(text, s), team.name) for team in roster.teams for s in team.spellings)
    return Label(name, likeness * sure) if likeness >= _LIKE else None


def _alike(text: str, spelling: str) -> float:
    return difflib.SequenceMatcher(None, fold(text), fold(spelling), autojunk=False).ratio()


def has_ink(grey: np.ndarray) -> bool:
    """Whether anything stands on the line: dark columns in the upper two thirds, where the writing line is not."""
    part = grey[round(0.1 * len(grey)):max(round(0.66 * len(grey)), 1)]
    if not part.size:
        return False
    dark = (part < 0.75 * np.percentile(part, 75)).any(axis=0)
    return float(dark.mean()) >= _INKED
