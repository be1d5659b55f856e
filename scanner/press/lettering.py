"""Words in print: how large they may be in their place, and a refusal of what cannot be printed readably."""

from __future__ import annotations

import unicodedata
from functools import cache

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import TextPath

from scanner.press.drawing import Text
from scanner.sheet.errors import InputError

#: Least size of a club's, sponsor's or team's words in millimetres: 4 points, the fine print of a form.
LEAST = 1.4
_FAMILY = "DejaVu Sans"


def face(bold: bool) -> FontProperties:
    """The font of all print on a pad; it comes with matplotlib, so every machine prints the same."""
    return FontProperties(family=_FAMILY, weight="bold" if bold else "normal")


def fitted(text: Text) -> float:
    """Size in millimetres at which a text is as wide as its place at most.

    Raises:
        InputError: the font lacks one of its characters, it is written from the right, or it would be too small.
    """
    _refuse_letters(text)
    width = TextPath((0, 0), text.text, size=text.size, prop=face(text.bold), usetex=False).get_extents().x1
    size = text.size * min(1.0, text.widest / max(width, 1e-6))
    if text.size > LEAST > size:
        raise InputError(f"{_told(text.text)} is too long to print: about {int(len(text.text) * size / LEAST)} letters "
                         f"go into its place, and it has {len(text.text)}; shorten it.")
    return size


def _refuse_letters(text: Text) -> None:
    has = _letters(text.bold)
    for letter in text.text:
        if ord(letter) not in has or not letter.isprintable():
            raise InputError(f"{_told(text.text)}: the font has no character {_named(letter)}; write it in letters "
                             "that it has (Latin, Greek or Cyrillic).")
        if unicodedata.bidirectional(letter) in ("R", "AL"):
            raise InputError(f"{_told(text.text)}: {_named(letter)} is written from the right, which cannot be printed "
                             "yet; write it in Latin, Greek or Cyrillic letters.")


def _told(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _named(letter: str) -> str:
    return f"{letter!r} (U+{ord(letter):04X} {unicodedata.name(letter, '')}".rstrip() + ")"


@cache
def _letters(bold: bool) -> frozenset[int]:
    return frozenset(get_font(findfont(face(bold))).get_charmap())
