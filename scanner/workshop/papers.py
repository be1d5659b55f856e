"""Paper for pads: colour, fibre, patterns, stains, creased and torn edges. Float RGB 0 to 1, shape (H, W, 3)."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.workshop.wear import smooth_noise

Rng = np.random.Generator

#: What paper pads are made of: whites first (as common as all the rest), then office tints, newsprint and kraft.
_STOCK = ((1.0, 1.0, 0.99), (0.98, 0.97, 0.94), (0.96, 0.96, 0.98), (0.99, 0.96, 0.84), (1.0, 0.93, 0.62),
          (0.99, 0.86, 0.88), (0.84, 0.95, 0.84), (0.82, 0.91, 0.98), (0.90, 0.87, 0.80), (0.80, 0.69, 0.54),
          (0.95, 0.90, 0.78))
_SHARES = (0.24, 0.16, 0.10, 0.12, 0.10, 0.05, 0.05, 0.05, 0.06, 0.02, 0.05)


def sheet_of_paper(rng: Rng, shape: tuple[int, int], pitch: float, wear: float) -> np.ndarray:
    """Unprinted paper.

    Args:
        shape: (H, W) in pixels.
        pitch: a row's height in pixels, the measure of everything on the page.
        wear: 0 for a fresh pad to 1 for one that has lain on the bar all year.
    """
    tint = np.asarray(_STOCK[int(rng.choice(len(_STOCK), p=_SHARES))]) + rng.normal(0, 0.012, 3)
    page = np.full((*shape, 3), np.clip(tint, 0.4, 1.0), np.float32)
    tone = 1 + rng.uniform(0.002, 0.012) * smooth_noise(rng, shape, max(2.0, pitch / 30))
    tone += rng.uniform(0.0, 0.02) * smooth_noise(rng, shape, pitch * 3)
    page *= tone[..., None]
    if rng.random() < 0.15:
        _ground(page, rng, pitch)
    if rng.random() < 0.35 * wear:
        _yellow_edges(page, rng)
    for _ in range(int(rng.poisson(1.1 * wear))):
        _stain(page, rng, pitch)
    return np.clip(page, 0, 1)


def cut_out(rng: Rng, shape: tuple[int, int], pitch: float, wear: float) -> np.ndarray:
    """Where there is paper: uint8 (H, W), 255 inside; torn tops, dog-ears, punched holes, round corners."""
    height, width = shape
    mask = np.full(shape, 255, np.uint8)
    if rng.random() < 0.3:
        edge = np.abs(smooth_noise(rng, (1, width), pitch / 8)[0]) * pitch * rng.uniform(0.02, 0.14)
        mask[np.arange(height)[:, None] < edge[None, :]] = 0
    if rng.random() < 0.15 * (1 + wear):
        size = pitch * rng.uniform(0.4, 1.5)
        x, y = rng.choice([0, width]), rng.choice([0, height])
        away = np.array([[x, y], [x + (size if x == 0 else -size), y], [x, y + (size if y == 0 else -size)]])
        cv2.fillConvexPoly(mask, away.astype(np.int32), 0, cv2.LINE_AA)
    if rng.random() < 0.08:
        for spot in (0.25, 0.75) if rng.random() < 0.5 else (0.5,):
            cv2.circle(mask, (int(width * spot), int(pitch * 0.6)), int(pitch * 0.3), 0, -1, cv2.LINE_AA)
    return mask


def _ground(page: np.ndarray, rng: Rng, pitch: float) -> None:
    """A pattern printed under everything: squared paper, bars, diagonal hatching or dots."""
    height, width = page.shape[:2]
    ys, xs = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None, :]
    colour = np.array([(0.55, 0.75, 0.95), (0.85, 0.75, 0.6), (0.7, 0.9, 0.7), (0.9, 0.7, 0.75)][int(rng.integers(4))])
    step = pitch * rng.uniform(0.35, 0.9)
    kind = rng.integers(4)
    if kind == 0:
        ink = np.maximum(np.mod(xs, step) < pitch * 0.025, np.mod(ys, step) < pitch * 0.025)
    elif kind == 1:
        ink = (np.mod(ys, 2 * pitch) < pitch) & (xs >= 0)
    elif kind == 2:
        ink = np.mod(xs + ys * rng.choice([-1, 1]), step) < pitch * 0.06
    else:
        ink = np.hypot(np.mod(xs, step) - step / 2, np.mod(ys, step) - step / 2) < pitch * 0.05
    depth = rng.uniform(0.08, 0.35) * ink.astype(np.float32)
    page *= 1 - depth[..., None] * (1 - colour).astype(np.float32)


def _yellow_edges(page: np.ndarray, rng: Rng) -> None:
    height, width = page.shape[:2]
    ys, xs = np.mgrid[-1:1:64j, -1:1:64j].astype(np.float32)
    far = cv2.resize(np.maximum(np.abs(xs), np.abs(ys)) ** 6, (width, height))
    page *= 1 - far[..., None] * np.array([0.05, 0.12, 0.28], np.float32) * rng.uniform(0.3, 1)


def _stain(page: np.ndarray, rng: Rng, pitch: float) -> None:
    """A glass ring, a drop, grease or a greyish thumb, anywhere on the page."""
    height, width = page.shape[:2]
    kind, radius = rng.integers(4), pitch * rng.uniform(0.4, 3.5)
    cx, cy = rng.uniform(0, width), rng.uniform(0, height)
    x0, x1 = int(max(0, cx - 1.4 * radius)), int(min(width, cx + 1.4 * radius))
    y0, y1 = int(max(0, cy - 1.4 * radius)), int(min(height, cy + 1.4 * radius))
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    wavy = 1 + 0.06 * smooth_noise(rng, (y1 - y0, x1 - x0), radius)
    far = np.hypot(xs - cx, (ys - cy) * rng.uniform(0.8, 1.2)) / radius * wavy
    if kind == 0:
        depth = np.exp(-(((far - 0.9) / rng.uniform(0.03, 0.09)) ** 2))
        depth = depth * (0.6 + 0.4 * smooth_noise(rng, far.shape, radius / 2))
    elif kind == 1:
        depth = np.where(far < 0.7, 0.5, 0) + 0.5 * np.exp(-(((far - 0.7) / 0.04) ** 2))
    else:
        depth = np.clip(1 - far / 1.1, 0, 1) ** 0.7
    colours = ((0.22, 0.38, 0.60), (0.12, 0.45, 0.55), (0.08, 0.09, 0.14), (0.25, 0.24, 0.22))
    shade = np.asarray(colours[int(kind)], np.float32) * rng.uniform(0.25, 0.8)
    page[y0:y1, x0:x1] *= 1 - np.clip(depth, 0, 1)[..., None].astype(np.float32) * shade
