"""Write the files of a submission: apply the cut-off, format and name the files as required, and validate them."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedRunError
from ir_coliee.evaluation.runs.answers import Answers
from ir_coliee.evaluation.runs.descriptions import Description, read_descriptions, with_block
from ir_coliee.evaluation.runs.file_writing import require_writable, write_file, write_files
from ir_coliee.evaluation.runs.format_rules import allows_rankings, answers_split, remark_on_size
from ir_coliee.evaluation.runs.in_memory import Run, run_name
from ir_coliee.evaluation.runs.loading import answers_of
from ir_coliee.evaluation.runs.own_cases import without_own_cases
from ir_coliee.evaluation.runs.parsed_run import Finding
from ir_coliee.evaluation.runs.reading import open_run
from ir_coliee.evaluation.runs.submission_files import official_names, validate_files
from ir_coliee.evaluation.runs.validation import content_findings, validate
from ir_coliee.evaluation.runs.writing import write_long_list, write_run
from ir_coliee.evaluation.task_evaluation import task_evaluation
from ir_coliee.releases import torts
from ir_coliee.unfinished_folders import one_at_a_time

if TYPE_CHECKING:
    from ir_coliee.transformers.candidates.cutoffs import Cutoff

_ERRORS_SHOWN = 5


@dataclass(frozen=True, eq=False)
class _Draft:
    """The arguments of a submission, and the temporary folder in which its files are written and validated."""

    split: Split
    run: Run
    tag: str
    folder: Path
    names: Mapping[str, str]
    cutoff: Cutoff | None
    long_list: Run | None
    answers: Run | None


def submit(  # noqa: PLR0913  (the fields of a system description are arguments as well)
    dataset: Dataset,
    run: Run,
    *,
    tag: str,
    folder: Path | str,
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
    """Write the official files of a run into a folder, under their official names.

    All files are validated before the first one is written.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        An answer set, or a ranking and a ``cutoff``. A file may have any form that
        `ir_coliee.evaluation.runs.reading.parse_run` reads.
    tag : str
        The run tag, 1 to 12 letters or digits; in the pilot the name of the system.
    folder : Path or str
        The folder to write into; it is created if missing.
    cutoff : Cutoff, optional
        Cut-off that makes a ranking an answer set. In task 1, the query itself is removed from its results before.
    long_list : path, pandas.DataFrame or dict, optional
        The long list of task 3; by default the ranking before the cut-off.
    answers : path, pandas.DataFrame or dict, optional
        The answers Y and N that a run of task 3 of 2026 requires.
    team, affiliation : str, optional
        Parts of the file name in the pilot.
    models, resources, explanation : str, optional
        Fields of the system description, where the edition has one. If all are empty, an existing description of
        the run is kept.
    overwrite : bool, default False
        Whether to replace existing files.

    Returns
    -------
    list of Path
        The files that were written.

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
    split, folder = as_split(dataset), Path(folder)
    names = official_names(split, tag, team, affiliation)
    for name in names.values():  # before the run is read; the contents are compared when they are known
        require_writable(folder / name, overwrite=True)
    with tempfile.TemporaryDirectory() as temporary:
        draft = _Draft(split, run, tag, Path(temporary), names, cutoff, long_list, answers)
        _check_arguments(draft)
        if split.submission.columns:
            _write_runs(draft)
        else:
            _write_instances(split, run, draft.folder / names["run"])
        if "description" in names:
            description = Description(split.task.removeprefix("task"), tag, models, resources, explanation)
            content = _describe(description, folder / names["description"], overwrite=overwrite)
            (draft.folder / names["description"]).write_bytes(content)
        found = validate_files(split, draft.folder, names)
        named = [
            finding._replace(line=None, message=f"{path.name}: {finding.message}") if path else finding
            for path, finding in found
        ]
        _raise_errors(run, named)
        contents = {folder / file: (draft.folder / file).read_bytes() for file in names.values()}
    described = folder / names.get("description", "")
    with one_at_a_time(folder):
        if "description" in names:  # merged with the existing one, which a call for another run may have changed
            contents[described] = _describe(description, described, overwrite=overwrite)
        write_files(contents, replaceable=contents if overwrite else [described])
    return list(contents)


def _check_arguments(draft: _Draft) -> None:
    split, names = draft.split, draft.names
    if draft.cutoff is not None and (task_evaluation(split).single_answer or not split.submission.columns):
        raise ColieeError(f"{split.id} does not use a cut-off.\nOmit --top and --cutoff (cutoff=).")
    if draft.long_list is not None and "long" not in names:
        raise ColieeError(f"{split.id} has no long list; omit --long (long_list=).")
    if draft.answers is not None and "answers" not in names:
        raise ColieeError(f"{split.id} has no file of answers; omit --answers (answers=).")
    if "answers" in names and draft.answers is None:
        raise ColieeError(f"{split.id} requires the answers Y and N as well.\nPass --answers (answers=).")
    if "long" in names and draft.long_list is None and draft.cutoff is None:
        raise ColieeError(
            f"{split.id} requires a long list as well.\nPass a ranking with a cut-off by --top or --cutoff (cutoff=), "
            "or the long list by --long (long_list=)."
        )


def _write_runs(draft: _Draft) -> None:
    """Write the answer set, and the long list or the answers where the edition has them."""
    split, tag, names = draft.split, draft.tag, draft.names
    with warnings.catch_warnings():  # the validation reports the run tag as well
        warnings.filterwarnings("ignore", "run tag", ColieeWarning)
        answer_set, ranking = _load_answer_set(split, draft.run, draft.cutoff)
        write_run(split, answer_set, draft.folder / names["run"], tag)
        if "long" in names:
            if draft.long_list is not None:
                _, ranking = _load_answer_set(split, draft.long_list, None, is_long_list=True)
            write_long_list(split, ranking, draft.folder / names["long"], tag)
        if draft.answers is not None:
            labels, _ = _load_answer_set(answers_split(split), draft.answers, None)
            write_run(answers_split(split), labels, draft.folder / names["answers"], tag)


def _load_answer_set(
    split: Split, run: Run, cutoff: Cutoff | None, *, is_long_list: bool = False
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the answer set of a run, and the ranking that it is cut from; raise all errors of the answers at once."""
    from ir_coliee.transformers.candidates.cutoffs import TopK

    every = answers_of(split, run)
    ranking = every.as_frame().drop_duplicates(["qid", "docno"])
    if cutoff is not None:
        if not isinstance(cutoff, TopK) and not every.has_scores:
            raise ColieeError(f"{run_name(run)} has no scores.\nUse --top or --cutoff 'TopK(k)'.")
        ranking, notes = without_own_cases(split, ranking)
        for note in notes:
            warnings.warn(note, ColieeWarning, stacklevel=4)
        answer_set = cutoff(ranking)
    elif task_evaluation(split).single_answer and every.has_ranks:
        answer_set = ranking.drop_duplicates("qid")
    elif not is_long_list and _is_ranking(split, run, every):
        raise ColieeError(f"{run_name(run)} is a ranking.\nPass a cut-off: --top or --cutoff (cutoff=).")
    else:
        answer_set = ranking
    selected = pd.MultiIndex.from_frame(answer_set[["qid", "docno"]])
    is_selected = pd.MultiIndex.from_frame(every.table[["query_id", "docno"]].astype(object)).isin(selected)
    _raise_errors(run, content_findings(split, every.select(is_selected)))
    return answer_set, ranking


def _is_ranking(split: Split, run: Run, answers: Answers) -> bool:
    """Return whether a run was not meant as an answer set.

    Cut-offs return frames with ranks too, so that ranks are a sign of a ranking only in a file.
    """
    if isinstance(run, (str, Path)) and not split.submission.has_scores and answers.has_ranks:
        return True
    scores = answers.table["score"][answers.table["has_score"]]
    if allows_rankings(split) or scores.nunique() < 2:
        return False
    return bool(remark_on_size(split, answers.num_pairs, len(answers.column("query_id")[1])))


def _raise_errors(run: Run, findings: Iterable[Finding]) -> None:
    errors = [finding for finding in findings if finding.level == "error"]
    if errors:
        shown = [f"line {error.line}: {error.message}" if error.line else error.message for error in errors]
        count = sum(error.num_lines for error in errors)
        more = [f"and {count - _ERRORS_SHOWN:,} more"] if count > _ERRORS_SHOWN else []
        number = f"{count:,} error{'s' if count > 1 else ''}"
        raise MalformedRunError(
            "\n".join([f"{run_name(run)} has {number}; no file was written.", *shown[:_ERRORS_SHOWN], *more])
        )


def _write_instances(split: Split, run: Run, path: Path) -> None:
    """Write the answer file of the pilot. Its own form is kept as it is: it may contain answers to both subtasks."""
    file = open_run(Path(run)) if isinstance(run, (str, Path)) else None
    if file is None or not file.is_json:
        write_run(split, run, path, "run")
        return
    _raise_errors(run, validate(split, file))
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in torts.read_json_lines(file)]
    write_file(path, "".join(lines).encode(), overwrite=False)


def _describe(description: Description, path: Path, *, overwrite: bool) -> bytes:
    """Return the system description with the run's block; empty fields do not replace an existing block."""
    if path.is_file() and description.is_empty and description.run in [known.run for known in read_descriptions(path)]:
        return path.read_bytes()
    return with_block(path, description, overwrite=overwrite)
