"""The overlay: what is drawn lies where the cells are, upright whichever way the photo was taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from output_samples import sample_result
from PIL import Image

from scanner.output import ink
from scanner.output.overlay import LONGEST_SIDE, View, draw_overlay, view_of, write_overlay
from scanner.sheet.results import PhotoError, PhotoResult


def paper(height: int = 1200, width: int = 800) -> np.ndarray:
    return np.full((height, width, 3), 240, np.uint8)


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_points_follow_the_pixels_through_cut_scale_and_turn(turns: int):
    pixels = np.zeros((300, 400, 3), np.uint8)
    pixels[120:124, 280:284] = 255
    view = View(50, 20, 390, 290, 0.5, turns)
    corners = ((280.0, 120.0), (284.0, 120.0), (284.0, 124.0), (280.0, 124.0))
    bright = np.argwhere(view.image(pixels)[:, :, 0] > 200)[:, ::-1] + 0.5
    assert np.allclose(view.points(corners).mean(axis=0), bright.mean(axis=0), atol=0.5)


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_sheet_stands_upright_however_the_photo_was_held(quarter: int):
    result = sample_result()
    sheet = result.sheets[0]
    turned = replace(result, sheets=(replace(sheet, quad=sheet.quad[quarter:] + sheet.quad[:quarter]),))
    corners = view_of(paper(), turned).points(turned.sheets[0].quad)
    assert corners[0, 0] < corners[1, 0] and corners[1, 1] < corners[2, 1]


def colours_in(picture: Image.Image, box: tuple[int, int, int, int]) -> set[tuple[int, int, int]]:
    return {colour for _, colour in picture.crop(box).getcolors(1_000_000)}


def test_every_kind_of_cell_has_its_colour_where_the_cell_is():
    result = sample_result()
    picture = draw_overlay(paper(), result)
    view = view_of(paper(), result)
    cells = result.sheets[0].games[0].rows[1].cells

    def seen(key: str) -> set[tuple[int, int, int]]:
        corners = view.points(cells[key].box)
        return colours_in(picture, tuple(int(v) for v in (*corners.min(axis=0), *corners.max(axis=0))))

    assert ink.PURPLE in seen("we_total") and ink.VERMILION not in seen("we_total")
    assert ink.VERMILION in seen("they_total")
    assert ink.ORANGE in seen("total_check") and ink.PURPLE not in seen("total_check")


def test_the_strip_grows_with_what_there_is_to_say():
    result = sample_result()
    quiet = replace(result.sheets[0].games[0], problems=())
    calm = draw_overlay(paper(), replace(result, sheets=(replace(result.sheets[0], games=(quiet,)),)))
    busy = draw_overlay(paper(), result)
    assert busy.width == calm.width and busy.height > calm.height


def test_a_photo_without_a_sheet_says_why():
    result = PhotoResult("x.jpg", "ab" * 32, 800, 1200, error=PhotoError("no-sheet", "x.jpg: no sheet in it"))
    picture = draw_overlay(paper(), result)
    assert ink.VERMILION in colours_in(picture, (0, 1200, picture.width, picture.height))


@pytest.mark.parametrize(
    "quad", [((5.0, 5.0),) * 4, ((-900.0, -900.0), (-800.0, -900.0), (-800.0, -800.0), (-900.0, -800.0))]
)
def test_an_absurd_quad_still_gives_a_picture(quad):
    result = sample_result()
    picture = draw_overlay(paper(), replace(result, sheets=(replace(result.sheets[0], quad=quad, games=()),)))
    assert min(picture.size) > 0


def test_the_file_is_bounded_and_named_by_photo_and_hash(tmp_path: Path):
    path = write_overlay(tmp_path, paper(6000, 4000), sample_result())
    assert path == tmp_path / "IMG_0412.jpg-01234567.jpg"
    with Image.open(path) as picture:
        assert picture.width <= LONGEST_SIDE and not picture.getexif()
