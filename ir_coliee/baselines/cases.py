"""The learned baseline of task 1: noticed cases by gradient boosting within pools, in two rounds.

A test split since 2022 consists of its queries and the cases that they notice, and of nothing else. So a train split of
several editions is another search problem than a test split. It is divided into blocks of consecutive queries, each
with the pool that the organisers would have given it. Document frequencies, ranks and the competition of queries for a
text are then those of a test.

The steps can be used one by one::

    baseline = CaseBaseline(split, training_data(split))
    scored = held_out(baseline.recipe, baseline.train_blocks(), gold)
    answers = scored.cutoff(fit(scored).run(baseline.block()))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse

from ir_coliee.baselines.learned import Arrays, LearnedBaseline, kept, table_arrays, table_of
from ir_coliee.baselines.recipes import (
    MIN_BLOCKS_OF_TWO_ROUNDS,
    BoostedLearner,
    Columns,
    FeatureTable,
    QueryBlock,
    Recipe,
)
from ir_coliee.baselines.training import TrainingData, added_queries
from ir_coliee.editions import Split
from ir_coliee.engine.cases.candidates import (
    GRAPH_FEATURES,
    KINDS,
    PAIR_FEATURES,
    CandidateGraph,
    Candidates,
    best_candidates,
    graph_features,
    pair_features,
    pool_kinds,
)
from ir_coliee.engine.cases.scores import EVIDENCE, TOTAL, evidence_scores
from ir_coliee.engine.cases.terms import BIGRAMS, NGrams, bigram_vectors, shared_ngrams, word_counts
from ir_coliee.engine.cases.texts import CaseCollection, TextPool, case_collection
from ir_coliee.engine.counting import available_cores
from ir_coliee.frames import Booleans, Floats, Integers, ranks_from_0
from ir_coliee.measures import MicroF1
from ir_coliee.progress import progress, stage
from ir_coliee.releases.cases import documents, query_ids
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers import PoolCutoff
from ir_coliee.transformers.estimators import label_values

__all__ = ["CaseBaseline", "case_recipe"]

# --- pools -----------------------------------------------------------------------------------------------

_LARGE_BLOCK, _QUERIES_OF_BLOCK = 600, 480  # a larger block is divided into equal ones of at most so many queries
_QUERIES_WITH_POOLS = 130  # of a block, in editions that give each query 200 candidates, as of their test splits
_MAX_NOTICED_QUERIES = 0.02  # share of the noticed cases of a block that may be queries of the block


class CasePool(NamedTuple):
    """Queries, and the documents among which they are answered.

    Attributes
    ----------
    name : str
        The name, for messages.
    queries : tuple of str
        The ids of the queries.
    documents : tuple of str
        The ids of the documents.
    given : mapping of str to collection of str, optional
        The documents that are candidates of each query, in editions that give each query a pool. None: all are.
    """

    name: str
    queries: tuple[str, ...]
    documents: tuple[str, ...]
    given: Mapping[str, Collection[str]] | None = None


def block_sizes(split: Split, num_queries: int) -> list[int]:
    """Return the number of queries of each block of a train split.

    A block is what an edition added to the train split, as far as this is known and the split has its official size;
    otherwise the whole split. A block of more than 600 queries is divided into equal blocks of at most 480; where
    queries have candidate pools, into blocks of at most 130. If there are then fewer than three blocks, the split is
    divided into three equal ones, or if it has less than six queries into fewer: everything in the pool of a single
    query is relevant.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> block_sizes(split("coliee/task1/2025/train"), 1678), block_sizes(split("coliee/task1/2023/train"), 959)
    ([480, 479, 319, 400], [320, 320, 319])
    """
    largest, size = (_QUERIES_WITH_POOLS,) * 2 if split.has_pools else (_LARGE_BLOCK, _QUERIES_OF_BLOCK)
    parts = [
        part
        for block in added_queries(split, num_queries) or [num_queries]
        for part in _equal(block, math.ceil(block / size) if block > largest else 1)
    ]
    if len(parts) >= MIN_BLOCKS_OF_TWO_ROUNDS:
        return parts
    return _equal(num_queries, min(MIN_BLOCKS_OF_TWO_ROUNDS, max(num_queries // 2, 1)))


def _equal(number: int, blocks: int) -> list[int]:
    return [len(part) for part in np.array_split(np.arange(number), blocks)]


def whole_pool(
    queries: Sequence[str],
    documents: Sequence[str],
    pairs: Iterable[tuple[str, str]] | None,
    *,
    with_queries: bool,
) -> CasePool:
    """Return the pool of a test split: all its documents, or the given pairs of a query and a candidate.

    Queries that are documents are candidates of other queries only ``with_queries``.
    """
    if pairs is not None:
        return _given_pool("test", queries, _by_query(pairs))
    excluded = set() if with_queries else {*queries}
    return CasePool("test", tuple(queries), tuple(each for each in documents if each not in excluded))


def train_pools(
    sizes: Sequence[int],
    queries: Sequence[str],
    documents: Sequence[str],
    gold: pd.DataFrame,
    pairs: Iterable[tuple[str, str]] | None = None,
) -> list[CasePool]:
    """Divide a train split into blocks of consecutive queries, each with the pool that a test split would have.

    The pool of a block has the cases that its queries notice; and its queries, if `queries_are_candidates`. Documents
    that no query notices, and that are no queries, are in the pool of the last block but one. In editions that give
    each query a pool, ``pairs`` has the query and the document of each candidate.
    """
    bounds = np.cumsum([0, *sizes])
    blocks = [tuple(queries[start:end]) for start, end in pairwise(bounds)]
    if pairs is not None:
        by_query = _by_query(pairs)
        return [_given_pool(f"block {number}", block, by_query) for number, block in enumerate(blocks, 1)]
    noticed = _by_query(_noticed(gold))
    with_queries = queries_are_candidates(*noticed_queries(blocks, gold))
    other = set(documents).difference(queries, *noticed.values())
    pools = []
    for number, block in enumerate(blocks):
        wanted = set().union(*(noticed.get(query, ()) for query in block))
        wanted = wanted.union(block) if with_queries else wanted.difference(block)
        if number == max(len(blocks) - 2, 0):
            wanted |= other
        pools.append(CasePool(f"block {number + 1}", block, tuple(each for each in documents if each in wanted)))
    return pools


def noticed_queries(blocks: Iterable[Collection[str]], gold: pd.DataFrame) -> tuple[int, int]:
    """Return how many pairs of a query and a noticed case are two queries of a block, and how many pairs there are."""
    block_of = {query: number for number, block in enumerate(blocks) for query in block}
    pairs = [(query, document) for query, document in _noticed(gold) if query in block_of]
    return sum(block_of.get(document) == block_of[query] for query, document in pairs), len(pairs)


def queries_are_candidates(noticed: int, pairs: int) -> bool:
    """Return whether so many noticed cases are queries of their block that queries must be candidates: over 2 %."""
    return noticed > _MAX_NOTICED_QUERIES * pairs


def _noticed(gold: pd.DataFrame) -> list[tuple[str, str]]:
    relevant = gold[label_values(gold) > 0]
    return [*zip(relevant["qid"], relevant["docno"])]


def _by_query(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    documents: dict[str, set[str]] = {}
    for query, document in pairs:
        documents.setdefault(query, set()).add(document)
    return documents


def _given_pool(name: str, queries: Iterable[str], by_query: Mapping[str, Collection[str]]) -> CasePool:
    given = {query: by_query.get(query, ()) for query in queries}
    documents = dict.fromkeys(document for each in given.values() for document in sorted(each))
    return CasePool(name, tuple(given), tuple(documents), given)


# --- the recipe ----------------------------------------------------------------------------------------

_ALL_BEFORE_RANK = 25  # candidates before this rank are all learned from
_SHARE_OF_OTHERS = 0.3  # share of the other candidates that is learned from


def case_recipe(*, pool_features: bool = True) -> Recipe:
    """Return the recipe of task 1.

    Parameters
    ----------
    pool_features : bool
        Whether features may compare a query with the other queries of its pool; without them there is one round.

    Returns
    -------
    Recipe

    Examples
    --------
    >>> case_recipe().second_round, case_recipe(pool_features=False).second_round
    (True, False)
    """
    learner = BoostedLearner(seeds=3)
    return Recipe(
        "standard",
        learners=(learner,),
        cut=pool_cutoff,
        measure=MicroF1,
        row_weights=row_weights,
        second_round=pool_features,
        nested_learners=(replace(learner, seeds=1),),
    )


def row_weights(table: FeatureTable, labels: Booleans) -> Floats:
    """Return the weights of candidates in learning; those of a query are together, best first.

    1 for relevant candidates and for the 25 first of each query. Of the others, 30 % are chosen at random, the same in
    each run, with the weight 1 / .3; the rest have the weight 0.
    """
    ranks = ranks_from_0(pd.factorize(table.qids)[0])
    chosen = np.random.default_rng(0).random(len(table)) < _SHARE_OF_OTHERS
    weights = np.where(chosen, 1 / _SHARE_OF_OTHERS, 0.0)
    return np.where(labels | (ranks < _ALL_BEFORE_RANK), 1.0, weights)


def pool_cutoff(runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> PoolCutoff:
    """Return the cut-off by the highest expected micro F1 of a pool: at least 1 and at most 10 texts of a query.

    Its recall, the only value that depends on labels, is the share of the noticed cases that are among the candidates,
    with four digits: the mean over blocks that have any. Without any, `PoolCutoff` raises `ValueError`. See
    `ir_coliee.baselines.recipes.Cut`.
    """
    noticed = gold.loc[label_values(gold) > 0, ["qid", "docno"]].drop_duplicates()
    shares = []
    for run in runs:
        of_block = noticed[noticed["qid"].isin(run["qid"])]
        if len(of_block):
            shares.append(len(of_block.merge(run[["qid", "docno"]], on=["qid", "docno"])) / len(of_block))
    return PoolCutoff(float(f"{np.mean(shares or 0):.4g}"), min_items=1, max_items=10)


# --- candidates and features of a pool -----------------------------------------------------------------

NUM_CANDIDATES = 100  # texts of a query
_MAX_SHARE = 0.1  # bigrams that more of the texts have do not tell which texts are similar

_SECOND = "second"
_QUERY_KINDS = KINDS[:2]  # kinds of a score that do not look at other queries

#: The documents with the text of a column that are candidates of the query of a row.
_Documents: TypeAlias = Callable[[int, int], Sequence[str]]


def recipe_scores(*, pool_features: bool = True) -> list[str]:
    """Return the names of the scores of the recipe, of `EVIDENCE`; without pool features, of those without queries."""
    return [
        name for name, each in EVIDENCE.items() if each.is_in_recipe and (pool_features or not each.compares_queries)
    ]


def feature_names(*, pool_features: bool = True) -> tuple[str, ...]:
    """Return the names of the features of the first round: ``family.score.kind``, and `PAIR_FEATURES`.

    Without pool features, each score has two kinds instead of four: those that do not look at other queries.
    """
    kinds = KINDS if pool_features else _QUERY_KINDS
    scores = recipe_scores(pool_features=pool_features)
    return (*(f"{score}.{kind}" for score in scores for kind in kinds), *PAIR_FEATURES)


def block_arrays(pool: CasePool, collection: CaseCollection, *, pool_features: bool = True, threads: int = 1) -> Arrays:
    """Find the candidates of the queries of a pool, and compute their features, in the form in which they are kept.

    For each query these are the 100 texts with the highest sum of scores, see `TOTAL`. A query's own text is no
    candidate. Without ``pool_features``, no feature compares a query with the other queries, and there is no second
    round. The result does not depend on the number of threads.
    """
    texts, column = np.unique(collection.text_numbers(pool.documents), return_inverse=True)
    documents, given = _candidate_documents(pool, column, len(texts))
    text_pool = TextPool(collection.sequences, collection.text_numbers(pool.queries), texts, given, threads)
    names = recipe_scores(pool_features=pool_features)
    scores = evidence_scores(text_pool, names)
    candidates = best_candidates(scores[TOTAL], text_pool.allowed, NUM_CANDIDATES)
    of_candidates = [documents(*pair) for pair in zip(*candidates)]
    kinds = len(KINDS if pool_features else _QUERY_KINDS)
    of_scores = [pool_kinds(scores[name], text_pool.allowed, candidates)[:, :kinds] for name in names]
    table = FeatureTable(
        np.array([pool.queries[row] for row in candidates.queries], object),
        np.array([each[0] for each in of_candidates], object),
        np.hstack([*of_scores, pair_features(text_pool, *candidates)]),
        feature_names(pool_features=pool_features),
    )
    several = [(qid, each) for qid, each in zip(table.qids, of_candidates) if len(each) > 1]
    arrays = {
        **table_arrays(table),
        "of_queries": np.array([qid for qid, _ in several], object),
        "duplicates": np.array(["\n".join(each) for _, each in several], object),
    }
    if pool_features:
        _, shape, similar, nearest, queries = CandidateGraph.of(candidates, *bigram_vectors(text_pool, _MAX_SHARE))
        arrays |= {**candidates._asdict(), "shape": np.array(shape), "similar": similar, "similar_queries": queries}
        arrays |= {"nearest": nearest.data, "columns": nearest.indices, "bounds": nearest.indptr}
    return arrays


def block_of(name: str, arrays: Arrays) -> QueryBlock:
    """Return the block of the arrays of `block_arrays`; a candidate is one of the documents with its text."""
    lists = [documents.split("\n") for documents in arrays["duplicates"]]
    duplicates = {(qid, documents[0]): documents for qid, documents in zip(arrays["of_queries"], lists)}
    second = partial(_second_features, _graph(arrays)) if "shape" in arrays else None
    return QueryBlock(name, table_of(arrays), second, duplicates)


def _candidate_documents(pool: CasePool, column: Integers, num_texts: int) -> tuple[_Documents, Booleans | None]:
    """Return the documents of each query and text, and the pairs that have any; None if all have."""
    if pool.given is None:
        files: list[list[str]] = [[] for _ in range(num_texts)]
        for document, number in zip(pool.documents, column.tolist()):
            files[number].append(document)
        return lambda _row, number: files[number], None
    column_of = dict(zip(pool.documents, column.tolist()))
    of_pairs: dict[tuple[int, int], list[str]] = {}
    for row, query in enumerate(pool.queries):
        for document in sorted(pool.given[query]):
            of_pairs.setdefault((row, column_of[document]), []).append(document)
    allowed = np.zeros((len(pool.queries), num_texts), dtype=np.bool_)
    for pair in of_pairs:
        allowed[pair] = True
    return lambda row, number: of_pairs[row, number], allowed


def _second_features(graph: CandidateGraph, probabilities: Floats) -> Columns:
    values = graph_features(graph, probabilities)
    return {f"{_SECOND}.{name}": values[:, number] for number, name in enumerate(GRAPH_FEATURES)}


def _graph(arrays: Arrays) -> CandidateGraph:
    queries, texts = arrays["shape"].tolist()
    nearest = sparse.csr_matrix((arrays["nearest"], arrays["columns"], arrays["bounds"]), shape=(texts, texts))
    nearest.check_format(full_check=True)  # a damaged entry could end the program later
    candidates = Candidates(arrays["queries"], arrays["texts"])
    return CandidateGraph(candidates, (queries, texts), arrays["similar"], nearest, arrays["similar_queries"])


# --- the pools of a split, side by side ----------------------------------------------------------------

_POOL_NOTE = (
    "Some features compare all test queries. They help because in a test split few queries cite the same decision. "
    "In a library of decisions many may: --no-pool-features (pool_features=False) runs without them."
)
_NO_POOL_NOTE = (
    "without the features that compare the queries of the pool; document frequencies, latent dimensions, duplicates "
    "and the threshold of the cut-off are still those of the pool"
)


class CaseBaseline(LearnedBaseline):
    """The candidates of the queries of a split of task 1 and of its train split, pool by pool."""

    @property
    def recipe(self) -> Recipe:
        """The recipe, with or without features that compare the queries of a pool."""
        return case_recipe(pool_features=self.pool_features)

    @property
    def notes(self) -> tuple[str, ...]:
        """The pools of the train queries, and whether features compare queries."""
        return self.pools_note, _POOL_NOTE if self.pool_features else _NO_POOL_NOTE

    @cached_property
    def train_pools(self) -> list[CasePool]:
        """The pools of the train queries."""
        release = LocalRelease.open(self.training.split)
        queries = query_ids(release)
        sizes = block_sizes(self.training.split, len(queries))
        return train_pools(sizes, queries, documents(release).ids, self.training.qrels(), release.candidates())

    @cached_property
    def noticed_queries(self) -> tuple[int, int]:
        """How many noticed cases of the train queries are queries of the same block, and how many there are."""
        return noticed_queries((pool.queries for pool in self.train_pools), self.training.qrels())

    @property
    def pools_note(self) -> str:
        """What the pools of the train queries are."""
        blocks = f"train queries in blocks of {', '.join(str(len(pool.queries)) for pool in self.train_pools)}"
        if self.split.has_pools:
            return f"{blocks}, each query with its candidate pool"
        number, of = self.noticed_queries
        role = "candidates" if queries_are_candidates(number, of) else "not candidates"
        reason = f"{number:,} of {of:,} noticed cases in train are queries of the same block"
        return f"{blocks}, each with a pool of what they notice; query cases are {role}, because {reason}"

    def train_blocks(self) -> list[QueryBlock]:
        """Return the candidates of the train queries. Each block is kept when it is finished."""
        with stage("features of the train queries"):
            return self._blocks(self.training, self.training.split, self.train_pools)

    def block(self) -> QueryBlock:
        """Return the candidates of the queries of the split."""
        release = LocalRelease.open(self.split)
        pool = whole_pool(
            query_ids(release),
            documents(release).ids,
            release.candidates(),
            with_queries=queries_are_candidates(*self.noticed_queries),
        )
        with stage("features of the queries"):
            [block] = self._blocks(self.split, self.split, [pool])
        return block

    def _blocks(self, data: Split | TrainingData, split: Split, pools: Sequence[CasePool]) -> list[QueryBlock]:
        """Return the candidates of several pools of a split, computed side by side in threads."""
        cores = available_cores()
        threads = max(1, cores // len(pools))

        @cache  # the texts stay in memory while pools are computed; their words and n-grams are counted once
        def counted() -> CaseCollection:
            collection = case_collection(LocalRelease.open(split))
            with ThreadPoolExecutor(cores) as executor:
                words = executor.submit(word_counts, collection.sequences)
                list(executor.map(partial(shared_ngrams, collection.sequences), (BIGRAMS, NGrams(3), NGrams(5))))
                words.result()
            return collection

        def block(pool: CasePool) -> QueryBlock:
            def compute() -> Arrays:
                return block_arrays(pool, counted(), pool_features=self.pool_features, threads=threads)

            key = feature_names(pool_features=self.pool_features), pool.queries, pool.documents
            return block_of(pool.name, kept(pool.name, compute, [data], *key))

        with ThreadPoolExecutor(min(cores, len(pools))) as executor:
            return list(progress(executor.map(block, pools), "pools", total=len(pools), unit="blocks"))
