"""Every way a file can be no photo, and every way a photo can be stored."""

from __future__ import annotations

import io
import os
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from scanner.photo.load import MOST_BYTES, Photo, decode, load
from scanner.sheet.results import PhotoError

#: A small picture with four different corners, so that every turn and flip shows.
CORNERED = np.zeros((24, 40, 3), np.uint8)
CORNERED[:12, :20], CORNERED[:12, 20:], CORNERED[12:, :20] = (250, 10, 10), (10, 250, 10), (10, 10, 250)


def encoded(image: Image.Image, kind: str, **options) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def code(result: Photo | PhotoError) -> str:
    assert isinstance(result, PhotoError)
    assert result.message.startswith("x.jpg: ") and len(result.message) < 400
    return result.code


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP", "JPEG"])
def test_reads_by_content_whatever_the_name(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.dat"
    path.write_bytes(encoded(Image.fromarray(CORNERED), kind, **({"lossless": True} if kind == "WEBP" else {})))
    photo = load(path)
    assert isinstance(photo, Photo)
    assert (photo.width, photo.height, photo.name) == (40, 24, str(path))
    assert np.abs(photo.pixels.astype(int) - CORNERED).mean() < (8 if kind == "JPEG" else 1e-9)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_all_eight_exif_turns_show_what_a_viewer_shows(orientation: int) -> None:
    stored = Image.fromarray(CORNERED)
    # The turns of the EXIF standard, undone here by Pillow's own operations: an implementation of its own.
    undo = {
        2: [Image.Transpose.FLIP_LEFT_RIGHT], 3: [Image.Transpose.ROTATE_180], 4: [Image.Transpose.FLIP_TOP_BOTTOM],
        5: [Image.Transpose.TRANSPOSE], 6: [Image.Transpose.ROTATE_90], 7: [Image.Transpose.TRANSVERSE],
        8: [Image.Transpose.ROTATE_270],
    }
    for step in undo.get(orientation, []):
        stored = stored.transpose(step)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = decode(encoded(stored, "PNG", exif=exif), "x.jpg")
    assert isinstance(photo, Photo)
    np.testing.assert_array_equal(photo.pixels, CORNERED)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_tall_picture_is_turned_whole(orientation: int) -> None:
    """Pixels are taken over in bands of rows, the last of them shorter."""
    pixels = np.random.default_rng(orientation).integers(0, 256, (333, 7, 3), dtype=np.uint8)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = decode(encoded(Image.fromarray(pixels), "PNG", exif=exif), "x.png")
    assert isinstance(photo, Photo)
    right = ImageOps.exif_transpose(Image.open(io.BytesIO(encoded(Image.fromarray(pixels), "PNG", exif=exif))))
    np.testing.assert_array_equal(photo.pixels, np.asarray(right))


def test_damaged_exif_does_not_cost_the_photo() -> None:
    data = encoded(Image.fromarray(CORNERED), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\x7f")
    assert isinstance(decode(data, "x.jpg"), Photo)


def test_depths_and_colours_become_rgb() -> None:
    grey = np.linspace(0, 65535, 24 * 40).reshape(24, 40).astype(np.uint16)
    deep = decode(encoded(Image.fromarray(grey), "PNG"), "x.jpg")
    assert isinstance(deep, Photo)
    np.testing.assert_allclose(deep.pixels[..., 1], grey / 257, atol=0.51)
    cmyk = decode(encoded(Image.fromarray(CORNERED).convert("CMYK"), "TIFF"), "x.jpg")
    assert isinstance(cmyk, Photo) and np.abs(cmyk.pixels.astype(int) - CORNERED).max() <= 1
    see_through = Image.new("RGBA", (40, 24), (0, 0, 0, 0))
    white = decode(encoded(see_through, "PNG"), "x.jpg")
    assert isinstance(white, Photo) and (white.pixels == 255).all()


def test_empty_folder_missing_and_pipe(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe.jpg")
    for path, word in [(tmp_path / "empty.jpg", "empty"), (tmp_path, "folder"), (tmp_path / "no.jpg", "opened"),
                       (tmp_path / "pipe.jpg", "no ordinary file"), (Path("a\0b.jpg"), "opened")]:
        result = load(path)
        assert isinstance(result, PhotoError) and result.code == "not-an-image"
        assert str(path) in result.message and word in result.message


@pytest.mark.parametrize(("data", "expected"), [
    (b"Dear secretary, here is the sheet.", "not-an-image"),
    (b"GIF89a" + bytes(50), "truncated"), (b"%PDF-1.7\n", "truncated"), (b"PK\3\4" + bytes(40), "unsupported"),
    (b"\0\0\0\x18ftypqt  " + bytes(20), "unsupported"), (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "truncated"),
    (b"Rar!\x1a\7\0", "unsupported"), (b"BM" + bytes(30), "truncated"),
])
def test_other_files_are_told_by_their_first_bytes(data: bytes, expected: str) -> None:
    assert code(decode(data, "x.jpg")) == expected


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "GIF", "AVIF"])
def test_of_an_animated_picture_the_first_frame_is_read_and_that_is_said(kind: str) -> None:
    frames = [Image.new("RGB", (20, 20), c) for c in ("red", "blue", "lime")]
    photo = decode(encoded(frames[0], kind, save_all=True, append_images=frames[1:]), "x.jpg")
    assert isinstance(photo, Photo) and "first frame" in photo.notes[0]
    assert np.abs(photo.pixels.astype(int) - (255, 0, 0)).max() < 12


def test_each_page_of_a_tiff_is_a_photo_and_previews_are_none() -> None:
    pages = [Image.new("RGB", (20, 20), c) for c in ("red", "blue", "lime")]
    stream = io.BytesIO()
    pages[0].save(stream, "TIFF", save_all=True, append_images=pages[1:])
    for number, colour in enumerate([(255, 0, 0), (0, 0, 255), (0, 255, 0)], 1):
        photo = decode(stream.getvalue(), "x.jpg", number)
        assert isinstance(photo, Photo) and (photo.pixels == colour).all() and photo.notes == ()
    assert code(decode(stream.getvalue(), "x.jpg", 4)) == "not-an-image"
    whole = decode(stream.getvalue(), "x.jpg")
    assert isinstance(whole, Photo) and "first of 3 pages" in whole.notes[0]
    assert whole.sha256 != decode(stream.getvalue(), "x.jpg", 1).sha256
    with_preview = io.BytesIO()
    preview = Image.new("RGB", (5, 5), "lime")
    preview.encoderinfo = {"tiffinfo": {254: 1}}
    pages[0].save(with_preview, "TIFF", save_all=True, append_images=[preview])
    photo = decode(with_preview.getvalue(), "x.jpg")
    assert isinstance(photo, Photo) and photo.notes == () and photo.width == 20


def test_only_documents_have_pages() -> None:
    assert code(decode(encoded(Image.fromarray(CORNERED), "PNG"), "x.jpg", 2)) == "not-an-image"


def test_heic_under_any_name_or_a_word_about_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    heif = pytest.importorskip("pillow_heif")
    heif.register_heif_opener()
    data = encoded(Image.fromarray(CORNERED), "HEIF", quality=95)
    photo = decode(data, "x.jpg")
    assert isinstance(photo, Photo) and np.abs(photo.pixels.astype(int) - CORNERED).mean() < 8
    assert code(decode(data[:len(data) // 2], "x.jpg")) == "truncated"
    monkeypatch.setattr("scanner.photo.load._heic_ready", lambda: False)
    refused = decode(data, "x.jpg")
    assert code(refused) == "unsupported" and "clabber-sheets[heic]" in refused.message


@pytest.mark.parametrize("orientation", range(1, 9))
def test_heic_is_turned_once(orientation: int) -> None:
    """Phones write both the turn of the container and the EXIF tag; a viewer obeys the first and not the second."""
    heif = pytest.importorskip("pillow_heif")
    exif = Image.Exif()
    exif[0x0112] = orientation
    stream = io.BytesIO()
    heif.from_pillow(Image.fromarray(CORNERED)).save(stream, quality=95, exif=exif.tobytes())
    photo = decode(stream.getvalue(), "x.jpg")
    shown = heif.open_heif(stream.getvalue(), convert_hdr_to_8bit=True).to_pillow()
    assert isinstance(photo, Photo) and photo.pixels.shape[:2] == shown.size[::-1]
    np.testing.assert_array_equal(photo.pixels, np.asarray(shown))


def test_a_phones_double_picture_is_its_first() -> None:
    first, second = Image.fromarray(CORNERED), Image.new("RGB", (40, 24), "white")
    photo = decode(encoded(first, "MPO", save_all=True, append_images=[second]), "x.jpg")
    assert isinstance(photo, Photo) and np.abs(photo.pixels.astype(int) - CORNERED).mean() < 8


def _png_header(width: int, height: int) -> bytes:
    """A PNG that claims to be huge and holds next to nothing."""
    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([1, 0, 0, 0, 0])
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(64))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("size", [(9000, 9000), (12000, 12000), (60000, 60000)])
def test_bombs_are_refused_before_decoding(size: tuple[int, int]) -> None:
    assert code(decode(_png_header(*size), "x.jpg")) == "too-large"


def test_too_many_bytes_are_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jpg"
    with path.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)  # a sparse file
    result = load(path)
    assert isinstance(result, PhotoError) and result.code == "too-large"


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["JPEG", "PNG", "WEBP", "TIFF"]), st.floats(0.0, 0.97))
def test_a_cut_off_file_is_an_error_never_a_photo_or_a_crash(kind: str, part: float) -> None:
    noise = np.random.default_rng(5).integers(0, 255, (60, 80, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), kind)
    cut = decode(data[:int(part * len(data))], "x.jpg")
    assert code(cut) in ("truncated", "not-an-image")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_value(data: bytes) -> None:
    assert isinstance(decode(data, "x.jpg"), Photo | PhotoError)
