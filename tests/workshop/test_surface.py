"""Paper before a camera: nothing stretched, the inverse undoes the map, and flat paper is a plain perspective."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner.workshop.surface import STRIDE, View, bent, random_view

PAGE, PHOTO = (600, 400), (480, 360)
CORNERS = np.array([[20.0, 20], [380, 20], [380, 580], [20, 580]])


def _grid(count=21):
    return np.stack(np.meshgrid(np.linspace(0, 399, count), np.linspace(0, 599, count)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("bend", [bent(0.3, curl=0.4), bent(1.2, wave=0.1, pitch=0.9), bent(0.0, crease=0.5, at=0.2)])
def test_bent_paper_is_not_stretched(bend):
    """A straight walk over the paper is as long in space as on the paper: sum of small steps, any direction."""
    walk = np.array([-0.6, -0.7]) + np.linspace(0, 1, 4001)[:, None] * np.array([1.1, 1.3])
    steps = np.linalg.norm(np.diff(bend.lifted(walk), axis=0), axis=1)
    assert steps.sum() == pytest.approx(np.hypot(1.1, 1.3), rel=1e-3)


def test_a_curl_turns_the_paper_by_its_angle():
    bend = bent(0.0, curl=0.5)
    right, left = bend.slope_at(np.array([[1.0, 0.3], [-1.0, 0.3]]))
    assert right - left == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_the_inverse_undoes_the_map(seed):
    view = random_view(PAGE, PHOTO, CORNERS, np.random.default_rng(seed), trouble=0.3 * seed)
    units, found = view.back()
    pixels = view.pixels(units[found])
    rows, columns = np.nonzero(found)
    goal = np.stack([(columns + 0.5) * STRIDE - 0.5, (rows + 0.5) * STRIDE - 0.5], axis=1)
    assert np.abs(view.project(pixels) - goal).max() < 0.06
    inside = (pixels > 0).all(axis=1) & (pixels < (399, 599)).all(axis=1)
    assert inside.sum() > 100, "the page is in the picture"


def test_flat_paper_is_seen_in_plain_perspective():
    turn = cv2.Rodrigues(np.array([0.4, -0.2, 0.1]))[0]
    view = View(PAGE, PHOTO, bent(0.0), turn, 3.0, 400.0, (180.0, 240.0))
    points = _grid()
    matrix, _ = cv2.findHomography(points, view.project(points))
    fitted = cv2.perspectiveTransform(points[None], matrix)[0]
    assert np.abs(fitted - view.project(points)).max() < 1e-3
    assert np.allclose(view.project(points, flat=True), view.project(points), atol=1e-6)


def test_curled_paper_is_not_plain_perspective():
    turn = cv2.Rodrigues(np.array([0.4, 0.0, 0.0]))[0]
    view = View(PAGE, PHOTO, bent(np.pi / 2, curl=0.5), turn, 3.0, 400.0, (180.0, 240.0))
    points = _grid()
    matrix, _ = cv2.findHomography(points, view.project(points))
    assert np.abs(cv2.perspectiveTransform(points[None], matrix)[0] - view.project(points)).max() > 2


@pytest.mark.parametrize("fill", [0.6, 1.3])
def test_what_must_be_seen_is_in_the_picture(fill):
    for seed in range(10):
        view = random_view(PAGE, PHOTO, CORNERS, np.random.default_rng(seed), 1.0, fill)
        seen = view.project(CORNERS)
        assert (seen > 0).all() and (seen < (PHOTO[1], PHOTO[0])).all(), f"seed {seed}"
