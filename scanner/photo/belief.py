"""When a fit is believed: what it must explain, and what it must lead over, so that none is off by a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scanner.photo.fit import Fit
from scanner.photo.places import overlap, quad_of

#: A grid is believed when at least this much of its ruling is explained: a frame that is not printed costs a quarter.
LEAST_SCORE = 0.5
#: Below this a fit must lead over its neighbours twice as clearly.
SOUND = 0.62
#: ... and when it explains this much more than the same layout one row or column further.
LEAST_LEAD = 0.12
#: A fit to the same paper, a row off or of another layout, must explain this many pieces of ruling less.
RIVAL = 3.0
#: Every inner ruling that is not covered must have this support: of 260 right fits to foreign photos with glare, broken
#: and dotted rulings among them the least had 0.47, a layout with rows or columns that are not there has 0.1 to 0.3.
LEAST_RULING = 0.4
#: No line from top to foot may have more support than this without being one of the rulings: 0.36 at most in 430 right
#: fits to photographs, 1.0 where columns were taken for other ones, half of them beside the sheet.
MOST_FOREIGN = 0.8
#: Less of the first or last row or column is shown (see the fit) where it lies under a thing, or on the table beside a
#: sheet that has fewer: 0.28 at least on 430 right fits but for two with a thumb across the foot, 0.04 at most on wrong
#: ones.
LEAST_SHOWN = 0.2
#: The lines seen lie this near to the warp at the median, in rows: 0.016 at the most in 243 right fits to foreign
#: photos, 0.024 and 0.032 where a checked cloth was taken for a grid.
WANDERING = 0.02
#: A score that ends the search: no other layout or place explains as much.
CLEAR = 0.9


def believable(fitted: Fit) -> bool:
    """Whether this may be a sheet at all; if such a fit does not lead, the photo is too poor to count its rows."""
    top, bottom, left, right = fitted.shown
    shown = min(left, right, max(top, bottom)) > LEAST_SHOWN
    return shown and fitted.foreign < MOST_FOREIGN and ruled(fitted)


def ruled(fitted: Fit) -> bool:
    """Whether a fit lies on rulings, be it of a sheet that has others too."""
    return fitted.score > LEAST_SCORE and fitted.weakest > LEAST_RULING and fitted.error < WANDERING


def clear(fitted: Fit) -> bool:
    """Whether a fit needs no comparison with others: it ends the search where it lies."""
    return believable(fitted) and fitted.score > CLEAR and fitted.score - fitted.shifted > 2 * LEAST_LEAD


def leads(fitted: Fit, rivals: Sequence[Fit]) -> bool:
    """Whether a fit is better than itself moved by a row or column, and than every other fit to the same paper."""
    if fitted.score - fitted.shifted < (LEAST_LEAD if fitted.score > SOUND else 2 * LEAST_LEAD):
        return False
    quad = quad_of(fitted.warp)
    row = float(np.linalg.norm(quad[3] - quad[0])) / (len(fitted.warp.layout.y_lines) - 1)
    for rival in rivals:
        other = quad_of(rival.warp)
        elsewhere = np.abs(np.sort(other, axis=0) - np.sort(quad, axis=0)).max() > 0.5 * row
        if elsewhere and rival.gain > fitted.gain - RIVAL and overlap(quad, other) > 0.2:
            return False
    return True
