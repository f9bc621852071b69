"""Answer by the disjunctive union of question and article (LLNTU at COLIEE 2023, task 4).

The overview of 2023 says that the team "used the Disjunctive Union of Longest Common Subsequence, and adjusted them
from similarity and length". How the union is computed, adjusted and turned into an answer is our own choice.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from components.longest_common_subsequence import disjunctive_union
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, check_ids, check_language, text_values
from ir_coliee.text import Language
from ir_coliee.text.analysers import words
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.estimators import answers_by_query, relevant_pairs

Adjustment = Literal["similarity", "length"]


class Distance(NamedTuple):
    """Distance between a question and an article.

    Attributes
    ----------
    value : float
        The distance, at least 0.
    half : float
        The distance if half of all tokens lay outside the longest common subsequence: the threshold without a fit.
    """

    value: float
    half: float


def distance(question: str, article: str, language: Language, adjusted: Adjustment | None = None) -> Distance:
    """Distance by the tokens outside the longest common subsequence; see `DisjunctiveUnion`.

    Returns
    -------
    Distance
        If neither text has a token, the value is 0, and 1 with ``adjusted="length"``.

    Examples
    --------
    >>> distance("The gate is shut.", "The old gate was shut.", "en")
    Distance(value=3.0, half=4.5)
    >>> distance("The gate is shut.", "The old gate was shut.", "en", "length").half
    0.5
    """
    first, second = tokens(question, language), tokens(article, language)
    outside, both = sum(map(len, disjunctive_union(first, second))), len(first) + len(second)
    if adjusted == "length":
        return Distance(outside / both if both else 1.0, 0.5)
    if adjusted == "similarity":
        return Distance(outside * (1 - _cosine(Counter(first), Counter(second))), both / 2)
    return Distance(float(outside), both / 2)


def tokens(text: str, language: Language) -> Sequence[str]:
    """Tokens to compare: English words, or Japanese letters and digits in one width (NFKC, lower case)."""
    if language == "en":
        return words(text)
    return [character for character in unicodedata.normalize("NFKC", text).lower() if character.isalnum()]


def _cosine(first: Counter[str], second: Counter[str]) -> float:
    shared = sum(count * second[token] for token, count in first.items())
    lengths = math.sqrt(_square(first) * _square(second))
    return min(1.0, shared / lengths) if lengths else 0.0


def _square(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())


class DisjunctiveUnion(BaseTransformer, pt.Estimator):
    """Answer yes where few tokens lie outside the longest common subsequence: Q to Q, R to R.

    English is compared by words, Japanese by characters. The articles are the column ``text`` of all rows of a query; a
    text that quotes several articles is split at their headings, and the nearest article counts. The answer is yes
    where the distance is below a threshold, which ``fit`` chooses; without a fit, where fewer tokens lie outside
    than inside. Rows and columns stay. Two columns are added: ``qanswer`` (Y or N) and ``yes``, which is
    threshold / (threshold + distance). This is .5 at the threshold and not a calibrated probability.

    Parameters
    ----------
    language : {"en", "ja"}
        Language of the questions and articles.
    adjusted : {None, "similarity", "length"}
        None: the distance is the number of tokens outside. ``"similarity"``: that number times (1 - the cosine of the
        token counts). ``"length"``: its share of all tokens of both texts.

    Examples
    --------
    >>> questions = pd.DataFrame({"qid": ["R99-01-A", "R99-01-I"], "query": ["The gate is shut.", "A lamp is lit."]})
    >>> questions["text"] = "Article 5 The old gate was shut."
    >>> DisjunctiveUnion("en")(questions)[["qanswer", "yes"]].round(2).values.tolist()
    [['Y', 0.6], ['N', 0.33]]
    """

    LABEL = "Disjunctive union"

    def __init__(self, language: Language, adjusted: Adjustment | None = None) -> None:
        if adjusted not in (None, "similarity", "length"):
            raise ValueError(f"adjusted must be None, 'similarity' or 'length', got adjusted={adjusted!r}.")
        self.language = check_language(language)
        self.adjusted = adjusted
        self._threshold: float | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DisjunctiveUnion) and super().__eq__(other) and self._threshold == other._threshold

    __hash__ = BaseTransformer.__hash__

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> DisjunctiveUnion:
        """Choose the threshold that gives the largest number of right answers; among equal ones the smallest.

        Parameters
        ----------
        topics : DataFrame
            Questions with ``qid``, ``query`` and ``text``.
        qrels : DataFrame
            ``qid``, ``docno`` (Y or N) and ``label``.

        Raises
        ------
        ColieeError
            For a question with two right answers, an answer other than Y and N, or if all answers are the same.
        """
        pt.validate.columns(topics, includes=["qid", "query", "text"], context=self)
        check_ids(topics)
        right = relevant_pairs(qrels, self)
        right = right[right["qid"].isin(topics["qid"])]
        if (unknown := ~right["docno"].isin(["Y", "N"]).to_numpy()).any():
            raise ColieeError(
                f"Query {printable(str(right['qid'].iloc[unknown.argmax()]))}: its answer is neither Y nor N."
            )
        answers = answers_by_query(right)
        judged = topics[topics["qid"].isin(answers.index)]
        labels = judged.drop_duplicates("qid")["qid"].map(answers)
        if labels.nunique() < 2:
            raise ColieeError(f"There is nothing to learn: all {len(labels)} labels are the same.")
        self._threshold = _best_threshold(self._distances(judged)[0], (labels == "Y").to_numpy())
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises
        ------
        ColieeError
            For a row without a query id, and for a query or text that is not a string.
        """
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        distances, halves = self._distances(inp)
        thresholds = halves if self._threshold is None else np.full_like(distances, self._threshold)
        both = thresholds + distances
        yes = np.divide(thresholds, both, out=np.zeros_like(both), where=both > 0)
        answers = np.where(distances < thresholds, "Y", "N").astype(object)
        numbers = pd.factorize(inp["qid"])[0]
        return inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)

    def _distances(self, frame: pd.DataFrame) -> tuple[Floats, Floats]:
        """Distance of each query to its nearest article, and `Distance.half`, in the order of the queries."""
        numbers, qids = pd.factorize(frame["qid"])
        articles: list[list[str]] = [[] for _ in qids]
        for number, text in zip(numbers, text_values(frame, "text")):
            articles[number].extend(quoted_bodies(text, self.language))
        queries = text_values(frame.drop_duplicates("qid"), "query")
        nearest = [min(self._of(query, set(texts) or {""})) for query, texts in zip(queries, articles)]
        values = np.array(nearest, dtype=np.float64).reshape(len(nearest), 2)
        return values[:, 0], values[:, 1]

    def _of(self, query: str, articles: Iterable[str]) -> list[Distance]:
        return [distance(query, article, self.language, self.adjusted) for article in articles]


def _best_threshold(distances: Floats, yes: npt.NDArray[np.bool_]) -> float:
    """Threshold with the largest number of right answers, halfway between two neighbouring distances.

    0 stands for never yes; a value above all distances for always yes.
    """
    order = np.argsort(distances, kind="stable")
    values, right = distances[order], yes[order]
    correct = np.concatenate([[0], right.cumsum()]) + np.concatenate([(~right)[::-1].cumsum()[::-1], [0]])
    between = np.concatenate([[0.0], (values[:-1] + values[1:]) / 2, [2 * values[-1] + 1]])
    possible = np.concatenate([[True], values[:-1] < values[1:], [True]])
    return float(between[np.where(possible, correct, -1).argmax()])
