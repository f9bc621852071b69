"""Expansion of retrieved articles along the references between the articles of a code."""

from __future__ import annotations

from typing import Literal, get_args

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from ir_coliee import frames
from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, check_ids, sort_results
from ir_coliee.releases.article_references import article_references
from ir_coliee.text.references.graph import ReferenceGraph
from ir_coliee.transformers.base import BaseTransformer

Direction = Literal["outgoing", "incoming", "both"]
Combine = Literal["max", "sum"]


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
        mutatis_mutandis: bool = False,
        combine: Combine = "max",
    ) -> None:
        self.graph = graph if isinstance(graph, ReferenceGraph) else as_dataset_id(graph)
        self.decay = frames.check_share("decay", decay)
        self.depth = frames.integer_at_least("depth", depth, 1)
        self.direction = frames.one_of("direction", direction, get_args(Direction))
        self.mutatis_mutandis = mutatis_mutandis
        self.combine = frames.one_of("combine", combine, get_args(Combine))

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Expand the results. Needs the columns qid, docno and score.

        Raises `ColieeError` for a row without a qid or docno, and with ``combine="sum"`` for a score below 0: with
        such scores, an article that is reached by more paths would get a lower sum.
        """
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        check_ids(inp)
        columns = [name for name in inp.columns if name in {*pt.model.query_columns(inp), "docno", "score", "rank"}]
        retrieved = inp[columns].reset_index(drop=True)
        scores = retrieved["score"].to_numpy(dtype=np.float64, copy=True)
        if self.combine == "sum" and (negative := scores < 0).any():
            qid = printable(str(retrieved["qid"].iloc[negative.argmax()]))
            raise ColieeError(f"Query {qid} has a score below 0; combine='sum' needs scores >= 0. Use combine='max'.")
        if retrieved.empty:
            return sort_results(retrieved)
        queries = frames.number_grouped_ids(retrieved["qid"])[0]
        articles, paths = self._cached(self._source(), self._shortest_paths)
        numbers = articles.get_indexer(pd.Index(retrieved["docno"], dtype=object))
        known, width = numbers >= 0, paths.shape[0]
        cells = queries[known] * width + numbers[known]
        propagated = self._propagated(paths, cells, scores[known], (queries.max() + 1) * width)
        offers = propagated[cells]
        if self.combine == "max":
            scores[known] = np.maximum(scores[known], offers)
        else:
            scores[known] += np.where(offers == -np.inf, 0.0, offers)
        propagated[cells] = -np.inf  # retrieved articles are not added again
        added = np.flatnonzero(propagated > -np.inf)
        added_queries, added_articles = np.divmod(added, width)
        first_rows = np.unique(queries, return_index=True)[1]
        # the query columns are added after sorting, so that their long texts are not sorted
        expanded = pd.DataFrame(
            {
                "row": np.concatenate([np.arange(len(inp)), first_rows[added_queries]]),
                "qid": np.concatenate([queries, added_queries]),
                "docno": np.concatenate([retrieved["docno"].to_numpy(dtype=object), articles[added_articles]]),
                "score": np.concatenate([scores, propagated[added]]),
            }
        )
        if "rank" in columns:  # added articles come after retrieved ones with the same score
            ranks = retrieved["rank"]
            expanded["rank"] = np.concatenate([ranks, np.full(len(added), ranks.max() + 1)])
        expanded = sort_results(expanded)
        query_columns = retrieved[[name for name in columns if name not in ("docno", "score", "rank")]]
        query_values = frames.take_rows(query_columns, expanded["row"].to_numpy())
        expanded_results = query_values.assign(**{name: expanded[name] for name in ("docno", "score", "rank")})
        return expanded_results[list(dict.fromkeys([*columns, "rank"]))]

    def _source(self) -> tuple[object, ...]:
        """Return what the paths of references depend on."""
        graph = self.graph
        # the store is another object once the local release has changed
        source = (graph, ir_datasets.load(graph).docs_store()) if isinstance(graph, str) else graph
        return source, self.depth, self.direction, self.mutatis_mutandis

    def _shortest_paths(self) -> tuple[pd.Index, sparse.csr_matrix]:
        """Return the articles of the references that are followed, and the lengths of the paths between them."""
        graph = article_references(self.graph) if isinstance(self.graph, str) else self.graph
        pairs = {
            (edge.source, edge.target)
            for edge in graph.references
            if edge.mutatis_mutandis or not self.mutatis_mutandis
        }
        if self.direction != "outgoing":
            inverse = {(target, source) for source, target in pairs}
            pairs = inverse if self.direction == "incoming" else pairs | inverse
        articles = pd.Index(sorted({docno for pair in pairs for docno in pair}), dtype=object)
        sources, targets = (articles.get_indexer(pd.Index([pair[end] for pair in pairs])) for end in (0, 1))
        size = max(1, len(articles))
        references = sparse.csr_matrix((np.ones(len(pairs)), (sources, targets)), shape=(size, size))
        lengths = dijkstra(references, unweighted=True, limit=self.depth)
        return articles, sparse.csr_matrix(np.where(np.isfinite(lengths), lengths, 0).astype(np.int64))

    def _propagated(self, paths: sparse.csr_matrix, cells: Integers, scores: Floats, size: int) -> Floats:
        """Return the propagated score of each article for each query, query by query, -inf without any."""
        retrieved = np.full(size, -np.inf)
        np.maximum.at(retrieved, cells, np.where(np.isnan(scores), -np.inf, scores))
        sources = np.flatnonzero(retrieved > (-np.inf if self.combine == "max" else 0.0))
        articles = sources % paths.shape[0]
        near = paths[articles]
        degrees = np.diff(near.indptr)
        targets = np.repeat(sources - articles, degrees) + near.indices
        offers = np.repeat(retrieved[sources], degrees)
        propagated = np.full(size, -np.inf)
        if self.combine == "max":
            for step in range(self.depth):
                further = np.where(offers > 0, offers * self.decay, offers / self.decay)
                offers = np.where(near.data > step, further, offers)
            np.maximum.at(propagated, targets, offers)
        else:
            factors = np.array([self.decay**distance for distance in range(self.depth + 1)])
            propagated[targets] = np.bincount(targets, offers * factors[near.data], size)[targets]
        return propagated
