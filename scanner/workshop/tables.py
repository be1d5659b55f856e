"""Table tops for photographs: uint8 RGB pictures of SIDE by SIDE pixels, meant to be mirrored beyond their edges."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from PIL import Image, ImageDraw

from scanner.workshop.printing import advertiser, font
from scanner.workshop.wear import smooth_noise

Rng = np.random.Generator
Field = np.ndarray
SIDE = 1024


def random_table(rng: Rng) -> tuple[str, np.ndarray]:
    """A table top with its name."""
    name = str(rng.choice(list(TABLES)))
    return name, table(name, rng)


def table(name: str, rng: Rng) -> np.ndarray:
    """A table top by name, one of :data:`TABLES`."""
    picture = TABLES[name](rng)
    grain = rng.uniform(0.5, 3) * smooth_noise(rng, (SIDE, SIDE), 1.5)
    return np.clip(picture * 255 + grain[..., None], 0, 255).astype(np.uint8)


def _axes() -> tuple[Field, Field]:
    line = np.arange(SIDE, dtype=np.float32)
    return line[None, :], line[:, None]


def _blend(low: tuple, high: tuple, share: Field) -> np.ndarray:
    """Colours between two, by a share 0 to 1 at each pixel."""
    share = np.clip(share, 0, 1)[..., None].astype(np.float32)
    return np.asarray(low, np.float32) * (1 - share) + np.asarray(high, np.float32) * share


def _boards(rng: Rng) -> np.ndarray:
    """Planks with long grain, each of its own tone, dark joints between them."""
    x, y = _axes()
    wide = int(rng.integers(90, 260))
    plank = (y // wide).astype(int)
    stretched = cv2.resize(smooth_noise(rng, (SIDE, SIDE // 16), 4), (SIDE, SIDE))
    rings = np.sin(y / rng.uniform(5, 14) + 3 * stretched + plank * 1.7)
    tone = 0.5 + 0.16 * rings + 0.12 * stretched + rng.normal(0, 0.12, SIDE // wide + 2)[plank]
    dark, light = (((0.20, 0.11, 0.06), (0.48, 0.29, 0.16)), ((0.45, 0.30, 0.18), (0.80, 0.62, 0.42)),
                   ((0.30, 0.27, 0.24), (0.62, 0.58, 0.52)))[int(rng.integers(3))]
    picture = _blend(dark, light, np.broadcast_to(tone, (SIDE, SIDE)))
    return picture * np.where(np.mod(y, wide) < 3, 0.35, 1.0)[..., None]


def _laminate(rng: Rng) -> np.ndarray:
    """Kitchen laminate: small flecks on a plain ground."""
    base = rng.uniform(0.35, 0.85) + rng.normal(0, 0.05, 3)
    flecks = smooth_noise(rng, (SIDE, SIDE), rng.uniform(3, 9))
    more = smooth_noise(rng, (SIDE, SIDE), rng.uniform(3, 9))
    return np.clip(base + 0.16 * (flecks > 1.2)[..., None] - 0.2 * (more > 1.3)[..., None], 0, 1)


def _oilcloth(rng: Rng) -> np.ndarray:
    """Checked, striped or dotted cloth in two or three tones, with a weave."""
    x, y = _axes()
    step = float(rng.uniform(40, 150))
    colours = ((0.72, 0.12, 0.14), (0.10, 0.25, 0.55), (0.10, 0.42, 0.25), (0.85, 0.6, 0.1))
    colour = colours[int(rng.integers(4))]
    kind = rng.integers(3)
    if kind == 0:
        share = 0.5 * (np.mod(x, step) < step / 2) + 0.5 * (np.mod(y, step) < step / 2)
    elif kind == 1:
        share = 0.8 * (np.mod(x + 0 * y, step) < step * 0.4)
    else:
        share = 0.9 * (np.hypot(np.mod(x, step) - step / 2, np.mod(y, step) - step / 2) < step * 0.2)
    weave = 0.04 * np.sin(x * 2.1) + 0.04 * np.sin(y * 2.1)
    return _blend((0.93, 0.92, 0.89), colour, share) * (1 + weave)[..., None]


def _felt(rng: Rng) -> np.ndarray:
    """A card table's felt or a blanket."""
    colours = ((0.08, 0.30, 0.18), (0.32, 0.08, 0.12), (0.12, 0.16, 0.30), (0.35, 0.33, 0.30))
    base = np.asarray(colours[int(rng.integers(4))])
    tone = 1 + 0.10 * smooth_noise(rng, (SIDE, SIDE), 2.5) + 0.06 * smooth_noise(rng, (SIDE, SIDE), 80)
    return base * tone[..., None]


def _white(rng: Rng) -> np.ndarray:
    """A white or pale table, nearly the colour of paper."""
    tone = rng.uniform(0.8, 0.97) * (1 + 0.015 * smooth_noise(rng, (SIDE, SIDE), 120))
    return np.clip(tone[..., None] * (1 + rng.normal(0, 0.015, 3)), 0, 1)


def _stone(rng: Rng) -> np.ndarray:
    """Granite or marble: clouds and veins."""
    cloud = sum(smooth_noise(rng, (SIDE, SIDE), s) * s**0.5 for s in (4, 16, 60, 200)) / 20
    veins = np.exp(-np.abs(smooth_noise(rng, (SIDE, SIDE), 110)) * 22)
    kinds = (((0.12, 0.12, 0.13), (0.45, 0.44, 0.43)), ((0.62, 0.60, 0.58), (0.93, 0.92, 0.90)))
    low, high = kinds[int(rng.integers(2))]
    return _blend(low, high, 0.5 + cloud - 0.5 * veins)


def _tiles(rng: Rng) -> np.ndarray:
    """A tiled counter with joints: straight lines that are no rulings."""
    x, y = _axes()
    step, joint = float(rng.uniform(90, 240)), float(rng.uniform(3, 8))
    tone = rng.normal(0, 0.04, (16, 16))[(y // step).astype(int), (x // step).astype(int)]
    base = rng.uniform(0.4, 0.85) + rng.normal(0, 0.06, 3)
    lines = (np.mod(x, step) < joint) | (np.mod(y, step) < joint)
    return np.clip(base + tone[..., None], 0, 1) * np.where(lines, 0.6, 1.0)[..., None]


def _notebook(rng: Rng) -> np.ndarray:
    """Other ruled paper: a pad of lined or squared paper under the sheet."""
    x, y = _axes()
    step = float(rng.uniform(26, 48))
    ink = np.asarray(((0.55, 0.68, 0.9), (0.6, 0.6, 0.62), (0.9, 0.55, 0.6))[int(rng.integers(3))])
    lines = np.mod(y + 0 * x, step) < 2
    if rng.random() < 0.4:
        lines = lines | (np.mod(x, step) < 2)
    margin = np.abs(x + 0 * y - 130) < 2
    page = _blend((0.96, 0.95, 0.92), tuple(ink), lines.astype(np.float32))
    return np.where(margin[..., None], np.float32((0.85, 0.4, 0.4)), page)


def _newspaper(rng: Rng) -> np.ndarray:
    """Columns of print: words that are no headings."""
    sheet = Image.new("L", (SIDE, SIDE), int(rng.integers(190, 230)))
    pen, face, big = ImageDraw.Draw(sheet), font("STIXGeneral.ttf", 22), font("STIXGeneralBol.ttf", 54)
    for left in range(10, SIDE, 260):
        pen.text((left, 14), advertiser(rng)[0][:10].upper(), font=big, fill=40)
        for top in range(90, SIDE, 25):
            words = " ".join(w for _ in range(3) for w in advertiser(rng))
            pen.text((left, top), words[:24], font=face, fill=60)
    return np.repeat(np.asarray(sheet, np.float32)[..., None] / 255, 3, axis=2) * (1.0, 0.98, 0.93)


def _knit(rng: Rng) -> np.ndarray:
    """A woven place mat: a coarse weave with bands."""
    x, y = _axes()
    step = float(rng.uniform(8, 20))
    weave = np.abs(np.sin(np.pi * x / step + np.pi * (y // step))) * np.abs(np.sin(np.pi * y / step))
    band = (np.mod(y, 220) < rng.uniform(20, 80)).astype(np.float32)
    base, other = rng.uniform(0.3, 0.8, 3), rng.uniform(0.2, 0.9, 3)
    return _blend(tuple(base), tuple(other), np.broadcast_to(band, (SIDE, SIDE))) * (0.55 + 0.45 * weave)[..., None]


def _dark(rng: Rng) -> np.ndarray:
    """A bar top at night: nearly black, with worn streaks."""
    streaks = cv2.resize(smooth_noise(rng, (SIDE // 8, SIDE), 6), (SIDE, SIDE))
    return np.clip(rng.uniform(0.05, 0.16) + rng.normal(0, 0.01, 3) + 0.02 * streaks[..., None], 0, 1)


TABLES: dict[str, Callable[[Rng], np.ndarray]] = {
    "boards": _boards, "laminate": _laminate, "oilcloth": _oilcloth, "felt": _felt, "white table": _white,
    "stone": _stone, "tiles": _tiles, "notebook": _notebook, "newspaper": _newspaper, "place mat": _knit,
    "dark bar": _dark,
}
