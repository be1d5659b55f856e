"""The columns of every frame, what each means and what must hold of it; ``docs/data-dictionary.md`` is made of it."""

from __future__ import annotations

import pandas as pd
import pandera.pandas as pa

from scanner.sheet.layout import ARITHMETIC_KEYS
from scanner.sheet.results import SIDES

TEXT = pd.StringDtype(na_value=float("nan"))
INT, FLOAT, BOOL, DAY, MOMENT = pd.Int64Dtype(), "float64", "bool", "datetime64[s]", "datetime64[s, UTC]"

_SIDE = pa.Check.isin(SIDES)
_NATURAL = pa.Check.ge(0)
_SHARE = pa.Check.in_range(0, 1)


def _must(dtype: object, description: str, *checks: pa.Check, unique: bool = False) -> pa.Column:
    return pa.Column(dtype, list(checks), description=description, unique=unique)


def _may(dtype: object, description: str, *checks: pa.Check) -> pa.Column:
    return pa.Column(dtype, list(checks), nullable=True, description=description)


def _frame(description: str, columns: dict[str, pa.Column]) -> pa.DataFrameSchema:
    return pa.DataFrameSchema(columns, strict=True, ordered=True, description=description)


def _both(pattern: str, dtype: object, description: str, *checks: pa.Check) -> dict[str, pa.Column]:
    names = {"we": "We", "they": "They"}
    return {pattern.format(side): _may(dtype, description.format(names[side]), *checks) for side in SIDES}


GAMES = _frame("One row a game, with its pair of teams.", {
    "game_id": _must(TEXT, "Photo, sheet and grid: first digits of the photo's SHA-256 / sheet / grid.", unique=True),
    "date": _may(DAY, "Day on the sheet; empty where nobody could read it."),
    **_both("{}", TEXT, "Team in the column {}; one spelling a team. Empty where the name could not be read."),
    **_both("{}_total", INT, "Official final total of {}.", _NATURAL),
    "winner": _may(TEXT, "Team that won by the official totals; empty while nobody has, or on equal totals."),
    "hands": _must(INT, "Hands written on the sheet.", _NATURAL),
    "winner_side": _may(TEXT, "Column of the winner: we or they.", _SIDE),
    "official": _must(TEXT, "Whose totals count: written (the rule) or corrected (a person decided so).",
                      pa.Check.isin(("written", "corrected"))),
    **_both("{}_total_written", INT, "Final total of {} as the ink says.", _NATURAL),
    "winner_written": _may(TEXT, "Winning column by the written totals.", _SIDE),
    **_both("{}_total_corrected", INT, "Final total of {} in the most probable true game.", _NATURAL),
    "winner_corrected": _may(TEXT, "Winning column by the corrected totals.", _SIDE),
    "winner_mark": _may(TEXT, "Column in which the W stands.", _SIDE),
    "problems": _must(INT, "Problems found on the game, open questions not counted.", _NATURAL),
    "questions": _must(INT, "Cells that still wait for a person.", _NATURAL),
    "heads": _must(INT, "Names and the date of its sheet that still wait for a person: a name here may be a guess.",
                   pa.Check.in_range(0, 3)),
    "stale": _must(BOOL, "An answer came in that the scores beside it do not know yet: run the review once more."),
    "sheet_id": _must(TEXT, "Sheet the game stands on."),
    "grid": _must(INT, "Place of the grid on the page, from the left, from 1.", pa.Check.ge(1)),
    "layout": _must(TEXT, "Layout of the pad."),
    "source": _must(TEXT, "photo, typed, or forfeit (of the league's schedule, never played).",
                    pa.Check.isin(("photo", "typed", "forfeit"))),
    "photo": _must(TEXT, "The photo (or typed file, or schedule) as it was named."),
    "sha256": _must(TEXT, "SHA-256 of that file.", pa.Check.str_length(64, 64)),
    "tournament": _may(TEXT, "Tournament by the league's schedule; season where there is none."),
    "week": _may(INT, "Week of the tournament by the schedule; where there is none, the calendar week, from the first "
                 "game's.", pa.Check.ge(1)),
    "set_aside": _may(TEXT, "Why no table counts the game: entered twice, or none of the league's."),
})

_POINTS = _both("{}_points_written", INT, "Points of {} as the ink says.") | _both(
    "{}_total_written", INT, "Running total of {} as the ink says.", _NATURAL) | _both(
    "{}_points_corrected", INT, "Points of {} in the most probable true game.") | _both(
    "{}_total_corrected", INT, "Running total of {} in the most probable true game.", _NATURAL)

HANDS = _frame("One row a hand.", {
    "game_id": _must(TEXT, "Game the hand belongs to."),
    "hand": _must(INT, "Number of the hand in its game, from 1.", pa.Check.ge(1)),
    **_both("{}_points", INT, "Official points of {} on this hand (a wrong written total can make them negative)."),
    **_both("{}_total", INT, "Official running total of {} after this hand.", _NATURAL),
    "set": _may(TEXT, "Side that was set.", _SIDE),
    "maker": _may(TEXT, "Side that made trump, where the sheet tells.", _SIDE),
    "meld": _may(INT, "Total meld of a made hand; empty on a set one.", _NATURAL),
    "row": _must(INT, "Row of the sheet, from 1 under the heading.", pa.Check.ge(1)),
    **_POINTS,
})

CELLS = _frame("One row a cell of a row in which a hand is written.", {
    "cell_id": _must(TEXT, "Game / row / column: names the cell in the review queue.", unique=True),
    "game_id": _must(TEXT, "Game the cell belongs to."),
    "row": _must(INT, "Row of the sheet, from 1 under the heading.", pa.Check.ge(1)),
    "cell": _must(TEXT, f"Column: {', '.join(ARITHMETIC_KEYS)}, or a free one."),
    "text": _must(TEXT, "What is written: as a person settled it, else as it was read. Empty text for an empty cell."),
    "read": _must(TEXT, "What the scan read."),
    "confidence": _must(FLOAT, "Probability of what was read.", _SHARE),
    "review": _must(BOOL, "The scan asked a person to look."),
    "struck": _may(TEXT, "Crossed-out text beside it."),
    "settled": _may(TEXT, "What a person said is written."),
    "settled_by": _may(TEXT, "Who said so."),
    "settled_at": _may(MOMENT, "When, UTC."),
    "choices": _must(TEXT, "JSON: the likeliest texts with their probabilities."),
    "box": _may(TEXT, "JSON: the cell's four corners in the photo, pixels, clockwise from its own top left."),
})

PROBLEMS = _frame("One row a finding: each slip once, on the row where it was made.", {
    "game_id": _must(TEXT, "Game the finding is about."),
    "number": _must(INT, "Number of the finding in its game, from 1.", pa.Check.ge(1)),
    "code": _must(TEXT, "Kind of finding, for example running-total."),
    "row": _may(INT, "Row of the sheet; empty for the W.", pa.Check.ge(1)),
    "cell": _may(TEXT, "Column of the guilty cell, where it is known."),
    "written": _may(TEXT, "What is written there."),
    "expected": _may(TEXT, "What should be written there."),
    "message": _must(TEXT, "The finding as a sentence."),
    "probability": _must(FLOAT, "Probability that the paper, not the reading, is wrong.", _SHARE),
    "winner_changes": _must(BOOL, "The slip gave the game to the wrong side."),
    "points_moved": _must(INT, "Points wrongly given or taken, both sides added.", _NATURAL),
    "candidates": _must(TEXT, "JSON: the cells that may be guilty, with what each should hold."),
})

REVIEWS = _frame("One row a decision of a person, in the order they were made; nothing is ever removed.", {
    "review_id": _must(INT, "Number of the decision.", unique=True),
    "cell_id": _must(TEXT, "Cell; or sheet/we, sheet/they, sheet/date for a head; game/official for a ruling; "
                           "sheet/mark for one set aside; game/quad, sheet/layout for a grid moved or read anew."),
    "before": _may(TEXT, "What stood there before."),
    "text": _may(TEXT, "What the person decided; empty where the decision before was taken back."),
    "by": _must(TEXT, "Who."),
    "at": _must(MOMENT, "When, UTC."),
    "note": _may(TEXT, "Why, or what was agreed."),
    "undoes": _may(INT, "Number of the decision this one takes back."),
})

TEAMS = _frame("One row a team.", {
    "team": _must(TEXT, "Name, in its most frequent spelling.", unique=True),
    "games": _must(INT, "Games with this team on the sheet.", _NATURAL),
    "first": _may(DAY, "Day of its first game."),
    "last": _may(DAY, "Day of its last game."),
    "spellings": _must(TEXT, "Every spelling found on sheets, separated by ' | '."),
})

STANDINGS = _frame("One row a team, best first; see analysis.standings for what counts.", {
    "rank": _must(INT, "Place; equal teams share the lower number.", pa.Check.ge(1)),
    "team": _must(TEXT, "Name.", unique=True),
    "played": _must(INT, "Finished games.", _NATURAL),
    "won": _must(INT, "Games won.", _NATURAL),
    "lost": _must(INT, "Games lost.", _NATURAL),
    "tied": _must(INT, "Games ended on equal totals.", _NATURAL),
    "points_for": _must(INT, "Game points made.", _NATURAL),
    "points_against": _must(INT, "Game points of the opponents.", _NATURAL),
    "tie_break": _may(TEXT, "Criterion by which the team came apart from others it was level with on the first; shared "
                      "if it is level still; empty if it never was."),
})

FIXTURES = _frame("One row a line of the league's schedule; empty without one.", {
    "tournament": _must(TEXT, "Tournament."),
    "week": _must(INT, "Week of the tournament, from 1.", pa.Check.ge(1)),
    "date": _may(DAY, "Day it is planned for."),
    "we": _must(TEXT, "Team that sits as We; on a bye the team that rests."),
    "they": _may(TEXT, "Team that sits as They; empty on a bye."),
    "forfeit": _may(TEXT, "Side that did not come: we, they or both.", pa.Check.isin((*SIDES, "both"))),
    "status": _must(TEXT, "played, forfeit, bye, or to play.", pa.Check.isin(("played", "forfeit", "bye", "to play"))),
    "game_id": _may(TEXT, "The game it became."),
})

ALL: dict[str, pa.DataFrameSchema] = {
    "games": GAMES, "hands": HANDS, "cells": CELLS, "problems": PROBLEMS, "reviews": REVIEWS, "teams": TEAMS,
    "fixtures": FIXTURES, "standings": STANDINGS,
}


def typed(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """A frame with the columns of a schema, in its order and types."""
    columns = ALL[name].columns
    return pd.DataFrame({key: _column(frame[key], column.dtype.type) for key, column in columns.items()})


def _column(values: pd.Series, dtype: object) -> pd.Series:
    if isinstance(dtype, pd.DatetimeTZDtype):
        return pd.to_datetime(values, format="ISO8601", utc=True).astype(MOMENT)
    if getattr(dtype, "kind", "") == "M":
        return pd.to_datetime(values, format="ISO8601").astype(DAY)
    return values.astype(dtype)
