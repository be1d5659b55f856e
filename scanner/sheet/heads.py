"""Names and dates on a sheet's head: which of them are only guessed, so that a person is asked."""

from __future__ import annotations

from scanner.sheet.results import Label, SheetResult

#: A name or date read with less than this is asked about. Even odds: below it the reading is more likely wrong.
SURE_HEAD = 0.5
_NONE = Label("", 0.0)


def guessed_name(label: Label) -> bool:
    """Whether a team's name is missing or more likely wrong than right."""
    return not label.text or label.confidence < SURE_HEAD


def guessed_date(label: Label) -> bool:
    """Whether a date is more likely wrong than right, or its day is not known: "Apr 3" has no year."""
    return not label.iso or label.confidence < SURE_HEAD


def unsettled_heads(sheet: SheetResult) -> tuple[str, ...]:
    """Which of ``we``, ``they`` and ``date`` a season asks about; none of a sheet without a hand."""
    if not any(game.rows for game in sheet.games):
        return ()
    names = tuple(side for side in ("we", "they") if guessed_name(sheet.teams.get(side, _NONE)))
    return (*names, "date") if guessed_date(sheet.date) else names
