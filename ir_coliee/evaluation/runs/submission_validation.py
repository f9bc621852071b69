"""Validate the files of a submission against each other: the runs of a team and the files that go with each run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ir_coliee.editions import Dataset, Split, SubmissionForm, as_split
from ir_coliee.errors import MalformedFileError, printable, printable_list
from ir_coliee.evaluation.runs.answers import Answers
from ir_coliee.evaluation.runs.descriptions import Description, read_descriptions
from ir_coliee.evaluation.runs.file_roles import read_name, split_of_file
from ir_coliee.evaluation.runs.format_rules import answers_split, remark_on_size
from ir_coliee.evaluation.runs.parsed_run import Finding
from ir_coliee.evaluation.runs.reading import RunFile, open_run

_MAX_RUNS = 3


class _SubmittedFile:
    """A file of a submission with its tag and its answers."""

    def __init__(self, split: Split, file: Path | RunFile) -> None:
        self._file = open_run(file) if isinstance(file, Path) else file
        self.path = self._file.path
        self._split = split_of_file(split, self.path)

    @property
    def answers(self) -> Answers:
        """The answers; the file is parsed once."""
        return self._file.answers(self._split)

    @property
    def tag(self) -> str:
        """The tag of the first answer, or empty. The call of 2019 appends ``-L`` to the tag of a long list."""
        return self.answers.tag.removesuffix("-L")

    @property
    def exam_year(self) -> str:
        """The exam year that the name states; empty if it states none."""
        named = read_name(self._split.submission, self.path.name)
        return named.exam_year if named else ""


def validate_submission(
    dataset: Dataset,
    runs: Sequence[Path | RunFile],
    *,
    long_lists: Sequence[Path | RunFile] = (),
    answers: Sequence[Path | RunFile] = (),
) -> list[Finding]:
    """Validate the files of a submission against each other.

    The system description and the runs of reference years are searched for in the folder of each run.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    runs : sequence of Path or RunFile
        The runs of a team.
    long_lists : sequence of Path or RunFile, optional
        Long lists of task 3; each belongs to the run with the same tag.
    answers : sequence of Path or RunFile, optional
        Answers Y and N of task 3 of 2026; each belongs to the run with the same tag.

    Returns
    -------
    list of Finding
        The findings in addition to those of each file, followed by the rules of the edition as notes.

    Raises
    ------
    MalformedFileError
        If a file cannot be opened.
    """
    split = as_split(dataset)
    form = split.submission
    run_files = [_SubmittedFile(split, run) for run in runs]
    lists = [_SubmittedFile(split, file) for file in long_lists]
    labels = [_SubmittedFile(answers_split(split), file) for file in answers] if form.answers_file else []
    return [
        *_check_number_of_runs(form, run_files),
        *_check_distinct_tags(run_files),
        *_check_names(form, [*run_files, *lists, *labels]),
        *_check_for_rankings(split, run_files),
        *_check_companions(run_files, lists, form.long_file, "long list", "--long"),
        *_check_companions(run_files, labels, form.answers_file, "file of answers", "--answers"),
        *(_unused_file(split, "long list", "--long") if long_lists and not form.long_file else ()),
        *(_unused_file(split, "file of answers", "--answers") if answers and not form.answers_file else ()),
        *_check_for_exchanged_files(run_files, lists),
        *_check_descriptions(split, run_files),
        *_check_reference_years(split, run_files),
        *_rules(form),
    ]


def _check_number_of_runs(form: SubmissionForm, runs: list[_SubmittedFile]) -> Iterator[Finding]:
    number = len({run.tag if run.exam_year else run.path for run in runs})  # the exam years of a tag are one run
    if form.columns and number > _MAX_RUNS:
        yield Finding("warning", None, f"{number} runs; at most {_MAX_RUNS} runs of a team are evaluated")


def _check_for_rankings(split: Split, runs: list[_SubmittedFile]) -> Iterator[Finding]:
    """Report answer sets that look like rankings."""
    for run in runs:
        if remark := remark_on_size(split, run.answers.num_pairs, len(run.answers.column("query_id")[1])):
            yield Finding("warning", None, f"{run.path}: {remark}")


def _check_distinct_tags(runs: list[_SubmittedFile]) -> Iterator[Finding]:
    for (tag, exam_year), times in Counter((run.tag, run.exam_year) for run in runs if run.tag).items():
        if times > 1:
            paths = ", ".join(str(run.path) for run in runs if (run.tag, run.exam_year) == (tag, exam_year))
            yield Finding("error", None, f"{times} runs have the tag {printable(tag)}; give each its own: {paths}")


def _check_names(form: SubmissionForm, files: list[_SubmittedFile]) -> Iterator[Finding]:
    """Report files whose official name states another run tag than their lines."""
    for file in files:
        named = read_name(form, file.path.name)
        if named and file.tag not in ("", named.tag):
            tags = f"its name states the run tag {printable(named.tag)!r}, its lines {printable(file.tag)!r}"
            yield Finding("warning", None, f"{file.path}: {tags}; make both the same")


def _check_companions(
    runs: list[_SubmittedFile], others: list[_SubmittedFile], name: str, kind: str, option: str
) -> Iterator[Finding]:
    """Report runs without the second file that they require, and second files without a run."""
    if not name:
        return
    run_tags = {run.tag for run in runs}
    other_tags = {other.tag for other in others}
    for run in runs:
        if run.tag not in other_tags:
            file = name.format(tag=printable(run.tag))
            message = (
                f"{run.path}: the {kind} with the tag {printable(run.tag)!r} is missing; pass {file} with {option}"
            )
            yield Finding("error" if others else "warning", None, message)  # without any, it may be elsewhere
    for other in others:
        if other.tag not in run_tags:
            yield Finding("error", None, f"{other.path}: no run has the tag {printable(other.tag)!r} of this {kind}")


def _unused_file(split: Split, kind: str, option: str) -> Iterator[Finding]:
    yield Finding("error", None, f"{split.id} has no {kind}; omit {option}")


def _check_for_exchanged_files(runs: list[_SubmittedFile], lists: list[_SubmittedFile]) -> Iterator[Finding]:
    run_by_tag = {run.tag: run for run in runs}
    for long_list in lists:
        if (run := run_by_tag.get(long_list.tag)) is None:
            continue
        in_list, in_run = long_list.answers.num_pairs, run.answers.num_pairs
        if in_list < in_run:
            numbers = f"{in_list} articles, the answer set {in_run}"
            message = f"{long_list.path}: the long list has {numbers}; the two files may be exchanged"
            yield Finding("warning", None, message)
        elif outside := run.answers.pairs_outside(long_list.answers):
            message = f"{long_list.path}: {outside} articles of the answer set are not in the long list"
            yield Finding("note", None, message)


def _check_descriptions(split: Split, runs: list[_SubmittedFile]) -> Iterator[Finding]:
    if not split.submission.description_file:
        return
    task = split.task.removeprefix("task")
    for folder in dict.fromkeys(run.path.parent for run in runs):
        path = folder / split.submission.description_file
        try:
            found = read_descriptions(path) if os.path.lexists(path) else None
        except MalformedFileError as error:
            yield Finding("error", None, str(error).removesuffix(".").replace("\n", " "))
            continue
        if found is None:
            yield Finding("warning", None, f"the system description {path} is missing; this edition requires one")
            continue
        by_run = {description.run: description for description in reversed(found)}
        for tag in dict.fromkeys(run.tag for run in runs if run.path.parent == folder):
            description = by_run.get(Description(task, tag).run)
            if description is None:
                yield Finding("warning", None, f"{path}: no description of task {task}, run tag {printable(tag)!r}")
            elif description.missing:
                yield Finding("warning", None, _message_on_missing_fields(path, description))


def _message_on_missing_fields(path: Path, description: Description) -> str:
    fields = ", ".join(description.missing.values())
    options = " ".join(f"--{name}" for name in description.missing)
    return (
        f"{path}: run tag {printable(description.tag)!r}: these fields are empty: {fields}; "
        f"fill them in, or submit again with {options}"
    )


def _check_reference_years(split: Split, runs: list[_SubmittedFile]) -> Iterator[Finding]:
    """Report missing runs on older exam years, which some editions of task 4 asked for."""
    if split.name not in ("test", "test/as-distributed"):
        return
    years = split.submission.reference_years
    paths = [run.path.parent / split.submission.file.format(year=year, tag=run.tag) for run in runs for year in years]
    if missing := [path.name for path in dict.fromkeys(paths) if not os.path.lexists(path)]:
        message = (
            f"the edition also asks for runs on the exam years {', '.join(years)}; missing: {printable_list(missing)}"
        )
        yield Finding("note", None, message)


def _rules(form: SubmissionForm) -> Iterator[Finding]:
    if form.is_unverified:
        message = "the submission form is that of neighbouring editions; no text of this edition was available"
        yield Finding("note", None, message)
    for rule in form.rules:
        yield Finding("note", None, rule)
