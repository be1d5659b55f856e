"""``clabber scan``: photos in, a table for people or JSON for programs out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scanner.batch import Outcome, Task, Way, scan_many
from scanner.commands.photos import find_photos
from scanner.commands.status import ExitCode, say
from scanner.output.document import scan_document, to_json
from scanner.output.files import make_folder, output_name, write_atomically
from scanner.output.progress import Progress
from scanner.output.table import print_scan
from scanner.photo.printed import find_tesseract
from scanner.pipeline import Settings
from scanner.sheet.errors import ClabberError
from scanner.sheet.layout import built_in_layouts, load_layout
from scanner.sheet.results import PhotoResult
from scanner.sheet.roster import load_roster

if TYPE_CHECKING:
    from scanner.season.store import Season

NO_TESSERACT = (
    "clabber: no Tesseract here, so print is not read: pads that differ only in their headings may be taken for each "
    "other, and names for dates. Install Tesseract 5 or later, or give --layout."
)


@dataclass(frozen=True)
class Wishes:
    """Where the results of a run go besides the table: "-" or a folder, a folder, a season file; None for nowhere."""

    json_to: str | None = None
    overlay: Path | None = None
    season: Path | None = None
    jobs: int | None = None


def scan(paths: Sequence[str], layout: str, roster: str | None, wishes: Wishes) -> ExitCode:
    """Scan files and folders; status 1 if reading or saving a photo failed. Interrupted, it prints what was done."""
    settings = read_settings(layout, roster)
    photos = find_photos(paths)
    if find_tesseract() is None:
        say(NO_TESSERACT)
    run = Run(photos.tasks, wishes)
    run.failed = photos.missed
    try:
        run.go(settings)
    except BaseException:
        if run.outcomes:
            run.print()
        raise
    run.print()
    return ExitCode.PROBLEMS if run.failed else ExitCode.OK


def read_settings(layout: str, roster: str | None) -> Settings:
    """The layouts to choose among (``auto``: all built in) and the roster. Raises LayoutError or InputError."""
    layouts = built_in_layouts() if layout == "auto" else (load_layout(layout),)
    return Settings(layouts, load_roster(roster) if roster else None)


def default_jobs(photos: int) -> int:
    """As many workers as this process may use cores, but no more than photos."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, photos))


class Run:
    """One run over many photos: keeps each result the moment it is there, prints all of them at the end."""

    def __init__(self, tasks: Sequence[Task], wishes: Wishes) -> None:
        self.tasks = tasks
        self.wishes = wishes
        self.outcomes: dict[int, Outcome] = {}
        self.failed = False

    @property
    def results(self) -> list[PhotoResult]:
        """Results so far in the order the photos were given."""
        return [self.outcomes[i].result for i in sorted(self.outcomes)]

    def go(self, settings: Settings) -> None:
        """Scan everything; raises ClabberError before the first photo if a place to write to is unusable."""
        for folder in (self.wishes.overlay, self._json_folder):
            if folder is not None:
                make_folder(folder)
        with self._season() as season, Progress(len(self.tasks)) as progress:
            for outcome in self._outcomes(settings):
                self._keep(outcome, season, settings)
                progress.step(outcome.result)

    def _outcomes(self, settings: Settings) -> Iterator[Outcome]:
        jobs = self.wishes.jobs or default_jobs(len(self.tasks))
        return scan_many(self.tasks, Way(settings, self.wishes.overlay), jobs)

    def _season(self) -> AbstractContextManager[Season | None]:
        if self.wishes.season is None:
            return nullcontext()
        from scanner.season.store import open_season

        return open_season(self.wishes.season)

    @property
    def _json_folder(self) -> Path | None:
        return None if self.wishes.json_to in (None, "-") else Path(self.wishes.json_to)

    def _keep(self, outcome: Outcome, season: Season | None, settings: Settings) -> None:
        self.outcomes[outcome.index] = outcome
        result = outcome.result
        self.failed |= result.error is not None
        if outcome.warning:
            self._complain(outcome.warning)
        try:
            if season is not None and result.sha256:
                season.add_photo(result, outcome.readings, layouts=settings.layouts)
        except ClabberError as error:
            self._complain(str(error))
        try:
            if self._json_folder is not None:
                path = self._json_folder / output_name(result, ".json")
                write_atomically(path, to_json(scan_document([result])).encode())
        except ClabberError as error:
            self._complain(str(error))

    def _complain(self, message: str) -> None:
        self.failed = True
        say(f"clabber: {message}")

    def print(self) -> None:
        """The document or the table on stdout."""
        if self.wishes.json_to == "-":
            sys.stdout.write(to_json(scan_document(self.results)))
        elif self.outcomes:
            print_scan(self.results, sys.stdout)
