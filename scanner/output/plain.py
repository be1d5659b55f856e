"""Text from outside made harmless: file names, read names and error texts are printed, never obeyed."""

from __future__ import annotations

import unicodedata

#: Longest run of foreign text shown on one line; a file name can have 255 bytes, an OCR text any length.
LONGEST = 300


def plain(text: str, longest: int = LONGEST) -> str:
    """``text`` on one line without control, format (bidirectional marks) and lone surrogate characters.

    A terminal obeys escape sequences and direction marks inside a file name, so each becomes a visible ``?``.

    >>> plain("night\\x1b[2J.jpg")
    'night?[2J.jpg'
    """
    shown = "".join("?" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def counted(number: int, thing: str) -> str:
    """A number of things in words.

    >>> counted(1, "hand"), counted(0, "slip")
    ('1 hand', '0 slips')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
