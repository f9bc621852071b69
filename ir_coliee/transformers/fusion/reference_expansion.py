"""Expansion of retrieved articles along the references between the articles of a code."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias, get_args

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import (
    check_ids,
    check_share,
    integer_at_least,
    number_grouped_ids,
    one_of,
    sort_results,
    take_rows,
)
from ir_coliee.releases.article_references import article_references
from ir_coliee.text.references.graph import Kind, ReferenceGraph
from ir_coliee.transformers.base import BaseTransformer

Direction = Literal["outgoing", "incoming", "both"]
Combine = Literal["max", "sum"]

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


class ReferenceExpansion(BaseTransformer):
    """Add the articles that refer to a retrieved article, or that it refers to: R to R.

    A retrieved article with score s gives each article within ``depth`` references of it a propagated score:
    s * decay^d, or s / decay^d if s is not positive, where d is the length of the shortest path between the two.

    Parameters
    ----------
    graph : ReferenceGraph or str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The references, or the dataset of task 3, 4 or 5 from whose articles they are read; see
        `ir_coliee.releases.article_references.article_references`.
    decay : float
        The factor for each reference of the path, in (0, 1].
    depth : int
        The largest length of a path of references, >= 1.
    direction : {'both', 'outgoing', 'incoming'}
        ``outgoing`` adds the articles that a retrieved article refers to, ``incoming`` those that refer to it.
    kinds : collection of str, optional
        The kinds of references that are followed, see `ir_coliee.text.references.graph.Reference`. None for all.
    mutatis_mutandis : bool
        Whether to follow only references that apply their target mutatis mutandis.
    combine : {'max', 'sum'}
        How the propagated scores of an article, and its own score if it was retrieved, are combined.

    Notes
    -----
    Rows are sorted by score; equal scores keep the order of their ranks, and added articles come last. An added row has
    the query columns of its query. Document columns such as ``text`` are dropped from all rows; load them again with
    ``pt.text.get_text``. Articles that are not in the graph, and scores that are missing or -inf, are not propagated.

    The organisers observed in 2023 (section 4.5) that references lead to articles which share no words with a question.
    The scores and defaults were chosen for this package.

    Examples
    --------
    >>> from ir_coliee.text.references.graph import Reference
    >>> graph = ReferenceGraph((Reference("267", "210", "structural", True, 1),), ())
    >>> found = pd.DataFrame({"qid": ["1", "1"], "docno": ["210", "5"], "score": [8.0, 3.0]})
    >>> ReferenceExpansion(graph, decay=0.5)(found)[["docno", "score", "rank"]].values.tolist()
    [['210', 8.0, 0], ['267', 4.0, 1], ['5', 3.0, 2]]
    """

    LABEL = "Reference expansion"

    def __init__(
        self,
        graph: ReferenceGraph | Dataset,
        *,
        decay: float = 0.5,
        depth: int = 1,
        direction: Direction = "both",
        kinds: Collection[Kind] | None = None,
        mutatis_mutandis: bool = False,
        combine: Combine = "max",
    ) -> None:
        check_share("decay", decay)
        direction = one_of("direction", direction, get_args(Direction))
        combine = one_of("combine", combine, get_args(Combine))
        for kind in kinds or ():
            one_of("each value of kinds", kind, get_args(Kind))
        self.graph = graph if isinstance(graph, ReferenceGraph) else as_dataset_id(graph)
        self.decay = decay
        self.depth = integer_at_least("depth", depth, 1)
        self.direction = direction
        self.kinds = None if kinds is None else tuple(kinds)
        self.mutatis_mutandis = mutatis_mutandis
        self.combine = combine

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Expand the results. Needs the columns qid, docno and score.

        Raises `ColieeError` for a row without a qid or docno, and with ``combine="sum"`` for a score below 0: with
        such scores, an article that is reached by more paths would get a lower sum.
        """
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        check_ids(inp)
        columns = [name for name in inp.columns if name in {*pt.model.query_columns(inp), "docno", "score", "rank"}]
        retrieved = inp[columns].reset_index(drop=True)
        scores = retrieved["score"].to_numpy(dtype=np.float64)
        if self.combine == "sum" and (negative := scores < 0).any():
            qid = printable(str(retrieved["qid"].iloc[negative.argmax()]))
            raise ColieeError(f"Query {qid} has a score below 0; combine='sum' needs scores >= 0. Use combine='max'.")
        if retrieved.empty:
            return sort_results(retrieved)
        queries = number_grouped_ids(retrieved["qid"])[0]
        expansion = self._reference_paths().expand(queries, retrieved["docno"], scores, self.combine)
        first_rows = np.unique(queries, return_index=True)[1]
        # the query columns are added after sorting, so that their long texts are not sorted
        expanded = pd.DataFrame(
            {
                "row": np.concatenate([np.arange(len(inp)), first_rows[expansion.queries]]),
                "qid": np.concatenate([queries, expansion.queries]),
                "docno": np.concatenate([retrieved["docno"].to_numpy(dtype=object), expansion.docnos]),
                "score": np.concatenate([expansion.retrieved_scores, expansion.scores]),
            }
        )
        if "rank" in columns:  # added articles come after retrieved ones with the same score
            ranks = retrieved["rank"]
            expanded["rank"] = np.concatenate([ranks, np.full(len(expansion.queries), ranks.max() + 1)])
        expanded = sort_results(expanded)
        query_columns = retrieved[[name for name in columns if name not in ("docno", "score", "rank")]]
        query_values = take_rows(query_columns, expanded["row"].to_numpy())
        expanded_results = query_values.assign(**{name: expanded[name] for name in ("docno", "score", "rank")})
        frame: pd.DataFrame = expanded_results[list(dict.fromkeys([*columns, "rank"]))]
        return frame

    def _reference_paths(self) -> _ReferencePaths:
        graph = self.graph
        # the store is another object once the local release has changed
        source = (graph, ir_datasets.load(graph).docs_store()) if isinstance(graph, str) else graph
        key = source, self.decay, self.depth, self.direction, self.kinds, self.mutatis_mutandis
        return self._cached(key, self._select_references)

    def _select_references(self) -> _ReferencePaths:
        graph = article_references(self.graph) if isinstance(self.graph, str) else self.graph
        pairs = {
            (edge.source, edge.target)
            for edge in graph.references
            if (self.kinds is None or edge.kind in self.kinds) and (edge.mutatis_mutandis or not self.mutatis_mutandis)
        }
        if self.direction != "outgoing":
            inverse = {(target, source) for source, target in pairs}
            pairs = inverse if self.direction == "incoming" else pairs | inverse
        return _ReferencePaths(pairs, self.decay, self.depth)


class _Expansion(NamedTuple):
    """The new scores of the retrieved rows, and the query, docno and score of each added article."""

    retrieved_scores: Floats
    queries: Integers
    docnos: npt.NDArray[np.object_]
    scores: Floats


class _ReferencePaths:
    """Propagation of scores along the selected references between articles."""

    def __init__(self, pairs: Collection[tuple[str, str]], decay: float, depth: int) -> None:
        self._docnos = np.array(sorted({docno for pair in pairs for docno in pair}), dtype=object)
        self._index = pd.Index(self._docnos, dtype=object)
        self._decay, self._depth = decay, depth
        ends = (self._index.get_indexer([pair[end] for pair in pairs]) for end in (0, 1))
        size = max(1, len(self._docnos))
        self._adjacency = sparse.csr_matrix((np.ones(len(pairs)), tuple(ends)), shape=(size, size))

    def expand(self, queries: Integers, docnos: pd.Series, scores: Floats, combine: Combine) -> _Expansion:
        """Return the combined scores of retrieved and added articles. Queries are numbered from 0."""
        articles = self._index.get_indexer(docnos.to_numpy(dtype=object))
        rows = np.flatnonzero(articles >= 0)
        shape = queries.max() + 1, self._adjacency.shape[0]
        cells = queries[rows] * shape[1] + articles[rows]
        retrieved = np.full(shape[0] * shape[1], -np.inf)
        np.maximum.at(retrieved, cells, np.where(np.isnan(scores), -np.inf, scores)[rows])
        propagate, add = (self._maximum_scores, np.maximum) if combine == "max" else (self._summed_scores, _add_finite)
        propagated = propagate(retrieved.reshape(shape)).ravel()
        new_scores = scores.copy()
        new_scores[rows] = add(new_scores[rows], propagated[cells])
        propagated[cells] = -np.inf  # retrieved articles are not added again
        added = np.flatnonzero(propagated > -np.inf)
        query, article = np.divmod(added, shape[1])
        return _Expansion(new_scores, query, self._docnos[article], propagated[added])

    def _maximum_scores(self, retrieved: Floats) -> Floats:
        """Return the highest propagated score of each article (column) for each query (row), -inf without any."""
        bounds, targets = self._adjacency.indptr, self._adjacency.indices
        width = retrieved.shape[1]
        best = np.full(retrieved.size, -np.inf)
        front = retrieved.ravel()
        for _ in range(self._depth):
            cells = np.flatnonzero(front > -np.inf)
            articles = cells % width
            degrees = (bounds[1:] - bounds[:-1])[articles]
            edges = np.arange(degrees.sum()) + np.repeat(bounds[articles] - np.cumsum(degrees) + degrees, degrees)
            scores = front[cells]
            scores = np.where(scores > 0, scores * self._decay, scores / self._decay)
            reached = np.repeat(cells - articles, degrees) + targets[edges]
            front = np.full(retrieved.size, -np.inf)
            np.maximum.at(front, reached, np.repeat(scores, degrees))
            front[front <= best] = -np.inf  # only improved scores are propagated further
            np.maximum(best, front, out=best)
        return best.reshape(retrieved.shape)

    def _summed_scores(self, retrieved: Floats) -> Floats:
        """Return the summed propagated scores of each article (column) for each query (row), -inf without any."""
        sums = sparse.csr_matrix(np.maximum(retrieved, 0)) @ self._decays
        propagated = np.full(retrieved.shape, -np.inf)
        propagated[np.repeat(np.arange(len(retrieved)), np.diff(sums.indptr)), sums.indices] = sums.data
        return propagated

    @cached_property
    def _decays(self) -> sparse.csr_matrix:
        """The factor decay^d for each article (row) and each article within ``depth`` references of it (column)."""
        near = sparse.identity(self._adjacency.shape[0], format="csr")
        decays = sparse.csr_matrix(near.shape)
        for distance in range(1, self._depth + 1):
            reached = near @ self._adjacency
            further = sparse.csr_matrix((np.ones(reached.nnz), reached.indices, reached.indptr), shape=near.shape)
            new = further - further.multiply(near)
            decays, near = decays + new * self._decay**distance, near + new
        return decays


def _add_finite(scores: Floats, propagated: Floats) -> Floats:
    return scores + np.where(propagated == -np.inf, 0.0, propagated)
