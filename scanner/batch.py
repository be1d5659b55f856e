"""Many photos: each read by a worker process of joblib, so that a crash or a hang costs that photo and no other."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from scanner.intake.places import fingerprint, place_of
from scanner.sheet.results import PhotoError, PhotoResult

if TYPE_CHECKING:
    import numpy as np

    from scanner.pipeline import Readings, Scan, Settings

#: A photo that takes longer has hung: two hundred times the usual second, so that a slow or busy machine is no hang.
HANG_SECONDS = 180.0
#: Seconds between two looks of a worker at whether the run's own process is still there.
_LOOK = 1.0


@dataclass(frozen=True)
class Task:
    """One photo to read: where it is and how the result calls it."""

    path: Path
    name: str


@dataclass(frozen=True)
class Outcome:
    """What became of the task at ``index`` (from 0); ``warning`` says that its overlay was not written.

    ``readings`` is all the reader said of its cells, what a season keeps so that a game can be decoded again; ``notes``
    is what a person should know of how it was read.
    """

    index: int
    result: PhotoResult
    seconds: float
    warning: str | None = None
    readings: Readings = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Way:
    """What is done with every photo of a run.

    Attributes:
        settings: the layouts and the roster.
        overlay: folder for the pictures, None for none.
        hang_seconds: after how long a photo is given up.
        scan: reads one photo; None is :func:`scanner.pipeline.scan_photo`.
    """

    settings: Settings
    overlay: Path | None = None
    hang_seconds: float = HANG_SECONDS
    scan: Callable[[Path, str, Settings], Scan] | None = None


def scan_many(tasks: Sequence[Task], way: Way, jobs: int = 1) -> Iterator[Outcome]:
    """Outcomes of all tasks as they are done, one for each.

    One photo is read in this process, unless it is a page of a document: a PDF can be made to hang whoever draws it.
    Several are read by ``jobs`` workers; when one dies or hangs, the photos that may
    have done it are read again one at a time, and only the guilty one becomes an ``internal`` error.
    A parallel backend chosen by the caller (``joblib.parallel_config``) is used instead of local processes; for a Dask
    cluster there is :mod:`scanner.commands.cluster`.
    """
    if len(tasks) == 1 and place_of(str(tasks[0].path)).page is None:
        yield _scan_one(0, tasks[0], way)
        return
    pending = dict(enumerate(tasks))
    try:
        if len(tasks) == 1:
            yield _alone(0, pending.pop(0), way)
        while pending:
            try:
                for outcome in _in_workers(pending, way, jobs):
                    del pending[outcome.index]
                    yield outcome
            except _broken():
                for index in list(pending)[: 2 * jobs]:
                    yield _alone(index, pending.pop(index), way)
    except BaseException:
        _kill_workers()
        raise


def _alone(index: int, task: Task, way: Way) -> Outcome:
    start = time.perf_counter()
    try:
        return next(iter(_in_workers({index: task}, way, 1)))
    except _timeouts():
        message = f"{task.name}: no answer in {way.hang_seconds:.0f} seconds, so it was stopped; photograph it again."
    except _broken():
        message = f"{task.name}: the process reading it died, perhaps out of memory; try --jobs 1 or a smaller photo."
    return Outcome(index, failed(task, message), time.perf_counter() - start)


def _in_workers(pending: dict[int, Task], way: Way, jobs: int) -> Iterator[Outcome]:
    from joblib import Parallel, delayed, parallel_config

    # Two loky workers at least: joblib runs a single job in this very process, where a crash would take all with it.
    # ``pre_dispatch`` is what bounds the photos under way to ``jobs``.
    with parallel_config(backend="loky", inner_max_num_threads=1) if _no_backend_chosen() else nullcontext():
        run = Parallel(
            n_jobs=max(jobs, 2),
            pre_dispatch=jobs,
            batch_size=1,
            timeout=way.hang_seconds,
            max_nbytes=None,
            return_as="generator_unordered",
        )
        outcomes = run(delayed(in_worker)(index, task, way) for index, task in list(pending.items()))
        try:
            for outcome in outcomes:  # noqa: UP028 - leaving early must close it here
                yield outcome
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that tasks were left undone is what leaving early means
                outcomes.close()


def in_worker(index: int, task: Task, way: Way) -> Outcome:
    """What a worker process does with one task; defects of the program become results."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent alone answers it
        _end_with_parent()
    return _scan_one(index, task, way)


@cache
def _end_with_parent() -> None:
    """Lets this worker end soon after the run's own process is gone, however that ended; once a process.

    Killed, it could not stop its workers, and they would wait for more photos for minutes, each with the memory of one.
    A Dask worker's parent may leave it, so only those of this machine look.
    """
    import multiprocessing

    if not multiprocessing.current_process().name.startswith("LokyProcess"):
        return
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _scan_one(index: int, task: Task, way: Way) -> Outcome:
    import cv2

    from scanner.pipeline import scan_photo

    cv2.setNumThreads(1)  # workers times threads would only get in each other's way
    start = time.perf_counter()
    warning = None
    try:
        scan = (way.scan or scan_photo)(task.path, task.name, way.settings)
    except Exception as error:  # a defect met by one photo must not cost the others theirs
        return Outcome(index, failed(task, _defect(task, error)), time.perf_counter() - start)
    seconds = time.perf_counter() - start
    if way.overlay is not None and scan.photo is not None:
        warning = _draw(way.overlay, scan.photo.pixels, scan.result)
    notes = scan.photo.notes if scan.photo is not None else ()
    return Outcome(index, scan.result, seconds, warning, scan.readings, notes)


def _draw(folder: Path, pixels: np.ndarray, result: PhotoResult) -> str | None:
    from scanner.output.overlay import write_overlay

    try:
        write_overlay(folder, pixels, result)
    except Exception as error:
        return f"{result.photo}: its overlay was not written ({error})."
    return None


def _defect(task: Task, error: Exception) -> str:
    return f"{task.name}: reading it failed ({type(error).__name__}: {error}); please report this with the photo."


def failed(task: Task, message: str) -> PhotoResult:
    """The result of a photo that could not be read for a reason that is not in the photo."""
    return PhotoResult(task.name, fingerprint(task.path), 0, 0, error=PhotoError("internal", message))


def _broken() -> tuple[type[BaseException], ...]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    return (BrokenProcessPool, *_timeouts())


def _timeouts() -> tuple[type[BaseException], ...]:
    import multiprocessing

    return (TimeoutError, multiprocessing.TimeoutError)  # joblib raises the second, which is no kind of the first


def _no_backend_chosen() -> bool:
    from joblib.parallel import get_active_backend

    return type(get_active_backend()[0]).__name__ == "LokyBackend"


def _kill_workers() -> None:
    from joblib.externals.loky import get_reusable_executor

    with suppress(Exception):
        get_reusable_executor().shutdown(wait=False, kill_workers=True)
