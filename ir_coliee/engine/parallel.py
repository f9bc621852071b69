"""Batches of texts that are read in this process and in worker processes.

A worker is a separate Python interpreter that communicates through pipes. ``multiprocessing`` is not used: a spawned
process would import the user's script again, and a forked one would inherit the locks of the threads of a Java VM.
Neither is joblib, whose workers print a traceback for each Ctrl-C while they start.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import IO, Any, TypeVar, cast

from ir_coliee.errors import ColieeError

_BATCH = 2**21  # characters that are read at a time
_SMALL = 2**23  # characters that are read before a worker would have started
_AHEAD = 2  # batches that are queued per worker, so that no worker waits

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def available_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_in_batches(
    items: Iterable[_Item],
    size: Callable[[_Item], int],
    read: Callable[[list[_Item]], _Result],
    processes: int,
) -> Iterator[_Result]:
    """Results of reading batches of items of about equal size, in order.

    Parameters
    ----------
    items : iterable
        Texts, or what is counted of them.
    size : callable
        The size of an item in characters.
    read : callable
        Reads a batch. It must be possible to pickle it.
    processes : int
        Number of processes. Small collections are read in this one.

    Raises
    ------
    ColieeError
        If a worker ended early.
    """
    seen = 0
    batches = _batches(items, size)
    for batch, characters in batches:
        yield read(batch)
        seen += characters
        if processes > 1 and seen >= _SMALL:
            break
    else:
        return
    with ExitStack() as stack:
        idle: SimpleQueue[_Worker] = SimpleQueue()
        for _ in range(processes):
            worker = _Worker()
            stack.callback(worker.end)
            idle.put(worker)
        threads = ThreadPoolExecutor(processes)
        stack.callback(threads.shutdown, cancel_futures=True)

        def read_in_worker(batch: list[_Item]) -> _Result:
            worker = idle.get()
            try:
                return worker.read(read, batch)
            finally:
                idle.put(worker)

        pending: deque[Future[_Result]] = deque()
        for batch, _ in batches:
            pending.append(threads.submit(read_in_worker, batch))
            if len(pending) > _AHEAD * processes:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _batches(items: Iterable[_Item], size: Callable[[_Item], int]) -> Iterator[tuple[list[_Item], int]]:
    """Batches of items, with the size of each batch."""
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


class _Worker:
    """A worker process."""

    def __init__(self) -> None:
        path = [place for place in sys.path if isinstance(place, str)]  # Python ignores other entries
        start = (  # Windows has no sessions
            "import json, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
            f"sys.path[:] = json.loads(sys.argv[1]); from {__name__} import serve; serve()"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", start, json.dumps(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C reaches the parent process only, which ends the worker
        )
        self._tasks, self._results = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)

    def read(self, read: Callable[[list[Any]], _Result], batch: list[Any]) -> _Result:
        """Return the result of a batch. Raises `ColieeError` if the process ended early."""
        try:
            pickle.dump((read, batch), self._tasks, protocol=5)
            self._tasks.flush()
            return cast(_Result, pickle.load(self._results))
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


def serve() -> None:
    """Main loop of a worker: read the batches from the standard input until it is closed, or the parent has ended."""
    tasks, results = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # the standard output is reserved for results
    with suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):
        while True:
            read, batch = pickle.load(tasks)
            pickle.dump(read(batch), results, protocol=5)
            results.flush()
