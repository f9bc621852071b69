"""Checks that an edition has all keys that its splits need, including keys that it takes from other editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ir_coliee.editions.exam_years import parse_exam_years
from ir_coliee.editions.tasks import PACKAGE_SECTIONS
from ir_coliee.editions.yaml_reader import EditionFile
from ir_coliee.errors import MalformedFileError

Section = Mapping[str, Any]

_OF_TASK = ("measure", "labels", "submission", "submission.format", "submission.file")
_OF_PACKAGE = ("languages", "layout")
_ROLES: Mapping[str, tuple[str, ...]] = {
    "task1": ("corpus", "labels"),
    "task2": ("corpus", "labels"),
    "statutes": ("articles", "questions"),
    "pilot": ("instances",),
}


def split_names(section: Section) -> list[str]:
    """Return the splits that a section describes.

    Parameters
    ----------
    section : mapping
        A section of an edition file.

    Returns
    -------
    list of str
        ``train`` and ``test``, if the section has them.
    """
    return [name for name in ("train", "test") if name in section]


def check_complete(file: EditionFile, sections: Mapping[str, Section]) -> None:
    """Check that the sections of an edition have all keys that its splits need, and that its splits are distinct.

    Parameters
    ----------
    file : EditionFile
        The file of the edition.
    sections : mapping of str to mapping
        Its sections, completed with the values that they take from other editions.

    Raises
    ------
    MalformedFileError
        If a key is missing; if a split continues one that is not earlier; if train
        and test have an exam year in common.
    """
    for task, package in PACKAGE_SECTIONS.items():
        if task not in sections:
            continue
        if package not in sections:
            problem = f"{task} is described, but not its files"
            raise MalformedFileError(file.path, file.line((task,)), problem, f"a section {package}")
        missing = [(task, key) for key in _OF_TASK if not _get(sections[task], key)]
        missing += [(package, key) for key in _missing_in_package(sections[package], package, sections[task])]
        for section, key in missing:
            line = file.line((section, *key.split(".")))
            raise MalformedFileError(file.path, line, f"{section} has no {key}", f"{key}, or like: EDITION")
        for name in split_names(sections[task]):
            _check_continued(file, package, name, sections[package][name].get("continues", ()))
    if "statutes" in sections:
        _check_exam_years(file, sections["statutes"])


def _check_continued(file: EditionFile, package: str, name: str, continued: Sequence[str]) -> None:
    """Check that a split continues splits of earlier editions, so that none continues itself."""
    edition = str(file.data["edition"])
    for earlier in continued:
        if edition.isdecimal() and earlier[: len(edition)] >= edition:
            problem = f"continues names {earlier}, which is not earlier than {edition}"
            line = file.line((package, name, "continues"))
            raise MalformedFileError(file.path, line, problem, "splits of earlier editions")


def _check_exam_years(file: EditionFile, section: Section) -> None:
    """Check that no exam year is in both splits, because each exam year is a split with one id."""
    written = [str(_get(section, f"{name}.exam_years") or "") for name in ("train", "test")]
    train, test = (parse_exam_years(text) if text else () for text in written)
    if common := [year for year in test if year in train]:
        problem = f"train and test both have the exam year {common[0]}"
        line = file.line(("statutes", "test", "exam_years"))
        raise MalformedFileError(file.path, line, problem, "each exam year in one split")


def _get(section: Section, key: str) -> object:
    """Return the value of a key; nested keys are joined with dots."""
    value: object = section
    for name in key.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _missing_in_package(section: Section, package: str, task: Section) -> Iterator[str]:
    """Yield the keys that the section of the files lacks for the splits of a task."""
    yield from (key for key in _OF_PACKAGE if not section.get(key))
    for name in split_names(task):
        if name not in section:
            yield name
            continue
        for role in _ROLES[package]:
            if not _get(section, f"files.{role}") and not _get(section, f"{name}.files.{role}"):
                yield f"{name}.files.{role}"
        if package == "statutes" and "exam_years" not in section[name]:
            yield f"{name}.exam_years"
