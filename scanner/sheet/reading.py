"""What a reader says of one cell: a probability for every text, never only the best guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from scanner.sheet.texts import INDEX, VOCABULARY


@dataclass(frozen=True, eq=False)
class CellReading:
    """A posterior over the texts of one cell.

    Attributes:
        log_probs: float array, shape (V,), natural logs that sum to one in probability, in the order of ``vocabulary``.
        struck: the crossed-out text read beside, under or over the live one, or None. No part of ``log_probs``.
        vocabulary: the V texts the reader chose from; the pipeline always uses :data:`scanner.sheet.texts.VOCABULARY`.
    """

    log_probs: np.ndarray
    struck: str | None = None
    vocabulary: Sequence[str] = VOCABULARY

    @cached_property
    def text(self) -> str:
        """The most probable text; ties go to the first in the vocabulary."""
        return self.vocabulary[int(np.argmax(self.log_probs))]

    @cached_property
    def confidence(self) -> float:
        """Probability of :attr:`text`, 0 to 1."""
        return float(np.exp(np.max(self.log_probs)))

    def probability(self, text: str) -> float:
        """Probability of one text; 0.0 if the vocabulary does not hold it."""
        if self.vocabulary is VOCABULARY:
            index = INDEX.get(text)
        else:
            index = list(self.vocabulary).index(text) if text in self.vocabulary else None
        return 0.0 if index is None else float(np.exp(self.log_probs[index]))

    def doubted(self, doubt: float) -> CellReading:
        """The same reading where, with the probability ``doubt``, the ink was not seen: then anything may stand there.

        Half of that goes to the empty cell and the rest evenly to every other text.
        """
        blank = np.array([text == "" for text in self.vocabulary])
        broad = np.where(blank, 0.5, 0.5 / max(1, (~blank).sum()))
        mixed = (1 - doubt) * np.exp(self.log_probs) + doubt * broad / broad.sum()
        return replace(self, log_probs=np.log(mixed / mixed.sum()))

    def top(self, count: int = 3) -> list[tuple[str, float]]:
        """The ``count`` most probable texts with their probabilities, best first."""
        order = np.argsort(-self.log_probs, kind="stable")[:count]
        return [(self.vocabulary[i], float(np.exp(self.log_probs[i]))) for i in order]


def certain(text: str, doubt: float = 1e-9) -> CellReading:
    """A reading that is as sure as can be of ``text`` (a canonical one), as for a typed cell.

    >>> certain("92").text
    '92'
    """
    log_probs = np.full(len(VOCABULARY), np.log(doubt / (len(VOCABULARY) - 1)))
    log_probs[INDEX[text]] = np.log1p(-doubt)
    return CellReading(log_probs)
