"""From the paths of a command line to the photos to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scanner.batch import Task
from scanner.commands.status import say
from scanner.intake.contents import contents
from scanner.intake.places import place_of
from scanner.sheet.errors import InputError

#: Missing files named at most; a shell's pattern may give hundreds.
_NAMED = 5


@dataclass(frozen=True)
class Photos:
    """What stands behind the paths of a command line; ``missed``: some folder could not be looked into."""

    tasks: list[Task]
    missed: bool = False


def find_photos(paths: Iterable[str], recursive: bool = False) -> Photos:
    """The photos behind files, folders, zips and PDFs, in the order given, those of a folder by name; each once.

    A file given by name is always taken, whatever its suffix, and a missing one too (its result says so), unless
    nothing that was given exists. What is passed over in a folder or zip is said in a word.

    Raises:
        InputError: there is nothing to read.
    """
    tasks: dict[str, Task] = {}
    missed = False
    for given in paths:
        found = contents(given, recursive)
        missed |= found.missed
        for remark in found.remarks:
            say(f"clabber: {remark}")
        for name in found.names:
            tasks.setdefault(str(Path(name).absolute()), Task(Path(name), name))
    if not any(_is_there(place_of(task.name).file) for task in tasks.values()):
        gone = list(dict.fromkeys(place_of(task.name).file for task in tasks.values()))
        more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
        why = "no photos found (JPEG, PNG, WebP, TIFF, HEIC, PDF or zip)"
        if gone:
            why = f"there is no file {', '.join(map(str, gone[:_NAMED]))}{more}"
        raise InputError(f"nothing to read: {why}.")
    return Photos(list(tasks.values()), missed)


def _is_there(path: Path) -> bool:
    """Whether there is, or may be, such a file: one that may not be looked at is not missing."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True
