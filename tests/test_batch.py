"""Many photos: what happens to one does not happen to the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import batch_ways
import pytest

from scanner.batch import Outcome, Task, Way, scan_many
from scanner.pipeline import Settings

WAY = Way(Settings(()), scan=batch_ways.scan)


def run(names: list[str], jobs: int = 2, way: Way = WAY) -> dict[str, Outcome]:
    outcomes = list(scan_many([Task(Path(name), name) for name in names], way, jobs))
    assert sorted(outcome.index for outcome in outcomes) == list(range(len(names)))
    assert all(names[outcome.index] == outcome.result.photo for outcome in outcomes)
    return {outcome.result.photo: outcome for outcome in outcomes}


def failed(outcomes: dict[str, Outcome]) -> set[str]:
    errors = {name: outcome.result.error for name, outcome in outcomes.items() if outcome.result.error}
    assert all(error.code == "internal" and name in error.message for name, error in errors.items())
    return set(errors)


def test_one_photo_needs_no_worker_and_a_defect_is_its_result():
    outcome = run(["fail.jpg"])["fail.jpg"]
    assert outcome.result.error.code == "internal" and "ZeroDivisionError: a defect" in outcome.result.error.message


def test_a_page_of_a_document_is_drawn_by_a_worker_even_alone(tmp_path: Path):
    (tmp_path / "hang.pdf").write_bytes(b"%PDF-1.4")
    name = f"{tmp_path}/hang.pdf#page=1"
    outcome = run([name], 1, Way(WAY.settings, hang_seconds=3, scan=batch_ways.scan))[name]
    assert outcome.result.error.code == "internal" and "3 seconds" in outcome.result.error.message


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_crash_and_a_defect_cost_one_photo_each(jobs: int):
    outcomes = run(["1.jpg", "crash.jpg", "2.jpg", "fail.jpg", "3.jpg"], jobs)
    assert failed(outcomes) == {"crash.jpg", "fail.jpg"}
    assert "died" in outcomes["crash.jpg"].result.error.message


def test_a_hang_costs_one_photo():
    names = ["1.jpg", "2.jpg", "hang.jpg", "3.jpg"]
    outcomes = run(names, 2, Way(WAY.settings, hang_seconds=6, scan=batch_ways.scan))
    assert failed(outcomes) == {"hang.jpg"}
    assert "6 seconds" in outcomes["hang.jpg"].result.error.message


def test_leaving_early_stops_the_workers():
    tasks = [Task(Path(name), name) for name in ["1.jpg", "hang.jpg", "2.jpg"]]
    outcomes = scan_many(tasks, WAY, 2)
    assert next(outcomes).result.error is None
    outcomes.close()


_ENDED = """
import sys
from pathlib import Path
import batch_ways
from scanner import cli
from scanner.batch import Task, Way, scan_many
from scanner.commands.status import ExitCode, guarded
from scanner.pipeline import Settings
def command():
    list(scan_many([Task(Path(name), name) for name in sys.argv[1:]], Way(Settings(()), scan=batch_ways.scan), 2))
    return ExitCode.OK
cli.app = lambda: sys.exit(guarded(command))
cli.main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("ending", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_worker_outlives_its_run_however_that_ends(tmp_path: Path, ending: str):
    beats = [tmp_path / f"beat{i}" for i in range(2)]
    path = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[1])])
    process = subprocess.Popen([sys.executable, "-c", _ENDED, *map(str, beats)], env=os.environ | {"PYTHONPATH": path},
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        until(lambda: all(beat.is_file() for beat in beats), 60)
        process.send_signal(getattr(signal, ending))
        said = process.communicate(timeout=30)[1]
        if ending != "SIGKILL":
            assert process.returncode == 130 and "what was done is kept" in said and "Traceback" not in said
        until(lambda: all(time.time() - beat.stat().st_mtime > 1.0 for beat in beats), 15)
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def until(true: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "too late"
        time.sleep(0.1)


def test_a_picture_that_cannot_be_written_is_a_warning_and_the_result_stays(tmp_path: Path):
    import numpy as np

    from scanner.photo.load import Photo
    from scanner.pipeline import Scan
    from scanner.sheet.results import PhotoResult

    def scan(path: Path, name: str, settings: Settings) -> Scan:
        return Scan(PhotoResult(name, "ab" * 32, 9, 9), Photo(name, "ab" * 32, np.zeros((9, 9, 3), np.uint8)))

    (tmp_path / "file").write_text("")
    outcome = run(["1.jpg"], 1, Way(WAY.settings, overlay=tmp_path / "file", scan=scan))["1.jpg"]
    assert outcome.result.error is None and "overlay was not written" in outcome.warning
