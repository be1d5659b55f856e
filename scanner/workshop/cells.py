"""One training cell: a ruled cell with its neighbours' ink, as a phone would show it, and what stands in it.

The composition is vector work in row units (see :mod:`scanner.workshop.writing`); a small homography and a curl carry
every point into the crop's pixels, so lines and ink stay sharp until the camera blurs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from scanner.workshop import wear
from scanner.workshop.hands import RasterHand, Writers
from scanner.workshop.pens import Pen, Rng, Style, draw, lay_ink, random_pen, random_style
from scanner.workshop.writing import Writing, mark, overwritten, struck_out, written_number

#: Height of the reader's input in pixels; crops of any size are brought to it.
HEIGHT = 48
#: Widths the reader takes: multiples of 16 (the network's stride is 4, and batches of a width share a run).
STEP, NARROWEST, WIDEST = 16, 48, 208


def reader_width(height: int, width: int) -> int:
    """Input width for a crop of this shape, aspect kept to within half a step."""
    return int(np.clip(round(HEIGHT * width / height / STEP) * STEP, NARROWEST, WIDEST))


@dataclass(frozen=True)
class Scene:
    """Geometry of one cell: its width in row heights, the crop's map from row units to pixels, its pixel size."""

    width: float
    matrix: np.ndarray
    curl: tuple[float, float, float]
    size: tuple[int, int]

    def pixels(self, points: np.ndarray, scale: float) -> np.ndarray:
        """(N, 2) row units to (N, 2) pixels of a picture ``scale`` times the crop's size."""
        depth, pitch, phase = self.curl
        bent = points + np.column_stack([np.zeros(len(points)), depth * np.sin(points[:, 0] * pitch + phase)])
        flat = np.column_stack([bent, np.ones(len(points))]) @ self.matrix.T
        return flat[:, :2] / flat[:, 2:] * scale


def random_scene(rng: Rng) -> Scene:
    """A cell 1.2 to 4.6 times as wide as high, photographed 18 to 150 px high, its crop off by a little or a lot."""
    width = float(np.clip(np.exp(rng.normal(np.log(2.1), 0.32)), 1.2, 4.6))
    margin = rng.uniform(0.0, 0.32) if rng.random() < 0.5 else rng.normal(0.15, 0.03)
    off = 0.05 if rng.random() < 0.85 else 0.14
    corners = np.array([[-margin, -margin], [width + margin, -margin], [width + margin, 1 + margin],
                        [-margin, 1 + margin]])
    corners = corners + rng.normal(0, off, 2) + rng.normal(0, 0.035, (4, 2))
    angle = rng.normal(0, 0.03) if rng.random() < 0.8 else rng.normal(0, 0.1)
    centre, turn = corners.mean(0), np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = (corners - centre) @ turn.T + centre
    height = int(np.exp(rng.uniform(np.log(20), np.log(150))))
    across = max(12, int(height * (width + 2 * margin) / (1 + 2 * margin)))
    square = np.array([[0, 0], [across, 0], [across, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    curl = (float(rng.normal(0, 0.02)), float(rng.uniform(0.5, 2.5)), float(rng.uniform(0, 6.3)))
    return Scene(width, matrix, curl, (height, across))


@dataclass(frozen=True)
class Practice:
    """What a stretch of training cells practises.

    Attributes:
        first_shard: the shard of the pool it begins with.
        mixture: shares of what stands in a cell: number, struck-out number with its correction, overwritten number,
            set mark, zero line, W, nothing. Struck ones stand far more often than in life, since they are hard.
        hard_digits: whether the digits that are mixed up most come more often.
        gap: room between a struck number and its correction, in digit heights.
    """

    first_shard: int
    mixture: tuple[float, ...]
    hard_digits: bool
    gap: tuple[float, float]


PRACTICE = (
    Practice(0, (0.64, 0.14, 0.04, 0.055, 0.04, 0.025, 0.06), False, (0.05, 0.4)),
    Practice(48, (0.49, 0.31, 0.05, 0.045, 0.03, 0.02, 0.055), True, (0.05, 0.4)),
    Practice(87, (0.43, 0.34, 0.09, 0.04, 0.03, 0.02, 0.05), True, (-0.12, 0.35)),
)


def practice_of(shard: int) -> Practice:
    """What a shard of the pool practises."""
    return [p for p in PRACTICE if p.first_shard <= shard][-1]


def compose(writers: Writers, rng: Rng, practice: Practice = PRACTICE[0]) -> tuple[np.ndarray, str]:
    """One cell as a uint8 RGB crop of its photographed size, with its label in the training alphabet."""
    scene = random_scene(rng)
    hand, pen, style = _somebody(writers, rng), random_pen(rng), random_style(rng)
    size = float(np.clip(rng.normal(0.66, 0.14), 0.34, 1.1))
    own, label = _own_text(writers, hand, scene.width, style, size, rng, practice)
    around = _neighbours(writers, hand, scene.width, style, size, rng)
    page = wear.paper(rng, scene.size)
    noise = partial(wear.smooth_noise, rng)
    rules = partial(_rule, scene=scene, pen=pen, rng=rng)
    under = rng.random() < 0.97
    page = rules(page) if under else page
    unit = scene.size[0] / 1.3
    for ink in (around, own):
        coverage = _coverage(ink, scene, pen, pen.width * unit, rng)
        page = lay_ink(page, coverage, pen, rng, noise)
    page = page if under else rules(page)
    return wear.camera(wear.light(page, rng), rng), label


def _somebody(writers: Writers, rng: Rng):
    if writers.rasters and rng.random() < 0.15:
        return writers.rasters[rng.integers(len(writers.rasters))]
    return writers.strokes[rng.integers(len(writers.strokes))]


def _own_text(writers: Writers, hand, width: float, style: Style, size: float, rng: Rng,
              practice: Practice) -> tuple[Writing, str]:
    kind = rng.choice(7, p=practice.mixture)
    if kind == 0:
        return written_number(hand, width, style, size, rng, practice.hard_digits)
    if kind == 1:
        return struck_out(hand, width, style, size, rng, practice.gap)
    if kind == 2:
        return overwritten(hand, width, style, size, rng)
    if kind == 6:
        return _nothing(rng), ""
    pen_hand = hand if not isinstance(hand, RasterHand) else writers.strokes[rng.integers(len(writers.strokes))]
    return mark(pen_hand, "X-W"[int(kind) - 3], width, style, size, rng)


def _nothing(rng: Rng) -> Writing:
    """An empty cell, now and then with a speck or a tick that means nothing."""
    if rng.random() < 0.8:
        return Writing()
    spot = rng.uniform(0.1, 0.9, 2) * (1.5, 1)
    return Writing([spot + rng.normal(0, 0.02, (3, 2))])


def _neighbours(writers: Writers, hand, width: float, style: Style, size: float, rng: Rng) -> Writing:
    """Ink of the eight cells around, at home in their own cells but as unruly as this one's."""
    ink = Writing()
    for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)):
        if rng.random() > (0.75 if not (dx and dy) else 0.35):
            continue
        wide = float(width * rng.uniform(0.7, 1.4)) if dx else width
        if dy == 1 and not dx and rng.random() < 0.08 and not isinstance(hand, RasterHand):
            text, _ = mark(hand, "W", wide, style, size, rng)
            top = text.box()[1]
            text = text.moved(1, 1, 0, max(0.0, -0.12 - top))
        else:
            text, _ = written_number(hand, wide, style, size, rng)
        ink.add(text.moved(1, 1, width if dx > 0 else -wide if dx < 0 else 0.0, float(dy)))
    return ink


def _coverage(ink: Writing, scene: Scene, pen: Pen, width: float, rng: Rng) -> np.ndarray:
    """Ink coverage of the crop, float32, 0 to 1, drawn at a multiple of its size and shrunk by area."""
    height, across = scene.size
    scale = int(np.clip(np.ceil(120 / height), 2, 5))
    mask = np.zeros((height * scale, across * scale), np.uint8)
    seen = [s for s in ink.strokes if _in_sight(s, scene.width)]
    if seen:
        points = scene.pixels(np.concatenate(seen), scale)
        cuts = np.cumsum([len(s) for s in seen[:-1]])
        draw(mask, np.split(points, cuts), width * scale, pen, rng)
    for stamp in ink.stamps:
        _press(mask, stamp, scene, scale)
    return cv2.resize(mask, (across, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _in_sight(stroke: np.ndarray, width: float) -> bool:
    """Whether a stroke can reach the crop: no crop shows more than 0.7 row heights beyond its cell."""
    (left, top), (right, bottom) = stroke.min(0), stroke.max(0)
    return bool(right > -0.7 and left < width + 0.7 and bottom > -0.7 and top < 1.7)


def _press(mask: np.ndarray, stamp: tuple[np.ndarray, float, float, float], scene: Scene, scale: int) -> None:
    """Presses one scanned digit into the mask where its box lies."""
    image, x, y, h = stamp
    w = h * image.shape[1] / image.shape[0]
    target = scene.pixels(np.array([[x, y], [x + w, y], [x, y + h]]), scale).astype(np.float32)
    source = np.array([[0, 0], [image.shape[1], 0], [0, image.shape[0]]], np.float32)
    warped = cv2.warpAffine(image, cv2.getAffineTransform(source, target), mask.shape[::-1])
    np.maximum(mask, np.clip(warped * 255, 0, 255).astype(np.uint8), out=mask)


def _rule(page: np.ndarray, scene: Scene, pen: Pen, rng: Rng) -> np.ndarray:
    """The printed rulings: the cell's four sides and their continuation, of any kind a printer offers."""
    if rng.random() < 0.04:
        return page
    colour = np.array(pen.colour if rng.random() < 0.15 else rng.uniform(0, 1, 3) * rng.choice([0.15, 0.5, 0.85]))
    ruler = Pen("ruling", 0, tuple(colour), float(rng.uniform(0.25, 1.0)))
    thin, kind = float(rng.uniform(0.012, 0.05)), rng.choice(["single", "double", "dotted", "mixed"],
                                                             p=[0.66, 0.1, 0.1, 0.14])
    far = 1.2
    lines = [((-far, y), (scene.width + far, y)) for y in (0.0, 1.0)]
    lines += [((x, -far), (x, 1 + far)) for x in (0.0, scene.width)]
    if rng.random() < 0.08:
        lines.pop(rng.integers(len(lines)))
    strokes: list[np.ndarray] = []
    widths: list[float] = []
    for a, b in lines:
        style = kind if kind != "mixed" else rng.choice(["single", "double", "thick"])
        for stroke in _ruling(np.array(a), np.array(b), style, thin):
            strokes.append(stroke)
            widths.append(thin * (2.2 if style == "thick" else 1.0))
    coverage = np.zeros(scene.size, np.float32)
    for width in sorted(set(widths)):
        some = Writing([s for s, w in zip(strokes, widths, strict=True) if w == width])
        coverage = np.maximum(coverage, _coverage(some, scene, ruler, width * scene.size[0] / 1.3, rng))
    return lay_ink(page, coverage, ruler, rng, partial(wear.smooth_noise, rng))


def _ruling(a: np.ndarray, b: np.ndarray, style: str, thin: float) -> list[np.ndarray]:
    """One ruling as strokes of enough points to follow a curl."""
    t = np.linspace(0, 1, 30)[:, None]
    along = a + (b - a) * t
    if style == "double":
        across = np.array([-(b - a)[1], (b - a)[0]]) / np.linalg.norm(b - a) * thin * 1.6
        return [along + across, along - across]
    if style == "dotted":
        count = int(np.linalg.norm(b - a) / 0.11)
        starts = a + (b - a) * (np.arange(count) / count)[:, None]
        return [np.array([s, s + (b - a) / np.linalg.norm(b - a) * 0.05]) for s in starts]
    return [along]


def to_input(crop: np.ndarray) -> np.ndarray:
    """A crop of any size (H, W, 3) as the reader takes it: uint8, shape (48, w, 3), w a multiple of 16."""
    height, width = crop.shape[:2]
    across = reader_width(height, width)
    method = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
    return cv2.resize(crop, (across, HEIGHT), interpolation=method)
