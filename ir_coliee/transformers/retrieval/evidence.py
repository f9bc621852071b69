"""Retrieval by single scores of evidence: of noticed cases (task 1) and of articles of a code (task 3).

`CaseRetriever` scores the distinct texts of a split of task 1: by what their paragraphs have in common with the
contexts of citations, what hardly any other decision has, or what a query says about a suppressed citation.
`ArticleScores` scores all articles: by shared terms, past questions, kernel ridge regression, translation or the number
of a question, never by labels of the question's own exam year. Both find documents for queries, or score the rows of a
frame of results, so they can be used by themselves, as rerankers, in a fusion, or as a column of `ScoreColumns`.
All scores are in the tables `ir_coliee.engine.cases.scores.EVIDENCE` and
`ir_coliee.engine.articles.evidence.EVIDENCE`.
"""

from __future__ import annotations

import warnings
from typing import ClassVar

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id, as_split, id_of_task
from ir_coliee.engine.articles import evidence as article_scores
from ir_coliee.engine.articles.collection import ArticleCollection, ArticleQuestions
from ir_coliee.engine.cases import scores as case_scores
from ir_coliee.engine.cases.texts import TextPool, case_collection
from ir_coliee.engine.scoring import select_best
from ir_coliee.errors import ColieeWarning, InsufficientTrainingDataError
from ir_coliee.frames import Floats, check_ids, integer_at_least, number_ids, one_of, places_of, text_values
from ir_coliee.progress import stage
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.analysers import Stems
from ir_coliee.transformers.base import Ranker, Rankings
from ir_coliee.transformers.estimators import BaseEstimator, relevant_pairs
from ir_coliee.transformers.retrieval.retriever import query_column

_COLUMNS = ["qid", "query"]


class EvidenceRanker(Ranker):
    """Base class: rank the documents of a dataset by one kind of evidence. A subclass defines `document_scores`.

    Attributes
    ----------
    ABOVE : float
        Documents that do not score above it are not retrieved.
    """

    ABOVE: ClassVar[float] = -np.inf
    DISTINCT = True
    PROBLEM = (
        "get no result by {self.evidence}: {}. Queries should be whole decisions as they are distributed, not cleaned."
    )
    dataset: str
    evidence: str

    def document_scores(self, queries: pd.DataFrame) -> tuple[pd.Index, Floats]:
        """Return the sorted ids of the documents, and their scores for each query."""
        raise NotImplementedError

    def _scores(self, results: pd.DataFrame) -> Floats:
        docnos, scores = self.document_scores(results.drop_duplicates("qid", ignore_index=True))
        problem = f"Document {{}} is not in {self.dataset}.\nPass results of this dataset, or use their dataset here."
        return scores[number_ids(results["qid"])[0], places_of(results["docno"], docnos, problem)]

    def _rankings(self, queries: pd.DataFrame) -> Rankings:
        docnos, scores = self.document_scores(queries)
        best = (select_best(np.flatnonzero(row > self.ABOVE), row, self.num_results) for row in scores)
        return docnos.to_numpy(), best


class CaseRetriever(EvidenceRanker):
    r"""Retrieve noticed cases by one kind of evidence: Q to R, R to R.

    For a frame of queries (Q), it returns the ``num_results`` best documents whose text scores above 0, except the
    query's own: the one whose id is the ``qid``. Equal scores are ordered by document id. For a frame of results (R),
    it returns the same rows with new scores; a document that would never be retrieved scores 0. Statistics such as
    document frequencies are those of all texts of the split and of the queries of the frame.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. They are read once, and their tokens are kept in the cache of
        the data folder.
    evidence : str
        The name of a score of the table `ir_coliee.engine.cases.scores.EVIDENCE`, which has the formula and the source
        of each. Some of them:

        * ``context.reciprocal_rank``: the words around each suppressed citation are matched with each paragraph of each
          case; the sum over the citations of 1 / (rank + 3). Cases of later years than the query have no rank.
          ``context.by_text_25`` and ``latent.reciprocal_rank`` depend on the other queries of the frame.
        * ``exclusive.words``: what the query shares with hardly any other decision. In a library in which a decision is
          cited by hundreds of others, it says less than in the pools of COLIEE.
        * ``name.in_head``, ``name.judge``, ``year.near_citation``: parties, judge and year that the query names. Many
          queries name none and get no result, which a warning counts; if no query of a `pt.Experiment` gets one,
          PyTerrier ends it with "topics, but no results".
        * ``total.sum``: the sum of seven scores, which chooses the candidates of the learned baseline.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.
    With numba (the extra ``fast``), the contexts of 400 queries and 1,870 texts take about three seconds on one core,
    without it about 17, with the same scores.

    Examples
    --------
    >>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    >>> sharing = CaseRetriever(dataset, "exclusive.5grams", num_results=2)
    >>> sharing(dataset.get_topics()[:1])[["qid", "docno", "rank"]].values.tolist()
    [['900656', '900557', 0], ['900656', '900912', 1]]
    >>> query = pd.DataFrame({"qid": ["mine"], "query": ["Dorrenkamp sued Tolland Tramways."]})
    >>> CaseRetriever(dataset, "name.in_head")(query)[["docno", "score"]].round(3).values.tolist()
    [['900593', 5.16], ['900532', 2.58]]
    """

    LABEL = "Case evidence"
    ABOVE = 0.0

    def __init__(self, dataset: Dataset, evidence: str, *, num_results: int = 1000, verbose: bool = False) -> None:
        self.dataset = id_of_task(dataset, "task1")
        self.evidence = one_of("evidence", evidence, tuple(case_scores.EVIDENCE))
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.verbose = verbose

    def document_scores(self, queries: pd.DataFrame) -> tuple[pd.Index, Floats]:
        """Return the sorted ids of the documents, and their scores of at least 0 for each query."""
        query_column(queries[["qid", "query"]])  # each text is a string
        with stage(self.evidence, verbose=self.verbose):
            collection = case_collection(LocalRelease.open(self.dataset), verbose=self.verbose)
            self._cached(collection, lambda: collection)  # it stays in memory as long as the transformer does
            order = np.argsort(queries["qid"].to_numpy(object), kind="stable")  # scores are the same in any order
            sequences, numbers = collection.with_texts(queries["query"].iloc[order], as_split(self.dataset).year)
            docnos = pd.Index(sorted(collection.documents), dtype=object)
            texts, text_of_document = np.unique(collection.text_numbers(docnos), return_inverse=True)
            scores = np.zeros((0, len(texts)), np.float32)
            if len(queries):
                found = case_scores.EVIDENCE[self.evidence].compute(TextPool(sequences, numbers, texts))
                scores = found[np.argsort(order)].clip(min=0)
        of_documents = scores[:, text_of_document]
        own = docnos.get_indexer(pd.Index(queries["qid"], dtype=object))
        of_documents[own >= 0, own[own >= 0]] = 0
        return docnos, of_documents.astype(np.float64)


class ArticleScores(EvidenceRanker, BaseEstimator):
    """Score articles by one kind of evidence: Q to R, R to R.

    Statistics of terms are those of the articles, of the labelled questions that the transformer is fitted to, and of
    the questions of the frame. Of a question that is in both, the text of the frame is used, and the labels. No label
    of a question's own exam year is used for it, so that the scores of train questions are as honest as those of a
    test. Questions without an exam year in their id count as one year.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    evidence : str
        The name of a score of the table `ir_coliee.engine.articles.evidence.EVIDENCE`, which has the formula and the
        source of each. Some of them:

        * ``ridge.stems``, ``ridge.characters``: kernel ridge regression from texts to articles. In contrast to past
          questions, these and articles support each other, and what many questions share counts less.
        * ``translation.ibm1``: words of articles stand for other words of questions, such as "succession" for "dead".
          A question of a labelled year is scored by translations that are learned from the other of five folds.
        * ``past.words_nearest``: the most similar labelled question to which the article is relevant.
        * ``number.density``: exams go through the code in order, so the number of a question tells where its articles
          are.
    num_results : int
        The largest number of articles for each question, >= 1.

    Examples
    --------
    >>> dataset = pt.get_dataset("irds:coliee/task3/sample/en/train")
    >>> ridge = ArticleScores("coliee/task3/sample/en/train", "ridge.characters", num_results=2)
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> ridge.fit(dataset.get_topics(), dataset.get_qrels())(question)[["qid", "rank"]].values.tolist()
    [['R99-01-A', 0], ['R99-01-A', 1]]
    """

    LABEL = "Article scores"

    def __init__(self, dataset: Dataset, evidence: str, *, num_results: int = 1000) -> None:
        self.dataset = as_dataset_id(dataset)
        self.evidence = one_of("evidence", evidence, tuple(article_scores.EVIDENCE))
        self.num_results = integer_at_least("num_results", num_results, 1)
        super().__init__()

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> ArticleScores:
        """Keep labelled questions.

        Parameters
        ----------
        topics : pandas.DataFrame
            Questions with the columns qid and query.
        qrels : pandas.DataFrame
            The columns qid, docno and label. Articles that the collection lacks are ignored.

        Returns
        -------
        ArticleScores
            This object, fitted.

        Raises
        ------
        InsufficientTrainingDataError
            If no question has a relevant article.
        """
        pt.validate.columns(topics, includes=_COLUMNS, context=self)
        check_ids(topics)
        train = topics[_COLUMNS].assign(query=text_values(topics, "query")).drop_duplicates("qid", ignore_index=True)
        gold = relevant_pairs(qrels, self)[["qid", "docno"]]
        if not ArticleQuestions.of(ArticleCollection.of(self.dataset), train, gold).labelled.any():
            raise InsufficientTrainingDataError(
                f"None of the {len(train)} questions has a relevant article in the collection.\n"
                "Check that topics and qrels have the same query ids."
            )
        if self.evidence == article_scores.TOTAL or "stems" in article_scores.EVIDENCE[self.evidence].formula:
            for note in Stems.of(ArticleCollection.of(self.dataset).language).notes:
                warnings.warn(f"{type(self).__name__}: {note}", ColieeWarning, stacklevel=2)
        self._fitted_model = train, gold
        return self

    def document_scores(self, queries: pd.DataFrame) -> tuple[pd.Index, Floats]:
        """Return the sorted ids of the articles, and their scores for each question."""
        train, gold = self.fitted_model()
        collection = ArticleCollection.of(self.dataset)
        asked = queries[_COLUMNS].assign(query=text_values(queries, "query"))
        text_of = dict(zip(asked["qid"], asked["query"]))
        known = train.assign(query=[text_of.get(qid, text) for qid, text in zip(train["qid"], train["query"])])
        pool = ArticleQuestions.of(collection, known, gold, asked[~asked["qid"].isin(train["qid"])])
        rows = pd.Index(pool.qids, dtype=object).get_indexer(pd.Index(asked["qid"], dtype=object)).astype(np.int64)
        found = article_scores.ArticleEvidence(pool, rows, Stems.of(collection.language).analyser)
        docnos = pd.Index(collection.docnos, dtype=object)
        order = docnos.argsort()
        return docnos[order], found.scores([self.evidence])[self.evidence][:, order]
