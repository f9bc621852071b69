"""The scores of all articles for all questions: those that no label enters, and those that are learned from labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.baselines.recipes import FeatureTable
from ir_coliee.engine.articles.collection import (
    FORMS,
    UNITS,
    ArticleCollection,
    ExamQuestions,
    best_ratios,
    evidence,
    fourfold,
    reference_features,
    structure_features,
)
from ir_coliee.engine.articles.evidence import (
    SIBLING_FEATURES,
    RidgeRegression,
    TranslationPairs,
    best_passages,
    cosines,
    counted,
    gold_frequency,
    group_sizes,
    nearest_past,
    past_squares,
    question_number_density,
    sibling_features,
    text_scores,
    translation_scores,
)
from ir_coliee.engine.weightings import BM25, TfIdf
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.frames import Booleans, Floats, Integers
from ir_coliee.text.analysers import Analysis, English, Shingles
from ir_coliee.text.statutes import LEVELS

# The train questions of task 3 and those to answer, over the articles of one code.


_FOLDS = 5  # of whole exam years


@dataclass(frozen=True, eq=False)
class ArticleQuestions:
    """Train questions, followed by questions to answer, and the articles of their code.

    Attributes
    ----------
    collection : ArticleCollection
        The articles in the order of the code.
    qids : object array
        The ids of the questions.
    texts : list of str
        Their statements.
    exams : ExamQuestions
        Their exam years, numbers and groups.
    relevant : csr_matrix, questions x articles
        1 for a relevant article of a train question, else 0.
    folds : int64 array
        The fold of the exam year of each question; -1 for an exam year without train questions.
    num_train : int
        The number of train questions.
    """

    collection: ArticleCollection
    qids: npt.NDArray[np.object_]
    texts: list[str]
    exams: ExamQuestions
    relevant: sparse.csr_matrix
    folds: Integers
    num_train: int

    @classmethod
    def of(
        cls,
        collection: ArticleCollection,
        train: pd.DataFrame,
        gold: pd.DataFrame,
        to_answer: pd.DataFrame | None = None,
    ) -> ArticleQuestions:
        """Combine train questions and questions to answer.

        Parameters
        ----------
        collection : ArticleCollection
            The articles in the order of the code.
        train : pandas.DataFrame
            The train questions: ``qid`` and ``query``.
        gold : pandas.DataFrame
            The relevant articles of the train questions: ``qid`` and ``docno``. Articles that the code lacks are
            left out.
        to_answer : pandas.DataFrame, optional
            The questions to answer: ``qid`` and ``query``.

        Returns
        -------
        ArticleQuestions

        Raises
        ------
        InsufficientTrainingDataError
            If all train questions are of one exam year, so that none can be held out.
        """
        questions = pd.concat([train[["qid", "query"]], *([] if to_answer is None else [to_answer[["qid", "query"]]])])
        qids = questions["qid"].to_numpy(object)
        exams = ExamQuestions.of(qids.tolist())
        rows = pd.Index(train["qid"], dtype=object).get_indexer(pd.Index(gold["qid"], dtype=object))
        docnos = pd.Index(collection.docnos, dtype=object)
        columns = docnos.get_indexer(pd.Index(gold["docno"], dtype=object))
        known = (rows >= 0) & (columns >= 0)
        pairs = np.unique(np.column_stack([rows, columns])[known], axis=0)
        shape = len(qids), len(docnos)
        relevant = sparse.csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)
        fold_of = ExamQuestions.of(qids[: len(train)].tolist()).folds(_FOLDS)
        if len(fold_of) < 2:
            raise InsufficientTrainingDataError("the train split has only one exam year, so none can be held out")
        folds = np.array([fold_of.get(year, -1) for year in exams.years.tolist()], dtype=np.int64)
        return cls(collection, qids, questions["query"].tolist(), exams, relevant, folds, len(train))

    @property
    def num_folds(self) -> int:
        """The number of folds."""
        return int(self.folds.max()) + 1

    @property
    def train(self) -> Integers:
        """The rows of the train questions."""
        return np.arange(self.num_train)

    @property
    def to_answer(self) -> Integers:
        """The rows of the questions to answer."""
        return np.arange(self.num_train, len(self.qids))

    @property
    def labelled(self) -> Booleans:
        """Whether each question has a relevant article in the code that is known."""
        return np.diff(self.relevant.indptr) > 0

    def visible(self, hidden: Collection[int] = ()) -> Booleans:
        """Return the labelled questions without those of some folds."""
        return self.labelled & ~np.isin(self.folds, [*hidden])

    def seen(self, visible: Booleans, rows: Integers) -> Booleans:
        """Return which questions (columns) some questions (rows) learn from: the visible ones of other exam years.

        Parameters
        ----------
        visible : bool array
            The questions whose labels are used.
        rows : int64 array
            The numbers of the questions that learn.

        Returns
        -------
        bool array, rows x questions
        """
        years = self.exams.years
        return np.asarray(visible & (years[rows, None] != years), dtype=np.bool_)


# Scores of every article for every question by shared terms (questions x articles).


def content_words(language: str) -> Analysis:
    """Return the analyser of content words: English words without stop words, Japanese character bigrams."""
    return "bigrams" if language == "ja" else English(stem=False)


def article_scores(collection: ArticleCollection, questions: Sequence[str]) -> dict[str, Floats]:
    """Score articles by words, word pairs, word triples, character n-grams, captions and BM25.

    Parameters
    ----------
    collection : ArticleCollection
    questions : sequence of str

    Returns
    -------
    dict of str to float64 array, questions x articles
        TF-IDF cosines, and ``bm25``. Japanese texts have character bigrams in the place of words.
    """
    texts, words = collection.texts(), content_words(collection.language)
    all_words = "bigrams" if collection.language == "ja" else "words"
    terms = {
        "words": counted(texts, words),
        "pairs": counted(texts, Shingles(2, all_words, min_df=1, max_share=1.0)),
        "triples": counted(texts, Shingles(3, all_words, min_df=1, max_share=1.0)),
        "characters": counted(texts, "characters"),
        "caption": counted([article.effective_caption for article in collection.articles], words),
    }
    cosines = {name: text_scores(counts, TfIdf(), questions) for name, counts in terms.items()}
    return {**cosines, "bm25": text_scores(terms["words"], BM25(), questions)}


def stem_scores(collection: ArticleCollection, questions: Sequence[str], stems: Analysis) -> dict[str, Floats]:
    """Score articles by BM25 of stems, and by the TF-IDF cosine of stems with headings besides (``full``).

    Parameters and result are as in `article_scores`; ``stems`` is the analyser of stems.
    """
    articles, full = counted(collection.texts(), stems), counted(collection.full_texts(), stems)
    return {
        "stems_bm25": text_scores(articles, BM25(), questions),
        "full": text_scores(full, TfIdf(), questions),
    }


def paragraph_scores(collection: ArticleCollection, questions: Sequence[str], stems: Analysis) -> dict[str, Floats]:
    """Score articles by their best paragraph: TF-IDF cosines of stems and of characters, and BM25 of stems.

    Parameters and result are as in `stem_scores`.
    """
    texts, owners = collection.passages()
    by_stems, by_characters = counted(texts, stems), counted(texts, "characters")
    scores = {
        "paragraph_stems": text_scores(by_stems, TfIdf(), questions),
        "paragraph_characters": text_scores(by_characters, TfIdf(), questions),
        "paragraph_bm25": text_scores(by_stems, BM25(), questions),
    }
    size = len(collection.articles)
    return {name: best_passages(of_texts, owners, size) for name, of_texts in scores.items()}


class ArticleEvidence:
    """The scores of all articles for some questions.

    Parameters
    ----------
    questions : ArticleQuestions
        The train questions, and the questions to answer.
    rows : int64 array
        The numbers of the questions to score.
    stems : Analysis
        The analyser of stems.

    Notes
    -----
    The texts of all questions are used for statistics of terms. What no label enters is computed at once. So are the
    pairs of the translation model, which is then fitted without those whose labels are hidden.
    """

    def __init__(self, questions: ArticleQuestions, rows: Integers, stems: Analysis) -> None:
        collection, texts, scored = questions.collection, questions.texts, [questions.texts[row] for row in rows]
        self.questions = questions
        self.rows = rows
        self._lexical = {
            **article_scores(collection, scored),
            **stem_scores(collection, scored, stems),
            **paragraph_scores(collection, scored, stems),
        }
        analysers: dict[str, Analysis] = {"stems": stems, "characters": "characters"}
        self._similarities = {  # with all questions
            name: cosines(counted(texts, analyser))[rows]
            for name, analyser in {"words": content_words(collection.language), **analysers}.items()
        }
        both = {name: counted([*collection.texts(), *texts], analyser) for name, analyser in analysers.items()}
        self._kernels = {name: cosines(counts) for name, counts in both.items()}
        counts, articles = both["stems"].counts, len(collection.docnos)
        self._counts = counts[:articles], counts[articles:]
        self._frequencies = both["stems"].collection.cf
        self._pairs = TranslationPairs.of(counts[articles:], counts[:articles], questions.relevant)
        self._translated: dict[frozenset[int], Floats] = {}

    def scores(self, hidden: frozenset[int] = frozenset()) -> dict[str, Floats]:
        """Return all scores by name, ``family.score``.

        Parameters
        ----------
        hidden : frozenset of int
            The folds whose labels are not used.

        Returns
        -------
        dict of str to float64 array, rows x articles
            A question is scored by labels of other exam years (by the translation model: of other folds) that are not
            hidden.
        """
        visible = self.questions.visible(hidden)
        return {
            **{f"lexical.{name}": values for name, values in self._lexical.items()},
            **self._past(visible),
            **{f"ridge.{name}": self._ridge(kernel, visible) for name, kernel in self._kernels.items()},
            "translation.ibm1": self._translation(hidden),
            "number.density": self._number_density(visible),
        }

    def _past(self, visible: Booleans) -> dict[str, Floats]:
        seen, relevant = self.questions.seen(visible, self.rows), self.questions.relevant
        scores = {"past.frequency": gold_frequency(seen, relevant)}
        for name, similarities in self._similarities.items():
            scores[f"past.{name}_nearest"] = nearest_past(similarities, seen, relevant)
            if name != "stems":
                scores[f"past.{name}_squares"] = past_squares(similarities, seen, relevant)
        return scores

    def _ridge(self, kernel: Floats, visible: Booleans) -> Floats:
        rows, articles, labelled = self.rows, len(self.questions.collection.docnos), np.flatnonzero(visible)
        examples = np.concatenate([np.arange(articles), articles + labelled])
        targets = sparse.vstack([sparse.identity(articles), self.questions.relevant[labelled]], format="csr")
        fitted = RidgeRegression.fit(kernel[np.ix_(examples, examples)], targets)
        years = self.questions.exams.years
        return fitted.scores_of_exams(kernel[articles + rows][:, examples], years[rows], years[labelled])

    def _translation(self, hidden: frozenset[int]) -> Floats:
        folds = self.questions.folds[self.rows]
        scores = np.zeros((len(folds), len(self.questions.collection.docnos)))
        for fold in np.unique(folds).tolist():
            unseen = hidden if fold < 0 else hidden | {fold}
            scores[folds == fold] = self.translation_without(unseen)[folds == fold]
        return scores

    def translation_without(self, folds: frozenset[int]) -> Floats:
        """Return the scores by a translation model that was not fitted on some folds."""
        if folds not in self._translated:
            articles, questions = self._counts
            table = self._pairs.table(np.flatnonzero(~self.questions.visible(folds)))
            self._translated[folds] = translation_scores(questions[self.rows], articles, table, self._frequencies)
        return self._translated[folds]

    def _number_density(self, visible: Booleans) -> Floats:
        exams = self.questions.exams
        scored, labelled = (ExamQuestions(*(values[of] for values in exams)) for of in (self.rows, visible))
        return question_number_density(scored, labelled, self.questions.relevant[visible])


# The candidates of questions from the scores of all articles (questions x articles).


def sum_of_ratios(scores: Iterable[Floats]) -> Floats:
    """Add scores, each divided by the best one of its question.

    Examples
    --------
    >>> sum_of_ratios([np.array([[2.0, 4.0]]), np.array([[3.0, 0.0]])]).tolist()
    [[1.5, 1.0]]
    """
    first, *others = map(best_ratios, scores)
    return np.asarray(sum(others, start=first))


def best_articles(scores: Floats, number: int) -> Integers:
    """Return the articles with the highest scores of each question, best first; ties in the order of the code.

    Examples
    --------
    >>> best_articles(np.array([[1.0, 3.0, 3.0]]), 2).tolist()
    [[1, 2]]
    """
    return np.argsort(-scores, axis=1, kind="stable")[:, :number]


def of_candidates(scores: Floats, candidates: Integers) -> Floats:
    """Return the scores of the candidates (questions x candidates)."""
    return np.take_along_axis(scores, candidates, axis=1)


# The candidate articles of questions, with the features of the recipe of task 3.


_CANDIDATES = 40

_OF_ARTICLES = [f"lexical.{name}" for name in ("words", "pairs", "triples", "characters", "caption", "bm25")]
_OF_PARAGRAPHS = [f"lexical.paragraph_{name}" for name in ("stems", "characters", "bm25")]
_PAST = [f"past.{name}_{kind}" for name in ("words", "characters") for kind in ("nearest", "squares")]
_RIDGE = ["ridge.stems", "ridge.characters"]
_TOTAL = "total.sum"  # of lexical scores, past questions and ridge: a family of its own

#: The scores whose ratios are added up to find the candidates.
_SUMMED = [
    *(*_OF_ARTICLES, "lexical.stems_bm25", "lexical.full", *_OF_PARAGRAPHS),
    *(*_PAST, "past.stems_nearest", *_RIDGE),
]
#: The scores that are features in four forms.
_FOURFOLD = [
    *(*_OF_ARTICLES, *_OF_PARAGRAPHS, _TOTAL, *_PAST, "past.frequency"),
    *(*_RIDGE, "translation.ibm1", "number.density"),
]
#: The scores with features of siblings and of structure, by the names in these.
_SCORES = {
    "total": _TOTAL,
    "ridge": "ridge.characters",
    "paragraph_bm25": "lexical.paragraph_bm25",
    "paragraph_stems": "lexical.paragraph_stems",
    "ibm1": "translation.ibm1",
}
_MEANS = tuple(kind for kind in SIBLING_FEATURES if kind.startswith("mean"))
#: The power of the siblings' evidence, and the kinds of features.
_SIBLINGS = {
    **dict.fromkeys(("total", "ridge", "paragraph_bm25"), (2.0, SIBLING_FEATURES)),
    "ibm1": (3.0, _MEANS),
}
_STRUCTURE = {
    **dict.fromkeys(
        ("paragraph_bm25", "ridge", "paragraph_stems"), (*(f"best_{level}" for level in UNITS), "near_1", "near_2")
    ),
    "total": tuple(f"sum_{level}" for level in LEVELS),
    "ibm1": ("best_finest", "best_chapter", "near_1"),
}


def article_features(article_evidence: ArticleEvidence, hidden: frozenset[int] = frozenset()) -> FeatureTable:
    """Find the candidate articles of questions and compute their features.

    Parameters
    ----------
    article_evidence : ArticleEvidence
        The scores of all articles for the questions: for all that have the same exam year and number, or for none of
        them.
    hidden : frozenset of int
        The folds whose labels are not used.

    Returns
    -------
    FeatureTable
        The 40 articles of each question with the highest sum of scores, each divided by the question's best.
    """
    questions, rows, scores = article_evidence.questions, article_evidence.rows, article_evidence.scores(hidden)
    scores[_TOTAL] = sum_of_ratios(scores[name] for name in _SUMMED)
    candidates = best_articles(scores[_TOTAL], _CANDIDATES)
    groups = questions.exams.groups[rows]
    columns = {
        name: of_candidates(values, candidates)
        for features in _of_articles(scores, groups, questions.collection)
        for name, values in features.items()
    }
    columns["siblings.group_size"] = _of_questions(group_sizes(groups), candidates)
    columns["number.number"] = _of_questions(questions.exams.numbers[rows], candidates)
    columns["number.place"] = candidates.astype(np.float64)
    columns |= _lengths([questions.texts[row] for row in rows], questions.collection, candidates)
    docnos = questions.collection.docnos[candidates].ravel().tolist()
    qids = questions.qids[rows].repeat(candidates.shape[1]).tolist()
    return FeatureTable.of(qids, docnos, {name: values.ravel() for name, values in columns.items()})


def _of_articles(
    scores: Mapping[str, Floats], groups: Integers, collection: ArticleCollection
) -> Iterator[dict[str, Floats]]:
    """Yield the features of each score (questions x articles), so that few matrices are kept at a time."""
    units = collection.all_units()
    for name in _FOURFOLD:
        yield {f"{name}{form}": values for form, values in zip(FORMS, fourfold(scores[name]))}
    for name, (power, kinds) in _SIBLINGS.items():
        found = sibling_features(evidence(scores[_SCORES[name]], power), groups, units, kinds)
        yield _named(f"siblings.{name}_", found)
    for name, kinds in _STRUCTURE.items():
        yield _named(f"structure.{name}_", structure_features(scores[_SCORES[name]], units, kinds))
    yield _named("references.", reference_features(scores[_TOTAL], collection))


def _named(prefix: str, features: Mapping[str, Floats]) -> dict[str, Floats]:
    return {f"{prefix}{name}": values for name, values in features.items()}


def _of_questions(values: Integers | Floats, candidates: Integers) -> Floats:
    """Return the value of each question for each of its candidates."""
    return np.broadcast_to(values[:, None].astype(np.float64), candidates.shape)


def _lengths(texts: Sequence[str], collection: ArticleCollection, candidates: Integers) -> dict[str, Floats]:
    """Return the logarithms of the numbers of characters of question, article and caption."""
    of_questions = np.log1p([len(text) for text in texts])
    of_texts, of_captions = (
        np.log1p([len(getattr(article, name)) for article in collection.articles])
        for name in ("text", "effective_caption")
    )
    return {
        "lengths.question": _of_questions(of_questions, candidates),
        "lengths.article": of_texts[candidates],
        "lengths.caption": of_captions[candidates],
    }
