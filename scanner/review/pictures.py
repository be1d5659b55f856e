"""Pictures for the page: a cell large, the rows above it, the head of a sheet, a whole sheet; all cut from the photo.

A season keeps only the path and the SHA-256 of a photo.  A file is shown only if its bytes have that SHA-256, so a
moved or changed photo is never mistaken for another, and nothing else on the disk can be looked at through the page.
"""

from __future__ import annotations

import base64
import io
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import numpy as np
from PIL import Image

from scanner.intake.places import place_of
from scanner.photo.load import Photo, load
from scanner.sheet.results import Quad

#: Decoded photos kept in memory; the one being asked about, the next and the last. 36 MB each at 12 megapixels.
_KEPT = 3
#: Sides of pictures in pixels on the screen: a cell fills half a tablet, a row its width, a sheet can be zoomed twice.
CELL_WIDTH, ROW_WIDTH, SHEET_SIDE, SMALL_HEIGHT = 560, 1100, 2000, 56


@dataclass(frozen=True)
class Picture:
    """A JPEG as a data URL, its size in pixels, and where in it the asked cell lies (None: nowhere)."""

    image: str
    width: int
    height: int
    box: Quad | None = None


class Shelf:
    """Finds photos by path, in the season's folder and in folders a person named; keeps the last few decoded."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = list(folders)
        self._photos: OrderedDict[str, Photo] = OrderedDict()
        self._lock = threading.Lock()

    def photo(self, sha256: str, name: str) -> Photo | None:
        """The decoded photo, or None if no file with these bytes is where it was or in the folders."""
        with self._lock:
            if sha256 not in self._photos:
                found = self._search(sha256, name)
                if found is None:
                    return None
                self._photos[sha256] = found
                while len(self._photos) > _KEPT:
                    self._photos.popitem(last=False)
            self._photos.move_to_end(sha256)
            return self._photos[sha256]

    def _search(self, sha256: str, name: str) -> Photo | None:
        # A photo in a zip keeps the zip's name when the zip was moved, so every tail of its path is tried.
        parts = PurePath(name).parts
        tails = [PurePath(*parts[start:]) for start in range(len(parts))]
        for path in (Path(name), *(folder / tail for folder in self.folders for tail in tails)):
            if place_of(str(path)).is_there:
                photo = load(path)
                if isinstance(photo, Photo) and photo.sha256 == sha256:
                    return photo
        return None


def cell_picture(pixels: np.ndarray, box: Quad, margin: float = 0.3, width: int = CELL_WIDTH) -> Picture:
    """A cell flattened and enlarged, with ``margin`` of its height around it."""
    tall, wide = _sizes(box)
    edge = margin * tall
    scale = width / (wide + 2 * edge)
    inner = _rectangle(edge * scale, edge * scale, wide * scale, tall * scale)
    return _flattened(pixels, box, inner, (width, round((tall + 2 * edge) * scale)))


def rows_picture(pixels: np.ndarray, rows: Sequence[tuple[Quad, Quad]], box: Quad) -> Picture:
    """Rows of a grid flattened, from the top; each is the boxes of its first and last cell; ``box`` is marked."""
    first, last = rows[0], rows[-1]
    around = (first[0][0], first[1][1], last[1][2], last[0][3])
    tall, wide = _sizes(around)
    edge = tall / len(rows) * 0.25
    scale = ROW_WIDTH / (wide + 2 * edge)
    inner = _rectangle(edge * scale, edge * scale, wide * scale, tall * scale)
    return _flattened(pixels, around, inner, (ROW_WIDTH, round((tall + 2 * edge) * scale)), box)


def head_picture(pixels: np.ndarray, quad: Quad, row: float) -> Picture:
    """What is printed and written above a sheet's grids; ``row`` is a row's part of the quad's height."""
    tall, wide = _sizes(quad)
    above = min(max(6 * row, 0.45), 0.9) * tall
    scale = ROW_WIDTH / (wide * 1.1)
    inner = _rectangle(0.05 * wide * scale, above * scale, wide * scale, tall * scale)
    return _flattened(pixels, quad, inner, (ROW_WIDTH, round((above + 1.2 * row * tall) * scale)))


def sheet_picture(pixels: np.ndarray, side: int = SHEET_SIDE) -> Picture:
    """The whole photo, its longer side at most ``side`` pixels."""
    image = Image.fromarray(pixels)
    image.thumbnail((side, side), Image.Resampling.BILINEAR, reducing_gap=2.0)
    return Picture(_data_url(image), image.width, image.height)


def small_picture(pixels: np.ndarray, box: Quad) -> Picture:
    """A cell small, for pages that compare many."""
    tall, wide = _sizes(box)
    return cell_picture(pixels, box, 0.12, max(24, round(SMALL_HEIGHT * wide / tall)))


def _sizes(box: Quad) -> tuple[float, float]:
    """Mean height and width of four corners, at least a pixel."""
    a, b, c, d = np.asarray(box, dtype=float)
    sides = [np.linalg.norm(x) for x in (d - a, c - b, b - a, c - d)]
    return max(1.0, float(sides[0] + sides[1]) / 2), max(1.0, float(sides[2] + sides[3]) / 2)


def _rectangle(left: float, top: float, width: float, height: float) -> np.ndarray:
    return np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])


def _flattened(pixels: np.ndarray, quad: Quad, inner: np.ndarray, size: tuple[int, int],
               box: Quad | None = None) -> Picture:
    """The photo seen so that ``quad`` falls on ``inner`` in a picture of ``size``."""
    size = (max(8, size[0]), max(8, size[1]))
    back = homography(inner, np.asarray(quad, dtype=float))
    corners = apply(back, _rectangle(0, 0, *size))
    low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 2, 0, None)
    high = np.ceil(corners.max(axis=0)).astype(int) + 2
    part = np.ascontiguousarray(pixels[low[1]:high[1], low[0]:high[0]])
    if 0 in part.shape[:2]:
        return Picture(_data_url(Image.new("RGB", size, "white")), *size)
    # Shrunk first when the photo is finer than the screen, so that no stroke falls between two samples.
    factor = max(1, int((high - low).max() / max(size)))
    image = Image.fromarray(part).reduce(factor) if factor > 1 else Image.fromarray(part)
    moved = np.array([[1 / factor, 0, -low[0] / factor], [0, 1 / factor, -low[1] / factor], [0, 0, 1]]) @ back
    moved /= moved[2, 2]
    flat = image.transform(size, Image.Transform.PERSPECTIVE, moved.ravel()[:8], Image.Resampling.BILINEAR,
                           fillcolor="white")
    marked = None if box is None else apply(np.linalg.inv(back), np.asarray(box, dtype=float))
    return Picture(_data_url(flat), *size, None if marked is None else tuple((float(x), float(y)) for x, y in marked))


def homography(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The 3 x 3 perspective that takes four points, shape (4, 2), to four others: eight equations, eight unknowns."""
    rows, right = [], []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.append(np.linalg.solve(np.array(rows, dtype=float), np.array(right, dtype=float)), 1.0).reshape(3, 3)


def apply(perspective: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points, shape (n, 2), seen through a perspective."""
    flat = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ perspective.T
    return flat[:, :2] / flat[:, 2:]


def _data_url(image: Image.Image) -> str:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=82)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
