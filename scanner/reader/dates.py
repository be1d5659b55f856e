"""Dates as people write them on a score sheet (3-7-26, 3/7/2026, 3.7.26, Mar 7, March 7th 2026), month before day."""

from __future__ import annotations

import datetime
import re
from functools import lru_cache

import numpy as np

from scanner.reader.lines import ALPHABET, Line, read_lines
from scanner.reader.names import EMPTY, blankness, spelled
from scanner.sheet.results import Label

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")
#: Two figures for a year mean one of the hundred from 1970 on: nobody's score sheets are older, and none is from 2070.
FIRST_YEAR = 1970
#: Prefixes kept in the search for the likeliest dates, and letters tried at a frame. Twice as many of either changed
#: no composed line's date.
_BEAM, _TRIED = 24, 8
#: Left over for what is no date, against the probabilities of the dates found.
_NO_DATE = 1e-3
#: A date less probable than this is not reported as one.
LEAST_DATE = 0.2

#: Prefix to the probability of having read it so far, its last frame a blank or its last letter.
Beams = dict[str, tuple[float, float]]

_NUMERIC = re.compile(r"(\d{1,2})\s?[-/. ]\s?(\d{1,2})(?:\s?[-/. ]\s?'?(\d{4}|\d{2}))?")
_NAMED = re.compile(r"(?:[a-z]{3,9}\.? )?([a-z]{3,9})\.? ?(\d{1,2})(?:st|nd|rd|th)?\.?(?: ?(\d{4}|'?\d{2}))?")


def parse_date(text: str) -> tuple[int | None, int, int] | None:
    """Year (None if not written), month and day of a date in any of the spellings, or None if it is none.

    >>> parse_date("3-7-26"), parse_date("Mar 7"), parse_date("13-7-26"), parse_date("2/30/2026")
    ((2026, 3, 7), (None, 3, 7), None, None)
    """
    text = " ".join(text.casefold().replace(",", ".").replace(". ", ".").replace(".", ". ").split())
    numeric = _NUMERIC.fullmatch(text.replace(". ", "."))
    if numeric:
        month, day, year = numeric.groups()
        return _possible(year, int(month), int(day))
    named = _NAMED.fullmatch(text)
    month = _month(named.group(1)) if named else None
    return _possible(named.group(3), month, int(named.group(2))) if named and month else None


def _month(word: str) -> int | None:
    """The month a word begins, if at least three letters of it are there."""
    word = "sep" if word == "sept" else word
    return next((i for i, m in enumerate(_MONTHS, 1) if m.startswith(word) and len(word) >= 3), None)


def _possible(year: str | None, month: int, day: int) -> tuple[int | None, int, int] | None:
    """The date if the calendar has it; 29 February passes where the year is not written."""
    full = None
    if year:
        full = int(year.lstrip("'"))
        full += 0 if full >= 100 else (FIRST_YEAR // 100 + (full < FIRST_YEAR % 100)) * 100
        if not FIRST_YEAR <= full < FIRST_YEAR + 100:
            return None
    try:
        datetime.date(full or 2000, month, day)
    except ValueError:
        return None
    return full, month, day


def read_date(strip: np.ndarray) -> Label:
    """The date on a strip. See :func:`date_on`; raises ClabberError if it is no 8-bit picture."""
    return date_on(read_lines([strip])[0])


def date_on(line: Line) -> Label:
    """The date on a line: as written, with its probability, and in ISO form if the year is written.

    The likeliest texts that are dates are searched for along the line; their spellings of one day are added up.  Where
    no possible date is likely the text is what the line says, its ``iso`` None and its confidence low.
    """
    empty = blankness(line)
    if empty > EMPTY:
        return Label("", empty)
    found: dict[tuple[int | None, int, int], list[tuple[str, float]]] = {}
    for text, probability in _likely_dates(line):
        day = parse_date(text)
        if day is not None:
            found.setdefault(day, []).append((text, probability))
    mass = {day: sum(p for _, p in texts) for day, texts in found.items()}
    best = max(mass, key=lambda day: mass[day], default=None)
    if best is None or _share(mass, best) < LEAST_DATE:
        text, probability = spelled(line, figures=0.0)
        return Label(text.title(), min(probability, LEAST_DATE))
    text = max(found[best], key=lambda t: t[1])[0]
    year, month, day = best
    iso = None if year is None else f"{year:04d}-{month:02d}-{day:02d}"
    return Label(text.title().replace("Th", "th") if text[0].isalpha() else text, _share(mass, best), iso)


def _share(mass: dict, best: tuple) -> float:
    """Probability of one day among all found, with something left for what is no date."""
    return mass[best] / (sum(mass.values()) + _NO_DATE)


def _likely_dates(line: Line) -> list[tuple[str, float]]:
    """Texts that may be dates, with their exact probabilities."""
    texts = sorted({text for frames in line.looks for text in _search(frames)})
    if not texts:
        return []
    return list(zip(texts, np.exp(line.log_probs(texts)).mean(0).tolist(), strict=True))


def _search(frames: np.ndarray) -> list[str]:
    """Prefix search (Graves 2012, section 7.5.3) over texts that can still become a date; at most ``_BEAM`` of them."""
    beams: Beams = {"": (1.0, 0.0)}
    for frame in frames:
        if frame[0] > 0.999:
            beams = {text: ((a + b) * frame[0], 0.0) for text, (a, b) in beams.items()}
            continue
        beams = _step(beams, frame, np.argsort(-frame)[:_TRIED])
    return [text for text in beams if parse_date(text) is not None]


def _step(beams: Beams, frame: np.ndarray, tried: np.ndarray) -> Beams:
    """One frame further: probability of each prefix, ended by a blank or by its last letter."""
    grown: dict[str, list[float]] = {}
    for text, (pause, letter) in beams.items():
        here = grown.setdefault(text, [0.0, 0.0])
        here[0] += (pause + letter) * frame[0]
        if text:
            here[1] += letter * frame[ALPHABET.index(text[-1])]
        for place in tried:
            char = ALPHABET[place]
            if place == 0 or not may_begin(text + char):
                continue
            there = grown.setdefault(text + char, [0.0, 0.0])
            there[1] += (pause if text.endswith(char) else pause + letter) * frame[place]
    best = sorted(grown.items(), key=lambda item: -sum(item[1]))[:_BEAM]
    total = sum(sum(p) for _, p in best) or 1.0
    return {text: (a / total, b / total) for text, (a, b) in best}


_BEGIN_NUMERIC = re.compile(r"(0?[1-9]?|1[0-2])(?:(?<=\d) ?[-/. ] ?((0?[1-9]?|[12]\d?|3[01]?)(?:(?<=\d) ?[-/. ] ?"
                            r"'?\d{0,4})?)?)?")
_BEGIN_NAMED = re.compile(r"([a-z]+)(?:\.? ?(?:(\d{1,2})(?:s?t?|n?d?|r?d?|t?h?)\.?(?: ?'?\d{0,4})?)?)?")
_WEEKDAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")


@lru_cache(maxsize=50_000)
def may_begin(text: str) -> bool:
    """Whether a date can begin with this text.

    >>> may_begin("3-"), may_begin("mar"), may_begin("19"), may_begin("mx")
    (True, True, False, False)
    """
    if _BEGIN_NUMERIC.fullmatch(text):
        return True
    named = _BEGIN_NAMED.fullmatch(text)
    if named:
        word = "sep" if named.group(1) == "sept" else named.group(1)
        if any(m.startswith(word) for m in _MONTHS):
            return len(word) >= 3 or word == text
        if any(d.startswith(word) for d in _WEEKDAYS):
            return word == text or text in (word + " ", word + ".", word + ". ")
    day, _, rest = text.partition(" ")
    day = day.rstrip(".")
    return rest[:1].isalpha() and len(day) >= 3 and any(d.startswith(day) for d in _WEEKDAYS) and may_begin(rest)
