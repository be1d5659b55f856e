"""How a bent sheet of paper lands in a photograph: exact forward map, and its inverse on a coarse grid of pixels.

The paper is bent along one direction only (a cylinder of any profile: curl, waves, a crease), so nothing on it is
stretched: a point keeps its distance along the paper, and the profile's slope says how far it moves in space.  Then a
pinhole camera with a little radial distortion.

Frames: page pixels in; *paper units* (the page's half diagonal is 1, its middle the origin) and photo pixels out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

Rng = np.random.Generator

#: Photo pixels between the places where the inverse is solved; the map is smooth enough that straight lines between
#: them stay within a hundredth of a pixel.
STRIDE = 8


@dataclass(frozen=True, eq=False)
class Bend:
    """Profile of the paper along ``angle``: slope (radians) and place, tabulated over the length along the paper."""

    angle: float
    length: np.ndarray
    slope: np.ndarray
    along: np.ndarray
    height: np.ndarray

    def slope_at(self, points: np.ndarray) -> np.ndarray:
        """Slope of the paper at points (N, 2) in paper units."""
        return np.interp(points @ (np.cos(self.angle), np.sin(self.angle)), self.length, self.slope)

    def lifted(self, points: np.ndarray) -> np.ndarray:
        """Points (N, 2) of the flat paper in space, (N, 3), z towards the viewer."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        s, t = points @ (cos, sin), points @ (-sin, cos)
        x, z = np.interp(s, self.length, self.along), np.interp(s, self.length, self.height)
        return np.stack([x * cos - t * sin, x * sin + t * cos, z], axis=1)


def bent(angle: float, curl: float = 0.0, wave: float = 0.0, pitch: float = 1.0, crease: float = 0.0,
         at: float = 0.0) -> Bend:
    """A bent paper.

    Args:
        angle: direction of the bending, radians from the page's x axis.
        curl: turn of the paper over a half diagonal, radians.
        wave: slope's amplitude of a wave of ``pitch`` half diagonals.
        crease: turn at a fold, radians, ``at`` half diagonals from the middle, rounded over a fortieth.
    """
    length = np.linspace(-3, 3, 6001)
    s = np.clip(length, -1.05, 1.05)
    slope = curl * s + wave * np.cos(2 * np.pi * s / pitch + 3 * at) + 0.5 * crease * np.tanh((s - at) / 0.025)
    step = length[1] - length[0]
    along, height = np.cumsum(np.cos(slope)) * step, np.cumsum(np.sin(slope)) * step
    height -= height[np.abs(length) <= 1].min()
    return Bend(angle, length, slope, along - np.interp(0, length, along), height)


@dataclass(frozen=True, eq=False)
class View:
    """A camera before a paper.

    Attributes:
        page: (height, width) of the page in pixels.
        photo: (height, width) of the photo in pixels.
        bend: shape of the paper.
        turn: (3, 3) rotation of the paper before the camera.
        distance: of the camera, in half diagonals.
        focus: photo pixels to a unit at distance 1.
        centre: photo pixel of the optical axis' foot after shifting.
        barrel: radial distortion at the photo's corner.
    """

    page: tuple[int, int]
    photo: tuple[int, int]
    bend: Bend
    turn: np.ndarray
    distance: float
    focus: float
    centre: tuple[float, float]
    barrel: float = 0.0

    def units(self, points: np.ndarray) -> np.ndarray:
        """Page pixels to paper units."""
        height, width = self.page
        return (points - ((width - 1) / 2, (height - 1) / 2)) / (0.5 * np.hypot(height, width))

    def pixels(self, units: np.ndarray) -> np.ndarray:
        """Paper units to page pixels."""
        height, width = self.page
        return units * (0.5 * np.hypot(height, width)) + ((width - 1) / 2, (height - 1) / 2)

    def project(self, points: np.ndarray, flat: bool = False) -> np.ndarray:
        """Photo pixels of page pixels, both (N, 2); ``flat`` for the table under the paper."""
        return self._seen(self.units(np.asarray(points, float)), flat)

    def _seen(self, units: np.ndarray, flat: bool = False) -> np.ndarray:
        space = np.column_stack([units, np.zeros(len(units))]) if flat else self.bend.lifted(units)
        x, y, z = (space @ self.turn.T).T
        far = np.maximum(self.distance - z, 0.2)
        seen = np.stack([x / far, y / far], axis=1) * self.focus + self.centre
        if self.barrel:
            middle = np.array([self.photo[1] - 1, self.photo[0] - 1]) / 2
            away = (seen - middle) / np.hypot(*middle)
            seen = seen + (seen - middle) * self.barrel * np.minimum((away**2).sum(axis=1, keepdims=True), 4.0)
        return seen

    def table(self) -> np.ndarray:
        """(3, 3) homography from paper units on the table to photo pixels."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
        return cv2.getPerspectiveTransform(square.astype(np.float32), self._seen(square, flat=True).astype(np.float32))

    def back(self) -> tuple[np.ndarray, np.ndarray]:
        """Where every STRIDE-th photo pixel lies on the paper.

        Returns:
            Paper units, float (h, w, 2), at photo pixels ``(i + 0.5) * STRIDE - 0.5``, and whether each was found.
        """
        h, w = -(-self.photo[0] // STRIDE), -(-self.photo[1] // STRIDE)
        xs, ys = (np.arange(w) + 0.5) * STRIDE - 0.5, (np.arange(h) + 0.5) * STRIDE - 0.5
        goal = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        units = cv2.perspectiveTransform(goal[None], np.linalg.inv(self.table()))[0]
        near = (np.abs(units) < 1.8).all(axis=1)
        units[~near] = 9.0
        units[near], found = self._solved(units[near], goal[near])
        near[near] = found
        return units.reshape(h, w, 2), near.reshape(h, w)

    def _solved(self, units: np.ndarray, goal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Newton's method from a first guess; each point on its own, derivatives by differences."""
        step = 1e-4
        for _ in range(6):
            here = self._seen(units)
            dx = (self._seen(units + (step, 0)) - here) / step
            dy = (self._seen(units + (0, step)) - here) / step
            off = goal - here
            det = dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0]
            det = np.where(np.abs(det) < 1e-3, 1e-3, det)
            move = np.stack([off[:, 0] * dy[:, 1] - off[:, 1] * dy[:, 0],
                             dx[:, 0] * off[:, 1] - dx[:, 1] * off[:, 0]], axis=1) / det[:, None]
            units = units + np.clip(move, -0.3, 0.3)
            if np.abs(off).max() < 0.005:
                break
        return units, np.abs(self._seen(units) - goal).max(axis=1) < 0.05


def random_view(page: tuple[int, int], photo: tuple[int, int], inside: np.ndarray, rng: Rng, trouble: float,
                fill: float | None = None) -> View:
    """A camera held over a page so that the points ``inside`` (N, 2), page pixels, are in the picture.

    Args:
        trouble: 0 for a flat sheet seen from above to 1 for curled, creased ones seen at a slant.
        fill: share of the frame the page takes, above 1 when it runs out of it; random when left out.
    """
    bend = _random_bend(rng, trouble)
    tilt = np.radians(4 + 24 * trouble) * rng.uniform(-1, 1, 2) * np.sqrt(rng.random())
    roll = rng.normal(0, np.radians(2 + 9 * trouble))
    distance = float(rng.uniform(2.6 - 0.5 * trouble, 5))
    fill = float(rng.uniform(0.72, 1.02)) if fill is None else fill
    barrel = float(rng.normal(0, 0.006 + 0.008 * trouble))
    turn = _rotation(tilt[0], tilt[1], roll)
    for _ in range(12):
        view = _framed(View(page, photo, bend, turn, distance, 1.0, (0.0, 0.0)), fill, rng, barrel)
        seen = view.project(inside)
        margin = 0.008 * max(photo)
        if (seen > margin).all() and (seen < np.array([photo[1], photo[0]]) - margin).all():
            return view
        fill *= 0.93
    return view


def _random_bend(rng: Rng, trouble: float) -> Bend:
    angle = float(rng.choice([0, np.pi / 2]) + rng.normal(0, 0.3))
    curl = float(rng.normal(0, 0.05 + 0.22 * trouble))
    wave = float(abs(rng.normal(0, 0.02 + 0.05 * trouble)))
    crease = float(rng.normal(0, 0.22)) if rng.random() < 0.35 * trouble else 0.0
    return bent(angle, curl, wave, float(rng.uniform(0.8, 2.5)), crease, float(rng.uniform(-0.5, 0.5)))


def _rotation(x: float, y: float, z: float) -> np.ndarray:
    rx = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    ry = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    rz = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    return rx @ ry @ rz


def _framed(view: View, fill: float, rng: Rng, barrel: float) -> View:
    """The view zoomed and shifted so that the page fills its share of the frame, somewhere in it."""
    height, width = view.page
    rim = np.array([[x, y] for x in np.linspace(0, width - 1, 9) for y in np.linspace(0, height - 1, 9)])
    seen = view.project(rim)
    low, high = seen.min(axis=0), seen.max(axis=0)
    frame = np.array([view.photo[1], view.photo[0]], float)
    focus = float(fill * (frame / (high - low)).min())
    slack = frame - focus * (high - low)
    place = slack * rng.uniform(0.2, 0.8, 2) - focus * low
    return replace(view, focus=focus, centre=(float(place[0]), float(place[1])), barrel=barrel)
