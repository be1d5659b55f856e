"""The geometry of one training cell: row units to the crop's pixels, and ink drawn through it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from scanner.workshop.pens import Pen, Rng, draw
from scanner.workshop.writing import Writing


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


def random_scene(rng: Rng, trouble: float = 1.0) -> Scene:
    """A cell 1.2 to 4.6 times as wide as high, photographed 20 to 150 px high, its crop off by a little or a lot.

    ``trouble`` scales by how much it is off, and makes the smallest cells larger.
    """
    width = float(np.clip(np.exp(rng.normal(np.log(2.1), 0.32)), 1.2, 4.6))
    margin = rng.uniform(0.0, 0.32) if rng.random() < 0.5 else rng.normal(0.15, 0.03)
    off = 0.05 if rng.random() < 0.85 else 0.14
    corners = np.array([[-margin, -margin], [width + margin, -margin], [width + margin, 1 + margin],
                        [-margin, 1 + margin]])
    corners = corners + rng.normal(0, off * trouble, 2) + rng.normal(0, 0.035 * trouble, (4, 2))
    angle = rng.normal(0, 0.03) if rng.random() < 0.8 else rng.normal(0, 0.1)
    centre, turn = corners.mean(0), np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = (corners - centre) @ turn.T + centre
    height = int(np.exp(rng.uniform(np.log(20 / trouble ** 0.5), np.log(150))))
    across = max(12, int(height * (width + 2 * margin) / (1 + 2 * margin)))
    square = np.array([[0, 0], [across, 0], [across, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    curl = (float(rng.normal(0, 0.02)), float(rng.uniform(0.5, 2.5)), float(rng.uniform(0, 6.3)))
    return Scene(width, matrix, curl, (height, across))


def coverage(ink: Writing, scene: Scene, pen: Pen, width: float, rng: Rng) -> np.ndarray:
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
