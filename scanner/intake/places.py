"""From the name of a photo to its bytes: ``folder/IMG_1.jpg``, ``night.zip/IMG_1.jpg``, ``night.pdf#page=3``.

A name is what results, season file and review page call a photo, so each leads back to the same bytes.
"""

from __future__ import annotations

import hashlib
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from scanner.intake import zips
from scanner.intake.kinds import HEAD, TAKEN, kind_of
from scanner.intake.limits import MOST_BYTES
from scanner.intake.refusal import Refused
from scanner.sheet.results import PhotoError

_PAGE = re.compile(r"(.+)#page=([1-9][0-9]{0,5})", re.DOTALL)


@dataclass(frozen=True)
class Place:
    """Where a photo is: a file of the disk, a file within it if that is a zip, a page (from 1) of either."""

    file: Path
    member: str | None = None
    page: int | None = None

    @property
    def is_there(self) -> bool:
        """Whether its file exists; what is in the file is not looked at."""
        return _is_file(self.file)


@dataclass(frozen=True, eq=False)
class Source:
    """The bytes of a file, from the disk or out of a zip, and which page of it is meant (None: it is one picture)."""

    name: str
    data: bytes
    page: int | None = None

    @property
    def sha256(self) -> str:
        """Hexadecimal digest of the file's bytes; for a page, of the file's digest and the page's number."""
        digest = hashlib.sha256(self.data).hexdigest()
        return digest if self.page is None else hashlib.sha256(f"{digest}#page={self.page}".encode()).hexdigest()


def place_of(name: str) -> Place:
    """What a name means. A file of the disk comes first, so that one really called ``a#page=1`` is itself."""
    parts = Path(name).parts
    for end in range(1, len(parts) + 1):
        file = Path(*parts[:end])
        if _is_file(file):
            return Place(file) if end == len(parts) else Place(file, *_paged("/".join(parts[end:])))
    stem, page = _paged(name)
    return Place(Path(stem), None, page) if page and _is_file(Path(stem)) else Place(Path(name))


def read_source(name: str) -> Source | PhotoError:
    """The bytes a name leads to, or why there are none."""
    place = place_of(name)
    try:
        if place.member is None:
            return Source(name, _file_bytes(place.file), place.page)
        with zips.opened(place.file) as archive:
            return Source(name, zips.read(archive, place.member), place.page)
    except Refused as refusal:
        return PhotoError(refusal.code, f"{name}: {refusal.reason}")


def fingerprint(name: str | Path) -> str:
    """SHA-256 in hex of what a name leads to (see :attr:`Source.sha256`), "" if that cannot be read."""
    place = place_of(str(name))
    if place.member is None and place.page is None:
        return _digest(place.file)
    source = read_source(str(name))
    return source.sha256 if isinstance(source, Source) else ""


def head_of(path: Path) -> bytes:
    """The first bytes of a file, none if it cannot be read or is no ordinary file."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(HEAD)
    except (OSError, ValueError):
        return b""


def _paged(name: str) -> tuple[str, int | None]:
    match = _PAGE.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, None)


def _file_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise Refused("not-an-image", "is a folder, not a photo. Give the photos in it.")
        if not stat.S_ISREG(status.st_mode):
            raise Refused("not-an-image", "is no ordinary file. Copy the photo to a file first.")
        if status.st_size == 0:
            raise Refused("not-an-image", "the file is empty (0 bytes). Copy it from the phone again.")
        if kind_of(head_of(path)) == "zip":
            raise _whole_zip(path)
        if status.st_size > MOST_BYTES:
            raise Refused("too-large", f"too large ({status.st_size / 1e6:.0f} MB; at most "
                                       f"{MOST_BYTES // 1_000_000} MB are read). Save it smaller, or split it.")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Refused("not-an-image", f"cannot be opened ({reason}). Check the name and the permissions.") from error


def _whole_zip(path: Path) -> Refused:
    """What is to be said of a zip where one photo was wanted."""
    try:
        with zips.opened(path) as archive:
            photos = sum(sort in TAKEN for _, sort in zips.members(archive))
    except Refused as refusal:
        return refusal
    if not photos:
        return Refused("not-an-image", "there is no photo in this zip.")
    return Refused("not-an-image", f"a zip of {photos} files; give one as {path.name}/NAME.")


def _digest(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
