"""The same run on a Dask cluster of this machine. Skipped where dask.distributed is not installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import batch_ways
import pytest

from scanner.batch import Task, Way
from scanner.commands.cluster import on_cluster, scan_on
from scanner.pipeline import Settings
from scanner.sheet.errors import InputError

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
pytestmark = pytest.mark.filterwarnings("default")  # what a cluster of another project warns of is not ours


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler with two workers, each a process of one thread that finds the tests' modules."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    # One death is enough to give a photo up; the usual three only cost the tests time.
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def run(address: str, names: list[str], hang_seconds: float = 60.0) -> dict[str, str | None]:
    way = Way(Settings(()), scan=batch_ways.scan, hang_seconds=hang_seconds)
    with on_cluster(address) as client:
        outcomes = list(scan_on(client, [Task(Path(name), name) for name in names], way))
    assert sorted(outcome.index for outcome in outcomes) == list(range(len(names)))
    return {o.result.photo: o.result.error and o.result.error.message for o in outcomes}


def test_photos_are_read_by_the_clusters_workers(address: str) -> None:
    result = run(address, ["1.jpg", "fail.jpg", "2.jpg", "3.jpg"])
    assert {name for name, message in result.items() if message} == {"fail.jpg"}


def test_a_crash_costs_one_photo(address: str) -> None:
    result = run(address, ["1.jpg", "crash.jpg", "2.jpg", "3.jpg", "4.jpg"])
    assert {name for name, message in result.items() if message} == {"crash.jpg"}
    assert "died" in result["crash.jpg"]


def test_a_hang_costs_one_photo_and_its_worker_is_there_again(address: str) -> None:
    result = run(address, ["1.jpg", "hang.jpg", "2.jpg", "3.jpg"], 4.0)
    assert {name for name, message in result.items() if message} == {"hang.jpg"}
    assert "4 seconds" in result["hang.jpg"]
    assert set(run(address, ["4.jpg", "5.jpg", "6.jpg"]).values()) == {None}


def test_nobody_at_the_address_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scanner.commands.cluster.PATIENCE", 1.0)
    with pytest.raises(InputError, match="no Dask scheduler answers"), on_cluster("tcp://127.0.0.1:9"):
        pass
    told = capsys.readouterr().err
    assert "tcp://127.0.0.1:9" in told and "seconds" in told
