"""Light on a photographed table: fields of gain at low resolution, (h, w, 3) float32, to be enlarged and multiplied."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.workshop.wear import smooth_noise

Rng = np.random.Generator

#: Photo pixels to a pixel of a light field; shadow edges are wider than that.
COARSE = 16


def ambient(shape: tuple[int, int], rng: Rng, trouble: float) -> np.ndarray:
    """Uneven light, a lamp's cone, the lens' dark corners and the colour of the lamps, (h, w, 3), about 1."""
    y, x = _axes(shape)
    slope = rng.normal(0, 0.08 + 0.14 * trouble, 2)
    gain = 1 + slope[0] * x + slope[1] * y + 0.04 * trouble * smooth_noise(rng, shape, max(shape) / 2)
    if rng.random() < 0.35:
        centre = rng.uniform(-0.8, 0.8, 2)
        gain *= 0.55 + 0.6 * np.exp(-(((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / rng.uniform(0.8, 3)))
    gain *= 1 - rng.uniform(0, 0.12 + 0.2 * trouble) * (x**2 + y**2) / 2
    tint = 1 + rng.normal(0, 0.03 + 0.05 * trouble, 3) * (1, 0.4, 1)
    other = 1 + rng.normal(0, 0.03 + 0.05 * trouble, 3) * (1, 0.4, 1)
    share = np.clip(0.5 + 0.5 * (x * rng.normal() + y * rng.normal()), 0, 1)[..., None]
    return (gain[..., None] * (tint * share + other * (1 - share))).astype(np.float32)


def shadow(shape: tuple[int, int], rng: Rng, trouble: float) -> np.ndarray:
    """The shadow of a phone, an arm or a window frame, (h, w), 1 where there is none."""
    y, x = _axes(shape)
    gain = np.ones(shape, np.float32)
    kind = str(rng.choice(["none", "edge", "arm", "phone", "bars"], p=_shares(trouble)))
    deep, soft = rng.uniform(0.2, 0.45 + 0.25 * trouble), rng.uniform(0.015, 0.2)
    angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.7, 0.7)
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    if kind == "edge":
        gain -= deep * _step((along - at) / soft)
    elif kind == "arm":
        wide = rng.uniform(0.12, 0.4) * (1 + 0.3 * across)
        gain -= deep * _step((wide - np.abs(along - at)) / soft) * _step((across - rng.uniform(-0.6, 0.4)) / soft)
    elif kind == "phone":
        gain -= deep * _step((0.35 - np.abs(along - at)) / soft) * _step((0.6 - np.abs(across)) / soft)
    elif kind == "bars":
        gain -= 0.7 * deep * _step(np.sin(along * rng.uniform(6, 16) + at * 5) / (4 * soft))
    return gain


def glare(shape: tuple[int, int], rng: Rng, trouble: float) -> np.ndarray:
    """Light thrown back by the paper or a flash, (h, w), 0 to 1: how far a pixel is pushed towards white."""
    y, x = _axes(shape)
    field = np.zeros(shape, np.float32)
    if rng.random() < 0.25 * trouble + 0.05:
        centre, wide = rng.uniform(-0.7, 0.7, 2), rng.uniform(0.15, 0.6)
        long = rng.uniform(0.5, 2.0)
        far = ((x - centre[0]) / wide) ** 2 + ((y - centre[1]) / (wide * long)) ** 2
        # Half way to white at most: writing under it stays legible.
        field = rng.uniform(0.15, 0.3 + 0.3 * trouble) * np.exp(-far)
    return field.astype(np.float32)


def enlarge(field: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """A coarse field at the photo's resolution."""
    return cv2.resize(field, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)


def _shares(trouble: float) -> list[float]:
    some = 0.12 + 0.5 * trouble
    return [1 - some, 0.4 * some, 0.25 * some, 0.2 * some, 0.15 * some]


def _axes(shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    y, x = np.mgrid[-1 : 1 : shape[0] * 1j, -1 : 1 : shape[1] * 1j].astype(np.float32)
    return y, x


def _step(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(4 * x, -30, 30)))
