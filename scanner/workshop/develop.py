"""From light on a sensor to a file: blur, noise, sharpening, tone, white balance, small copies, JPEG, EXIF turns."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

Rng = np.random.Generator

#: Degrees clockwise a viewer turns the stored picture by, for the EXIF orientations phones write.
TURNS = {0: 1, 180: 3, 90: 6, 270: 8}
_NUMPY_TURNS = {0: 0, 90: 1, 180: 2, 270: 3}


def expose(photo: np.ndarray, row: float, rng: Rng, trouble: float) -> np.ndarray:
    """A finished uint8 picture from the scene's light (uint8 RGB too); ``row`` is a row's height in pixels."""
    photo = _blurred(photo, row, rng, trouble)
    photo = _noisy(photo, rng.uniform(0.5, 2.5 + 6 * trouble), rng)
    if rng.random() < 0.6:
        soft = cv2.GaussianBlur(photo, (0, 0), max(0.8, 0.02 * row))
        gain = float(rng.uniform(0.2, 1.0))
        photo = cv2.addWeighted(photo, 1 + gain, soft, -gain, 0)
    return cv2.LUT(photo, _tone(rng, trouble))


def _blurred(photo: np.ndarray, row: float, rng: Rng, trouble: float) -> np.ndarray:
    """Out of focus or shaken, by up to a twentieth of a row: a pen's width."""
    radius = row * abs(rng.normal(0, 0.006 + 0.014 * trouble))
    if rng.random() < 0.25 * trouble:
        photo = cv2.filter2D(photo, -1, _smear(int(np.clip(row * rng.uniform(0.03, 0.09), 3, 15)), rng))
    return cv2.GaussianBlur(photo, (0, 0), radius) if radius > 0.35 else photo


def _smear(length: int, rng: Rng) -> np.ndarray:
    kernel = np.zeros((length, length), np.float32)
    angle, middle = rng.uniform(0, np.pi), (length - 1) / 2
    way = middle * np.array([np.cos(angle), np.sin(angle)])
    start, end = np.round(middle - way).astype(int), np.round(middle + way).astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), 1.0, 1)
    return kernel / kernel.sum()


def _noisy(photo: np.ndarray, sigma: float, rng: Rng) -> np.ndarray:
    """Sensor noise with the little correlation that the phone's own clean-up leaves; tiles of it are shifted about."""
    side = 512
    tile = rng.standard_normal((side, side, 3), dtype=np.float32)
    tile = 0.7 * tile + 0.9 * cv2.GaussianBlur(tile, (0, 0), 0.8)
    tile = np.round(tile * sigma).astype(np.int16)
    out = np.empty_like(photo)
    for top in range(0, photo.shape[0], side):
        for left in range(0, photo.shape[1], side):
            part = photo[top : top + side, left : left + side]
            moved = np.roll(tile, tuple(rng.integers(0, side, 2)), (0, 1))[: part.shape[0], : part.shape[1]]
            out[top : top + side, left : left + side] = cv2.add(part, moved, dtype=cv2.CV_8U)
    return out


def _tone(rng: Rng, trouble: float) -> np.ndarray:
    """Lookup table (256, 1, 3): exposure, contrast, black level, white balance."""
    x = np.linspace(0, 1, 256)[:, None]
    exposure = max(0.75, float(np.exp(rng.normal(0.03, 0.05 + 0.16 * trouble))))
    balance = 1 + rng.normal(0, 0.015 + 0.03 * trouble, 3)
    y = np.clip(x * exposure * balance, 0, 1.2) ** float(np.exp(rng.normal(0, 0.12)))
    bend = rng.uniform(0, 0.25)
    y = np.minimum(y, 1)
    y = (1 - bend) * y + bend * (3 * y**2 - 2 * y**3)
    lift = rng.uniform(0, 0.08 * trouble)
    return np.clip((lift + (1 - lift) * y) * 255, 0, 255).astype(np.uint8).reshape(256, 1, 3)


def messenger_copy(photo: np.ndarray, long_side: int, rng: Rng) -> tuple[np.ndarray, float]:
    """What a messenger makes of a photo: smaller and already once compressed; also the factor it was shrunk by."""
    factor = min(1.0, long_side / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return compressed(small, int(rng.integers(55, 80))), factor


def compressed(photo: np.ndarray, quality: int) -> np.ndarray:
    """The picture after its JPEG file."""
    data = io.BytesIO()
    Image.fromarray(photo).save(data, "JPEG", quality=quality)
    return np.asarray(Image.open(data).convert("RGB"))


def photocopy(photo: np.ndarray, rng: Rng) -> np.ndarray:
    """Grey, contrasty, with the toner's grain."""
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY).astype(np.float32)
    local = cv2.GaussianBlur(grey, (0, 0), max(photo.shape) / 30)
    grey = np.clip(235 + (grey - local) * rng.uniform(1.2, 2.0), 0, 255)
    return np.repeat(grey.astype(np.uint8)[..., None], 3, axis=2)


def save_turned(photo: np.ndarray, path: Path, quality: int, degrees: int) -> None:
    """Writes a JPEG that a viewer turns by ``degrees`` clockwise to show ``photo``; its pixels are turned back."""
    stored = np.ascontiguousarray(np.rot90(photo, _NUMPY_TURNS[degrees]))
    exif = Image.Exif()
    exif[0x0112] = TURNS[degrees]
    Image.fromarray(stored).save(path, "JPEG", quality=quality, exif=exif)
