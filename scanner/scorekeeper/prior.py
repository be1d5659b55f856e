"""How often which slip comes and which wrong figure it leaves.

The data, ``data/slip_prior.json``, is made by ``python -m scanner.workshop.slip_prior``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from scanner.sheet.texts import NUMBERS

#: Version of the data file; a file of another is refused.
SCHEMA = 1
FILE = "slip_prior.json"
#: Kinds that happen to one side; their rates are of one side.
SIDED = ("points", "total", "count", "no_mark", "tied", "marked", "blank")
#: Of the points added to a wrong total, the share added to the other side's; the rest go to an older one of the own.
OTHERS = 1 / 3
#: Kinds that leave a wrong figure.
FIGURED = ("points", "total", "count", "hand_check", "total_check")


@dataclass(frozen=True)
class Figures:
    """The ways in which a figure goes wrong, as shares; what they leave of 1 is spread over all figures.

    Attributes:
        gaps: written less right, and its share.
        digit, swap, length: one digit changed, two neighbours turned round, a digit dropped or doubled.
        elsewhere: worked out from a wrong figure: the other side's total, or an older one, ``reach`` away on average.
    """

    gaps: Mapping[int, float]
    digit: float
    swap: float
    length: float
    elsewhere: float
    reach: float

    def older(self, gap: np.ndarray) -> np.ndarray:
        """Chance of a figure too small by each gap, since an older total was taken that nobody knows."""
        return np.where(gap > 0, (1 - OTHERS) * self.elsewhere / self.reach * np.exp(-np.abs(gap) / self.reach), 0.0)

    @property
    def anything(self) -> float:
        """The share without a pattern."""
        return max(0.0, 1.0 - sum(self.gaps.values()) - self.digit - self.swap - self.length - self.elsewhere)


@dataclass(frozen=True)
class SlipPrior:
    """Rates of slips on one row that has the cells for them, and the wrong figures they leave.

    Attributes:
        rows: rows of simulated games it was made from.
        rates: by kind; for those of :data:`SIDED`, of one side.
        figures: by kind, for those of :data:`FIGURED`.
    """

    rows: int
    rates: Mapping[str, float]
    figures: Mapping[str, Figures]

    def row_rate(self, points: bool, checks: bool) -> float:
        """Expected slips on a row, with or without points columns and check columns."""
        left_out = () if points else ("points", "swapped")
        left_out += () if checks else ("hand_check", "total_check")
        return sum(r * (2 if kind in SIDED else 1) for kind, r in self.rates.items() if kind not in left_out)

    def chance_of_figure(self, kind: str, written: int) -> np.ndarray:
        """Chance that a slip of a kind turned a figure into ``written``.

        Returns:
            Float array, shape (NUMBERS,): entry t is the probability of writing ``written`` where t was right; zero at
            ``written`` itself. What comes of the other side's total is left out; it depends on that total.
        """
        return _chance_of_figure(self, kind, written)

    def __hash__(self) -> int:
        return id(self)


@cache
def slip_prior() -> SlipPrior:
    """The distribution that comes with the program.

    Raises:
        ValueError: the data file is of another version.
    """
    return read_prior(json.loads((resources.files("scanner.scorekeeper") / "data" / FILE).read_text("utf-8")))


def read_prior(document: Mapping) -> SlipPrior:
    """A prior from its JSON document."""
    if document.get("schema") != SCHEMA:
        raise ValueError(f"The slip prior has schema {document.get('schema')!r}; this program reads {SCHEMA}.")
    figures = {kind: Figures(**{**ways, "gaps": dict(map(tuple, ways["gaps"]))})
               for kind, ways in document["figures"].items()}
    return SlipPrior(document["rows"], dict(document["rates"]), figures)


@cache
def _chance_of_figure(prior: SlipPrior, kind: str, written: int) -> np.ndarray:
    ways = prior.figures[kind]
    gap = np.arange(NUMBERS) - written
    # An older total is a smaller one, so what is added to it comes out too small.
    chance = ways.older(gap) + ways.anything / NUMBERS
    for off, share in ways.gaps.items():
        if 0 <= written - off < NUMBERS:
            chance[written - off] += share
    for text, share in _copies(str(written), ways):
        # Leading zeros are not written, and nothing is copied into itself.
        if text and text != str(written) and str(int(text)) == text and int(text) < NUMBERS:
            chance[int(text)] += share
    chance[written] = 0.0
    return chance


def _copies(digits: str, ways: Figures) -> list[tuple[str, float]]:
    """Figures that may have been copied into these digits, each with the chance that this is what comes of it."""
    places, count = range(len(digits)), len(digits)
    found = [(digits[:i] + d + digits[i + 1 :], ways.digit / (9 * count)) for i in places for d in "0123456789"]
    found += [(digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :], ways.swap / (count - 1)) for i in places[:-1]]
    # Half of these drop one of their digits, the other half write one twice or make one up.
    found += [(digits[:i] + d + digits[i:], ways.length / 2 / (count + 1))
              for i in range(count + 1) for d in "0123456789"]  # fmt: skip
    found += [(digits[:i] + digits[i + 1 :], ways.length / 2 / (10 * count)) for i in places]
    return found
