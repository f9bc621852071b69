"""What shows only when the files of a submission lie side by side: runs of one group, and what goes with each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from ir_coliee.editions import Split, SubmissionForm
from ir_coliee.errors import MalformedFileError, printable, printable_list
from ir_coliee.evaluation.runs import RunFile, RunLine, open_run, parse_run
from ir_coliee.evaluation.runs.descriptions import Description, read_descriptions
from ir_coliee.evaluation.runs.format_rules import answers_split
from ir_coliee.evaluation.runs.validation import Finding

_MOST_RUNS = 3
_LIKE_A_RANKING = 20  # items a query; answer sets have had up to five


class _Read:
    """A file of a submission with what is compared: its tag and its answers."""

    def __init__(self, split: Split, file: Path | RunFile) -> None:
        self._part = split
        self._file = open_run(file) if isinstance(file, Path) else file
        self.path = self._file.path

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        return {(answer.query_id, answer.docno) for answer in self._answers}

    @cached_property
    def tag(self) -> str:
        """The tag of the first answer; empty where there is none. The call of 2019 put ``-L`` behind a long list's."""
        return self._answers[0].tag.removesuffix("-L") if self._answers else ""

    @cached_property
    def _answers(self) -> list[RunLine]:
        return [entry for entry in parse_run(self._part, self._file) if isinstance(entry, RunLine)]


def group_by_role(split: Split, paths: Sequence[Path]) -> dict[str, list[Path]]:
    """Files of a submission by what their official names say they are: ``long``, ``answers``, ``run`` any other.

    The system description is in none: it is looked for beside each run.

    >>> from ir_coliee.editions import split
    >>> roles = group_by_role(split("coliee/task3/sample/en/test"), [Path("mail/task3.mine"), Path("mail/task3-L.mine")])
    >>> {role: [path.name for path in found] for role, found in roles.items()}
    {'run': ['task3.mine'], 'long': ['task3-L.mine'], 'answers': []}
    """
    form = split.submission
    roles: dict[str, list[Path]] = {"run": [], "long": [], "answers": []}
    beginnings = {"long": form.long_file.partition("{")[0], "answers": form.answers_file.partition("{")[0]}
    for path in paths:
        if path.name != form.description_file:
            role = next((role for role, name in beginnings.items() if name and path.name.startswith(name)), "run")
            roles[role].append(path)
    return roles


def validate_submission(
    split: Split,
    runs: Sequence[Path | RunFile],
    *,
    long_lists: Sequence[Path | RunFile] = (),
    answers: Sequence[Path | RunFile] = (),
) -> list[Finding]:
    """What is to be said of the runs of a group beside the findings of each, rules of the edition as notes at the end.

    ``long_lists`` are those of task 3, ``answers`` the Y and N of 2026; they belong to the run of the same tag. The
    system description, and the runs of reference years, are looked for beside each run. Raises `MalformedFileError`
    where a file cannot be read at all.
    """
    form = split.submission
    read = [_Read(split, run) for run in runs]
    lists = [_Read(split, file) for file in long_lists]
    labels = [_Read(answers_split(split), file) for file in answers] if form.answers_file else []
    return [
        *_number(form, read),
        *_equal_tags(read),
        *_uncut(split, read),
        *_companions(read, lists, form.long_file, "long list", "--long"),
        *_companions(read, labels, form.answers_file, "file of answers", "--answers"),
        *(_no_such_file(split, "long list") if long_lists and not form.long_file else ()),
        *(_no_such_file(split, "file of answers") if answers and not form.answers_file else ()),
        *_exchanged(read, lists),
        *_described(split, form, read),
        *_reference_years(split, form, read),
        *_notes(form),
    ]


def _number(form: SubmissionForm, runs: list[_Read]) -> Iterator[Finding]:
    if form.columns and len(runs) > _MOST_RUNS:
        yield Finding("warning", None, f"{len(runs)} runs, where at most {_MOST_RUNS} of a group are assessed")


def _uncut(split: Split, runs: list[_Read]) -> Iterator[Finding]:
    """Answer sets that look like rankings; in task 3 of 2026 superfluous articles cost nothing."""
    if split.measure == "GatedAccuracy":
        return
    for run in runs:
        queries = len({query_id for query_id, _ in run.pairs})
        if len(run.pairs) >= _LIKE_A_RANKING * queries > 0:
            each = f"{len(run.pairs) / queries:.0f} items a query"
            yield Finding("warning", None, f"{run.path}: {each}, all of which count as answers: a ranking must be cut")


def _equal_tags(runs: list[_Read]) -> Iterator[Finding]:
    for tag, times in Counter(run.tag for run in runs if run.tag).items():
        if times > 1:
            paths = printable_list([str(run.path) for run in runs if run.tag == tag])
            yield Finding("error", None, f"{times} runs have the tag {printable(tag)}, each needs its own: {paths}")


def _companions(runs: list[_Read], others: list[_Read], name: str, what: str, option: str) -> Iterator[Finding]:
    """Each run with the second file that it needs, and each such file with its run."""
    if not name:
        return
    tags = {run.tag for run in runs}
    of_tags = {other.tag for other in others}
    for run in runs:
        if run.tag not in of_tags:
            absent = f"{run.path}: no {what} of the tag {printable(run.tag)!r} was given with {option}"
            message = f"{absent}, as {name.format(tag=printable(run.tag))}; both files are required"
            yield Finding("error" if others else "warning", None, message)  # without any, it may lie elsewhere
    for other in others:
        if other.tag not in tags:
            yield Finding("error", None, f"{other.path}: a {what} of the tag {printable(other.tag)!r}, which no run has")


def _no_such_file(split: Split, what: str) -> Iterator[Finding]:
    yield Finding("error", None, f"a {what} was given, and {split.id} has none")


def _exchanged(runs: list[_Read], lists: list[_Read]) -> Iterator[Finding]:
    of_tag = {run.tag: run for run in runs}
    for longer in lists:
        if (run := of_tag.get(longer.tag)) is None:
            continue
        if len(longer.pairs) < len(run.pairs):
            message = f"the long list has {len(longer.pairs)} articles, the answer set {len(run.pairs)}: exchanged?"
            yield Finding("warning", None, f"{longer.path}: {message}")
        elif outside := len(run.pairs - longer.pairs):
            yield Finding("note", None, f"{longer.path}: {outside} articles of the answer set are not in the long list")


def _described(split: Split, form: SubmissionForm, runs: list[_Read]) -> Iterator[Finding]:
    if not form.description_file:
        return
    task = split.task.removeprefix("task")
    for folder in dict.fromkeys(run.path.parent for run in runs):
        path = folder / form.description_file
        try:
            found = read_descriptions(path) if os.path.lexists(path) else None
        except MalformedFileError as error:
            yield Finding("error", None, str(error).removesuffix("."))
            continue
        if found is None:
            yield Finding("warning", None, f"no system description ({path}); this edition wants one with the runs")
            continue
        described = {description.run: description for description in reversed(found)}
        for tag in dict.fromkeys(run.tag for run in runs if run.path.parent == folder):
            description = described.get(Description(task, tag).run)
            if description is None:
                yield Finding("warning", None, f"{path}: nothing on task {task}, run tag {printable(tag)!r}")
            elif description.missing:
                fields = ", ".join(description.missing)
                yield Finding("warning", None, f"{path}: run tag {printable(tag)!r}: nothing is said of: {fields}")


def _reference_years(split: Split, form: SubmissionForm, runs: list[_Read]) -> Iterator[Finding]:
    """Task 4 was also run on older exam years: which runs of those do not lie beside these."""
    if split.name not in ("test", "test/as-distributed"):
        return
    places = [
        run.path.parent / form.file.format(year=year, tag=run.tag) for run in runs for year in form.reference_years
    ]
    if absent := [path.name for path in places if not os.path.lexists(path)]:
        years = ", ".join(form.reference_years)
        yield Finding(
            "note", None, f"runs of the exam years {years} were wanted too; not beside these: {printable_list(absent)}"
        )


def _notes(form: SubmissionForm) -> Iterator[Finding]:
    if form.is_unverified:
        yield Finding("note", None, "no text of this edition has been seen: the form is that of the editions beside it")
    for rule in form.rules:
        yield Finding("note", None, rule)
