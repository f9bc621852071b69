"""A parsed run file, and findings about it: the input and output of the checks of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from ir_coliee.editions import Split, SubmissionForm
from ir_coliee.errors import MalformedFileError
from ir_coliee.evaluation.gold import candidates, has_documents, query_ids
from ir_coliee.evaluation.runs.reading import RunFile, RunLine
from ir_coliee.evaluation.task_evaluation import TaskEvaluation, task_evaluation

Level = Literal["error", "warning", "note"]


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
    """

    level: Level
    line: int | None
    message: str
    kind: str = ""


@dataclass(frozen=True)
class ParsedRun:
    """A run file that has been parsed, with the properties of its split that the checks need.

    Attributes
    ----------
    split : Split
        The split that the run answers.
    file : RunFile
        The file with its content.
    entries : list
        The answers, with an error for each line that cannot be parsed.
    """

    split: Split
    file: RunFile
    entries: list[RunLine | MalformedFileError]

    @cached_property
    def answers(self) -> list[RunLine]:
        """The answers, without the errors."""
        return [entry for entry in self.entries if isinstance(entry, RunLine)]

    @cached_property
    def answers_by_query(self) -> dict[str, list[RunLine]]:
        """The answers of each query, in the order of the file."""
        found: dict[str, list[RunLine]] = defaultdict(list)
        for answer in self.answers:
            found[answer.query_id].append(answer)
        return found

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
