"""Zips: the photos in them, and every way a zip can be made to do harm."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from documents import filled, jpeg, pdf, zipped

from scanner.intake import zips
from scanner.intake.contents import contents
from scanner.intake.limits import MOST_MEMBERS
from scanner.intake.places import fingerprint, place_of
from scanner.photo.load import Photo, decode, load
from scanner.sheet.results import PhotoError


def night(tmp_path: Path, files: dict[str, bytes], **how) -> Path:
    path = tmp_path / "night.zip"
    path.write_bytes(zipped(files, **how))
    return path


def refused(name: object, code: str) -> str:
    result = load(str(name))
    assert isinstance(result, PhotoError) and result.code == code, result
    assert result.message.startswith(f"{name}: ") and len(result.message) < len(str(name)) + 250
    return result.message


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_photos_and_pages_in_it_are_photos_like_any(tmp_path: Path, method: int) -> None:
    picture = jpeg()
    path = night(tmp_path, {
        "b/IMG_2.jpg": jpeg((9, 9, 200)), "a.dat": picture, "scan.pdf": pdf([filled(1, 0, 0), filled(0, 1, 0)]),
        "__MACOSX/._a.dat": b"\0\5\x16\7", "IMG_3.MOV": b"\0\0\0\x14ftypqt  " + bytes(40), "notes.txt": b"hello",
        "IMG_3.AAE": b"<?xml",
    }, method=method)
    found = contents(str(path))
    assert found.names == tuple(f"{path}/{n}" for n in ("a.dat", "b/IMG_2.jpg", "scan.pdf#page=1", "scan.pdf#page=2"))
    (remark,) = found.remarks
    assert "1 video" in remark and "1 note of an edit" in remark and "1 hidden file" in remark
    photo = load(found.names[0])
    assert isinstance(photo, Photo)
    # The same photo in a zip and beside it is one record of a season.
    assert photo.sha256 == decode(picture, "alone.jpg").sha256 == fingerprint(found.names[0])
    green = load(found.names[3])
    assert (green.pixels[-1, -1] == (0, 255, 0)).all() and green.sha256 == fingerprint(found.names[3])


@pytest.mark.parametrize(
    "name", ["../../evil.jpg", "/etc/evil.jpg", "a/../../evil.jpg", "..\\evil.jpg", "C:\\evil.jpg"]
)
def test_a_name_that_climbs_out_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    path = night(deep, {name: jpeg(), "good.jpg": jpeg()})
    before = sorted(tmp_path.rglob("*"))
    names = contents(str(path)).names
    bad = next(n for n in names if not n.endswith("good.jpg"))
    assert ".." in bad and "leads out" in refused(bad, "unsupported")
    assert isinstance(load(f"{path}/good.jpg"), Photo)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_outside_file_cannot_be_reached_through_a_zips_name(tmp_path: Path) -> None:
    path = night(tmp_path, {"good.jpg": jpeg()})
    (tmp_path / "secret.jpg").write_bytes(jpeg())
    assert place_of(f"{path}/../secret.jpg").member == "../secret.jpg"
    refused(f"{path}/../secret.jpg", "not-an-image")


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = night(tmp_path, {"bomb.jpg": bytes(10_000_000), "good.jpg": jpeg()})
    assert "swells" in refused(f"{path}/bomb.jpg", "too-large")
    assert isinstance(load(f"{path}/good.jpg"), Photo)
    monkeypatch.setattr(zips, "MOST_BYTES", 500)
    assert "MB" in refused(f"{path}/bomb.jpg", "too-large")


def test_a_size_that_lies_is_found_out(tmp_path: Path) -> None:
    data = bytearray(zipped({"liar.jpg": bytes(10_000_000)}))
    # Both size fields say a thousand bytes now: in the local header and in the table of contents.
    for at in (22, data.rfind(b"PK\1\2") + 24):
        assert int.from_bytes(data[at:at + 4], "little") == 10_000_000
        data[at:at + 4] = (1000).to_bytes(4, "little")
    path = tmp_path / "night.zip"
    path.write_bytes(data)
    refused(f"{path}/liar.jpg", "truncated")


def test_zips_in_zips_locked_and_doubled_files_are_named(tmp_path: Path) -> None:
    inner = zipped({"x.jpg": jpeg()})
    path = night(tmp_path, {"inner.zip": inner, "inner2.jpg": inner, "ok.jpg": jpeg()})
    assert f"{path}/inner.zip" in contents(str(path)).names
    for name in ("inner.zip", "inner2.jpg"):
        assert "zip inside a zip" in refused(f"{path}/{name}", "unsupported")
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\1\2")
    for flags in (data.rfind(b"PK\3\4") + 6, at + 8):
        data[flags] |= 1
    path.write_bytes(data)
    assert "password" in refused(f"{path}/ok.jpg", "unsupported")
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "w") as file:
        file.writestr("a.jpg", jpeg())
        file.writestr("a.jpg", jpeg())
    assert "2 files of this name" in refused(f"{path}/a.jpg", "unsupported")


def test_broken_empty_and_overfull_zips_are_one_refusal(tmp_path: Path) -> None:
    path = night(tmp_path, {f"{i}.jpg": jpeg() for i in range(5)})
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert contents(str(path)).names == (str(path),)
    refused(path, "truncated")
    path.write_bytes(zipped({"notes.txt": b"hello"}))
    assert "no photo in this zip" in refused(path, "not-an-image")
    path.write_bytes(zipped({}))
    assert "no photo in this zip" in refused(path, "not-an-image")
    path.write_bytes(zipped({f"{i}.jpg": b"" for i in range(MOST_MEMBERS + 1)}))
    assert contents(str(path)).names == (str(path),)
    assert str(MOST_MEMBERS) in refused(path, "too-large")
    # A table of contents of gigabytes is not even read: only its size, where the end record gives it.
    path.write_bytes(b"PK\3\4" + bytes(40) + b"PK\5\6" + bytes(8) + (3 << 30).to_bytes(4, "little") + bytes(6))
    refused(path, "too-large")


def test_letters_and_tables_are_no_zips_of_photos_unless_named(tmp_path: Path) -> None:
    letter = tmp_path / "letter.docx"
    letter.write_bytes(zipped({"word/document.xml": b"<w/>", "word/media/image1.jpeg": jpeg()}))
    found = contents(str(tmp_path))
    assert found.names == () and "1 file that is no picture" in found.remarks[0]
    assert contents(str(letter)).names == (f"{letter}/word/media/image1.jpeg",)


def test_damaged_member_is_told(tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 255, 5000, dtype=np.uint8).tobytes()
    stream = io.BytesIO(zipped({"a.jpg": jpeg() + noise}))
    data = bytearray(stream.getvalue())
    data[len(data) // 2] ^= 0xFF
    path = tmp_path / "night.zip"
    path.write_bytes(data)
    refused(f"{path}/a.jpg", "truncated")
