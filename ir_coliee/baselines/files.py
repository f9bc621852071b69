"""The files of a baseline, and the commands that take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from ir_coliee import storage as file_writing
from ir_coliee.baselines.plan import Plan
from ir_coliee.baselines.training import BaselineRun
from ir_coliee.editions import Split
from ir_coliee.errors import ExistingFileError
from ir_coliee.evaluation.runs import answers_split, stem
from ir_coliee.evaluation.writing import write_long_list, write_ranking, write_run
from ir_coliee.storage import require_writable


def file_names(plan: Plan, tag: str) -> dict[str, str]:
    """Return the names of the files that a run is written to.

    Parameters
    ----------
    plan : Plan
        The plan of the runs.
    tag : str
        The tag of a run.

    Returns
    -------
    dict of str to str
        The file name of each role:

        * ``answers``: the answer set in the official form;
        * ``ranking``: the ranking in TREC's form, in tasks 1 to 3;
        * ``long``: the long list, if the edition has one;
        * ``labels``: the answers Y and N, if the edition asks for them;
        * ``train``: the ranking of the train split in TREC's form, in tasks 1 to 3. If it depends on the split to
          answer, its name says so. For a train split it takes the place of ``ranking``. An exam year of the train split
          has none, because it has only some of its questions.
    """
    split, name = plan.split, f"{stem(plan.split)}.{tag}"
    names = {"answers": name}
    if not plan.has_rankings:
        return names
    names["ranking"] = f"{name}.trec"
    if split.submission.long_file:
        names["long"] = f"{name}.long"
    if split.submission.answers_file and plan.training:
        names["labels"] = f"{name}.answers"
    if plan.training and plan.training.exam_years is None:
        is_own = split == plan.training.split or plan.shares_train_ranking(tag)
        names["train"] = f"{stem(plan.training.split)}.{tag}{'' if is_own else f'-for-{split.name}'}.trec"
        if names["train"] == names["ranking"]:
            del names["ranking"]
    return names


def require_writable_files(files: Mapping[str, Mapping[str, Path]]) -> list[Path]:
    """Check before a long computation that `write_files` will be able to write the files of the runs.

    Return those that exist. They are no error: the same call writes the same content, which is known only after the
    computation, and this is not lost if the content differs.
    """
    paths = [path for of_run in files.values() for path in of_run.values()]
    for path in paths:
        require_writable(path)
    return [path for path in paths if path.exists()]


def write_files(
    plan: Plan, runs: Iterable[BaselineRun], files: Mapping[str, Mapping[str, Path]], *, overwrite: bool = False
) -> dict[str, dict[str, Path]]:
    """Write runs to their files by tag and role: all of them, or none if one exists with other content.

    In that case `ExistingFileError` is raised, and the runs, which can have taken hours, are written beside them
    instead, as ``NAME.new``; with ``overwrite``, such files are replaced. Return the files that were written.
    """
    written: dict[str, dict[str, Path]] = {}
    contents: dict[Path, bytes] = {}
    with TemporaryDirectory() as folder:  # so that a process that is killed leaves no part of the files
        for run in runs:
            written[run.tag] = {}
            for role, path in files[run.tag].items():
                if (rows := _rows(run, role)) is not None:
                    unfinished = Path(folder, path.name)
                    _WRITERS[role](_answered(plan, role), rows, unfinished, run.tag)
                    contents[path] = unfinished.read_bytes()
                    written[run.tag][role] = path
    try:
        file_writing.write_files(contents, replaceable=contents if overwrite else ())
    except ExistingFileError as error:
        beside = {path.with_name(f"{path.name}.new"): content for path, content in contents.items()}
        file_writing.write_files(beside, replaceable=beside)
        raise ExistingFileError(f"{error}\nThe new files are beside it, with .new at the end of their names.") from None
    return written


_WRITERS: dict[str, Callable[..., None]] = {
    "answers": write_run,
    "ranking": write_ranking,
    "long": write_long_list,
    "labels": write_run,
    "train": write_ranking,
}


def _rows(run: BaselineRun, role: str) -> pd.DataFrame | None:
    """Return the content of a file, None if the run has none."""
    rows = {"answers": run.answers, "labels": run.labels, "train": run.train_ranking}
    return rows.get(role, run.ranking)


def _answered(plan: Plan, role: str) -> Split:
    """Return the split whose queries are in a file."""
    if role == "train" and plan.training:
        return plan.training.split
    return answers_split(plan.split) if role == "labels" else plan.split


def next_commands(plan: Plan, files: Mapping[str, Mapping[str, Path]], *, has_gold: bool) -> list[list[str]]:
    """Return the commands that take the written files of the runs, as lists of arguments.

    These are ``tune`` and ``score``, as far as the split has a use for them, and ``submit`` for a test split, otherwise
    ``analyse``. ``tune`` and ``submit`` take the last run.
    """
    split = plan.split
    *_, last = files
    of_last = files[last]
    answers = [str(of_run["answers"]) for of_run in files.values()]
    commands = []
    if "train" in of_last:
        commands.append(["tune", _answered(plan, "train").id, str(of_last["train"])])
    if has_gold:
        commands.append(["score", split.id, *answers, *(word for run in files.values() for word in _options(run))])
    if split.is_test:
        if not split.submission.answers_file or "labels" in of_last:
            names = [] if split.submission.columns else ["--team", "TEAM", "--affiliation", "AFFILIATION"]
            options = [*_options(of_last), "--tag", last, *names, "--out", f"submission/{stem(split)}"]
            commands.append(["submit", split.id, str(of_last["answers"]), *options])
    elif has_gold:
        labels = [str(run["labels"]) for run in files.values() if "labels" in run]
        commands.append(["analyse", split.id, *answers, *(word for file in labels for word in ("--answers", file))])
    return commands


def _options(files: Mapping[str, Path]) -> list[str]:
    """Return the options for the files that go with an answer set."""
    options = {"long": "--long-list", "labels": "--answers"}
    return [word for role, option in options.items() if role in files for word in (option, str(files[role]))]
