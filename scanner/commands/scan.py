"""``clabber scan``: photos in, a table for people or JSON for programs out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scanner.batch import Outcome, Task, Way, scan_many
from scanner.commands.photos import find_photos
from scanner.commands.status import ExitCode, say, tell_empty
from scanner.output.document import scan_document, to_json
from scanner.output.files import make_folder, output_name, write_atomically
from scanner.output.plain import counted, plain
from scanner.output.progress import Progress
from scanner.output.table import print_failures, print_scan
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
    """How a run is done.

    Attributes:
        json_to, overlay, season: where results go besides the table: "-" or a folder, a folder, a season file.
        jobs: photos read at a time; None for one a core.
        again: whether photos that the season has already are read once more and saved anew.
        cluster: address of a Dask scheduler whose workers read the photos.
    """

    json_to: str | None = None
    overlay: Path | None = None
    season: Path | None = None
    jobs: int | None = None
    again: bool = True
    cluster: str | None = None


def scan(paths: Sequence[str], layout: str, roster: str | None, wishes: Wishes, recursive: bool = False,
         budget: int | None = None) -> ExitCode:  # fmt: skip
    """Scan files and folders; status 1 if reading or saving a photo failed. Interrupted, it prints what was done.

    ``budget`` is the most cells of one game to ask about, those whose answers matter most; None asks all worth it.
    """
    settings = replace(read_settings(layout, roster), budget=budget)
    photos = find_photos(paths, recursive)
    if find_tesseract() is None:
        say(NO_TESSERACT)
    run = Run(photos.tasks, wishes)
    run.failed = photos.missed
    try:
        run.go(settings)
    except BaseException:
        if run.outcomes:
            run.print()
        if wishes.season is not None and run.resumable:
            kept = sum(result.error is None for result in run.results)
            say(f"clabber: {kept} of {len(run.tasks)} photos are read and in {wishes.season}; the same command goes on "
                "with the others.")
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
    """One run over many photos: keeps each result the moment it is there, prints all of them at the end.

    ``counting``, ``heads``: games of these photos that the season counts, and names and dates of them that it asks;
    None without a season or before the end.
    ``resumable``: reading has begun, and all that was read is in the season so far, if there is one.
    """

    def __init__(self, tasks: Sequence[Task], wishes: Wishes) -> None:
        self.tasks = tasks
        self.wishes = wishes
        self.outcomes: dict[int, Outcome] = {}
        self.failed = False
        self.resumable = False
        self.counting: int | None = None
        self.heads: int | None = None
        self._names: dict[str, str] = {}

    @property
    def results(self) -> list[PhotoResult]:
        """Results so far in the order the photos were given."""
        return [self.outcomes[i].result for i in sorted(self.outcomes)]

    def go(self, settings: Settings) -> None:
        """Scan everything; raises ClabberError before the first photo if a place to write to is unusable."""
        for folder in (self.wishes.overlay, self._json_folder):
            if folder is not None:
                make_folder(folder)
        with self._season() as season:
            self._take_known(season)
            left = [i for i in range(len(self.tasks)) if i not in self.outcomes]
            with Progress(len(left)) as progress, self._scanned([self.tasks[i] for i in left], settings) as outcomes:
                self.resumable = True
                for outcome in outcomes:
                    self._keep(replace(outcome, index=left[outcome.index]), season, settings)
                    progress.step(outcome.result)
            if season is not None:
                from scanner.commands.duplicates import games_that_count

                photos = {result.sha256 for result in self.results}
                self.counting = games_that_count(season, photos)
                self.heads = sum(head.sha256 in photos for head in season.head_questions())

    def _take_known(self, season: Season | None) -> None:
        """What the season has of the photos already, unless they are to be read again."""
        if season is None or self.wishes.again:
            return
        from scanner.commands.duplicates import tell_twins
        from scanner.commands.resume import known_results

        known = known_results(self.tasks, season, self.wishes.overlay)
        for index, result in known.items():
            self._write(self._keep_result(Outcome(index, result, 0.0)))
            tell_twins(season, result.sha256)
        if known:
            say(f"clabber: {len(known)} of {counted(len(self.tasks), 'photo')} in {self.wishes.season} already and not "
                "read again; --again reads them once more.")

    @contextmanager
    def _scanned(self, tasks: Sequence[Task], settings: Settings) -> Iterator[Iterator[Outcome]]:
        """The outcomes as they are done, by workers of this machine or of a cluster."""
        way = Way(settings, self.wishes.overlay)
        if self.wishes.cluster is None or not tasks:
            yield scan_many(tasks, way, self.wishes.jobs or default_jobs(len(tasks)))
            return
        from scanner.commands.cluster import on_cluster, scan_on

        with on_cluster(self.wishes.cluster) as client:
            yield scan_on(client, tasks, way)

    def _season(self) -> AbstractContextManager[Season | None]:
        if self.wishes.season is None:
            return nullcontext()
        from scanner.season.store import open_season

        tell_empty(self.wishes.season)
        return open_season(self.wishes.season)

    @property
    def _json_folder(self) -> Path | None:
        return None if self.wishes.json_to in (None, "-") else Path(self.wishes.json_to)

    def _keep(self, outcome: Outcome, season: Season | None, settings: Settings) -> None:
        result = self._keep_result(outcome)
        if outcome.warning:
            self._complain(outcome.warning)
        for note in outcome.notes:
            say(f"clabber: {note}")
        try:
            if season is not None and result.sha256:
                from scanner.commands.duplicates import tell_twins

                season.add_photo(result, outcome.readings, self.wishes.again, settings.layouts)
                tell_twins(season, result.sha256)
        except ClabberError as error:
            self.resumable = False
            self._complain(str(error))
        self._write(result)

    def _keep_result(self, outcome: Outcome) -> PhotoResult:
        self.outcomes[outcome.index] = outcome
        result = outcome.result
        self.failed |= result.error is not None
        first = self._names.setdefault(result.sha256, result.photo) if result.sha256 else result.photo
        if first != result.photo and result.error is None:
            say(f"clabber: {result.photo}: the same photo as {first}; a season counts it once.")
        return result

    def _write(self, result: PhotoResult) -> None:
        try:
            if self._json_folder is not None:
                path = self._json_folder / output_name(result, ".json")
                write_atomically(path, to_json(scan_document([result])).encode())
        except ClabberError as error:
            self._complain(str(error))

    def _complain(self, message: str) -> None:
        self.failed = True
        say(f"clabber: {message}")

    def _print_counting(self) -> None:
        games = sum(len(sheet.games) for result in self.results for sheet in result.sheets)
        if self.counting is not None and self.counting < games:
            count = "counts" if self.counting == 1 else "count"
            print(plain(f"{self.counting} of the {counted(games, 'game')} read {count} in {self.wishes.season}: what "
                        "is photographed twice or set aside does not.", 1000))

    def print(self) -> None:
        """The document or the table on stdout; at the end every photo that failed, with its reason."""
        if self.wishes.json_to == "-":
            sys.stdout.write(to_json(scan_document(self.results)))
            print_failures(self.results, sys.stderr)
        elif self.outcomes:
            print_scan(self.results, sys.stdout, self.heads)
            print_failures(self.results, sys.stdout)
            self._print_counting()
        if self.wishes.season is None and len(self.outcomes) > 1:
            from scanner.commands.duplicates import surely, twins_among

            for photo, other, sure in twins_among(self.results):
                say(f"clabber: {photo} shows the same sheet as {other}, {surely(sure)}; a season counts it once.")
