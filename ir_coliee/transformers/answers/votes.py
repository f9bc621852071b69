"""Answers as results, and the majority vote of several runs."""

from __future__ import annotations

from collections.abc import Sequence

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids, one_of
from ir_coliee.models.replies import Answer
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.fusion import Fusion, align_rankings, fused_ranking

#: The answer that each label document represents, in tasks 4 and 5 and in the prediction task of the pilot.
ANSWER_OF_DOCUMENT: dict[str, Answer] = {"Y": "Y", "N": "N", "True": "Y", "False": "N"}
_LABEL_PAIRS = ({"Y", "N"}, {"True", "False"})


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


# Conversion of answers to results, and the articles that are quoted with a question.


class AnswersAsDocuments(BaseTransformer):
    """Turn the answers in ``qanswer`` into results, whose documents are the labels: Q or R to R.

    There is one row for each query. Its score is the probability of the answer, computed from the column ``yes``, or 1
    if the frame does not have that column.

    Parameters
    ----------
    yes, no : str
        The docnos of the answers Y and N; use True and False for the prediction task of the pilot.

    Examples
    --------
    >>> answered = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp"], "qanswer": ["N"], "yes": [0.25]})
    >>> AnswersAsDocuments()(answered)[["docno", "score", "rank"]].values.tolist()
    [['N', 0.75, 0]]
    """

    LABEL = "Answers as documents"

    def __init__(self, yes: str = "Y", no: str = "N") -> None:
        self.yes = yes
        self.no = no

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return one result for each query.

        Raises `ColieeError` for a query with two answers, and for an answer that is neither Y nor N.
        """
        pt.validate.columns(inp, includes=["qid", "qanswer"], context=self)
        check_ids(inp)
        if (unknown := ~inp["qanswer"].isin(["Y", "N"]).to_numpy()).any():
            name = printable(str(inp["qid"].iloc[unknown.argmax()]))
            raise ColieeError(f"Query {name}: its answer in qanswer must be Y or N.")
        answers = inp.drop_duplicates(["qid", "qanswer"])
        if (repeated := answers["qid"].duplicated()).any():
            name = printable(str(answers["qid"][repeated].iloc[0]))
            raise ColieeError(f"Query {name} has two answers in qanswer. All rows of a query must have one answer.")
        yes = (answers["yes"] if "yes" in answers.columns else answers["qanswer"] == "Y").astype(float)
        replaced = ["docno", "text", "score", "rank", "qanswer", "yes"]
        results = answers.drop(columns=replaced, errors="ignore").assign(
            docno=answers["qanswer"].map({"Y": self.yes, "N": self.no}).astype(object),
            score=yes.where(answers["qanswer"] == "Y", 1 - yes),
            rank=0,
        )
        return results.reset_index(drop=True)


class QuotedArticles(BaseTransformer):
    """Add the articles that the organisers quote with each question, as the column ``text``: Q to Q.

    The text is empty for a question without quoted articles, which all questions of task 5 in 2021 are, and for a
    question that is not in the dataset.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 4.

    Examples
    --------
    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> QuotedArticles("coliee/task4/sample/en/test")(questions).text.str.len().tolist()[0] > 0
    True
    """

    LABEL = "Quoted articles"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = as_split(dataset).id

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add the articles. Raises `ColieeError` for a query without an id, and for a dataset without articles."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        articles = self._cached(self.dataset, self._read_articles)
        texts = [articles.get(qid, "") for qid in inp["qid"]]
        return inp.assign(text=pd.Series(texts, index=inp.index, dtype=object)).reset_index(drop=True)

    def _read_articles(self) -> dict[str, str]:
        full = ir_datasets.load(f"{self.dataset}/full")
        if "t1" not in full.queries_cls()._fields:
            raise ColieeError(f"{self.dataset} has no articles with its questions. Give an id of task 4.")
        return {question.query_id: question.t1 for question in full.queries_iter()}
