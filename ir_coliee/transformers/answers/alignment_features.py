"""Features that align a statement with the articles that it is judged by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.engine.overlaps import AlignedText, coverage, idf_coverage, longest_match, token_idf, unmatched_idf
from ir_coliee.frames import Floats, check_language, number_ids
from ir_coliee.text.clauses import last_clause
from ir_coliee.text.quantities import quantities
from ir_coliee.text.sentences import sentences
from ir_coliee.text.statement_cues import CUES, cue_counts, exceptions, negations
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.transformers.answers.question_texts import question_texts
from ir_coliee.transformers.features.scores import FeatureTransformer


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
        return [*_Question("", "", self.language).features({})]

    def columns(self) -> list[str]:
        """Return the columns that the features are computed from: the statement and the text of its articles."""
        return ["query", "text"]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a statement or a text that is not a string."""
        numbers, qids = number_ids(results["qid"])
        questions = [
            _Question(text.query, "\n".join(quoted_bodies(text.text, self.language)), self.language)
            for text in question_texts(results, numbers, len(qids))
        ]
        texts = {each.text: each.aligned for question in questions for each in (question.statement, question.articles)}
        idf = token_idf(texts.values())
        return np.array([[*question.features(idf).values()] for question in questions])[numbers]


class _Passage(NamedTuple):
    """A text with its form for comparison."""

    text: str
    aligned: AlignedText

    @classmethod
    def of(cls, text: str, language: str) -> _Passage:
        return cls(text, AlignedText.of(text, language))


class _Question:
    """A statement with its articles."""

    def __init__(self, statement: str, articles: str, language: str) -> None:
        self.language = language
        self.statement, self.articles = _Passage.of(statement, language), _Passage.of(articles, language)

    @cached_property
    def clause(self) -> _Passage:
        text = self.statement.text
        return _Passage.of(last_clause(text, self.language).of(text), self.language)

    def best_sentence(self, idf: Mapping[str, float]) -> _Passage:
        """Return the sentence of the articles that covers most of the statement; of equal ones the first."""
        text = self.articles.text
        passages = [_Passage.of(span.of(text), self.language) for span in sentences(text, self.language)]
        return max(
            passages,
            key=lambda passage: idf_coverage(self.statement.aligned, passage.aligned, idf),
            default=_Passage.of("", self.language),
        )

    def features(self, idf: Mapping[str, float]) -> dict[str, float]:
        sentence = self.best_sentence(idf)
        return {
            **self._matches(sentence, idf),
            **self._negations(sentence),
            **self._exceptions(sentence),
            **self._quantities(),
            "length.log_ratio": float(
                np.log1p(len(self.statement.aligned.units)) - np.log1p(len(self.articles.aligned.units))
            ),
            **self._cues(sentence),
        }

    def _matches(self, sentence: _Passage, idf: Mapping[str, float]) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, passage in (("statement", self.statement.aligned), ("clause", self.clause.aligned)):
            for place, covering in (("articles", self.articles.aligned), ("sentence", sentence.aligned)):
                longest = longest_match(passage.units, covering.units)
                found[f"coverage.{name}_by_{place}"] = coverage(passage.tokens, covering.tokens)
                found[f"coverage.idf_of_{name}_by_{place}"] = idf_coverage(passage, covering, idf)
                found[f"coverage.phrases_of_{name}_by_{place}"] = coverage(passage.phrases, covering.phrases)
                found[f"longest.{name}_in_{place}"] = longest
                found[f"longest.share_of_{name}_in_{place}"] = longest / max(len(passage.units), 1)
            unmatched = unmatched_idf(passage, self.articles.aligned, idf)
            found[f"coverage.characters_of_{name}"] = coverage(passage.characters, self.articles.aligned.characters)
            found[f"unmatched.sum_of_{name}"] = sum(unmatched)
            found[f"unmatched.largest_of_{name}"] = max(unmatched, default=0.0)
            found[f"unmatched.number_of_{name}"] = len(unmatched)
        found["coverage.idf_of_sentence_by_statement"] = idf_coverage(sentence.aligned, self.statement.aligned, idf)
        return found

    def _negations(self, sentence: _Passage) -> dict[str, float]:
        of_statement, of_clause, of_sentence = (
            negations(passage.text, self.language) % 2 for passage in (self.statement, self.clause, sentence)
        )
        return {
            "negation.statement": of_statement,
            "negation.clause": of_clause,
            "negation.sentence": of_sentence,
            "negation.statement_differs": of_statement != of_sentence,
            "negation.clause_differs": of_clause != of_sentence,
        }

    def _exceptions(self, sentence: _Passage) -> dict[str, float]:
        passages = {"statement": self.statement, "articles": self.articles, "sentence": sentence}
        return {f"exceptions.{name}": exceptions(passage.text, self.language) for name, passage in passages.items()}

    def _quantities(self) -> dict[str, float]:
        stated, known = (quantities(passage.text, self.language) for passage in (self.statement, self.articles))
        return {"numbers.statement": len(stated), "numbers.missing": sum(each not in known for each in stated)}

    def _cues(self, sentence: _Passage) -> dict[str, float]:
        stated, ruled = (cue_counts(passage.text, self.language) for passage in (self.statement, sentence))
        found: dict[str, float] = {f"cues.{cue}": count for cue, count in zip(CUES, stated)}
        differences = (one - other for one, other in zip(stated, ruled))
        return found | {f"cues.{cue}_difference": difference for cue, difference in zip(CUES, differences)}
