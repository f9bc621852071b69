"""Features of the answers that were correct for similar statements of other exam years."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.engine.overlaps import AlignedText, token_idf
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Booleans, Floats, check_ids, check_language, number_ids, shown, text_values
from ir_coliee.text.clauses import last_clause
from ir_coliee.text.statement_cues import negations
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.features.scores import FeatureTransformer
from ir_coliee.transformers.training_labels import answers_by_query, relevant_pairs

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
            If a correct answer is neither Y nor N, a query has two correct answers, an id or a text is missing, or no
            statement has an answer.
        """
        pt.validate.columns(topics, includes=["qid", "query"], context=self)
        check_ids(topics)
        answers = answers_by_query(relevant_pairs(qrels, self))
        labelled = topics[topics["qid"].isin(answers.index)].drop_duplicates("qid")
        if labelled.empty:
            raise ColieeError(
                f"None of the {len(topics)} topics has a label above 0; past answers need one.\n"
                "Check that topics and qrels have the same query ids."
            )
        answers = answers[labelled["qid"]]
        for qid, answer in answers.items():
            if answer not in _SIGNS:
                raise ColieeError(
                    f"The correct answer of query {printable(str(qid))} is {shown(answer)}, expected Y or N.\n"
                    "Pass the qrels of a split of task 4."
                )
        signs = [_SIGNS[answer] for answer in answers]
        self._fitted_model = _Past(self._statements(labelled), signs)
        return self

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for a statement that is not a string."""
        past: _Past = self.fitted_model()
        numbers, _ = number_ids(results["qid"])
        statements = self._statements(results.drop_duplicates("qid"))
        idf = token_idf(statement.aligned for statement in past.statements)
        cosines = np.asarray((_vectors(statements, idf) @ _vectors(past.statements, idf).T).toarray(), dtype=np.float64)
        cosines[~_comparable(statements, past.statements)] = 0.0
        answers = np.broadcast_to(np.array(past.signs, np.float64), cosines.shape)
        differs = _odd(statements)[:, None] != _odd(past.statements)
        columns = [cosines.max(axis=1)]
        for signs in (answers, np.where(differs, -answers, answers)):
            columns += _nearest_and_mean(cosines, signs)
        return np.column_stack(columns)[numbers]

    def _statements(self, frame: pd.DataFrame) -> list[_Statement]:
        return [
            _Statement(
                str(qid),
                AlignedText.of(text, self.language),
                negations(last_clause(text, self.language).of(text), self.language) % 2 == 1,
            )
            for qid, text in zip(frame["qid"], text_values(frame, "query"))
        ]


class _Statement(NamedTuple):
    """A statement, and whether its last clause has an odd number of negations."""

    qid: str
    aligned: AlignedText
    is_odd: bool


class _Past(NamedTuple):
    """Labelled statements, and 1 or -1 for the answer of each."""

    statements: list[_Statement]
    signs: list[int]


def _odd(statements: Sequence[_Statement]) -> Booleans:
    return np.array([statement.is_odd for statement in statements], dtype=np.bool_)


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
    found: Booleans = ~(same_year | (qids[:, None] == past_qids))
    return found


def _nearest_and_mean(cosines: Floats, signs: Floats) -> list[Floats]:
    """The answer of the most similar statement, and the mean answer, of each question (row)."""
    nearest = cosines.argmax(axis=1)
    rows = np.arange(len(cosines))
    weights = cosines**2
    totals = weights.sum(axis=1)
    means = np.divide((weights * signs).sum(axis=1), totals, out=np.zeros(len(totals)), where=totals > 0)
    return [np.where(cosines[rows, nearest] > 0, signs[rows, nearest], 0.0), means]
