"""Dates in the spellings people use, the calendar as judge, and the search along a line."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.reader.dates import FIRST_YEAR, date_on, may_begin, parse_date
from scanner.reader.lines import ALPHABET, Line, fold

DAYS = st.dates(datetime.date(FIRST_YEAR, 1, 1), datetime.date(FIRST_YEAR + 99, 12, 31))
SPELLINGS = ("{m}-{d}-{y}", "{m}/{d}/{Y}", "{m}.{d}.{y}", "{mm}-{dd}-{y}", "{mm}/{dd}/{Y}", "{m} {d} {y}",
             "{B} {d}, {Y}", "{b} {d} {Y}", "{b}. {d}, '{y}", "{B} {d}{th}, {Y}", "{a} {b} {d} {Y}", "{m} - {d} - {y}")


def spelt(day: datetime.date, spelling: str) -> str:
    """A day as somebody writes it, by the standard library's own names and numbers."""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th") if day.day not in (11, 12, 13) else "th"
    return spelling.format(m=day.month, d=day.day, Y=day.year, y=f"{day:%y}", mm=f"{day:%m}", dd=f"{day:%d}",
                           B=f"{day:%B}", b=f"{day:%b}", a=f"{day:%a}", th=suffix)


@given(DAYS, st.sampled_from(SPELLINGS))
def test_a_day_is_read_in_every_spelling(day: datetime.date, spelling: str):
    assert parse_date(spelt(day, spelling)) == (day.year, day.month, day.day)


@given(DAYS, st.sampled_from(SPELLINGS))
def test_every_beginning_of_a_date_may_begin_one(day: datetime.date, spelling: str):
    text = fold(spelt(day, spelling))
    assert all(may_begin(text[:i]) for i in range(1, len(text) + 1))


@pytest.mark.parametrize("text", ["13-7-26", "2-30-26", "2/29/2023", "0-5-24", "6-31-25", "Feb 30", "7", "Eagles", "",
                                  "1-2-3", "3-7-1826", "Mar", "3--7", "Marx 7", "99-99-99"])
def test_what_no_calendar_has_is_no_date(text: str):
    assert parse_date(text) is None


@pytest.mark.parametrize("text, day", [("3-7", (None, 3, 7)), ("Mar 7", (None, 3, 7)), ("2/29", (None, 2, 29)),
                                       ("Sept 5", (None, 9, 5)), ("2-29-24", (2024, 2, 29))])
def test_a_year_left_out_stays_open(text: str, day: tuple):
    assert parse_date(text) == day


@pytest.mark.parametrize("text", ["x", "13-", "mx", "--", "32", "1-32"])
def test_no_date_begins_so(text: str):
    assert not may_begin(text)


def written(text: str, doubt: float = 0.02) -> Line:
    """A line whose every letter the network is nearly sure of."""
    places = [p for char in text for p in (ALPHABET.index(char), 0)] or [0, 0]
    frames = np.full((len(places), len(ALPHABET)), doubt / (len(ALPHABET) - 1))
    frames[np.arange(len(places)), places] = 1 - doubt
    return Line((frames,))


@pytest.mark.parametrize("text, iso", [("3-7-26", "2026-03-07"), ("12/31/1999", "1999-12-31"), ("3.7.26", "2026-03-07"),
                                       ("mar 7. 2026", "2026-03-07"), ("3-7", None)])
def test_a_written_date_comes_out_with_its_day(text: str, iso: str | None):
    label = date_on(written(text))
    assert label.text.casefold() == text
    assert label.iso == iso
    assert label.confidence > 0.8


def test_the_calendar_decides_a_doubtful_letter():
    """Written 3-31-26, the 3 of the day read as an 8 by a little: 81 is no day."""
    line = written("3-31-26")
    frames = line.looks[0]
    frames[4, ALPHABET.index("3")], frames[4, ALPHABET.index("8")] = 0.45, 0.53
    assert date_on(line).iso == "2026-03-31"


def test_an_impossible_date_is_refused_but_shown():
    label = date_on(written("13-45-26", doubt=1e-4))
    assert label.iso is None
    assert label.confidence <= 0.2


def test_an_empty_line_has_no_date():
    label = date_on(written(""))
    assert (label.text, label.iso) == ("", None)
