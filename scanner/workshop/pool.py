"""A pool of training cells on disk: numbered shards, each made from its own seed, so any of them can be made again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

import cv2
import joblib
import numpy as np

from scanner.reader.network import HEIGHT, to_input
from scanner.workshop.cells import Practice, compose, practice_of
from scanner.workshop.hands import Writers, load_writers
from scanner.workshop.sheet_cells import cells_of_sheets

#: The training alphabet: place 0 is CTC's blank; then digits, struck digits, set mark, zero line, W.
ALPHABET = "_0123456789abcdefghijX-W"
SHARD = 5_000
#: Longest label: four struck and four live digits.
LONGEST = 10


@dataclass(frozen=True)
class Shard:
    """Cells of one shard: ``data`` holds all pixels end to end, cell i is (48, widths[i], 3) from ``offsets[i]``.

    ``labels`` is uint8 of shape (N, 10), places in :data:`ALPHABET` padded with zeros.
    """

    data: np.ndarray
    widths: np.ndarray
    offsets: np.ndarray
    labels: np.ndarray

    def cell(self, i: int) -> np.ndarray:
        """Pixels of one cell, uint8 RGB, shape (48, w, 3)."""
        size = HEIGHT * int(self.widths[i]) * 3
        return self.data[self.offsets[i]:self.offsets[i] + size].reshape(HEIGHT, -1, 3)


def make_shard(writers: Writers, seed: int, number: int, count: int = SHARD, practice: Practice | None = None) -> Shard:
    """Composes ``count`` cells; the same seed and number give the same cells, by default of the number's practice."""
    practice = practice or practice_of(number)
    rng = np.random.default_rng([seed, number])
    crops, labels = [], np.zeros((count, LONGEST), np.uint8)
    composed = (compose(writers, rng, practice) for _ in range(count))
    made = islice(cells_of_sheets(writers, rng, practice), count) if practice.sheets else composed
    for i, (crop, label) in enumerate(made):
        crops.append(to_input(crop))
        labels[i, :len(label)] = [ALPHABET.index(c) for c in label]
    widths = np.array([c.shape[1] for c in crops], np.int32)
    offsets = np.concatenate([[0], np.cumsum(widths[:-1].astype(np.int64) * HEIGHT * 3)])
    return Shard(np.concatenate([c.ravel() for c in crops]), widths, offsets, labels)


def fill_pool(folder: Path, handwriting: Path, seed: int, shards: int, held_out: bool = False, jobs: int = 2) -> None:
    """Makes the shards that are not there yet; safe to interrupt and to call again."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [n for n in range(shards) if not _path(folder, n).exists()]
    job = joblib.delayed(_make_and_save)
    joblib.Parallel(n_jobs=jobs)(job(folder, handwriting, held_out, seed, n) for n in missing)


def load_shard(folder: Path, number: int) -> Shard:
    """A shard made before."""
    with np.load(_path(folder, number)) as z:
        return Shard(z["data"], z["widths"], z["offsets"], z["labels"])


def _path(folder: Path, number: int) -> Path:
    return folder / f"shard-{number:04d}.npz"


@lru_cache(maxsize=2)
def _writers(handwriting: Path, held_out: bool) -> Writers:
    return load_writers(handwriting, held_out)


def _make_and_save(folder: Path, handwriting: Path, held_out: bool, seed: int, number: int) -> None:
    cv2.setNumThreads(1)
    shard = make_shard(_writers(handwriting, held_out), seed, number)
    part = _path(folder, number).with_suffix(".part.npz")
    np.savez(part, data=shard.data, widths=shard.widths, offsets=shard.offsets, labels=shard.labels)
    part.replace(_path(folder, number))
