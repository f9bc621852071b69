"""The pools of documents among which queries of task 1 are answered, built as the organisers build a test split.

A test split since 2022 consists of its queries and the cases that they notice, and of nothing else. So a train split of
several editions is another search problem than a test split. It is divided into blocks of consecutive queries, each
with the pool that the organisers would have given it. Document frequencies, ranks and the competition of queries for a
text are then those of a test.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.baselines.recipes.recipe import MIN_BLOCKS_OF_TWO_ROUNDS
from ir_coliee.datasets.folds import edition_blocks
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError
from ir_coliee.transformers.training_labels import label_values

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
