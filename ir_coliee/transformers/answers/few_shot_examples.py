"""Few-shot examples for a prompt: the most similar labelled questions, half of them answered with yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import ir_datasets
import pandas as pd

from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError
from ir_coliee.frames import integer_at_least
from ir_coliee.text.statutes import exam_id
from ir_coliee.text.templates import Solved
from ir_coliee.transformers.retrieval.indexes import LexicalIndex

if TYPE_CHECKING:
    from ir_coliee.releases.statutes import Question


@dataclass(frozen=True)
class FewShotExamples:
    """Choose labelled questions of a split as few-shot examples for other questions.

    The examples are those with the highest TF-IDF cosine of articles and question together. Half of them have the
    answer yes and half the answer no; if ``number`` is odd, the remaining example is the most similar question of those
    that are left. Questions of the same exam year, and the question itself, are excluded. The most similar example
    comes last, next to the question.

    AMHR used balanced, similar examples in task 4 of COLIEE 2023; the order was chosen for this package.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A labelled split of task 4, in one language.
    number : int
        The number of examples for each question, >= 1.

    Examples
    --------
    >>> examples = FewShotExamples("coliee/task4/sample/en/train", number=2)
    >>> [example.answer for example in examples.choose([("R99-01-A", "A pledge of a boat", "")])[0]]
    ['Y', 'N']
    """

    dataset: Dataset
    number: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "dataset", as_split(self.dataset).id)
        integer_at_least("number", self.number, 1)

    @cached_property
    def _questions(self) -> dict[str, Question]:
        questions = ir_datasets.load(f"{self.dataset}/full").queries_iter()
        labelled = {q.query_id: q for q in questions if getattr(q, "label", None) in ("Y", "N")}
        if not labelled:
            raise ColieeError(f"{self.dataset} has no labelled questions. Give the id of a labelled split of task 4.")
        return labelled

    @cached_property
    def _index(self) -> LexicalIndex:
        corpus = [{"docno": name, "text": f"{q.t1}\n{q.statement}"} for name, q in self._questions.items()]
        japanese = ir_datasets.load(self.dataset).queries_lang() == "ja"
        return LexicalIndex.build(corpus, analyser="bigrams" if japanese else "words")

    def choose(self, questions: Sequence[tuple[str, str, str]]) -> list[list[Solved]]:
        """Choose the examples for each question.

        Parameters
        ----------
        questions : sequence of tuple
            The id, the question and its articles, as in
            `ir_coliee.transformers.answers.question_texts.QuestionText`.

        Returns
        -------
        list of list of Solved
            The examples for each question, the most similar last; fewer than ``number`` if the split does not have
            enough.

        Raises
        ------
        ColieeError
            If the split has no labelled question.
        """
        texts = pd.DataFrame(
            [(str(row), f"{text}\n{query}") for row, (_, query, text) in enumerate(questions)],
            columns=["qid", "query"],
        )
        ranked = self._index.tf_idf(num_results=len(self._index))(texts)
        most_similar = ranked.groupby("qid", sort=False)["docno"].agg(list).to_dict()
        return [self._balanced(qid, most_similar.get(str(row), [])) for row, (qid, _, _) in enumerate(questions)]

    def _balanced(self, qid: str, most_similar: list[str]) -> list[Solved]:
        year = exam_id(qid).year
        others = [
            self._questions[other]
            for other in most_similar
            if other != qid and not (year and self._questions[other].year == year)
        ]
        by_label = {label: [q for q in others if q.label == label] for label in ("Y", "N")}
        half = self.number // 2
        chosen = {q.query_id for label in ("Y", "N") for q in by_label[label][:half]}
        if self.number % 2:
            chosen |= {q.query_id for q in [q for q in others if q.query_id not in chosen][:1]}
        return [Solved(q.statement, q.t1, q.label) for q in reversed(others) if q.query_id in chosen]
