"""Interface to the shipped network: crops of any size in, letter probabilities per frame out (onnxruntime)."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from scanner.sheet.errors import ClabberError

#: The network's input: 48 px high, a multiple of 16 wide (its stride along the line is 4, and cells of one width share
#: a batch). The aspect is kept to within half a step.
HEIGHT, STEP, NARROWEST, WIDEST = 48, 16, 48, 208
#: Cells in one run of the network: enough to keep a core busy, little enough to stay under 100 MB.
_BATCH = 64


_folder: ContextVar[Path | None] = ContextVar("folder", default=None)


class ModelError(ClabberError):
    """The shipped network is missing or damaged."""


def session() -> onnxruntime.InferenceSession:
    """The network for cells. Raises as :func:`open_network`."""
    return open_network("cells", _folder.get())


@contextmanager
def networks_of(folder: Path) -> Iterator[None]:
    """Within it cells are read with the network in ``folder``, for measuring weights that are not the shipped ones."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


@cache
def open_network(name: str, folder: Path | None = None) -> onnxruntime.InferenceSession:
    """A network by name, of the shipped folder or another, loaded once a process and held against its checksum.

    Raises:
        ModelError: the file is not the one this version was released with.
    """
    folder = folder or resources.files("scanner.reader") / "model"
    data = (folder / f"{name}.onnx").read_bytes()
    if hashlib.sha256(data).hexdigest() != json.loads((folder / f"{name}.json").read_text())["sha256"]:
        raise ModelError(f"The reader's network (reader/model/{name}.onnx) is damaged; install the program again.")
    options = onnxruntime.SessionOptions()
    # One thread: photos run side by side in their own processes, and a game's cells take milliseconds.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def input_width(height: int, width: int) -> int:
    """Width of the network's input for a crop of this shape."""
    return int(np.clip(round(HEIGHT * width / height / STEP) * STEP, NARROWEST, WIDEST))


def to_input(crop: np.ndarray) -> np.ndarray:
    """A crop (H, W) or (H, W, 3), uint8, as the network takes it: RGB, shape (48, w, 3).

    Raises:
        ClabberError: not an 8-bit grey or RGB picture of at least one pixel.
    """
    crop = picture(crop)
    height, width = crop.shape[:2]
    method = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
    return cv2.resize(crop, (input_width(height, width), HEIGHT), interpolation=method)


def picture(crop: np.ndarray) -> np.ndarray:
    """A crop as an RGB picture, grey ones made so. Raises as :func:`to_input`."""
    crop = np.asarray(crop)
    if crop.dtype != np.uint8 or crop.ndim not in (2, 3) or crop.size == 0 or (crop.ndim == 3 and crop.shape[2] != 3):
        raise ClabberError(f"A cell is a uint8 array of shape (H, W) or (H, W, 3), got {crop.dtype} {crop.shape}; "
                           "convert it to 8-bit grey or RGB first.")
    return np.repeat(crop[:, :, None], 3, axis=2) if crop.ndim == 2 else crop


def stretched(cell: np.ndarray) -> np.ndarray:
    """A cell in the network's size, one step wider: crowded digits come apart."""
    return cv2.resize(cell, (min(WIDEST, cell.shape[1] + STEP), HEIGHT), interpolation=cv2.INTER_LINEAR)


def closer(cell: np.ndarray, scale: float = 1.2) -> np.ndarray:
    """A cell in the network's size, its content larger about the middle: what reaches in from its neighbours goes."""
    width = cell.shape[1]
    grow = np.array([[scale, 0, (1 - scale) * width / 2], [0, scale, (1 - scale) * HEIGHT / 2]])
    return cv2.warpAffine(cell, grow, (width, HEIGHT), borderMode=cv2.BORDER_REPLICATE)


def read_frames(inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Letter probabilities of each input: float32, shape (w / 4, 24)."""
    by_width: dict[int, list[int]] = defaultdict(list)
    for i, cell in enumerate(inputs):
        by_width[cell.shape[1]].append(i)
    out: list[np.ndarray] = [np.empty(0)] * len(inputs)
    for places in by_width.values():
        for start in range(0, len(places), _BATCH):
            some = places[start:start + _BATCH]
            frames = session().run(None, {"cells": np.stack([inputs[i] for i in some])})[0]
            for i, frame in zip(some, frames, strict=True):
                out[i] = frame
    return out
