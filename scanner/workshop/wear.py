"""What paper, light and a phone do to a small piece of a sheet: float RGB, shape (H, W, 3), 0 to 1, in and out."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.workshop.pens import Rng


def smooth_noise(rng: Rng, shape: tuple[int, int], scale: float) -> np.ndarray:
    """A smooth random field of shape (H, W), mean 0, deviation about 1, with features ``scale`` pixels wide."""
    small = (max(2, int(shape[0] / scale) + 2), max(2, int(shape[1] / scale) + 2))
    field = rng.standard_normal(small, dtype=np.float32)
    return cv2.resize(field, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def paper(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """Blank paper: white to tinted, with fibre, and now and then a print pattern or a stain."""
    tint = np.array([1.0, 1.0, 1.0]) - np.abs(rng.normal(0, [0.03, 0.03, 0.05]))
    if rng.random() < 0.25:
        tint = np.clip(tint - rng.uniform(0, 0.18, 3), 0.6, 1)
    page = np.ones((*shape, 3), np.float32) * tint.astype(np.float32) * float(rng.uniform(0.8, 1.0))
    page *= (1 + rng.uniform(0.0, 0.02) * smooth_noise(rng, shape, max(1.0, shape[0] / 50)))[..., None]
    if rng.random() < 0.06:
        _pattern(page, rng)
    if rng.random() < 0.08:
        _stain(page, rng)
    return page


def _pattern(page: np.ndarray, rng: Rng) -> None:
    """Faint printed lines, dots or a block of tint under the writing."""
    height, width = page.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    pitch = height * rng.uniform(0.06, 0.3)
    angle = rng.uniform(0, np.pi)
    wave = np.sin((xs * np.cos(angle) + ys * np.sin(angle)) * 2 * np.pi / pitch)
    if rng.random() < 0.5:
        wave = wave * np.sin((ys * np.cos(angle) - xs * np.sin(angle)) * 2 * np.pi / pitch)
    depth = rng.uniform(0.03, 0.14, 3) * rng.uniform(0.3, 1)
    page *= 1 - (wave > rng.uniform(0.2, 0.9)).astype(np.float32)[..., None] * depth.astype(np.float32)


def _stain(page: np.ndarray, rng: Rng) -> None:
    """A ring or spill of coffee or beer."""
    height, width = page.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    radius = height * rng.uniform(0.6, 3)
    centre = rng.uniform(-1, 2, 2) * (height, width)
    distance = np.hypot(ys - centre[0], xs - centre[1]) / radius
    ring = np.exp(-((distance - 1) / rng.uniform(0.03, 0.12)) ** 2) + 0.3 * (distance < 1) * rng.random()
    brown = np.array([0.25, 0.42, 0.62], np.float32) * rng.uniform(0.3, 1)
    page *= 1 - np.clip(ring, 0, 1).astype(np.float32)[..., None] * brown


def light(page: np.ndarray, rng: Rng, trouble: float = 1.0) -> np.ndarray:
    """Uneven light, the edge of a shadow, glare, exposure and white balance; ``trouble`` scales how dark it gets."""
    height, width = page.shape[:2]
    ys, xs = np.mgrid[-1:1:height * 1j, -1:1:width * 1j].astype(np.float32)
    a, b = rng.normal(0, 0.08, 2)
    page = page * (1 + a * xs + b * ys)[..., None].astype(np.float32)
    if rng.random() < 0.2:
        angle, at, soft = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8), rng.uniform(0.03, 0.5)
        edge = 1 / (1 + np.exp(-np.clip((xs * np.cos(angle) + ys * np.sin(angle) - at) / soft, -30, 30)))
        page = page * (1 - edge * rng.uniform(0.2, 0.7) * trouble)[..., None].astype(np.float32)
    if rng.random() < 0.05:
        centre, size = rng.uniform(-1, 1, 2), rng.uniform(0.2, 0.8)
        spot = np.exp(-((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2) / size ** 2) * rng.uniform(0.2, 0.8) * trouble
        page = page + (1 - page) * spot[..., None].astype(np.float32)
    balance = 1 + rng.normal(0, 0.06, 3)
    return (page * (balance * rng.uniform(1 - 0.6 * trouble, 1.05)).astype(np.float32)).astype(np.float32)


def camera(page: np.ndarray, rng: Rng, trouble: float = 1.0) -> np.ndarray:
    """Blur, sensor noise, sharpening, tone and JPEG, as a phone of any price makes them; returns uint8 RGB.

    ``trouble`` scales blur and noise.
    """
    height = page.shape[0]
    if rng.random() < 0.7:
        page = cv2.GaussianBlur(page, (0, 0), max(0.3, height * abs(rng.normal(0, 0.012 * trouble))))
    if rng.random() < 0.12 * trouble:
        page = _motion(page, rng)
    noise = rng.normal(0, abs(rng.normal(0, 0.025 * trouble)) + 1e-4, page.shape).astype(np.float32)
    if rng.random() < 0.5:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.7) * 1.6
    page = page + noise * np.sqrt(np.clip(page, 0.05, 1))
    if rng.random() < 0.3:
        page = page + rng.uniform(0.3, 1.2) * (page - cv2.GaussianBlur(page, (0, 0), max(0.5, height * 0.02)))
    page = np.clip(page, 0, 1) ** float(np.exp(rng.normal(0, 0.18)))
    pixels = np.clip(page * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(25, 96))
        ok, data = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        pixels = cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]
    return pixels


def _motion(page: np.ndarray, rng: Rng) -> np.ndarray:
    """A shaky hand: a short straight smear."""
    length = max(3, int(page.shape[0] * rng.uniform(0.03, 0.09)))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    middle, reach = (length - 1) / 2, length / 2
    for t in np.linspace(-1, 1, 2 * length):
        kernel[int(round(middle + t * reach * np.sin(angle) * 0.95)) % length,
               int(round(middle + t * reach * np.cos(angle) * 0.95)) % length] = 1
    return cv2.filter2D(page, -1, kernel / kernel.sum())
