"""A parsed run file, and findings about it: the input and output of the checks of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.arrays import Booleans, Integers
from ir_coliee.editions import Split, SubmissionForm
from ir_coliee.evaluation.gold import are_candidates, candidates, has_documents, query_ids
from ir_coliee.evaluation.runs.answers import Answers, RunLine
from ir_coliee.evaluation.runs.reading import RunFile
from ir_coliee.evaluation.task_evaluation import TaskEvaluation, task_evaluation

Level = Literal["error", "warning", "note"]

_FINDINGS_LISTED = 1000  # of a kind


class Finding(NamedTuple):
    """A finding about a run.

    Attributes
    ----------
    level : {"error", "warning", "note"}
        An error breaks the organisers' scoring or counts against the run by mistake; a warning is allowed but
        seldom intended; a note is information.
    line : int or None
        The line, counted from 1; None for the whole file.
    message : str
        The finding, without a full stop.
    kind : str
        The kind of finding: equal for findings that differ only in ids and numbers. Empty if a file has at most one
        such finding.
    num_lines : int
        The number of lines: 1, but of more than a thousand findings of a kind the last one stands for all others.
    """

    level: Level
    line: int | None
    message: str
    kind: str = ""
    num_lines: int = 1


@dataclass(frozen=True)
class ParsedRun:
    """A run file that has been parsed, with the properties of its split that the checks need.

    Attributes
    ----------
    split : Split
        The split that the run answers.
    file : RunFile
        The file with its content.
    answers : Answers
        The answers.
    """

    split: Split
    file: RunFile
    answers: Answers

    def findings(
        self, rows: Integers, level: Level, kind: str, message: Callable[[RunLine, int], str]
    ) -> Iterator[Finding]:
        """Yield a finding for each of these rows, of more than a thousand for the first thousand and one."""
        listed = rows[: _FINDINGS_LISTED + 1]
        for place, (row, answer) in enumerate(zip(listed.tolist(), self.answers.lines(listed))):
            count = len(rows) - _FINDINGS_LISTED if place == _FINDINGS_LISTED else 1
            yield Finding(level, answer.line, message(answer, row), kind, count)

    @cached_property
    def is_known(self) -> Booleans:
        """Whether the split has the query of each answer."""
        queries, names = self.answers.column("query_id")
        return of_texts(names, self.known_queries.__contains__)[queries]

    @cached_property
    def is_candidate(self) -> Booleans:
        """Whether each answer is a candidate of its query."""
        return are_candidates(self.candidates, self.answers.table["query_id"], self.answers.table["docno"])

    @cached_property
    def evaluation(self) -> TaskEvaluation:
        """How the split is evaluated."""
        return task_evaluation(self.split)

    @cached_property
    def query_ids(self) -> list[str]:
        """The query ids of the split."""
        return query_ids(self.split)

    @cached_property
    def known_queries(self) -> frozenset[str]:
        """The query ids of the split as a set."""
        return frozenset(self.query_ids)

    @cached_property
    def has_documents(self) -> bool:
        """Whether the documents of the split are at hand, so that the items can be checked."""
        return has_documents(self.split)

    @cached_property
    def candidates(self) -> Callable[[str], Collection[str]]:
        """Function from a query id to the items that may answer it."""
        return candidates(self.split)

    @property
    def is_empty(self) -> bool:
        """Whether the file has nothing but blanks and comments."""
        return not len(self.answers) and not self.answers.errors

    @property
    def form(self) -> SubmissionForm:
        """The official form of a run of the split."""
        return self.split.submission

    @property
    def has_columns(self) -> bool:
        """Whether the file consists of lines of columns without a header, as most official forms do."""
        return bool(self.form.columns) and not self.file.is_json and self.file.header is None

    def item(self, answer: RunLine) -> str:
        """Return the item of an answer as a run file writes it."""
        return self.split.item_of(answer.docno)


def of_texts(texts: list[str], is_so: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """Return for each text whether something holds."""
    return np.fromiter(map(is_so, texts), np.bool_, len(texts))
