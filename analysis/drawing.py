"""What all figures share: colours, markers and lines that keep teams apart in black and white, names, error bars."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

#: Okabe and Ito's palette, safe for colour-blind eyes; its greys differ in print too.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":")
#: Fill and edge of bars: light grey prints on any printer.
FILL, EDGE, ACCENT = "#DDDDDD", "black", "#0072B2"

#: Longest team name a figure shows whole.
_LONGEST = 22


def plain(name: str) -> str:
    """A name as a figure shows it: short enough, and never taken for a formula between dollar signs."""
    name = " ".join(str(name).split())
    short = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    return short.replace("\\", "\\\\").replace("$", r"\$") if "$" in short else short


def axes_of(ax: Axes | None) -> Axes:
    """The axes given, or new ones without a window."""
    return Figure(layout="constrained").subplots() if ax is None else ax


def styles(teams: Iterable[str]) -> dict[str, dict[str, str]]:
    """Colour, marker and line by team, all different for 32 of them; a league's teams look alike in all its figures."""
    n = len(COLOURS)
    return {team: {"color": COLOURS[i % n], "marker": MARKERS[i % n], "linestyle": LINES[(i + i // n) % len(LINES)]}
            for i, team in enumerate(sorted(set(teams)))}


def arms(middle: object, low: object, high: object) -> np.ndarray:
    """Lengths of error bars below and above, shape (2, n), 0 where unknown; rounding never makes one negative."""
    middle, low, high = (np.atleast_1d(np.asarray(v, dtype=float)) for v in (middle, low, high))
    return np.nan_to_num(np.maximum(np.vstack([middle - low, high - middle]), 0))


def dots(ax: Axes, labels: Iterable[str], middle: object, low: object, high: object) -> None:
    """Dots with their intervals, one a line, the first on top."""
    labels = list(labels)
    places = np.arange(len(labels))[::-1]
    ax.errorbar(np.asarray(middle, dtype=float), places, xerr=arms(middle, low, high), fmt="o", color="black",
                capsize=3, markersize=5)
    ax.set_yticks(places, labels)
    ax.set_ylim(-0.6, len(labels) - 0.4)
    ax.grid(axis="x", color="#DDDDDD", linewidth=0.6)
    tidy(ax)


def tidy(ax: Axes) -> None:
    """Takes away the frame's upper and right side, and puts any grid behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
