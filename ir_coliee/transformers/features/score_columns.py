"""Candidates of several pipelines, with a column for each pipeline's scores of all candidates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.group_statistics import GroupStatistics, fill_missing_scores, ratio_to_best
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, check_ids, integer_at_least, number_ids, sort_results, take_rows
from ir_coliee.transformers.base import BaseTransformer

_RESERVED = ("qid", "query", "query_docno", "query_toks", "docno", "text", "score", "rank", "features", "label")


class ScoreColumns(BaseTransformer):
    """Find the best candidates of several pipelines, and add every pipeline's score as a column: Q to R, R to R.

    For queries, the candidates are the ``num_results`` best of each pipeline; for results, they are the rows of the
    frame. The ``score`` of a candidate is the sum of its scores, each divided by the query's best (see
    `ir_coliee.engine.group_statistics.ratio_to_best`), and the ``num_results`` best candidates of each query are
    returned.

    If a pipeline did not return a candidate, its score is computed: the pipeline is run on these pairs as results to be
    rescored, which the retrievers of this package support. A pair without a finite score after that gets the pipeline's
    lowest score of the query's candidates, or 0 if there is none.

    Put filters into the pipelines, so that an item that is filtered out is never the best one:
    ``{"bm25": index.bm25() >> DropSelf()}``.

    Parameters
    ----------
    pipelines : mapping of str to pyterrier.Transformer
        The pipelines, at least one, by the name of their new column.
    num_results : int
        The largest number of candidates of each query, >= 1. The default is from the recipe that the package's
        baselines follow.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "lamp lamp gate"}])
    >>> scores = ScoreColumns({"bm25": index.bm25(), "shared": index.shared_idf()}, num_results=1)
    >>> scores.search("a lamp")[["docno", "bm25", "shared", "score"]].round(2)
      docno  bm25  shared  score
    0    d1  0.95    0.88    2.0
    """

    LABEL = "Score columns"

    def __init__(self, pipelines: Mapping[str, pt.Transformer], num_results: int = 80) -> None:
        if not pipelines:
            raise ValueError("pipelines must contain at least one pipeline, got none.")
        if reserved := [name for name in pipelines if name in _RESERVED]:
            raise ValueError(f"pipelines must not have the name of a column of results, got {reserved[0]!r}.")
        self.pipelines = pipelines
        self.num_results = integer_at_least("num_results", num_results, 1)

    def subtransformers(self) -> dict[str, pt.Transformer]:
        """Return the pipelines, for PyTerrier's schematics."""
        return dict(self.pipelines)

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns that every pipeline accepts; if no set of columns fits all, the columns of all."""
        return [list(columns) for columns in self._cached(id(self.pipelines), self._common_inputs)]

    def _common_inputs(self) -> list[tuple[str, ...]]:
        inputs = [pt.inspect.transformer_inputs(pipeline) for pipeline in self.pipelines.values()]
        different = dict.fromkeys(tuple(columns) for accepted in inputs for columns in accepted)
        common = [
            columns
            for columns in different
            if all(any(set(needed) <= set(columns) for needed in accepted) for accepted in inputs)
        ]
        return common or [tuple(dict.fromkeys(column for accepted in inputs for column in accepted[0]))]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Find candidates and score them (Q to R), or score the candidates of the frame (R to R).

        Raises `ColieeError` for a row without a qid, and for a pipeline that returns no scores, or results of a query
        that is not in its input.
        """
        with pt.validate.any(inp, context=self) as frame:
            for columns in self.transform_inputs():
                frame.columns(includes=columns, mode=f"by {', '.join(columns)}")
        check_ids(inp)
        if "docno" in inp.columns:
            candidates = inp.drop(columns=[*self.pipelines], errors="ignore").reset_index(drop=True)
        else:
            candidates = self._candidates(inp)
        for name in self.pipelines:
            candidates[name] = self._scores(name, candidates)
        queries = number_ids(candidates["qid"])[0]
        total = np.zeros(len(queries))
        for name in self.pipelines:
            scores = candidates[name].to_numpy(np.float64)
            total += ratio_to_best(scores, GroupStatistics(queries, scores).best(1))
        ordered = sort_results(candidates.drop(columns="rank", errors="ignore").assign(score=total))
        output: pd.DataFrame = ordered[ordered["rank"] < self.num_results].reset_index(drop=True)
        return output

    def _candidates(self, queries: pd.DataFrame) -> pd.DataFrame:
        """Return the best candidates of all pipelines, with the scores that are known so far."""
        queries = queries.drop_duplicates("qid", ignore_index=True)
        runs = [self._run(name, queries) for name in self.pipelines]
        best = pd.concat([run.loc[run["rank"] < self.num_results, ["qid", "docno"]] for run in runs])
        pairs = best.drop_duplicates(ignore_index=True)
        rows = pd.Index(queries["qid"], dtype=object).get_indexer(pairs["qid"].to_numpy(object))
        if (unknown := rows < 0).any():
            qid = printable(str(pairs["qid"].to_numpy(object)[unknown][0]))
            raise ColieeError(
                f"A pipeline returned results of query {qid}, which is not in its input. Read ids as strings."
            )
        order = np.argsort(rows, kind="stable")
        pairs = pairs.iloc[order]
        found = take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows[order])
        found["docno"] = pairs["docno"].to_numpy(object)
        for name, run in zip(self.pipelines, runs):
            found[name] = _scores_of_pairs(found, run)
        return found

    def _run(self, name: str, frame: pd.DataFrame) -> pd.DataFrame:
        results = self.pipelines[name](frame)
        if missing := [column for column in ("qid", "docno", "score") if column not in results.columns]:
            raise ColieeError(f"The pipeline {name!r} must return the column {missing[0]!r}.")
        return sort_results(results[["qid", "docno", "score", *results.columns.intersection(["rank"])]])

    def _scores(self, name: str, candidates: pd.DataFrame) -> Floats:
        """Return the scores of all candidates; the pipeline is run again until it scores no further ones."""
        known = candidates.columns.intersection([name])
        scores = candidates[name].to_numpy(np.float64).copy() if len(known) else np.full(len(candidates), np.nan)
        pairs = candidates.drop(columns=[*self.pipelines], errors="ignore")
        while (missing := np.flatnonzero(np.isnan(scores))).size:
            rows = pairs.iloc[missing].reset_index(drop=True)
            scores[missing] = _scores_of_pairs(rows, self._run(name, rows.drop_duplicates(["qid", "docno"])))
            if np.isnan(scores[missing]).all():
                break
        return fill_missing_scores(np.where(np.isinf(scores), np.nan, scores), number_ids(candidates["qid"])[0])


def _scores_of_pairs(pairs: pd.DataFrame, run: pd.DataFrame) -> Floats:
    """Return the score of a run for each pair of qid and docno: NaN without any, the first of several."""
    encoded = pd.concat([pairs[["qid", "docno"]], run[["qid", "docno"]]])
    queries, docs = (number_ids(encoded[column]) for column in ("qid", "docno"))
    keys = queries[0] * len(docs[1]) + docs[0]
    scores = pd.Series(run["score"].to_numpy(np.float64), index=keys[len(pairs) :])
    scores = scores[~scores.index.duplicated()]
    return np.asarray(scores.reindex(keys[: len(pairs)]), dtype=np.float64)
