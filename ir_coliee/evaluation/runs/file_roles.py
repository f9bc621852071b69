"""The roles of submission files by their official names, and the files of a submission folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from ir_coliee.editions import SPLITS, Split, SubmissionForm
from ir_coliee.errors import ColieeError, printable, printable_list


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
    names = {"run": form.file, "long": form.long_file, "answers": form.answers_file}
    for role, official in names.items():
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
        raise ColieeError(
            f"No file in {printable(str(folder))} is named as a run of {split.id}.\n"
            f"Expected: {form.file.format_map(_Placeholders())}. {there}. Pass files with other names one by one."
        )
    return named, others


class _Placeholders(dict[str, str]):
    def __missing__(self, field: str) -> str:
        return field.upper()
