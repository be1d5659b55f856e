"""Things that lie about on a card table or get into the picture: pencils, coins, a coaster, cards, a thumb.

Each is drawn into the photo in place, with a soft shadow. Sizes are given in photo pixels of one row of the sheet.
"""

from __future__ import annotations

import cv2
import numpy as np

Rng = np.random.Generator
_SHIFT = 4
KINDS = ("pencil", "pen", "coin", "coaster", "card", "thumb")


def put_thing(photo: np.ndarray, kind: str, row: float, keep: np.ndarray, rng: Rng) -> bool:
    """Lays a thing where it covers nothing that must stay visible; False if no such place was found.

    Args:
        photo: uint8 RGB (H, W, 3), changed in place.
        row: height of one row of the sheet in photo pixels.
        keep: uint8 (h, w), a small picture of the photo, not 0 where nothing may lie.
    """
    height, width = photo.shape[:2]
    scale = keep.shape[1] / width
    for _ in range(25):
        parts = _thing(kind, row, (width, height), rng)
        cover = np.zeros_like(keep)
        for outline, _ in parts:
            cv2.fillConvexPoly(cover, np.round(outline * scale).astype(np.int32), 255)
        if not (cover & keep).any() and cover.any():
            _lay(photo, parts, row, rng)
            return True
    return False


def _thing(kind: str, row: float, frame: tuple[int, int], rng: Rng) -> list[tuple[np.ndarray, tuple]]:
    """Convex outlines (N, 2) in photo pixels with their RGB colours, lowest first."""
    at = rng.uniform(0, 1, 2) * frame
    angle = rng.uniform(0, 2 * np.pi)
    if kind in ("pencil", "pen"):
        return _stick(kind, at, angle, row, rng)
    if kind == "coin":
        metal = ((196, 190, 180), (176, 110, 70))[int(rng.integers(2))]
        return _discs(at, 1.1 * row, 0.95 * row, metal)
    if kind == "coaster":
        return _discs(at, 4.5 * row, 4 * row, tuple(rng.uniform(60, 230, 3)))
    if kind == "card":
        tone = ((150, 30, 35), (35, 55, 130))[int(rng.integers(2))]
        return [(_box(at, row * 7, row * 10, angle), (245, 245, 240)), (_box(at, row * 6.3, row * 9.3, angle), tone)]
    return _thumb(at, row, frame, rng)


def _thumb(at: np.ndarray, row: float, frame: tuple[int, int], rng: Rng) -> list[tuple[np.ndarray, tuple]]:
    """A thumb comes in from the frame's edge."""
    side = int(rng.integers(4))
    edge = [(at[0], 0), (frame[0], at[1]), (at[0], frame[1]), (0, at[1])][side]
    lean = (np.pi / 2, np.pi, -np.pi / 2, 0)[side] + rng.normal(0, 0.35)
    skin = np.array((224, 172, 140)) * rng.uniform(0.45, 1.05)
    tip = np.array(edge) + rng.uniform(0.5, 2.2) * row * np.array([np.cos(lean), np.sin(lean)])
    nail = tip + 0.8 * row * np.array([np.cos(lean), np.sin(lean)])
    return [(_round(tip, 3.2 * row, 1.25 * row, lean), tuple(skin)),
            (_round(nail, 1.1 * row, 0.8 * row, lean), tuple(skin * 1.12))]


def _discs(at: np.ndarray, outer: float, inner: float, colour: tuple) -> list[tuple[np.ndarray, tuple]]:
    return [(_round(at, outer, outer, 0), colour), (_round(at, inner, inner, 0), tuple(0.9 * np.array(colour)))]


def _stick(kind: str, at: np.ndarray, angle: float, row: float, rng: Rng) -> list[tuple[np.ndarray, tuple]]:
    long, thick = row * rng.uniform(10, 18), row * rng.uniform(0.7, 0.9)
    way = np.array([np.cos(angle), np.sin(angle)])
    paints = ((235, 180, 40), (200, 40, 40), (40, 90, 160))
    colour = tuple(rng.uniform(20, 240, 3)) if kind == "pen" else paints[int(rng.integers(3))]
    body = _box(at, thick, long, angle - np.pi / 2)
    light = _box(at + 0.22 * thick * np.array([-way[1], way[0]]), 0.18 * thick, long, angle - np.pi / 2)
    end = at + way * long / 2
    across = np.array([-way[1], way[0]]) * thick / 2
    tip = np.array([end + across, end + way * 1.6 * thick, end - across])
    bright = tuple(np.minimum(255, 1.25 * np.array(colour)))
    lead = np.array([end + way * 1.6 * thick - way * 0.4 * thick + across * 0.25, end + way * 1.6 * thick,
                     end + way * 1.6 * thick - way * 0.4 * thick - across * 0.25])
    wood = (222, 190, 150) if kind == "pencil" else (60, 60, 64)
    return [(body, colour), (light, bright), (tip, wood), (lead, (50, 50, 55))]


def _box(at: np.ndarray, wide: float, high: float, angle: float) -> np.ndarray:
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    return corners @ np.array([[cos, sin], [-sin, cos]]) + at


def _round(at: np.ndarray, long: float, wide: float, angle: float) -> np.ndarray:
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([long * np.cos(t), wide * np.sin(t)], axis=1) @ np.array([[cos, sin], [-sin, cos]]) + at


def _lay(photo: np.ndarray, parts: list[tuple[np.ndarray, tuple]], row: float, rng: Rng) -> None:
    """Shadow first, then the parts; only the box around them is touched."""
    points = np.concatenate([p for p, _ in parts])
    pad = 0.8 * row
    low = np.maximum(np.floor(points.min(axis=0) - pad).astype(int), 0)
    high = np.minimum(np.ceil(points.max(axis=0) + pad).astype(int), (photo.shape[1], photo.shape[0]))
    if (high - low < 2).any():
        return
    part = photo[low[1] : high[1], low[0] : high[0]]
    dark = np.zeros(part.shape[:2], np.uint8)
    fall = low - rng.normal(0, 0.2, 2) * row - 0.08 * row
    cv2.fillConvexPoly(dark, np.round(parts[0][0] - fall).astype(np.int32), 255)
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.6, 0.18 * row))
    part[:] = (part * (1 - 0.5 * (dark[..., None] / 255))).astype(np.uint8)
    for outline, colour in parts:
        shape = np.round((outline - low) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(part, shape, [float(np.clip(c, 0, 255)) for c in colour], cv2.LINE_AA, _SHIFT)
