"""Run batches of work on a Dask cluster, or one after another in this process.

The work (a function) is sent to each worker once; afterwards only batches and results are transferred. Dask decides
where a batch runs, and repeats those of a worker that is killed.
"""

from __future__ import annotations

import logging
import pickle
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple
from uuid import uuid4

from ir_coliee.data_agreement import is_port, refuse_remote
from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.frames import shown

Work = Callable[[Any], Any]

_PATIENCE = 60.0  # seconds in which a first worker has to be there
_PORT = re.compile(r":([0-9]+)$")


@dataclass(frozen=True)
class Cluster:
    """Address of the scheduler of a Dask cluster.

    Other settings (certificates, timeouts) are read from Dask's configuration. The workers need this package and
    access to the folders that are used.

    Parameters
    ----------
    address : str
        For example ``tcp://127.0.0.1:8786``. Without ``allow_remote``, ``localhost`` is 127.0.0.1.
    allow_remote : bool
        Allow a scheduler or workers on other machines, to which texts are then sent.

    Raises
    ------
    ColieeError
        For an address of another machine without ``allow_remote``, for an invalid port, and for a value that is not a
        string.

    Examples
    --------
    >>> Cluster("tcp://127.0.0.1:8786")
    Cluster(address='tcp://127.0.0.1:8786', allow_remote=False)
    """

    address: str
    allow_remote: bool = False

    def __post_init__(self) -> None:
        expected = "Expected an address such as 'tcp://127.0.0.1:8786'."
        if not (isinstance(self.address, str) and self.address):
            raise ColieeError(f"{shown(self.address)} is not the address of a scheduler.\n{expected}")
        port = _PORT.search(self.address)
        if port and not is_port(port[1]):
            raise ColieeError(f"The port in {shown(self.address)} must be 1 to 65535.\n{expected}")
        self.refuse_remote([self.address])

    def refuse_remote(self, addresses: Iterable[str]) -> None:
        """Raise `ColieeError` for an address of another machine, unless ``allow_remote`` is set."""
        if not self.allow_remote:
            refuse_remote(addresses, "Cluster(..., allow_remote=True)")

    @property
    def connection(self) -> str:
        """The address to connect to: unless ``allow_remote`` is set, without a name that may lead elsewhere."""
        return self.address if self.allow_remote else self.address.replace("localhost", "127.0.0.1")


@contextmanager
def local_cluster(processes: int | None = None) -> Iterator[Cluster]:
    """Context manager for worker processes on this machine, with one thread each.

    Parameters
    ----------
    processes : int, optional
        Number of processes; by default the number of cores. Each may use an equal share of the memory and is restarted
        when it needs more. Other machines cannot connect to them.

    Raises
    ------
    MissingExtraError
        Without Dask, the extra ``cluster``.

    Notes
    -----
    A script has to be protected by ``if __name__ == "__main__":``, because each worker imports it.
    """
    with _distributed().LocalCluster(
        n_workers=processes,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,
    ) as started:
        yield Cluster(started.scheduler_address)


def _distributed() -> Any:
    if find_spec("distributed") is None:
        raise MissingExtraError("A cluster", "cluster")
    import distributed

    return distributed


class Batch(NamedTuple):
    """A unit of work.

    Attributes
    ----------
    given : object
        Argument of the work.
    name : str
        Description for messages.
    home : int or None
        Batches with the same number go to the same worker if possible.
    """

    given: Any
    name: str
    home: int | None = None


@contextmanager
def worker_pool(cluster: Cluster | None, work: Work) -> Iterator[WorkerPool]:
    """Context manager for the workers of a cluster, or for this process if ``cluster`` is None.

    Raises
    ------
    ColieeError
        If the cluster cannot be reached or has no worker, or if the work cannot be sent.
    MissingExtraError
        Without Dask, the extra ``cluster``.
    """
    if cluster is None:
        yield WorkerPool(work)
        return
    try:
        client = _client_class()(cluster.connection, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # TypeError: no certificates for TLS
        problem = printable(f"{type(error).__name__}: {error}", 500)
        raise ColieeError(
            f"No scheduler of Dask answers at {printable(cluster.connection, 50)}.\nDask reports: {problem}.\n"
            "Start a scheduler there, or use `with local_cluster() as cluster:`."
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except OSError:  # a timeout
            address = printable(cluster.address, 40)
            problem = f"The cluster at {address} has had no worker for {_PATIENCE:.0f} seconds."
            raise ColieeError(f"{problem}\nStart workers, and run it again.") from None
        yield _DaskPool(cluster, client, work)


def _client_class() -> Any:
    distributed: Any = _distributed()

    class Client(distributed.Client):
        def start(self, **options: Any) -> Any:
            try:
                return super().start(**options)
            except BaseException:
                self.close()  # else the garbage collector closes it, and may do so in a thread for which it then waits
                raise

    return Client


class WorkerPool:
    """The processes that carry out the work: here this one."""

    def __init__(self, work: Work) -> None:
        self._work = work

    @property
    def size(self) -> int:
        """Number of processes."""
        return 1

    def finished(self, batches: Iterable[Batch], *, ahead: int = 2) -> Iterator[tuple[int, Any]]:
        """Yield the number (from 0) and the result of each batch as soon as it is finished.

        At most ``ahead`` batches per thread are in progress, and no more are taken from the iterable. An error of the
        work is raised unchanged; its ``__cause__`` names the batch and, on a cluster, has the worker's traceback.
        """
        for number, batch in enumerate(batches):
            try:
                result = self._work(batch.given)
            except Exception as error:
                context = ColieeError(f"It was raised for {batch.name}.")
                context.__cause__ = error.__cause__
                raise error from context
            yield number, result


class _DaskPool(WorkerPool):
    """The workers of a Dask cluster."""

    def __init__(self, cluster: Cluster, client: Any, work: Work) -> None:
        self._cluster, self._client = cluster, client
        self._threads()
        self._sent = self._submit("the work", pickle.loads, _pickled(work, "the work"))

    @property
    def size(self) -> int:
        return max(len(self._threads()), 1)

    def _threads(self) -> dict[str, int]:
        """Number of threads of each worker. Raises `ColieeError` for a worker to which texts may not be sent."""
        threads: dict[str, int] = self._client.nthreads()
        self._cluster.refuse_remote(threads)
        return threads

    def _worker(self, batch: Batch, threads: dict[str, int], pending: Counter[str | None]) -> str | None:
        """The worker of a batch: its home, or the one with the fewest batches. Dask would prefer that with the work."""
        names = sorted(threads)
        if batch.home is not None and names:
            return names[batch.home % len(names)]
        return min(names, key=lambda name: pending[name] / threads[name], default=None)

    def _submit(self, name: str, function: Callable[..., Any], *given: object, worker: str | None = None) -> Any:
        import dask

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            key = f"{name}-{uuid4().hex}"  # Dask's own errors name it
            allow_others = worker is not None
            return self._client.submit(function, *given, key=key, workers=worker, allow_other_workers=allow_others)

    def finished(self, batches: Iterable[Batch], *, ahead: int = 2) -> Iterator[tuple[int, Any]]:
        waiting = enumerate(batches)
        pending: dict[Any, tuple[int, Batch, str | None]] = {}
        try:
            while True:
                threads = self._threads()
                while len(pending) < ahead * max(sum(threads.values()), 1) and (item := next(waiting, None)):
                    number, batch = item
                    worker = self._worker(batch, threads, Counter(worker for *_, worker in pending.values()))
                    given = _pickled(batch.given, batch.name)
                    pending[self._submit(batch.name, _run, self._sent, given, worker=worker)] = number, batch, worker
                if not pending:
                    return
                with self._client.as_current():
                    done = _distributed().wait([*pending], return_when="FIRST_COMPLETED").done
                for future in done:
                    number, batch, _ = pending.pop(future)
                    result, error, trace = pickle.loads(future.result())
                    if error is not None:
                        raise error from ColieeError(f"It was raised for {batch.name}, on a worker:\n{trace}")
                    yield number, result
        finally:
            if self._client.status == "running":
                self._client.cancel([*pending])


def _run(work: Work, given: bytes) -> bytes:
    """Run the work on a batch, on a worker. Errors are returned, because Dask would log the batch with a raised one."""
    try:
        return _pickled((work(pickle.loads(given)), None, ""), "the result")
    except Exception as error:
        return pickle.dumps((None, _picklable(error), traceback.format_exc()))


def _picklable(error: Exception) -> Exception:
    """The error, or a `ColieeError` with its message if it cannot be pickled."""
    try:
        again = pickle.loads(pickle.dumps(error))
        is_picklable = type(again) is type(error) and str(again) == str(error)
    except Exception:  # the error's own methods may raise anything
        is_picklable = False
    return error if is_picklable else ColieeError(f"{type(error).__name__}: {error}")


def _pickled(value: Any, name: str) -> bytes:
    """Pickle a value, including local functions. Raises `ColieeError` if that is impossible."""
    import cloudpickle

    try:
        data: bytes = cloudpickle.dumps(value)
    except Exception as error:  # the value's own methods may raise anything
        problem = f"{name[:1].upper()}{name[1:]} cannot be sent to another process ({type(error).__name__}: {error})"
        raise ColieeError(f"{problem}. Remove open files, connections and locks from it.") from error
    return data
