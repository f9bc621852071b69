"""Selection of hard negatives: highly ranked candidates that are not relevant."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, ColieeWarning, printable_list
from ir_coliee.frames import integer_at_least, sort_results
from ir_coliee.transformers.training_labels import check_both_classes, result_labels


def hard_negatives(run: pd.DataFrame, qrels: pd.DataFrame, number: int, skip: int = 0) -> pd.DataFrame:
    """Select each query's relevant candidates and its highest-ranked non-relevant ones, as training data.

    Use the run of any first model for the first round of training, and the run of the fitted model for the next round,
    as CAPTAIN did for task 2 in 2023.

    Parameters
    ----------
    run : pandas.DataFrame
        Results with scores, and with the texts for the training.
    qrels : pandas.DataFrame
        The columns qid, docno and label. A candidate that they do not contain is not relevant.
    number : int
        The number of hard negatives of each query, >= 1.
    skip : int
        The number of highest-ranked non-relevant candidates that are left out, >= 0, because they may be relevant but
        not labelled.

    Returns
    -------
    pandas.DataFrame
        The selected rows of the run, in descending order of score. Queries without a relevant candidate in the run are
        left out.

    Raises
    ------
    ColieeError
        If all candidates are relevant or none is, or if ids have several types.

    Warns
    -----
    ColieeWarning
        For queries without a relevant candidate in the run.

    Examples
    --------
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
        types = {type(each).__name__ for frame in (run, qrels) for each in frame[column]}
        if len(types) > 1:  # a relevant candidate whose id has another type would count as not relevant
            raise ColieeError(
                f"The {column}s are of several types: {printable_list(sorted(types))}. Read ids as strings."
            )
    ordered = sort_results(run)
    labels = result_labels(ordered, qrels)
    check_both_classes(labels)
    relevant = pd.Series(labels > 0)
    has_relevant = relevant.groupby(ordered["qid"]).transform("any").to_numpy()
    if not has_relevant.all():
        qids = list(dict.fromkeys(ordered["qid"][~has_relevant]))
        problem = "queries have no relevant candidate in the run and are left out"
        warnings.warn(f"{len(qids)} {problem}: {printable_list(qids)}.", ColieeWarning, stacklevel=2)
    rank = (~relevant).groupby(ordered["qid"]).cumsum().to_numpy() - 1  # among the query's non-relevant candidates
    hard = ~relevant.to_numpy() & (rank >= skip) & (rank < skip + number)
    frame: pd.DataFrame = ordered[has_relevant & np.logical_or(relevant, hard)].reset_index(drop=True)
    return frame
