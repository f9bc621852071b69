"""What lies in the data folder, split by split: what `ir_coliee status` shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeError
from ir_coliee.releases import encrypted_zips
from ir_coliee.releases import search as copies
from ir_coliee.releases.disambiguation import Found
from ir_coliee.releases.folders import File, Folder, ZipFolder
from ir_coliee.releases.listing import held

#: What shows that a file has labels.
_LABELLED = {
    "task3": re.compile(rb"<t1|<article"),
    "task4": re.compile(rb"label="),
    "task5": re.compile(rb"label="),
    "prediction": re.compile(rb'"court_decision": *(?:true|false)'),
    "rationale": re.compile(rb'"is_accepted": *(?:true|false)'),
}


_PAIRS = re.compile(rb"<pair\s")


class Place(NamedTuple):
    """Where a file or folder of a split lies: its path, ``folder``, ``zip`` or ``zip with password``, and why there."""

    path: str
    kind: str
    why: str


class SplitStatus(NamedTuple):
    """What is here of a split.

    ``here`` begins with ``yes``, ``in split``, ``no``, ``built in`` or ``cannot be read``. ``files`` maps the roles that
    are here to their places, ``missing`` the others to the names that are accepted.
    """

    id: str
    here: str
    layout: str
    files: Mapping[str, Place]
    missing: Mapping[str, tuple[str, ...]]


def inventory() -> list[SplitStatus]:
    """The status of every train and test split of the table."""
    with held():
        return [status_of(split) for split in SPLITS.values() if split.name in ("train", "test")]


def status_of(split: Split) -> SplitStatus:
    """What is here of a split. What cannot be read is said in ``here``, so that it does not hide other splits."""
    try:
        found, missing = copies.located(split)
        files = {role: _place(there) for role, there in found.items()}
        names = {role: (*split.files[role], *split.undated_names(role)) for role in missing}
        return SplitStatus(split.id, _here(split, found, missing), split.layout, files, names)
    except (ColieeError, OSError) as error:
        return SplitStatus(split.id, f"cannot be read: {error}", split.layout, {}, {})


def _here(split: Split, found: Mapping[str, Found], missing: Sequence[str]) -> str:
    if missing:
        return "in split" if found else "no"
    if split.is_built_in:
        return "built in"
    unlabelled = ", without labels" if _is_unlabelled(split, found) else ""
    return f"yes{unlabelled}{', made up' if copies.is_synthetic(split) else _of_another_size(split, found)}"


def _of_another_size(split: Split, found: Mapping[str, Found]) -> str:
    """Words where a statute split has another number of questions than the table: its names tell no edition."""
    expected = split.counts.get("queries")
    if not split.exam_years or expected is None or expected.certainty == "U":
        return ""
    files = [place.node for role, place in found.items() if role in split.exam_years]
    number = sum(len(_PAIRS.findall(file.read_bytes())) for file in files if isinstance(file, File))
    # questions that are not scored may be in the files or not
    if int(expected) <= number <= int(expected) + len(split.excluded):
        return ""
    return f", {number} questions in place of {int(expected)}: another edition's?"


def _is_unlabelled(split: Split, found: Mapping[str, Found]) -> bool:
    """Whether the file that should have the labels has none: a test before they are published."""
    last = found.get([*split.files][-1])
    if split.name != "test" or last is None or not isinstance(last.node, File):
        return False
    if split.task in _LABELLED:
        return not _LABELLED[split.task].search(last.node.read_bytes())
    return "no_labels" in last.node.name


def _place(found: Found) -> Place:
    folder = found.node.folder if isinstance(found.node, File) else found.node
    return Place(str(found.node), _kind(folder, found.node), found.why)


def _kind(folder: Folder, node: File | Folder) -> str:
    if not isinstance(folder, ZipFolder):
        return "folder"
    names = [node.name] if isinstance(node, File) else [file.name for file in folder.files()[:1]]
    locked = any(encrypted_zips.is_encrypted(folder.info_of(name)) for name in names)
    return "zip with password" if locked else "zip"
