"""The files of a submission: their official names, and all findings about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import Formatter

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.runs.format_rules import answers_split, check_tag
from ir_coliee.evaluation.runs.parsed_run import Finding
from ir_coliee.evaluation.runs.submission_validation import validate_submission
from ir_coliee.evaluation.runs.validation import validate

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
    check_tag(tag)
    if found := _NOT_IN_FILE_NAMES.search(tag):
        raise ColieeError(
            f"The run tag {printable(tag, 30)!r} has the character {found[0]}, which file names cannot have.\n"
            "The tag is part of the name of the run file: use letters and digits."
        )
    names = {
        "run": form.file,
        "long": form.long_file,
        "answers": form.answers_file,
        "description": form.description_file,
    }
    used = {field for name in names.values() for _, field, _, _ in Formatter().parse(name) if field}
    values = {"tag": tag}
    if "year" in used:
        if len(split.exam_years) != 1:
            example = f"{split.id.removesuffix(split.name)}{split.exam_years[-1].lower()}"
            raise ColieeError(
                f"{split.id} has several exam years, and each has its own file.\nSubmit one exam year at a time, "
                f"for example {example}."
            )
        values["year"] = split.exam_years[0]
    if of_group := {name: value for name, value in (("team", team), ("affiliation", affiliation)) if name in used}:
        values |= of_group
        for option, value in {"tag": tag, **of_group}.items():
            if not value or not value.isprintable() or _NOT_IN_PILOT_NAMES.search(value):
                raise ColieeError(
                    f"{option} must be a name without hyphens, underscores, full stops and blanks.\n"
                    f"Got {printable(value)!r}. Pass --{option} on the command line."
                )
    if "test" in used:
        values["test"] = split.files["instances"][0].removesuffix(".jsonl")
    return {role: file.format(**values) for role, file in names.items() if file}


def validate_files(split: Split, folder: Path, names: Mapping[str, str]) -> list[tuple[Path | None, Finding]]:
    """Validate the files of a submission.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    folder : Path
        The folder with the files.
    names : mapping of str to str
        File names by role, from `official_names`.

    Returns
    -------
    list of (Path or None, Finding)
        Each finding with the file, or with None if it concerns several files.
    """
    files = {role: folder / file for role, file in names.items()}
    found: list[tuple[Path | None, Finding]] = []
    for role in ("run", "long", "answers"):
        if role in files:
            of_file = validate(answers_split(split) if role == "answers" else split, files[role])
            found += [(files[role], finding) for finding in of_file]
    of_group = validate_submission(
        split,
        [files["run"]],
        long_lists=[files[role] for role in names if role == "long"],
        answers=[files[role] for role in names if role == "answers"],
    )
    return found + [(None, finding) for finding in of_group]


def mail_subject(split: Split, team: str = "") -> str:
    """Return the subject of the mail to the organisers, or an empty string if they do not ask for one.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> mail_subject(split("coliee/task1/sample/test"), "ours")
    '[submission] ours'
    """
    return split.submission.mail_subject.format(team=team or "GROUP")
