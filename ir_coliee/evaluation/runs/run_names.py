"""The names of run files: which tag they contain, and which files belong together.

The command ``baseline`` names its files by the split and the tag: ``coliee-task1-2025-test.bm25`` is an answer set,
and ``coliee-task1-2025-test.bm25.trec`` its ranking.
"""

from __future__ import annotations

import re
from pathlib import Path

from ir_coliee.editions import Split

_SUFFIXES = {".gz", ".trec", ".run", ".res", ".long", ".txt", ".tsv", ".csv", ".json", ".jsonl"}
_MAX_TAG = 12


def stem(split: Split) -> str:
    """Return the beginning of the names of a split's files.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> stem(split("coliee/task1/sample/test"))
    'coliee-task1-sample-test'
    """
    return split.id.replace("/", "-")


def submission_folder(split: Split) -> str:
    """Return the folder that commands propose for a submission.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> submission_folder(split("coliee/task1/sample/test"))
    'submission/coliee-task1-sample-test'
    """
    return f"submission/{stem(split)}"


def tag_of_run(run: Path) -> str:
    """Return a run tag for a file: its last suffix that is not one of a format, or its name, in letters and digits.

    Examples
    --------
    >>> tag_of_run(Path("coliee-task1-2025-test.bm25.trec")), tag_of_run(Path("my run.txt"))
    ('bm25', 'myrun')
    """
    name = _without_formats(run).name
    return tag_in_letters(name.rpartition(".")[2])


def tag_in_letters(tag: str) -> str:
    """Return a run tag as the organisers ask for: 1 to 12 letters or digits.

    Examples
    --------
    >>> tag_in_letters("mine"), tag_in_letters("a/b_2")
    ('mine', 'ab2')
    """
    return re.sub("[^A-Za-z0-9]", "", tag)[:_MAX_TAG] or "run"


def run_of_other_split(run: Path, split: Split, other: Split) -> Path | None:
    """Return the run of another split by the same system, if a file with the corresponding name is in the same folder.

    Parameters
    ----------
    run : pathlib.Path
        A run of ``split``.
    split, other : Split
        The two splits.

    Returns
    -------
    pathlib.Path or None
        The file with the name of the other split in place of this one's, such as ``test.bm25.trec`` for
        ``train.bm25.trec``; None if there is no such file.
    """
    name = re.sub(rf"(?<![A-Za-z0-9]){re.escape(split.name)}(?![A-Za-z0-9])", other.name, run.name)
    path = run.with_name(name)
    return path if name != run.name and path.is_file() else None


def answers_of_run(run: Path) -> Path | None:
    """Return the file of answers Y and N that `baseline` wrote beside a run, or None if there is none."""
    base = _without_formats(run)
    path = base.parent / f"{base.name}.answers"
    return path if path.is_file() else None


def ranking_of_run(run: Path) -> Path | None:
    """Return the ranking that `baseline` wrote beside an answer set, or None if there is none."""
    return _with_suffix(run, ".trec")


def long_list_of_run(run: Path) -> Path | None:
    """Return the long list of task 3 that `baseline` wrote beside an answer set, or None if there is none."""
    return _with_suffix(run, ".long")


def _with_suffix(run: Path, suffix: str) -> Path | None:
    path = run.parent / (run.name + suffix)  # a path like "." has no name that could be replaced
    return path if path.is_file() else None


def _without_formats(run: Path) -> Path:
    while run.suffix in _SUFFIXES and run.stem:
        run = run.with_suffix("")
    return run
