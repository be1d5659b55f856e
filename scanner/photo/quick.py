"""What numpy does for arrays of any kind, for the small ones of one: a fit asks ten thousand times, and the checks
of the general functions cost more than the work."""

from __future__ import annotations

import numpy as np


def bounded(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Values held between two bounds, as :func:`numpy.clip` does for bounds of the values' own kind."""
    return np.minimum(np.maximum(values, low), high)


def quantile(values: np.ndarray, part: float) -> float:
    """The value below which ``part`` (0 to 1) of all lie, straight between neighbours, as :func:`numpy.quantile`."""
    place = part * (values.size - 1)
    low = int(place)
    high = min(low + 1, values.size - 1)
    ordered = np.partition(values, (low, high), axis=None)
    return float(ordered[low] + (place - low) * (ordered[high] - ordered[low]))
