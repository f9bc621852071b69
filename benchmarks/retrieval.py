"""Measure search with whole decisions by both back-ends, beside other engines and the memory bound.

The memory bound is the time to read the postings of the queries' terms, at 12 bytes each (document number and weight),
at the bandwidth with which as many threads read a large array. No exhaustive search can beat it. All engines get the
same words; indexing is not timed. An engine that is not installed (extra ``benchmarks``) is left out. Our rankings must
be those of a sorted product of sparse matrices.

Run it as ``python benchmarks/retrieval.py``, or with less data: ``--documents 500 --queries 50``. The exit status is 1
if a bound is missed. The bounds are those of all data: with less, starting takes longer than adding.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from side_by_side import Row, Task, beside, print_rows
from synthetic_decisions import WORDS, content_words, counted

from ir_coliee.engine.scoring import BACKENDS, count_postings, top_k
from ir_coliee.engine.weightings import BM25, Collection, document_weights

K1, B, DEPTH, THREADS = 1.2, 0.75, 1000, 2
BYTES_OF_A_POSTING = 12
MAX_BOUNDS = {"numba": 3.0, "scipy": 6.0}  # our time in multiples of the memory bound


def exhaustively(vectors: sparse.csr_matrix, weights: sparse.csr_matrix) -> list[npt.NDArray[np.int64]]:
    """Return the rankings by a plain product."""
    scores = (vectors @ weights).toarray()
    orders = [np.lexsort((np.arange(len(row)), -row))[:DEPTH] for row in scores]
    return [order[row[order] > 0] for order, row in zip(orders, scores)]


def others(texts: list[list[str]], queries: int, folder: Path) -> Iterator[tuple[str, Task, float]]:
    """Yield name, search and share of the queries of each installed engine."""
    asked = texts[:queries]
    if find_spec("bm25s"):
        import bm25s

        for backend in ("numpy", *(["numba"] if find_spec("numba") else [])):
            engine = bm25s.BM25(method="lucene", k1=K1, b=B, backend=backend)
            engine.index(texts, show_progress=False)
            options: dict[str, Any] = {"k": min(DEPTH, len(texts)), "n_threads": THREADS, "show_progress": False}
            engine.retrieve(asked[:2], **options)  # compiles
            yield f"bm25s {backend}", lambda engine=engine, options=options: engine.retrieve(asked, **options), 1
    if find_spec("pyterrier_pisa"):
        from pyterrier_pisa import PisaIndex

        index = PisaIndex(str(folder / "pisa"), text_field="text", stemmer="none", stops="none", threads=THREADS)
        index.index({"docno": str(number), "text": " ".join(words)} for number, words in enumerate(texts))
        topics = pd.DataFrame({"qid": list(map(str, range(queries))), "query": list(map(" ".join, asked))})
        pisa = index.bm25(k1=K1, b=B, num_results=DEPTH, query_algorithm="maxscore", query_weighted=True)
        yield "PISA", lambda: pisa(topics), 1
    if find_spec("rank_bm25"):
        from rank_bm25 import BM25Okapi

        okapi = BM25Okapi(texts, k1=K1, b=B)
        yield "rank_bm25", lambda: [np.argsort(-okapi.get_scores(query))[:DEPTH] for query in asked[:3]], 3 / queries


def rows(documents: int, queries: int) -> Iterator[Row]:
    """Time our back-ends beside the bound, and the other engines beside the last of ours."""
    content = list(content_words(documents))
    counts, lengths = counted(content)
    collection = Collection.of(counts, lengths)
    weights = document_weights(BM25(K1, B), counts, lengths, collection).T.tocsr()
    vectors = counts[:queries].astype(np.float64)
    large = np.array_split(np.ones(100_000_000), THREADS)
    touched = count_postings(vectors, weights) * BYTES_OF_A_POSTING / 800_000_000
    with ThreadPoolExecutor(THREADS) as pool, tempfile.TemporaryDirectory() as folder:
        for backend in (each for each in BACKENDS if each == "scipy" or find_spec(each)):

            def ours(backend: Any = backend) -> list[npt.NDArray[np.int64]]:
                return [found.documents for found in top_k(vectors, weights, DEPTH, backend=backend, threads=THREADS)]

            few = exhaustively(vectors[:20], weights)
            assert all(np.array_equal(found, expected) for found, expected in zip(ours(), few))
            read = beside(backend, ours, "memory bound", lambda: list(pool.map(np.sum, large)), scale=touched)
            yield read._replace(bound=MAX_BOUNDS.get(backend))
        texts = [WORDS[words].tolist() for words in content]
        for name, search, share in others(texts, queries, Path(folder)):
            yield beside(name, search, "ours", ours, scale=share)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=9500)
    parser.add_argument("--queries", type=int, default=959)
    asked = parser.parse_args()
    sys.exit(print_rows(rows(asked.documents, min(asked.queries, asked.documents))))
