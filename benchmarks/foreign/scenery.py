"""Tables, cloths and the things that lie on sheets, as pictures of the table in millimetres or on the photo."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks.foreign.surface import Camera

#: Pixels a millimetre of a table's picture.
_SCALE = 3.0
#: Side of a table's picture, millimetres; beyond it the picture is mirrored.
_SIDE = 520.0

TABLES = ("dark wood", "light wood", "cloth", "checked", "flowers", "stone", "white", "newsprint", "green felt")


def table(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A table top, float32 RGB 0 to 1, shape (n, n, 3)."""
    n = int(_SIDE * _SCALE)
    y, x = np.mgrid[0:n, 0:n].astype(np.float32) / _SCALE
    if kind in ("dark wood", "light wood"):
        return _wood(x, y, kind == "dark wood", rng)
    if kind in ("cloth", "checked", "flowers"):
        return _cloth(kind, x, y, rng)
    if kind == "newsprint":
        return _newsprint(n, rng)
    colours = {"white": (0.94, 0.94, 0.93), "stone": (0.5, 0.48, 0.45), "green felt": (0.1, 0.36, 0.22)}
    rough = {"white": 0.006, "stone": 0.07, "green felt": 0.03}[kind]
    out = np.array(colours[kind], np.float32) * (1 + rough * _clouds(n, 2, rng)[..., None])
    return (out * (1 + rough * _clouds(n, 40, rng)[..., None])).astype(np.float32)


def _clouds(n: int, size: float, rng: np.random.Generator) -> np.ndarray:
    """Smooth noise with features of ``size`` millimetres, (n, n), about unit spread."""
    k = max(3, int(n / _SCALE / size) + 2)
    return cv2.resize(rng.standard_normal((k, k), np.float32), (n, n), interpolation=cv2.INTER_CUBIC)


def _wood(x: np.ndarray, y: np.ndarray, dark: bool, rng: np.random.Generator) -> np.ndarray:
    n = len(x)
    base = np.array((0.36, 0.22, 0.13) if dark else (0.76, 0.58, 0.38), np.float32) * rng.uniform(0.85, 1.1)
    warp = 9 * _clouds(n, 90, rng) + 2 * cv2.resize(_clouds(n, 30, rng)[:, ::6], (n, n))
    ring = np.sin((y + warp) * rng.uniform(0.5, 1.0)) + 0.4 * np.sin((y + warp) * 2.7)
    fibre = cv2.resize(rng.standard_normal((n, 24), np.float32), (n, n), interpolation=cv2.INTER_LINEAR)
    board = (y % 96 < 1.0) * 0.45
    shade = 1 + 0.09 * ring + 0.05 * fibre - board
    return np.clip(base * shade[..., None], 0, 1)


def _cloth(kind: str, x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n = len(x)
    weave = 1 + 0.05 * np.sin(x * 9) * np.sin(y * 9) + 0.02 * _clouds(n, 12, rng)
    if kind == "checked":
        step = rng.uniform(9, 24)
        level = ((x // step) % 2 + (y // step) % 2) / 2
        colour = np.array([(0.75, 0.12, 0.15), (0.15, 0.25, 0.6), (0.12, 0.42, 0.2)][rng.integers(3)], np.float32)
        return np.clip((1 - level[..., None] * (1 - colour)) * 0.93 * weave[..., None], 0, 1).astype(np.float32)
    base = np.array(rng.uniform(0.35, 0.9, 3), np.float32)
    out = base * weave[..., None]
    count = 260 if kind == "flowers" else 60
    for _ in range(count):
        centre = tuple(int(v) for v in rng.integers(0, n, 2))
        colour = tuple(float(v) for v in rng.uniform(0.1, 1.0, 3))
        if kind == "flowers":
            for k in range(5):
                a = k * 1.2566
                petal = (centre[0] + int(14 * np.cos(a)), centre[1] + int(14 * np.sin(a)))
                cv2.circle(out, petal, 10, colour, -1, cv2.LINE_AA)
            cv2.circle(out, centre, 7, (0.95, 0.85, 0.2), -1, cv2.LINE_AA)
        else:
            cv2.line(out, (centre[0], 0), (centre[0], n), colour, 2 + int(rng.integers(6)), cv2.LINE_AA)
    return np.clip(out, 0, 1).astype(np.float32)


def _newsprint(n: int, rng: np.random.Generator) -> np.ndarray:
    """A newspaper: columns of grey lines of words."""
    out = np.full((n, n, 3), (0.82, 0.80, 0.75), np.float32)
    for left in range(20, n - 150, 170):
        for top in range(20, n - 10, 11):
            at = left
            while at < left + 145:
                end = min(left + 150, at + int(rng.integers(8, 34)))
                if rng.random() < 0.93:
                    cv2.rectangle(out, (at, top), (end, top + 5), (0.42, 0.41, 0.4), -1)
                at = end + 5
    return cv2.GaussianBlur(out, (0, 0), 1.0)


def laid_out(top: np.ndarray, camera: Camera) -> np.ndarray:
    """The table top as the camera sees it, float32 (height, width, 3)."""
    half = 150.0
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    seen = camera.see(np.column_stack([corners, np.zeros(4)]))
    from_page = ((corners + _SIDE / 2) * _SCALE).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(from_page, seen.astype(np.float32))
    return cv2.warpPerspective(top, matrix, (camera.width, camera.height), flags=cv2.INTER_LINEAR,
                               borderMode=cv2.BORDER_REFLECT_101)


def thumb(photo: np.ndarray, nodes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Paints a thumb that holds the sheet's edge into the photo; comes back with its mask, bool (H, W)."""
    side = int(rng.integers(2))  # left or right edge of the grid
    rows = nodes.shape[0]
    at = int(rng.integers(rows // 3, rows))
    edge, inner = (nodes[at, 0], nodes[at, 1]) if side == 0 else (nodes[at, -1], nodes[at, -2])
    inward = (inner - edge) / np.linalg.norm(inner - edge)
    width = np.linalg.norm(nodes[-1, 0] - nodes[0, 0]) / (rows - 1) * rng.uniform(1.5, 2.0)
    tip = edge + inward * width * rng.uniform(0.2, 1.3)
    return _limb(photo, tip, -inward, width, (0.82, 0.60, 0.48), rng)


def _limb(photo: np.ndarray, tip: np.ndarray, away: np.ndarray, width: float, colour: tuple,
          rng: np.random.Generator) -> np.ndarray:
    across = np.array([-away[1], away[0]])
    t = np.linspace(-np.pi / 2, np.pi / 2, 25)[:, None]
    cap = tip + away * width * 0.62 * (1 - np.cos(t)) + across * width / 2 * np.sin(t)
    far = away * width * 12 + across * width * rng.normal(0, 1.0)
    shape = np.concatenate([cap, [cap[-1] + far + across * 0.3 * width, cap[0] + far - across * 0.3 * width]])
    mask = np.zeros(photo.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(shape * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    _drop_shadow(photo, mask, width * 0.12)
    inside = cv2.GaussianBlur(mask, (0, 0), width * 0.16)
    skin = np.array(colour, np.float32) * rng.uniform(0.6, 1.1) * (0.55 + 0.5 * inside[..., None])
    photo[:] = photo * (1 - mask[..., None]) + skin * mask[..., None]
    nail = tip + away * width * 0.42
    axes = (int(width * 0.26), int(width * 0.3))
    angle = float(np.rad2deg(np.arctan2(across[1], across[0])))
    cover = np.zeros(photo.shape[:2], np.float32)
    cv2.ellipse(cover, tuple(int(v) for v in nail), axes, angle, 0, 360, 0.35, -1, cv2.LINE_AA)
    photo[:] = photo * (1 - cover[..., None]) + np.array((0.95, 0.8, 0.76), np.float32) * cover[..., None]
    return mask > 0.3


def pencil(photo: np.ndarray, nodes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Lays a pencil over a part of the grid; comes back with its mask, bool (H, W)."""
    rows = nodes.shape[0]
    row = np.linalg.norm(nodes[-1, 0] - nodes[0, 0]) / (rows - 1)
    middle = nodes.reshape(-1, 2).mean(axis=0)
    target = nodes[int(rng.integers(rows // 3, rows)), int(rng.integers(nodes.shape[1]))]
    a = rng.uniform(0, 2 * np.pi)
    tip, away = target, np.array([np.cos(a), np.sin(a)])
    if away @ (target - middle) < 0:
        away = -away
    across = np.array([-away[1], away[0]])
    half = row * rng.uniform(0.36, 0.45)
    body = np.array([tip + away * half * 4 - across * half, tip + away * 40 * half - across * half,
                     tip + away * 40 * half + across * half, tip + away * half * 4 + across * half])
    shape = np.concatenate([[tip], body])
    mask = np.zeros(photo.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(shape * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    _drop_shadow(photo, mask, half * 0.5)
    photo[:] = photo * (1 - mask[..., None]) + np.array((0.86, 0.70, 0.50), np.float32) * mask[..., None]
    paint = np.array([(0.9, 0.7, 0.1), (0.15, 0.3, 0.6), (0.7, 0.12, 0.12), (0.1, 0.1, 0.1)][rng.integers(4)])
    for k, shade in ((0, 0.75), (1, 1.0), (2, 0.85)):
        strip = [body[0] + across * half * 2 / 3 * k, body[1] + across * half * 2 / 3 * k]
        strip += [strip[1] + across * half * 2 / 3, strip[0] + across * half * 2 / 3]
        cv2.fillPoly(photo, [np.round(np.array(strip) * 16).astype(np.int32)], tuple(paint * shade), cv2.LINE_AA, 4)
    lead = np.array([tip, tip + away * half * 1.2 - across * half * 0.3, tip + away * half * 1.2 + across * half * 0.3])
    cv2.fillPoly(photo, [np.round(lead * 16).astype(np.int32)], (0.1, 0.1, 0.1), cv2.LINE_AA, 4)
    return mask > 0.3


def _drop_shadow(photo: np.ndarray, mask: np.ndarray, size: float) -> None:
    move = np.array([[1, 0, size], [0, 1, size]], np.float32)
    soft = cv2.GaussianBlur(cv2.warpAffine(mask, move, mask.shape[::-1]), (0, 0), max(1.0, size))
    photo *= 1 - 0.45 * soft[..., None]
