"""Hands from handwriting collections: pen strokes by writer, and scanned digits without one.

The collections stay outside the project (``--handwriting FOLDER``); only what is learnt from them comes in.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from scanner.workshop.glyphs import own_hand
from scanner.workshop.pens import Glyph, Hand, Rng

DIGITS = "0123456789"
#: Writers whose files hold mis-segmented samples (the collection's own notes), and those who slash their zeros.
_BAD_WRITERS, _SLASHERS = ("ibm",), ("gmd", "uqb", "ibm")
#: Share of writers kept out of training altogether, for validation.
HELD_OUT = 0.1


@dataclass
class StrokeHand:
    """A writer known by pen strokes; missing characters are borrowed from ``lender``."""

    writer: str
    glyphs: dict[str, list[Glyph]] = field(default_factory=lambda: defaultdict(list))
    lender: StrokeHand | None = None

    def glyph(self, char: str, rng: Rng) -> Glyph:
        """A recorded instance of the character, x from 0, digits one unit high."""
        known = self.glyphs.get(char)
        if known:
            return known[rng.integers(len(known))]
        if self.lender is None:
            raise KeyError(f"{self.writer} wrote no {char!r}")
        return self.lender.glyph(char, rng)


@dataclass
class RasterHand:
    """Scanned digits of many people; a digit is a coverage image, so it is drawn by :func:`scanner.workshop.cells`."""

    images: dict[str, np.ndarray]

    def image(self, char: str, rng: Rng) -> np.ndarray:
        """One digit as float32 coverage, shape (48, w), cropped to its ink."""
        pool = self.images[char]
        return _tight(pool[rng.integers(len(pool))])


@dataclass(frozen=True)
class Writers:
    """Everybody available to compose cells, split by writer so that validation sees nobody from training."""

    strokes: tuple[Hand, ...]
    rasters: tuple[RasterHand, ...]


def load_writers(folder: Path, held_out: bool = False) -> Writers:
    """Hands of the training writers, or of the held-out ones.

    Args:
        folder: holds ``unipen_train``, ``pendigits-orig``, ``mnist``, ``optdigits-orig`` and ``semeion``.

    Raises:
        FileNotFoundError: a collection is missing.
    """
    digits: dict[str, StrokeHand] = {}
    others: dict[str, list[Glyph]] = defaultdict(list)
    for name in ("unipen_train/unipen_digits", "pendigits-orig/pendigits_tra"):
        for sample in samples(folder / f"{name}.jsonl.gz"):
            if held_out_writer(sample["w"]) == held_out:
                hand = digits.setdefault(sample["w"], StrokeHand(sample["w"]))
                hand.glyphs[sample["l"]].append(_normalise(sample["s"], sample["l"]))
    for name in ("unipen_train/unipen_letters", "unipen_train/unipen_symbols"):
        for sample in samples(folder / f"{name}.jsonl.gz"):
            char = {"x": "X", "w": "W"}.get(sample["l"], sample["l"])
            if held_out_writer(sample["w"]) == held_out and char in "XW-~/|":
                glyph = _normalise(sample["s"], char)
                others[char].append(glyph)
                if sample["w"] in digits:
                    digits[sample["w"]].glyphs[char].append(glyph)
    lender = StrokeHand("everybody", others)
    for hand in digits.values():
        hand.lender = lender
    full = tuple(h for h in digits.values() if all(len(h.glyphs.get(d, ())) >= 1 for d in DIGITS))
    first = 90_000 if held_out else 10_000
    own = tuple(own_hand(first + i) for i in range(len(full) // 5))
    return Writers(full + own, _rasters(folder, held_out))


def held_out_writer(writer: str) -> bool:
    """Whether a writer is kept out of training, from the name alone, so every collection agrees."""
    return zlib.crc32(writer.encode()) % 1000 < 1000 * HELD_OUT


def samples(path: Path) -> Iterator[dict]:
    """Samples of one stroke file, those of faulty writers and of too few points left out."""
    with gzip.open(path, "rt") as lines:
        for line in lines:
            sample = json.loads(line)
            if not sample["w"].startswith(_BAD_WRITERS) and sum(len(s) for s in sample["s"]) >= 4:
                yield sample


def _normalise(strokes: list[list[float]], char: str) -> Glyph:
    """Recorded strokes in digit heights: digits and letters one unit high, dashes half a unit wide at mid height."""
    arrays = [np.asarray(s, np.float32).reshape(-1, 2) for s in strokes if len(s) >= 2]
    points = np.concatenate(arrays)
    low, high = points.min(0), points.max(0)
    width, height = np.maximum(high - low, 1e-3)
    if char in "-~":
        scale, top = 0.6 / width, 0.5 - 0.3 * height / width
    else:
        scale = 1.0 / max(height, 0.6 * width)
        top = 1.0 - height * scale
    return tuple(((a - low) * scale + (0.0, top)).astype(np.float32) for a in arrays)


def _rasters(folder: Path, held_out: bool) -> tuple[RasterHand, ...]:
    part = "test" if held_out else "train"
    mnist = np.load(folder / f"mnist/mnist_{part}.npz")
    hands = [_raster_hand(mnist["x"], mnist["y"], 255.0)]
    opt = np.load(folder / "optdigits-orig/optdigits32.npz")
    tail = "te" if held_out else "tr"
    hands.append(_raster_hand(opt[f"x{tail}"], opt[f"y{tail}"], 1.0))
    if not held_out:
        sem = np.load(folder / "semeion/semeion.npz")
        hands.append(_raster_hand(sem["x"], sem["y"], 1.0))
    return tuple(hands)


def _raster_hand(images: np.ndarray, labels: np.ndarray, full: float) -> RasterHand:
    images = np.asarray(images, np.float32) / full
    return RasterHand({d: images[labels == int(d)] for d in DIGITS})


def _tight(image: np.ndarray) -> np.ndarray:
    ys, xs = np.nonzero(image > 0.3)
    if not len(ys):
        return np.zeros((48, 24), np.float32)
    crop = image[ys.min():ys.max() + 1, xs.min():xs.max() + 1]
    width = max(4, round(48 * crop.shape[1] / crop.shape[0]))
    smooth = cv2.GaussianBlur(cv2.resize(crop, (min(width, 96), 48), interpolation=cv2.INTER_CUBIC), (0, 0), 1.6)
    return 1 / (1 + np.exp(np.clip(-10 * (smooth - 0.45), -30, 30)))
