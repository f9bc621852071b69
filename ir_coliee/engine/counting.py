"""Count the terms of documents, in this process or in worker processes.

A worker is a separate Python interpreter that communicates through pipes. ``multiprocessing`` is not used: a spawned
process would import the user's script again, and a forked one would inherit the locks of the threads of a Java VM.
"""

from __future__ import annotations

import json
import pickle
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from queue import SimpleQueue
from typing import IO, Any, NamedTuple, cast

from ir_coliee.engine.corpus import Content
from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import Analysis, Pretokenised, analyser_from_description, describe_analyser, tokeniser


class GrowingVocabulary(dict[str, int]):
    """Vocabulary that gives the next number to each new term when it is first looked up."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class Counted(NamedTuple):
    """Terms of some documents, document by document, as the numbers of their counter.

    Attributes
    ----------
    counter : int
        Number of the counter.
    new_terms : list of str
        Terms that the counter has numbered since its previous result, in order.
    terms : bytearray of int32
        Distinct terms of each document; in reading order, all tokens.
    counts : bytearray of int32
        Count of each term; empty in reading order.
    sizes : bytearray of int32
        Number of ``terms`` of each document.
    """

    counter: int
    new_terms: list[str]
    terms: bytearray
    counts: bytearray
    sizes: bytearray


class TermCounter:
    """Counter of terms. It keeps its numbering, so each term is returned as a string only once.

    Parameters
    ----------
    number : int
        Number of the counter, returned with its results.
    analyser : Analysis
        Analyser of the documents.
    in_order : bool
        Return all tokens in reading order, as shingles need them, instead of counts.
    """

    def __init__(self, number: int, analyser: Analysis, in_order: bool = False) -> None:
        self._number = number
        self._analyse: Callable[[Any], Collection[str]] = (
            _unchanged if isinstance(analyser, Pretokenised) else tokeniser(analyser)
        )
        self._in_order = in_order
        self._vocabulary = GrowingVocabulary()

    def count(self, documents: list[Content]) -> Counted:
        """Count the terms of documents, which are texts or token counts."""
        known_terms = len(self._vocabulary)
        counted = Counted(self._number, [], bytearray(), bytearray(), bytearray())
        for document in documents:
            tokens = self._analyse(document)
            terms = tokens if self._in_order else Counter(tokens)
            numbers = f"{len(terms)}i"  # struct.pack is much faster than array.array
            counted.terms.extend(struct.pack(numbers, *map(self._vocabulary.__getitem__, terms)))
            if isinstance(terms, Counter):
                counted.counts.extend(struct.pack(numbers, *terms.values()))
            counted.sizes.extend(struct.pack("i", len(terms)))
        counted.new_terms.extend(islice(self._vocabulary, known_terms, None))
        return counted


def _unchanged(counts: dict[str, int]) -> dict[str, int]:
    return counts


class _Worker:
    """A worker process with its own `TermCounter`."""

    def __init__(self, number: int, analyser: Analysis, in_order: bool) -> None:
        path = [place for place in sys.path if isinstance(place, str)]  # Python ignores other entries
        arguments = json.dumps([path, number, describe_analyser(analyser), in_order])
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

    def count(self, documents: list[Content]) -> Counted:
        """See `TermCounter.count`. Raises `ColieeError` if the process ended early."""
        try:
            pickle.dump(documents, self._tasks, protocol=5)
            self._tasks.flush()
            return cast(Counted, pickle.load(self._results))
        except (OSError, EOFError, pickle.UnpicklingError):
            raise ColieeError(
                f"A process that counts terms ended early (exit status {self._process.wait()}).\n"
                "Memory may have run out. Nothing was written. Build the index again."
            ) from None

    def end(self) -> None:
        """Stop the process."""
        with suppress(OSError):  # the process ended before it read all data
            self._tasks.close()
        self._results.close()
        self._process.wait()


class Workers:
    """Worker processes; each counts one batch of documents at a time.

    Parameters
    ----------
    number : int
        Number of processes.
    analyser, in_order
        See `TermCounter`.
    """

    def __init__(self, number: int, analyser: Analysis, in_order: bool = False) -> None:
        self._workers = [_Worker(position, analyser, in_order) for position in range(1, number + 1)]
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(number)  # each waits for the result of one worker

    def submit(self, documents: list[Content]) -> Future[Counted]:
        """Count the terms of documents in the next free worker."""
        return self._threads.submit(self._count, documents)

    def _count(self, documents: list[Content]) -> Counted:
        worker = self._free.get()
        try:
            return worker.count(documents)
        finally:
            self._free.put(worker)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_failure: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.end()


def serve(number: int, analyser: str | dict[str, Any], in_order: bool = False) -> None:
    """Main loop of a worker: count the batches from the standard input until it is closed, or the parent has ended."""
    tasks, results = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # the standard output is reserved for results
    counter = TermCounter(number, analyser_from_description(analyser), in_order)
    with suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):
        while True:
            pickle.dump(counter.count(pickle.load(tasks)), results, protocol=5)
            results.flush()
