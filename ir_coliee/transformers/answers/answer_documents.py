"""Conversion of answers to results, and the articles that are quoted with a question."""

from __future__ import annotations

import ir_datasets
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids
from ir_coliee.transformers.base import BaseTransformer


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
        frame: pd.DataFrame = results.reset_index(drop=True)
        return frame


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
        frame: pd.DataFrame = inp.assign(text=pd.Series(texts, index=inp.index, dtype=object)).reset_index(drop=True)
        return frame

    def _read_articles(self) -> dict[str, str]:
        full = ir_datasets.load(f"{self.dataset}/full")
        if "t1" not in full.queries_cls()._fields:
            raise ColieeError(f"{self.dataset} has no articles with its questions. Give an id of task 4.")
        return {question.query_id: question.t1 for question in full.queries_iter()}
