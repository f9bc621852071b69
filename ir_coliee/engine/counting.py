"""Documents of a corpus: they are checked while they are read, and counted in this process and in worker processes.

A worker is a separate Python interpreter that communicates through pipes. ``multiprocessing`` is not used: a spawned
process would import the user's script again, and a forked one would inherit the locks of the threads of a Java VM.
Neither is joblib, whose workers print a traceback for each Ctrl-C while they start. This module imports neither NumPy
nor SciPy, so that workers start fast.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
import subprocess
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import IO, Any, NamedTuple, TypeAlias, TypeVar, cast

from ir_coliee.errors import ColieeError, printable, printable_list
from ir_coliee.text.analysers import Analysis, Pretokenised, tokeniser

Content: TypeAlias = str | dict[str, int]

_LARGEST_COUNT = 2**31 - 1  # counts are stored as int32

_Item = TypeVar("_Item")


def content_column(analyser: Analysis) -> str:
    """Column of a document that an analyser reads besides ``docno``: ``text`` or ``toks``."""
    return "toks" if isinstance(analyser, Pretokenised) else "text"


def check_is_corpus(corpus: object) -> None:
    """Raise `TypeError` if an argument is not an iterable of documents, such as a dataset or its id."""
    if isinstance(corpus, str) or not isinstance(corpus, Iterable):
        kind = type(corpus).__name__
        raise TypeError(
            f"corpus must be an iterable of documents, got a value of type {kind}.\n"
            "For a dataset, use LexicalIndex.from_dataset(dataset), or pass dataset.get_corpus_iter()."
        )


def check_corpus(corpus: Iterable[Mapping[str, Any]], analyser: Analysis) -> Iterator[tuple[str, Content]]:
    """Id and content of each document of a corpus.

    Parameters
    ----------
    corpus : iterable of dict
        Documents with ``docno`` and ``text`` (``toks`` for `Pretokenised`).
    analyser : Analysis
        Analyser that will read them.

    Yields
    ------
    (str, str or dict of str to int)
        The id, and the text or the token counts.

    Raises
    ------
    TypeError
        If the corpus is not an iterable.
    ColieeError
        For anything but a dict, and for a document without an id, a text, or tokens with counts of at least 1.
    """
    check_is_corpus(corpus)
    column = content_column(analyser)
    for position, document in enumerate(corpus):
        place = f"{position}, counted from 0,"
        if not isinstance(document, Mapping):
            raise _wrong(place, f"be a dict with docno and {column}", document)
        docno, content = document.get("docno"), document.get(column)
        if not isinstance(docno, str):
            raise _wrong(place, "have a string as docno", docno)
        if column == "toks":
            yield docno, _counts(docno, content)
        elif isinstance(content, str):
            yield docno, content
        else:
            raise _wrong(docno, "have a string as text", content)


def check_unique_documents(docnos: Collection[str]) -> None:
    """Check that no document id occurs twice.

    Raises
    ------
    ColieeError
        With the repeated ids.
    """
    if len(set(docnos)) < len(docnos):
        repeated = sorted(docno for docno, times in Counter(docnos).items() if times > 1)
        raise ColieeError(f"Documents occur more than once: {printable_list(repeated)}. Give each document once.")


def _wrong(document: str, expected: str, found: object) -> ColieeError:
    return ColieeError(f"Document {printable(document)} must {expected}, got a value of type {type(found).__name__}.")


def _counts(docno: str, toks: Any) -> dict[str, int]:
    """Return the counts of the tokens of a document, which may be a list of tokens."""
    if not isinstance(toks, (list, tuple, Mapping)):
        raise _wrong(docno, "have a dict from token to count, or a list of tokens, as toks", toks)
    for token in toks:
        if not (isinstance(token, str) and token):
            raise _wrong(docno, "have nonempty strings as tokens", token)
    if not isinstance(toks, Mapping):
        return Counter(toks)
    return {token: _count(docno, token, count) for token, count in toks.items()}


def _count(docno: str, token: str, value: Any) -> int:
    """Count of a token as an integer; ``3.0`` is accepted."""
    try:
        count = int(value)
    except (TypeError, ValueError, OverflowError):
        count = 0
    if not 1 <= count <= _LARGEST_COUNT or count != value:
        problem = f"the count of its token {printable(token)!r} is {printable(repr(value))}"
        raise ColieeError(
            f"Document {printable(docno)}: {problem}.\nExpected: an integer from 1 to {_LARGEST_COUNT:,}. "
            "Leave out tokens without weight; scale and round the weights of others."
        )
    return count


class GrowingVocabulary(defaultdict[str, int]):
    """Vocabulary that gives the next number to each new term when it is first looked up."""

    def __init__(self, known: Iterable[tuple[str, int]] = ()) -> None:
        super().__init__(None, known)
        self.default_factory = self.__len__  # much faster than a method __missing__


class Counted(NamedTuple):
    """Terms of some documents, document by document.

    Attributes
    ----------
    vocabulary : list of str
        The distinct terms, in order of first occurrence.
    terms : bytearray of int32
        Numbers in ``vocabulary`` of the distinct terms of each document; in reading order, of all its tokens.
    counts : bytearray of int32
        Count of each term; empty in reading order.
    sizes : bytearray of int32
        Number of ``terms`` of each document.
    """

    vocabulary: list[str]
    terms: bytearray
    counts: bytearray
    sizes: bytearray


def count_tokens(documents: Sequence[_Item], analyse: Callable[[_Item], Collection[str]], in_order: bool) -> Counted:
    """Count the terms of documents.

    Parameters
    ----------
    documents : sequence
        The documents.
    analyse : callable
        Returns the tokens of a document, or their counts.
    in_order : bool
        Return all tokens in reading order, as shingles need them, instead of counts.
    """
    vocabulary = GrowingVocabulary()
    counted = Counted([], bytearray(), bytearray(), bytearray())
    for document in documents:
        tokens = analyse(document)
        terms = tokens if in_order else Counter(tokens)
        numbers = f"{len(terms)}i"  # struct.pack is much faster than array.array
        counted.terms.extend(struct.pack(numbers, *map(vocabulary.__getitem__, terms)))
        if isinstance(terms, Counter):
            counted.counts.extend(struct.pack(numbers, *terms.values()))
        counted.sizes.extend(struct.pack("i", len(terms)))
    counted.vocabulary.extend(vocabulary)
    return counted


def count_contents(documents: Sequence[Any], analyser: Analysis, in_order: bool) -> Counted:
    """Count the terms of documents by an analyser, see `count_tokens`."""
    analyse: Callable[[Any], Collection[str]] = tokeniser(analyser)
    return count_tokens(documents, dict if isinstance(analyser, Pretokenised) else analyse, in_order)


_BATCH = 2**22  # characters that are read at a time
_SMALL = 2**23  # characters that are read before a worker would have started
_AHEAD = 2  # batches that are queued per worker, so that no worker waits

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
