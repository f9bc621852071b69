"""The tables of a run difference: items with the runs that return them, queries, and figures of combined answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from ir_coliee.analysis.evaluated_run import EvaluatedRun
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.evaluation.scoring import ScoredRun
from ir_coliee.evaluation.statistics import quotient
from ir_coliee.frames import Booleans, Floats

_PAIR = ["query_id", "doc_id"]
_RANKS = ["rank_a", "rank_b"]
_ROUNDING = 1e-12  # a smaller contribution is 0


def items(pair: EvaluatedRuns) -> pd.DataFrame:
    """Return the returned and the relevant items of the scored queries, the runs that return them, and the ranks."""
    a, b = (_pairs(run.answers[run.answers["qid"].isin(pair.query_ids)]) for run in pair.runs.values())
    items = a.merge(b, how="outer", on=_PAIR, indicator="found_by")
    items["found_by"] = items["found_by"].astype(str).map({"both": "both", "left_only": "A", "right_only": "B"})
    if pair.has_gold:
        items = items.merge(pair.gold, how="outer", on=_PAIR, indicator="relevant")
        items = items.assign(relevant=items["relevant"] != "left_only", found_by=items["found_by"].fillna("neither"))
    else:
        items["relevant"] = pd.NA
    items = _with_ranks(items.astype({"relevant": "boolean"}), pair)
    order = items.assign(irrelevant=~items["relevant"], best=items[_RANKS].min(axis=1))
    order = order.sort_values(["query_id", "irrelevant", "best", "doc_id"], ignore_index=True)
    return order[[*_PAIR, "relevant", "found_by", *_RANKS]]


def side_by_side(pair: EvaluatedRuns, items: pd.DataFrame, query_id: str, num_results: int) -> pd.DataFrame:
    """Return the items of a query and the first items of both rankings, in the order of the better rank."""
    of_query = items[items["query_id"] == query_id]
    rankings = [_ranking(run) for run in pair.runs.values()]
    tops = [ranking[(ranking["qid"] == query_id) & (ranking["rank"] < num_results)] for ranking in rankings]
    ranked = of_query[["query_id", "doc_id", "relevant", "found_by"]].merge(
        _pairs(pd.concat(tops)).drop_duplicates(), how="outer", on=_PAIR
    )
    is_relevant = ranked["relevant"].fillna(False) if pair.has_gold else ranked["relevant"]
    ranked = _with_ranks(ranked.assign(relevant=is_relevant, found_by=ranked["found_by"].fillna("neither")), pair)
    best = ranked[_RANKS].min(axis=1)
    table: pd.DataFrame = ranked.assign(best=best).sort_values(["best", "doc_id"], ignore_index=True)
    return table.drop(columns="best")


def _pairs(results: pd.DataFrame) -> pd.DataFrame:
    return results[["qid", "docno"]].set_axis(_PAIR, axis=1)


def _with_ranks(items: pd.DataFrame, pair: EvaluatedRuns) -> pd.DataFrame:
    """Add the ranks of the items in the two rankings."""
    for column, run in zip(_RANKS, pair.runs.values()):
        ranking = _ranking(run)
        ranks = _pairs(ranking).assign(**{column: ranking["rank"].astype("Int64")})
        items = items.merge(ranks, how="left", on=_PAIR)
    return items


def _ranking(run: EvaluatedRun) -> pd.DataFrame:
    """Return the ranking of a run; its answer set if the ranking is not known."""
    return run.answers if run.ranking is None else run.ranking


def _num_by_finder(items: pd.DataFrame, names: Mapping[str, str], query_ids: Sequence[str]) -> pd.DataFrame:
    """Count the items of each query that both, A, B and neither return, in columns of these names."""
    counts = pd.crosstab(items["query_id"], items["found_by"])
    return counts.reindex(index=[*query_ids], columns=[*names], fill_value=0).set_axis([*names.values()], axis=1)


def queries_without_labels(pair: EvaluatedRuns, items: pd.DataFrame) -> pd.DataFrame:
    """Count the answers of both runs and of one alone; the queries with the most differing answers come first."""
    names = {"both": "shared", "A": "only_a", "B": "only_b"}
    table = _num_by_finder(items, names, pair.query_ids).rename_axis("query_id").reset_index()
    order = (-(table["only_a"] + table["only_b"])).sort_values(kind="stable").index
    return table.loc[order].reset_index(drop=True)


def queries(pair: EvaluatedRuns, items: pd.DataFrame, terms: Floats, prefers_b: Booleans) -> pd.DataFrame:
    """Return the row of each query: values, contribution, and the items that one run finds and the other does not."""
    values = quotient(*terms)
    is_different = (terms[:, 0] != terms[:, 1]).any(axis=0)
    of_query = {
        "query_id": pair.counts.query_ids,
        "relevant": pair.counts.relevant[0],
        "value_a": values[0],
        "value_b": values[1],
        "difference": values[0] - values[1],
        "contribution": contributions(terms),
        "better": np.where(is_different, np.where(prefers_b, "B", "A"), ""),
    }
    hits = {"both": "shared_hits", "A": "won", "B": "lost", "neither": "missed"}
    false = {"both": "shared_false", "A": "false_a", "B": "false_b"}
    counts = [
        _num_by_finder(items[items["relevant"] == is_relevant], names, pair.counts.query_ids)
        for is_relevant, names in ((True, hits), (False, false))
    ]
    table = pd.concat([pd.DataFrame(of_query), *(frame.reset_index(drop=True) for frame in counts)], axis=1)
    table = table[[*table.columns.drop("better"), "better"]]
    return table.sort_values(["contribution", "query_id"], ascending=[False, True], ignore_index=True)


def contributions(terms: Floats) -> Floats:
    """Return the part of each query in the difference of two values.

    Parameters
    ----------
    terms : numpy.ndarray of shape (2, 2, n_queries)
        The numerators and denominators of two runs, see `ir_coliee.evaluation.statistics.RunCounts.terms`.

    Returns
    -------
    numpy.ndarray of shape (n_queries,)
        They add up to the difference of the two values; the formula is given at `difference`.

    Examples
    --------
    >>> import numpy as np
    >>> terms = np.array([[[2.0, 0.0], [2.0, 0.0]], [[4.0, 3.0], [4.0, 1.0]]])
    >>> contributions(terms).round(4).tolist(), round(2 / 7 - 2 / 5, 4)
    ([0.0, -0.1143], -0.1143)
    """
    (numerator_a, numerator_b), (denominator_a, denominator_b) = terms
    midpoint = quotient(*terms.sum(axis=2)).mean()
    mean = terms[1].sum(axis=1).mean()
    parts = numerator_a - numerator_b - midpoint * (denominator_a - denominator_b)
    parts = parts / (mean or 1.0)
    return np.where(np.abs(parts) > _ROUNDING, parts, 0.0)


def figures(pair: EvaluatedRuns, prefers_b: Booleans) -> pd.DataFrame:
    """Return the official table of A, B, their union and intersection, and of the better of both for each query."""
    a, b = pair.runs.values()
    in_b = pd.MultiIndex.from_frame(_pairs(a.answers)).isin(pd.MultiIndex.from_frame(_pairs(b.answers)))
    sets = {
        "A": a.scored,
        "B": b.scored,
        "union": _scored(pair, pd.concat([a.answers, b.answers])),
        "intersection": _scored(pair, a.answers[in_b]),
        "oracle": _oracle(pair, {query_id for query_id, is_b in zip(pair.counts.query_ids, prefers_b) if is_b}),
    }
    if pair.scorer.evaluation.single_answer:  # two answers to a question are no answer
        del sets["union"], sets["intersection"]
    rows = [{"answers": name, **pair.scorer.figures(scored)} for name, scored in sets.items() if scored is not None]
    return pd.DataFrame(rows)


def _oracle(pair: EvaluatedRuns, prefer_b: Collection[str]) -> ScoredRun:
    """Return the answers of B to some queries, and those of A to the others."""
    a, b = pair.runs.values()
    chosen = [a.answers[~a.answers["qid"].isin(prefer_b)], b.answers[b.answers["qid"].isin(prefer_b)]]
    of_a, of_b = (run.scored.is_correct if run.scored is not None else None for run in (a, b))
    if of_a is None or of_b is None:
        return _scored(pair, pd.concat(chosen))
    is_correct = {query_id: (of_b if query_id in prefer_b else of_a)[query_id] for query_id in pair.counts.query_ids}
    return _scored(pair, pd.concat(chosen), is_correct)


def _scored(pair: EvaluatedRuns, answers: pd.DataFrame, is_correct: Mapping[str, bool] | None = None) -> ScoredRun:
    return ScoredRun(answers, pair.scorer.gold, pair.measure, is_correct=is_correct)
