"""Lines to write on in the head of a page: the head seen from straight above, and the thin rulings in it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.photo.sheets import FoundSheet

#: Pixels to a row of the grid in the flat picture of the head: print on a writing line is then about 20 high.
UNIT = 64
#: How far up the head reaches, in rows: names and date stand in the last four or five of them.
REACH = 5.4
#: What is shown beside the grids, in rows; heads are set no wider than the ruling but for a little.
SIDE = 0.7
#: Shortest line to write on, largest gap between its dots, and largest gap that ink on it may tear, in rows.
_SHORTEST, _DOTS, _TORN = 1.3, 0.14, 0.3
#: A line is thinner than this, darker than the paper by this many of 255 grey levels, and unbroken over this length;
#: bars of letters are shorter but for those of a banner.
_THIN, _FAINT, _UNBROKEN = 0.14, 5.0, 0.5
#: Thickest line, in rows (x-heights of small print are more), and darkest shade on paper against that over the grid.
_THICK, _SHADE = 0.09, 0.45


@dataclass(frozen=True)
class Blank:
    """A line to write on in the flat picture: from x0 to x1, at height y in its middle, falling by ``slope`` a pixel,
    and what it is for if that is known."""

    x0: float
    x1: float
    y: float
    slope: float = 0.0
    key: str | None = None

    def at(self, x: float) -> float:
        """Its height at x."""
        return self.y + self.slope * (x - (self.x0 + self.x1) / 2)


def flat_head(pixels: np.ndarray, sheet: FoundSheet) -> np.ndarray:
    """The page above the grids, seen from straight above: the frame line is ``UNIT / 4`` pixels from the lower edge."""
    first, last = sheet.grids[0], sheet.grids[-1]
    xs, ys = np.array(sheet.layout.x_lines), np.array(sheet.layout.y_lines)
    row = float(np.mean(sheet.layout.row_heights))
    # The upper half alone: a curl further down must not turn what is above.
    upper = max(2, len(ys) // 2 + 1)
    flat = np.stack(np.meshgrid(xs, ys[:upper]), -1).reshape(-1, 2) / row
    to_photo, _ = cv2.findHomography(flat, first.nodes[:upper].reshape(-1, 2))
    right = xs[-1] / row
    if last is not first:
        corner = cv2.perspectiveTransform(last.nodes[:1, -1:].astype(float), np.linalg.inv(to_photo))
        right = float(np.clip(corner[0, 0, 0], right, 8 * right))
    size = (round((right + 2 * SIDE) * UNIT), round((REACH + 0.25) * UNIT))
    to_flat = np.array([[1 / UNIT, 0, -SIDE], [0, 1 / UNIT, -REACH], [0, 0, 1]])
    return cv2.warpPerspective(pixels, to_photo @ to_flat, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                               borderMode=cv2.BORDER_REPLICATE)


def writing_lines(flat: np.ndarray) -> list[Blank]:
    """Lines to write on, from the top and left: solid ones, or dotted and dashed ones where there are none."""
    grey = cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY)
    tall = np.ones((round(_THIN * UNIT), 1), np.uint8)
    # How much darker than the paper just above and below: lines stay, stems of letters do not.
    thin = cv2.morphologyEx(cv2.GaussianBlur(grey, (5, 1), 0), cv2.MORPH_BLACKHAT, tall)
    dark = (thin >= max(_FAINT, 2.5 * float(np.median(thin)))).astype(np.uint8)
    for gap in (1, round(_DOTS * UNIT)):
        mask = cv2.dilate(dark, np.ones((3, 1), np.uint8))
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((1, gap), np.uint8))
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, round(_UNBROKEN * UNIT)), np.uint8))
        blanks = [b for b in _joined(_pieces(mask)) if _on_paper(grey, thin, b)]
        if len(blanks) > 1:
            break
    return [b for b in blanks if not any(_stands_on(b, other) for other in blanks)]


def _stands_on(upper: Blank, lower: Blank) -> bool:
    """Whether what looks like a line is writing on a longer one: a crossbar, the dashes of a date."""
    return (0 < lower.y - upper.y < 0.45 * UNIT and lower.x1 - lower.x0 > upper.x1 - upper.x0
            and upper.x0 < lower.x1 and lower.x0 < upper.x1)


def _pieces(mask: np.ndarray) -> list[Blank]:
    """Every connected piece that is a flat stroke, with the straight line through it."""
    count, marks, stats, _ = cv2.connectedComponentsWithStats(mask)
    pieces = []
    for i, (x, y, w, h, _) in enumerate(stats[1:count], 1):
        if h > 0.1 * UNIT + 0.06 * w:
            continue
        rows, columns = np.nonzero(marks[y:y + h, x:x + w] == i)
        slope = float(np.polyfit(columns, rows, 1)[0]) if w > 1.2 * UNIT else 0.0
        pieces.append(Blank(float(x), float(x + w), float(y + rows.mean()), slope))
    return pieces


def _on_paper(grey: np.ndarray, thin: np.ndarray, blank: Blank) -> bool:
    """Whether a line is one to write on: thin, on paper of one tone, not the edge of a page nor a row of print."""
    step, (height, width) = round(0.11 * UNIT), grey.shape
    columns = np.arange(max(0, round(blank.x0)), min(width, round(blank.x1)))
    rows = np.round([blank.at(x) for x in columns]).astype(int)
    if rows.min() < 0.5 * UNIT or rows.max() > height - 0.4 * UNIT:
        return False
    around = np.stack([grey[rows + d, columns] for d in range(-step - 1, step + 2)])
    tones = np.percentile(around[:3], 75), np.percentile(around[-3:], 75)
    paper = float(np.percentile(grey[height - round(0.9 * UNIT):height - round(0.3 * UNIT), columns], 75))
    profile = np.median([thin[rows + d, columns] for d in range(-step, step + 1)], axis=1)
    thick = int((profile > 0.5 * profile.max()).sum())
    return min(tones) > max(0.85 * max(tones), _SHADE * paper) and thick < _THICK * UNIT


def _joined(pieces: list[Blank]) -> list[Blank]:
    """Pieces of one line made whole, the short ones left out; rows from the top, each from the left."""
    lines: list[Blank] = []
    for piece in sorted(pieces, key=lambda p: p.x0):
        # Short pieces may be feet of a printed label, which must not tie the lines before and behind it together.
        torn = _TORN if piece.x1 - piece.x0 > 0.9 * UNIT else 0.05
        for i, line in enumerate(lines):
            gap, off = piece.x0 - line.x1, abs(line.at(line.x1) - piece.at(piece.x0))
            if -0.2 * UNIT < gap < torn * UNIT and off < 0.06 * UNIT:
                lines[i] = _one(line, piece)
                break
        else:
            lines.append(piece)
    return in_order([b for b in lines if b.x1 - b.x0 > _SHORTEST * UNIT])


def _one(a: Blank, b: Blank) -> Blank:
    """The straight line through two pieces, each counted by its length."""
    one, two = a.x1 - a.x0, b.x1 - b.x0
    x0, x1 = a.x0, max(a.x1, b.x1)
    middles = (b.x0 + b.x1 - a.x0 - a.x1) / 2
    slope = (b.y - a.y) / middles if middles > 1.2 * UNIT else (one * a.slope + two * b.slope) / (one + two)
    x = (one * (a.x0 + a.x1) + two * (b.x0 + b.x1)) / 2 / (one + two)
    y = (one * a.y + two * b.y) / (one + two)
    return Blank(x0, x1, y + slope * ((x0 + x1) / 2 - x), slope)


def in_order(blanks: list[Blank]) -> list[Blank]:
    """Rows from the top, each from the left; lines of a row differ in height by curl only."""
    rows: list[list[Blank]] = []
    for blank in sorted(blanks, key=lambda b: b.y):
        if rows and blank.y - rows[-1][0].y < 0.3 * UNIT:
            rows[-1].append(blank)
        else:
            rows.append([blank])
    return [b for row in rows for b in sorted(row, key=lambda b: b.x0)]
