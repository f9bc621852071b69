"""Features of cases and of pairs of cases: years, lengths, suppression markers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple, get_args

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.datasets.folds import FragmentCases, decisions, task1_splits, task2_id
from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.paragraphs.features import cue_features, cue_names, quoted_features, quoted_names
from ir_coliee.engine.paragraphs.texts import TokenTexts
from ir_coliee.engine.weightings import TfIdf, document_weights, query_weights
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, best_results, integer_at_least, number_ids, one_of, take_rows, text_values
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.analysers import Analysis, check_text_analyser
from ir_coliee.text.case_years import decision_year
from ir_coliee.text.statutes import exam_id
from ir_coliee.text.suppressed_markers import marker_spans
from ir_coliee.transformers.base import Ranker
from ir_coliee.transformers.candidates.filters import case_texts, task1_id
from ir_coliee.transformers.features.scores import FeatureTransformer
from ir_coliee.transformers.retrieval.frames import query_frequencies
from ir_coliee.transformers.retrieval.indexes import LexicalIndex


class _CaseTable(NamedTuple):
    """The properties of each decision of a split; the year is NaN for a decision without one."""

    positions: dict[str, int]
    years: Floats
    lengths: Floats
    markers: Floats
    queries: npt.NDArray[np.bool_]

    def rows(self, ids: pd.Series, dataset: str) -> npt.NDArray[np.int64]:
        try:
            return np.fromiter(map(self.positions.__getitem__, ids), np.int64, len(ids))
        except KeyError as error:
            name = printable(str(error.args[0]))
            raise ColieeError(f"{name} is neither a document nor a query of {dataset}.") from None


class CaseFeatures(FeatureTransformer):
    """Compute features of the query case, the candidate case and the pair that need no term matching: R to R.

    * ``years_between``: the query's year minus the candidate's, 0 if the year of either is unknown.
    * ``year_missing``: whether the year of either is unknown.
    * ``log_length_of_query``, ``log_length_of_candidate``: the logarithm of 1 + the number of characters.
    * ``log_length_ratio``: the candidate's logarithm minus the query's.
    * ``markers_of_query``, ``markers_of_candidate``: the number of suppression markers, such as
      ``<FRAGMENT_SUPPRESSED>``.
    * ``candidate_is_query``: whether the candidate is a query of the split.

    The year of a decision is the latest that it mentions. The choice of features follows THUIR at COLIEE 2023;
    measuring lengths in characters was chosen for this package.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.
    latest : int, optional
        Numbers above it are not read as years. By default, the year of the edition.

    Examples
    --------
    >>> features = CaseFeatures("coliee/task1/sample/test")
    >>> features.feature_names[:3]
    ['years_between', 'year_missing', 'log_length_of_query']
    """

    LABEL = "Case features"

    def __init__(self, dataset: Dataset, *, latest: int | None = None) -> None:
        self.dataset = task1_id(dataset)
        self.latest = latest

    @property
    def feature_names(self) -> list[str]:
        """The names of the eight features."""
        return [
            "years_between",
            "year_missing",
            "log_length_of_query",
            "log_length_of_candidate",
            "log_length_ratio",
            "markers_of_query",
            "markers_of_candidate",
            "candidate_is_query",
        ]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for an id that is neither a document nor a query of the split."""
        # the store is another object once the local release has changed
        store = ir_datasets.load(self.dataset).docs_store()
        table = self._cached((self.dataset, self.latest, store), self._read_cases)
        query, candidate = table.rows(results["qid"], self.dataset), table.rows(results["docno"], self.dataset)
        between = table.years[query] - table.years[candidate]
        lengths = np.log1p(table.lengths)
        return np.column_stack(
            [
                np.nan_to_num(between, nan=0.0),
                np.isnan(between),
                lengths[query],
                lengths[candidate],
                lengths[candidate] - lengths[query],
                table.markers[query],
                table.markers[candidate],
                table.queries[candidate],
            ]
        ).astype(np.float64)

    def _read_cases(self) -> _CaseTable:
        split = as_split(self.dataset)
        latest = split.year if self.latest is None else self.latest
        found = {
            name: (
                np.nan if (year := decision_year(text, latest)) is None else year,
                len(text),
                len(marker_spans(text)),
            )
            for name, text in case_texts(self.dataset)
        }
        years, lengths, markers = np.array([*found.values()], dtype=np.float64).reshape(-1, 3).T
        queries = set(cases.query_ids(LocalRelease.open(split)))
        are_queries = np.array([name in queries for name in found], dtype=np.bool_)
        return _CaseTable(dict(zip(found, range(len(found)))), years, lengths, markers, are_queries)


# Features of the paragraphs of noticed cases: what they do in the decision, and how often others quote them.


class RhetoricFeatures(FeatureTransformer):
    """Count the cues of what the text of a candidate does in its decision: R to R.

    There are eight lists of cues, which are words and phrases of Canadian decisions: conclusions, the judge's own
    voice, facts and submissions, norms and tests, citations, statutes, disposals, and negations
    (`ir_coliee.text.rhetoric_cues.rhetoric_cues`). Features are the number of places of ``text`` at which a cue of a
    list begins, and the same per word. The lists were written for this package.

    Examples
    --------
    >>> features = RhetoricFeatures()
    >>> rows = pd.DataFrame({"qid": ["1"], "docno": ["900001_001"], "text": ["I find that this is not the test."]})
    >>> found = dict(zip(features.feature_names, features(rows).features[0].tolist()))
    >>> found["voice"], found["norm"], found["negation"], found["negation_per_word"]
    (1.0, 1.0, 1.0, 0.125)
    """

    LABEL = "Rhetoric"

    @property
    def feature_names(self) -> list[str]:
        """The name of each list, then the names with ``_per_word``."""
        return cue_names()

    def columns(self) -> list[str]:
        """Return the column of texts."""
        return ["text"]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a text that is not a string."""
        return cue_features(TokenTexts.of(text_values(results, "text")))


class QuotedElsewhereFeatures(FeatureTransformer):
    """Compute how often other decisions have the words of a paragraph of a noticed case: R to R.

    A paragraph that states a rule is quoted by many decisions. The word 6-grams of all paragraphs are looked up in the
    decisions of task 1 of the same edition, where the local copy has them, and otherwise in the base cases of the other
    queries. A decision with more than 40 % of the 6-grams of the noticed case, or of the query's base case, is taken to
    be one of the two and is left out. Without base cases and decisions all features are 0.

    For each of eight values (see `ir_coliee.engine.paragraphs.features.quoted_elsewhere`) there are three
    features: the value, its rank among the paragraphs of the case (the number of higher values), and its z-score there.
    They are computed for all paragraphs of the split when they are first used.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split of task 2 that the paragraphs are of.

    Examples
    --------
    >>> features = QuotedElsewhereFeatures("coliee/task2/sample/test")
    >>> features.feature_names[:3]
    ['decisions_sharing_8', 'decisions_sharing_8_rank', 'decisions_sharing_8_z']
    >>> features(pd.DataFrame({"qid": ["900009"], "docno": ["900009_001"]})).features[0].shape
    (24,)
    """

    LABEL = "Quoted elsewhere"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = task2_id(dataset)

    @property
    def feature_names(self) -> list[str]:
        """The name of each value, alone and with ``_rank`` and ``_z``."""
        return quoted_names()

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a document that is not a paragraph of the split."""
        rows, values = self._cached(self.dataset, self._values)
        if (unknown := ~results["docno"].isin(rows.keys()).to_numpy()).any():
            docno = printable(str(results["docno"].iloc[unknown.argmax()]))
            raise ColieeError(f"{self.dataset} has no paragraph {docno}. Use the candidates of this dataset.")
        found: Floats = values[[rows[docno] for docno in results["docno"]]]
        return found

    def _values(self) -> tuple[dict[str, int], Floats]:
        split = as_split(self.dataset)
        cases = FragmentCases.of(split)
        task1 = task1_splits(split)
        searched = decisions(task1) if task1 else None
        values = quoted_features(TokenTexts.of(cases.texts), cases.pools, cases.base_cases, searched)
        return {docno: row for row, docno in enumerate(cases.docnos)}, values


# Retrieval of articles that were relevant to similar exam questions of other years.


Aggregate = Literal["max", "squares", "count"]


class PastQuestionRetriever(Ranker):
    """Score articles by similar, labelled questions of other exam years to which they are relevant: Q to R, R to R.

    An article that is relevant to none of the labelled questions scores 0 and is not retrieved. Nor is one that the
    collection lacks.

    A question is never compared with itself or with questions of its own exam year. If its exam year has no labelled
    questions, as that of a test, it is compared only with questions of earlier years, unless ``exam_years`` names the
    years. The exam year is read from the question id, see `ir_coliee.text.statutes.exam_id`; a question whose id has no
    exam year is compared with all labelled questions that have one.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A labelled split of task 3.
    analyser : str or analyser, optional
        The analyser of the questions, see `LexicalIndex.build`. By default ``bigrams`` for Japanese and ``words`` for
        English.
    aggregate : {'max', 'squares', 'count'}
        The score of an article, from the labelled questions to which it is relevant: the TF-IDF cosine of the most
        similar one, the sum of the squared cosines of all of them, or their number.
    num_results : int
        The largest number of articles for each question, >= 1.
    exam_years : sequence of str, optional
        The exam years of the labelled questions to use, such as ``("H98", "H99")``. By default all. The files of other
        exam years are not read.

    Examples
    --------
    >>> past = PastQuestionRetriever("coliee/task3/sample/en/train", num_results=2)
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> past(question)[["qid", "rank"]].values.tolist()
    [['R99-01-A', 0], ['R99-01-A', 1]]
    """

    LABEL = "Past questions"
    SIMILARITIES: ClassVar[tuple[Aggregate, ...]] = ("max", "squares")

    def __init__(
        self,
        dataset: Dataset,
        *,
        analyser: Analysis | None = None,
        aggregate: Aggregate = "max",
        num_results: int = 1000,
        exam_years: Sequence[str] | None = None,
    ) -> None:
        self.dataset = as_split(dataset).id
        self.analyser = None if analyser is None else check_text_analyser(analyser)
        self.aggregate = one_of("aggregate", aggregate, get_args(Aggregate))
        self.num_results = integer_at_least("num_results", num_results, 1)
        self.exam_years = None if exam_years is None else tuple(exam_years)

    def _scores(self, results: pd.DataFrame) -> Floats:
        """Return the score of each row of results (qid, query, docno), in their order."""
        labelled = self._labelled()
        rows, qids = number_ids(results["qid"])
        questions = results.drop_duplicates("qid")
        columns = labelled.articles.get_indexer(pd.Index(results["docno"], dtype=object))
        scores = (
            self._article_scores(questions)[rows, columns]
            if len(qids) and len(labelled.articles)
            else np.zeros(len(rows))
        )
        return np.where(columns < 0, 0.0, scores)

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        questions = queries.drop_duplicates("qid", ignore_index=True)
        scores = self._article_scores(questions)
        rows, columns = np.nonzero(scores)
        found = take_rows(questions.drop(columns=["score", "rank"], errors="ignore"), rows)
        docnos = self._labelled().articles.to_numpy(object)[columns]
        return best_results(found.assign(docno=docnos, score=scores[rows, columns]), self.num_results)

    def _article_scores(self, questions: pd.DataFrame) -> Floats:
        """Return the scores of all articles, as an array of shape (n_questions, n_articles)."""
        labelled = self._labelled()
        comparable = labelled.comparable(questions["qid"], only_earlier=self.exam_years is None)
        if self.aggregate == "count":
            return np.asarray(comparable.astype(np.float64) @ labelled.relevant)
        weighting, index = TfIdf(), labelled.index
        vectors = query_weights(weighting, query_frequencies(index, questions[["qid", "query"]]), index.collection)
        labelled_vectors = document_weights(weighting, index.counts, index.lengths, index.collection)
        cosines = np.where(comparable, (vectors @ labelled_vectors.T).toarray(), 0.0)
        if self.aggregate == "squares":
            return np.asarray(cosines**2 @ labelled.relevant)
        bounds, rows = labelled.relevant.indptr, labelled.relevant.indices
        return np.column_stack(
            [
                np.empty((len(questions), 0)),
                *(cosines[:, rows[start:end]].max(axis=1) for start, end in pairwise(bounds)),
            ]
        )

    def _labelled(self) -> _LabelledQuestions:
        # the store is another object once the local release has changed
        store = ir_datasets.load(self.dataset).docs_store()
        return self._cached((self.dataset, self.analyser, self.exam_years, store), self._read)

    def _read(self) -> _LabelledQuestions:
        split, dataset = as_split(self.dataset), ir_datasets.load(self.dataset)
        of_years = [split] if self.exam_years is None else split.of_exam_years(self.exam_years)
        datasets = [ir_datasets.load(each.id) for each in of_years]
        analyser = self.analyser or ("bigrams" if dataset.queries_lang() == "ja" else "words")
        corpus = (
            {"docno": query.query_id, "text": query.default_text()}
            for each in datasets
            for query in each.queries_iter()
        )
        index = LexicalIndex.build(corpus, analyser=analyser)
        position = {qid: row for row, qid in enumerate(index.docnos)}
        collection = {article.doc_id for article in dataset.docs_iter()}  # the gold may have articles that it lacks
        qrels = ((pair.query_id, pair.doc_id) for each in datasets for pair in each.qrels_iter())
        pairs = {(qid, docno) for qid, docno in qrels if qid in position and docno in collection}
        articles = pd.Index(sorted({docno for _, docno in pairs}), dtype=object)
        columns = articles.get_indexer([docno for _, docno in pairs])
        cells = [position[qid] for qid, _ in pairs], columns
        relevant = sparse.csc_matrix((np.ones(len(pairs)), cells), shape=(len(position), len(articles)))
        years = np.array([exam_id(qid).year for qid in index.docnos], dtype=object)
        return _LabelledQuestions(index, years, articles, relevant)


class _LabelledQuestions(NamedTuple):
    """The labelled questions as an index, their exam years, and the relevant articles (columns) of each (row)."""

    index: LexicalIndex
    years: npt.NDArray[np.object_]
    articles: pd.Index[str]
    relevant: sparse.csc_matrix

    def comparable(self, qids: pd.Series[str], *, only_earlier: bool) -> npt.NDArray[np.bool_]:
        """Return whether each question (row) is compared with each labelled question (column).

        A question of a year without labelled questions is compared with those of earlier years if ``only_earlier``.
        """
        labelled_years = set(self.years)
        rows = []
        for qid in qids:
            year = exam_id(str(qid)).year
            others = (self.years != year) & (self.index.docnos != qid)
            sees_all = not only_earlier or year in labelled_years or not year
            rows.append(others if sees_all else others & (self.years < year))
        return np.array(rows, dtype=bool).reshape(len(qids), len(self.years))
