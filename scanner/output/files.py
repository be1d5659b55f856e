"""Whole files or none: an interrupted write leaves the file that was there before."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from scanner.sheet.errors import InputError
from scanner.sheet.results import PhotoResult

#: Bytes of a file name kept from a photo's own name; file systems allow 255 and the hash and suffixes need some.
LONGEST_NAME = 150


def write_atomically(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path``, then rename it over ``path``: a reader sees the old file or the new one.

    Raises:
        InputError: the folder cannot be written to, or ``path`` is a folder.
    """
    if path.is_dir():
        raise InputError(f"{path}: this is a folder; give the name of a file to write.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".part-", dir=path.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); choose another folder.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); is the disk full?") from error
    finally:
        with suppress(OSError):
            Path(temporary).unlink(missing_ok=True)


def refuse_suffix(path: Path, suffix: str) -> None:
    """Raises InputError for a file that programs would take for something else by its name, or for a folder."""
    if path.is_dir():
        raise InputError(f"{path}: this is a folder; give the name of a {suffix} file to write.")
    if path.suffix.lower() != suffix:
        raise InputError(f"{path}: what is written is a {suffix} file; name it {path.stem}{suffix}.")


def output_name(result: PhotoResult, suffix: str) -> str:
    """File name for what is written about one photo: ``<photo name>-<first 8 of its sha256><suffix>``.

    Only the last part of the photo's path is used, and what a file system may refuse in it becomes ``_``.
    """
    name = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*]', "_", re.split(r"[/\\]", result.photo)[-1]).strip(". ") or "photo"
    name = name.encode("utf-8", "replace")[:LONGEST_NAME].decode("utf-8", "ignore")
    return f"{name}-{result.sha256[:8] or 'unread'}{suffix}"


def make_folder(folder: Path) -> None:
    """Make a folder to write into, before any work is done for it.

    Raises:
        InputError: something else is there, or it cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be used as a folder ({error.strerror}); choose another one.") from error
    if not os.access(folder, os.W_OK):
        raise InputError(f"{folder}: this folder cannot be written to; choose another one.")
