"""Photos in a zip, read one at a time and never unpacked to the disk."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scanner.intake.kinds import HEAD, kind_of, sort_of
from scanner.intake.limits import MOST_BYTES, MOST_CONTENTS, MOST_MEMBERS, MOST_SWELL, SMALL
from scanner.intake.refusal import Refused

# The end record of a zip (PKWARE APPNOTE 4.3.16) and the 64-bit one (4.3.14): the size of the table of contents.
_END, _END64 = b"PK\x05\x06", b"PK\x06\x06"
_UNZIP = "Unzip it and scan the folder."


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The zip at ``path``, its table of contents read.

    Raises:
        Refused: damaged, or with a table of contents that is too large to be one of photos.
    """
    try:
        _refuse_large_contents(path)
        with zipfile.ZipFile(path) as file:
            yield file
    except (zipfile.BadZipFile, OSError, ValueError, UnicodeDecodeError) as error:
        raise Refused("truncated", f"the zip is damaged or incomplete ({error}). Copy or make it again.") from error


def members(file: zipfile.ZipFile) -> list[tuple[str, str]]:
    """(name, sort) of every file in the zip in the order of names; see :func:`scanner.intake.kinds.sort_of`.

    Raises:
        Refused: more files than :data:`MOST_MEMBERS`.
    """
    infos = [info for info in file.infolist() if not info.is_dir()]
    if len(infos) > MOST_MEMBERS:
        raise Refused("too-large", f"the zip holds {len(infos)} files, at most {MOST_MEMBERS} are read. {_UNZIP}")
    found = {tidy(info.filename): sort_of(info.filename, _head(file, info)) for info in infos}
    return sorted(found.items())


def read(file: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of one file in the zip; ``name`` as :func:`members` gave it.

    Raises:
        Refused: no such file, or one that is locked, damaged, too large, swells like a bomb, is itself a zip, or has
            a name that leads out of the folder it would be unpacked into.
    """
    same = [info for info in file.infolist() if tidy(info.filename) == name and not info.is_dir()]
    if not same:
        raise Refused("not-an-image", "there is no such file in the zip. Check the name.")
    if len(same) > 1:
        raise Refused("unsupported", f"the zip holds {len(same)} files of this name. {_UNZIP}")
    _refuse(same[0])
    try:
        with file.open(same[0]) as stream:
            data = stream.read(MOST_BYTES + 1)
    except NotImplementedError as error:
        raise Refused("unsupported", f"it is packed in a way that is not read ({error}). {_UNZIP}") from error
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, ValueError, zlib.error) as error:
        raise Refused("truncated", f"it is damaged inside the zip ({error}). Make the zip again.") from error
    if len(data) > MOST_BYTES:
        raise Refused("too-large", f"it has more than {MOST_BYTES // 1_000_000} MB. Save it smaller.")
    if not data:
        raise Refused("not-an-image", "the file is empty (0 bytes). Copy it from the phone again.")
    if kind_of(data[:HEAD]) == "zip":
        raise Refused("unsupported", f"a zip inside a zip is not opened. {_UNZIP}")
    return data


def tidy(name: str) -> str:
    """A name in a zip as it stands behind the zip's own: what leads out stays visible, double slashes do not.

    >>> tidy("night//./IMG_1.jpg"), tidy("../../etc/x.jpg"), tidy("/etc/x.jpg")
    ('night/IMG_1.jpg', '../../etc/x.jpg', '../etc/x.jpg')
    """
    slashed = name.replace("\\", "/")
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    rooted = slashed.startswith("/") or slashed[1:2] == ":"
    return "/".join([".."] * rooted + parts)


def _refuse(info: zipfile.ZipInfo) -> None:
    if ".." in tidy(info.filename).split("/"):
        raise Refused("unsupported", "its name leads out of the zip, as no phone or camera would write it; it was "
                                     "left alone. Ask whoever made the zip.")
    if info.flag_bits & 1:
        raise Refused("unsupported", f"the zip is locked with a password. {_UNZIP}")
    if info.file_size > MOST_BYTES:
        raise Refused("too-large", f"it has {info.file_size / 1e6:.0f} MB, at most {MOST_BYTES // 1_000_000} are read. "
                                   "Save it smaller.")
    if info.file_size > SMALL and info.file_size > MOST_SWELL * max(info.compress_size, 1):
        raise Refused("too-large", f"it swells from {info.compress_size} to {info.file_size} bytes, as no photo does; "
                                   "it was left alone. Ask whoever made the zip.")


def _head(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The first bytes of a file in the zip; none if it cannot be opened, which its result says later."""
    try:
        _refuse(info)
        with file.open(info) as stream:
            return stream.read(HEAD)
    except Exception:  # noqa: BLE001 - a hostile zip raises anything
        return b""


def _refuse_large_contents(path: Path) -> None:
    """Before Python reads the table of contents whole: its size, from the end record."""
    with path.open("rb") as stream:
        stream.seek(0, 2)
        stream.seek(max(0, stream.tell() - 65_557 - 76))
        tail = stream.read()
    at, at64 = tail.rfind(_END), tail.rfind(_END64)
    size = int.from_bytes(tail[at + 12:at + 16], "little") if at >= 0 else 0
    if size == 0xFFFFFFFF and at64 >= 0:
        size = int.from_bytes(tail[at64 + 40:at64 + 48], "little")
    if size > MOST_CONTENTS:
        raise Refused("too-large", f"the zip's table of contents alone has {size / 1e6:.0f} MB: too many files. "
                                   f"{_UNZIP}")
