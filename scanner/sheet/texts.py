"""The texts a cell of a score sheet may hold, and their spelling.

The vocabulary is closed: the numbers 0 to 1999, the set mark ``XX``, the zero line ``-``, the winner's ``W`` and the
empty cell ``""``.  Every posterior over texts in this project is a vector in the order of :data:`VOCABULARY`.
"""

from __future__ import annotations

SET = "XX"
ZERO = "-"
WON = "W"
EMPTY = ""

#: One past the largest number a cell may hold: a ``total_check`` adds two totals, each under 1000 on any real sheet.
NUMBERS = 2000

#: Every text a cell may hold, numbers first, so ``VOCABULARY[n] == str(n)``.
VOCABULARY: tuple[str, ...] = (*(str(n) for n in range(NUMBERS)), SET, ZERO, WON, EMPTY)

#: Position of a text in :data:`VOCABULARY`.
INDEX: dict[str, int] = {text: i for i, text in enumerate(VOCABULARY)}

_SPELLINGS = {"X": SET, "XX": SET, "XXX": SET, "-": ZERO, "--": ZERO, "~": ZERO, "–": ZERO, "—": ZERO, "W": WON}


def canonical(text: str) -> str | None:
    """The vocabulary's spelling of what somebody typed or a reader read, or None if no cell may hold it.

    >>> canonical(" 092 "), canonical("xxx"), canonical("~"), canonical("9a")
    ('92', 'XX', '-', None)
    """
    text = text.strip().upper()
    if text in _SPELLINGS:
        return _SPELLINGS[text]
    if text == EMPTY:
        return EMPTY
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text) < NUMBERS:
        return str(int(text))
    return None


def number(text: str) -> int | None:
    """The number a canonical text stands for; None for a mark, the W or an empty cell (a zero line is *not* 0 here).

    >>> number("92"), number("XX"), number("-")
    (92, None, None)
    """
    return int(text) if text.isdigit() else None
