"""Where a bent sheet lies and how a camera sees it: millimetres on the page to pixels of the photo, and back."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

#: Photo pixels between two places whose origin on the page is solved exactly; between them it is interpolated.
_STEP = 8
#: Newton steps from the flat page to the bent one; the last changes nothing over a hundredth of a pixel.
_NEWTON = 7


@dataclass(frozen=True)
class Bend:
    """One deformation of a sheet, a function of the distance along ``angle`` (degrees on the page) past ``offset``.

    Attributes:
        kind: ``lift`` (the part past the offset rises in a parabola), ``wave`` (a swell of wavelength ``width``)
            or ``crease`` (a ridge with flat flanks, rounded over ``width``).
        offset: millimetres from the page's middle.
        amount: ``lift``: rise at 100 mm past the offset, mm; ``wave``: height, mm; ``crease``: slope of the flanks.
        width: see ``kind``, mm.
    """

    kind: str
    angle: float
    offset: float
    amount: float
    width: float = 4.0

    def rise(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Height above the table, millimetres, up to a constant."""
        a = np.deg2rad(self.angle)
        s = x * np.cos(a) + y * np.sin(a) - self.offset
        if self.kind == "lift":
            return self.amount * (np.maximum(s, 0) / 100) ** 2
        if self.kind == "wave":
            return self.amount * 0.5 * (1 + np.sin(2 * np.pi * s / self.width))
        return -self.amount * (np.sqrt(s**2 + self.width**2) - self.width)


@dataclass(frozen=True)
class Camera:
    """A pinhole camera over the table, or a scanner (``focal`` 0).

    Attributes:
        width, height: of the photo as a viewer shows it, pixels.
        focal: focal length in long sides of the photo.
        pitch, yaw: how far it looks from the side, degrees.
        distance: to the point looked at, millimetres; for a scanner, millimetres a pixel.
        centre: where in the photo the table's origin stands, pixels.
    """

    width: int
    height: int
    focal: float
    pitch: float
    yaw: float
    distance: float
    centre: tuple[float, float]

    def see(self, points: np.ndarray) -> np.ndarray:
        """Pixels (..., 2) of points (..., 3) in millimetres over the table, y towards the viewer."""
        if not self.focal:
            return points[..., :2] / self.distance + self.centre
        a, b = np.deg2rad([self.pitch, self.yaw])
        tip = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        turn = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        at = (points * (1, 1, -1)) @ (tip @ turn).T  # height brings a point nearer to the camera
        depth = np.maximum(at[..., 2:] + self.distance, 1.0)
        return at[..., :2] / depth * self.focal * max(self.width, self.height) + self.centre


@dataclass(frozen=True)
class Placed:
    """A sheet of ``size`` millimetres, bent, turned by ``turn`` degrees and laid at ``at`` on the table."""

    size: tuple[float, float]
    bends: tuple[Bend, ...]
    turn: float
    at: tuple[float, float]
    camera: Camera

    def height(self, page: np.ndarray) -> np.ndarray:
        """Millimetres above the table of places (..., 2) in millimetres on the page; never below 0 on the page."""
        half = np.array(self.size) / 2
        x, y = np.moveaxis(np.clip(page - half, -half - 8, half + 8), -1, 0)
        return sum((b.rise(x, y) for b in self.bends), np.zeros(x.shape)) - self._lowest

    @property
    def _lowest(self) -> float:
        w, h = np.array(self.size) / 2
        x, y = np.meshgrid(np.linspace(-w, w, 25), np.linspace(-h, h, 25))
        return float(sum((b.rise(x, y) for b in self.bends), np.zeros(x.shape)).min())

    def to_photo(self, page: np.ndarray) -> np.ndarray:
        """Photo pixels of places (..., 2) in millimetres on the page."""
        page = np.asarray(page, float)
        a = np.deg2rad(self.turn)
        flat = (page - np.array(self.size) / 2) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        lifted = np.concatenate([flat + self.at, self.height(page)[..., None]], axis=-1)
        return self.camera.see(lifted)

    def outline(self) -> np.ndarray:
        """The page's edge in the photo, (n, 2) pixels, clockwise from its top left."""
        w, h = self.size
        t = np.linspace(0, 1, 12, endpoint=False)
        sides = [((0, 0), (w, 0)), ((w, 0), (w, h)), ((w, h), (0, h)), ((0, h), (0, 0))]
        return self.to_photo(np.concatenate([np.array(a) + t[:, None] * (np.array(b) - a) for a, b in sides]))

    def origins(self) -> tuple[np.ndarray, tuple[int, int, int, int]]:
        """For a box of photo pixels (x0, y0, x1, y1) around the sheet, where on the page every pixel lies (mm)."""
        outline = self.outline()
        frame = np.array([self.camera.width, self.camera.height])
        low = np.clip(np.floor(outline.min(axis=0)) - 4, 0, frame - 2).astype(int)
        high = np.clip(np.ceil(outline.max(axis=0)) + 4, low + 2, frame).astype(int)
        size = high - low
        count = -(-size // _STEP)
        x, y = (low[k] + np.arange(count[k]) * _STEP + (_STEP - 1) / 2 for k in (0, 1))
        net = self._solve(np.stack(np.meshgrid(x, y), axis=-1)).astype(np.float32)
        full = cv2.resize(net, (int(count[0] * _STEP), int(count[1] * _STEP)), interpolation=cv2.INTER_LINEAR)
        return full[:size[1], :size[0]], (low[0], low[1], high[0], high[1])

    def _solve(self, target: np.ndarray) -> np.ndarray:
        w, h = self.size
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
        flat = cv2.getPerspectiveTransform(self.to_photo(corners).astype(np.float32), corners.astype(np.float32))
        page = cv2.perspectiveTransform(target.reshape(-1, 1, 2), flat).reshape(target.shape)
        page = np.clip(page, (-0.5 * w, -0.5 * h), (1.5 * w, 1.5 * h))
        for _ in range(_NEWTON):
            here = self.to_photo(page)
            dx, dy = (self.to_photo(page + d) - here for d in ((0.5, 0.0), (0.0, 0.5)))
            miss = target - here
            cross = dx[..., 0] * dy[..., 1] - dx[..., 1] * dy[..., 0]
            cross = np.where(np.abs(cross) < 1e-6, 1e-6, cross)
            step = np.stack([miss[..., 0] * dy[..., 1] - miss[..., 1] * dy[..., 0],
                             dx[..., 0] * miss[..., 1] - dx[..., 1] * miss[..., 0]], axis=-1) / cross[..., None] / 2
            page = page + np.clip(step, -20, 20)
        return page

    def shade(self, light: tuple[float, float]) -> np.ndarray:
        """How bright the bent page is under a light from ``light`` (x, y slopes): net (31, 31) over the page."""
        u, v = (np.linspace(0, side, 31) for side in self.size)
        z = self.height(np.stack(np.meshgrid(u, v), axis=-1))
        dy, dx = np.gradient(z, v[1], u[1])
        return np.clip(1 + dx * light[0] + dy * light[1], 0.55, 1.3).astype(np.float32)


def aimed(camera: Camera, places: list[Placed], fill: float, shift: tuple[float, float]) -> tuple[Camera, list[Placed]]:
    """The camera moved so that the sheets fill a share of the frame.

    ``shift``: how far off centre, -1 and 1 where an edge of the frame is reached; beyond that the rest of it, in widths
    and heights of the sheets, lies outside the photo.
    """
    frame = np.array([camera.width, camera.height], float)
    for _ in range(8):
        points = np.concatenate([_seen_by(p, camera).outline() for p in places])
        low, high = points.min(axis=0), points.max(axis=0)
        ratio = ((high - low) / frame).max() / fill
        room = (frame - (high - low) / ratio).clip(0)
        off = np.clip(shift, -1, 1) * room / 2 + (np.array(shift) - np.clip(shift, -1, 1)) * (high - low) / ratio
        centre = np.array(camera.centre) + frame / 2 + off - (low + high) / 2
        camera = Camera(camera.width, camera.height, camera.focal, camera.pitch, camera.yaw,
                        camera.distance * ratio, (float(centre[0]), float(centre[1])))
    return camera, [_seen_by(p, camera) for p in places]


def _seen_by(place: Placed, camera: Camera) -> Placed:
    return Placed(place.size, place.bends, place.turn, place.at, camera)
