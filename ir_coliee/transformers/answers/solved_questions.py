"""Solved examples for a prompt: the questions of the train split that are most like it, half of them with yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import ir_datasets
import pandas as pd

from ir_coliee.arguments import integer_at_least
from ir_coliee.errors import ColieeError
from ir_coliee.text.statutes import exam_id
from ir_coliee.text.templates import Solved
from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex

if TYPE_CHECKING:
    from ir_coliee.releases.statutes import Question


@dataclass(frozen=True)
class SolvedQuestions:
    """The labelled questions of a split of task 4 (its id, in one language), as examples for others.

    The nearest are those with the highest TF-IDF cosine of articles and question together; half of ``number`` are
    answered with yes, half with no (the odd one is the nearer of both). None is of the exam year of the question it
    is to help, nor the question itself. The nearest comes last, beside the question.

    The balance and the similarity are AMHR's (COLIEE 2023, task 4); the order is ours.

    >>> examples = SolvedQuestions("coliee/task4/sample/en/train", number=2)
    >>> [solved.answer for solved in examples.of([("R99-01-A", "A pledge of a boat", "")])[0]]
    ['Y', 'N']
    """

    dataset: str
    number: int = 2

    def __post_init__(self) -> None:
        integer_at_least("number", self.number, 1)

    @cached_property
    def _questions(self) -> dict[str, Question]:
        questions = ir_datasets.load(f"{self.dataset}/full").queries_iter()
        labelled = {q.query_id: q for q in questions if getattr(q, "label", None) in ("Y", "N")}
        if not labelled:
            raise ColieeError(f"{self.dataset} has no labelled question to show as an example. Give an id of task 4.")
        return labelled

    @cached_property
    def _index(self) -> LexicalIndex:
        corpus = [{"docno": name, "text": f"{q.t1}\n{q.statement}"} for name, q in self._questions.items()]
        japanese = ir_datasets.load(self.dataset).queries_lang() == "ja"
        return LexicalIndex.build(corpus, analyser="bigrams" if japanese else "words")

    def of(self, asked: Sequence[tuple[str, str, str]]) -> list[list[Solved]]:
        """The examples for each question: its id, itself, and its articles. Fewer where the split has not so many.

        Raises `ColieeError` where the split has no labelled question.
        """
        texts = pd.DataFrame(
            [(str(row), f"{text}\n{query}") for row, (_, query, text) in enumerate(asked)], columns=["qid", "query"]
        )
        ranked = self._index.tf_idf(num_results=len(self._index))(texts)
        nearest = ranked.groupby("qid", sort=False)["docno"].agg(list).to_dict()
        return [self._balanced(name, nearest.get(str(row), [])) for row, (name, _, _) in enumerate(asked)]

    def _balanced(self, name: str, nearest: list[str]) -> list[Solved]:
        year = exam_id(name).year
        others = [
            self._questions[other]
            for other in nearest
            if other != name and not (year and self._questions[other].year == year)
        ]
        of_label = {label: [q for q in others if q.label == label] for label in ("Y", "N")}
        half = self.number // 2
        chosen = {q.query_id for label in ("Y", "N") for q in of_label[label][:half]}
        if self.number % 2:
            chosen |= {q.query_id for q in [q for q in others if q.query_id not in chosen][:1]}
        return [Solved(q.statement, q.t1, q.label) for q in reversed(others) if q.query_id in chosen]
