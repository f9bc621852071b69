"""Candidates of the queries of a pool, with the features of a recipe of task 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy import sparse

from ir_coliee.baselines.cases.case_features import TOTAL, TOTAL_OF, CaseFeatureSet
from ir_coliee.baselines.cases.case_pools import CasePool
from ir_coliee.baselines.cases.case_scores import case_scores
from ir_coliee.baselines.finished_stages import Arrays, table_arrays, table_of
from ir_coliee.baselines.recipes import Columns, FeatureTable, QueryBlock
from ir_coliee.engine.cases.candidate_graph import GRAPH_FEATURES, CandidateGraph, graph_features
from ir_coliee.engine.cases.case_collection import CaseCollection
from ir_coliee.engine.cases.context_scores import later_texts
from ir_coliee.engine.cases.pair_features import PAIR_FEATURES, pair_features
from ir_coliee.engine.cases.pool_kinds import KINDS, Candidates, best_candidates, pool_kinds, total_score
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.frames import Booleans, Floats, Integers

NUM_CANDIDATES = 100  # texts of a query

_SECOND = "second"

#: The documents with the text of a column that are candidates of the query of a row.
_Documents: TypeAlias = Callable[[int, int], Sequence[str]]


class CaseBlock(NamedTuple):
    """The candidates of a block of queries, in the form in which they are kept.

    Attributes
    ----------
    name : str
        The name of the block.
    table : FeatureTable
        The candidates; a candidate is one of the documents with its text. Those of a query are in order of `TOTAL`.
    duplicates : dict of (str, str) to sequence of str
        All documents of its pool with the text of a candidate, by query and candidate, where there are several.
    graph : CandidateGraph or None
        What the second round uses; None without features of other queries.
    """

    name: str
    table: FeatureTable
    duplicates: dict[tuple[str, str], Sequence[str]]
    graph: CandidateGraph | None

    def query_block(self) -> QueryBlock:
        """Return the block for a recipe."""
        second = partial(_second_features, self.graph) if self.graph else None
        return QueryBlock(self.name, self.table, second, self.duplicates)


def case_block(pool: CasePool, collection: CaseCollection, features: CaseFeatureSet, *, threads: int = 1) -> CaseBlock:
    """Find the candidates of the queries of a pool, and compute their features.

    Parameters
    ----------
    pool : CasePool
        The queries and documents.
    collection : CaseCollection
        The texts of a split that has them.
    features : CaseFeatureSet
        The features.
    threads : int
        The number of threads. The result does not depend on it.

    Returns
    -------
    CaseBlock
        For each query the 100 texts with the highest sum of scores, see `TOTAL_OF`. A query's own text is no candidate.
    """
    texts, column = np.unique(collection.text_numbers(pool.documents), return_inverse=True)
    text_pool = TextPool(collection.sequences, collection.text_numbers(pool.queries), texts)
    documents, allowed = _candidate_documents(pool, column, len(texts))
    allowed &= text_pool.queries[:, None] != texts
    excluded = later_texts(text_pool) | ~allowed
    scores = case_scores(text_pool, {*features.scores, *TOTAL_OF} - {TOTAL}, excluded=excluded, threads=threads)
    scores[TOTAL] = total_score([scores[name] for name in TOTAL_OF], allowed)
    candidates = best_candidates(scores[TOTAL], allowed, NUM_CANDIDATES)
    of_candidates = [documents(*pair) for pair in zip(*candidates)]
    table = FeatureTable(
        np.array([pool.queries[row] for row in candidates.queries], object),
        np.array([each[0] for each in of_candidates], object),
        _values(text_pool, features, scores, allowed, candidates),
        features.names,
    )
    duplicates = {(qid, each[0]): each for qid, each in zip(table.qids, of_candidates) if len(each) > 1}
    graph = CandidateGraph.of_pool(text_pool, candidates) if features.pool_features else None
    return CaseBlock(pool.name, table, duplicates, graph)


def _values(
    pool: TextPool, features: CaseFeatureSet, scores: dict[str, Scores], allowed: Booleans, candidates: Candidates
) -> Scores:
    kinds = [KINDS.index(kind) for kind in features.kinds]
    of_scores = [pool_kinds(scores[name], allowed, candidates)[:, kinds] for name in features.scores]
    of_pairs = pair_features(pool, *candidates)[:, [PAIR_FEATURES.index(name) for name in features.pair_features]]
    return np.hstack([*of_scores, of_pairs])


def _candidate_documents(pool: CasePool, column: Integers, num_texts: int) -> tuple[_Documents, Booleans]:
    """Return the documents of each query and text, and the pairs that have any."""
    if pool.given is None:
        files: list[list[str]] = [[] for _ in range(num_texts)]
        for document, number in zip(pool.documents, column.tolist()):
            files[number].append(document)
        return lambda _row, number: files[number], np.ones((len(pool.queries), num_texts), dtype=np.bool_)
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


# --- as arrays, which are kept -------------------------------------------------------------------------


def block_arrays(block: CaseBlock) -> Arrays:
    """Return a block as arrays of ids and numbers."""
    lists = [*block.duplicates.values()]
    arrays = {
        **table_arrays(block.table),
        "duplicates": np.array([document for each in lists for document in each], np.str_),
        "numbers": np.array([len(each) for each in lists], np.int64),
        "of_queries": np.array([qid for qid, _ in block.duplicates], np.str_),
    }
    if block.graph:
        candidates, shape, similar, nearest, queries = block.graph
        arrays |= {**candidates._asdict(), "shape": np.array(shape), "similar": similar, "similar_queries": queries}
        arrays |= {"nearest": nearest.data, "columns": nearest.indices, "bounds": nearest.indptr}
    return arrays


def block_of(name: str, arrays: Arrays) -> CaseBlock:
    """Return the block of such arrays."""
    ends = arrays["numbers"].cumsum()[:-1]
    lists = [each.tolist() for each in np.split(arrays["duplicates"], ends) if len(each)]
    duplicates = {(qid, each[0]): each for qid, each in zip(arrays["of_queries"].tolist(), lists, strict=True)}
    return CaseBlock(name, table_of(arrays), duplicates, _graph(arrays) if "shape" in arrays else None)


def _graph(arrays: Arrays) -> CandidateGraph:
    queries, texts = arrays["shape"].tolist()
    nearest = sparse.csr_matrix((arrays["nearest"], arrays["columns"], arrays["bounds"]), shape=(texts, texts))
    nearest.check_format(full_check=True)  # a damaged entry could end the program later
    candidates = Candidates(arrays["queries"], arrays["texts"])
    return CandidateGraph(candidates, (queries, texts), arrays["similar"], nearest, arrays["similar_queries"])
