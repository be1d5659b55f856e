"""From regions to grids: try layouts, keep what the rulings support, refuse what may be off by a row or a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scanner.photo.belief import CLEAR, LEAST_SCORE, WANDERING, believable, clear, leads, ruled
from scanner.photo.combs import Hypothesis, Squared, hypotheses, squared_lines, turn_order
from scanner.photo.fit import HOPELESS, Draft, Fit, draft, fit
from scanner.photo.naming import ends_known, name_grid
from scanner.photo.places import (
    IN_LINE,
    IN_LINE_CLEAR,
    WIDEST_GAP,
    gap_between,
    in_line,
    overlap,
    paper_region,
    placed_beside,
    quad_of,
    same_place,
)
from scanner.photo.reasons import cut_sides
from scanner.photo.regions import LEAST_WEALTH, Region
from scanner.photo.rulings import LineMap
from scanner.sheet.layout import Layout

#: A draft this good is drawn at once.
PROMISING = 0.75
#: A place this near to one drafted before, in rows, comes out the same: the first round looks further.
AGAIN = 0.25
#: Regions tried in one search besides those of grids found before: a picture full of patterns costs a second and
#: not a minute.
MOST_REGIONS = 8
#: Hypotheses drafted in one region, of each kind, and in one search of a photo: a picture full of patterns costs a
#: few seconds and not a minute.
MOST_DRAFTS, MOST_IN_ALL = 10, 300
#: A game beside another at less than this part of its width is surely of the same page.
SURE_GAP = 0.2


@dataclass(frozen=True, eq=False)
class Candidate:
    """A grid some layout explains, and how sure the choice among the layouts is, 0 to 1.

    ``headless``: its heading row is hidden. ``part``: it is there beside others but cannot be read, for it hangs out of
    the picture or its rows cannot be counted.
    """

    fit: Fit
    confidence: float
    headless: bool = False
    part: bool = False

    @property
    def quad(self) -> np.ndarray:
        """Corners clockwise from the grid's own top left, work pixels, float32 (4, 2)."""
        return quad_of(self.fit.warp)


@dataclass(frozen=True, eq=False)
class Search:
    """The search in one photo; it ends after ``most`` drafts."""

    lines: LineMap
    pixels: np.ndarray
    most: int = MOST_IN_ALL

    def grids(self, regions: Sequence[Region], layouts: Sequence[Layout]) -> list[Candidate] | str:
        """Clear grids as they are found; then, where nothing clear lies, the one that explains most, if it leads."""
        found: list[Candidate] = []
        unclear: list[Fit] = []
        tried: list[Hypothesis] = []
        count = 0
        for region in regions:
            if any(overlap(c.quad, region.outline) > 0.5 for c in found):
                continue
            if region.wealth < LEAST_WEALTH and not any(_like(region, c.quad) for c in found):
                continue
            count += 1
            if count > MOST_REGIONS:
                break
            squared = squared_lines(self.lines, region)
            for turns in turn_order(squared, layouts):
                fits = self._fits(squared, layouts, turns, tried)
                if fits and clear(fits[0]):
                    if any(overlap(quad_of(fits[0].warp), c.quad) >= 0.2 for c in found):
                        break
                    page = self._page(fits[0], layouts, found)
                    if page:
                        found += page
                        break
                unclear += fits
        reason, parts = "no-sheet", []
        for fitted in sorted(unclear, key=lambda f: -f.gain):
            if fitted.score < LEAST_SCORE or any(overlap(quad_of(fitted.warp), c.quad) > 0.2 for c in found):
                continue
            page = self._page(fitted, layouts, found) if believable(fitted) and leads(fitted, unclear) else []
            found += page
            if not page:
                doubt = self._doubt(fitted)
                reason = doubt if reason == "no-sheet" else reason
                parts += [Candidate(fitted, 0.0, part=True)] if doubt != "no-sheet" else []
        parts = [p for p in parts if all(overlap(p.quad, c.quad) < 0.2 for c in found)]
        return found + parts[:1] if found else reason

    def _doubt(self, fitted: Fit) -> str:
        """Why a fit that explains much ruling is no sheet to read: it hangs out of the picture, or it is unclear."""
        nodes = fitted.warp.nodes().reshape(-1, 2)
        row = float(np.linalg.norm(nodes[-1] - nodes[len(fitted.warp.xs) - 1])) / (len(fitted.warp.ys) - 1)
        if cut_sides(nodes, self.lines.dark.shape[::-1], -0.5 * row) and fitted.error < WANDERING:
            return "partial-sheet"  # where it is cut off is not sure: it may lie a row further
        return "too-poor" if ruled(fitted) else "no-sheet"

    def _page(self, fitted: Fit, layouts: Sequence[Layout], known: list) -> list[Candidate]:
        """The grids of the page a fit is on; none if a hidden end leaves open which rows they are."""
        named = name_grid(self.lines, self.pixels, fitted, layouts, (fitted.turn % 2, fitted.turn % 2 + 2))
        if not ends_known(self.lines, self.pixels, named.fit, layouts):
            return []
        one = Candidate(named.fit, named.confidence)
        return [one, *self._siblings(one, known)]

    def _fits(
        self, squared: Squared, layouts: Sequence[Layout], turns: Sequence[int], tried: list[Hypothesis]
    ) -> list[Fit]:
        """Fits in a region, best first; likelier cases first: as the photo lies, upside down, then without a frame.

        ``tried`` holds what was drafted before, here and in other regions of the photo; it grows.
        """
        fits: list[Fit] = []
        for some, framed in ((turns[:1], True), (turns[1:], True), (turns, False)):
            new = _distinct(hypotheses(squared, layouts, some, framed), tried)
            new = new[:max(0, min(MOST_DRAFTS, self.most - len(tried)))]
            tried += new
            fits += self._drawn(new, fits)
            fits.sort(key=lambda f: -f.gain)
            if fits and fits[0].score > CLEAR:
                break
        return fits

    def _drawn(self, found: Sequence[Hypothesis], known: Sequence[Fit]) -> list[Fit]:
        """Fits of the hypotheses: all are drafted, the three best drafts drawn; a clear one ends the search."""
        drafts: list[Draft] = []
        fits: list[Fit] = []
        for hypothesis in found:
            rough = draft(self.lines, hypothesis)
            if rough.score > PROMISING and not any(same_place(rough.warp, f.warp) for f in [*known, *fits]):
                fits.append(fit(self.lines, rough))
                if clear(fits[-1]):
                    return fits
            elif rough.score > HOPELESS:
                drafts.append(rough)
        for rough in sorted(drafts, key=lambda d: -d.gain)[:3]:
            if not any(same_place(rough.warp, f.warp) for f in [*known, *fits]):
                fits.append(fit(self.lines, rough))
        return fits

    def _siblings(self, one: Candidate, known: list[Candidate]) -> list[Candidate]:
        """The other games of the page, each sought where the page must have it: one gap left or right of the last."""
        most = one.fit.warp.layout.games - 1
        for faint in (False, True):  # what is too faint to be found by itself is looked for where nothing else lies
            right = self._row_of(one, known, 1, most, faint)
            if len(right) == most and all(gap < SURE_GAP for gap, _ in right):
                return [game for _, game in right]
            # What lies far to the right may be the next sheet's first game, and this one's others lie to the left.
            left = self._row_of(one, known, -1, most, faint)
            found = sorted(right + left, key=lambda game: game[0])[:most]
            if len(found) == most:
                break
        return [game for _, game in found]

    def _row_of(
        self, one: Candidate, known: list[Candidate], side: int, most: int, faint: bool
    ) -> list[tuple[float, Candidate]]:
        """Up to ``most`` games left (-1) or right (1) of one, each with its gap, or the widest before it."""
        found: list[tuple[float, Candidate]] = []
        last, widest = one, 0.0
        while len(found) < most:
            fits = self._next(last, side, faint)
            if not fits or not leads(fits[0], fits):
                break
            widest = max(widest, gap_between(last.fit.warp, fits[0].warp))
            last = Candidate(replace(fits[0], turn=one.fit.turn), one.confidence)
            if any(overlap(last.quad, c.quad) > 0.2 for c in [*known, *(game for _, game in found), one]):
                break
            found.append((widest, last))
        return found

    def _next(self, last: Candidate, side: int, faint: bool) -> list[Fit]:
        """Fits of the game beside another one of its page, best first; ``faint``: also the same grid at every gap."""
        warp = last.fit.warp
        width, height = warp.layout.x_lines[-1], warp.layout.y_lines[-1]
        start = width + 0.1 * warp.row if side > 0 else -(1 + WIDEST_GAP) * width
        box = (start, -warp.row, start + (1 + WIDEST_GAP) * width - 0.1 * warp.row, height + warp.row)
        region = paper_region(warp, box, self.lines)
        # The region's frame is the page's own, so the page's turn is none in it.
        fits = self._fits(squared_lines(self.lines, region), [warp.layout], [0], []) if region else []
        fits = [f for f in fits if _next_to(last.fit, f)]
        if not fits and region and faint:
            fits = [f for f in self._drawn(placed_beside(warp, side), []) if _next_to(last.fit, f)]
        return fits


def _like(region: Region, quad: np.ndarray) -> bool:
    """Whether a region is about as large as a grid that was found: it may hold the next sheet's."""
    return 0.5 < cv2.contourArea(region.outline) / max(1.0, cv2.contourArea(quad)) < 2.0


def _next_to(one: Fit, other: Fit) -> bool:
    return believable(other) and in_line(one.warp, other.warp, IN_LINE_CLEAR if clear(other) else IN_LINE)


def _distinct(found: list[Hypothesis], tried: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Hypotheses that lay other lines than one before: those that differ in widths only are told apart afterwards."""
    known = [(h, _corners(h), AGAIN) for h in tried]
    new: list[Hypothesis] = []
    for hypothesis in found:
        corners = _corners(hypothesis)
        row = np.linalg.norm(corners[3] - corners[0]) / len(hypothesis.layout.y_lines)
        shape = _shape(hypothesis.layout)
        same = (
            _shape(h.layout) == shape and h.turn % 2 == hypothesis.turn % 2
            and np.abs(np.sort(c, axis=0) - np.sort(corners, axis=0)).max() < near * row
            for h, c, near in known
        )
        if not any(same):
            known.append((hypothesis, corners, 0.8))
            new.append(hypothesis)
    return new


def _shape(layout: Layout) -> tuple[int, int]:
    return len(layout.y_lines), len(layout.x_lines)


def _corners(hypothesis: Hypothesis) -> np.ndarray:
    width, height = hypothesis.layout.x_lines[-1], hypothesis.layout.y_lines[-1]
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ hypothesis.place.T
    return corners[:, :2] / corners[:, 2:]
