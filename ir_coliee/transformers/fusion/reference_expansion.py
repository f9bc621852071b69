"""Results expanded along the references between the articles of a code."""

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

from ir_coliee.arguments import integer_at_least
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids, number_grouped_ids, sort_results, take_rows
from ir_coliee.releases.article_references import Kind, ReferenceGraph, article_references
from ir_coliee.transformers.base import BaseTransformer

Direction = Literal["outgoing", "incoming", "both"]
Combine = Literal["max", "sum"]

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

_CELLS = 1 << 22  # queries x articles that are held at once


class ReferenceExpansion(BaseTransformer):
    """Add the articles that refer to a retrieved article, or that it refers to: R to R.

    An article at distance d of a retrieved one, by the shortest path of at most ``depth`` references, is offered
    decay^d times its score, or score / decay^d where the score is not positive.

    Parameters
    ----------
    graph : ReferenceGraph or str
        The references, or an ir_datasets id of task 3, 4 or 5 from whose articles they are read; see
        `ir_coliee.releases.article_references.article_references`.
    decay : float
        In (0, 1].
    depth : int
        The largest number of consecutive references, from 1.
    direction : {'both', 'outgoing', 'incoming'}
        ``outgoing`` leads from a retrieved article to those that it refers to, ``incoming`` to those that refer to it.
    kinds : collection of str, optional
        The kinds of references that are followed, see `ir_coliee.releases.article_references.Reference`. None for all.
    mutatis_mutandis : bool
        Whether to follow only references that apply their target mutatis mutandis.
    combine : {'max', 'sum'}
        How several offers to an article, and the score of an article that was retrieved itself, are combined.

    Notes
    -----
    Rows are sorted by score; equal scores keep the order of their ranks, and added articles come last. An added row has
    the query columns of its query. Document columns such as ``text`` are dropped from all rows; load them again with
    ``pt.text.get_text``. Results that are not in the graph, and scores that are missing or -inf, offer nothing.

    The organisers observed in 2023 (section 4.5) that references lead to articles which share no words with a question.
    The scores and defaults were chosen for this package.

    Examples
    --------
    >>> from ir_coliee.releases.article_references import Reference
    >>> graph = ReferenceGraph([Reference("267", "210", "structural", True, 1)], [])
    >>> found = pd.DataFrame({"qid": ["1", "1"], "docno": ["210", "5"], "score": [8.0, 3.0]})
    >>> ReferenceExpansion(graph, decay=0.5)(found)[["docno", "score", "rank"]].values.tolist()
    [['210', 8.0, 0], ['267', 4.0, 1], ['5', 3.0, 2]]
    """

    LABEL = "Reference expansion"

    def __init__(
        self,
        graph: str | ReferenceGraph,
        *,
        decay: float = 0.5,
        depth: int = 1,
        direction: Direction = "both",
        kinds: Collection[Kind] | None = None,
        mutatis_mutandis: bool = False,
        combine: Combine = "max",
    ) -> None:
        if not 0 < decay <= 1:
            raise ValueError(f"decay must be a number in (0, 1], got {decay!r}.")
        if direction not in get_args(Direction):
            raise ValueError(f"direction={direction!r} is none of {', '.join(get_args(Direction))}")
        if combine not in get_args(Combine):
            raise ValueError(f"combine={combine!r} is none of {', '.join(get_args(Combine))}")
        if unknown := set(kinds or ()) - set(get_args(Kind)):
            raise ValueError(f"kinds={sorted(unknown)!r} are not among {', '.join(get_args(Kind))}")
        self.graph = graph
        self.decay = decay
        self.depth = integer_at_least("depth", depth, 1)
        self.direction = direction
        self.kinds = None if kinds is None else tuple(kinds)
        self.mutatis_mutandis = mutatis_mutandis
        self.combine = combine

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Expand the results. Needs the columns qid, docno and score.

        Raises `ColieeError` for a row without a qid or docno, and with ``combine="sum"`` for a score below 0: what sums
        of such scores offer would be the less, the more refer to an article.
        """
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        check_ids(inp)
        columns = [name for name in inp.columns if name in {*pt.model.query_columns(inp), "docno", "score", "rank"}]
        retrieved = inp[columns].reset_index(drop=True)
        scores = retrieved["score"].to_numpy(dtype=np.float64)
        if self.combine == "sum" and (below := scores < 0).any():
            qid = printable(str(retrieved["qid"].iloc[below.argmax()]))
            raise ColieeError(f"Query {qid} has a score below 0, and scores are to be summed. Use combine='max'.")
        if retrieved.empty:
            return sort_results(retrieved)
        queries = number_grouped_ids(retrieved["qid"])[0]
        offers = self._ways().offers(queries, retrieved["docno"], scores, self.combine)
        first_rows = np.unique(queries, return_index=True)[1]
        # what is known of queries is put beside at the end: which avoids repeated sorting of its texts
        expanded = pd.DataFrame(
            {
                "row": np.concatenate([np.arange(len(inp)), first_rows[offers.queries]]),
                "qid": np.concatenate([queries, offers.queries]),
                "docno": np.concatenate([retrieved["docno"].to_numpy(dtype=object), offers.docnos]),
                "score": np.concatenate([offers.own, offers.scores]),
            }
        )
        if "rank" in columns:  # equal scores: behind those that were retrieved
            ranks = retrieved["rank"]
            expanded["rank"] = np.concatenate([ranks, np.full(len(offers.queries), ranks.max() + 1)])
        expanded = sort_results(expanded)
        of_query = retrieved[[name for name in columns if name not in ("docno", "score", "rank")]]
        known = take_rows(of_query, expanded["row"].to_numpy())
        found = known.assign(**{name: expanded[name] for name in ("docno", "score", "rank")})
        frame: pd.DataFrame = found[list(dict.fromkeys([*columns, "rank"]))]
        return frame

    def _ways(self) -> _Ways:
        graph = self.graph
        # the store is another one once the local release has changed
        source = (graph, ir_datasets.load(graph).docs_store()) if isinstance(graph, str) else graph
        key = source, self.decay, self.depth, self.direction, self.kinds, self.mutatis_mutandis
        return self._cached(key, self._find_ways)

    def _find_ways(self) -> _Ways:
        graph = article_references(self.graph) if isinstance(self.graph, str) else self.graph
        pairs = {
            (edge.source, edge.target)
            for edge in graph.references
            if (self.kinds is None or edge.kind in self.kinds) and (edge.mutatis_mutandis or not self.mutatis_mutandis)
        }
        if self.direction != "outgoing":
            inverse = {(target, source) for source, target in pairs}
            pairs = inverse if self.direction == "incoming" else pairs | inverse
        return _Ways(pairs, self.decay, self.depth)


class _Offers(NamedTuple):
    """What rows score with what they are offered, and the articles that are added: their queries, docnos, scores."""

    own: Floats
    queries: Integers
    docnos: npt.NDArray[np.object_]
    scores: Floats


class _Ways:
    """The references to be followed, from article to article."""

    def __init__(self, pairs: Collection[tuple[str, str]], decay: float, depth: int) -> None:
        self._docnos = np.array(sorted({docno for pair in pairs for docno in pair}), dtype=object)
        self._index = pd.Index(self._docnos, dtype=object)
        self._decay, self._depth = decay, depth
        ends = (self._index.get_indexer([pair[end] for pair in pairs]) for end in (0, 1))
        size = max(1, len(self._docnos))
        self._next = sparse.csr_matrix((np.ones(len(pairs)), tuple(ends)), shape=(size, size))

    def offers(self, queries: Integers, docnos: pd.Series, scores: Floats, combine: Combine) -> _Offers:
        """What is offered to the queries' articles. Queries are numbered from 0."""
        articles = self._index.get_indexer(docnos.to_numpy(dtype=object))
        rows = np.flatnonzero(articles >= 0)
        rows = rows[np.argsort(queries[rows], kind="stable")]
        given, own = np.where(np.isnan(scores), -np.inf, scores), scores.copy()
        width = self._next.shape[0]
        step = max(1, _CELLS // width)
        added = [np.empty(0, dtype=np.int64)]
        added_scores = [np.empty(0)]
        for first in range(0, queries.max() + 1, step):
            of_step = rows[slice(*np.searchsorted(queries[rows], [first, first + step]))]
            cells = (queries[of_step] - first) * width + articles[of_step]
            number = min(step, queries.max() + 1 - first)
            held = np.full(number * width, -np.inf)
            np.maximum.at(held, cells, given[of_step])
            offered = (self._best if combine == "max" else self._summed)(held.reshape(number, width)).ravel()
            own[of_step] = (np.maximum if combine == "max" else _plus)(own[of_step], offered[cells])
            offered[cells] = -np.inf  # what was retrieved is not added
            found = np.flatnonzero(offered > -np.inf)
            added.append(found + first * width)
            added_scores.append(offered[found])
        query, article = np.divmod(np.concatenate(added), width)
        return _Offers(own, query, self._docnos[article], np.concatenate(added_scores))

    def _best(self, held: Floats) -> Floats:
        """The best offer to each article of each query, -inf where there is none."""
        bounds, targets = self._next.indptr, self._next.indices
        width = held.shape[1]
        best = np.full(held.size, -np.inf)
        front = held.ravel()
        for _ in range(self._depth):
            cells = np.flatnonzero(front > -np.inf)
            articles = cells % width
            fan = (bounds[1:] - bounds[:-1])[articles]
            ways = np.arange(fan.sum()) + np.repeat(bounds[articles] - np.cumsum(fan) + fan, fan)
            scores = front[cells]
            scores = np.where(scores > 0, scores * self._decay, scores / self._decay)
            reached = np.repeat(cells - articles, fan) + targets[ways]
            front = np.full(held.size, -np.inf)
            np.maximum.at(front, reached, np.repeat(scores, fan))
            front[front <= best] = -np.inf  # only what is better than before goes on
            np.maximum(best, front, out=best)
        return best.reshape(held.shape)

    def _summed(self, held: Floats) -> Floats:
        """The sum of the offers to each article of each query, -inf where there is none."""
        sums = sparse.csr_matrix(np.maximum(held, 0)) @ self._decays
        offered = np.full(held.shape, -np.inf)
        offered[np.repeat(np.arange(len(held)), np.diff(sums.indptr)), sums.indices] = sums.data
        return offered

    @cached_property
    def _decays(self) -> sparse.csr_matrix:
        """What is left of an article's score at each that can be reached from it."""
        near = sparse.identity(self._next.shape[0], format="csr")
        decays = sparse.csr_matrix(near.shape)
        for distance in range(1, self._depth + 1):
            reached = near @ self._next
            further = sparse.csr_matrix((np.ones(reached.nnz), reached.indices, reached.indptr), shape=near.shape)
            new = further - further.multiply(near)
            decays, near = decays + new * self._decay**distance, near + new
        return decays


def _plus(own: Floats, offered: Floats) -> Floats:
    return own + np.where(offered == -np.inf, 0.0, offered)
