"""Workers on other machines: the same run on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scanner.sheet.errors import InputError

#: Seconds until a scheduler must have answered and a worker must be there.
PATIENCE = 20.0


@contextmanager
def on_cluster(address: str) -> Iterator[int]:
    """Within it photos are read by the workers of the Dask scheduler at ``address``; gives their number of threads.

    Every worker needs this program, and the photos under the same paths.

    Raises:
        InputError: the package is missing, nobody answers at the address, or the cluster has no workers.
    """
    try:
        from dask.distributed import Client
    except ImportError as error:
        raise InputError("--cluster needs dask.distributed: pip install 'clabber-sheets[cluster]'.") from error
    import joblib

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=True)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"--cluster {address}: no Dask scheduler answers there ({error}). The address looks like "
                         "tcp://10.0.0.5:8786; the scheduler prints it when it starts.") from error
    with client:
        threads = sum(client.ncores().values())
        if not threads:
            raise InputError(f"--cluster {address}: the cluster has no workers. Start some with: dask worker {address}")
        with joblib.parallel_config(backend="dask", wait_for_workers_timeout=PATIENCE):
            yield threads
