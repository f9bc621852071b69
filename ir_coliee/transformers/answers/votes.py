"""Answers without a model: always no, and what most of several runs say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import check_ids
from ir_coliee.text.yes_no import Answer
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.fusion.alignment import align_rankings, fused_ranking
from ir_coliee.transformers.fusion.base import Fusion

#: The label documents by what they say: those of tasks 4 and 5, and those of the pilot's prediction.
SAYS: dict[str, Answer] = {"Y": "Y", "N": "N", "True": "Y", "False": "N"}
_PAIRS = ({"Y", "N"}, {"True", "False"})


class AlwaysNo(BaseTransformer):
    """Answers every query with no: Q to Q, R to R. The least that a system must beat.

    Rows and columns stay; ``qanswer`` is N, ``yes`` 0.

    >>> AlwaysNo()(pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp is a person."]})).qanswer.tolist()
    ['N']
    """

    LABEL = "Always no"

    def __init__(self) -> None:
        pass

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries, whatever they say. Raises `ColieeError` for a query without an id."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        answers = pd.Series("N", index=inp.index, dtype=object)
        return inp.assign(qanswer=answers, yes=0.0).reset_index(drop=True)


def majority_vote(runs: Sequence[pd.DataFrame], otherwise: Answer = "N") -> pd.DataFrame:
    """The answer that most runs give to each query, one row a query: see `MajorityVote`.

    >>> no = pd.DataFrame({"qid": ["R99-01-A", "R99-01-I"], "docno": ["N", "N"], "score": 1.0})
    >>> majority_vote([no, no.assign(docno="Y"), no.assign(docno=["Y", "N"])]).docno.tolist()
    ['Y', 'N']
    """
    _refuse_no_answer(otherwise)
    aligned = align_rankings(runs)
    _refuse_other_labels(aligned.frame)
    labels = aligned.frame["docno"].iloc[aligned.places]
    votes = (aligned.ranks == 0).sum(axis=1)
    shares = votes / np.bincount(aligned.queries, votes, aligned.number_of_queries)[aligned.queries]
    decides = (shares == 0.5) & (labels.map(SAYS) == otherwise).to_numpy(dtype=bool)
    return fused_ranking(aligned, shares, selected=(shares > 0.5) | decides)


def _refuse_no_answer(otherwise: str) -> None:
    if otherwise not in ("Y", "N"):
        raise ValueError(f"otherwise={otherwise!r} is neither 'Y' nor 'N'")


def _refuse_other_labels(answers: pd.DataFrame) -> None:
    """Raises `ColieeError` for what is no label document, and for both kinds of them."""
    if (unknown := ~answers["docno"].isin(SAYS).to_numpy()).any():
        qid, docno = answers[["qid", "docno"]].iloc[unknown.argmax()]
        labels = "Y or N, or True or False in the pilot"
        raise ColieeError(f"Query {shown(str(qid))}: {shown(str(docno))!r} is no answer. Answers are {labels}.")
    if not any(set(answers["docno"]) <= pair for pair in _PAIRS):
        raise ColieeError("Some runs answer Y and N, others True and False. Vote over runs of one task.")


class MajorityVote(Fusion):
    """Gives each query the answer that most of several pipelines give it. On frames: `majority_vote`.

    The pipelines return label documents, Y and N, or True and False, as `AnswersAsDocuments` and the classifiers do;
    the best-ranked one of a query is the pipeline's answer. What comes out is one row a query with the share of the
    votes as its score; a pipeline that leaves a query out has no vote on it.

    >>> no = pt.Transformer.from_df(pd.DataFrame({"qid": ["R99-01-A"], "docno": ["N"], "score": [1.0]}))
    >>> yes = pt.Transformer.from_df(pd.DataFrame({"qid": ["R99-01-A"], "docno": ["Y"], "score": [1.0]}))
    >>> MajorityVote(yes, no, yes)(pd.DataFrame({"qid": ["R99-01-A"]})).docno.tolist()
    ['Y']
    """

    LABEL = "Majority vote"

    def __init__(self, *transformers: pt.Transformer, otherwise: Answer = "N") -> None:
        """``otherwise``: Y or N, the answer where both have as many votes; in the pilot Y is True, N is False."""
        super().__init__(*transformers)
        _refuse_no_answer(otherwise)
        self.otherwise = otherwise

    def fuse(self, rankings: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Take the vote; see `majority_vote`."""
        return majority_vote(rankings, self.otherwise)
