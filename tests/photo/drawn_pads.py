"""Pads drawn and photographed by a few lines of numpy, with the exact place of every crossing.

A page is laid flat in millimetres, bent by a sine, seen by a homography and drawn pixel by pixel from where each photo
pixel lies on the page, so there is no resampling between the drawing and the photo.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.sheet.layout import Layout


@dataclass(frozen=True)
class Look:
    """How a drawn pad looks: half widths and gaps in millimetres, colours RGB.

    ``broken`` is the side whose outermost ruling is printed in pieces, less than half of it; ``joined`` the one along
    which the cells are joined to one, so that only the frame goes on there.
    """

    ink: tuple[int, int, int] = (60, 60, 70)
    paper: tuple[int, int, int] = (236, 232, 222)
    table: tuple[int, int, int] = (110, 80, 60)
    half_width: float = 0.25
    double: float = 0.0
    dotted: float = 0.0
    faint: float = 1.0
    frame: bool = True
    filled: bool = False
    head: bool = True
    gap: float = 6.0
    noise: float = 3.0
    broken: str = ""
    joined: str = ""


def photographed(
    layout: Layout, size: tuple[int, int], corners: list[tuple[float, float]], look: Look | None = None,
    bend: float = 0.0, seed: int = 0, onto: np.ndarray | None = None,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """A photo, uint8 RGB of ``size`` (width, height), and the nodes of every grid.

    ``corners`` are where the page's corners lie in the photo; ``bend`` is how far (mm) curl moves the middle of a row;
    ``onto`` is a photo to lay the page on instead of a bare table.
    """
    look = look or Look()
    page, lefts, top = _page_size(layout, look)
    flat = np.array([[0, 0], [page[0], 0], [page[0], page[1]], [0, page[1]]], dtype=np.float32)
    to_photo = cv2.getPerspectiveTransform(flat, np.array(corners, dtype=np.float32))
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    back = cv2.perspectiveTransform(np.stack([x, y], -1).reshape(1, -1, 2), np.linalg.inv(to_photo))
    u, v = back.reshape(size[1], size[0], 2).transpose(2, 0, 1)
    v = v - _curl(u, page[0], bend)
    inside = (u >= 0) & (u <= page[0]) & (v >= 0) & (v <= page[1])
    ink = np.zeros(u.shape, bool)
    nodes = []
    for left in lefts:
        ink |= _grid(layout, u - left, v - top, look) | _headings(layout, u - left, v - top)
        a, b = np.meshgrid(np.array(layout.x_lines) + left, np.array(layout.y_lines) + top)
        bent = np.stack([a, b + _curl(a, page[0], bend)], -1).reshape(1, -1, 2)
        nodes.append(cv2.perspectiveTransform(bent, to_photo).reshape(*a.shape, 2))
    if look.head:
        ink |= _head(u, v, page[0])
    return _render(inside, ink, look, np.random.default_rng(seed), onto), nodes


def _page_size(layout: Layout, look: Look) -> tuple[tuple[float, float], list[float], float]:
    width, height = layout.x_lines[-1], layout.y_lines[-1]
    lefts = [8.0 + k * (width + look.gap) for k in range(layout.games)]
    return (lefts[-1] + width + 8.0, height + 48.0), lefts, 36.0


def _curl(u: np.ndarray, width: float, bend: float) -> np.ndarray:
    return bend * np.sin(np.pi * np.clip(u / width, 0, 1))


def _grid(layout: Layout, u: np.ndarray, v: np.ndarray, look: Look) -> np.ndarray:
    width, height = layout.x_lines[-1], layout.y_lines[-1]
    over = 0.3 + look.double
    within = (u > -over) & (u < width + over) & (v > -over) & (v < height + over)
    ink = np.zeros(u.shape, bool)
    for lines, across, along in ((layout.x_lines, u, v), (layout.y_lines, v, u)):
        for k, line in enumerate(lines):
            if not look.frame and k in (0, len(lines) - 1):
                continue
            for off in (-look.double, look.double) if look.double else (0.0,):
                near = np.abs(across - line - off) < look.half_width
                near &= _printed(layout, u, v, look, "x" if across is u else "y", k)
                ink |= near & (along % (2 * look.dotted) < look.dotted) if look.dotted else near
    if look.filled:  # a heading row printed as a bar; its words are of the same ink, and so not seen
        ink |= (v > 0) & (v < layout.y_lines[1]) & (u > 0) & (u < width)
    return ink & within


def _printed(layout: Layout, u: np.ndarray, v: np.ndarray, look: Look, axis: str, number: int) -> np.ndarray:
    """Where a ruling is printed: not in the gaps of a broken one, nor through cells that are joined."""
    lines, others = (layout.x_lines, layout.y_lines) if axis == "x" else (layout.y_lines, layout.x_lines)
    own, crossing = (("left", "right"), ("top", "bottom"))[:: 1 if axis == "x" else -1]
    along = v if axis == "x" else u
    if look.broken in own and number == (len(lines) - 1) * own.index(look.broken):
        return along % (0.37 * others[-1]) < 0.16 * others[-1]  # pieces that agree with no column
    if look.joined in crossing and 0 < number < len(lines) - 1:
        strip = others[:2] if look.joined == crossing[0] else others[-2:]
        return (along < strip[0]) | (along > strip[1])
    return np.ones(u.shape, bool)


def _headings(layout: Layout, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Bars like a word in the middle of every heading cell."""
    ink = np.zeros(u.shape, bool)
    if layout.heading_rows:
        for a, b in zip(layout.x_lines, layout.x_lines[1:], strict=False):
            middle = (a + b) / 2
            word = (np.abs(u - middle) < 4) & (np.abs(v - layout.y_lines[1] / 2) < 1.4)
            ink |= word & (u % 2.0 < 0.7)
    return ink


def _head(u: np.ndarray, v: np.ndarray, width: float) -> np.ndarray:
    title = (np.abs(u - width / 2) < 20) & (np.abs(v - 9) < 2.2) & (u % 2.6 < 0.9)
    names = (np.abs(v - 22) < 0.15) & (u > 12) & (u < width - 12)
    written = (np.abs(v - 20) < 1.8) & (u > 18) & (u < 40) & (u % 3.1 < 0.6)
    date = (np.abs(v - 29) < 0.15) & (u > 12) & (u < width / 2)
    return title | names | written | date


def _render(
    inside: np.ndarray, ink: np.ndarray, look: Look, rng: np.random.Generator, onto: np.ndarray | None
) -> np.ndarray:
    photo = np.empty((*inside.shape, 3), np.float32)
    photo[:] = look.table if onto is None else onto
    photo[inside] = look.paper
    share = cv2.GaussianBlur((ink & inside).astype(np.float32), (3, 3), 0)[..., None] * look.faint
    photo = photo * (1 - share) + np.array(look.ink, np.float32) * share
    photo += rng.normal(0, look.noise, photo.shape).astype(np.float32)
    return np.clip(photo, 0, 255).astype(np.uint8)
