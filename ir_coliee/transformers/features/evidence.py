"""Features of decisions, of their paragraphs and of articles: years, lengths, cues, quotations, embeddings, exams."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee import frames
from ir_coliee.datasets.folds import FragmentCases, decisions, task1_splits
from ir_coliee.editions import Dataset, as_dataset_id, as_split, id_of_task
from ir_coliee.engine.articles import collection as articles
from ir_coliee.engine.counting import check_corpus, check_unique_documents
from ir_coliee.engine.paragraphs import Pools, TokenTexts, cue_features, cue_names, quoted_features, quoted_names
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers
from ir_coliee.releases import cases
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.decisions import marker_spans
from ir_coliee.text.years import decision_year
from ir_coliee.transformers.candidates.filters import case_texts
from ir_coliee.transformers.features.learning import FeaturesOfScores, FeatureTransformer, score_values
from ir_coliee.transformers.retrieval.paragraphs import numbered_paragraphs
from ir_coliee.transformers.retrieval.retriever import query_column


class CaseFeatures(FeatureTransformer):
    """Compute features of the query case, the candidate case and the pair that need no term matching: R to R.

    * ``years_between``: the query's year minus the candidate's, 0 if the year of either is unknown.
    * ``year_missing``: whether the year of either is unknown.
    * ``log_length_of_query``, ``log_length_of_candidate``: the logarithm of 1 + the number of characters.
    * ``log_length_ratio``: the candidate's logarithm minus the query's.
    * ``markers_of_query``, ``markers_of_candidate``: the number of suppression markers, such as
      ``<FRAGMENT_SUPPRESSED>``.
    * ``candidate_is_query``: whether the candidate is a query of the split.

    The year of a decision is the latest that it mentions, up to that of the edition. The choice of features follows
    THUIR at COLIEE 2023; measuring lengths in characters was chosen for this package.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1.

    Examples
    --------
    >>> features = CaseFeatures("coliee/task1/sample/test")
    >>> features.feature_names[:3]
    ['years_between', 'year_missing', 'log_length_of_query']
    """

    LABEL = "Case features"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = id_of_task(dataset, "task1")

    @property
    def feature_names(self) -> list[str]:
        """The names of the eight features."""
        return list(_CASE_FEATURES)

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for an id that is neither a document nor a query of the split."""
        # the store is another object once the local release has changed
        store = ir_datasets.load(self.dataset).docs_store()
        table = self._cached((self.dataset, store), self._read_cases)
        problem = f"{{}} is neither a document nor a query of {self.dataset}."
        rows = (frames.places_of(results[column], table.index, problem) for column in ("qid", "docno"))
        query, candidate = (table.iloc[of_column].reset_index(drop=True) for of_column in rows)
        return np.column_stack([compute(query, candidate) for compute in _CASE_FEATURES.values()]).astype(np.float64)

    def _read_cases(self) -> pd.DataFrame:
        """Return the properties of each decision of the split; the year is NaN for one without."""
        split = as_split(self.dataset)
        queries = set(cases.query_ids(LocalRelease.open(split)))
        rows = {
            name: (decision_year(text, split.year), len(text), len(marker_spans(text)), name in queries)
            for name, text in case_texts(self.dataset)
        }
        columns = ["year", "length", "markers", "is_query"]
        table = pd.DataFrame.from_dict(rows, orient="index", columns=columns).astype(np.float64)
        return table.assign(log_length=np.log1p(table["length"]))


_CASE_FEATURES: dict[str, Callable[[pd.DataFrame, pd.DataFrame], pd.Series]] = {
    "years_between": lambda query, candidate: (query["year"] - candidate["year"]).fillna(0.0),
    "year_missing": lambda query, candidate: (query["year"] - candidate["year"]).isna(),
    "log_length_of_query": lambda query, _: query["log_length"],
    "log_length_of_candidate": lambda _, candidate: candidate["log_length"],
    "log_length_ratio": lambda query, candidate: candidate["log_length"] - query["log_length"],
    "markers_of_query": lambda query, _: query["markers"],
    "markers_of_candidate": lambda _, candidate: candidate["markers"],
    "candidate_is_query": lambda _, candidate: candidate["is_query"],
}


# Features of the paragraphs of noticed cases: what they do in the decision, and how often others quote them.


class RhetoricFeatures(FeatureTransformer):
    """Count the cues of what the text of a candidate does in its decision: R to R.

    There are eight lists of cues, which are words and phrases of Canadian decisions: conclusions, the judge's own
    voice, facts and submissions, norms and tests, citations, statutes, disposals, and negations
    (`ir_coliee.text.cues.rhetoric_cues`). Features are the number of places of ``text`` at which a cue of a
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
        return cue_features(TokenTexts.of(frames.text_values(results, "text")))


class QuotedElsewhereFeatures(FeatureTransformer):
    """Compute how often other decisions have the words of a paragraph of a noticed case: R to R.

    A paragraph that states a rule is quoted by many decisions. The word 6-grams of all paragraphs are looked up in the
    decisions of task 1 of the same edition, where the local copy has them, and otherwise in the base cases of the other
    queries. A decision with more than 40 % of the 6-grams of the noticed case, or of the query's base case, is taken to
    be one of the two and is left out. Without base cases and decisions all features are 0.

    For each of eight values (see `ir_coliee.engine.paragraphs.quoted_features`) there are three
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
        self.dataset = id_of_task(dataset, "task2")

    @property
    def feature_names(self) -> list[str]:
        """The name of each value, alone and with ``_rank`` and ``_z``."""
        return quoted_names()

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a document that is not a paragraph of the split."""
        docnos, values = self._cached(self.dataset, self._values)
        problem = f"{self.dataset} has no paragraph {{}}. Use the candidates of this dataset."
        return np.asarray(values[frames.places_of(results["docno"], docnos, problem)])

    def _values(self) -> tuple[pd.Index[Any], Floats]:
        split = as_split(self.dataset)
        cases = FragmentCases.of(split)
        task1 = task1_splits(split)
        searched = decisions(task1) if task1 else None
        values = quoted_features(TokenTexts.of(cases.texts), Pools.of_sizes(cases.sizes), cases.base_cases, searched)
        return pd.Index(cases.docnos, dtype=object), values


# Features of columns of scores, from the structure of exams and codes.


_FEATURES = {
    "siblings": articles.SIBLING_FEATURES,
    "structure": articles.STRUCTURE_FEATURES,
    "references": articles.REFERENCE_FEATURES,
}
_NUMBERS = ("number.number", "number.place", "number.group_size")
_FAMILIES = (*_FEATURES, "number")


class ArticleFeatures(FeaturesOfScores):
    """Compute features of columns of scores, among the questions of an exam and the articles of a code: R to R.

    No labels are used. An article that the frame lacks for a question has the score 0: pass the candidates of all
    questions of an exam at once, with as many articles of each as possible.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.
    families : sequence of {"siblings", "structure", "references", "number"}
        The features to compute. ``siblings`` are the other questions of the same exam and number: R98-04-A, R98-04-I
        and R98-04-U ask about one subject. Their evidence is the square of the score divided by the question's best.

        * ``siblings.mean``, ``siblings.mean_ratio``, ``siblings.mean_rank``, ``siblings.mean_gap``: the mean evidence
          of the siblings, its ratio to the question's best, its rank and its gap to the second best;
          ``siblings.mean_section``, ``siblings.mean_chapter``, ``siblings.mean_finest``: the mean summed over the
          articles with the same heading, as a ratio to the question's best; ``siblings.best``: the largest evidence of
          a sibling; ``siblings.near``: the mean summed over the article and two articles before and behind it. All
          are 0 for a question without siblings in the frame.
        * ``structure.best_section``, ``structure.best_chapter``, ``structure.best_finest``: the best score of the
          articles with the same section, chapter or finest heading; ``structure.near_1``, ``structure.near_2``: that of
          the articles at most one and two places before or behind, without the article itself;
          ``structure.sum_section``, ``structure.sum_chapter``, ``structure.sum_finest``: the sum of the squared ratios
          to the question's best score over the articles with the same heading.
        * ``references.incoming``, ``references.outgoing``: the best score, as a ratio to the question's best, of the
          articles that refer to the article, and of those that it refers to;
          ``references.incoming_mutatis_mutandis``, ``references.outgoing_mutatis_mutandis``: the same, for references
          that apply an article mutatis mutandis (準用). In contrast to `ReferenceExpansion` no articles are added.
        * ``number.number``, ``number.place``, ``number.group_size``: the number of the question in its exam, the place
          of the article in the code (counted from 0), and the number of questions with the same exam and number, the
          question itself included. They do not depend on the scores.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["5", "6"], "score": [8.0, 2.0]})
    >>> features = ArticleFeatures("coliee/task3/sample/en", families=["references"])
    >>> features.feature_names[:2]
    ['score.references.incoming', 'score.references.outgoing']
    >>> features(run).features.tolist()  # article 6 refers to article 5
    [array([0.25, 0.  , 0.  , 0.  ]), array([0., 1., 0., 0.])]
    """

    LABEL = "Article features"

    def __init__(
        self, dataset: Dataset, scores: Sequence[str] = ("score",), *, families: Sequence[str] = _FAMILIES
    ) -> None:
        super().__init__(scores)
        self.dataset = as_dataset_id(dataset)
        self.families = [frames.one_of("families", family, _FAMILIES) for family in families]

    @property
    def feature_names(self) -> list[str]:
        """The name of each column with the family and the name of the feature; those of numbers without a column."""
        of_scores = [
            f"{name}.{family}.{feature}"
            for name in self.scores
            for family in self.families
            for feature in _FEATURES.get(family, ())
        ]
        return [*of_scores, *(_NUMBERS if "number" in self.families else ())]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for an article that the collection does not have."""
        store = ir_datasets.load(self.dataset).docs_store()  # another object once the local release has changed
        collection = self._cached((self.dataset, store), lambda: articles.ArticleCollection.of(self.dataset))
        rows, qids = frames.number_ids(results["qid"])
        problem = f"Document {{}} is not in {self.dataset}.\nPass results of this dataset, or use their dataset here."
        columns = frames.places_of(results["docno"], pd.Index(collection.docnos, dtype=object), problem)
        exams = articles.ExamQuestions.of(qids.tolist())
        found: list[Floats | Integers] = []
        compute: dict[str, Callable[[Floats], dict[str, Floats]]] = {
            "siblings": lambda scores: articles.sibling_features(
                articles.evidence(scores), exams.groups, collection.units
            ),
            "structure": lambda scores: articles.structure_features(scores, collection.units),
            "references": lambda scores: articles.reference_features(scores, collection),
        }
        for name in self.scores:
            scores = np.zeros((len(qids), len(collection.docnos)))
            scores[rows, columns] = score_values(results, name, rows)
            for family in filter(compute.get, self.families):
                found += [matrix[rows, columns] for matrix in compute[family](scores).values()]
        if "number" in self.families:
            found += [exams.numbers[rows], columns, articles.group_sizes(exams.groups)[rows]]
        return np.column_stack(found).astype(np.float64)


# Histograms of the similarities between all pairs of paragraphs of two cases.


Vectors = npt.NDArray[np.floating[Any]]


class ParagraphVectors:
    r"""The paragraphs of documents as vectors of length 1, computed with an encoder of any library.

    The vectors are kept in memory. With 768 numbers of four bytes each, a million paragraphs take 3 GB. Use `build` to
    create them.

    Parameters
    ----------
    encode : callable
        Function from a list of texts to an array with a row of numbers for each text.
    of_documents : mapping of str to numpy.ndarray of shape (n_paragraphs, n_dimensions)
        The vectors of each document's paragraphs.
    """

    def __init__(self, encode: Callable[[list[str]], Any], of_documents: Mapping[str, Vectors]) -> None:
        self.encode = encode
        self._of_documents = of_documents

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], encode: Callable[[list[str]], Any]) -> ParagraphVectors:
        r"""Encode the paragraphs of a corpus.

        Parameters
        ----------
        corpus : iterable of dict
            Documents with ``docno`` and ``text``. Texts are split at their paragraph markers, as by `paragraph_corpus`.
        encode : callable
            Function from a list of texts to an array with a row of numbers for each text, such as the method ``encode``
            of a ``SentenceTransformer``.

        Returns
        -------
        ParagraphVectors

        Raises
        ------
        ColieeError
            If a document occurs twice or has no docno or text, or if the encoder does not return a row of finite
            numbers for each text.

        Examples
        --------
        >>> corpus = [{"docno": "900001", "text": "[1]\nA lamp.\n[2]\nThe gate."}]
        >>> ParagraphVectors.build(corpus, lambda texts: [[len(text), 1.0] for text in texts])
        ParagraphVectors(<1 documents, 2 paragraphs>)
        """
        documents = list(check_corpus(corpus, "words"))
        docnos = [docno for docno, _ in documents]
        check_unique_documents(docnos)
        return cls(encode, dict(zip(docnos, _encode_paragraphs(encode, [str(text) for _, text in documents]))))

    def of_document(self, docno: str) -> Vectors:
        """Return the vectors of a document's paragraphs. Raises `ColieeError` for one that is not there."""
        if (vectors := self._of_documents.get(docno)) is None:
            raise ColieeError(f"Document {printable(docno)} is not in {self!r}. Is it of the same split?")
        return vectors

    def of_queries(self, queries: pd.DataFrame) -> list[Vectors]:
        """Return the vectors of queries, which are documents (``query_docno``) or texts."""
        if query_column(queries) == "query_docno":
            return [*map(self.of_document, queries["query_docno"])]
        return _encode_paragraphs(self.encode, queries["query"].tolist())

    def __repr__(self) -> str:
        paragraphs = sum(map(len, self._of_documents.values()))
        return f"ParagraphVectors(<{len(self._of_documents)} documents, {paragraphs} paragraphs>)"


def _encode_paragraphs(encode: Callable[[list[str]], Any], texts: Sequence[str]) -> list[Vectors]:
    """Return the paragraphs of each text as vectors of length 1 (zero vectors stay zero)."""
    paragraphs = [list(numbered_paragraphs(text).values()) for text in texts]
    flat = [*chain.from_iterable(paragraphs)]
    vectors = np.asarray(encode(flat) if flat else np.empty((0, 0)), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(flat) or not np.isfinite(vectors).all():
        raise ColieeError(
            f"The encoder must return {len(flat)} rows of finite numbers, one for each paragraph.\n"
            f"It returned an array of shape {vectors.shape}, or numbers that are not finite."
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.split(vectors / np.where(lengths > 0, lengths, 1), np.cumsum([*map(len, paragraphs)])[:-1])


class EmbeddingHistogram(FeatureTransformer):
    r"""Compute the histogram of the cosines between all pairs of paragraph embeddings of query and document: R to R.

    Each feature is the share of the pairs in a bin; a cosine on an edge is in the higher bin. UA used these features at
    COLIEE 2023. A query is text, which is split at its paragraph markers and encoded, or a document that has vectors
    already (``query_docno``).

    Parameters
    ----------
    vectors : ParagraphVectors
        The vectors of the documents' paragraphs.
    bins : int
        The number of bins of equal width, >= 1.
    limits : tuple of float
        The lower edge of the first and the upper edge of the last bin. Similarities outside are counted in the first or
        the last bin. UA report neither limits nor normalisation; these were chosen for this package.

    Examples
    --------
    >>> decision = {"docno": "900001", "text": "[1]\nA lamp.\n[2]\nThe gate."}
    >>> vectors = ParagraphVectors.build([decision], lambda texts: [[len(text) == 7, len(text) > 7] for text in texts])
    >>> pairs = pd.DataFrame({"qid": ["1"], "query": ["A lamp."], "docno": ["900001"]})
    >>> EmbeddingHistogram(vectors, bins=4)(pairs).features.tolist()
    [array([0.5, 0. , 0. , 0.5])]
    """

    LABEL = "Embedding histogram"

    def __init__(self, vectors: ParagraphVectors, *, bins: int = 10, limits: tuple[float, float] = (0.0, 1.0)) -> None:
        self.vectors = frames.instance_of("vectors", vectors, ParagraphVectors, "ParagraphVectors")
        self.bins = frames.integer_at_least("bins", bins, 1)
        self.limits = limits
        if not (math.isfinite(limits[0]) and math.isfinite(limits[1]) and limits[0] < limits[1]):
            raise ValueError(f"limits must be two finite numbers, the lower first, got {limits!r}.")

    @property
    def feature_names(self) -> list[str]:
        """``similarity_`` and the lower edge of each bin."""
        return [f"similarity_{edge:g}" for edge in np.linspace(*self.limits, self.bins + 1)[:-1]]

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Append the features to each row."""
        with pt.validate.any(inp, context=self) as frame:
            for column in ("query_docno", "query"):
                frame.result_frame(extra_columns=[column], mode=f"by {column}")
        return super().transform(inp)

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features, one for each bin."""
        queries = results.drop_duplicates("qid").drop(columns="query_toks", errors="ignore")
        of_queries = self.vectors.of_queries(queries)
        rows = zip(frames.number_ids(results["qid"])[0], results["docno"])
        return np.array([self._shares(of_queries[query], self.vectors.of_document(docno)) for query, docno in rows])

    def _shares(self, query: Vectors, document: Vectors) -> Floats:
        low, high = self.limits
        places = (document @ query.T - low) * (self.bins / (high - low))
        counts = np.bincount(places.clip(0, self.bins - 1).astype(np.int64).ravel(), minlength=self.bins)
        return np.asarray(counts / counts.sum(), dtype=np.float64)
