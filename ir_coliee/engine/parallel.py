"""Batches of texts that are read in this process and in worker processes.

A worker is a separate Python interpreter that communicates through pipes. ``multiprocessing`` is not used: a spawned
process would import the user's script again, and a forked one would inherit the locks of the threads of a Java VM.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Any, NamedTuple, TypeVar, cast

from ir_coliee.errors import ColieeError

_BATCH = 2**21  # characters that are read at a time
_SMALL = 2**23  # characters that are read before a worker would have started
_AHEAD = 2  # batches that are queued per worker, so that no worker waits

_Item = TypeVar("_Item")


class Reading(NamedTuple):
    """A function that reads batches, by its name, so that a worker can make it.

    Attributes
    ----------
    module, maker : str
        The module and the name of a function that returns the reading function. Its first argument is the number of the
        process, 0 for this one.
    arguments : tuple
        Its other arguments, as JSON has them.
    """

    module: str
    maker: str
    arguments: tuple[Any, ...] = ()

    def function(self, number: int) -> Callable[[list[Any]], Any]:
        """Return the function that reads batches in a process."""
        made: Callable[[list[Any]], Any] = getattr(importlib.import_module(self.module), self.maker)(
            number, *self.arguments
        )
        return made


def available_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def batches(items: Iterable[_Item], size: Callable[[_Item], int]) -> Iterator[tuple[list[_Item], int]]:
    """Batches of items of about equal size, with the size of each batch.

    Parameters
    ----------
    items : iterable
        Texts, or what is counted of them.
    size : callable
        The size of an item in characters.
    """
    batch: list[_Item] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= _BATCH:
            yield batch, total
            batch, total = [], 0
    if batch:
        yield batch, total


def read_batches(sized: Iterator[tuple[list[Any], int]], reading: Reading, processes: int) -> Iterator[Any]:
    """Results of reading each batch, in order.

    This process reads the first batches itself, and later ones if the workers have enough batches queued. Each process
    reads its batches in order.

    Parameters
    ----------
    sized : iterator of (list, int)
        See `batches`.
    reading : Reading
        The function.
    processes : int
        Number of processes, including this one.

    Raises
    ------
    ColieeError
        If a worker ended early.
    """
    read = reading.function(0)
    seen = 0
    for batch, size in sized:
        yield read(batch)
        seen += size
        if processes > 1 and seen >= _SMALL:
            break
    else:
        return
    with Workers(processes - 1, reading) as workers:
        pending: deque[Future[Any]] = deque()
        for batch, _ in sized:
            if sum(not future.done() for future in pending) < _AHEAD * (processes - 1):
                pending.append(workers.submit(batch))
            else:
                done: Future[Any] = Future()
                done.set_result(read(batch))
                pending.append(done)
            while pending and pending[0].done():
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


class _Worker:
    """A worker process with its own reading function."""

    def __init__(self, number: int, reading: Reading) -> None:
        path = [place for place in sys.path if isinstance(place, str)]  # Python ignores other entries
        arguments = json.dumps([path, number, *reading])
        start = (  # Windows has no sessions
            "import json, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
            f"path, *options = json.loads(sys.argv[1]); sys.path[:] = path; from {__name__} import serve"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{start}; serve(*options)", arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C reaches the parent process only, which ends the worker
        )
        self._tasks, self._results = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)

    def read(self, batch: list[Any]) -> Any:
        """Return the result of a batch. Raises `ColieeError` if the process ended early."""
        try:
            pickle.dump(batch, self._tasks, protocol=5)
            self._tasks.flush()
            return pickle.load(self._results)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise ColieeError(
                f"A process that reads texts ended early (exit status {self._process.wait()}).\n"
                "Memory may have run out. Nothing was written. Start again."
            ) from None

    def end(self) -> None:
        """Stop the process."""
        with suppress(OSError):  # the process ended before it read all data
            self._tasks.close()
        self._results.close()
        self._process.wait()


class Workers:
    """Worker processes; each reads one batch at a time, and its batches in the order in which they are submitted.

    Parameters
    ----------
    number : int
        Number of processes.
    reading : Reading
        The function.
    """

    def __init__(self, number: int, reading: Reading) -> None:
        self._workers = [_Worker(position, reading) for position in range(1, number + 1)]
        self._unbound = list(self._workers)
        self._bound = threading.local()
        # each thread takes the next batch when its worker has returned the result of the one before
        self._threads = ThreadPoolExecutor(number, initializer=self._bind)

    def _bind(self) -> None:
        self._bound.worker = self._unbound.pop()

    def submit(self, batch: list[Any]) -> Future[Any]:
        """Read a batch in the next free worker."""
        return self._threads.submit(self._read, batch)

    def _read(self, batch: list[Any]) -> Any:
        return self._bound.worker.read(batch)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_failure: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.end()


def serve(number: int, module: str, maker: str, arguments: list[Any]) -> None:
    """Main loop of a worker: read the batches from the standard input until it is closed, or the parent has ended."""
    tasks, results = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # the standard output is reserved for results
    read = Reading(module, maker, tuple(arguments)).function(number)
    with suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):
        while True:
            pickle.dump(read(pickle.load(tasks)), results, protocol=5)
            results.flush()
