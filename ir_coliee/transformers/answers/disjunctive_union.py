"""Yes or no by how much of a question and its article lies outside what they have in common.

LLNTU's method at COLIEE 2023, task 4, of which the overview says that they "used the Disjunctive Union of Longest
Common Subsequence, and adjusted them from similarity and length". How it is computed, adjusted and turned into an
answer is ours.
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

from ir_coliee.arguments import check_language
from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import Floats, check_ids, text_values
from ir_coliee.text.language import Language, words
from ir_coliee.text.longest_common import disjunctive_union
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.transformers.answers.classifiers import _Estimator, one_answer_each, right_answers

Adjustment = Literal["similarity", "length"]


class Distance(NamedTuple):
    """How far a question and an article are apart, and how far they would be if half of both lay outside."""

    value: float
    half: float


def distance(question: str, article: str, language: Language, adjusted: Adjustment | None = None) -> Distance:
    """What of a question and an article lies outside their longest common subsequence; see `DisjunctiveUnion`.

    Where neither has a token: 0, and 1 by length.

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
    """What is compared: the words of English, the characters of Japanese without signs, folded to one width."""
    if language == "en":
        return words(text)
    return [character for character in unicodedata.normalize("NFKC", text).lower() if character.isalnum()]


def _cosine(first: Counter[str], second: Counter[str]) -> float:
    shared = sum(count * second[token] for token, count in first.items())
    lengths = math.sqrt(_square(first) * _square(second))
    return min(1.0, shared / lengths) if lengths else 0.0


def _square(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())


class DisjunctiveUnion(_Estimator):
    """Answers yes where little of question and article lies outside their longest common subsequence: Q to Q, R to R.

    English is compared by words, Japanese by characters. The texts are the column ``text``, of all rows of a query; one
    that quotes several articles is parted at their heads, and the nearest article counts. Yes is answered
    where it is nearer than a threshold, which ``fit`` chooses; without it, where less lies outside than inside.
    Rows and columns stay; ``qanswer`` and ``yes`` are added: threshold / (threshold + distance), .5 at the threshold,
    which is no calibrated probability.

    >>> questions = pd.DataFrame({"qid": ["R99-01-A", "R99-01-I"], "query": ["The gate is shut.", "A lamp is lit."]})
    >>> questions["text"] = "Article 5 The old gate was shut."
    >>> DisjunctiveUnion("en")(questions)[["qanswer", "yes"]].round(2).values.tolist()
    [['Y', 0.6], ['N', 0.33]]
    """

    LABEL = "Disjunctive union"

    def __init__(self, language: Language, adjusted: Adjustment | None = None) -> None:
        """``language``: ``en`` or ``ja``. ``adjusted``: None for the number of tokens outside; ``similarity``: that
        number times (1 - the cosine of the token counts); ``length``: its share of all tokens."""
        if adjusted not in (None, "similarity", "length"):
            raise ValueError(f"adjusted={adjusted!r} is neither 'similarity' nor 'length', nor None")
        self.language = check_language(language)
        self.adjusted = adjusted
        super().__init__()

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> DisjunctiveUnion:
        """Choose the threshold with most answers right, of equally good ones the least.

        ``topics``: questions with ``text``; ``qrels``: qid, docno (Y or N), label. Raises `ColieeError` for a question
        with two right answers or another than Y and N, and where all have the same.
        """
        pt.validate.columns(topics, includes=["qid", "query", "text"], context=self)
        check_ids(topics)
        right = right_answers(qrels, self)
        right = right[right["qid"].isin(topics["qid"])]
        if (unknown := ~right["docno"].isin(["Y", "N"]).to_numpy()).any():
            raise ColieeError(
                f"Query {shown(str(right['qid'].iloc[unknown.argmax()]))}: its answer is neither Y nor N."
            )
        answers = one_answer_each(right)
        learned = topics[topics["qid"].isin(answers.index)]
        labels = learned.drop_duplicates("qid")["qid"].map(answers)
        if labels.nunique() < 2:
            raise ColieeError(f"nothing to learn: all {len(labels)} labels are the same")
        self._learned = _best_threshold(self._distances(learned)[0], (labels == "Y").to_numpy())
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries. Raises `ColieeError` for a query without an id, and one that is no string."""
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        distances, halves = self._distances(inp)
        thresholds = halves if self._learned is None else np.full_like(distances, self._learned)
        both = thresholds + distances
        yes = np.divide(thresholds, both, out=np.zeros_like(both), where=both > 0)
        answers = np.where(distances < thresholds, "Y", "N").astype(object)
        numbers = pd.factorize(inp["qid"])[0]
        return inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)

    def _distances(self, frame: pd.DataFrame) -> tuple[Floats, Floats]:
        """The distance of each query to its nearest article, in order of appearance, and what half is there."""
        numbers, qids = pd.factorize(frame["qid"])
        articles: list[list[str]] = [[] for _ in qids]
        for number, text in zip(numbers, text_values(frame, "text")):
            articles[number].extend(quoted_bodies(text, self.language))
        queries = text_values(frame.drop_duplicates("qid"), "query")
        nearest = [min(self._of(query, set(own) or {""})) for query, own in zip(queries, articles)]
        values = np.array(nearest, dtype=np.float64).reshape(len(nearest), 2)
        return values[:, 0], values[:, 1]

    def _of(self, query: str, articles: Iterable[str]) -> list[Distance]:
        return [distance(query, article, self.language, self.adjusted) for article in articles]


def _best_threshold(distances: Floats, yes: npt.NDArray[np.bool_]) -> float:
    """Below which yes is right most often: the middle between two neighbours, 0 for never, more than all for always."""
    order = np.argsort(distances, kind="stable")
    values, right = distances[order], yes[order]
    correct = np.concatenate([[0], right.cumsum()]) + np.concatenate([(~right)[::-1].cumsum()[::-1], [0]])
    between = np.concatenate([[0.0], (values[:-1] + values[1:]) / 2, [2 * values[-1] + 1]])
    possible = np.concatenate([[True], values[:-1] < values[1:], [True]])
    return float(between[np.where(possible, correct, -1).argmax()])
