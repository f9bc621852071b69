"""The files of a baseline, and the commands that take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd

from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.pipelines import Plan
from ir_coliee.editions import Split
from ir_coliee.evaluation.runs import write_long_list, write_ranking, write_run
from ir_coliee.evaluation.runs.format_rules import answers_split


def file_names(plan: Plan, tag: str) -> dict[str, str]:
    """Return the names of the files that a run is written to.

    Parameters
    ----------
    plan : Plan
        What is run.
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
        * ``train``: the ranking of the train split in TREC's form, in tasks 1 to 3. For a train split it takes the
          place of ``ranking``. An exam year of the train split has none, because it has only some of its questions.
    """
    split, stem = plan.split, f"{_stem(plan.split)}.{tag}"
    names = {"answers": stem}
    if not plan.has_bm25:
        return names
    names["ranking"] = f"{stem}.trec"
    if split.submission.long_file:
        names["long"] = f"{stem}.long"
    if split.submission.answers_file and plan.training:
        names["labels"] = f"{stem}.answers"
    if plan.training and plan.training.exam_years is None:
        names["train"] = f"{_stem(plan.training.split)}.{tag}.trec"
        if names["train"] == names["ranking"]:
            del names["ranking"]
    return names


def _stem(split: Split) -> str:
    return split.id.replace("/", "-")


def write_files(plan: Plan, run: BaselineRun, files: Mapping[str, Path], *, overwrite: bool = False) -> dict[str, Path]:
    """Write a run to its files.

    Parameters
    ----------
    plan : Plan
        What was run.
    run : BaselineRun
        The run.
    files : mapping of str to Path
        The file of each role, named as by `file_names`.
    overwrite : bool
        Whether to replace existing files with other content.

    Returns
    -------
    dict of str to Path
        The files that were written, by role.

    Raises
    ------
    ExistingFileError
        If a file exists with other content and ``overwrite`` is False.
    """
    split = plan.split
    contents: dict[str, tuple[Callable[..., None], Split, pd.DataFrame | None]] = {
        "answers": (write_run, split, run.answers),
        "ranking": (write_ranking, split, run.ranking),
        "long": (write_long_list, split, run.ranking),
        "labels": (write_run, answers_split(split) if "labels" in files else split, run.labels),
        "train": (write_ranking, plan.training.split if plan.training else split, run.train_ranking),
    }
    written = {role: path for role, path in files.items() if contents[role][-1] is not None}
    for role, path in written.items():
        write, answered, rows = contents[role]
        write(answered, rows, path, run.tag, overwrite=overwrite)
    return written


def next_commands(plan: Plan, files: Mapping[str, Mapping[str, Path]], *, has_gold: bool) -> list[list[str]]:
    """Return the commands that take the files of the runs.

    Parameters
    ----------
    plan : Plan
        What was run.
    files : mapping of str to mapping of str to Path
        The written files of each run by role, by tag.
    has_gold : bool
        Whether the split has gold labels.

    Returns
    -------
    list of list of str
        The arguments of ``tune``, ``score`` and ``submit``, as far as the split has a use for them. ``tune`` and
        ``submit`` take the last run.
    """
    split, training = plan.split, plan.training
    (*_, tag), (*_, last) = files, files.values()
    commands = []
    if training and "train" in last:
        commands.append(["tune", training.split.id, str(last["train"])])
        commands[-1] += ["--test", str(last["ranking"])] if split.is_test else []
    if has_gold:
        commands.append(["score", split.id, *(str(each["answers"]) for each in files.values())])
        commands[-1] += [word for each in files.values() for word in _options(each)]
    if split.is_test:
        commands.append(["submit", split.id, str(last["answers"]), *_options(last), "--tag", tag])
        commands[-1] += [] if split.submission.columns else ["--team", "TEAM", "--affiliation", "AFFILIATION"]
        commands[-1] += ["--out", f"submission/{_stem(split)}"]
    return commands


def _options(files: Mapping[str, Path]) -> list[str]:
    """Return the options for the files that go with an answer set."""
    options = {"long": "--long", "labels": "--answers"}
    return [word for role, option in options.items() if role in files for word in (option, str(files[role]))]
