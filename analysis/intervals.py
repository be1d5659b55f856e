"""Intervals for rates and means, 95 % unless said otherwise, on whole columns at once.

They take hands (or games) as independent draws.  Hands of one game are dealt anew each time, and in 1,000 simulated
seasons the spread of a team's rates was that of independent hands within a tenth: the intervals held the truth in 94.3
to 96.0 % (96.6 % of the rate with the fewest cases, three or four a team; ``benchmarks/season_intervals.py``).  A team
whose play changes from night to night spreads more than that, and its true interval is wider.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

LEVEL = 0.95


def wilson(successes: np.ndarray, n: np.ndarray, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's score interval of a rate (E. B. Wilson, JASA 22, 1927); nan where ``n`` is 0.

    Args:
        successes, n: counts of the same shape.

    Returns:
        Lower and upper ends, between 0 and 1.

    >>> [round(float(end), 3) for end in wilson(np.array(0), np.array(10))]
    [0.0, 0.278]
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(n, dtype=float)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = (k + z * z / 2) / (n + z * z)
        half = z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4)
    # Rounding leaves the ends of 0 of n and n of n a hair beside 0 and 1.
    low, high = np.where(k <= 0, 0.0, middle - half), np.where(k >= n, 1.0, middle + half)
    return np.where(n > 0, np.clip(low, 0, 1), np.nan), np.where(n > 0, np.clip(high, 0, 1), np.nan)


def mean_half_width(deviation: np.ndarray, n: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Half the width of Student's interval of a mean, from the sample's standard deviation; nan below two values."""
    deviation, n = np.asarray(deviation, dtype=float), np.asarray(n, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 1, student(np.maximum(n - 1, 1), level) * deviation / np.sqrt(n), np.nan)


def student(freedom: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Two-sided quantile of Student's t: exact for 1 and 2 degrees of freedom, else the expansion of Abramowitz and
    Stegun 26.7.5, right to 0.2 % from 3 degrees on at the levels in use (0.8 to 0.99).

    >>> [round(float(t), 2) for t in student(np.array([1, 2, 10, 1e6]))]
    [12.71, 4.3, 2.23, 1.96]
    """
    v, p = np.asarray(freedom, dtype=float), 0.5 + level / 2
    z = NormalDist().inv_cdf(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    expansion = z + sum(term / v**i for i, term in enumerate(terms, 1))
    one, two = np.tan(np.pi * (p - 0.5)), (2 * p - 1) * np.sqrt(2 / (4 * p * (1 - p)))
    return np.where(v == 1, one, np.where(v == 2, two, expansion))
