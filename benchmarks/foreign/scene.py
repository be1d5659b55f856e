"""Lays written sheets on a table, looks at them through the camera, and says what is where: a photo with its truth."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.foreign import scenery
from benchmarks.foreign.clutter import ruled_paper
from benchmarks.foreign.light import lit, shrunk, taken
from benchmarks.foreign.pads import print_pad
from benchmarks.foreign.paper import SCALE, Paper
from benchmarks.foreign.plan import Plan
from benchmarks.foreign.sheet import Written, write_sheet
from benchmarks.foreign.surface import Bend, Camera, Placed, aimed
from benchmarks.foreign.wear import worn

#: A cell counts as hidden when more than this share of it is under something, off the paper or washed out.
HIDDEN = 0.06
#: Where a reflection replaces more than this of the light, ink is no longer told from paper.
_WASHED = 0.72


@dataclass(frozen=True)
class Seen:
    """A sheet in the photo: crossings of every grid (rows + 2, columns + 1, 2) in its pixels, hidden cells.

    ``optional``: no fault if the scanner leaves the sheet out, since it is half covered.
    """

    written: Written
    nodes: tuple[np.ndarray, ...]
    hidden: tuple[tuple[int, int, str], ...]
    optional: bool = False


def photograph(plan: Plan, rng: np.random.Generator) -> tuple[np.ndarray, tuple[Seen, ...]]:
    """The photo as a viewer shows it, uint8 RGB, and what is on it, the sheet it is about first."""
    lain = _papers(plan, rng)
    camera, places = _placed(plan, [paper for paper, _ in lain], rng)
    photo = _background(plan, camera, rng)
    drawn = lain[:-1] if plan.sheetless else lain
    covers = [_lay(photo, paper, place, plan, rng) for (paper, _), place in zip(drawn, places, strict=False)]
    about = plan.pad if plan.sheetless else lain[-1][1].pad
    main = [places[-1].to_photo(about.nodes(g)) for g in range(len(about.grids))]
    over = _things(photo, plan, main[0], rng)
    photo, wash = lit(photo, plan.light, np.concatenate([g.reshape(-1, 2) for g in main]), rng)
    over |= cv2.resize(wash, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR) > _WASHED
    row = float(np.median(np.linalg.norm(np.diff(main[0], axis=0), axis=-1)))
    shot = shrunk(taken(photo, plan.lens, row, rng), plan.lens.sent)
    ratio = shot.shape[1] / photo.shape[1]
    seen = []
    for (_, written), place, cover in reversed(list(zip(drawn, places, covers, strict=False))):
        if written is not None:
            nodes = tuple(place.to_photo(written.pad.nodes(g)) for g in range(len(written.pad.grids)))
            hidden = _hidden(written, nodes, over | (cover < 0.5))
            scaled = tuple((n + 0.5) * ratio - 0.5 for n in nodes)
            seen.append(Seen(written, scaled, hidden, optional="covered" in plan.things and bool(seen)))
        over |= cover > 0.5  # what lies on top hides what lies under it
    return shot, tuple(seen)


def _papers(plan: Plan, rng: np.random.Generator) -> list[tuple[Paper, Written | None]]:
    """All papers of the photo from the bottom up, the sheet it is about last."""
    out: list[tuple[Paper, Written | None]] = []
    if "ruled" in plan.things:
        out.append((ruled_paper(rng), None))
    pads = [plan.pad]
    if "second" in plan.things or "covered" in plan.things:
        pads.insert(0, print_pad(rng, plan.pad.layout) if rng.random() < 0.5 else plan.pad)
    for pad in pads:
        written = worn(write_sheet(rng, pad, plan.hand, plan.pens, plan.habits), plan, rng)
        out.append((written.paper, written))
    return out


def _placed(plan: Plan, papers: list[Paper], rng: np.random.Generator) -> tuple[Camera, list[Placed]]:
    """The camera, and every sheet where it lies."""
    long, short = plan.long_side, round(plan.long_side * 0.75)
    size = (short, long) if plan.upright else (long, short)
    sizes = [(p.width, p.height) for p in papers]
    if plan.dpi:
        size = tuple(round(v * plan.dpi / 25.4) for v in (sizes[-1][0] + 14, sizes[-1][1] + 14))
        camera = Camera(*size, 0.0, 0.0, 0.0, 25.4 / plan.dpi, ((size[0] - 1) / 2, (size[1] - 1) / 2))
        return camera, [Placed(s, (), plan.turn, (0.0, 0.0), camera) for s in sizes]
    camera = Camera(*size, plan.focal, plan.pitch, plan.yaw, 400.0, (size[0] / 2, size[1] / 2))
    places = [Placed(sizes[-1], plan.bends, plan.turn, (0.0, 0.0), camera)]
    places = [*(_neighbour(plan, size, sizes[-1], camera, rng) for size in sizes[:-1]), *places]
    aim = places if "second" in plan.things else places[-1:]
    camera, _ = aimed(camera, aim, plan.fill, plan.shift)
    return camera, [Placed(p.size, p.bends, p.turn, p.at, camera) for p in places]


def _neighbour(plan: Plan, size: tuple[float, float], main: tuple[float, float], camera: Camera,
               rng: np.random.Generator) -> Placed:
    """The other paper: beside the sheet, or half under it."""
    side = float(rng.choice([-1, 1]))
    wide = (size[0] + main[0]) / 2
    turn = plan.turn + rng.normal(0, 5)
    if "second" in plan.things:
        at = (side * (wide + rng.uniform(10, 25)), rng.uniform(-15, 15))
    else:
        at = (side * wide * rng.uniform(0.4, 0.65), rng.uniform(-0.2, 0.2) * size[1])
    a = np.deg2rad(plan.turn)
    at = (at[0] * np.cos(a) - at[1] * np.sin(a), at[0] * np.sin(a) + at[1] * np.cos(a))
    return Placed(size, (Bend("lift", rng.uniform(0, 360), 30, rng.uniform(0, 4)),), turn, at, camera)


def _background(plan: Plan, camera: Camera, rng: np.random.Generator) -> np.ndarray:
    if plan.dpi:
        lid = float(rng.choice([0.99, 0.97, 0.15, 0.05]))
        return np.full((camera.height, camera.width, 3), lid, np.float32)
    return scenery.laid_out(scenery.table(plan.table, rng), camera)


def _lay(photo: np.ndarray, paper: Paper, place: Placed, plan: Plan, rng: np.random.Generator) -> np.ndarray:
    """Paints a sheet with its shadow into the photo; comes back with how much of every pixel it covers, 0 to 1."""
    origins, (x0, y0, x1, y1) = place.origins()
    density = np.linalg.norm(place.outline()[12] - place.outline()[0]) / place.size[0]
    shrink = max(1, int(SCALE / max(density, 0.5) / 1.1))
    pixels, cover, scale = paper.pixels, paper.cover, SCALE / shrink
    if shrink > 1:
        size = (pixels.shape[1] // shrink, pixels.shape[0] // shrink)
        cut = (slice(0, size[1] * shrink), slice(0, size[0] * shrink))
        pixels, cover = (cv2.resize(a[cut], size, interpolation=cv2.INTER_AREA) for a in (pixels, cover))
    maps = (origins * scale - 0.5).astype(np.float32)
    colour = cv2.remap(pixels, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32) / 255
    here = cv2.remap(cover, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).astype(np.float32) / 255
    angle = np.deg2rad(plan.light.slope_angle)
    shade = place.shade((1.2 * float(np.cos(angle)), 1.2 * float(np.sin(angle))))
    net = origins / np.array(place.size, np.float32) * 30
    shade = cv2.remap(shade, net.astype(np.float32), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colour *= shade[..., None]
    full = np.zeros(photo.shape[:2], np.float32)
    full[y0:y1, x0:x1] = here
    if not plan.dpi:
        _cast(photo, full, density * rng.uniform(0.6, 1.6), angle)
    part = photo[y0:y1, x0:x1]
    part[:] = part * (1 - here[..., None]) + colour * here[..., None]
    return full


def _cast(photo: np.ndarray, cover: np.ndarray, reach: float, angle: float) -> None:
    """The sheet's shadow on the table, ``reach`` pixels."""
    small = cv2.resize(cover, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    move = np.array([[1, 0, np.cos(angle) * reach / 4], [0, 1, np.sin(angle) * reach / 4]], np.float32)
    soft = cv2.GaussianBlur(cv2.warpAffine(small, move, small.shape[::-1]), (0, 0), max(0.6, reach / 4))
    photo *= 1 - 0.4 * cv2.resize(soft, cover.shape[::-1], interpolation=cv2.INTER_LINEAR)[..., None]


def _things(photo: np.ndarray, plan: Plan, nodes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    over = np.zeros(photo.shape[:2], bool)
    if "pencil" in plan.things:
        over |= scenery.pencil(photo, nodes, rng)
    if "thumb" in plan.things:
        over |= scenery.thumb(photo, nodes, rng)
    return over


def _hidden(written: Written, nodes: tuple[np.ndarray, ...], blind: np.ndarray) -> tuple[tuple[int, int, str], ...]:
    """(grid, row, cell key), from 1, of all cells that cannot be seen well enough to be judged."""
    out = []
    first = written.pad.layout.heading_rows
    h, w = blind.shape
    for number, net in enumerate(nodes, 1):
        for row in range(first, net.shape[0] - 1):
            for column, key in enumerate(written.pad.layout.keys):
                t = np.linspace(0.04, 0.96, 12)
                a, b, c, d = net[row, column], net[row, column + 1], net[row + 1, column], net[row + 1, column + 1]
                u, v = np.meshgrid(t, t)
                u, v = u[..., None], v[..., None]
                places = np.rint((1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d)).astype(int)
                inside = (places >= 0).all(-1) & (places[..., 0] < w) & (places[..., 1] < h)
                clipped = np.clip(places, 0, [w - 1, h - 1])
                gone = blind[clipped[..., 1], clipped[..., 0]] | ~inside
                if gone.mean() > HIDDEN:
                    out.append((number, row - first + 1, key))
    return tuple(out)
