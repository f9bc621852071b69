"""Which candidates to learn from: what a run ranks high and is wrong teaches more than what nobody would return."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least
from ir_coliee.errors import ColieeError, ColieeWarning, listed
from ir_coliee.frames import sort_results
from ir_coliee.transformers.training_labels import check_both_classes, result_labels


def hard_negatives(run: pd.DataFrame, qrels: pd.DataFrame, number: int, skip: int = 0) -> pd.DataFrame:
    """Of each query of a run the relevant candidates and the ``number`` best-ranked wrong ones, to fit on.

    ``run``: results with scores, and the texts that are learned from; its rows stay as they are, best first. ``qrels``
    (qid, docno, label): what they do not have is wrong. ``skip``: so many of the best-ranked wrong ones are passed
    over, as they may be right and not labelled. A run of a first model gives the first round; the run of what has
    learned from it the next, as CAPTAIN mined for task 2 in 2023.

    Queries of which the run has no relevant candidate are left out, and a warning says so: what is not labelled is not
    wrong for that. Raises `ColieeError` where no candidate is relevant, or all are, and for ids of mixed types.

    >>> run = pd.DataFrame({"qid": "1", "docno": list("abcd"), "score": [4.0, 3.0, 2.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1"], "docno": ["c"], "label": [1]})
    >>> hard_negatives(run, qrels, number=1).docno.tolist()
    ['a', 'c']
    >>> hard_negatives(run, qrels, number=2, skip=1).docno.tolist()
    ['b', 'c', 'd']
    """
    number, skip = integer_at_least("number", number, 1), integer_at_least("skip", skip, 0)
    pt.validate.result_frame(run, extra_columns=["score"])
    pt.validate.columns(qrels, includes=["qid", "docno", "label"])
    for column in ("qid", "docno"):
        kinds = {type(each).__name__ for frame in (run, qrels) for each in frame[column]}
        if len(kinds) > 1:  # what is relevant by another type of its id would be taught as wrong
            raise ColieeError(f"The {column}s are of several types: {listed(sorted(kinds))}. Read ids as strings.")
    ordered = sort_results(run)
    labels = result_labels(ordered, qrels)
    check_both_classes(labels)
    right = pd.Series(labels > 0)
    known = right.groupby(ordered["qid"]).transform("any").to_numpy()
    if not known.all():
        names = list(dict.fromkeys(ordered["qid"][~known]))
        problem = "queries have no relevant candidate in the run and are left out"
        warnings.warn(f"{len(names)} {problem}: {listed(names)}.", ColieeWarning, stacklevel=2)
    place = (~right).groupby(ordered["qid"]).cumsum().to_numpy() - 1  # of a wrong one among its query's
    hard = ~right.to_numpy() & (place >= skip) & (place < skip + number)
    return ordered[known & np.logical_or(right, hard)].reset_index(drop=True)
