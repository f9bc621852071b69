"""From a run to the files that are mailed: cut, written and named as the edition wants it, and checked."""

from __future__ import annotations

import ast
import json
import math
import re
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, MalformedRunError, shown
from ir_coliee.evaluation.inputs import Dataset, Run, as_split, frame_of, run_name
from ir_coliee.evaluation.runs import (
    RunLine,
    as_frame,
    check_run_frame,
    open_run,
    parse_run,
    write_long_list,
    write_run,
)
from ir_coliee.evaluation.runs.descriptions import Description, read_descriptions, with_block
from ir_coliee.evaluation.runs.file_writing import require_writable, write_file
from ir_coliee.evaluation.runs.format_rules import WORD, answers_split
from ir_coliee.evaluation.runs.submission_validation import validate_submission
from ir_coliee.evaluation.runs.validation import Finding, content_findings, validate
from ir_coliee.evaluation.task_evaluation import task_evaluation
from ir_coliee.releases import torts

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.transformers.candidates.cutoffs import Cutoff

_ERRORS_SHOWN = 5
_LONGEST_CUTOFF = 200  # characters: brackets too deep would be too much for Python's parser
_NO_FILE_NAME = re.compile(r'[/\\:*?"<>|]')
_NO_NAME_OF_THE_PILOT = re.compile(r"[-_./\\\s]")  # the template splits file names at them


def submit(
    dataset: Dataset,
    run: Run,
    *,
    tag: str,
    folder: Path,
    cutoff: Cutoff | None = None,
    long_list: Run | None = None,
    answers: Run | None = None,
    team: str = "",
    affiliation: str = "",
    models: str = "",
    resources: str = "",
    explanation: str = "",
    overwrite: bool = False,
) -> list[Path]:
    """Write the official files of a run into a folder, under their official names; returns their paths.

    ``run`` is an answer set, or a ranking that ``cutoff`` makes one, in any form that is read (`reading.parse_run`).
    Task 3 also wants a long list: the ranking before the cut, or ``long_list``; in 2026, ``answers``, the file of Y and
    N, in its place. The pilot's file is named by ``team`` and ``affiliation`` too, the tag is the system's name.
    Where the edition wants a system description, a block with ``models``, ``resources`` and ``explanation`` is
    added to it; without any of them, a block that is there is left as it is.

    All is checked before anything is written. Raises `MalformedRunError` with the errors of the run,
    `MalformedFileError` where a file cannot be read, `ExistingFileError` where one would be overwritten, unless
    ``overwrite``, and `ColieeError` where something that the edition wants is not given, or something is that it
    does not have.
    """
    split = as_split(dataset)
    names = official_names(split, tag, team, affiliation)
    _refuse_what_is_not_wanted(split, names, cutoff, long_list, answers)
    with tempfile.TemporaryDirectory() as name:
        drafts = Path(name)
        if split.submission.columns:
            with warnings.catch_warnings():  # `check` says it of what was written
                warnings.filterwarnings("ignore", "run tag", ColieeWarning)
                _write_answers(split, run, tag, drafts, names, cutoff, long_list, answers)
        else:
            _write_instances(split, run, drafts / names["run"])
        if "description" in names:
            description = Description(split.task.removeprefix("task"), tag, models, resources, explanation)
            _describe(description, folder / names["description"], drafts / names["description"], overwrite)
        found = check(split, drafts, names)
        _refuse(run, [f"{path.name}: {finding.message}" for path, finding in found if finding.level == "error"])
        content = {role: (drafts / file).read_bytes() for role, file in names.items()}
    may_overwrite = {role: overwrite or role == "description" for role in names}  # what that had is in its draft
    for role, file in names.items():  # before the first of several is written
        if not _says(folder / file, content[role]):
            require_writable(folder / file, overwrite=may_overwrite[role])
    for role, file in names.items():
        write_file(folder / file, content[role], overwrite=may_overwrite[role])
    return [folder / file for file in names.values()]


def _says(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:  # it is not there, or no file that could be compared
        return False


def official_names(split: Split, tag: str, team: str = "", affiliation: str = "") -> dict[str, str]:
    """The names of the files of a submission: of the ``run``, and of ``long``, ``answers``, ``description``, if wanted.

    Raises `ColieeError` for names that no file, or none of the pilot's, can have.

    >>> official_names(as_split("coliee/task3/sample/en/test"), "mine")
    {'run': 'task3.mine', 'long': 'task3-L.mine', 'description': 'SystemDescription.txt'}
    """
    form = split.submission
    if not WORD.fullmatch(tag) or _NO_FILE_NAME.search(tag):
        raise ColieeError(f"run tag {shown(tag)!r}: 1 to 12 letters or digits are wanted, and nothing no file can bear")
    values = {"tag": tag}
    if "{year}" in form.file:
        if len(split.exam_years) != 1:
            raise ColieeError(
                f"{split.id} has several exam years, and each has a file of its own. Submit them one by one, "
                f"{split.id.removesuffix(split.name)}{split.exam_years[-1].lower()} and so on."
            )
        values["year"] = split.exam_years[0]
    if "{team}" in form.file:
        values |= {"team": team, "affiliation": affiliation}
        for what, value in values.items():
            if not value or not value.isprintable() or _NO_NAME_OF_THE_PILOT.search(value):
                raise ColieeError(
                    f"{what} {shown(value)!r}: a name without hyphen, underscore, full stop and blank is wanted "
                    f"(on the command line --{what})."
                )
        values["test"] = split.files["instances"][0].removesuffix(".jsonl")
    names = {
        "run": form.file,
        "long": form.long_file,
        "answers": form.answers_file,
        "description": form.description_file,
    }
    return {role: file.format(**values) for role, file in names.items() if file}


def check(split: Split, folder: Path, names: Mapping[str, str]) -> list[tuple[Path, Finding]]:
    """All findings about the files of a submission (`official_names`), with the file, or the folder, that has them."""
    files = {role: folder / file for role, file in names.items()}
    found = []
    for role in ("run", "long", "answers"):
        if role in files:
            of_file = validate(answers_split(split) if role == "answers" else split, files[role])
            found += [(files[role], finding) for finding in of_file]
    together = validate_submission(
        split,
        [files["run"]],
        long_lists=[files[role] for role in names if role == "long"],
        answers=[files[role] for role in names if role == "answers"],
    )
    return found + [(folder, finding) for finding in together]


def mail_subject(split: Split, team: str = "") -> str:
    """The subject line of the mail, where the organisers ask for one: tasks 1 and 2 since 2025; else empty.

    >>> mail_subject(as_split("coliee/task1/sample/test"), "ours")
    '[submission] ours'
    """
    return split.submission.mail_subject.format(team=team or "GROUP")


def parse_cutoff(text: str) -> Cutoff:
    """The cut-off that is written as Python would write it: a name of `ir_coliee.transformers.candidates.cutoffs`, and numbers.

    Nothing is run but that constructor. Raises `ColieeError` for anything else.

    >>> parse_cutoff("DynamicCutoff(ratio=0.5, min_items=1, max_items=5)")
    DynamicCutoff(ratio=0.5, min_items=1, max_items=5)
    """
    from ir_coliee.transformers.candidates import cutoff_classes

    known: Mapping[str, Callable[..., Cutoff]] = cutoff_classes()
    try:
        if len(text) > _LONGEST_CUTOFF:
            raise ValueError("it is too long")
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in known:
            raise ValueError("it is none of them")
        arguments = [_number(argument) for argument in call.args]
        named = {str(word.arg): _number(word.value) for word in call.keywords}
        if len(named) < len(call.keywords):
            raise ValueError("an argument is given twice")
        return known[call.func.id](*arguments, **named)
    except (SyntaxError, TypeError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise ColieeError(
            f"cut-off {shown(text)!r}: {shown(str(error))}. One of {', '.join(known)} is wanted, with numbers, as "
            "'DynamicCutoff(ratio=0.5, min_items=1, max_items=5)'."
        ) from None


def _number(node: ast.expr) -> float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"{ast.unparse(node)} is no number") from None
    if value is not None and (type(value) not in (int, float) or not math.isfinite(value)):
        raise ValueError(f"{value!r} is no finite number")
    return value  # type: ignore[no-any-return]


def _refuse_what_is_not_wanted(
    split: Split, names: Mapping[str, str], cutoff: Cutoff | None, long_list: Run | None, answers: Run | None
) -> None:
    form = split.submission
    if cutoff is not None and (task_evaluation(split).single_answer or not form.columns):
        raise ColieeError(f"{split.id}: there is nothing to cut, a query has one answer or all that were accepted.")
    if long_list is not None and "long" not in names:
        raise ColieeError(f"{split.id} has no long list. Leave it out.")
    if answers is not None and "answers" not in names:
        raise ColieeError(f"{split.id} has no file of answers. Leave it out.")
    if "answers" in names and answers is None:
        raise ColieeError(
            f"{split.id}: beside the articles a file of the answers, Y or N, is required. Give it (on the command "
            "line --answers)."
        )
    if "long" in names and long_list is None and cutoff is None:
        raise ColieeError(
            f"{split.id}: beside the answer set the long list is required. Give a ranking and where to cut it, or the "
            "list (on the command line --top or --cutoff, or --long)."
        )


def _write_answers(
    split: Split,
    run: Run,
    tag: str,
    drafts: Path,
    names: Mapping[str, str],
    cutoff: Cutoff | None,
    long_list: Run | None,
    answers: Run | None,
) -> None:
    chosen, ranking = _chosen(split, run, cutoff)
    write_run(split, chosen, drafts / names["run"], tag)
    if "long" in names:
        listed = ranking if long_list is None else _chosen(split, long_list, None)[1]
        write_long_list(split, listed, drafts / names["long"], tag)
    if answers is not None:
        write_run(answers_split(split), _chosen(answers_split(split), answers, None)[0], drafts / names["answers"], tag)


def _chosen(split: Split, run: Run, cutoff: Cutoff | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The answer set of a run file, and the ranking it comes from. Raises `MalformedRunError` with all errors of it."""
    from ir_coliee.transformers.candidates.cutoffs import TopK

    entries = _entries(split, run)
    answers = [entry for entry in entries if isinstance(entry, RunLine)]
    is_ranking = not split.submission.has_scores and any(answer.rank for answer in answers)
    ranking = as_frame(answers).drop_duplicates(["qid", "docno"])
    if cutoff is not None:
        if not isinstance(cutoff, TopK) and not all(answer.has_score for answer in answers):
            raise ColieeError(f"{run_name(run)} has no scores, and its order alone can be cut: --top, or TopK.")
        chosen = cutoff(ranking)
    elif is_ranking and task_evaluation(split).single_answer:
        chosen = ranking.drop_duplicates("qid")
    elif is_ranking:
        raise ColieeError(f"{run_name(run)} is a ranking. Say where to cut it (on the command line --top or --cutoff).")
    else:
        chosen = ranking
    kept = set(zip(chosen["qid"], chosen["docno"]))
    of_chosen = [e for e in entries if isinstance(e, MalformedFileError) or (e.query_id, e.docno) in kept]
    _refuse(run, _errors(content_findings(split, of_chosen)))
    return chosen, ranking


def _entries(split: Split, run: Run) -> list[RunLine | MalformedFileError]:
    """The answers of a run of any form, and for each line that cannot be read the error."""
    if isinstance(run, (str, Path)):
        return list(parse_run(split, open_run(Path(run))))
    frame = frame_of(run)
    check_run_frame(frame)
    columns = zip(frame["qid"], frame["docno"], frame["score"])
    return [
        RunLine(number, query_id, docno, float(score), "", "", (query_id, docno))
        for number, (query_id, docno, score) in enumerate(columns, start=1)
    ]


def _errors(findings: Iterable[Finding]) -> list[str]:
    errors = [finding for finding in findings if finding.level == "error"]
    return [f"line {error.line}: {error.message}" if error.line else error.message for error in errors]


def _refuse(run: Run, errors: Sequence[str]) -> None:
    if errors:
        more = f"; and {len(errors) - _ERRORS_SHOWN} more" if len(errors) > _ERRORS_SHOWN else ""
        raise MalformedRunError(
            f"{run_name(run)}: errors: {len(errors)}, nothing was written. {'; '.join(errors[:_ERRORS_SHOWN])}{more}."
        )


def _write_instances(split: Split, run: Run, path: Path) -> None:
    """The pilot's answer file as it is: it may answer both subtasks, and one upload serves both."""
    if not isinstance(run, (str, Path)):
        write_run(split, frame_of(run), path, "run")
        return
    file = open_run(Path(run))
    _refuse(run, _errors(validate(split, file)))
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in torts.read_json_lines(file)]
    write_file(path, "".join(lines).encode(), overwrite=False)


def _describe(description: Description, path: Path, draft: Path, overwrite: bool) -> None:
    """The description with the block of the run in it, which nothing is said in does not replace another."""
    says_something = description.models or description.resources or description.explanation
    if path.is_file() and not says_something and description.run in [known.run for known in read_descriptions(path)]:
        draft.write_bytes(path.read_bytes())
    else:
        draft.write_bytes(with_block(path, description, overwrite=overwrite))
