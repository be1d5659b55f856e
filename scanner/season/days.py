"""Days as people type them: ISO dates on which a league can have played."""

from __future__ import annotations

from datetime import date

#: Years a score sheet may be of. Rules of the game were printed from the 1900s on; beyond 2100 a digit slipped.
FIRST_YEAR, LAST_YEAR = 1900, 2100


def day(text: object) -> str:
    """An ISO date as it stands.

    Raises:
        ValueError: no text of the form YYYY-MM-DD, no day of the calendar, or a year no league played in.

    >>> day("2026-03-07")
    '2026-03-07'
    """
    if not isinstance(text, str) or len(text) != len("2026-03-07"):
        raise ValueError("not of the form YYYY-MM-DD")
    found = date.fromisoformat(text)
    if not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise ValueError(f"not between {FIRST_YEAR} and {LAST_YEAR}")
    return found.isoformat()
