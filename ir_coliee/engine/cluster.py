"""Run batches of work on a Dask cluster, or one after another in this process.

The work (a function) is sent to each worker once; afterwards only batches and results are transferred. If a worker is
killed, another worker repeats its current batches.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol
from uuid import uuid4

from ir_coliee.data_agreement import is_port, refuse_remote
from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.frames import shown

Work = Callable[[Any], Any]

_PATIENCE = 60.0  # timeout without any worker, in seconds
_DEATHS = 1  # workers that may be killed while they run a batch; after one more, the batch is run alone
_UNPICKLING = threading.Lock()
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
    distributed = _distributed()
    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": _DEATHS}):
        local = distributed.LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )
    with local as started:
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


class WorkerPool(Protocol):
    """Processes that carry out the work."""

    @property
    def size(self) -> int:
        """Number of processes."""

    def finished(self, batches: Iterable[Batch], *, ahead: int = 2) -> Iterator[tuple[int, Any]]:
        """Yield the number (from 0) and the result of each batch as soon as it is finished.

        At most ``ahead`` batches per thread are in progress, and no more are taken from the iterable. An error of the
        work is raised unchanged; its ``__cause__`` names the batch and has the worker's traceback.

        Raises
        ------
        ColieeError
            For a batch that repeatedly kills its workers, and if the cluster is lost.
        """


@contextmanager
def worker_pool(cluster: Cluster | None, work: Work) -> Iterator[WorkerPool]:
    """Context manager for the workers of a cluster, or for this process if ``cluster`` is None."""
    if cluster is None:
        yield _LocalPool(work)
        return
    distributed = _distributed()
    with ExitStack() as stack:
        try:
            client = _client_class(distributed)(cluster.connection, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:  # TypeError: no certificates for TLS
            problem = printable(f"{type(error).__name__}: {error}", 500)
            raise ColieeError(
                f"No scheduler of Dask answers at {printable(cluster.connection, 50)}.\nDask reports: {problem}.\n"
                "Start a scheduler there, or use `with local_cluster() as cluster:`."
            ) from None
        stack.enter_context(client)
        pool = _DaskPool(cluster, client)
        pool.send(work)
        stack.callback(pool.remove_work)
        yield pool


def _client_class(distributed: Any) -> Any:
    class Client(distributed.Client):
        def start(self, **options: Any) -> Any:
            try:
                return super().start(**options)
            except BaseException:
                self.close()  # else the garbage collector closes it, and may do so in a thread for which it then waits
                raise

    return Client


class _LocalPool:
    size = 1

    def __init__(self, work: Work) -> None:
        self._work = work

    def finished(self, batches: Iterable[Batch], *, ahead: int = 2) -> Iterator[tuple[int, Any]]:
        for number, batch in enumerate(batches):
            try:
                result = self._work(batch.given)
            except Exception as error:
                context = ColieeError(f"It was raised for {batch.name}.")
                context.__cause__ = error.__cause__
                raise error from context
            yield number, result


class _DaskPool:
    """Workers of a Dask cluster."""

    def __init__(self, cluster: Cluster, client: Any) -> None:
        self._cluster, self._client = cluster, client
        self._name = f"ir_coliee-{uuid4().hex}"

    def send(self, work: Work) -> None:
        """Send the work to all workers, including those that join later."""
        self._threads()
        plugin: Any = _distributed().WorkerPlugin()
        plugin.work = _PickledWork(work)
        with self._scheduler():
            self._client.register_plugin(plugin, name=self._name)

    def remove_work(self) -> None:
        """Remove the work from the workers."""
        if self._client.status == "running":
            with self._scheduler():
                self._client.unregister_worker_plugin(self._name)

    @contextmanager
    def _scheduler(self) -> Iterator[None]:
        """Context manager for calls of the scheduler. Raises `ColieeError` if it no longer answers."""
        try:
            yield
        except (OSError, CancelledError):
            raise self._lost() from None

    def _lost(self) -> ColieeError:
        address = printable(self._cluster.address, 50)
        return ColieeError(f"The scheduler at {address} stopped during the run.\nStart it, and run it again.")

    @property
    def size(self) -> int:
        return max(len(self._threads()), 1)

    def _threads(self) -> dict[str, int]:
        """Number of threads of each worker. Raises `ColieeError` for a worker to which texts may not be sent."""
        with self._scheduler():
            threads: dict[str, int] = self._client.nthreads()
        self._cluster.refuse_remote(threads)
        return threads

    def finished(self, batches: Iterable[Batch], *, ahead: int = 2) -> Iterator[tuple[int, Any]]:
        waiting = enumerate(batches)
        suspects: list[tuple[int, Batch]] = []  # their workers were killed, perhaps by another batch
        pending: dict[Any, tuple[int, Batch]] = {}
        try:
            while True:
                threads = self._threads()
                while len(pending) < ahead * max(sum(threads.values()), 1) and (item := next(waiting, None)):
                    pending[self._submit(item[1], threads)] = item
                alone = not pending
                if alone and not suspects:
                    return
                if alone:
                    item = suspects.pop()
                    pending[self._submit(item[1], threads)] = item
                for future in self._completed(pending):
                    item = pending.pop(future)
                    with self._scheduler():
                        killed = _killed_its_workers(future)
                        data = b"" if killed else future.result()
                    if killed:
                        if alone:
                            raise ColieeError(
                                f"The worker that ran {item[1].name} alone was killed repeatedly.\n"
                                "The batch may need more memory than a worker has. Use smaller batches, or fewer "
                                "processes."
                            )
                        suspects.append(item)
                    else:
                        yield item[0], _result(data, item[1])
        finally:
            if pending and self._client.status == "running":
                self._client.cancel(list(pending))

    def _submit(self, batch: Batch, threads: dict[str, int]) -> Any:
        import dask

        worker = None if batch.home is None or not threads else sorted(threads)[batch.home % len(threads)]
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            return self._client.submit(
                _run,
                self._name,
                _pickled(batch.given, batch.name),
                key=f"{self._name}-{uuid4().hex}",
                workers=worker,
                allow_other_workers=worker is not None,
            )

    def _completed(self, pending: Mapping[Any, tuple[int, Batch]]) -> list[Any]:
        """Wait for at least one finished future. Raises `ColieeError` if the cluster has no worker or is lost."""
        while True:
            try:
                with self._client.as_current():
                    futures = _distributed().wait(list(pending), timeout=_PATIENCE, return_when="FIRST_COMPLETED")
                return list(futures.done)
            except asyncio.TimeoutError:  # the built-in TimeoutError from Python 3.11 on
                if not self._threads():
                    address = printable(self._cluster.address, 40)
                    waiting = next(iter(pending.values()))[1].name
                    raise ColieeError(
                        f"The cluster at {address} has had no worker for {_PATIENCE:.0f} seconds.\n"
                        f"Start workers, and run it again. The first unfinished batch: {waiting}."
                    ) from None
            except (OSError, CancelledError):
                raise self._lost() from None


class _PickledWork:
    """Work for a worker, unpickled at the first call."""

    def __init__(self, work: Work) -> None:
        self._data: bytes | None = _pickled(work, "the work")
        self._work: Work | None = None

    def __call__(self) -> Work:
        with _UNPICKLING:
            if self._data is not None:
                self._work, self._data = pickle.loads(self._data), None
        assert self._work is not None
        return self._work


class _Outcome(NamedTuple):
    """Result of a batch, or the error and the worker's traceback."""

    result: Any
    error: Exception | None = None
    trace: str = ""


def _run(name: str, argument: bytes) -> bytes:
    """Run the work on a batch, on a worker. Errors are returned, because Dask would log the batch with a raised one."""
    from distributed import get_worker

    try:
        plugin: Any = get_worker().plugins[name]
        return _pickled(_Outcome(plugin.work()(pickle.loads(argument))), "the result")
    except Exception as error:
        return pickle.dumps(_Outcome(None, _picklable(error), traceback.format_exc()))


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


def _result(data: bytes, batch: Batch) -> Any:
    outcome: _Outcome = pickle.loads(data)
    if outcome.error is not None:
        raise outcome.error from ColieeError(f"It was raised for {batch.name}, on a worker:\n{outcome.trace}")
    return outcome.result


def _killed_its_workers(future: Any) -> bool:
    return future.status == "error" and isinstance(future.exception(), _distributed().KilledWorker)
