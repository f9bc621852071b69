"""Measure the transformers on short texts, frames included: task 2, articles of task 3, and paragraphs of decisions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd
from side_by_side import Row, Task, alone, beside
from synthetic_decisions import WORDS, decisions, word_numbers

from ir_coliee.engine.weightings import BM25, Collection, document_weights
from ir_coliee.transformers import LexicalIndex, ParagraphRetriever, paragraph_corpus

POOLS, POOL, ARTICLES, QUESTIONS = 800, 35, 776, 995
CASES, CASE_QUERIES = 400, 10

Floats = npt.NDArray[np.float64]


def texts_of(number: int, mean: int, seed: int) -> list[str]:
    """Return short texts cut from decisions."""
    rng = np.random.default_rng(seed)
    lengths = rng.lognormal(np.log(mean), 0.45, number).astype(int) + 3
    stream = np.concatenate(list(itertools.islice(word_numbers(10_000, seed=seed), 2 + int(lengths.sum()) // 2000)))
    starts = np.cumsum(lengths) % (len(stream) - int(lengths.max()))
    return [" ".join(WORDS[stream[start : start + length]]) for start, length in zip(starts, lengths)]


def rows() -> Iterator[Row]:
    """Time all of them, including the tokenisation of queries that are not documents of the index."""
    yield task2()
    yield from task3()
    yield from paragraphs()


def task2() -> Row:
    """Time a fragment against the paragraphs of its own case, with the statistics of these."""
    names = [f"{900 + pool}_{paragraph:03}" for pool in range(POOLS) for paragraph in range(POOL)]
    index = LexicalIndex.build(
        {"docno": name, "text": text} for name, text in zip(names, texts_of(len(names), 110, seed=2))
    )
    fragments = np.array(texts_of(POOLS, 60, seed=3), dtype=object)
    candidates = pd.DataFrame(
        {
            "qid": [name.partition("_")[0] for name in names],
            "query": pd.Series(fragments.repeat(POOL), dtype=object),
            "docno": names,
        }
    )
    in_pool = index.bm25(statistics="pool")
    return a_query(f"task 2: {POOLS} pools of {POOL}", lambda: in_pool(candidates), POOLS, bound=600)


def task3() -> Iterator[Row]:
    """Time a question against all articles."""
    index = LexicalIndex.build(
        {"docno": str(number), "text": text} for number, text in enumerate(texts_of(ARTICLES, 90, seed=4))
    )
    topics = pd.DataFrame(
        {"qid": [f"R99-{number}" for number in range(QUESTIONS)], "query": texts_of(QUESTIONS, 45, seed=5)}
    )
    for depth in (100, 1000):
        best = index.bm25(num_results=depth)
        what = f"task 3: {QUESTIONS} questions, best {depth} of {ARTICLES} articles"
        yield a_query(what, lambda best=best: best(topics), QUESTIONS, bound=120)


def a_query(what: str, task: Task, queries: int, *, bound: float) -> Row:
    """Return the time of one query, in microseconds."""
    task()
    return Row(f"{what}, a query", alone(what, task).ours / queries * 1e6, bound=bound, unit="us")


def paragraphs() -> Iterator[Row]:
    """Time scoring by the best paragraph, beside a loop over cases and queries in Python and scipy."""
    index = LexicalIndex.build(paragraph_corpus(decisions(CASES)))
    queries = pd.DataFrame({"qid": [name.partition("%")[0] for name in index.docnos]}).drop_duplicates()[:CASE_QUERIES]
    queries["query_docno"] = queries["qid"]
    for query_aggregate, name in ((None, "whole"), ("mean", "by paragraphs")):
        retriever = ParagraphRetriever(index, BM25(), query_aggregate=query_aggregate)
        plain = in_a_loop(index, queries["query_docno"].tolist(), by_paragraphs=query_aggregate is not None)
        found = retriever(queries).set_index(["qid", "docno"])["score"]
        expected = pd.concat(plain(), keys=queries["qid"], names=["qid", "docno"])
        np.testing.assert_allclose(found, expected[expected > 0].reindex(found.index), rtol=1e-9)
        assert len(found) == (expected > 0).sum()
        what = f"paragraphs: {CASE_QUERIES} decisions {name}, best of {CASES} cases, {len(index)} paragraphs"
        yield beside(what, lambda retriever=retriever: retriever(queries), "a plain loop", plain)


def in_a_loop(index: LexicalIndex, asked: list[str], *, by_paragraphs: bool) -> Callable[[], list[pd.Series]]:
    """Return a search that scores every paragraph by a sparse product and takes the best of each case in a loop."""
    lengths, counts = index.lengths, index.counts
    collection = Collection.of(counts.indices, counts.data, lengths, counts.shape[1])
    weights = document_weights(BM25(), counts, lengths, collection)
    of_case: dict[str, list[int]] = {}
    for row, docno in enumerate(index.docnos):
        of_case.setdefault(docno.partition("%")[0], []).append(row)
    # docnos are sorted, so that the paragraphs of a case follow each other
    bounds = np.array([0, *np.cumsum([len(rows) for rows in of_case.values()])])

    def best_of_cases(query: Floats) -> list[float]:
        scores = weights @ query
        return [scores[first:last].max() for first, last in pairwise(bounds)]

    def search() -> list[pd.Series]:
        found = []
        for case in asked:
            members = counts[of_case[case]].toarray().astype(np.float64)
            queries = members if by_paragraphs else [members.sum(axis=0)]
            scores = np.mean([best_of_cases(query) for query in queries], axis=0)
            found.append(pd.Series(scores, index=list(of_case)).sort_values(ascending=False))
        return found

    return search
