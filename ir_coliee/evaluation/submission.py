"""Write the files of a submission: apply the cut-off, format and name the files as required, and validate them."""

from __future__ import annotations

import itertools
import json
import os
import re
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import SPLITS, Dataset, Split, SubmissionForm, as_split
from ir_coliee.errors import (
    ColieeError,
    ColieeWarning,
    MalformedFileError,
    MalformedRunError,
    printable,
    printable_list,
    reason_of,
)
from ir_coliee.evaluation import runs as run_files
from ir_coliee.evaluation.checks import CheckedRun, Finding, RunChecker, content_findings, remark_on_size, validate
from ir_coliee.evaluation.gold import TASK_EVALUATIONS
from ir_coliee.evaluation.runs import LoadedRun, Run, Runs, answers_split, run_name
from ir_coliee.evaluation.writing import write_long_list, write_run
from ir_coliee.frames import sort_results
from ir_coliee.releases import torts
from ir_coliee.storage import DESCRIPTION, one_at_a_time, require_writable, write_file, write_files

if TYPE_CHECKING:
    from ir_coliee.transformers.candidates.cutoffs import Cutoff


# The system description of a submission: a text file with one block per run, required since 2025.


_BLOCK = "Task: {task}\nRun tag: {tag}\n- Machine learning models:\n- External resources:\n- Explaination:\n"
_RUN_FIELD = re.compile(r"^[^\w\n]*(task|run tag)[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_NEXT_FIELD = re.compile(r"[-*•]|task|run tag", re.IGNORECASE)


def with_block(path: Path, split: Split, tag: str) -> bytes:
    """Return a system description with a block for a run, whose fields its authors fill in; nothing is written.

    Parameters
    ----------
    path : Path
        The system description; it may be missing. All that it has is kept.
    split : Split
        The split that the run answers.
    tag : str
        The run tag.

    Returns
    -------
    bytes
        The content; unchanged if it has a block of this run already.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> print(with_block(Path("new.txt"), split("coliee/task1/sample/test"), "mine").decode(), end="")
    Task: 1
    Run tag: mine
    - Machine learning models:
    - External resources:
    - Explaination:
    """
    content = DESCRIPTION.read_file(path) if os.path.lexists(path) else b""
    if tag in _described_tags(split, content.decode(errors="replace")):
        return content
    block = _BLOCK.format(task=split.task.removeprefix("task"), tag=tag)
    if not content:
        return block.encode()
    separator = "\n" if content.endswith(b"\n") else "\n\n"
    return content + f"{separator}{block}".replace("\n", "\r\n" if b"\r\n" in content else "\n").encode()


def _described_tags(split: Split, text: str) -> set[str]:
    """Return the run tags of a task that a system description has a block of."""
    tags, task = set(), ""
    for field, value in _RUN_FIELD.findall(text.replace("\r\n", "\n")):
        if field.lower() == "task":
            task = value
        elif re.search(rf"(?<!\d){split.task[-1]}(?!\d)", task):
            tags.add(value.strip())
    return tags


def _empty_fields(text: str) -> list[str]:
    """Return the fields of a system description that nothing is written after."""
    lines = [*filter(None, map(str.strip, text.splitlines())), "-"]
    is_empty = (line.endswith(":") and _NEXT_FIELD.match(below) for line, below in itertools.pairwise(lines))
    return [*dict.fromkeys(itertools.compress(lines, is_empty))]


# The roles of submission files by their official names, and the files of a submission folder.


#: The attribute of a form that has the official name of each file.
_NAMES = {"run": "file", "long": "long_file", "answers": "answers_file", "description": "description_file"}


class NamedFile(NamedTuple):
    """What the official name of a file states.

    Attributes
    ----------
    role : str
        ``run``, ``long`` or ``answers``.
    tag : str
        The run tag.
    exam_year : str
        The exam year that the run answers; empty if the name states none.
    """

    role: str
    tag: str
    exam_year: str = ""


def read_name(form: SubmissionForm, name: str) -> NamedFile | None:
    """Return what a file name states; None if it is not an official name of a run of this form.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> form = split("coliee/task3/sample/en/test").submission
    >>> read_name(form, "task3-L.mine"), read_name(form, "my.run")
    (NamedFile(role='long', tag='mine', exam_year=''), None)
    """
    for role in ("run", "long", "answers"):
        official = getattr(form, _NAMES[role])
        if official and (found := re.fullmatch(_pattern(official), name)):
            return NamedFile(role, found["tag"], found.groupdict().get("year", ""))
    return None


def split_of_file(split: Split, path: Path) -> Split:
    """Return the split that a file of a submission answers: that of the exam year in its name, if it states one.

    A submission to task 4 has a file for each exam year, those of the reference years included.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> test = split("coliee/task4/2025/en/test")
    >>> split_of_file(test, Path("H30.task4.mine")).id, split_of_file(test, Path("R06.task4.mine")).id
    ('coliee/task4/2025/en/h30', 'coliee/task4/2025/en/test')
    """
    named = read_name(split.submission, path.name)
    if not named or not named.exam_year or named.exam_year in split.exam_years:
        return split
    return SPLITS.get(f"coliee/{split.task}/{split.edition}/{split.language}/{named.exam_year.lower()}", split)


def _pattern(official: str) -> str:
    parts = Formatter().parse(official)
    return "".join(re.escape(text) + (f"(?P<{field}>.+)" if field else "") for text, field, _, _ in parts)


def group_by_role(split: Split, paths: Sequence[Path]) -> dict[str, list[Path]]:
    """Group the files of a submission by the role that their official names give them.

    Parameters
    ----------
    split : Split
        The split that the runs answer.
    paths : sequence of Path
        The files. The system description is ignored here; it is searched for in the folder of each run.

    Returns
    -------
    dict of str to list of Path
        The keys ``run``, ``long`` and ``answers``; a file with another name is a run.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> paths = [Path("mail/task3.mine"), Path("mail/task3-L.mine")]
    >>> roles = group_by_role(split("coliee/task3/sample/en/test"), paths)
    >>> {role: [path.name for path in found] for role, found in roles.items()}
    {'run': ['task3.mine'], 'long': ['task3-L.mine'], 'answers': []}
    """
    roles: dict[str, list[Path]] = {"run": [], "long": [], "answers": []}
    for path in paths:
        if path.name != split.submission.description_file:
            named = read_name(split.submission, path.name)
            roles[named.role if named else "run"].append(path)
    return roles


def files_of_folder(split: Split, folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files of a submission folder that are named as files of a split, and the others.

    Parameters
    ----------
    split : Split
        The split that the runs answer.
    folder : Path
        The folder. Hidden files and the system description are left out.

    Returns
    -------
    named, others : list of Path
        The files in the order of their names.

    Raises
    ------
    ColieeError
        If no file is named as a run of the split.
    """
    form = split.submission
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    named = [path for path in files if read_name(form, path.name) and path.is_file()]  # a pipe may have no writer
    others = [path for path in files if path not in named and path.name != form.description_file]
    if not named:
        there = f"Files in it: {printable_list([path.name for path in others])}" if others else "It has no files"
        expected = f"Expected: {form.file}. {there}. Pass files with other names one by one."
        raise ColieeError(f"No file in {printable(str(folder))} is named as a run of {split.id}.\n{expected}")
    return named, others


# Validate the files of a submission against each other: the runs of a team and the files that go with each run.


_MAX_RUNS = 3


def validate_submission(dataset: Dataset, files: Mapping[str, Sequence[Path]]) -> list[tuple[Path | None, Finding]]:
    """Validate the files of a submission, each of them and all against each other.

    The system description is searched for in the folder of each run.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    files : mapping of str to sequence of Path
        The files by role, as from `group_by_role`: ``run``, the runs of a team; ``long``, long lists of task 3, and
        ``answers``, answers Y and N of task 3 of 2026, which belong to the run with the same tag.

    Returns
    -------
    list of (Path or None, Finding)
        Each finding with its file, then with None those that concern several files, and the rules of the edition.

    Raises
    ------
    MalformedFileError
        If a file cannot be opened.
    """
    split = as_split(dataset)
    form = split.submission
    runs, lists, labels = (
        [run_files.read_answers(split_of_file(of_role, path), path) for path in files.get(role, ())]
        for role, of_role in (("run", split), ("long", split), ("answers", answers_split(split)))
    )
    found = [(run.path, finding) for run in (*runs, *lists, *labels) for finding in validate(run.split, run)]
    if not runs:
        return found
    notes = []
    if form.is_unverified:
        notes.append("the submission form is that of neighbouring editions; no text of this edition was available")
    if split.name.startswith("test") and form.reference_years:
        notes.append(f"the edition also asks for runs on the exam years {', '.join(form.reference_years)}")
    of_group = [
        *_check_runs(split, runs),
        *_check_names(form, [*runs, *lists, *labels]),
        *_check_companions(runs, lists, form.long_file, "long list", "--long-list"),
        *_check_companions(runs, labels, form.answers_file, "file of answers", "--answers"),
        *(Finding("error", None, message) for message in _unused_files(split, lists, labels)),
        *_check_descriptions(split, runs),
        *(Finding("note", None, rule) for rule in (*notes, *form.rules)),
    ]
    return [*found, *((None, finding) for finding in of_group)]


def _tag(run: LoadedRun) -> str:
    """Return the tag of the first answer, or empty. The call of 2019 appends ``-L`` to the tag of a long list."""
    return run.tag.removesuffix("-L")


def _named(form: SubmissionForm, run: LoadedRun) -> NamedFile:
    """Return what the name of a file states; if it is not official, the tag of the lines."""
    return (read_name(form, run.path.name) if run.path else None) or NamedFile("run", _tag(run))


def _check_runs(split: Split, runs: list[LoadedRun]) -> Iterator[Finding]:
    """Report too many runs, runs with the same tag, and answer sets that look like rankings."""
    years = [_named(run.split.submission, run).exam_year for run in runs]
    number = len({_tag(run) if year else run.path for run, year in zip(runs, years)})  # one run for several exam years
    if split.submission.columns and number > _MAX_RUNS:
        yield Finding("warning", None, f"{number} runs; at most {_MAX_RUNS} runs of a team are evaluated")
    paths: dict[tuple[str, str], list[str]] = {}
    for run, year in zip(runs, years):
        paths.setdefault((_tag(run), year), []).append(str(run.path))
    for (tag, _), of_tag in paths.items():
        if tag and len(of_tag) > 1:
            message = f"{len(of_tag)} runs have the tag {printable(tag)}; give each its own: {', '.join(of_tag)}"
            yield Finding("error", None, message)
    for run in runs:
        if remark := remark_on_size(split, run.table):
            yield Finding("warning", None, f"{run.path}: {remark}")


def _check_names(form: SubmissionForm, files: list[LoadedRun]) -> Iterator[Finding]:
    """Report files whose official name states another run tag than their lines."""
    for file in files:
        named = _named(form, file).tag
        if _tag(file) not in ("", named):
            tags = f"its name states the run tag {printable(named)!r}, its lines {printable(_tag(file))!r}"
            yield Finding("warning", None, f"{file.path}: {tags}; make both the same")


def _check_companions(
    runs: list[LoadedRun], others: list[LoadedRun], name: str, kind: str, option: str
) -> Iterator[Finding]:
    """Report runs without the second file that they require, and second files without a run."""
    if not name:
        return
    run_tags, other_tags = {*map(_tag, runs)}, {*map(_tag, others)}
    for run in runs:
        if _tag(run) not in other_tags:
            tag = printable(_tag(run))
            file = name.format(tag=tag)
            message = f"{run.path}: the {kind} with the tag {tag!r} is missing; pass {file} with {option}"
            yield Finding("error" if others else "warning", None, message)  # without any, it may be elsewhere
    for other in others:
        if _tag(other) not in run_tags:
            yield Finding("error", None, f"{other.path}: no run has the tag {printable(_tag(other))!r} of this {kind}")


def _unused_files(split: Split, long_lists: object, answers: object) -> Iterator[str]:
    """Yield a message for files that the edition does not have."""
    if long_lists and not split.submission.long_file:
        yield f"{split.id} has no long list; omit --long-list (long_list=)"
    if answers and not split.submission.answers_file:
        yield f"{split.id} has no file of answers; omit --answers (answers=)"


def _check_descriptions(split: Split, runs: list[LoadedRun]) -> Iterator[Finding]:
    if not split.submission.description_file:
        return
    for folder in dict.fromkeys(run.path.parent for run in runs if run.path):
        path = folder / split.submission.description_file
        try:
            text = DESCRIPTION.read_file(path).decode(errors="replace")
        except FileNotFoundError:
            yield Finding("warning", None, f"the system description {path} is missing; this edition requires one")
            continue
        except (MalformedFileError, OSError) as error:
            yield Finding("error", None, f"{path}: {reason_of(error)}")
            continue
        tags = {_tag(run) for run in runs if run.path and run.path.parent == folder}
        if missing := sorted(tags - _described_tags(split, text)):
            yield Finding("warning", None, f"{path}: no block of {split.task}, run tag {printable_list(missing)}")
        if empty := _empty_fields(text):
            yield Finding("warning", None, f"{path}: fields to be filled in: {printable_list(empty)}")


# The files of a submission: their official names, and all findings about them.


_NOT_IN_FILE_NAMES = re.compile(r'[/\\:*?"<>|]')
_NOT_IN_PILOT_NAMES = re.compile(r"[-_./\\\s]")  # the organisers' template splits file names at these characters


def official_names(split: Split, tag: str, team: str = "", affiliation: str = "") -> dict[str, str]:
    """Return the official names of the files of a submission.

    Parameters
    ----------
    split : Split
        The split that the run answers; one with a single exam year if the name contains the year.
    tag : str
        The run tag; in the pilot the name of the system.
    team, affiliation : str, optional
        Parts of the file names, where the edition has them there, as in the pilot.

    Returns
    -------
    dict of str to str
        File name by role: ``run``, and ``long``, ``answers`` and ``description`` where the edition has them.

    Raises
    ------
    ColieeError
        If a name contains characters that are not allowed in the file name.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> official_names(split("coliee/task3/sample/en/test"), "mine")
    {'run': 'task3.mine', 'long': 'task3-L.mine', 'description': 'SystemDescription.txt'}
    """
    form = split.submission
    run_files.check_tag(tag)
    if found := _NOT_IN_FILE_NAMES.search(tag):
        problem = f"The run tag {printable(tag, 30)!r} has the character {found[0]}, which file names cannot have"
        raise ColieeError(f"{problem}.\nThe tag is part of the name of the run file: use letters and digits.")
    files = {role: getattr(form, attribute) for role, attribute in _NAMES.items()}
    used = {field for name in files.values() for _, field, _, _ in Formatter().parse(name)}
    if "year" in used and len(split.exam_years) != 1:
        example = f"{split.id.removesuffix(split.name)}{split.exam_years[-1].lower()}"
        raise ColieeError(f"{split.id} has several exam years, each with its own file.\nSubmit one, such as {example}.")
    if "team" in used:
        for option, value in {"tag": tag, "team": team, "affiliation": affiliation}.items():
            if not value or not value.isprintable() or _NOT_IN_PILOT_NAMES.search(value):
                problem = f"{option} must be a name without hyphens, underscores, full stops and blanks"
                raise ColieeError(f"{problem}.\nGot {printable(value)!r}. Pass --{option} on the command line.")
    values = {
        "tag": tag,
        "team": team,
        "affiliation": affiliation,
        "year": "".join(split.exam_years[:1]),
        "test": "".join(split.files.get("instances", ())[:1]).removesuffix(".jsonl"),
    }
    return {role: file.format(**values) for role, file in files.items() if file}


# Write the files of a submission: apply the cut-off, format and name the files as required, and validate them.


class SubmittedFiles(list[Path]):
    """The files of a submission that were written, and what their validation found.

    Attributes
    ----------
    findings : list of Finding
        The warnings, of which `submit` warns as well, and the notes.
    """

    def __init__(self, paths: Iterable[Path], findings: list[Finding]) -> None:
        super().__init__(paths)
        self.findings = findings


def submit(
    dataset: Dataset,
    run: Run,
    *,
    tag: str,
    out: Path | str,
    cutoff: Cutoff | None = None,
    long_list: Run | None = None,
    answers: Run | None = None,
    team: str = "",
    affiliation: str = "",
    overwrite: bool = False,
) -> SubmittedFiles:
    """Write the official files of a run into a folder, under their official names.

    All files are validated before the first one is written.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        An answer set, or a ranking and a ``cutoff``, in any form that `ir_coliee.evaluation.runs.load_run` reads.
    tag : str
        The run tag, 1 to 12 letters or digits; in the pilot the name of the system.
    out : Path or str
        The folder to write into; it is created if missing.
    cutoff : Cutoff, optional
        Cut-off that makes a ranking an answer set. In task 1, the query itself is removed from its results before.
    long_list : path, pandas.DataFrame or dict, optional
        The long list of task 3; by default the ranking before the cut-off.
    answers : path, pandas.DataFrame or dict, optional
        The answers Y and N that a run of task 3 of 2026 requires.
    team, affiliation : str, optional
        Parts of the file name in the pilot.
    overwrite : bool, default False
        Whether to replace existing files.

    Returns
    -------
    SubmittedFiles
        The list of the files that were written; its ``findings`` are the warnings and notes of the validation.

    Raises
    ------
    MalformedRunError
        If the run has errors; the message lists them.
    MalformedFileError
        If a file cannot be read.
    ExistingFileError
        If a file would be overwritten and ``overwrite`` is False.
    ColieeError
        If a required argument is missing, or if an argument is passed that the edition does not use.

    Warns
    -----
    ColieeWarning
        If results were removed because they are the query itself.
    """
    split, folder = as_split(dataset), Path(out)
    names = official_names(split, tag, team, affiliation)
    for name in names.values():  # before the run is read; the contents are compared when they are known
        require_writable(folder / name)
    _check_arguments(split, cutoff, long_list, answers)
    with tempfile.TemporaryDirectory() as temporary:
        draft = Path(temporary)
        with warnings.catch_warnings():  # the validation reports the run tag as well
            warnings.filterwarnings("ignore", "run tag", ColieeWarning)
            if split.submission.columns:
                answer_set, ranking = _load_answer_set(split, run, cutoff)
                write_run(split, answer_set, draft / names["run"], tag)
            else:
                _write_instances(split, run, draft / names["run"])
            if "long" in names:
                if long_list is not None:
                    _, ranking = _load_answer_set(split, long_list, is_long_list=True)
                write_long_list(split, ranking, draft / names["long"], tag)
            if answers is not None:
                labels, _ = _load_answer_set(answers_split(split), answers)
                write_run(answers_split(split), labels, draft / names["answers"], tag)
        if "description" in names:
            (draft / names["description"]).write_bytes(with_block(folder / names["description"], split, tag))
        found = [
            finding._replace(line=None, message=f"{path.name}: {finding.message}" if path else finding.message)
            for path, finding in validate_submission(split, {role: [draft / name] for role, name in names.items()})
        ]
        _raise_errors(run, found)
        found = [finding._replace(message=finding.message.replace(str(draft), str(folder))) for finding in found]
        for finding in found:
            if finding.level == "warning":
                warnings.warn(finding.message, ColieeWarning, stacklevel=2)
        contents = {folder / file: (draft / file).read_bytes() for file in names.values()}
    described = folder / names.get("description", "")
    with one_at_a_time(folder):
        if "description" in names:  # merged with the existing one, which a call for another run may have changed
            contents[described] = with_block(described, split, tag)
        write_files(contents, replaceable=contents if overwrite else [described])
    return SubmittedFiles(contents, found)


def _check_arguments(split: Split, cutoff: Cutoff | None, long_list: Run | None, answers: Run | None) -> None:
    form = split.submission
    if cutoff is not None and (TASK_EVALUATIONS[split.task].single_answer or not form.columns):
        raise ColieeError(f"{split.id} does not use a cut-off.\nOmit --top and --cutoff (cutoff=).")
    for message in _unused_files(split, long_list is not None, answers is not None):
        raise ColieeError(f"{message}.")
    if form.answers_file and answers is None:
        raise ColieeError(f"{split.id} requires the answers Y and N as well.\nPass --answers (answers=).")
    if form.long_file and long_list is None and cutoff is None:
        remedy = "Pass a ranking with --top or --cutoff (cutoff=), or the long list by --long-list (long_list=)."
        raise ColieeError(f"{split.id} requires a long list as well.\n{remedy}")


def _load_answer_set(
    split: Split, run: Run, cutoff: Cutoff | None = None, *, is_long_list: bool = False
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the answer set of a run, and the ranking that it is cut from; raise all errors of the answers at once."""
    from ir_coliee.evaluation.cutoffs import usable_cutoffs

    loaded = run_files.read_answers(split, run)
    frame = loaded.frame if "rank" in loaded.frame else loaded.frame.assign(rank=np.arange(len(loaded.frame)))
    ranking = sort_results(frame).drop_duplicates(["qid", "docno"])
    if cutoff is not None:
        usable_cutoffs([cutoff], loaded.has_scores, run_name(run))
        ranking, notes = run_files.without_own_cases(split, ranking)
        for note in notes:
            warnings.warn(note, ColieeWarning, stacklevel=3)
        answer_set = cutoff(ranking)
    elif TASK_EVALUATIONS[split.task].single_answer and loaded.has_ranks:
        answer_set = ranking.drop_duplicates("qid")
    elif not is_long_list and _is_ranking(loaded):
        raise ColieeError(f"{run_name(run)} is a ranking.\nPass a cut-off: --top or --cutoff (cutoff=).")
    else:
        answer_set = ranking
    selected = set(zip(answer_set["qid"], answer_set["docno"]))
    is_selected = [pair in selected for pair in zip(loaded.table["qid"], loaded.table["docno"])]
    checked = CheckedRun(RunChecker(split), loaded.table[np.array(is_selected, dtype=np.bool_)])
    _raise_errors(run, content_findings(checked, loaded.errors))
    return answer_set, ranking


def _is_ranking(run: LoadedRun) -> bool:
    """Return whether a run was not meant as an answer set.

    Cut-offs return frames with ranks too, so that ranks are a sign of a ranking only in a file.
    """
    if run.file and not run.split.submission.has_scores and run.has_ranks:
        return True
    scores = run.table["score"][run.table["has_score"]]
    return (
        not run_files.allows_rankings(run.split) and scores.nunique() > 1 and bool(remark_on_size(run.split, run.table))
    )


def _raise_errors(run: Run, findings: Iterable[Finding]) -> None:
    errors = sorted((f for f in findings if f.level == "error"), key=lambda finding: finding.line or 0)
    if errors:
        shown = [f"line {error.line}: {error.message}" if error.line else error.message for error in errors]
        number = f"{len(errors)} error{'s' if len(errors) > 1 else ''}"
        raise MalformedRunError("\n".join([f"{run_name(run)} has {number}; no file was written.", *shown]))


def _write_instances(split: Split, run: Run, path: Path) -> None:
    """Write the answer file of the pilot. Its own form is kept as it is: it may contain answers to both subtasks."""
    loaded = run_files.read_answers(split, run)
    if loaded.file and loaded.form == "test file":
        _raise_errors(run, validate(split, loaded))
        lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in torts.read_json_lines(loaded.file)]
        write_file(path, "".join(lines).encode())
        return
    for error in loaded.errors:
        raise error
    write_run(split, loaded.frame, path, "run")


# Combine several runs by majority vote.


def vote(dataset: Dataset, runs: Runs) -> pd.DataFrame:
    """Answer each question with the majority of several runs; ties are answered with no.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split whose questions have one of two labels as their answer.
    runs : sequence of path, pandas.DataFrame or dict
        Two or more runs that answer the same questions, or a dict from name to run.

    Returns
    -------
    pandas.DataFrame
        Results in the form of `ir_coliee.transformers.answers.votes.majority_vote`.

    Raises
    ------
    ColieeError
        For a split of another task, for fewer than two files, and for a file that is passed twice.
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If a file gives two answers to a question, or if the files do not answer the same questions.
    """
    from ir_coliee.transformers.answers.votes import majority_vote  # imports PyTerrier, which reading does not need

    split = as_split(dataset)
    if not TASK_EVALUATIONS[split.task].single_answer:
        raise ColieeError(f"{split.id} has no single answer per question.\nVotes are for tasks 4, 5 and prediction.")
    named = run_files.named_runs(runs)
    if len(named) < 2:
        raise ColieeError(f"A vote needs at least two runs, got {len(named)}. An odd number leaves no ties.")
    checker = RunChecker(split)
    frames = {name: checker.load(run)[0].frame[["qid", "docno", "score"]] for name, run in named.items()}
    questions = set().union(*(run["qid"] for run in frames.values()))
    for name, run in frames.items():
        if missing := sorted(questions.difference(run["qid"])):
            problem = f"no answer to {printable_list(missing)}, which another run answers"
            raise MalformedRunError(f"{name}: {problem}.\nPass runs that answer the same questions.")
    return majority_vote(list(frames.values()))
