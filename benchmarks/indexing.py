"""Measure indexing speed beside bm25s, the size of the index, the time to open it, and the cost of shingles.

The decisions are synthetic, with the statistics of real ones. Ours and bm25s are timed in one run, because ratios
carry over to other machines and times do not. Run it as ``python benchmarks/indexing.py [DOCUMENTS]`` on an idle
machine. The bounds are those of 9,500 decisions. The exit status is 1 if one is missed.
"""

from __future__ import annotations

import importlib.util
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from side_by_side import Row, alone, as_line, beside, heading
from synthetic_decisions import decisions

from ir_coliee.engine import folders
from ir_coliee.engine.building import count_each, count_terms
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.text.analysers import Shingles, words

DOCUMENTS = 9500
PEER = "bm25s"
SHINGLES = (2, 3, 5, 8)  #: words


def peer(texts: list[str]) -> Callable[[], object]:
    """Index with bm25s, all words kept and with a token pattern that finds the same words as ours."""
    import bm25s

    def index() -> None:
        tokens = bm25s.tokenize(texts, stopwords=None, token_pattern=r"[^\W_]+", show_progress=False)
        bm25s.BM25().index(tokens, show_progress=False)

    return index


def bounds(corpus: list[dict[str, str]]) -> None:
    """Yield the time of each step in one process."""
    megabytes = sum(len(document["text"]) for document in corpus) / 1e6
    texts = [document["text"] for document in corpus]
    start = time.process_time()
    tokens = sum(len(words(text)) for text in texts)
    tokenised = time.process_time() - start
    start = time.process_time()
    postings = sum(len(Counter(words(text))) for text in texts)
    counted = time.process_time() - start - tokenised
    start = time.process_time()
    count_terms(corpus, "words", processes=1)
    rest = time.process_time() - start - tokenised - counted
    print(f"\n{megabytes:.0f} MB, {tokens:,} tokens, {postings:,} postings, one process:")
    for what, seconds, number, unit in (
        ("tokens", tokenised, tokens, "token"),
        ("counting them", counted, tokens, "token"),
        ("numbering, joining, sorting", rest, postings, "posting"),
    ):
        print(f"  {what:30} {seconds:6.2f} s, {seconds / number * 1e9:4.0f} ns a {unit}")


def with_shingles(corpus: list[dict[str, str]], held: int) -> Iterator[Row]:
    """Yield the additional time and memory of shingles of several lengths."""

    def shingled() -> object:
        return count_each(corpus, ["words", *map(Shingles, SHINGLES)])

    what = f"words and shingles of {', '.join(map(str, SHINGLES))}, all cores"
    yield beside(what, shingled, "words alone", lambda: count_terms(corpus, "words"), bound=4)
    yield Row("its peak memory beside the texts", peak_beside(held), bound=1500, unit="MB")


def peak_beside(held: int) -> float:
    """Return the peak memory in MB, minus the memory held before."""
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) / 1024


def stored(counts: TermCounts) -> Iterator[Row]:
    """Yield the size of the index and the time to open it."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "index"
        folders.save(counts, path)
        size = sum(file.stat().st_size for file in path.iterdir()) / 1e6
        yield alone("to open an index", lambda: folders.load(path), bound=0.05)
        yield Row("its size on disk", size, bound=120, unit="MB")
        assert np.array_equal(folders.load(path).counts.data, counts.counts.data)


def beside_peer(corpus: list[dict[str, str]]) -> Iterator[Row]:
    """Yield the time of indexing."""
    index = peer([document["text"] for document in corpus])
    both, one = (lambda: count_terms(corpus, "words")), (lambda: count_terms(corpus, "words", processes=1))
    yield beside("to tokenise and index, all cores", both, PEER, index, bound=0.4)
    yield beside("to tokenise and index, one process", one, PEER, index)


def missed(rows: Iterator[Row]) -> int:
    """Print the rows and return the number of missed bounds."""
    number = 0
    for row in rows:
        print(as_line(row), flush=True)
        number += row.met is False
    return number


def main() -> int:
    """Print the tables."""
    corpus = list(decisions(int(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS))
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts = count_terms(corpus, "words")
    peak = peak_beside(held)
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{len(corpus)} decisions, peak memory {peak:.0f} MB beside the texts, {worker:.0f} MB a worker\n")
    print(heading())
    number = missed(stored(counts))
    if importlib.util.find_spec(PEER):
        number += missed(beside_peer(corpus))
    else:
        print(f"{PEER} is not installed: nothing to compare with")
    bounds(corpus)
    print("\n" + heading())
    number += missed(with_shingles(corpus, held))
    return int(number > 0)


if __name__ == "__main__":
    sys.exit(main())
