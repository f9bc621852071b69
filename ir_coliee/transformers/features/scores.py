"""Candidates of several pipelines together, each with the score that every pipeline gives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine.group_statistics import Floats, Standing, ratios, without_gaps
from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import check_ids, number_ids, sort_results, take_rows
from ir_coliee.transformers.base import BaseTransformer

_OF_RESULTS = ("qid", "query", "query_docno", "query_toks", "docno", "text", "score", "rank", "features", "label")


class Scores(BaseTransformer):
    """The best candidates of several pipelines together, with the exact score that each pipeline gives: a column each.

    On a frame of queries the candidates are the ``num_results`` best of each pipeline; on a frame of results they are
    its rows. A score that is missing, because another pipeline found the candidate, is asked for: the pipeline is
    given the pairs as results to be rescored, as retrievers of this package do. A pair that it leaves out even so, or
    scores with infinity, counts as the lowest of the query's candidates, 0 where there is none. The ``score`` of a
    candidate is the sum of its scores, each divided by the query's best (see `ir_coliee.engine.group_statistics.ratios`); by it
    the ``num_results`` best of all are kept.

    Filters belong into the pipelines, so that what they leave out is nobody's best:
    ``{"bm25": index.bm25() >> DropSelf()}``.

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "lamp lamp gate"}])
    >>> scores = Scores({"bm25": index.bm25(), "shared": index.shared_idf()}, num_results=1)
    >>> scores.search("a lamp")[["docno", "bm25", "shared", "score"]].round(2)
      docno  bm25  shared  score
    0    d1  0.95    0.88    2.0
    """

    LABEL = "Scores"

    def __init__(self, pipelines: Mapping[str, pt.Transformer], num_results: int = 80) -> None:
        """``pipelines``: by the name of the column that their scores become. ``num_results``: at most so many
        candidates a query, from 1; the default is the recipe's."""
        if not pipelines or (reserved := [name for name in pipelines if name in _OF_RESULTS]):
            reason = f"{reserved[0]!r} is a column of results" if pipelines else "there is no pipeline"
            raise ValueError(f"pipelines={list(pipelines)!r}: {reason}")
        self.pipelines = pipelines
        self.num_results = integer_at_least("num_results", num_results, 1)

    def subtransformers(self) -> dict[str, pt.Transformer]:
        """The pipelines, which PyTerrier draws."""
        return dict(self.pipelines)

    def transform_inputs(self) -> list[list[str]]:
        """The columns that every pipeline works on; where there are none alike, those of all."""
        return [list(columns) for columns in self._cached(id(self.pipelines), self._accepted)]

    def _accepted(self) -> list[tuple[str, ...]]:
        of_each = [pt.inspect.transformer_inputs(pipeline) for pipeline in self.pipelines.values()]
        different = dict.fromkeys(tuple(columns) for accepted in of_each for columns in accepted)
        common = [
            columns
            for columns in different
            if all(any(set(needed) <= set(columns) for needed in accepted) for accepted in of_each)
        ]
        return common or [tuple(dict.fromkeys(column for accepted in of_each for column in accepted[0]))]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Find candidates and score them (Q to R), or score those given (R to R).

        Raises `ColieeError` for a row without a qid, and for a pipeline that gives no scores, or results of a query
        that it was not asked.
        """
        with pt.validate.any(inp, context=self) as frame:
            for columns in self.transform_inputs():
                frame.columns(includes=columns, mode=f"by {', '.join(columns)}")
        check_ids(inp)
        if "docno" in inp.columns:
            candidates = inp.drop(columns=[*self.pipelines], errors="ignore").reset_index(drop=True)
        else:
            candidates = self._found(inp)
        for name in self.pipelines:
            candidates[name] = self._scores(name, candidates)
        queries = number_ids(candidates["qid"])[0]
        total = np.zeros(len(queries))
        for name in self.pipelines:
            scores = candidates[name].to_numpy(np.float64)
            total += ratios(scores, Standing(queries, scores).best(1))
        ordered = sort_results(candidates.drop(columns="rank", errors="ignore").assign(score=total))
        return ordered[ordered["rank"] < self.num_results].reset_index(drop=True)

    def _found(self, queries: pd.DataFrame) -> pd.DataFrame:
        """The candidates that any pipeline has among its best, with the scores that are known by now."""
        asked = queries.drop_duplicates("qid", ignore_index=True)
        runs = [self._run(name, asked) for name in self.pipelines]
        best = pd.concat([run.loc[run["rank"] < self.num_results, ["qid", "docno"]] for run in runs])
        pairs = best.drop_duplicates(ignore_index=True)
        rows = pd.Index(asked["qid"], dtype=object).get_indexer(pairs["qid"].to_numpy(object))
        if (strange := rows < 0).any():
            qid = shown(str(pairs["qid"].to_numpy(object)[strange][0]))
            raise ColieeError(f"A pipeline gives results of the query {qid}, which was not asked. Are its ids strings?")
        order = np.argsort(rows, kind="stable")
        pairs = pairs.iloc[order]
        found = take_rows(asked.drop(columns=["score", "rank"], errors="ignore"), rows[order])
        found["docno"] = pairs["docno"].to_numpy(object)
        for name, run in zip(self.pipelines, runs):
            found[name] = _looked_up(found, run)
        return found

    def _run(self, name: str, frame: pd.DataFrame) -> pd.DataFrame:
        results = self.pipelines[name](frame)
        if lacking := [column for column in ("qid", "docno", "score") if column not in results.columns]:
            raise ColieeError(f"The pipeline {name!r} gives no column {lacking[0]!r}.")
        return sort_results(results[["qid", "docno", "score", *results.columns.intersection(["rank"])]])

    def _scores(self, name: str, candidates: pd.DataFrame) -> Floats:
        """The scores of all candidates; asked for until the pipeline, which may keep only the best, gives no more."""
        known = candidates.columns.intersection([name])
        scores = candidates[name].to_numpy(np.float64).copy() if len(known) else np.full(len(candidates), np.nan)
        asked = candidates.drop(columns=[*self.pipelines], errors="ignore")
        while (missing := np.flatnonzero(np.isnan(scores))).size:
            rows = asked.iloc[missing].reset_index(drop=True)
            scores[missing] = _looked_up(rows, self._run(name, rows.drop_duplicates(["qid", "docno"])))
            if np.isnan(scores[missing]).all():
                break
        return without_gaps(np.where(np.isinf(scores), np.nan, scores), number_ids(candidates["qid"])[0])


def _looked_up(pairs: pd.DataFrame, run: pd.DataFrame) -> Floats:
    """The score that a run gives to each pair of qid and docno, NaN for none; of a pair's several the first."""
    encoded = pd.concat([pairs[["qid", "docno"]], run[["qid", "docno"]]])
    queries, docs = (number_ids(encoded[column]) for column in ("qid", "docno"))
    keys = queries[0] * len(docs[1]) + docs[0]
    scores = pd.Series(run["score"].to_numpy(np.float64), index=keys[len(pairs) :])
    scores = scores[~scores.index.duplicated()]
    return np.asarray(scores.reindex(keys[: len(pairs)]), dtype=np.float64)
