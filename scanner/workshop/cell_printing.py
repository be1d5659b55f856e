"""Print that stands in a cell before anybody writes: small figures in a corner, pale guides and words under the ink."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from scanner.workshop.pens import Rng
from scanner.workshop.printing import FAMILIES, font
from scanner.workshop.scene import Scene

_WORDS = ("WE", "THEY", "SCORE", "TOTAL", "MELD", "SET", "US", "HAND", "PTS")


def print_under(page: np.ndarray, scene: Scene, rng: Rng) -> np.ndarray:
    """The page, float RGB (H, W, 3), with a word or a figure printed in its cell.

    What is written large is pale, a tenth to a quarter of full ink, so that a person sees it is print; what is as dark
    as writing is a small figure in a corner, as row numbers are.
    """
    if rng.random() < 0.5:
        size, dark, at = rng.uniform(0.14, 0.28), rng.uniform(0.25, 0.9), _corner(scene.width, rng)
        text = str(rng.integers(1, 25))
    else:
        size, dark = rng.uniform(0.3, 0.7), rng.uniform(0.08, 0.25)
        at = (rng.uniform(0.0, 0.5) * scene.width, rng.uniform(0.7, 0.95))
        text = str(rng.choice(_WORDS)) if rng.random() < 0.4 else "0" * int(rng.integers(1, 4))
        text = text if rng.random() < 0.6 else str(rng.integers(0, 200))
    cover = _set(text, scene, at, float(size), rng)
    colour = rng.uniform(0, 0.7, 3).astype(np.float32)
    return (page * (1 - float(dark) * cover[..., None] * (1 - colour))).astype(np.float32)


def _corner(width: float, rng: Rng) -> tuple[float, float]:
    """Where the foot of a small figure stands, row units: near one of the cell's corners."""
    x = rng.uniform(0.03, 0.1) if rng.random() < 0.7 else width - rng.uniform(0.25, 0.4)
    return float(x), float(rng.uniform(0.25, 0.35) if rng.random() < 0.6 else rng.uniform(0.88, 0.96))


def _set(text: str, scene: Scene, at: tuple[float, float], size: float, rng: Rng) -> np.ndarray:
    """The text's coverage of the crop, float32 (H, W), 0 to 1; its left foot at ``at``, ``size`` in row heights."""
    foot, top = scene.pixels(np.array([at, (at[0], at[1] - size)]), 1.0)
    height = max(4, round(float(np.hypot(*(foot - top))) / 0.72))  # a capital is about 0.72 of a face's size
    family = FAMILIES[rng.integers(len(FAMILIES))]
    face = font(family[int(rng.integers(2))], height)
    plate = Image.new("L", (scene.size[1], scene.size[0]), 0)
    ImageDraw.Draw(plate).text(tuple(foot), text, font=face, fill=255, anchor="ls")
    return np.asarray(plate, np.float32) / 255
