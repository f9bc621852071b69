"""How fast whole decisions are searched with, and pools are scored: ours, by back-end and threads, beside others.

The bound is the memory's: the postings that the terms of all queries have, times 12 bytes (the document's number, the
weight), over the bandwidth at which as many threads read a large array, measured in turn with ours. At most 3 times
that with numba on two threads, at most 6 times with scipy alone. Engines that are not installed are left out; all get
the same words, and searching is timed, not indexing. Agreement is with sparse times sparse, sorted: of all places in
the rankings those with the same document, and of all documents those that are in both.

Run it as ``python benchmarks/retrieval.py``, or smaller: ``--documents 500 --queries 50``. Ends with status 1 where a
bound is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from made_up_decisions import FUNCTION_WORDS, VOCABULARY, WORDS, docno, word_numbers
from scipy import sparse
from side_by_side import Row, alone, as_line, beside, heading

from ir_coliee.engine.scoring import BACKENDS, Backend, top_k, touched_postings
from ir_coliee.engine.weightings import BM25, Collection, document_weights
from ir_coliee.transformers import LexicalIndex

K1, B, DEPTH = 1.2, 0.75, 1000
THREADS = 2
BOUNDS = {("numba", 2): 3.0, ("scipy", 1): 6.0, ("scipy", 2): 6.0}
BYTES_OF_A_POSTING = 12

Rankings = list[npt.NDArray[np.int64]]
Words = list[npt.NDArray[np.int64]]


class Problem(NamedTuple):
    """Decisions as their content words, the first of which are the queries, and the BM25 weights of the words."""

    documents: Words
    queries: Words
    vectors: sparse.csr_matrix
    by_term: sparse.csr_matrix


def problem(documents: int, queries: int) -> Problem:
    """Made-up decisions, counted."""
    content = [words[words >= FUNCTION_WORDS] for words in word_numbers(documents)]
    distinct = [np.unique(words, return_counts=True) for words in content]
    bounds = np.cumsum([0, *(len(words) for words, _ in distinct)])
    terms = np.concatenate([words for words, _ in distinct]).astype(np.int32)
    frequencies = np.concatenate([counts for _, counts in distinct]).astype(np.int32)
    counts = sparse.csr_matrix((frequencies, terms, bounds), shape=(documents, VOCABULARY))
    lengths = np.array([len(words) for words in content], dtype=np.float64)
    collection = Collection.of(counts.indices, counts.data, lengths, VOCABULARY)
    by_term = document_weights(BM25(K1, B), counts, lengths, collection).T.tocsr()
    return Problem(content, content[:queries], counts[:queries].astype(np.float64), by_term)


# --- ours ------------------------------------------------------------------------------------------


def own_rankings(given: Problem, backend: Backend, threads: int) -> Rankings:
    """By the engine."""
    return [found.documents for found in top_k(given.vectors, given.by_term, DEPTH, backend=backend, threads=threads)]


def own_rows(given: Problem) -> Iterator[Row]:
    """Each back-end that is installed, on one thread and two, beside the reading of the postings."""
    large = np.ones(100_000_000)
    touched_bytes = touched_postings(given.vectors, given.by_term) * BYTES_OF_A_POSTING
    for backend, threads in itertools.product(BACKENDS, (1, THREADS)):
        if backend != "scipy" and not find_spec(backend):
            continue
        own_rankings(given, backend, threads)  # compiles
        parts = np.array_split(large, threads)
        with ThreadPoolExecutor(threads) as pool:
            yield beside(
                f"{len(given.queries)} x {len(given.documents)}: {backend}, threads: {threads}",
                lambda backend=backend, threads=threads: own_rankings(given, backend, threads),
                "memory bound",
                lambda pool=pool, parts=parts: list(pool.map(np.sum, parts)),
                scale=touched_bytes / large.nbytes,
                bound=BOUNDS.get((backend, threads)),
            )


# --- the others: each is given the problem, and gives a search to be timed and the share of the queries it takes -----


class Peer(NamedTuple):
    name: str
    search: Callable[[], Rankings]
    share: float = 1.0


def sparse_times_sparse(given: Problem) -> Iterator[Peer]:
    """Exhaustive BM25 as a script does it, and what the others are compared with."""

    def search() -> Rankings:
        found: Rankings = []
        for start in range(0, given.vectors.shape[0], 64):
            for scores in (given.vectors[start : start + 64] @ given.by_term).toarray():
                order = np.lexsort((np.arange(len(scores)), -scores))[:DEPTH]
                found.append(order[scores[order] > 0])
        return found

    yield Peer("scipy sparse x sparse, sorted", search)


def with_sparse_dot_topn(given: Problem) -> Iterator[Peer]:
    """The product that keeps the best."""
    if not find_spec("sparse_dot_topn"):
        return
    from sparse_dot_topn import sp_matmul_topn

    for threads in (1, THREADS):

        def search(threads: int = threads) -> Rankings:
            best = sp_matmul_topn(given.vectors, given.by_term, DEPTH, sort=True, n_threads=threads)
            return [row.astype(np.int64) for row in np.split(best.indices, best.indptr[1:-1])]

        yield Peer(f"sparse_dot_topn, threads: {threads}", search)


def with_bm25s(given: Problem) -> Iterator[Peer]:
    """Both of its back-ends."""
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
        yield Peer(f"bm25s {backend}, threads: {THREADS}", search)


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Without what a library in C++ writes to the terminal."""
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


def with_pisa(given: Problem) -> Iterator[Peer]:
    """Its own formula; query_weighted, without which it drops the queries' frequencies."""
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

        yield Peer(f"PISA maxscore, threads: {THREADS}", search)


def with_rank_bm25(given: Problem) -> Iterator[Peer]:
    """What many participants use, on a sample of the queries."""
    if not find_spec("rank_bm25"):
        return
    from rank_bm25 import BM25Okapi

    texts = [WORDS[words].tolist() for words in given.documents]
    engine = BM25Okapi(texts, k1=K1, b=B)
    sample = texts[: min(3, len(given.queries))]

    def search() -> Rankings:
        return [np.argsort(-engine.get_scores(query), kind="stable")[:DEPTH] for query in sample]

    yield Peer("rank_bm25", search, len(sample) / len(given.queries))


PEERS = (sparse_times_sparse, with_sparse_dot_topn, with_bm25s, with_pisa, with_rank_bm25)


def peer_lines(given: Problem, own: Rankings, own_seconds: float) -> Iterator[str]:
    """Seconds of each peer, times of ours, and how far its rankings agree with the exhaustive ones."""
    exhaustive: Rankings = []
    for peer in itertools.chain.from_iterable(make(given) for make in PEERS):
        start = time.perf_counter()
        found = peer.search()
        seconds = (time.perf_counter() - start) / peer.share
        if not exhaustive:
            exhaustive = found
            yield _peer_line("ours", own_seconds, own_seconds, own, exhaustive)
        name = peer.name if peer.share == 1 else f"{peer.name} (from {len(found)} queries)"
        yield _peer_line(name, seconds, own_seconds, found, exhaustive)


def _peer_line(name: str, seconds: float, own_seconds: float, found: Rankings, exhaustive: Rankings) -> str:
    pairs = list(zip(found, exhaustive))
    places = sum(len(right) for _, right in pairs)
    same = sum(int((left[: len(right)] == right[: len(left)]).sum()) for left, right in pairs) / places
    shared = sum(len(np.intersect1d(left, right)) for left, right in pairs) / places
    return f"  {name:42} {seconds:9.2f} s {seconds / own_seconds:9.1f} {same:12.4f} {shared:12.4f}"


# --- pools and articles ----------------------------------------------------------------------------


def texts_of(number: int, mean: int, seed: int) -> list[str]:
    """Short texts, cut from decisions."""
    rng = np.random.default_rng(seed)
    lengths = rng.lognormal(np.log(mean), 0.45, number).astype(int) + 3
    stream = np.concatenate(list(itertools.islice(word_numbers(10_000, seed=seed), 2 + int(lengths.sum()) // 2000)))
    starts = np.cumsum(lengths) % (len(stream) - int(lengths.max()))
    return [" ".join(WORDS[stream[start : start + length]]) for start, length in zip(starts, lengths)]


def small_rows() -> Iterator[Row]:
    """Task 2's pools and task 3's articles, through the transformers, tokenising and frames included."""
    pools, size, articles, questions = 800, 35, 776, 995
    names = [f"{900 + pool}_{paragraph:03}" for pool in range(pools) for paragraph in range(size)]
    paragraphs = LexicalIndex.build(
        {"docno": name, "text": text} for name, text in zip(names, texts_of(len(names), 110, seed=2))
    )
    fragments = np.array(texts_of(pools, 60, seed=3), dtype=object)
    candidates = pd.DataFrame(
        {
            "qid": [name.partition("_")[0] for name in names],
            "query": pd.Series(fragments.repeat(size), dtype=object),
            "docno": names,
        }
    )
    in_pool = paragraphs.bm25(statistics="pool")
    yield alone(f"task 2: {pools} pools of {size}", lambda: in_pool(candidates), bound=pools * 0.6e-3)
    code = LexicalIndex.build(
        {"docno": str(number), "text": text} for number, text in enumerate(texts_of(articles, 90, seed=4))
    )
    topics = pd.DataFrame(
        {"qid": [f"R99-{number}" for number in range(questions)], "query": texts_of(questions, 45, seed=5)}
    )
    ranked = code.bm25(num_results=100)
    yield alone(
        f"task 3: {questions} questions, {articles} articles", lambda: ranked(topics), bound=questions * 0.12e-3
    )


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[4400, 9500])
    parser.add_argument("--queries", type=int, default=959)
    parser.add_argument("--no-peers", action="store_true", help="leave the other engines out")
    asked = parser.parse_args()
    missed = 0
    for documents in asked.documents:
        given = problem(documents, min(asked.queries, documents))
        touched = touched_postings(given.vectors, given.by_term)
        print(f"{len(given.queries)} decisions against {documents}, best {DEPTH}: {touched:.3g} postings touched")
        print(heading())
        fastest = None
        for row in own_rows(given):
            print(as_line(row), flush=True)
            missed += row.met is False
            fastest = min(fastest or row.ours, row.ours)
        if not asked.no_peers:
            print(f"\n  {'':42} {'time':>11} {'x ours':>9} {'same place':>12} {'same set':>12}")
            for line in peer_lines(given, own_rankings(given, "scipy", THREADS), fastest or 0.0):
                print(line, flush=True)
        print()
    print(heading())
    for row in small_rows():
        print(as_line(row), flush=True)
        missed += row.met is False
    print(f"\n{missed} of the bounds missed" if missed else "\nall bounds met")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
