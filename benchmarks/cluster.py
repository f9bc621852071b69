"""Measure how search time changes with the number of shards and of workers.

One run compares one index on one thread; the same documents in 1, 2, 4 and 8 shards, searched in this process; and
the shards on 1, 2 and 4 workers of this machine with one thread each. Every search computes the weights of its
documents, as a search of shards always does. Every ranking must equal that of the one index, to the last bit; the exit
status is 1 if one does not. More workers than cores gain nothing.

Run it as ``python benchmarks/cluster.py``, or with more data: ``--documents 20000 --queries 200``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import pandas as pd
from distributed import LocalCluster
from synthetic_decisions import decisions

from ir_coliee.transformers import Cluster, LexicalIndex, Retriever, ShardedIndex, ShardedRetriever

PAIRS = 3


def timed(retriever: Retriever | ShardedRetriever, topics: pd.DataFrame) -> tuple[float, str]:
    """Return the seconds, and a hash of the documents, their order and the bits of their scores."""
    retriever = pickle.loads(pickle.dumps(retriever))  # without the weights of the search before
    start = time.perf_counter()
    results = retriever(topics)
    seconds = time.perf_counter() - start
    names = "\n".join(results["qid"] + " " + results["docno"])
    return seconds, hashlib.sha256(names.encode() + results["score"].to_numpy().tobytes()).hexdigest()


def line(name: str, retriever: ShardedRetriever, whole: Retriever, topics: pd.DataFrame) -> tuple[str, bool]:
    """Return a line with the time and its ratio to that of one index, and whether all rankings are equal."""
    pairs = [(timed(retriever, topics), timed(whole, topics)) for _ in range(PAIRS)]
    same = len({ranking for pair in pairs for _, ranking in pair}) == 1
    own = median(sharded for (sharded, _), _ in pairs)
    ratio = median(sharded / one for (sharded, _), (one, _) in pairs)
    return f"{name:40} {own:9.2f} s {ratio:14.2f}   {'same' if same else 'OTHER'} ranking", same


def lines(asked: argparse.Namespace, folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table, and whether the rankings of each are equal."""
    corpus = list(decisions(asked.documents))
    topics = pd.DataFrame(corpus[: asked.queries]).rename(columns={"docno": "qid", "text": "query"})
    whole = Retriever(LexicalIndex.build(corpus), backend=asked.backend)
    yield f"{'one index':40} {timed(whole, topics)[0]:9.2f} s {1:14.2f}", True
    paths = []
    for number in asked.shards:
        start = time.perf_counter()
        size = -(-asked.documents // number)
        paths.append(folder / str(number))
        shards = ShardedIndex.build(corpus, paths[-1], documents_per_shard=size).shards
        yield f"  {shards} shards built in {time.perf_counter() - start:.1f} s", True
    for workers in (0, *asked.workers):
        with ExitStack() as stack:
            cluster = None
            if workers:
                options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
                cluster = Cluster(stack.enter_context(LocalCluster(**options)).scheduler_address)
            for path in paths:
                index = ShardedIndex(path, cluster)
                retriever = index.bm25(backend=asked.backend)
                where = f"{workers} workers" if workers else "this process"
                yield line(f"{index.shards} shards, {where}", retriever, whole, topics)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--queries", type=int, default=64)
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--backend", choices=["scipy", "numba"], default="scipy")
    asked = parser.parse_args()
    asked.queries = min(asked.queries, asked.documents)
    print(f"{asked.queries} decisions against {asked.documents}, best 1000; cores: {os.cpu_count()}")
    print(f"{'':40} {'time':>11} {'x one index':>14}")
    all_same = True
    with tempfile.TemporaryDirectory() as folder:
        for text, same in lines(asked, Path(folder)):
            print(text, flush=True)
            all_same &= same
    return int(not all_same)


if __name__ == "__main__":
    sys.exit(main())
