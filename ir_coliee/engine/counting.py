"""Counts the terms of documents, here or in a worker process.

A worker is an interpreter of its own that is spoken to through pipes. One of ``multiprocessing`` would run the
user's script again wherever processes are not forked, and a fork would duplicate the locks of a Java machine's threads.
"""

from __future__ import annotations

import json
import pickle
import signal
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
    """Numbers each term when it is first asked for."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class Counted(NamedTuple):
    """The terms of some documents, one document after the other, by the numbers that their counter gave them.

    In reading order, a term is there as often as it comes, and there are no counts.
    """

    counter: int
    new_terms: list[str]  # those that the counter has numbered since its last counts, in order
    terms: bytearray  # numbers of 32 bits, as are those below
    counts: bytearray
    sizes: bytearray  # terms of each document


class TermCounter:
    """Counts terms. It keeps its numbers of them, so that each is spelled out once."""

    def __init__(self, number: int, analyser: Analysis, in_order: bool = False) -> None:
        """``in_order``: give the terms in reading order, as whoever looks for their neighbours needs them."""
        self._number = number
        self._analyse: Callable[[Any], Collection[str]] = (
            _as_given if isinstance(analyser, Pretokenised) else tokeniser(analyser)
        )
        self._in_order = in_order
        self._vocabulary = GrowingVocabulary()

    def count(self, documents: list[Content]) -> Counted:
        """Count the terms of these documents: of texts, or of what has been counted already."""
        known = len(self._vocabulary)
        counted = Counted(self._number, [], bytearray(), bytearray(), bytearray())
        for document in documents:
            tokens = self._analyse(document)
            terms = tokens if self._in_order else Counter(tokens)
            numbers = f"{len(terms)}i"  # to pack them is much faster than an array
            counted.terms.extend(struct.pack(numbers, *map(self._vocabulary.__getitem__, terms)))
            if isinstance(terms, Counter):
                counted.counts.extend(struct.pack(numbers, *terms.values()))
            counted.sizes.extend(struct.pack("i", len(terms)))
        counted.new_terms.extend(islice(self._vocabulary, known, None))
        return counted


def _as_given(counts: dict[str, int]) -> dict[str, int]:
    return counts


class _Worker:
    """A process with a counter."""

    def __init__(self, number: int, analyser: Analysis, in_order: bool) -> None:
        path = [place for place in sys.path if isinstance(place, str)]  # as Python itself passes over any other
        arguments = json.dumps([path, number, describe_analyser(analyser), in_order])
        start = (
            f"import json, sys; path, *options = json.loads(sys.argv[1]); sys.path[:] = path; from {__name__} import"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{start} serve; serve(*options)", arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._tasks, self._results = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)

    def count(self, documents: list[Content]) -> Counted:
        """As a counter. Raises `ColieeError` if the process ended early."""
        try:
            pickle.dump(documents, self._tasks, protocol=5)
            self._tasks.flush()
            return cast(Counted, pickle.load(self._results))
        except (OSError, EOFError, pickle.UnpicklingError):
            raise ColieeError(
                f"A process that counts terms ended early (exit status {self._process.wait()}), possibly because "
                "memory ran out. Nothing was written. Build the index again."
            ) from None

    def end(self) -> None:
        """Stop the process."""
        with suppress(OSError):  # it has ended already, and did not take all
            self._tasks.close()
        self._results.close()
        self._process.wait()


class Workers:
    """Processes that are given documents to count; each counts one lot after the other."""

    def __init__(self, number: int, analyser: Analysis, in_order: bool = False) -> None:
        self._all = [_Worker(position, analyser, in_order) for position in range(1, number + 1)]
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._all:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(number)  # each speaks to one worker, and waits for it

    def submit(self, documents: list[Content]) -> Future[Counted]:
        """Have the next free worker count the terms of these documents."""
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
        for worker in self._all:
            worker.end()


def serve(number: int, analyser: str | dict[str, Any], in_order: bool = False) -> None:
    """Count what comes through the standard input until it ends: what a worker does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started the worker ends it
    tasks, results = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what is printed meanwhile is no result
    counter = TermCounter(number, analyser_from_description(analyser), in_order)
    while True:
        try:
            documents = pickle.load(tasks)
        except EOFError:
            return
        pickle.dump(counter.count(documents), results, protocol=5)
        results.flush()
