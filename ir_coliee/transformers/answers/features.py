"""Features for answers: the alignment of a statement with its articles, and the answers of similar past statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.engine.overlaps import AlignedText, coverage, idf_coverage, longest_match, token_idf, unmatched_idf
from ir_coliee.errors import ColieeError
from ir_coliee.frames import Booleans, Floats, check_language, number_ids
from ir_coliee.text.cues import CUES, cue_counts, exceptions, negations, quantities
from ir_coliee.text.sentences import last_clause, sentences
from ir_coliee.text.statutes import exam_id, quoted_bodies
from ir_coliee.transformers.answers.prompting import QuestionText, labelled_questions, question_texts
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.features.learning import FeatureTransformer


class AlignmentFeatures(FeatureTransformer):
    """Compute features that compare a statement with its articles: R to R.

    A statement is true where the articles cover it, and false where it negates them, takes no notice of an exception or
    has another number. The features compare the statement and its last clause with the articles and with their best
    sentence, the one that covers most of the statement:

    * ``coverage``: shares of tokens (also weighted by their inverse document frequency), phrases and character n-grams
      that are covered, and the share of the best sentence that the statement covers.
    * ``longest``: the longest sequence of words (in Japanese, characters) in common, and its share of the statement.
    * ``unmatched``: the inverse document frequency of the tokens that the articles lack: sum, largest, number.
    * ``negation``: whether statement, clause and best sentence have an odd number of negations, and differ in that.
    * ``exceptions``: the number of words that introduce exceptions (unless, however, provided; ただし, この限りでない).
    * ``numbers``: the number of quantities of the statement, and of those that the articles lack.
    * ``length``: the logarithm of the ratio of the lengths.
    * ``cues``: the number of each of 23 cue words in the statement, and the difference to the best sentence.

    The features depend on query and text and not on the candidate, so a learner needs one candidate of each question,
    such as Y. Document frequencies are those of the statements and articles of the frame, without labels.

    Parameters
    ----------
    language : {'en', 'ja'}
        The language of statements and articles. Tokens are words without stop words in English and character bigrams
        in Japanese.

    Examples
    --------
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "docno": ["Y"], "score": [0.0], "rank": [0]})
    >>> question["query"], question["text"] = "A lamp is not lit.", "Article 1 A lamp is lit at night."
    >>> features = AlignmentFeatures("en")
    >>> found = dict(zip(features.feature_names, features(question).features[0].tolist()))
    >>> found["coverage.statement_by_articles"], found["longest.statement_in_articles"]
    (1.0, 3.0)
    >>> found["negation.statement_differs"]
    1.0
    """

    LABEL = "Alignment features"

    def __init__(self, language: str) -> None:
        self.language = check_language(language)

    @property
    def feature_names(self) -> list[str]:
        """The names of the 86 features, ``family.feature``; the first 40 are those of the alignment."""
        nothing = _Passage.of("", self.language)
        return [*_features(nothing, nothing, self.language, {})]

    def columns(self) -> list[str]:
        """Return the columns that the features are computed from: the statement and the text of its articles."""
        return ["query", "text"]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a statement or a text that is not a string."""
        questions = [
            (
                _Passage.of(query, self.language),
                _Passage.of("\n".join(quoted_bodies(text, self.language)), self.language),
            )
            for _, query, text in question_texts(results)
        ]
        idf = token_idf({text: aligned for question in questions for text, aligned in question}.values())
        rows = [[*_features(statement, articles, self.language, idf).values()] for statement, articles in questions]
        return np.array(rows)[number_ids(results["qid"])[0]]


class _Passage(NamedTuple):
    """A text with its form for comparison."""

    text: str
    aligned: AlignedText

    @classmethod
    def of(cls, text: str, language: str) -> _Passage:
        return cls(text, AlignedText.of(text, language))


def _features(statement: _Passage, articles: _Passage, language: str, idf: Mapping[str, float]) -> dict[str, float]:
    """Return the features of a statement and its articles by name."""
    clause = _Passage.of(last_clause(statement.text, language).of(statement.text), language)
    # the sentence that covers most of the statement; of equal ones the first
    sentence = max(
        (_Passage.of(span.of(articles.text), language) for span in sentences(articles.text, language)),
        key=lambda passage: idf_coverage(statement.aligned, passage.aligned, idf),
        default=_Passage.of("", language),
    )
    found: dict[str, float] = {}
    for name, passage in (("statement", statement.aligned), ("clause", clause.aligned)):
        for place, covering in (("articles", articles.aligned), ("sentence", sentence.aligned)):
            longest = longest_match(passage.units, covering.units)
            found[f"coverage.{name}_by_{place}"] = coverage(passage.tokens, covering.tokens)
            found[f"coverage.idf_of_{name}_by_{place}"] = idf_coverage(passage, covering, idf)
            found[f"coverage.phrases_of_{name}_by_{place}"] = coverage(passage.phrases, covering.phrases)
            found[f"longest.{name}_in_{place}"] = longest
            found[f"longest.share_of_{name}_in_{place}"] = longest / max(len(passage.units), 1)
        unmatched = unmatched_idf(passage, articles.aligned, idf)
        found[f"coverage.characters_of_{name}"] = coverage(passage.characters, articles.aligned.characters)
        found[f"unmatched.sum_of_{name}"] = sum(unmatched)
        found[f"unmatched.largest_of_{name}"] = max(unmatched, default=0.0)
        found[f"unmatched.number_of_{name}"] = len(unmatched)
    found["coverage.idf_of_sentence_by_statement"] = idf_coverage(sentence.aligned, statement.aligned, idf)
    passages = {"statement": statement, "clause": clause, "sentence": sentence, "articles": articles}
    for name in ("statement", "clause", "sentence"):
        found[f"negation.{name}"] = negations(passages[name].text, language) % 2
    for name in ("statement", "clause"):
        found[f"negation.{name}_differs"] = found[f"negation.{name}"] != found["negation.sentence"]
    for name in ("statement", "articles", "sentence"):
        found[f"exceptions.{name}"] = exceptions(passages[name].text, language)
    stated, known = (quantities(passage.text, language) for passage in (statement, articles))
    found["numbers.statement"] = len(stated)
    found["numbers.missing"] = sum(each not in known for each in stated)
    sizes = [np.log1p(len(each.aligned.units)) for each in (statement, articles)]
    found["length.log_ratio"] = float(sizes[0] - sizes[1])
    counts = [cue_counts(each.text, language) for each in (statement, sentence)]
    found |= {f"cues.{cue}": count for cue, count in zip(CUES, counts[0])}
    return found | {f"cues.{cue}_difference": one - other for cue, one, other in zip(CUES, *counts)}


# Features of the answers that were correct for similar statements of other exam years.


_SIGNS = {"Y": 1, "N": -1}


class PastAnswerFeatures(FeatureTransformer, BaseEstimator):
    """Compute features of the answers of similar past statements: R to R.

    A correct answer Y counts 1, N counts -1. A question is never compared with itself or with questions of its own exam
    year, which is read from the question id (see `ir_coliee.text.statutes.exam_id`).

    * ``past.similarity``: the cosine of the most similar past statement, of tokens weighted by their inverse document
      frequency.
    * ``past.nearest``: the answer of that statement, 0 without a similar one.
    * ``past.mean``: the mean answer of all past statements, weighted by their squared cosines.
    * ``past.nearest_flipped``, ``past.mean_flipped``: the same, where an answer is reversed if the last clause of one
      of both statements has an odd number of negations and that of the other an even one.

    As those of `AlignmentFeatures`, the features depend on the question and not on the candidate.

    Parameters
    ----------
    language : {'en', 'ja'}
        The language of the statements.

    Examples
    --------
    >>> past = pd.DataFrame({"qid": ["R98-01-A"], "query": ["A lamp at night is lit."]})
    >>> gold = pd.DataFrame({"qid": ["R98-01-A"], "docno": ["Y"], "label": [1]})
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "docno": ["Y"], "query": ["A lamp at night is not lit."]})
    >>> features = PastAnswerFeatures("en").fit(past, gold)
    >>> dict(zip(features.feature_names, features(question).features[0].round(2).tolist()))
    ... # doctest: +NORMALIZE_WHITESPACE
    {'past.similarity': 1.0, 'past.nearest': 1.0, 'past.mean': 1.0, 'past.nearest_flipped': -1.0,
     'past.mean_flipped': -1.0}
    """

    LABEL = "Past answers"

    def __init__(self, language: str) -> None:
        self.language = check_language(language)
        super().__init__()

    @property
    def feature_names(self) -> list[str]:
        """The names of the five features."""
        return ["past.similarity", "past.nearest", "past.mean", "past.nearest_flipped", "past.mean_flipped"]

    def columns(self) -> list[str]:
        """Return the column that the features are computed from: the statement."""
        return ["query"]

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> PastAnswerFeatures:
        """Keep the labelled statements.

        Parameters
        ----------
        topics : pandas.DataFrame
            The statements: ``qid`` and ``query``.
        qrels : pandas.DataFrame
            ``qid``, ``docno`` (Y or N) and ``label``.

        Returns
        -------
        PastAnswerFeatures
            This object, fitted.

        Raises
        ------
        ColieeError
            If a correct answer is neither Y nor N, a query has two correct answers, an id is missing, or no statement
            has an answer.
        """
        pt.validate.columns(topics, includes=["qid", "query"], context=self)
        labelled = labelled_questions(topics, qrels, self)
        if not labelled:
            raise ColieeError(
                f"None of the {len(topics)} topics has a label above 0; past answers need one.\n"
                "Check that topics and qrels have the same query ids."
            )
        statements = self._statements([question for question, _ in labelled])
        self._fitted_model = statements, [_SIGNS[answer] for _, answer in labelled]
        return self

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a statement that is not a string."""
        past, signs = self.fitted_model()
        statements = self._statements(question_texts(results[["qid", "query"]]))
        idf = token_idf(statement.aligned for statement in past)
        cosines = np.asarray((_vectors(statements, idf) @ _vectors(past, idf).T).toarray(), dtype=np.float64)
        cosines[~_comparable(statements, past)] = 0.0
        answers = np.broadcast_to(np.array(signs, np.float64), cosines.shape)
        differs = np.array([[one.is_odd != other.is_odd for other in past] for one in statements])
        columns = [cosines.max(axis=1)]
        for each in (answers, np.where(differs, -answers, answers)):
            columns += _nearest_and_mean(cosines, each)
        return np.column_stack(columns)[number_ids(results["qid"])[0]]

    def _statements(self, questions: Sequence[QuestionText]) -> list[_Statement]:
        return [
            _Statement(
                qid,
                AlignedText.of(text, self.language),
                negations(last_clause(text, self.language).of(text), self.language) % 2 == 1,
            )
            for qid, text, _ in questions
        ]


class _Statement(NamedTuple):
    """A statement, and whether its last clause has an odd number of negations."""

    qid: str
    aligned: AlignedText
    is_odd: bool


def _vectors(statements: Sequence[_Statement], idf: dict[str, float]) -> sparse.csr_matrix:
    """Unit vectors of the tokens that have a frequency."""
    weights = np.array([idf[token] for token in sorted(idf)], dtype=np.float64)
    column = {token: number for number, token in enumerate(sorted(idf))}
    cells = [sorted(column[token] for token in each.aligned.tokens if token in column) for each in statements]
    rows = [weights[numbers] / np.sqrt((weights[numbers] ** 2).sum()) for numbers in cells]
    ends = np.cumsum([0, *map(len, cells)])
    entries = np.concatenate([np.empty(0), *rows]), np.array([*chain.from_iterable(cells)], np.int64), ends
    return sparse.csr_matrix(entries, shape=(len(statements), len(idf)))


def _comparable(statements: Sequence[_Statement], past: Sequence[_Statement]) -> Booleans:
    """Whether each question (row) may see each past one (column)."""
    years, past_years = (np.array([exam_id(each.qid).year for each in group], object) for group in (statements, past))
    qids, past_qids = (np.array([each.qid for each in group], object) for group in (statements, past))
    same_year = (years[:, None] == past_years) & (years[:, None] != "")
    return ~(same_year | (qids[:, None] == past_qids))


def _nearest_and_mean(cosines: Floats, signs: Floats) -> list[Floats]:
    """The answer of the most similar statement, and the mean answer, of each question (row)."""
    nearest = cosines.argmax(axis=1)
    rows = np.arange(len(cosines))
    weights = cosines**2
    totals = weights.sum(axis=1)
    means = np.divide((weights * signs).sum(axis=1), totals, out=np.zeros(len(totals)), where=totals > 0)
    return [np.where(cosines[rows, nearest] > 0, signs[rows, nearest], 0.0), means]
