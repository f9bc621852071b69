"""The kinds of a run's false answers."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pandas as pd

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.outcome_causes.reasons import Reason, counted, with_reasons

DUPLICATE = "duplicate of a relevant item"
OF_NEAR_DUPLICATE = "relevant to a near-duplicate query"
LATER = "decided after the query"
NOTICED = "noticed by a relevant case"
REFERS = "refers to a relevant article"
REFERRED = "referred to by a relevant article"
BESIDE = "beside a relevant item"
OTHER = "other"


def false_answer_kinds(runs: EvaluatedRuns, name: str) -> pd.DataFrame:
    """Find the kind of each false answer of a run.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    name : str
        The name of the run.

    Returns
    -------
    pandas.DataFrame
        A row for each returned item that is not relevant: query_id, doc_id, kind (the first that applies) and detail,
        a sentence that names the relevant item or the query. In tasks with one answer for each query, the kind is the
        pair of the answer and the gold label, such as ``Y instead of N``.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedFileError
        If a document cannot be read.

    Notes
    -----
    Texts are compared without case, white space and punctuation. Two queries are near-duplicates if their texts are
    equal in this way, or if their resemblance is at least 0.8, see `ir_coliee.transformers.near_duplicates`.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"56": 2.0, "55": 1.0}}})
    >>> false_answer_kinds(runs, "mine").to_numpy().tolist()
    [['R99-01-A', '56', 'beside a relevant item', 'Beside 55.']]
    """
    return runs.once(("false answer kinds", name), lambda: _false_answer_kinds(runs, name)).copy()


def _false_answer_kinds(runs: EvaluatedRuns, name: str) -> pd.DataFrame:
    outcomes = runs.outcomes(name)
    answers = outcomes[outcomes["outcome"] == "false"]
    kinds = _Kinds(runs)
    reason = kinds.of_label if runs.scorer.evaluation.single_answer else kinds.reason
    return with_reasons(answers, [reason(answer) for answer in answers.itertuples(index=False)], "kind")


class _Kinds:
    """The kinds of false answers; methods return None where their kind does not apply."""

    def __init__(self, runs: EvaluatedRuns) -> None:
        self.runs, self.facts = runs, runs.facts
        self.gold: Mapping[Any, list[str]] = runs.gold.groupby("query_id")["doc_id"].agg(list).to_dict()

    def of_label(self, answer: Any) -> Reason:
        """Return the answer with the gold label, for tasks with one answer for each query."""
        expected = " or ".join(self.gold.get(answer.query_id, ["no label"]))
        return f"{answer.doc_id} instead of {expected}", f"Answered {answer.doc_id}; the gold label is {expected}."

    def reason(self, answer: Any) -> Reason:
        """Return the first kind that applies."""
        if not self.runs.has_documents:
            return OTHER, "The texts are not at hand."
        if answer.doc_id not in self.runs.scorer.checker.candidates(answer.query_id):
            return OTHER, "Not a candidate of the query."
        relevant = self.gold.get(answer.query_id, [])
        return next(
            filter(None, self._reasons(answer, relevant)),
            (OTHER, f"No known relation to the {counted(len(relevant), 'relevant item')} of the query."),
        )

    def _reasons(self, answer: Any, relevant: Collection[str]) -> Iterator[Reason | None]:
        yield self._duplicate(answer, relevant)
        yield self._of_near_duplicate(answer)
        if self.runs.split.task == "task1":
            yield self._later(answer)
            yield self._noticed(answer, relevant)
        if self.runs.split.task == "task3":
            yield self._referring(answer, relevant)
        if self.runs.split.task in ("task2", "task3"):
            yield self._beside(answer, relevant)

    def _duplicate(self, answer: Any, relevant: Collection[str]) -> Reason | None:
        same = self._same_text(answer.doc_id, relevant)
        return (DUPLICATE, f"The same text as {same}.") if same else None

    def _same_text(self, doc_id: str, others: Collection[str]) -> str | None:
        """Return the first of some items that has the text of an item."""
        return next((other for other in others if self.facts.digest(other) == self.facts.digest(doc_id)), None)

    def _of_near_duplicate(self, answer: Any) -> Reason | None:
        others = sorted(self.facts.near_duplicate_queries.get(answer.query_id, ()))
        near = (other for other in others if self._same_text(answer.doc_id, self.gold.get(other, [])))
        other = next(near, None)
        return (OF_NEAR_DUPLICATE, f"Relevant to {other}, a near-duplicate of the query.") if other else None

    def _later(self, answer: Any) -> Reason | None:
        ids = answer.query_id, answer.doc_id
        return (LATER, f"{self.facts.years_of_later(*ids)}.") if self.facts.is_later(*ids) else None

    def _noticed(self, answer: Any, relevant: Collection[str]) -> Reason | None:
        by = next((item for item in relevant if answer.doc_id in self.gold.get(item, ())), None)
        return (NOTICED, f"Noticed by {by}, a relevant case.") if by else None

    def _referring(self, answer: Any, relevant: Collection[str]) -> Reason | None:
        targets = {reference.target for reference in self.facts.references.outgoing(answer.doc_id)}
        sources = {reference.source for reference in self.facts.references.incoming(answer.doc_id)}
        if to := [item for item in relevant if item in targets]:
            return REFERS, f"Refers to {to[0]}."
        if by := [item for item in relevant if item in sources]:
            return REFERRED, f"Referred to by {by[0]}."
        return None

    def _beside(self, answer: Any, relevant: Collection[str]) -> Reason | None:
        neighbours = self._neighbours.get(answer.doc_id, ())
        beside = next((item for item in relevant if item in neighbours), None)
        return (BESIDE, f"Beside {beside}.") if beside else None

    @functools.cached_property
    def _neighbours(self) -> Mapping[str, set[str]]:
        """The items before and after each item, in the order of the case or of the code."""
        ordered = [*self.runs.documents.ids()]
        neighbours: dict[str, set[str]] = {}
        for item, following in itertools.pairwise(ordered):
            if self.runs.split.task == "task3" or item.partition("_")[0] == following.partition("_")[0]:
                neighbours.setdefault(item, set()).add(following)
                neighbours.setdefault(following, set()).add(item)
        return neighbours
