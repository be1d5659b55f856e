"""Output files: names that stay in their folder, and never half a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from output_samples import sample_result

from scanner.output.files import make_folder, output_name, write_atomically
from scanner.sheet.errors import InputError
from scanner.sheet.results import PhotoResult


def test_a_name_is_the_photos_name_and_the_start_of_its_hash():
    assert output_name(sample_result("nights/IMG_0412.jpg"), ".json") == "IMG_0412.jpg-01234567.json"


def test_a_folder_is_no_file_to_write_and_the_message_says_so(tmp_path: Path):
    with pytest.raises(InputError, match="this is a folder"):
        write_atomically(tmp_path, b"{}")
    assert list(tmp_path.iterdir()) == [] and not list(tmp_path.parent.glob(".part-*"))


@pytest.mark.parametrize(
    "photo", ["../../etc/passwd", "..", "/", "a\\..\\b", "x" * 500, "é" * 200, "n\nl\x1b[2J", "", "."]
)
def test_hostile_names_stay_in_the_folder(photo: str, tmp_path: Path):
    name = output_name(PhotoResult(photo, "ab" * 32, 0, 0), ".json")
    write_atomically(tmp_path / name, b"{}")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert name.isprintable() and name.endswith("-abababab.json")


@given(st.text(st.characters(exclude_categories=[]), max_size=300))
def test_every_name_is_one_file_name_a_file_system_takes(photo: str):
    name = output_name(PhotoResult(photo, "ab" * 32, 0, 0), ".json")
    assert "/" not in name and "\\" not in name and "\0" not in name and not name.startswith(".")
    assert len(name.encode("utf-8")) <= 255


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match=r"a\.json.*No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_file_in_the_place_of_a_folder_is_refused_with_its_name(tmp_path: Path):
    (tmp_path / "out").write_text("here first")
    with pytest.raises(InputError, match="out.*another"):
        make_folder(tmp_path / "out")
    assert (tmp_path / "out").read_text() == "here first"
