"""The picture agrees with its truth: dots printed at the crossings are found in the photo where the nodes say."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from scanner.sheet.layout import load_layout
from scanner.workshop.camera import photograph, scan, shrunk
from scanner.workshop.develop import save_turned
from scanner.workshop.pads import print_pad


@pytest.fixture(scope="module")
def dotted():
    """A white page with a round black dot on every crossing instead of rulings (one grid: two may lie too close)."""
    page = print_pad(load_layout("evansville"), np.random.default_rng(3), ppm=4.0, trouble=0.0)
    pixels = np.ones_like(page.pixels)
    for point in np.concatenate([n.reshape(-1, 2) for n in page.nodes]):
        cv2.circle(pixels, np.round(point * 16).astype(int).tolist(), int(0.14 * page.pitch * 16), (0, 0, 0), -1,
                   cv2.LINE_AA, 4)
    return replace(page, pixels=pixels, mask=np.full_like(page.mask, 255))


def _farthest(shot):
    """Largest distance between a node and the middle of the dark spot around it, in row heights."""
    grey = shot.pixels.mean(axis=2)
    worst = 0.0
    for nodes in shot.nodes:
        row = np.linalg.norm(np.diff(nodes, axis=0), axis=-1).mean()
        for x, y in nodes.reshape(-1, 2):
            reach = 0.32 * row
            x0, y0 = int(x - reach), int(y - reach)
            part = grey[y0 : int(y + reach) + 2, x0 : int(x + reach) + 2]
            dark = np.clip(np.quantile(part, 0.9) * 0.8 - part, 0, None)
            ys, xs = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
            middle = np.array([(dark * xs).sum(), (dark * ys).sum()]) / dark.sum() + (x0, y0)
            worst = max(worst, float(np.hypot(*(middle - (x, y)))) / row)
    return worst


@pytest.mark.parametrize("seed", [1, 2])
def test_nodes_are_where_the_photo_shows_them(dotted, seed):
    shot = photograph(dotted, np.random.default_rng(seed), size=(900, 700), trouble=0.3, background="white table")
    assert _farthest(shot) < 0.03


def test_nodes_of_a_scan_and_of_a_small_copy(dotted):
    shot = scan(dotted, np.random.default_rng(5), size=(1000, 900), trouble=0.2)
    assert _farthest(shot) < 0.03
    small = shrunk(shot, 640, np.random.default_rng(1))
    assert max(small.pixels.shape[:2]) == 640
    assert _farthest(small) < 0.05


def test_a_wrong_node_would_be_noticed(dotted):
    shot = scan(dotted, np.random.default_rng(5), size=(1000, 900), trouble=0.2)
    row = np.linalg.norm(np.diff(shot.nodes[0], axis=0), axis=-1).mean()
    assert _farthest(replace(shot, nodes=tuple(n + 0.12 * row for n in shot.nodes))) > 0.08


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_viewer_turns_the_stored_picture_back(tmp_path, degrees):
    photo = np.full((60, 100, 3), 240, np.uint8)
    photo[:20, :30] = (200, 30, 30)
    save_turned(photo, tmp_path / "a.jpg", 95, degrees)
    with Image.open(tmp_path / "a.jpg") as stored:
        assert stored.size == ((100, 60) if degrees % 180 == 0 else (60, 100))
        seen = np.asarray(ImageOps.exif_transpose(stored), float)
    assert seen.shape == photo.shape
    assert np.abs(seen - photo).mean() < 6
