"""Sheets on pads of the project's own: corner marks and a code say which layout it is, which way up and where.

What the marks give is as sure as a printed number, so nothing is chosen here: a grid is laid by the marks, drawn onto
its rulings like any other, and if the two differ by a part of a row the marks are not believed and the sheet is looked
for as one on any pad. Marks: AprilTag 36h11 (Wang and Olson 2016) as OpenCV reads them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.fit import Draft, Fit, fit
from scanner.photo.rulings import LineMap, shrink
from scanner.photo.squares import read_square
from scanner.photo.warp import Warp
from scanner.sheet import plan
from scanner.sheet.layout import Layout
from scanner.sheet.plan import Fixture

#: Long side of the picture marks are looked for in: a mark on a page that fills a third of it has 3 pixels a module.
MARK_SIDE = 1800
#: Outline of the smallest mark that can be read, as a part of that side: eight modules of two and a half pixels, four
#: times. Smaller squares are cloth and print, of which a photo may have a thousand.
LEAST_OUTLINE = 0.044
#: Pixels over which light and dark are told apart: the smallest mark's side. Finer windows find no more marks (77 of 80
#: on 20 of the workshop's worst photos either way) and on a checked cloth take a second.
WINDOW = 23
#: A mark's dark is this much darker than what lies around it, of 255 levels: by less the weave of a cloth is, of which
#: a photo may have ten thousand pieces (93 ms on one, now 4). With 7, OpenCV's own, as many marks are found: 73 of
#: 80 on the workshop's worst photos, 40 of 40 on ten photos at a fifth of their light; with 15 four of those are lost.
CONTRAST = 12
#: All corners of the marks must lie this near (row heights) to one flat sheet; curl and perspective are less.
ASTRAY = 0.6
#: A grid's corners next to the marks seen must lie this near (row heights) to where those put them, once it is drawn:
#: less than half a row, so that no grid is drawn a row or column off. Elsewhere the paper may curl as it likes.
OFF = 0.35
#: A drawn grid is believed when at least this much of its ruling is explained, as one on any pad.
LEAST_SCORE = 0.5
#: ... and when no row is this much higher than the one beside it, the layout's own heights taken off. Curl and
#: perspective change slowly (1.07 at most on 60 of the workshop's worst photos); a grid that slips by a row on curled
#: paper, held by the marks at its corners, stretches one row by half.
EVEN = 1.2
#: Marks of one code in their places that nothing but a pad of ours has.
SURELY = 3
#: A code is read in pictures with so many pixels to a row height, in turn: one small enough to see past grain, one
#: with six pixels to a module of the finest code.
CODE_PIXELS = (60, 120)


@dataclass(frozen=True, eq=False)
class MarkedPage:
    """One page found by its marks.

    Attributes:
        fits: its grids from the left.
        fixture: what its code says of teams and date, None if the code cannot be read.
    """

    layout: Layout
    fits: tuple[Fit, ...]
    fixture: Fixture | None


@dataclass(frozen=True, eq=False)
class Marked:
    """What the marks in a photo say.

    Attributes:
        pages: those found.
        layouts: of pads whose marks are seen, but on which no grid could be drawn from them alone.
        stranger: whether a pad was seen whose layout is not among the known ones.
    """

    pages: tuple[MarkedPage, ...]
    layouts: tuple[Layout, ...] = ()
    stranger: bool = False


def find_marked(lines: LineMap, pixels: np.ndarray, layouts: Sequence[Layout]) -> Marked:
    """The pages in a photo that are found by their marks, for those of the layouts that have any in the picture."""
    pages, undrawn, stranger = [], [], False
    for places in _groups(_marks(pixels)):
        (code,) = {number // 4 for number in places}
        known = plan.with_code(layouts, code)
        stranger |= not known and len(places) >= SURELY
        marks = {number % 4: corners for number, corners in places.items()}
        found = (_page(lines, pixels, layout, marks) for layout in known)
        page = next((page for page in found if page is not None), None)
        if page is not None:
            pages.append(page)
        elif len(places) >= SURELY:
            undrawn += known
    return Marked(tuple(pages), tuple(dict.fromkeys(undrawn)), stranger)


def _marks(pixels: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """(number, corners clockwise from the mark's own top left in photo pixels) of every mark seen."""
    scale = max(1.0, max(pixels.shape[:2]) / MARK_SIDE)
    grey = shrink(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), scale)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.minMarkerPerimeterRate = LEAST_OUTLINE
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = WINDOW
    settings.adaptiveThreshConstant = CONTRAST
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    if numbers is None:
        return []
    # OpenCV gives corners with pixel centres whole, as everywhere here.
    places = [(np.asarray(c, float).reshape(4, 2) + 0.5) * scale - 0.5 for c in corners]
    return [(int(n), place) for n, place in zip(np.ravel(numbers), places, strict=True) if n < 4 * plan.LAYOUT_CODES]


def _groups(marks: Sequence[tuple[int, np.ndarray]]) -> list[dict[int, np.ndarray]]:
    """Marks of one code gathered into pages, at least two each; pads beside each other have the same numbers.

    Each top left mark begins a page; every other joins the page whose mark points at it best. A mark has an upright of
    its own, so a page's marks lie where its first one's axes say, and those of the next pad do not.
    """
    pages = []
    by_code = defaultdict(list)
    for number, place in marks:
        by_code[number // 4].append((number, place))
    for some in by_code.values():
        rest = list(some)
        while len(rest) > 1:
            number, place = rest.pop(0)
            page = {number: place}
            for corner in {n for n, _ in rest} - {number}:
                near = [(i, _beyond(number % 4, place, corner % 4, p)) for i, (n, p) in enumerate(rest) if n == corner]
                near = [(i, far) for i, far in near if far is not None]
                if near:
                    page[corner] = rest.pop(min(near, key=lambda item: item[1])[0])[1]
            if len(page) > 1:
                pages.append(page)
    return pages


def _beyond(one: int, place: np.ndarray, other: int, there: np.ndarray) -> float | None:
    """How far a mark lies from another in that one's sides, None if it lies on the wrong side of it."""
    across, down = place[1] - place[0], place[3] - place[0]
    step = np.linalg.solve(np.stack([across, down], 1), there.mean(axis=0) - place.mean(axis=0))
    columns, rows = (0, 1, 1, 0), (0, 0, 1, 1)
    wanted = np.array([columns[other] - columns[one], rows[other] - rows[one]])
    right = all(s * w > 1 if w else abs(s) < 0.35 * np.abs(step).max() + 1 for s, w in zip(step, wanted, strict=True))
    return float(np.hypot(*step)) if right else None


def _page(lines: LineMap, pixels: np.ndarray, layout: Layout, marks: dict[int, np.ndarray]) -> MarkedPage | None:
    place = _place(layout, marks)
    if place is None:
        return None
    work = np.diag([1 / lines.scale, 1 / lines.scale, 1.0]) @ place
    work[:2] += (0.5 / lines.scale - 0.5) * work[2]  # photo = (work + 0.5) * scale - 0.5
    turn = _turn(layout, work)
    starts = [Warp(layout, work @ np.array([[1, 0, x], [0, 1, 0], [0, 0, 1]])) for x in plan.grid_origins(layout)]
    fits = [_drawn(lines, start, turn, seen) for start, seen in zip(starts, _corners_seen(layout, marks), strict=True)]
    return None if None in fits else MarkedPage(layout, tuple(fits), _fixture(pixels, layout, place))


def _corners_seen(layout: Layout, marks: dict[int, np.ndarray]) -> list[list[tuple[int, int]]]:
    """For each grid (row, column) of the crossings that have a seen mark beside them."""
    own: list[list[tuple[int, int]]] = [[] for _ in range(layout.games)]
    for corner in marks:
        right, low = corner in (1, 2), corner in (2, 3)
        own[-1 if right else 0].append((-1 if low else 0, -1 if right else 0))
    return own


def _drawn(lines: LineMap, start: Warp, turn: int, seen: list[tuple[int, int]]) -> Fit | None:
    """A grid laid by the marks and drawn onto its rulings, if there are any and the two agree beside the marks."""
    fitted = fit(lines, Draft(start, turn, 1.0, 0.0))
    before, after = start.nodes(), fitted.warp.nodes()
    off = max((np.linalg.norm(after[at] - before[at]) for at in seen), default=0.0) / _row_pixels(start)
    return fitted if fitted.score >= LEAST_SCORE and off < OFF and _unevenness(after, start.layout) < EVEN else None


def _unevenness(nodes: np.ndarray, layout: Layout) -> float:
    """The largest ratio of the heights of two rows beside each other, by the layout's own heights."""
    heights = np.linalg.norm(np.diff(nodes, axis=0), axis=-1).mean(axis=1) / np.diff(layout.y_lines)
    ratios = heights[1:] / heights[:-1]
    return float(max(ratios.max(initial=1.0), 1 / ratios.min(initial=1.0)))


def _place(layout: Layout, marks: dict[int, np.ndarray]) -> np.ndarray | None:
    """Homography from layout millimetres to photo pixels through all corners of the marks; None if they disagree."""
    boxes = plan.mark_boxes(layout)
    flat = np.concatenate([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
                           for x0, y0, x1, y1 in (boxes[corner] for corner in sorted(marks))])
    seen = np.concatenate([marks[corner] for corner in sorted(marks)])
    place, _ = cv2.findHomography(flat, seen)
    if place is None:
        return None
    there = cv2.perspectiveTransform(flat[None], place)[0]
    side = np.linalg.norm(np.diff(seen.reshape(-1, 4, 2), axis=1), axis=-1).mean()
    return place if np.linalg.norm(there - seen, axis=1).max() < ASTRAY / plan.MARK * side else None


def _row_pixels(warp: Warp) -> float:
    nodes = warp.nodes()
    return float(np.linalg.norm(np.diff(nodes, axis=0), axis=-1).mean())


def _turn(layout: Layout, place: np.ndarray) -> int:
    """Quarter turns clockwise of the page in the photo."""
    ends = cv2.perspectiveTransform(np.array([[[0.0, 0.0], [plan.block(layout)[0], 0.0]]]), place)[0]
    x, y = ends[1] - ends[0]
    return round(np.degrees(np.arctan2(y, x)) / 90) % 4


def _fixture(pixels: np.ndarray, layout: Layout, place: np.ndarray) -> Fixture | None:
    """What the square code says; it is flattened first, as its place is known."""
    left, top, right, bottom = plan.code_box(layout)
    row = plan.row_height(layout)
    for zoom in (size / row for size in CODE_PIXELS):
        room = 2 * plan.QUIET * row
        to_flat = np.array([[zoom, 0, (room - left) * zoom], [0, zoom, (room - top) * zoom], [0, 0, 1]])
        side = round((right - left + 2 * room) * zoom)
        flat = cv2.warpPerspective(pixels, to_flat @ np.linalg.inv(place), (side, side), flags=cv2.INTER_CUBIC,
                                   borderMode=cv2.BORDER_REPLICATE)
        read = read_square(cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY))
        if read is not None:
            return read
    return None
