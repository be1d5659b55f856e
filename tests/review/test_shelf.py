"""The shelf finds a photo again by its name and bytes, in a zip, on a page, and where it was moved to."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scanner.photo.load import load
from scanner.review.pictures import Shelf


def jpeg(light: int) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.full((24, 40, 3), light, np.uint8)).save(stream, "JPEG")
    return stream.getvalue()


def night(path: Path, light: int) -> str:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("phone/IMG_1.jpg", jpeg(light))
    return f"{path}/phone/IMG_1.jpg"


def test_a_photo_in_a_zip_is_found_where_it_was_and_where_the_zip_was_moved_to(tmp_path: Path) -> None:
    name = night(tmp_path / "night.zip", 90)
    digest = load(name).sha256
    assert Shelf([]).photo(digest, name).sha256 == digest
    (tmp_path / "moved").mkdir()
    (tmp_path / "night.zip").rename(tmp_path / "moved" / "night.zip")
    assert Shelf([]).photo(digest, name) is None
    assert Shelf([tmp_path / "moved"]).photo(digest, name).sha256 == digest


def test_pages_are_found_and_other_bytes_of_the_same_name_are_not(tmp_path: Path) -> None:
    pages = [Image.new("RGB", (20, 20), c) for c in ("red", "blue")]
    pages[0].save(tmp_path / "fax.tif", save_all=True, append_images=pages[1:])
    name = f"{tmp_path}/fax.tif#page=2"
    digest = load(name).sha256
    assert (Shelf([]).photo(digest, name).pixels[5, 5] == (0, 0, 255)).all()
    pages[1].save(tmp_path / "fax.tif", save_all=True, append_images=pages[:1])
    assert Shelf([]).photo(digest, name) is None


@pytest.mark.parametrize("name", ["../secret.jpg", "/etc/passwd", "night.zip/../secret.jpg"])
def test_nothing_else_is_shown(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.jpg").write_bytes(jpeg(1))
    night(tmp_path / "night.zip", 90)
    assert Shelf([tmp_path]).photo("ab" * 32, name) is None
