"""The scores of the recipes of task 1, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from ir_coliee.baselines.recipes.fitting import MIN_BLOCKS_OF_TWO_ROUNDS
from ir_coliee.datasets.folds import edition_blocks
from ir_coliee.editions import Split
from ir_coliee.engine.cases.candidates import KINDS, PAIR_FEATURES
from ir_coliee.engine.cases.contexts import CONTEXT_SCORES, context_ngram_scores, context_scores
from ir_coliee.engine.cases.scores import judge_mentions, latent_scores, shared_names, year_near
from ir_coliee.engine.cases.terms import (
    Scores,
    bigram_cosine,
    exclusive_sharing,
    informative_bm25,
    num_rare_ngrams,
    shared_ngram_idf,
    tfidf_cosine,
)
from ir_coliee.engine.cases.texts import TextPool
from ir_coliee.errors import ColieeError
from ir_coliee.frames import Booleans
from ir_coliee.transformers.training_labels import label_values

_Score: TypeAlias = Callable[[TextPool], Scores]

_SINGLE: dict[str, _Score] = {
    "lexical.kli40": informative_bm25,
    "lexical.tfidf": tfidf_cosine,
    "ngrams.bi": bigram_cosine,
    "ngrams.s3": lambda pool: shared_ngram_idf(pool, 3),
    "ngrams.s5": lambda pool: shared_ngram_idf(pool, 5),
    "ngrams.s5rare": num_rare_ngrams,
    "exclusive.ex_words": lambda pool: exclusive_sharing(pool, "words"),
    "exclusive.ex_bi": lambda pool: exclusive_sharing(pool, "bigrams"),
    "exclusive.ex_s5": lambda pool: exclusive_sharing(pool, "ngrams"),
    "contexts.cg2": lambda pool: context_ngram_scores(pool, 2),
    "contexts.cg4": lambda pool: context_ngram_scores(pool, 4),
    "names.nm_full_head": shared_names,
    "names.nm_near_head": lambda pool: shared_names(pool, near_citations=True),
    "names.judge_mentions": judge_mentions,
    "years.year_near": year_near,
}


def case_scores(
    pool: TextPool, names: Collection[str], *, excluded: Booleans | None = None, threads: int = 1
) -> dict[str, Scores]:
    """Compute scores of a pool.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    names : collection of str
        The scores to compute, ``family.score``.
    excluded : bool array, queries x texts, optional
        The texts that no context of a query can cite. By default, those of later years.
    threads : int
        The number of threads. The scores do not depend on it.

    Returns
    -------
    dict of str to float32 array, queries x texts
        The scores by name. What is not asked for is not computed.
    """
    scores = {name: compute(pool) for name, compute in _SINGLE.items() if name in names}
    contexts = {name: definition for name, definition in CONTEXT_SCORES.items() if f"contexts.{name}" in names}
    if contexts:
        found = context_scores(pool, contexts, excluded=excluded, threads=threads)
        scores |= {f"contexts.{name}": matrix for name, matrix in found.items()}
    if not {"latent.ls_rr", "latent.ls_doc"}.isdisjoint(names):
        by_rank, by_document = latent_scores(pool, excluded=excluded, threads=threads)
        scores |= {"latent.ls_rr": by_rank, "latent.ls_doc": by_document}
    return {name: scores[name] for name in names}


# The features of the recipes of task 1: which scores are computed, and in which kinds they are used.


_POOL_FAMILY = "exclusive"  # scores that tell what few decisions of the pool share
_POOL_SCORES = ("contexts.c25drr", "contexts.c100drr")  # scores in which the contexts of all queries compete
_QUERY_KINDS = ("ratio", "rank")  # kinds of a score that do not look at other queries
_NOT_LEAN = ("years.header_date_of_candidate", "case.pinpoints_held")

#: The sum of the scores that the candidates are chosen by, see `TOTAL_OF`.
TOTAL = "total.tot"

#: The scores that `TOTAL` is the sum of, each divided by the query's best.
TOTAL_OF = (
    "lexical.tfidf",
    "ngrams.bi",
    "ngrams.s3",
    "ngrams.s5",
    "ngrams.s5rare",
    "contexts.cprr",
    "contexts.cdrr",
)


class CaseFeatureSet(NamedTuple):
    """The features of a recipe. Names have the form ``family.feature``.

    Attributes
    ----------
    scores : tuple of str
        The scores.
    pair_features : tuple of str
        Features of a query and a text that are no scores, of `PAIR_FEATURES`.
    pool_features : bool
        Whether features compare a query with the other queries of the pool. Without them, each score has two kinds
        instead of four, and there is no second round.
    """

    scores: tuple[str, ...]
    pair_features: tuple[str, ...]
    pool_features: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds in which each score is used."""
        return KINDS if self.pool_features else _QUERY_KINDS

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features of the first round."""
        return (*(f"{score}_{kind}" for score in self.scores for kind in self.kinds), *self.pair_features)

    def without_pool_features(self) -> CaseFeatureSet:
        """Return the features that do not use how the pool was built.

        Left out are the rank and the ratio of a query among all queries for a text, scores of what few decisions of the
        pool share, scores in which the contexts of all queries compete, and the second round.
        """
        kept = (each for each in self.scores if each not in _POOL_SCORES and not each.startswith(f"{_POOL_FAMILY}."))
        return CaseFeatureSet(tuple(kept), self.pair_features, pool_features=False)


#: All features of the recipe: 27 scores in four kinds, and 12 features of pairs.
COMPACT = CaseFeatureSet(
    (
        *(TOTAL, "lexical.kli40", "lexical.tfidf", "ngrams.bi", "ngrams.s3", "ngrams.s5", "ngrams.s5rare"),
        *("exclusive.ex_words", "exclusive.ex_bi", "exclusive.ex_s5"),
        *("contexts.cprr", "contexts.cpmax", "contexts.cdrr", "contexts.c25rr", "contexts.c100rr"),
        *("contexts.c25sm", "contexts.c100sm", "contexts.c25drr", "contexts.c100drr", "contexts.cg2", "contexts.cg4"),
        *("names.nm_full_head", "names.nm_near_head", "names.judge_mentions", "years.year_near"),
        *("latent.ls_rr", "latent.ls_doc"),
    ),
    PAIR_FEATURES,
)

#: About half of the features: 14 scores in four kinds, and 10 features of pairs.
LEAN = CaseFeatureSet(
    (
        *(TOTAL, "lexical.tfidf", "ngrams.bi", "ngrams.s3", "ngrams.s5", "ngrams.s5rare"),
        *("exclusive.ex_words", "exclusive.ex_bi", "exclusive.ex_s5"),
        *("contexts.cprr", "contexts.cpmax", "contexts.cdrr", "names.nm_full_head", "names.judge_mentions"),
    ),
    tuple(name for name in PAIR_FEATURES if name not in _NOT_LEAN),
)


# The pools of documents among which queries of task 1 are answered, built as the organisers build a test split.


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

    Parameters
    ----------
    split : Split
        A train split of task 1.
    num_queries : int
        The number of its queries, >= 1.

    Returns
    -------
    list of int
        The sizes, in the order of the queries. A block is what an edition added to the train split, as far as this is
        known and the split has its official size; otherwise the whole split. A block of more than 600 queries is
        divided into equal blocks of at most 480; where queries have candidate pools, into blocks of at most 130. If
        there are then fewer than three blocks, the split is divided into three equal ones, or if it has less than six
        queries into fewer: everything in the pool of a single query is relevant.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> block_sizes(split("coliee/task1/2025/train"), 1678), block_sizes(split("coliee/task1/2023/train"), 959)
    ([480, 479, 319, 400], [320, 320, 319])
    """
    largest, size = (_QUERIES_WITH_POOLS,) * 2 if split.has_pools else (_LARGE_BLOCK, _QUERIES_OF_BLOCK)
    parts = [
        part
        for block in _edition_blocks(split, num_queries)
        for part in _equal(block, math.ceil(block / size) if block > largest else 1)
    ]
    if len(parts) >= MIN_BLOCKS_OF_TWO_ROUNDS:
        return parts
    return _equal(num_queries, min(MIN_BLOCKS_OF_TWO_ROUNDS, max(num_queries // 2, 1)))


def _edition_blocks(split: Split, num_queries: int) -> list[int]:
    try:
        blocks = edition_blocks(split)
    except ColieeError:
        return [num_queries]
    return blocks if sum(blocks) == num_queries else [num_queries]


def _equal(number: int, blocks: int) -> list[int]:
    return [len(part) for part in np.array_split(np.arange(number), blocks)]


def whole_pool(
    queries: Sequence[str],
    documents: Sequence[str],
    pairs: Iterable[tuple[str, str]] | None,
    *,
    queries_are_candidates: bool,
) -> CasePool:
    """Return the pool of a test split: all its documents.

    Parameters
    ----------
    queries : sequence of str
        The ids of the queries.
    documents : sequence of str
        The ids of all documents.
    pairs : iterable of (str, str), optional
        The query and the document of each candidate, in editions that give each query a pool.
    queries_are_candidates : bool
        Whether queries that are documents are candidates of other queries.

    Returns
    -------
    CasePool
    """
    if pairs is not None:
        return _given_pool("test", queries, _by_query(pairs))
    excluded = set() if queries_are_candidates else {*queries}
    return CasePool("test", tuple(queries), tuple(each for each in documents if each not in excluded))


def train_pools(
    sizes: Sequence[int],
    queries: Sequence[str],
    documents: Sequence[str],
    gold: pd.DataFrame,
    pairs: Iterable[tuple[str, str]] | None = None,
) -> list[CasePool]:
    """Divide a train split into blocks of consecutive queries, each with the pool that a test split would have.

    Parameters
    ----------
    sizes : sequence of int
        The number of queries of each block, see `block_sizes`.
    queries : sequence of str
        The ids of the queries, in the order of the label file.
    documents : sequence of str
        The ids of all documents.
    gold : pandas.DataFrame
        ``qid``, ``docno`` and ``label``.
    pairs : iterable of (str, str), optional
        The query and the document of each candidate, in editions that give each query a pool.

    Returns
    -------
    list of CasePool
        The pool of a block has the cases that its queries notice; and its queries, if `NoticedQueries.are_many`.
        Documents that no query notices, and that are no queries, are in the pool of the last block but one.
    """
    bounds = np.cumsum([0, *sizes])
    blocks = [tuple(queries[start:end]) for start, end in pairwise(bounds)]
    if pairs is not None:
        by_query = _by_query(pairs)
        return [_given_pool(f"block {number}", block, by_query) for number, block in enumerate(blocks, 1)]
    noticed = _by_query(_noticed(gold))
    with_queries = noticed_queries(blocks, gold).are_many
    other = set(documents).difference(queries, *noticed.values())
    pools = []
    for number, block in enumerate(blocks):
        wanted = set().union(*(noticed.get(query, ()) for query in block))
        wanted = wanted.union(block) if with_queries else wanted.difference(block)
        if number == max(len(blocks) - 2, 0):
            wanted |= other
        pools.append(CasePool(f"block {number + 1}", block, tuple(each for each in documents if each in wanted)))
    return pools


class NoticedQueries(NamedTuple):
    """How many of the noticed cases of blocks of queries are queries of the same block.

    Attributes
    ----------
    number : int
        The pairs of a query and a noticed case that is a query of the same block.
    of : int
        All pairs of a query and a noticed case.
    """

    number: int
    of: int

    @property
    def are_many(self) -> bool:
        """Whether they are more than 2 %, so that queries must be candidates."""
        return self.number > _MAX_NOTICED_QUERIES * self.of


def noticed_queries(blocks: Iterable[Collection[str]], gold: pd.DataFrame) -> NoticedQueries:
    """Count the noticed cases that are queries of the same block.

    Parameters
    ----------
    blocks : iterable of collection of str
        The queries of each block.
    gold : pandas.DataFrame
        ``qid``, ``docno`` and ``label``.

    Returns
    -------
    NoticedQueries
    """
    block_of = {query: number for number, block in enumerate(blocks) for query in block}
    pairs = [(query, document) for query, document in _noticed(gold) if query in block_of]
    return NoticedQueries(sum(block_of.get(document) == block_of[query] for query, document in pairs), len(pairs))


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
