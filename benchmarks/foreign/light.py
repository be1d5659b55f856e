"""Light on the table and what the lens, the chip and the mail make of it; photos are float32 RGB, 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class Light:
    """How the table is lit.

    Attributes:
        level: brightness of white paper, 0 to 1.
        tint: RGB factors of a wrong white balance.
        slope: how much darker the far side is, 0 to 1, and ``slope_angle`` where that is, degrees.
        shadow: darkness of a shadow with an edge over the sheet, 0 for none; ``shadow_soft``: its blur, shares of the
            long side.
        glare: how far towards white a reflection washes out, 0 to 1; ``glare_size``: shares of the long side.
        flash: strength of a phone's flash in the middle, 0 for none.
    """

    level: float = 0.86
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: float = 0.12
    slope_angle: float = 0.0
    shadow: float = 0.0
    shadow_soft: float = 0.01
    glare: float = 0.0
    glare_size: float = 0.12
    flash: float = 0.0


@dataclass(frozen=True)
class Lens:
    """How the picture is taken and kept.

    Attributes:
        defocus, motion: blur in row heights (the disc's radius; half the streak).
        noise: of the chip, for mid grey, 0 to 1.
        sharpen: how hard the phone sharpens, 0 for not at all.
        quality: of the JPEG.
        sent: long side a messenger shrinks the photo to, 0 for none.
    """

    defocus: float = 0.012
    motion: float = 0.0
    noise: float = 0.008
    sharpen: float = 0.3
    quality: int = 90
    sent: int = 0


def lit(photo: np.ndarray, light: Light, focus: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The photo under the light, and how far every pixel is washed out (0 to 1), at a quarter of the size.

    ``focus``: the corners of the grids, (n, 2) pixels; shadows and reflections fall there.
    """
    h, w = photo.shape[:2]
    small = (max(2, w // 4), max(2, h // 4))
    long = max(w, h)
    y, x = np.mgrid[0:small[1], 0:small[0]].astype(np.float32) * 4
    a = np.deg2rad(light.slope_angle)
    bright = 1 - light.slope * (0.5 + ((x - w / 2) * np.cos(a) + (y - h / 2) * np.sin(a)) / long)
    low, high = focus.min(axis=0), focus.max(axis=0)
    if light.shadow:
        bright *= 1 - light.shadow * _shadow(x, y, low, high, light.shadow_soft * long, rng)
    wash = np.zeros_like(x)
    if light.flash:
        middle = np.array([w, h]) / 2 + rng.normal(0, 0.06, 2) * long
        d2 = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / long**2
        bright *= 0.62 + light.flash * np.exp(-d2 / 0.09)
        wash = np.maximum(wash, 0.75 * light.flash * np.exp(-d2 / 0.0012))
    if light.glare:
        wash = np.maximum(wash, light.glare * _reflection(x, y, low, high, light.glare_size * long, rng))
    full = cv2.resize(bright * light.level, (w, h), interpolation=cv2.INTER_LINEAR)
    photo = photo * full[..., None] * np.array(light.tint, np.float32)
    veil = cv2.resize(wash, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]
    return photo * (1 - veil) + veil * 1.02, wash


def _shadow(x: np.ndarray, y: np.ndarray, low: np.ndarray, high: np.ndarray, soft: float,
            rng: np.random.Generator) -> np.ndarray:
    """0 to 1: a straight-edged shadow across the sheet, or the round one of a head and shoulder."""
    at = low + (high - low) * rng.uniform(0.25, 0.75, 2)
    a = rng.uniform(0, 2 * np.pi)
    edge = (x - at[0]) * np.cos(a) + (y - at[1]) * np.sin(a)
    if rng.random() < 0.5:
        radius = (high - low).max() * rng.uniform(0.4, 0.8)
        centre = at - np.array([np.cos(a), np.sin(a)]) * radius
        edge = radius - np.hypot(x - centre[0], y - centre[1])
    return 1 / (1 + np.exp(-np.clip(edge / max(soft, 1.0), -30, 30)))


def _reflection(x: np.ndarray, y: np.ndarray, low: np.ndarray, high: np.ndarray, size: float,
                rng: np.random.Generator) -> np.ndarray:
    at = low + (high - low) * rng.uniform(0.1, 0.9, 2)
    a, long = rng.uniform(0, np.pi), rng.uniform(1.0, 2.5)
    u = ((x - at[0]) * np.cos(a) + (y - at[1]) * np.sin(a)) / (size * long)
    v = ((y - at[1]) * np.cos(a) - (x - at[0]) * np.sin(a)) / size
    return np.exp(-((u**2 + v**2) ** 1.5))


def taken(photo: np.ndarray, lens: Lens, row: float, rng: np.random.Generator) -> np.ndarray:
    """The photo through the lens and onto the chip, uint8; ``row`` is the height of a row in its pixels."""
    photo = _blurred(photo, lens, row, rng)
    if lens.noise:
        photo = _noisy(photo, lens.noise, rng)
    if lens.sharpen:
        soft = cv2.GaussianBlur(photo, (0, 0), max(0.8, row * 0.012))
        photo = photo + (photo - soft) * lens.sharpen
    return (np.clip(photo, 0, 1) * 255 + 0.5).astype(np.uint8)


def _blurred(photo: np.ndarray, lens: Lens, row: float, rng: np.random.Generator) -> np.ndarray:
    radius = lens.defocus * row
    if radius > 0.3:
        reach = int(np.ceil(radius)) + 1
        y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1]
        disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
        photo = cv2.filter2D(photo, -1, disc / disc.sum())
    half = lens.motion * row
    if half > 0.3:
        reach = int(np.ceil(half)) + 1
        y, x = np.mgrid[-reach:reach + 1, -reach:reach + 1].astype(np.float32)
        a = rng.uniform(0, np.pi)
        along, across = x * np.cos(a) + y * np.sin(a), y * np.cos(a) - x * np.sin(a)
        streak = np.clip(half + 0.5 - np.abs(along), 0, 1) * np.clip(1 - np.abs(across), 0, 1)
        photo = cv2.filter2D(photo, -1, streak / streak.sum())
    return photo


def _noisy(photo: np.ndarray, noise: float, rng: np.random.Generator) -> np.ndarray:
    """Shot noise in every pixel and blotches of colour over several, as small chips have."""
    h, w = photo.shape[:2]
    spread = noise * np.sqrt(np.clip(photo.mean(axis=2, keepdims=True), 0.04, 1) * 2)
    fine = rng.standard_normal((h, w, 1), np.float32)
    blotch = rng.standard_normal((h // 4 + 1, w // 4 + 1, 3), np.float32) * 0.6
    return photo + spread * (fine + cv2.resize(blotch, (w, h), interpolation=cv2.INTER_LINEAR))


def shrunk(photo: np.ndarray, long_side: int) -> np.ndarray:
    """The photo as a messenger passes it on; photos already as small are left alone."""
    h, w = photo.shape[:2]
    ratio = long_side / max(h, w)
    if not long_side or ratio >= 1:
        return photo
    return cv2.resize(photo, (round(w * ratio), round(h * ratio)), interpolation=cv2.INTER_AREA)
