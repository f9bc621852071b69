"""Measure indexing beside bm25s, its memory, the size of the index and the time to open it, with bounds.

The decisions are synthetic, with the statistics of real ones. Run it as ``python benchmarks/indexing.py [DOCUMENTS]``.
The bounds are those of 9,500 decisions. The exit status is 1 if one is missed.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bm25s
from side_by_side import Row, beside, print_rows, seconds
from synthetic_decisions import decisions

from ir_coliee.engine import folders
from ir_coliee.engine.term_counts import count_terms


def rows(documents: int) -> Iterator[Row]:
    """Index, store and open."""
    corpus = list(decisions(documents))
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts = count_terms(corpus, "words")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held
    yield Row("peak memory of indexing, beside the texts", peak / 1024, "MB")
    texts = [document["text"] for document in corpus]

    def by_bm25s() -> None:
        tokens = bm25s.tokenize(texts, stopwords=None, token_pattern=r"[^\W_]+", show_progress=False)
        bm25s.BM25().index(tokens, show_progress=False)

    yield beside("tokenise and index", lambda: count_terms(corpus, "words"), "bm25s", by_bm25s, bound=0.4)
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "index"
        folders.save(counts, path)
        yield Row("size on disk", sum(file.stat().st_size for file in path.iterdir()) / 1e6, "MB", bound=120)
        yield Row("opening", seconds(lambda: folders.load(path)), "s", bound=0.05)


if __name__ == "__main__":
    sys.exit(print_rows(rows(int(sys.argv[1]) if len(sys.argv) > 1 else 9500)))
