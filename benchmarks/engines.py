"""Search engines that take the same decisions as queries: this package's back-ends, and others.

An engine that is not installed is left out. All engines get the same words; indexing is not timed.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from synthetic_decisions import VOCABULARY, WORDS, content_words, counted, docno

from ir_coliee.engine.scoring import BACKENDS, Backend, top_k
from ir_coliee.engine.weightings import BM25, Collection, document_weights

K1, B, DEPTH = 1.2, 0.75, 1000
DEFAULT = BM25(K1, B)
THREADS = 2

Rankings = list[npt.NDArray[np.int64]]
Words = list[npt.NDArray[np.int64]]


class Problem(NamedTuple):
    """Decisions as content words, the first of which are the queries, with the BM25 weights of the words."""

    documents: Words
    queries: Words
    vectors: sparse.csr_matrix
    by_term: sparse.csr_matrix


def problem(documents: int, queries: int) -> Problem:
    """Return a problem of synthetic decisions."""
    content = list(content_words(documents))
    counts, lengths = counted(content)
    return Problem(content, content[:queries], counts[:queries].astype(np.float64), bm25_by_term(counts, lengths))


def bm25_by_term(
    counts: sparse.csr_matrix, lengths: npt.NDArray[np.float64], weighting: BM25 = DEFAULT
) -> sparse.csr_matrix:
    """Return the BM25 weights, terms x documents."""
    collection = Collection.of(counts.indices, counts.data, lengths, VOCABULARY)
    return document_weights(weighting, counts, lengths, collection).T.tocsr()


class Engine(NamedTuple):
    """A search to be timed, which processes a ``share`` of the queries.

    Attributes
    ----------
    name : str
        Name of the engine.
    search : callable
        The search.
    threads : int
        Number of threads.
    share : float
        Share of the queries that is searched.
    max_bounds : float or None
        Upper limit of its time, in multiples of the memory bound.
    exact : bool
        Whether its rankings must agree at every rank.
    by_term : sparse matrix or None
        The weights of its own formula, if it has another one.
    """

    name: str
    search: Callable[[], Rankings]
    threads: int = 1
    share: float = 1.0
    max_bounds: float | None = None
    exact: bool = False
    by_term: sparse.csr_matrix | None = None


#: Upper limit of our time in multiples of the memory bound, by back-end and threads.
MAX_BOUNDS = {("numba", 2): 3.0, ("scipy", 1): 6.0, ("scipy", 2): 6.0}


def ours(given: Problem) -> Iterator[Engine]:
    """Yield each installed back-end on one thread and on two, already compiled; the last is the fastest."""
    for backend, threads in itertools.product(BACKENDS, (1, THREADS)):
        if backend == "scipy" or find_spec(backend):
            few = given._replace(vectors=given.vectors[:1])
            own_rankings(few, backend, threads)
            yield Engine(
                f"ours, {backend}, threads: {threads}",
                lambda backend=backend, threads=threads: own_rankings(given, backend, threads),
                threads,
                max_bounds=MAX_BOUNDS.get((backend, threads)),
                exact=True,
            )


def own_rankings(given: Problem, backend: Backend, threads: int) -> Rankings:
    """Search with the engine of this package."""
    return [found.documents for found in top_k(given.vectors, given.by_term, DEPTH, backend=backend, threads=threads)]


def sparse_times_sparse(given: Problem) -> Iterator[Engine]:
    """Yield exhaustive BM25 as a plain script computes it, with which the others are compared."""

    def search() -> Rankings:
        found: Rankings = []
        for start in range(0, given.vectors.shape[0], 64):
            for scores in (given.vectors[start : start + 64] @ given.by_term).toarray():
                order = np.lexsort((np.arange(len(scores)), -scores))[:DEPTH]
                found.append(order[scores[order] > 0])
        return found

    yield Engine("scipy sparse x sparse, sorted", search)


def with_sparse_dot_topn(given: Problem) -> Iterator[Engine]:
    """Yield the sparse product that keeps the best results of each row."""
    if not find_spec("sparse_dot_topn"):
        return
    from sparse_dot_topn import sp_matmul_topn

    for threads in (1, THREADS):

        def search(threads: int = threads) -> Rankings:
            best = sp_matmul_topn(given.vectors, given.by_term, DEPTH, sort=True, n_threads=threads)
            return [row.astype(np.int64) for row in np.split(best.indices, best.indptr[1:-1])]

        yield Engine(f"sparse_dot_topn, threads: {threads}", search, threads)


def with_bm25s(given: Problem) -> Iterator[Engine]:
    """Yield both back-ends of bm25s."""
    if not find_spec("bm25s"):
        return
    import bm25s

    texts = [WORDS[words].tolist() for words in given.documents]
    asked = texts[: len(given.queries)]
    for backend in ("numpy", *(["numba"] if find_spec("numba") else [])):
        engine = bm25s.BM25(method="lucene", k1=K1, b=B, backend=backend)
        engine.index(texts, show_progress=False)

        def search(engine: Any = engine, queries: list[list[str]] = asked) -> Rankings:
            depth = min(DEPTH, len(texts))
            found = engine.retrieve(queries, k=depth, n_threads=THREADS, show_progress=False)
            return [documents[scores > 0] for documents, scores in zip(found.documents, found.scores)]

        if backend == "numba":
            search(engine, asked[:2])  # compiles
        yield Engine(f"bm25s {backend}, threads: {THREADS}", search, THREADS)


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Suppress what a C++ library writes to the terminal."""
    sys.stdout.flush()
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    with open(os.devnull, "wb") as nowhere:
        try:
            for stream in kept:
                os.dup2(nowhere.fileno(), stream)
            yield
        finally:
            for stream, copy in kept.items():
                os.dup2(copy, stream)
                os.close(copy)


def with_pisa(given: Problem) -> Iterator[Engine]:
    """Yield PISA with Robertson's idf and ``query_weighted``, without which it ignores the query frequencies."""
    if not find_spec("pyterrier_pisa"):
        return
    from pyterrier_pisa import PisaIndex

    with tempfile.TemporaryDirectory() as folder:
        index = PisaIndex(str(Path(folder) / "index"), text_field="text", stemmer="none", stops="none", threads=THREADS)
        texts = [" ".join(WORDS[words]) for words in given.documents]
        with silent():
            index.index({"docno": docno(number), "text": text} for number, text in enumerate(texts))
        numbers = range(len(given.queries))
        topics = pd.DataFrame({"qid": [str(number) for number in numbers], "query": texts[: len(numbers)]})
        with silent():
            engine = index.bm25(k1=K1, b=B, num_results=DEPTH, query_algorithm="maxscore", query_weighted=True)

        def search() -> Rankings:
            with silent():
                results = engine(topics)
            found = {
                qid: (rows["docno"].astype(int) - int(docno(0))).to_numpy() for qid, rows in results.groupby("qid")
            }
            return [found.get(str(number), np.empty(0, dtype=np.int64)) for number in numbers]

        by_term = bm25_by_term(*counted(given.documents), BM25(K1, B, idf="robertson"))
        by_term.data = by_term.data.clip(min=1e-6)  # where the idf is negative, it takes next to nothing
        yield Engine(f"PISA maxscore, threads: {THREADS} (*)", search, THREADS, by_term=by_term)


def with_rank_bm25(given: Problem) -> Iterator[Engine]:
    """Yield rank_bm25, which many participants use, on a sample of the queries."""
    if not find_spec("rank_bm25"):
        return
    from rank_bm25 import BM25Okapi

    texts = [WORDS[words].tolist() for words in given.documents]
    engine = BM25Okapi(texts, k1=K1, b=B)
    sample = texts[: min(3, len(given.queries))]

    def search() -> Rankings:
        return [np.argsort(-engine.get_scores(query), kind="stable")[:DEPTH] for query in sample]

    yield Engine(f"rank_bm25, from {len(sample)} queries", search, share=len(sample) / len(given.queries))


MAKERS = (ours, sparse_times_sparse, with_sparse_dot_topn, with_bm25s, with_pisa, with_rank_bm25)
