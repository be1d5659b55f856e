"""What one photo will be, before anything is drawn: pad, pen, hand, camera, light and the faults among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.foreign.hands import HANDS, Hand
from benchmarks.foreign.keeper import Habits
from benchmarks.foreign.light import Lens, Light
from benchmarks.foreign.pads import Pad, print_pad
from benchmarks.foreign.paper import PENS, Pen
from benchmarks.foreign.surface import Bend


@dataclass(frozen=True)
class Plan:
    """Everything that is decided about a photo; the drawing only adds chance to it.

    Attributes:
        faults: names of what is wrong with it.
        refusal: error codes that are true of it if no careful person could read it; empty for a readable photo.
        long_side: of the photo in pixels.
        pitch, yaw, turn: of the view, degrees; ``fill``: share of the frame the sheets take; ``shift``: off centre, see
            :func:`benchmarks.foreign.surface.aimed`.
        torn: side of the missing corner, millimetres; ``clip``: a clip or ruler over the headings.
        things: what lies on or beside the sheet: ``thumb``, ``pencil``, ``second``, ``covered``, ``ruled``.
        stained: rings of a cup on the sheet.
        dpi: of a flatbed scan, 0 for a photo; ``copied``: a black and white copy was photographed or scanned.
        exif: EXIF orientation 1 to 8; ``turned``: quarter turns of the pixels without a tag.
        sheetless: the sheet is left out and only the rest is photographed.
    """

    pad: Pad
    hand: Hand
    pens: tuple[Pen, Pen]
    habits: Habits = Habits()
    faults: tuple[str, ...] = ()
    refusal: tuple[str, ...] = ()
    long_side: int = 3000
    upright: bool = True
    focal: float = 0.85
    pitch: float = 0.0
    yaw: float = 0.0
    turn: float = 0.0
    fill: float = 0.85
    shift: tuple[float, float] = (0.0, 0.0)
    bends: tuple[Bend, ...] = ()
    table: str = "dark wood"
    light: Light = Light()
    lens: Lens = Lens()
    things: tuple[str, ...] = ()
    torn: float = 0.0
    clip: bool = False
    stained: bool = False
    dpi: int = 0
    copied: bool = False
    exif: int = 1
    turned: int = 0
    sheetless: bool = False


def everyday(rng: np.random.Generator) -> Plan:
    """A photo as a careful person takes it: nothing is wrong with it."""
    pad = print_pad(rng)
    pen = PENS[int(rng.integers(len(PENS)))] if rng.random() < 0.5 else PENS[int(rng.integers(2))]
    tall = pad.size[1] >= pad.size[0]
    return Plan(
        pad=pad, hand=HANDS[int(rng.integers(len(HANDS)))], pens=(pen, PENS[int(rng.integers(5))]),
        habits=Habits(slips=rng.uniform(0.0, 0.1), corrections=rng.uniform(0.0, 0.05),
                      overwrites=rng.uniform(0.0, 0.02), blank_totals=bool(rng.random() < 0.6)),
        long_side=int(rng.choice([1600, 2000, 2400, 3264], p=[0.4, 0.35, 0.2, 0.05])),
        upright=tall or rng.random() < 0.3,
        focal=rng.uniform(0.75, 1.0), pitch=rng.normal(0, 5), yaw=rng.normal(0, 3), turn=rng.normal(0, 2.5),
        fill=rng.uniform(0.78, 0.94), shift=(rng.uniform(-0.7, 0.7), rng.uniform(-0.7, 0.7)),
        bends=(Bend("lift", rng.uniform(0, 360), rng.uniform(10, 50), rng.uniform(0, 6)),),
        table=str(rng.choice(["dark wood", "light wood", "stone", "green felt"])),
        light=Light(level=rng.uniform(0.78, 0.94), tint=_tint(rng, 0.03), slope=rng.uniform(0.02, 0.2),
                    slope_angle=rng.uniform(0, 360)),
        lens=Lens(defocus=rng.uniform(0.0, 0.02), noise=rng.uniform(0.004, 0.012), quality=int(rng.integers(85, 96))),
    )


def _tint(rng: np.random.Generator, spread: float) -> tuple[float, float, float]:
    return tuple(float(v) for v in np.exp(rng.normal(0, spread, 3)))
