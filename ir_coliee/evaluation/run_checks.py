"""Checks of a run before it is scored. Mistakes that would lead to a score of 0 are errors; all else is noted."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from pathlib import Path

import pandas as pd

from ir_coliee.arguments import shown
from ir_coliee.editions import Split
from ir_coliee.errors import MalformedFileError, MalformedRunError
from ir_coliee.evaluation.gold import are_candidates, candidates, has_documents, query_ids
from ir_coliee.evaluation.runs.content_checks import hint_at_split
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.evaluation.runs.loading import LoadedRun, load_run, load_run_file
from ir_coliee.evaluation.runs.reading import RunFile, open_run
from ir_coliee.evaluation.runs.validation import validate
from ir_coliee.evaluation.task_evaluation import task_evaluation


class RunChecker:
    """Check runs of a split against its query ids and candidates, which are read only once.

    Parameters
    ----------
    split : Split
        The split that the runs answer.
    """

    def __init__(self, split: Split) -> None:
        self.split = split
        self.evaluation = task_evaluation(split)

    @functools.cached_property
    def query_ids(self) -> list[str]:
        """The query ids of the split."""
        return query_ids(self.split)

    @functools.cached_property
    def has_documents(self) -> bool:
        """Whether the documents of the split are at hand, so that the items of a run can be checked."""
        return has_documents(self.split)

    @functools.cached_property
    def candidates(self) -> Callable[[str], Collection[str]]:
        """Function from a query id to the items that may answer it."""
        return candidates(self.split)

    def load(self, run: Run) -> tuple[LoadedRun, list[str]]:
        """Load a run of any form and check it.

        Returns
        -------
        loaded : LoadedRun
            The run.
        notes : list of str
            Notes on answers that are ignored or counted as wrong.

        Raises
        ------
        MalformedFileError
            If the run is a file that cannot be read.
        MalformedRunError
            As raised by `check`.
        """
        if not isinstance(run, (str, Path)):
            loaded = load_run(self.split, run)
            return loaded, self.check(loaded.frame)
        loaded = self._read(open_run(Path(run)))
        try:
            notes = self.check(loaded.frame)
        except MalformedRunError as error:
            raise MalformedRunError(f"{run}: {error}") from None
        return loaded, notes + loaded.notes

    def _read(self, file: RunFile) -> LoadedRun:
        """Read a run file. The pilot's own file must contain each instance of the test file once."""
        loaded = load_run_file(self.split, file)
        if not self.split.submission.columns and file.is_json:
            for finding in validate(self.split, file):
                if finding.level == "error":
                    expected = "the test file with its null values filled in"
                    raise MalformedFileError(file, finding.line, finding.message, expected)
        return loaded

    def check(self, run: pd.DataFrame) -> list[str]:
        """Check a run that has been loaded and return notes on it.

        Parameters
        ----------
        run : pandas.DataFrame
            The columns qid, docno and score.

        Returns
        -------
        list of str
            Notes on answers that are ignored or counted as wrong.

        Raises
        ------
        MalformedRunError
            If fewer than half of its query ids are known, if a label is not valid, or if a question with a single
            answer has two different ones.
        """
        if run.empty:
            return []
        excluded = run["qid"].isin(self.split.excluded)
        unknown = run.loc[~excluded & ~run["qid"].isin(self.query_ids), "qid"]
        self._check_query_ids(run, unknown)
        distinct = run.drop_duplicates(["qid", "docno"])
        known = distinct[distinct["qid"].isin(self.query_ids)]
        if self.has_documents:
            invalid = known[~are_candidates(self.candidates, known["qid"], known["docno"])]
        else:
            invalid = known[:0]
        if self.evaluation.single_answer:
            self._check_single_answers(distinct, invalid)
        numbers = {
            "answers to questions that the organisers excluded, ignored": int(excluded.sum()),
            "answers to unknown queries, ignored": len(unknown),
            "answers that are not candidates of their query, counted as wrong": len(invalid),
            "repeated answers, counted once": len(run) - len(distinct),
        }
        return [f"{description}: {number}" for description, number in numbers.items() if number]

    def _check_query_ids(self, run: pd.DataFrame, unknown: pd.Series[str]) -> None:
        if 2 * unknown.nunique() > run["qid"].nunique():
            share = "None" if unknown.nunique() == run["qid"].nunique() else "Fewer than half"
            raise MalformedRunError(
                f"{share} of the run's query ids are known.\nIds of {self.split.id} look like "
                f"{min(self.query_ids)!r}, those of the run like {shown(unknown.iloc[0])}"
                f"{hint_at_split(self.split, unknown)}."
            )

    def _check_single_answers(self, distinct: pd.DataFrame, invalid: pd.DataFrame) -> None:
        if not invalid.empty:
            query_id, docno = invalid[["qid", "docno"]].iloc[0]
            expected = " or ".join(sorted(self.candidates(query_id)))
            raise MalformedRunError(
                f"{shown(docno, 30)} is not a valid answer to question {query_id}.\nExpected: {expected}."
            )
        repeated = distinct.loc[distinct["qid"].duplicated(), "qid"]
        if not repeated.empty:
            raise MalformedRunError(
                f"Question {repeated.iloc[0]} has two different answers.\nGive one answer per question."
            )
