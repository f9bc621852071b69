"""Measure the time of each filter, cut-off and fusion for 300,000 result rows; the bound is half a second.

The rows are 300 queries with 1,000 synthetic items each, shuffled and without ranks, so that the time includes
sorting; a fusion gets two such rankings in order. Each figure is the median of five. Run it as ``python
benchmarks/frames.py``; it takes about a minute. The exit status is 1 if a bound is missed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pyterrier as pt
from side_by_side import Row, alone, as_line, heading

from ir_coliee.transformers import (
    AdaptiveCutoff,
    AddDuplicates,
    Agreement,
    Backfill,
    CandidatePool,
    DropDuplicates,
    DropQueries,
    DropSelf,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ReciprocalRank,
    ThresholdCutoff,
    TopicFilter,
    TopK,
    WeightedSum,
    YearFilter,
)
from ir_coliee.transformers.fusion import NORMALISATIONS

QUERIES, DEPTH, DOCUMENTS, TOPICS = 300, 1000, 4400, 50
BOUND = 0.5
SAMPLE = "coliee/task1/sample/test"


def ranking(seed: int) -> pd.DataFrame:
    """Return sorted results whose scores resemble the probabilities of a classifier: most are small."""
    rng = np.random.default_rng(seed)
    docs = np.array([f"{900_000 + n}" for n in range(DOCUMENTS)], dtype=object)
    queries = docs[:QUERIES]
    drawn = np.concatenate([rng.choice(DOCUMENTS, DEPTH, replace=False) for _ in range(QUERIES)])
    scores = np.sort(rng.beta(0.05, 5.0, (QUERIES, DEPTH)), axis=1)[:, ::-1].ravel()
    return pd.DataFrame(
        {
            "qid": queries.repeat(DEPTH),
            "docno": docs[drawn],
            "score": scores,
            "rank": np.tile(np.arange(DEPTH), QUERIES),
        }
    )


def transformers() -> Iterator[pt.Transformer]:
    """Return every filter and cut-off."""
    rng = np.random.default_rng(0)
    docs = [f"{900_000 + n}" for n in range(DOCUMENTS)]
    copies = {doc: docs[place - place % 2] for place, doc in enumerate(docs[:1000])}
    yield from (DropSelf(), DropQueries(SAMPLE), YearFilter(SAMPLE), CandidatePool("coliee/task2/sample/test"))
    yield from (DropDuplicates(copies), AddDuplicates(copies))
    yield TopicFilter({doc: rng.permutation(TOPICS)[:5].tolist() for doc in docs}, k=3)
    yield from (
        TopK(10),
        ThresholdCutoff(0.1),
        RatioCutoff(0.5, threshold=0.1, max_items=10),
        DynamicCutoff(),
        MarginCutoff(0.1, max_items=10),
    )
    yield from (GapCutoff(max_items=10), AdaptiveCutoff(8.0, -1.0))
    yield from (ExpectedFCutoff(), ExpectedFCutoff(beta=2.0), ExpectedFCutoff(average="micro"))


def fusions(a: pt.Transformer, b: pt.Transformer) -> Iterator[pt.Transformer]:
    """Return every fusion."""
    yield from (WeightedSum(a, b, normalise=by) for by in (*NORMALISATIONS, None))
    yield from (ReciprocalRank(a, b), Agreement(a, b), Backfill(a, b))


class _Given(pt.Transformer):
    """Transformer that returns a given ranking; PyTerrier's own would merge it with the topics."""

    def __init__(self, results: pd.DataFrame) -> None:
        self.results = results

    def __repr__(self) -> str:
        return "_"

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        return self.results


def rows() -> Iterator[Row]:
    """Time each transformer and compare it with its bound."""
    one, other = ranking(0), ranking(1)
    shuffled = one.drop(columns="rank").sample(frac=1.0, random_state=0)
    for transformer in transformers():
        name = repr(transformer)
        transformer(shuffled)  # what a filter reads of its dataset is kept
        yield alone(_short(name), lambda t=transformer: t(shuffled), bound=BOUND)
    topics = one[["qid"]].drop_duplicates()
    for fusion in fusions(_Given(one), _Given(other)):
        yield alone(_short(repr(fusion)), lambda t=fusion: t(topics), bound=BOUND)


def _short(name: str) -> str:
    return name if len(name) <= 65 else f"{name[:61]} ..."


def main() -> int:
    """Print the table."""
    print(f"{QUERIES} queries x {DEPTH} items; a fusion has two such rankings.\n")
    print(heading())
    missed = 0
    for row in rows():
        print(as_line(row), flush=True)
        missed += row.met is False
    print(f"\n{missed} of the bounds missed" if missed else "\nall bounds met")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
