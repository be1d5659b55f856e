"""Photos read by the workers of a Dask cluster: the same work as in :mod:`scanner.batch`, handed out to other machines.

joblib's own Dask backend is not used: a worker that dies would leave it waiting for ever (its ``_collect`` tells nobody
of a future that failed), and here a crash must cost one photo.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from scanner.batch import Outcome, Task, Way, failed, in_worker
from scanner.commands.status import say
from scanner.sheet.errors import InputError

if TYPE_CHECKING:
    from distributed import Client, Future

#: Seconds until a scheduler must have answered and a worker must be there.
PATIENCE = 20.0
#: Seconds between two looks at what is under way.
_LOOK = 0.5


@contextmanager
def on_cluster(address: str) -> Iterator[Client]:
    """A connection to the Dask scheduler at ``address``.

    Every worker needs this program, and the photos under the same paths.

    Raises:
        InputError: the package is missing, nobody answers at the address, or the cluster has no workers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("--cluster needs dask.distributed: run make extras in the project's folder, or "
                         "pip install 'clabber-sheets[cluster]'.") from error
    logging.getLogger("distributed").setLevel(logging.ERROR)  # what matters of it is said in words
    say(f"clabber: asking the Dask scheduler at {address}, up to {PATIENCE:.0f} seconds.")
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise InputError(f"--cluster {address}: no Dask scheduler answers there ({error}). The address looks like "
                         "tcp://10.0.0.5:8786; the scheduler prints it when it starts.") from error
    with client:
        if not client.ncores():
            raise InputError(f"--cluster {address}: the cluster has no workers. Start some with: dask worker {address}")
        yield client


def scan_on(client: Client, tasks: Sequence[Task], way: Way) -> Iterator[Outcome]:
    """Outcomes of all tasks as they are done, one for each; as :func:`scanner.batch.scan_many`.

    No more photos are under way than the workers have threads, so each begins when it is handed out and its time is
    its own. A photo that kills its workers is given up by the scheduler; the worker of one that hangs is started anew.
    """
    left = list(enumerate(tasks))[::-1]
    under_way: dict[Future, tuple[int, float]] = {}
    try:
        while left or under_way:
            while left and len(under_way) < max(1, sum(client.ncores().values())):
                index, task = left.pop()
                # Never remembered by its arguments: the same path may hold another photo tomorrow.
                future = client.submit(in_worker, index, task, way, pure=False)
                under_way[future] = index, time.monotonic()
            for future, (index, began) in list(under_way.items()):
                outcome = _outcome(client, future, index, tasks[index], time.monotonic() - began, way)
                if outcome is not None:
                    del under_way[future]
                    yield outcome
            _wait(under_way)
    finally:
        client.cancel(list(under_way))


def _outcome(client: Client, future: Future, index: int, task: Task, seconds: float, way: Way) -> Outcome | None:
    """What became of a photo, None if it is still being read."""
    if future.done():
        if future.status == "finished":
            return future.result()
        message = f"{task.name}: the worker reading it died, or lacks this program ({_why(future)}); try it alone."
    elif seconds > way.hang_seconds:
        message = f"{task.name}: no answer in {way.hang_seconds:.0f} seconds, so it was stopped; photograph it again."
        _restart(client, future)
    else:
        return None
    return Outcome(index, failed(task, message), seconds)


def _why(future: Future) -> str:
    error = future.exception()
    return type(error).__name__ if error is not None else future.status


def _restart(client: Client, future: Future) -> None:
    """Starts the worker anew that reads a photo; a thread cannot be stopped in any other way."""
    workers = [worker for worker, keys in client.processing().items() if future.key in keys]
    future.cancel()
    if workers:
        with suppress(Exception):  # without a nanny it cannot be; the others go on
            client.restart_workers(workers, timeout=PATIENCE, raise_for_error=False)


def _wait(under_way: dict) -> None:
    from distributed import wait

    if under_way:
        with suppress(TimeoutError):
            wait(list(under_way), timeout=_LOOK, return_when="FIRST_COMPLETED")
