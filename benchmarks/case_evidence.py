"""Measure the stages of the evidence of task 1: reading, tokens, n-grams, and scores of a pool by words and n-grams.

It writes a synthetic release into a temporary folder, and prints the seconds and the processor seconds of each stage,
the peak memory of this process, and what bounds the stage. Run it as ``python benchmarks/case_evidence.py [SCALE]``,
where SCALE is the share of the true size of the train split of 2025, by default .05. The scores are those of a pool of
at most 2,000 texts, a fifth of which are queries.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from ir_coliee import synthetic
from ir_coliee.engine.cases.reading import text_key
from ir_coliee.engine.cases.scores import EVIDENCE
from ir_coliee.engine.cases.terms import BIGRAMS, NGrams, shared_ngrams, word_counts
from ir_coliee.engine.cases.texts import TextPool, case_collection
from ir_coliee.releases.release import LocalRelease

TRAIN = "coliee/task1/2025/train"
POOL = 2000  #: texts
FAMILIES = ("lexical", "ngram", "exclusive")

T = TypeVar("T")


def stage(name: str, bound: str, task: Callable[[], T]) -> T:
    """Run a stage once, print its line, and return its result."""
    start, before = time.perf_counter(), os.times()
    result = task()
    seconds, after = time.perf_counter() - start, os.times()
    spent = sum(after[:4]) - sum(before[:4])  # of ended processes too
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:34} {seconds:8.2f} s {spent:8.2f} s {memory:8.0f} MB  {bound}", flush=True)
    return result


def main() -> None:
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 0.05
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COLIEE_HOME"] = folder
        synthetic.write_release(TRAIN, folder, scale=scale)
        release = LocalRelease.open(TRAIN)
        print(f"{'':34} {'seconds':>10} {'processor':>10} {'peak':>11}  bound by")
        stage("which texts are the same", "files", lambda: [text_key(each.text) for each in release.documents()])
        collection = stage("reading, tokens, properties, cached", "look-ups of words", lambda: case_collection(release))
        sequences = collection.sequences
        print(f"{'':34} {len(sequences):,} texts, {len(sequences.tokens):,} tokens")
        del collection
        stage("opening them again", "checks of all numbers", lambda: case_collection(release))
        stage("counts of words", "tokens", lambda: word_counts(sequences))
        for kind in (BIGRAMS, NGrams(3), NGrams(5)):
            name = f"{kind.size}-grams of {'content' if kind.content else 'all'} words"
            stage(name, "sorting of hashes", lambda kind=kind: shared_ngrams(sequences, kind))
        members = np.arange(min(len(sequences), POOL))
        pool = TextPool(sequences, members[: len(members) // 5], members[len(members) // 5 :])
        print(f"{'':34} {len(pool.queries):,} queries, {len(pool.texts):,} candidate texts")
        for name, (compute, *_) in EVIDENCE.items():
            if name.startswith(FAMILIES):
                stage(name, "postings of shared terms", lambda compute=compute: compute(pool))


if __name__ == "__main__":
    main()
