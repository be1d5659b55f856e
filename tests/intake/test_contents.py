"""What stands behind files and folders: every photo, pages and zips too, and a word about what is passed over."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from documents import filled, jpeg, pdf, zipped
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from scanner.intake.contents import contents
from scanner.intake.kinds import kind_of, sort_of
from scanner.intake.places import place_of
from scanner.photo.load import Photo, load

MOVIE = b"\0\0\0\x14ftypqt  " + bytes(40)


@pytest.fixture
def camera(tmp_path: Path) -> Path:
    """A folder as it comes off a phone, with a scanner's and an e-mail's files in it."""
    for name, data in {
        "IMG_1.HEIC": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(9), "IMG_1.MOV": MOVIE, "IMG_1.AAE": b"<?xml",
        "._IMG_1.HEIC": b"\0\5\x16\7", ".DS_Store": b"x", "Thumbs.db": b"x", "roster.toml": b"", "night.json": b"{}",
        "whatsapp": jpeg(), "scan.PDF": pdf([filled(1, 1, 1)]), "mail.zip": zipped({"x.jpg": jpeg()}), "empty.jpg": b"",
        "clip.mp4": b"\0\0\0\x14ftypisom" + bytes(40), "letter.rtf": b"{\\rtf1}", "live.livp": zipped({"y.heic": b"?"}),
    }.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "older").mkdir()
    (tmp_path / "older" / "IMG_0.jpg").write_bytes(jpeg())
    return tmp_path


def test_nothing_that_could_be_a_photo_is_passed_over_in_silence(camera: Path) -> None:
    found = contents(str(camera))
    assert found.names == tuple(f"{camera}/{name}" for name in (
        "IMG_1.HEIC", "empty.jpg", "live.livp/y.heic", "mail.zip/x.jpg", "scan.PDF#page=1", "whatsapp"))
    (remark,) = found.remarks
    for words in ("2 videos", "1 note of an edit", "3 hidden files", "1 file that is no picture", "1 folder",
                  "--recursive"):
        assert words in remark
    assert not found.missed


def test_folders_in_folders_when_asked(camera: Path) -> None:
    (camera / "older" / "circle").symlink_to(camera)
    found = contents(str(camera), recursive=True)
    assert f"{camera}/older/IMG_0.jpg" in found.names and len(found.names) == 7
    assert not any("--recursive" in remark for remark in found.remarks)


def test_a_tiff_of_many_pages_is_as_many_photos(tmp_path: Path) -> None:
    stream = io.BytesIO()
    pages = [Image.new("RGB", (9, 9), c) for c in ("red", "blue")]
    pages[0].save(stream, "TIFF", save_all=True, append_images=pages[1:])
    (tmp_path / "fax.tif").write_bytes(stream.getvalue())
    assert contents(str(tmp_path)).names == tuple(f"{tmp_path}/fax.tif#page={n}" for n in (1, 2))


def test_a_file_named_like_a_page_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "odd.pdf#page=1"
    path.write_bytes(jpeg())
    assert place_of(str(path)).file == path and isinstance(load(path), Photo)


def test_a_locked_folder_inside_is_missed_not_fatal(camera: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Path.iterdir

    def iterdir(folder: Path):
        if folder.name == "older":
            raise PermissionError(13, "Permission denied")
        return look(folder)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    found = contents(str(camera), recursive=True)
    assert found.missed and len(found.names) == 6 and "cannot be read" in found.remarks[0]


@given(st.text(max_size=40), st.binary(max_size=80))
def test_any_name_and_any_bytes_have_a_sort(name: str, head: bytes) -> None:
    assert sort_of(name, head) in ("photo", "pages", "zip", "video", "edit", "hidden", "data", "other")


@pytest.mark.parametrize(("head", "kind"), [
    (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "HEIC"), (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf", "AVIF"),
    (b"\0\0\0\x18ftypmif1\0\0\0\0mif1miaf", "HEIC"), (b"\0\0\0\x14ftypqt  ", "video"), (b"\0\0\0\x14ftyp3gp5", "video"),
    (b"", None), (b"ftyp", None),
])
def test_kinds_of_media_containers(head: bytes, kind: str | None) -> None:
    assert kind_of(head) == kind
