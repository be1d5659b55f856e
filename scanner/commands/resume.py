"""A run that goes on where it stopped: what the season has already is not read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scanner.batch import Task
from scanner.intake.places import fingerprint
from scanner.output.files import output_name
from scanner.season.store import Season
from scanner.sheet.results import PhotoResult


def known_results(tasks: Sequence[Task], season: Season, overlay: Path | None) -> dict[int, PhotoResult]:
    """What the season holds of the photos of a run, by place in the run; photos are told by their bytes.

    A photo that failed is not known, so it is tried again; one whose wanted overlay is not there is not known either.
    """
    known = {}
    for index, task in enumerate(tasks):
        digest = fingerprint(task.path)
        if not digest or not season.has(digest):
            continue
        saved = season.photo(digest)
        result = None if saved is None else replace(saved, photo=task.name)
        if result is not None and (overlay is None or (overlay / output_name(result, ".jpg")).is_file()):
            known[index] = result
    return known
