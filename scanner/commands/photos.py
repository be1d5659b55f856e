"""From the paths of a command line to the photos to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scanner.batch import Task
from scanner.commands.status import say
from scanner.sheet.errors import InputError

#: What is taken for a photo inside a folder. HEIC cannot be opened yet, but must be named in the list of failures
#: rather than passed over in silence.
PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp", ".tif", ".tiff", ".heic", ".heif"})


@dataclass(frozen=True)
class Photos:
    """What stands behind the paths of a command line; ``missed``: some folder could not be looked into."""

    tasks: list[Task]
    missed: bool = False


def find_photos(paths: Iterable[str]) -> Photos:
    """The photos behind files and folders, in the order given, those of a folder by name; each file once.

    A file given by name is always taken, whatever its suffix, and a missing one too (its result says so), unless
    nothing that was given exists.

    Raises:
        InputError: there is nothing to read.
    """
    tasks: dict[str, Task] = {}
    missed = False
    for given in paths:
        names = _behind(given)
        missed |= names is None
        for name in names or ():
            tasks.setdefault(str(Path(name).absolute()), Task(Path(name), name))
    if not any(_is_there(task.path) for task in tasks.values()):
        first = next(iter(tasks), None)
        why = f"there is no file {first}" if first else "no photos found (JPEG, PNG, WebP or TIFF)"
        raise InputError(f"nothing to read: {why}.")
    return Photos(list(tasks.values()), missed)


def _behind(given: str) -> list[str] | None:
    """The path itself, or ``folder/name`` for every photo of a folder; None for a folder that cannot be read."""
    folder = Path(given)
    if not _is_folder(folder):
        return [given]
    try:
        names = sorted(p.name for p in folder.iterdir() if _is_photo(p))
    except OSError as error:
        say(f"clabber: {given}: this folder cannot be read ({error.strerror}); check its permissions.")
        return None
    if not names:
        say(f"clabber: {given}: no photos in this folder (JPEG, PNG, WebP or TIFF).")
    return [str(folder / name) for name in names]


def _is_photo(path: Path) -> bool:
    return path.suffix.lower() in PHOTO_SUFFIXES and not path.name.startswith(".") and not _is_folder(path)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # in a locked folder, or too long a name: a photo whose result says so
        return False


def _is_there(path: Path) -> bool:
    """Whether there is, or may be, such a file: one that may not be looked at is not missing."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True
