"""What stands behind a path given by a person: the names of all photos in it, and what was passed over, in a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scanner.intake import pdfs, tiffs, zips
from scanner.intake.kinds import HEAD, TAKEN, kind_of, sort_of
from scanner.intake.places import Source, head_of, place_of, read_source
from scanner.intake.refusal import Refused
from scanner.sheet.results import PhotoError

#: Sorts of files passed over that are worth a word: the word for one, and for several.
_WORDS = {
    "edit": ("note of an edit (.AAE)", "notes of edits (.AAE)"),
    "folder": ("folder (--recursive looks into it)", "folders (--recursive looks into them)"),
    "hidden": ("hidden file", "hidden files"),
    "locked": ("folder that cannot be read (check its permissions)", "folders that cannot be read (check permissions)"),
    "other": ("file that is no picture", "files that are no pictures"),
    "video": ("video (of a live photo, or other)", "videos (of live photos, or other)"),
}


@dataclass(frozen=True)
class Contents:
    """Names of photos in order; remarks about what was passed over; ``missed``: some folder could not be looked into.

    A zip or PDF that cannot be opened is a name itself: reading it gives the reason.
    """

    names: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    missed: bool = False


def contents(given: str, recursive: bool = False) -> Contents:
    """The photos behind a file, zip, PDF or folder; nothing that could be one is passed over without a word."""
    if not _is_folder(Path(given)):
        return _inside(given)
    try:
        found = sorted(_walk(Path(given), recursive))
    except OSError as error:
        remark = f"{given}: this folder cannot be read ({error.strerror}); check its permissions."
        return Contents((), (remark,), True)
    parts, passed = [], Counter()
    for path, sort in found:
        if sort in TAKEN:
            parts.append(_inside(str(path)))
        else:
            passed[sort] += 1
    whole = _joined(parts)
    remarks = (*whole.remarks, *_remarks(given, passed))
    if not whole.names:
        remarks = (*remarks, f"{given}: no photos in this folder (JPEG, PNG, WebP, TIFF, HEIC, PDF or zip).")
    return Contents(whole.names, remarks, whole.missed or "locked" in passed)


def _inside(name: str) -> Contents:
    """A file's photos: its pages, what is in it, or itself."""
    kind = kind_of(head_of(Path(name)))
    try:
        if kind == "zip":
            return _zipped(name)
        place = place_of(name)
        if kind in ("PDF", "TIFF") or (place.member and not place.page):
            source = read_source(name)
            return Contents((name,) if isinstance(source, PhotoError) else _pages(source))
    except Refused:
        pass
    return Contents((name,))


def _pages(source: Source) -> tuple[str, ...]:
    """The names of a document's pages; its own if it is one picture, or cannot be opened, which reading it says."""
    kind = kind_of(source.data[:HEAD])
    try:
        if kind == "PDF":
            return tuple(f"{source.name}#page={n}" for n in range(1, pdfs.count_pages(source.data) + 1))
        frames = tiffs.page_frames(source.data) if kind == "TIFF" else []
    except Refused:
        return (source.name,)
    return tuple(f"{source.name}#page={n}" for n in range(1, len(frames) + 1)) if len(frames) > 1 else (source.name,)


def _zipped(name: str) -> Contents:
    names, passed = [], Counter()
    with zips.opened(Path(name)) as archive:
        for member, sort in zips.members(archive):
            if sort == "pages":
                try:
                    source = Source(f"{name}/{member}", zips.read(archive, member))
                    names += _pages(source)
                except Refused:
                    names.append(f"{name}/{member}")
            elif sort in TAKEN:
                names.append(f"{name}/{member}")
            else:
                passed[sort] += 1
    if not names:
        return Contents((name,), _remarks(name, passed))
    return Contents(tuple(names), _remarks(name, passed))


def _walk(folder: Path, recursive: bool) -> Iterator[tuple[Path, str]]:
    """(path, sort) of everything in a folder; links to folders are not followed, so no circle is walked."""
    for path in folder.iterdir():
        if not _is_folder(path):
            yield path, sort_of(path.name, head_of(path))
        elif path.name.startswith(".") or path.name == "__MACOSX":
            yield path, "hidden"
        elif not recursive:
            yield path, "folder"
        elif not path.is_symlink():
            try:
                yield from _walk(path, True)
            except OSError:
                yield path, "locked"


def _remarks(given: str, passed: Counter) -> tuple[str, ...]:
    words = [f"{count} {_WORDS[sort][count > 1]}" for sort, count in sorted(passed.items()) if sort in _WORDS]
    return (f"{given}: passed over {', '.join(words)}.",) if words else ()


def _joined(parts: Iterable[Contents]) -> Contents:
    parts = list(parts)
    return Contents(
        tuple(name for part in parts for name in part.names), tuple(r for part in parts for r in part.remarks),
        any(part.missed for part in parts))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # in a locked folder, or too long a name: a photo whose result says so
        return False
