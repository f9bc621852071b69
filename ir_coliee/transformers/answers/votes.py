"""Answers without a model: always no, and the majority vote of several runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids, one_of
from ir_coliee.text.yes_no import Answer
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.fusion.rankings import Fusion, align_rankings, fused_ranking

#: The answer that each label document represents, in tasks 4 and 5 and in the prediction task of the pilot.
ANSWER_OF_DOCUMENT: dict[str, Answer] = {"Y": "Y", "N": "N", "True": "Y", "False": "N"}
_LABEL_PAIRS = ({"Y", "N"}, {"True", "False"})


class AlwaysNo(BaseTransformer):
    """Answer no to every query, as the simplest baseline: Q to Q, R to R.

    All rows and columns are kept; the columns ``qanswer`` (N) and ``yes`` (0) are added.

    Examples
    --------
    >>> AlwaysNo()(pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp is a person."]})).qanswer.tolist()
    ['N']
    """

    LABEL = "Always no"

    def __init__(self) -> None:
        pass

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries. Raises `ColieeError` for a query without an id."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        answers = pd.Series("N", index=inp.index, dtype=object)
        frame: pd.DataFrame = inp.assign(qanswer=answers, yes=0.0).reset_index(drop=True)
        return frame


def majority_vote(runs: Sequence[pd.DataFrame], default: Answer = "N") -> pd.DataFrame:
    """Answer each query by the majority vote of several runs.

    Parameters
    ----------
    runs : sequence of pandas.DataFrame
        Results whose docnos are the labels Y and N, or True and False in the pilot. The best-ranked document of a
        query is the run's answer. A run without results for a query does not vote on it.
    default : {'N', 'Y'}
        The answer if both have the same number of votes. In the pilot Y is True and N is False.

    Returns
    -------
    pandas.DataFrame
        One row for each query; the score is the share of the votes.

    Raises
    ------
    ValueError
        If there is no run.
    ColieeError
        If a docno is not a label, or if the runs use both kinds of labels.

    See Also
    --------
    MajorityVote : The same as a transformer.

    Examples
    --------
    >>> no = pd.DataFrame({"qid": ["R99-01-A", "R99-01-I"], "docno": ["N", "N"], "score": 1.0})
    >>> majority_vote([no, no.assign(docno="Y"), no.assign(docno=["Y", "N"])]).docno.tolist()
    ['Y', 'N']
    """
    one_of("default", default, ("Y", "N"))
    aligned = align_rankings(runs)
    _check_labels(aligned.frame)
    labels = aligned.frame["docno"].iloc[aligned.first_rows]
    votes = (aligned.ranks == 0).sum(axis=1)
    shares = votes / np.bincount(aligned.queries, votes, aligned.number_of_queries)[aligned.queries]
    is_default = (labels.map(ANSWER_OF_DOCUMENT) == default).to_numpy(dtype=bool)
    return fused_ranking(aligned, shares, selected=(shares > 0.5) | ((shares == 0.5) & is_default))


def _check_labels(answers: pd.DataFrame) -> None:
    """Raise `ColieeError` for a docno that is not a label, and for labels of both kinds."""
    if (unknown := ~answers["docno"].isin(ANSWER_OF_DOCUMENT).to_numpy()).any():
        qid, docno = answers[["qid", "docno"]].iloc[unknown.argmax()]
        labels = "Y or N, or True or False in the pilot"
        raise ColieeError(f"Query {printable(str(qid))}: {printable(str(docno))!r} is no answer. Answers are {labels}.")
    if not any(set(answers["docno"]) <= pair for pair in _LABEL_PAIRS):
        raise ColieeError("Some runs answer Y and N, others True and False. Vote over runs of one task.")


class MajorityVote(Fusion):
    """Answer each query by the majority vote of several pipelines.

    Parameters
    ----------
    *transformers : pyterrier.Transformer
        The pipelines. The docnos of their results are the labels Y and N, or True and False, as those of
        `AnswersAsDocuments` and the classifiers; the best-ranked one of a query is the pipeline's answer. A pipeline
        without results for a query does not vote on it.
    default : {'N', 'Y'}
        The answer if both have the same number of votes. In the pilot Y is True and N is False.

    See Also
    --------
    majority_vote : The same for frames of results.

    Examples
    --------
    >>> no = pt.Transformer.from_df(pd.DataFrame({"qid": ["R99-01-A"], "docno": ["N"], "score": [1.0]}))
    >>> yes = pt.Transformer.from_df(pd.DataFrame({"qid": ["R99-01-A"], "docno": ["Y"], "score": [1.0]}))
    >>> MajorityVote(yes, no, yes)(pd.DataFrame({"qid": ["R99-01-A"]})).docno.tolist()
    ['Y']
    """

    LABEL = "Majority vote"

    def __init__(self, *transformers: pt.Transformer, default: Answer = "N") -> None:
        super().__init__(*transformers)
        self.default = one_of("default", default, ("Y", "N"))

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Compute the majority vote; see `majority_vote`."""
        return majority_vote(rankings, self.default)
