"""Run batches of work on a Dask cluster, or one after the other in this process.

The work itself is sent to each worker once; afterwards only batches and results are transferred. A killed worker costs
only its current batches, which another worker repeats.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol
from uuid import uuid4

from ir_coliee.data_agreement import refuse_remote
from ir_coliee.errors import ColieeError, MissingExtraError

Work = Callable[[Any], Any]

_CONNECTING = 10.0  # seconds in which a scheduler must answer
_PATIENCE = 60.0  # seconds without any worker after which none is expected to come
_DEATHS = 1  # of its workers that a batch survives among others; after that it is tried alone


@dataclass(frozen=True)
class Cluster:
    """Address of the scheduler of a Dask cluster.

    All other settings (certificates, timeouts) are those of Dask's configuration. The workers need this package and
    access to the folders that are used.

    Parameters
    ----------
    address : str
        For example ``tcp://127.0.0.1:8786``.
    allow_remote : bool
        Allow a scheduler or workers on other machines, to which texts are then sent.

    Raises
    ------
    ColieeError
        For an address of another machine without ``allow_remote``.

    Examples
    --------
    >>> Cluster("tcp://127.0.0.1:8786")
    Cluster(address='tcp://127.0.0.1:8786', allow_remote=False)
    """

    address: str
    allow_remote: bool = False

    def __post_init__(self) -> None:
        self.refuse_remote([self.address])

    def refuse_remote(self, addresses: Iterable[str]) -> None:
        """Refuse addresses of other machines, unless ``allow_remote`` is set.

        Raises
        ------
        ColieeError
            For an address of another machine.
        """
        if not self.allow_remote:
            refuse_remote(addresses, "Cluster(..., allow_remote=True)")


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
        """Number (from 0) and result of each batch, as they are finished.

        At most ``ahead`` batches per thread are in progress, and no more are taken from the iterable. An error of the
        work is raised unchanged; its ``__cause__`` names the batch and has the worker's traceback.

        Raises
        ------
        ColieeError
            For a batch that repeatedly kills its workers, and if the cluster is lost.
        """


@contextmanager
def worker_pool(cluster: Cluster | None, work: Work) -> Iterator[WorkerPool]:
    """Workers of the cluster, or without one this process. The work is sent to each worker once."""
    if cluster is None:
        yield _Here(work)
        return
    distributed = _distributed()
    with ExitStack() as stack:
        try:
            client = distributed.Client(cluster.address, timeout=_CONNECTING, set_as_default=False)
        except (OSError, ValueError) as error:
            problem = f"No scheduler of Dask answers at {cluster.address} ({type(error).__name__}: {error})"
            raise ColieeError(f"{problem}. Start one there, or take `with local_cluster() as cluster:`.") from None
        stack.enter_context(client)
        there = _There(cluster, client)
        there.send(work)
        stack.callback(there.recall)
        yield there


class _Here:
    size = 1

    def __init__(self, work: Work) -> None:
        self._work = work

    def finished(self, batches: Iterable[Batch], *, ahead: int = 2) -> Iterator[tuple[int, Any]]:
        for number, batch in enumerate(batches):
            try:
                result = self._work(batch.given)
            except Exception as error:
                place = ColieeError(f"It was raised for {batch.name}.")
                place.__cause__ = error.__cause__
                raise error from place
            yield number, result


class _There:
    """Workers of Dask."""

    def __init__(self, cluster: Cluster, client: Any) -> None:
        self._cluster, self._client = cluster, client
        self._name = f"ir_coliee-{uuid4().hex}"

    def send(self, work: Work) -> None:
        """Give the work to each worker that is there, and to those that will come."""
        self._threads()
        plugin: Any = _distributed().WorkerPlugin()
        plugin.work = _Sent(work)
        self._client.register_plugin(plugin, name=self._name)

    def recall(self) -> None:
        """Have the workers forget the work."""
        if self._client.status == "running":
            self._client.unregister_worker_plugin(self._name)

    @property
    def size(self) -> int:
        return max(len(self._threads()), 1)

    def _threads(self) -> dict[str, int]:
        """The threads of each worker. Raises `ColieeError` for one where no text may go."""
        threads: dict[str, int] = self._client.nthreads()
        self._cluster.refuse_remote(threads)
        return threads

    def finished(self, batches: Iterable[Batch], *, ahead: int = 2) -> Iterator[tuple[int, Any]]:
        waiting = enumerate(batches)
        suspects: list[tuple[int, Batch]] = []  # each was on workers that ended, perhaps on account of another batch
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
                for future in self._some(pending):
                    item = pending.pop(future)
                    if _ended_its_workers(future):
                        if alone:
                            raise _deadly(item[1])
                        suspects.append(item)
                    else:
                        yield item[0], _result(future, item[1])
        finally:
            if pending and self._client.status == "running":
                self._client.cancel(list(pending))

    def _submit(self, batch: Batch, threads: dict[str, int]) -> Any:
        import dask

        home = None if batch.home is None or not threads else sorted(threads)[batch.home % len(threads)]
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            return self._client.submit(
                _carry_out,
                self._name,
                _packed(batch.given, batch.name),
                key=f"{self._name}-{uuid4().hex}",
                workers=home,
                allow_other_workers=home is not None,
            )

    def _some(self, pending: Mapping[Any, tuple[int, Batch]]) -> list[Any]:
        """Those that are finished, at least one. Raises `ColieeError` where nobody is left to finish any."""
        while True:
            try:
                with self._client.as_current():
                    some = _distributed().wait(list(pending), timeout=_PATIENCE, return_when="FIRST_COMPLETED")
                return list(some.done)
            except asyncio.TimeoutError:  # the built-in one from Python 3.11 on
                if not self._threads():
                    waiting = next(iter(pending.values()))[1].name
                    raise ColieeError(
                        f"The cluster at {self._cluster.address} has had no worker for {_PATIENCE:.0f} seconds. Start "
                        f"workers, and run it again. The first unfinished batch: {waiting}."
                    ) from None
            except CancelledError:
                raise ColieeError(
                    f"The scheduler at {self._cluster.address} stopped during the run. Start it, and run it again."
                ) from None


class _Sent:
    """Work on its way to a worker, which unpacks it once."""

    def __init__(self, work: Work) -> None:
        self._packed: bytes | None = _packed(work, "the work")
        self._work: Work | None = None

    def __call__(self) -> Work:
        with _UNPACKING:
            if self._packed is not None:
                self._work, self._packed = pickle.loads(self._packed), None
        assert self._work is not None
        return self._work


_UNPACKING = threading.Lock()


class _Outcome(NamedTuple):
    """Of a batch: the result, or the error and the worker's traceback."""

    result: Any
    error: Exception | None = None
    trace: str = ""


def _carry_out(name: str, given: bytes) -> bytes:
    """Do the work on a batch: what a worker does. Nothing is raised, since Dask would log the batch beside it."""
    from distributed import get_worker

    try:
        plugin: Any = get_worker().plugins[name]
        return _packed(_Outcome(plugin.work()(pickle.loads(given))), "the result")
    except Exception as error:
        return pickle.dumps(_Outcome(None, _that_travels(error), traceback.format_exc()))


def _that_travels(error: Exception) -> Exception:
    """The error, or where it cannot be pickled one that says the same."""
    try:
        again = pickle.loads(pickle.dumps(error))
        travels = type(again) is type(error) and str(again) == str(error)
    except Exception:  # whatever its own methods raise
        travels = False
    return error if travels else ColieeError(f"{type(error).__name__}: {error}")


def _packed(value: Any, name: str) -> bytes:
    """The value for another process, also functions of no module. Raises `ColieeError` where it cannot be packed."""
    import cloudpickle

    try:
        packed: bytes = cloudpickle.dumps(value)
    except Exception as error:  # whatever its own methods raise
        problem = f"{name[:1].upper()}{name[1:]} cannot be sent to another process ({type(error).__name__}: {error})"
        raise ColieeError(
            f"{problem}. Leave out what belongs to this process: open files, connections, locks."
        ) from error
    return packed


def _result(future: Any, batch: Batch) -> Any:
    outcome: _Outcome = pickle.loads(future.result())
    if outcome.error is not None:
        raise outcome.error from ColieeError(f"It was raised for {batch.name}, on a worker:\n{outcome.trace}")
    return outcome.result


def _ended_its_workers(future: Any) -> bool:
    return future.status == "error" and isinstance(future.exception(), _distributed().KilledWorker)


def _deadly(batch: Batch) -> ColieeError:
    return ColieeError(
        f"The worker that ran {batch.name} alone was killed repeatedly. The batch may need more memory than a worker "
        "has. Use smaller batches, or fewer processes."
    )
