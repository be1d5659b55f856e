"""PDFs: every page a photo, and every way a PDF can be none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from documents import LOCKED, filled, jpeg, pdf
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.intake.contents import contents
from scanner.intake.limits import MOST_PAGES
from scanner.intake.pdfs import PAGE_SIDE
from scanner.photo.load import Photo, decode, load
from scanner.sheet.results import PhotoError

THREE = pdf([filled(1, 0, 0), filled(0, 1, 0), filled(0, 0, 1)])


def test_every_page_is_a_photo_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "night.jpg"  # told by content, not by name
    path.write_bytes(THREE)
    names = contents(str(path)).names
    assert names == tuple(f"{path}#page={n}" for n in (1, 2, 3))
    photos = [load(name) for name in names]
    assert [photo.name for photo in photos] == list(names)
    assert len({photo.sha256 for photo in photos}) == 3
    for photo, colour in zip(photos, np.eye(3) * 255, strict=True):
        assert PAGE_SIDE <= photo.height <= PAGE_SIDE + 1 and abs(photo.width - PAGE_SIDE * 612 / 792) <= 1
        np.testing.assert_array_equal(photo.pixels[photo.height // 2, photo.width // 2], colour)
        assert not photo.pixels[20, 20].any(), "the black corner is at the top left"


def test_a_scanned_page_shows_its_picture() -> None:
    data = jpeg((30, 160, 90))
    image = b"<< /Type /XObject /Subtype /Image /Width 40 /Height 24 /ColorSpace /DeviceRGB /BitsPerComponent 8 " \
            b"/Filter /DCTDecode /Length %d >>\nstream\n%s\nendstream" % (len(data), data)
    photo = decode(pdf([b"612 0 0 792 0 0 cm /Im Do"], shared=image), "scan.pdf", 1)
    assert isinstance(photo, Photo)
    assert np.abs(photo.pixels.mean(axis=(0, 1)) - (30, 160, 90)).max() < 5


def refused(data: bytes, page: int | None = 1) -> PhotoError:
    result = decode(data, "x.pdf", page)
    assert isinstance(result, PhotoError) and result.message.startswith("x.pdf: ") and len(result.message) < 300
    return result


def test_locked_broken_empty_and_missing_pages_have_their_reasons() -> None:
    locked = refused(pdf([filled(1, 1, 1)], encrypt=LOCKED))
    assert locked.code == "unsupported" and "password" in locked.message
    assert refused(THREE[: len(THREE) // 3]).code == "truncated"
    assert refused(b"%PDF-1.4\nhello").code == "truncated"
    assert ".)" not in refused(b"%PDF-1.4\nhello").message
    assert refused(THREE, 4).code == "not-an-image" and "no page 4" in refused(THREE, 4).message
    assert refused(THREE, None).code == "not-an-image" and "3 pages" in refused(THREE, None).message


def test_a_picture_that_would_fill_all_memory_is_not_unpacked() -> None:
    image = b"<< /Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8" \
            b" /Filter /FlateDecode /Length 8 >>\nstream\nx\x9c\x03\0\0\0\0\x01\nendstream"
    assert refused(pdf([b"612 0 0 792 0 0 cm /Im Do"], shared=image)).code == "too-large"


def test_ten_thousand_pages_are_one_refusal(tmp_path: Path) -> None:
    path = tmp_path / "big.pdf"
    path.write_bytes(pdf([b""] * 10_000))
    assert contents(str(path)).names == (str(path),)
    result = load(path)
    assert result.code == "too-large" and str(MOST_PAGES) in result.message


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=60), st.integers(0, len(THREE) - 1))
def test_damage_anywhere_gives_a_value(junk: bytes, at: int) -> None:
    assert isinstance(decode(THREE[:at] + junk + THREE[at + len(junk):], "x.pdf", 2), Photo | PhotoError)
