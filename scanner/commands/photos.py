"""From the paths of a command line to the photos to read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from scanner.batch import Task
from scanner.commands.status import say
from scanner.sheet.errors import InputError

#: What is taken for a photo inside a folder. HEIC cannot be opened yet, but must be named in the list of failures
#: rather than passed over in silence.
PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp", ".tif", ".tiff", ".heic", ".heif"})


def find_photos(paths: Iterable[str]) -> list[Task]:
    """The photos behind files and folders, in the order given, those of a folder by name; each file once.

    A file given by name is always taken, whatever its suffix, and a missing one too (its result says so), unless
    nothing that was given exists.

    Raises:
        InputError: there is nothing to read.
    """
    tasks: dict[str, Task] = {}
    problems: list[str] = []
    for given in paths:
        for name in _behind(given, problems):
            tasks.setdefault(str(Path(name).absolute()), Task(Path(name), name))
    for problem in problems:
        say(f"clabber: {problem}")
    if not any(task.path.exists() for task in tasks.values()):
        first = next(iter(tasks), None)
        why = f"there is no file {first}" if first else "no photos found (JPEG, PNG, WebP or TIFF)"
        raise InputError(f"nothing to read: {why}.")
    return list(tasks.values())


def _behind(given: str, problems: list[str]) -> list[str]:
    """The path itself, or ``folder/name`` for every photo of a folder."""
    folder = Path(given)
    try:
        if not folder.is_dir():
            return [given]
        names = sorted(p.name for p in folder.iterdir() if _is_photo(p))
    except OSError as error:
        problems.append(f"{given}: this folder cannot be read ({error.strerror}); check its permissions.")
        return []
    if not names:
        problems.append(f"{given}: no photos in this folder (JPEG, PNG, WebP or TIFF).")
    return [str(folder / name) for name in names]


def _is_photo(path: Path) -> bool:
    return path.suffix.lower() in PHOTO_SUFFIXES and not path.name.startswith(".") and not path.is_dir()
