"""A page photographed on a table, or laid on a scanner: the picture, and where every crossing of the rulings fell.

All coordinates that come out are pixels of the picture as a viewer shows it, centres of pixels whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from scanner.workshop import develop, lighting
from scanner.workshop.pads import Page
from scanner.workshop.surface import STRIDE, View, bent, random_view
from scanner.workshop.tables import SIDE, random_table, table
from scanner.workshop.things import KINDS, put_thing

Rng = np.random.Generator

#: Rows of the picture worked on at a time, so that a large photo needs little more memory than itself.
_STRIP = 256


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture of a page.

    Attributes:
        pixels: uint8 RGB (H, W, 3).
        nodes: for every grid, float (lines + 1, columns + 1, 2): crossings of the rulings in the picture.
        background: name of the table top, or ``scanner``.
    """

    pixels: np.ndarray
    nodes: tuple[np.ndarray, ...]
    background: str


def photograph(
    page: Page,
    rng: Rng,
    *,
    size: tuple[int, int],
    trouble: float = 0.5,
    keep: list[np.ndarray] | None = None,
    background: str | None = None,
    fill: float | None = None,
) -> Shot:
    """A phone's picture of a page on a table.

    Args:
        size: (width, height) of the picture.
        trouble: 0 for a careful photo in good light to 1 for everything at once.
        keep: polygons (N, 2), page pixels, that nothing may lie on; all grids when left out.
        background: a table top by name (see :mod:`scanner.workshop.tables`); random when left out.
        fill: share of the frame that the page takes; random when left out.
    """
    shape = size[1], size[0]
    inside = np.concatenate([n.reshape(-1, 2) for n in page.nodes])
    view = random_view(page.pixels.shape[:2], shape, inside, rng, trouble, fill)
    name, top = random_table(rng) if background is None else (background, table(background, rng))
    nodes = _carried(view, page.nodes)
    row = _row_height(nodes[0])
    paper, mask, shade = _laid(view, page, rng)
    photo = _on_table(view, paper, mask, shade, _table_seen(view, top, rng), row, rng)
    del paper, mask, shade
    _clutter(photo, view, page, row, keep, rng, trouble)
    _lit(photo, rng, trouble)
    return Shot(develop.expose(photo, row, rng, trouble), nodes, name)


def scan(page: Page, rng: Rng, *, size: tuple[int, int], trouble: float = 0.3) -> Shot:
    """A flatbed scan or a photocopy of the page: nearly straight, evenly lit, a little stretched by the feed."""
    shape = size[1], size[0]
    height, width = page.pixels.shape[:2]
    roll = rng.normal(0, 0.012 + 0.02 * trouble)
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    stretch = np.diag([1 + rng.normal(0, 0.008), 1 + rng.normal(0, 0.008), 1.0])
    half = 0.5 * np.hypot(height, width)
    focus = 500.0 * half * min(size[0] / width, size[1] / height) * rng.uniform(0.9, 0.97)
    centre = (size[0] / 2 + rng.normal(0, 0.008) * size[0], size[1] / 2 + rng.normal(0, 0.008) * size[1])
    flat = bent(0.0, curl=0.0)
    view = View((height, width), shape, flat, turn @ stretch, 500.0, focus, centre)
    paper, mask, shade = _laid(view, page, rng)
    lid = np.full((*shape, 3), float(rng.choice([250, 225, 60, 15])), np.float32).astype(np.uint8)
    nodes = _carried(view, page.nodes)
    row = _row_height(nodes[0])
    photo = _on_table(view, paper, mask, np.ones_like(shade), lid, row, rng)
    if rng.random() < 0.35:
        photo = develop.photocopy(photo, rng)
    return Shot(develop.expose(photo, row, rng, 0.3 * trouble), nodes, "scanner")


def shrunk(shot: Shot, long_side: int, rng: Rng) -> Shot:
    """The shot as a messenger passes it on, its longer side at most ``long_side`` pixels."""
    pixels, factor = develop.messenger_copy(shot.pixels, long_side, rng)
    real = np.array([pixels.shape[1] / shot.pixels.shape[1], pixels.shape[0] / shot.pixels.shape[0]])
    return replace(shot, pixels=pixels, nodes=tuple((n + 0.5) * real - 0.5 for n in shot.nodes))


def _carried(view: View, grids: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return tuple(view.project(n.reshape(-1, 2)).reshape(n.shape) for n in grids)


def _row_height(nodes: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(nodes, axis=0), axis=-1).mean())


def _laid(view: View, page: Page, rng: Rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The page as the camera sees it: uint8 RGB, uint8 mask, and its own shading (h, w) on the coarse grid."""
    units, found = view.back()
    places = np.where(found[..., None], view.pixels(units), -1e4).astype(np.float32)
    full = cv2.resize(places, None, fx=STRIDE, fy=STRIDE, interpolation=cv2.INTER_LINEAR)
    full = full[: view.photo[0], : view.photo[1]]
    flat = np.clip(page.pixels * 255, 0, 255).astype(np.uint8)
    finer = _finer(places)
    if finer > 1.15:
        # The page has more pixels than the picture: soften first, or thin rulings break into steps.
        flat = cv2.GaussianBlur(flat, (0, 0), 0.45 * np.sqrt(finer**2 - 1))
    paper = cv2.remap(flat, full, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.remap(page.mask, full, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    slope = view.bend.slope_at(units.reshape(-1, 2)).reshape(found.shape)
    shade = 1 + rng.choice([-1, 1]) * rng.uniform(0.15, 0.5) * np.sin(slope)
    return paper, mask, np.clip(shade, 0.5, 1.3).astype(np.float32)


def _finer(places: np.ndarray) -> float:
    """Page pixels to a photo pixel about the middle of the picture."""
    h, w = places.shape[:2]
    step = places[h // 2, w // 2 + 1] - places[h // 2, w // 2]
    return float(np.clip(np.hypot(*step) / STRIDE, 0.1, 8))


def _table_seen(view: View, top: np.ndarray, rng: Rng) -> np.ndarray:
    """The table top in perspective, filling the picture."""
    scale, turn = rng.uniform(250, 520), rng.uniform(0, 2 * np.pi)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    to_picture = np.array([[cos, -sin, SIDE / 2], [sin, cos, SIDE / 2], [0, 0, 1]])
    matrix = to_picture @ np.linalg.inv(view.table())
    return cv2.warpPerspective(top, matrix, view.photo[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                               borderMode=cv2.BORDER_REFLECT_101)


def _on_table(view: View, paper: np.ndarray, mask: np.ndarray, shade: np.ndarray, ground: np.ndarray, row: float,
              rng: Rng) -> np.ndarray:
    """Paper over the table, with the shadow it throws on it; writes into ``ground`` and returns it."""
    small = cv2.resize(mask, None, fx=1 / lighting.COARSE, fy=1 / lighting.COARSE, interpolation=cv2.INTER_AREA)
    fall = rng.normal(0, 0.12, 2) * row / lighting.COARSE
    shift = np.float32([[1, 0, fall[0]], [0, 1, fall[1]]])
    under = cv2.warpAffine(small, shift, small.shape[::-1]).astype(np.float32) / 255
    under = 1 - rng.uniform(0.2, 0.6) * cv2.GaussianBlur(under, (0, 0), max(0.6, 0.15 * row / lighting.COARSE))
    shape = ground.shape[:2]
    for top in range(0, shape[0], _STRIP):
        part = slice(top, min(top + _STRIP, shape[0]))
        share = mask[part, :, None].astype(np.float32) / 255
        below = ground[part] * _strip(under, shape, part)[..., None]
        above = paper[part] * _strip(shade, shape, part)[..., None]
        ground[part] = np.clip(below + share * (above - below), 0, 255)
    return ground


def _lit(photo: np.ndarray, rng: Rng, trouble: float) -> None:
    """Light, shadows and glare on the whole scene, in place."""
    shape = photo.shape[:2]
    coarse = -(-shape[0] // lighting.COARSE), -(-shape[1] // lighting.COARSE)
    gain = lighting.ambient(coarse, rng, trouble) * lighting.shadow(coarse, rng, trouble)[..., None]
    glare = lighting.glare(coarse, rng, trouble)
    # Exposed for the scene: the lightest tenth of the light falls near the top of the scale.
    # In deep shadow a phone exposes longer, so that half of the scene is no darker than a stop below that.
    light = gain.mean(axis=2)
    gain *= max(0.97 / np.quantile(light, 0.9), 0.55 / np.quantile(light, 0.5))
    for top in range(0, shape[0], _STRIP):
        part = slice(top, min(top + _STRIP, shape[0]))
        scene = photo[part] * _strip(gain, shape, part)
        scene += (255 - scene) * _strip(glare, shape, part)[..., None]
        photo[part] = np.clip(scene, 0, 255)


def _strip(field: np.ndarray, shape: tuple[int, int], part: slice) -> np.ndarray:
    """Some rows of a coarse field at full resolution."""
    h, w = field.shape[:2]
    matrix = np.float32([[w / shape[1], 0, 0.5 * w / shape[1] - 0.5],
                         [0, h / shape[0], (part.start + 0.5) * h / shape[0] - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = shape[1], part.stop - part.start
    return cv2.warpAffine(field, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _clutter(photo: np.ndarray, view: View, page: Page, row: float, keep: list[np.ndarray] | None, rng: Rng,
             trouble: float) -> None:
    """Things on the table, now and then on the paper, never on what is kept."""
    scale = 1 / lighting.COARSE
    guard = np.zeros((-(-photo.shape[0] // lighting.COARSE), -(-photo.shape[1] // lighting.COARSE)), np.uint8)
    for polygon in keep if keep is not None else [_outline(n) for n in page.nodes]:
        cv2.fillPoly(guard, [np.round(view.project(polygon) * scale).astype(np.int32)], 255)
    guard = cv2.dilate(guard, np.ones((3, 3), np.uint8))
    for _ in range(int(rng.poisson(0.3 + 1.2 * trouble))):
        put_thing(photo, str(rng.choice(KINDS)), row, guard, rng)


def _outline(nodes: np.ndarray) -> np.ndarray:
    """The rim of a grid, clockwise."""
    return np.concatenate([nodes[0], nodes[1:, -1], nodes[-1, -2::-1], nodes[-2:0:-1, 0]])
