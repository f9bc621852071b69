"""Finds the cut-off that serves best on a part with labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.base import in_order
from ir_coliee.transformers.cutoffs import Cutoff, score_matrix

if TYPE_CHECKING:
    import pandas as pd


class FittedCutoff(NamedTuple):
    """The best cut-off of a search and its value on the data that chose it, which is optimistic."""

    cutoff: Cutoff
    value: float


def fit_cutoff(
    cutoffs: Iterable[Cutoff], results: pd.DataFrame, qrels: pd.DataFrame, measure: ColieeMeasure
) -> FittedCutoff:
    """The cut-off with the highest value of ``measure``; of equals the first.

    ``results`` has the columns qid, docno and score; ``qrels`` qid, docno and label as in PyTerrier, or
    query_id, doc_id and relevance as in ir_measures. The run is
    encoded once: a cut-off only says how many items each query keeps, and the hits up to there are a
    cumulative sum. Queries of the qrels without results count as unanswered, an item that is returned
    twice counts once. Raises `ValueError` where there is no cut-off to try, and for a measure that has a
    cut-off of its own.
    """
    if not isinstance(measure, ColieeMeasure) or measure.first:
        raise ValueError(f"{measure} cannot choose a cut-off: a measure of sets without an @k is needed, MicroF1 say")
    qrels = qrels.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
    known = results[results["qid"].isin(qrels["query_id"])]
    run = in_order(in_order(known).drop_duplicates(["qid", "docno"]))
    scores, lengths = score_matrix(run)
    positives = qrels[qrels["relevance"] >= measure["rel"]].drop_duplicates(["query_id", "doc_id"])
    gold = set(zip(positives["query_id"], positives["doc_id"]))
    hits = np.zeros((scores.shape[0], scores.shape[1] + 1), dtype=np.int64)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    hits[rows, run["rank"].to_numpy() + 1] = [pair in gold for pair in zip(run["qid"], run["docno"])]
    hits = hits.cumsum(axis=1)

    answered = list(dict.fromkeys(run["qid"]))
    unanswered = sorted(set(qrels["query_id"]).difference(answered))
    relevant = positives["query_id"].value_counts().reindex([*answered, *unanswered], fill_value=0).to_numpy()
    nothing = np.zeros(len(unanswered), dtype=np.int64)

    def value(cutoff: Cutoff) -> float:
        sizes = np.minimum(cutoff.sizes(scores, lengths), lengths)
        found = hits[np.arange(len(sizes)), sizes]
        return measure.aggregate(np.append(found, nothing), np.append(sizes, nothing), relevant)

    fitted = [FittedCutoff(cutoff, value(cutoff)) for cutoff in cutoffs]
    if not fitted:
        raise ValueError("no cut-off to choose from")
    return max(fitted, key=lambda candidate: candidate.value)
