"""Printed rulings: solid, double, dotted, dashed, worn away, faint; drawn into a coverage mask along given nodes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.workshop.wear import smooth_noise

Rng = np.random.Generator
_SHIFT = 4


@dataclass(frozen=True)
class Ruling:
    """How one family of lines is printed.

    Attributes:
        kind: ``solid``, ``double``, ``dotted``, ``dashed`` or ``none``.
        width: of the line, in row heights.
        strength: 0 to 1, coverage of the ink where there is a line.
    """

    kind: str
    width: float
    strength: float


@dataclass(frozen=True)
class RulingStyle:
    """The rulings of one pad: rows, columns, the frame, the line under the heading, the line between the sides.

    ``worn`` is the share of the lines' length that did not print, in patches.
    """

    rows: Ruling
    columns: Ruling
    frame: Ruling
    heading: Ruling
    middle: Ruling
    worn: float


def random_rulings(rng: Rng, trouble: float) -> RulingStyle:
    """A pad's rulings; ``trouble`` 0 prints clean solid lines, 1 often dotted, broken, faint or frameless ones."""
    # A hair line of 0.15 mm on a 9 mm row is 0.017 rows, a heavy 0.7 mm one 0.08.
    thin = float(rng.uniform(0.014, 0.035))
    strength = float(rng.uniform(0.65, 1.0) if rng.random() > 0.3 * trouble else rng.uniform(0.28, 0.6))
    odd = rng.random() < 0.1 + 0.3 * trouble
    kind = str(rng.choice(["dotted", "dashed", "double"])) if odd else "solid"
    rows = Ruling(kind, thin, strength)
    upright = kind if rng.random() < 0.4 and kind != "double" else "solid"
    columns = Ruling(upright, thin * float(rng.uniform(0.8, 1.8)), strength)
    heavy = columns.width * float(rng.uniform(1.0, 2.8))
    frame = Ruling(str(rng.choice(["solid", "double"], p=[0.8, 0.2])), heavy, min(1.0, strength * 1.2))
    if rng.random() < 0.08 * trouble:
        frame = Ruling("none", heavy, 0.0)
    same = Ruling(columns.kind, columns.width, columns.strength)
    heading = Ruling("double", thin * 1.3, strength) if rng.random() < 0.25 else Ruling("solid", heavy, strength)
    middle = Ruling("double", thin * 1.3, strength) if rng.random() < 0.15 else same
    worn = float(rng.uniform(0.03, 0.2)) if rng.random() < 0.35 * trouble else 0.0
    return RulingStyle(rows, columns, frame, heading, middle, worn)


def rule_grid(
    mask: np.ndarray,
    nodes: np.ndarray,
    style: RulingStyle,
    pitch: float,
    heading_rows: int,
    middle: int | None,
    rng: Rng,
) -> None:
    """Draws one grid into the mask in place.

    Args:
        mask: uint8 (H, W), pixels of the page.
        nodes: float (lines + 1, columns + 1, 2), the crossings in pixels of the page.
        pitch: a row's height in pixels.
        heading_rows: 1 when the first ruled row is the heading, else 0.
        middle: index of the vertical line between the two sides, if one is to stand out.
    """
    ink = np.zeros_like(mask)
    last_row, last_column = len(nodes) - 1, nodes.shape[1] - 1
    for i, line in enumerate(nodes):
        ruling = style.frame if i in (0, last_row) else style.heading if i == heading_rows else style.rows
        _rule(ink, line, ruling, pitch)
    for j in range(last_column + 1):
        ruling = style.frame if j in (0, last_column) else style.middle if j == middle else style.columns
        _rule(ink, nodes[:, j], ruling, pitch)
    if style.worn:
        left, top = np.maximum(np.floor(nodes.min((0, 1)) - pitch).astype(int), 0)
        right, bottom = np.ceil(nodes.max((0, 1)) + pitch).astype(int)
        part = ink[top:bottom, left:right]
        field = smooth_noise(rng, part.shape, pitch / 4)
        part[field < np.quantile(field[:: 7, :: 7], style.worn)] = 0
    np.maximum(mask, ink, out=mask)


def _rule(mask: np.ndarray, line: np.ndarray, ruling: Ruling, pitch: float) -> None:
    """One ruling along a polyline of nodes."""
    if ruling.kind == "none":
        return
    wide = ruling.width * pitch
    if ruling.kind == "double":
        across = np.array([line[-1][1] - line[0][1], line[0][0] - line[-1][0]])
        away = across / max(np.hypot(*across), 1e-6) * float(np.clip(1.6 * wide, 2.0, max(2.0, 0.045 * pitch)))
        for side in (-1, 1):
            _stroke(mask, line + side * away, 0.8 * wide, ruling.strength)
    elif ruling.kind == "solid":
        _stroke(mask, line, wide, ruling.strength)
    else:
        # Dots every third width; dashes of 0.12 rows every 0.2. A pen's round end adds its width to every piece.
        on, every = (0.0, max(3 * wide, 6.0)) if ruling.kind == "dotted" else (0.12 * pitch - wide, 0.2 * pitch)
        on = max(on, 0.2)
        total = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        for start in np.arange(0, total[-1], every):
            at = np.array([start, min(start + on, total[-1])])
            piece = np.stack([np.interp(at, total, line[:, k]) for k in (0, 1)], axis=1)
            _stroke(mask, piece, max(wide, 2.0), ruling.strength)


def _stroke(mask: np.ndarray, line: np.ndarray, wide: float, strength: float) -> None:
    """A line of fractional width: the next whole width, its ink thinned to match."""
    whole = max(1, int(np.ceil(wide - 0.2)))
    value = int(np.clip(255 * strength * min(1.0, wide / whole), 1, 255))
    points = np.round(line * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(mask, [points], False, value, whole, cv2.LINE_AA, _SHIFT)
