"""From what the reader says of a cell to the likelihood of every text: with a floor for "something else is written"."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import TypeVar

import numpy as np

from scanner.sheet.reading import CellReading
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, SET, VOCABULARY, WON, ZERO

#: Chance that the right text is not among those the reader weighs (a blot, a neighbour's stroke, a digit dropped)
#: although it is sure: this much where it has no doubt, more by a share of its doubt, never more than the ceiling.
#: Measured by ``python -m scanner.workshop.reader_trust``: the ends of what 2,648 cells allow that believe it least.
READER_MISS, MISS_OF_DOUBT, MOST_MISSED = 0.001, 0.05, 0.05
#: The power to which the reader's odds are taken before they are believed. The same cells allow 0.9, another author's
#: sheets, on which it is a little too modest, would take 1.1 (docs/scorekeeper.md); as said.
READER_TRUST = 1.0
#: Where the W lies over a cell, the reader sees the W and the sums must say the number.
UNDER_W = 0.02 / len(VOCABULARY)
#: How often the reader met what while it learned: its posterior holds these shares as its prior, and the sums of a game
#: bring their own. Numbers by their digits, from one to four (``scanner/workshop/cells.py`` and ``writing.py``).
TAUGHT_NUMBERS = (0.083, 0.216, 0.448, 0.083)
TAUGHT_MARKS = {SET: 0.05, ZERO: 0.035, WON: 0.02, EMPTY: 0.08}

#: Of written cells the light has blown out (:mod:`scanner.photo.blown`) this share reads as empty where the rest of the
#: row is seen: 19 of 36 in rows with one or two such cells (seed 77 of the workshop's worst sheets).
LOST = 0.5
#: A cell that reads as empty no surer than this is a blown out one in which nothing is seen: it may hold anything.
_MAY_BE_EMPTY = 0.2

# What is written when the reader sees ``t``: one digit taken for another, a digit lost or made up, or anything at all.
_DIGIT, _LOST, _MADE_UP, _MARK, _ANY = 0.5, 0.15, 0.1, 0.05, 0.2
#: Digits whose handwritten forms meet: each pair is this much likelier than a pair of unlike ones.
_ALIKE, _ALIKE_WEIGHT = ("17", "49", "38", "35", "56", "06", "08", "27", "79", "14", "89", "68"), 4.0

Likelihoods = dict[str, np.ndarray]
Place = TypeVar("Place", bound=Hashable)


def row_likelihoods(readings: Mapping[str, CellReading]) -> Likelihoods:
    """For each cell key a float array, shape (V,): how well each text explains what the reader saw."""
    return {key: likelihood(reading) for key, reading in readings.items()}


def typed_likelihoods(texts: Mapping[str, str], keys: tuple[str, ...]) -> Likelihoods:
    """For typed cells: 1 for the text itself, 0 for others; a cell that could not be read says nothing."""
    found = {}
    for key in keys:
        found[key] = np.ones(len(VOCABULARY))
        if key in texts:
            found[key][:] = 0.0
            found[key][INDEX[texts[key]]] = 1.0
    return found


def settled(reading: CellReading) -> bool:
    """Whether a person gave this cell's text: nothing but that text stands out (no reader's posterior is so even)."""
    if reading.confidence < 0.999:
        return False
    return np.count_nonzero(reading.log_probs == reading.log_probs.min()) == reading.log_probs.size - 1


@lru_cache(maxsize=128)  # the cells of one game: rows, ending and summary all ask for them
def likelihood(reading: CellReading) -> np.ndarray:
    """How well each text explains what the reader saw, shape (V,), in units of a sure number of three digits.

    The reader's posterior divided by the prior it was taught with: an empty cell is a hundred times commoner there than
    any one number, so that "nothing" at 90 % is weak evidence against a number the sums ask for.
    """
    if settled(reading):
        return np.exp(reading.log_probs)
    miss = min(READER_MISS + MISS_OF_DOUBT * (1 - reading.confidence), MOST_MISSED)
    seen = np.exp(READER_TRUST * (reading.log_probs - np.max(reading.log_probs)))
    seen /= seen.sum()
    chances = (1 - miss) * seen + miss * floor(INDEX[reading.text]) + UNDER_W * reading.probability(WON)
    nothing_known = chances.min()  # what every text has alike says nothing, for a number or for an empty cell
    return (chances - nothing_known) / _taught() + nothing_known


def in_glare(readings: Mapping[Place, CellReading], blown: Collection[Place]) -> dict[Place, CellReading]:
    """The readings of any cells, those of the ones at ``blown`` saying that anything may stand there."""
    return {place: ink_may_be_gone(reading) if place in blown else reading for place, reading in readings.items()}


def ink_may_be_gone(reading: CellReading) -> CellReading:
    """The reading of a cell the light has blown out: whatever is written there, it mostly looks empty.

    So "empty" hardly says any more what is written; that is a posterior again, with the prior that was taught.
    """
    evidence = np.exp(reading.log_probs) / _taught()
    nothing = evidence[INDEX[EMPTY]]
    evidence = (1 - LOST) * evidence + LOST * nothing
    evidence[INDEX[EMPTY]] = nothing
    chances = evidence * _taught()
    return replace(reading, log_probs=np.log(chances / chances.sum()))


def blown_out(reading: CellReading) -> bool:
    """Whether nothing is seen in a cell that the light has blown out."""
    return reading.text == EMPTY and reading.confidence < _MAY_BE_EMPTY


@cache
def _taught() -> np.ndarray:
    """How often each text was met in learning, beside a number of three digits, shape (V,)."""
    counts = (10, 90, 900, NUMBERS - 1000)
    share = np.repeat([whole / n for whole, n in zip(TAUGHT_NUMBERS, counts, strict=True)], counts)
    marks = [TAUGHT_MARKS[text] for text in VOCABULARY[NUMBERS:]]
    # Numbers of four digits were seldom practised; that makes none of them surer than the sums should believe.
    return np.maximum(np.concatenate([share, marks]) / share[100], 1.0)


@cache
def floor(top: int) -> np.ndarray:
    """Chance of each text being written where the reader saw text number ``top`` and its opinion is worth nothing."""
    return _ANY / len(VOCABULARY) + (1 - _ANY) * _misread(top)


def _misread(top: int) -> np.ndarray:
    """Chance of each text being written where the reader saw text number ``top``, shape (V,), sums to at most one."""
    chance = np.zeros(len(VOCABULARY))
    # A thin line is overlooked, a washed-out cell looks empty; a set mark is the biggest thing people write.
    chance[[INDEX[t] for t in (SET, ZERO, EMPTY)]] += _MARK * np.array([0.1, 0.4, 0.5])
    if top >= NUMBERS:
        chance[: NUMBERS // 2] += (1 - _MARK) / (NUMBERS // 2)
        return chance
    digits = str(top)
    for place, digit in enumerate(digits):
        weights = {other: _ALIKE_WEIGHT if _alike(digit, other) else 1.0 for other in "0123456789" if other != digit}
        for other, weight in weights.items():
            share = _DIGIT * weight / sum(weights.values()) / len(digits)
            _add(chance, digits[:place] + other + digits[place + 1 :], share)
    for place in range(len(digits) + 1):
        for lost in "0123456789":
            # A leading digit is lost more often than one inside: it stands alone by the ruling.
            share = _LOST / 10 * (0.6 if place == 0 else 0.4 / len(digits))
            _add(chance, digits[:place] + lost + digits[place:], share)
    for place in range(len(digits)):
        _add(chance, digits[:place] + digits[place + 1 :], _MADE_UP / len(digits))
    return chance


def _alike(digit: str, other: str) -> bool:
    return digit + other in _ALIKE or other + digit in _ALIKE


def _add(chance: np.ndarray, text: str, share: float) -> None:
    if text and str(int(text)) == text and int(text) < NUMBERS:
        chance[int(text)] += share
