"""The state of each split in the data folder, as ``ir_coliee status`` shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeError
from ir_coliee.releases.disambiguation import Found
from ir_coliee.releases.folders import File
from ir_coliee.releases.layouts import is_without_labels
from ir_coliee.releases.listing import frozen_listings
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.zip_folders import ZipFolder, has_password

#: Patterns that occur in a file with labels, by task; other tasks have label files.
_LABELS = {
    "task3": re.compile(rb"<(?:t1|article)\b[^>]*>\s*[^<\s]|<article id="),
    "task4": re.compile(rb"label=[\"'][YN]"),
    "task5": re.compile(rb"label=[\"'][YN]"),
    "prediction": re.compile(rb'"court_decision": *(?:true|false)'),
    "rationale": re.compile(rb'"is_accepted": *(?:true|false)'),
}
#: A query with an id, or a list that begins with one.
_LABELS_OF_CASES = re.compile(rb':\s*\[?\s*["\d][^"]')
#: The states of a split, in the order in which `inventory` returns them.
STATES = ("cannot be read", "incomplete", "complete", "built in", "missing")
_QUESTION = re.compile(rb"<pair\s")


class FoundFile(NamedTuple):
    """A file or folder of a split that was found.

    Attributes
    ----------
    path : str
    kind : str
        ``folder``, ``zip`` or ``zip with password``: where it is stored.
    reason : str
        Why it was chosen; empty if there was no choice.
    """

    path: str
    kind: str
    reason: str


class SplitStatus(NamedTuple):
    """The state of a split in the data folder.

    Attributes
    ----------
    id : str
    state : str
        Begins with one of `STATES`; details follow after a comma or a colon.
    layout : str
    files : mapping from str to FoundFile
        The files and folders that were found, by role.
    missing : mapping from str to tuple of str
        The accepted names of the others, by role.
    """

    id: str
    state: str
    layout: str
    files: Mapping[str, FoundFile]
    missing: Mapping[str, tuple[str, ...]]

    def __repr__(self) -> str:
        return f"<SplitStatus {self.id}: {self.state}>"


def inventory(dataset_ids: Iterable[str]) -> list[SplitStatus]:
    """Return the status of the splits among some dataset ids.

    Parameters
    ----------
    dataset_ids : iterable of str
        Ids of splits and of collections, which have no files of their own. If there are train and test splits among
        them, their exam years are left out.

    Returns
    -------
    list of SplitStatus
        What cannot be read or is incomplete comes first, and what is missing comes last.
    """
    splits = [SPLITS[dataset_id] for dataset_id in dataset_ids if dataset_id in SPLITS]
    main = [split for split in splits if split.name in ("train", "test")]
    with frozen_listings():
        rows = [status_of(split) for split in main or splits]
    return sorted(rows, key=lambda row: next(at for at, state in enumerate(STATES) if row.state.startswith(state)))


def status_of(split: Split) -> SplitStatus:
    """Return the status of a split; an error while reading is reported in ``state`` instead of being raised."""
    try:
        release = LocalRelease.open(split)
        files = {role: _found_file(found) for role, found in release.files.items()}
        missing = {role: release.accepted_names[role] for role in release.missing}
        return SplitStatus(split.id, _state(release), split.layout, files, missing)
    except (ColieeError, OSError) as error:
        return SplitStatus(split.id, f"cannot be read: {error}", split.layout, {}, {})


def _state(release: LocalRelease) -> str:
    if release.missing:
        return "incomplete" if release.files else "missing"
    for found in release.files.values():
        if isinstance(found.node, File):
            found.node.check_size()
    if release.split.is_built_in:
        return "built in"
    without_labels = ", without labels" if _is_unlabelled(release) else ""
    return f"complete{without_labels}{', synthetic' if release.is_synthetic else _unofficial_size(release)}"


def _unofficial_size(release: LocalRelease) -> str:
    """Return a remark if a statute split has an unofficial number of questions, as its file names state no edition."""
    split = release.split
    expected = split.counts.get("queries")
    if not split.exam_years or expected is None or expected.certainty == "U":
        return ""
    files = [found.node for role, found in release.files.items() if role in split.exam_years]
    size = sum(len(_QUESTION.findall(file.read_bytes())) for file in files if isinstance(file, File))
    # questions that are not scored may be in the files or not
    if int(expected) <= size <= int(expected) + len(split.excluded):
        return ""
    return f", {size} questions instead of {int(expected)}: files of another edition?"


def _is_unlabelled(release: LocalRelease) -> bool:
    """Return whether the file of the labels has none, as that of a test before its labels are published."""
    split = release.split
    found = release.find([*split.files][-1])
    if split.name != "test" or found is None or not isinstance(found.node, File):
        return False
    labels = _LABELS.get(split.task, _LABELS_OF_CASES if split.labels == "JSON" else None)
    return is_without_labels(found.node.name) if labels is None else not labels.search(found.node.read_bytes())


def _found_file(found: Found) -> FoundFile:
    return FoundFile(str(found.node), _kind(found), found.reason)


def _kind(found: Found) -> str:
    node = found.node
    if not isinstance(node.folder if isinstance(node, File) else node, ZipFolder):
        return "folder"
    files = [node] if isinstance(node, File) else node.files()[:1]
    return "zip with password" if any(map(has_password, files)) else "zip"
