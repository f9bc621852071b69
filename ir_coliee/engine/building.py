"""Builds term counts from a stream of documents, on several cores where there is enough to do."""

from __future__ import annotations

import os
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.counting import Counted, GrowingVocabulary, TermCounter, Workers
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError, listed, shown
from ir_coliee.text.language import ANALYSERS

_Numbers = npt.NDArray[np.int32]

_CHUNK = 2**21  # characters that are counted at a time
_SMALL = 2**23  # characters that are counted sooner than a worker has started
_AHEAD = 2  # chunks that a worker is given at a time, so that it need not wait for the next


def count_terms(
    corpus: Iterable[Mapping[str, Any]],
    analyser: str,
    *,
    fingerprint: str | None = None,
    processes: int | None = None,
) -> TermCounts:
    """The term counts of a corpus: an iterable of dicts with ``docno`` and ``text``.

    ``analyser`` is a name of `ir_coliee.text.language.ANALYSERS`; ``fingerprint`` is kept. ``processes`` count, this
    one among them; by default as many as there are cores. The counts are the same whatever their number, the terms
    in order of their characters. Raises `ColieeError` for documents that come twice and for one without a number or
    a text, `ValueError` for an unknown analyser.
    """
    known_analyser(analyser)
    docnos: list[str] = []
    vocabulary = GrowingVocabulary()
    numbers_of: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))  # ours, by each counter's own
    terms, counts, sizes = [], [], []
    for counted in _counted(_chunks(corpus, docnos), analyser, processes or _cores()):
        numbers = numbers_of[counted.counter]
        numbers.extend(map(vocabulary.__getitem__, counted.new_terms))
        terms.append(np.frombuffer(numbers, np.int32)[np.frombuffer(counted.terms, np.int32)])
        counts.append(np.frombuffer(counted.counts, np.int32))
        sizes.append(np.frombuffer(counted.sizes, np.int32))
    if len(set(docnos)) < len(docnos):
        repeated = sorted(docno for docno, times in Counter(docnos).items() if times > 1)
        raise ColieeError(f"Documents given more than once: {listed(repeated)}. Give each once.")
    ordered = sorted(vocabulary)
    columns = np.empty(len(ordered), dtype=np.int32)
    columns[np.fromiter(map(vocabulary.__getitem__, ordered), np.int32, len(ordered))] = np.arange(len(ordered))
    matrix = _matrix(columns[_joined(terms)], _joined(counts), _joined(sizes), len(ordered))
    names = np.array(docnos, dtype=object)
    order = np.argsort(names, kind="stable")
    matrix = matrix[order]
    matrix.sort_indices()
    return TermCounts(names[order], dict(zip(ordered, range(len(ordered)))), matrix, analyser, fingerprint)


def known_analyser(name: str) -> str:
    """The name. Raises `ValueError` where no analyser has it."""
    if name not in ANALYSERS:
        raise ValueError(f"no analyser {name!r}; there are {', '.join(ANALYSERS)}")
    return name


def _matrix(terms: _Numbers, counts: _Numbers, sizes: _Numbers, vocabulary: int) -> sparse.csr_matrix:
    """Documents x terms, from the terms of one document after the other."""
    ends = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    return sparse.csr_matrix((counts, terms, ends), shape=(len(sizes), vocabulary), dtype=np.int32)


def _joined(arrays: list[_Numbers]) -> _Numbers:
    return np.concatenate([np.empty(0, dtype=np.int32), *arrays])


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunks(corpus: Iterable[Mapping[str, Any]], docnos: list[str]) -> Iterator[list[str]]:
    """The texts in lots that take about as long as each other; their documents' numbers are added to ``docnos``."""
    texts: list[str] = []
    size = 0
    for document in corpus:
        docno, text = _checked(document, len(docnos))
        docnos.append(docno)
        texts.append(text)
        size += len(text)
        if size >= _CHUNK:
            yield texts
            texts, size = [], 0
    if texts:
        yield texts


def _checked(document: Mapping[str, Any], position: int) -> tuple[str, str]:
    docno, text = document.get("docno"), document.get("text")
    if not isinstance(docno, str):
        found = "none" if docno is None else f"one of the type {type(docno).__name__}"
        raise ColieeError(f"Document {position}, counted from 0, needs a docno that is a string, and has {found}.")
    if not isinstance(text, str):
        found = "none" if text is None else f"one of the type {type(text).__name__}"
        raise ColieeError(f"Document {shown(docno)} needs a text that is a string, and has {found}.")
    return docno, text


def _counted(chunks: Iterator[list[str]], analyser: str, processes: int) -> Iterator[Counted]:
    """The counts of each chunk, in order. This process counts too, whenever the others have enough to do."""
    here = TermCounter(0, analyser)
    seen = 0
    for texts in chunks:
        yield here.count(texts)
        seen += sum(map(len, texts))
        if processes > 1 and seen >= _SMALL:
            break
    else:
        return
    with Workers(processes - 1, analyser) as workers:
        pending: deque[Future[Counted]] = deque()
        for texts in chunks:
            if sum(not future.done() for future in pending) < _AHEAD * (processes - 1):
                pending.append(workers.submit(texts))
            else:
                done: Future[Counted] = Future()
                done.set_result(here.count(texts))
                pending.append(done)
            while pending and pending[0].done():
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
