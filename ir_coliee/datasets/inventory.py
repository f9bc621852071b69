"""What lies in the data folder, part by part: what `ir_coliee status` shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ir_coliee.datasets import copies, encrypted_zips
from ir_coliee.datasets.candidates import Found
from ir_coliee.datasets.folders import File, Folder, ZipFolder
from ir_coliee.datasets.listing import held
from ir_coliee.datasets.releases import PARTS, SAMPLE, Part
from ir_coliee.errors import ColieeError

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
    """Where a file or folder of a part lies: its path, ``folder``, ``zip`` or ``zip with password``, and why there."""

    path: str
    kind: str
    why: str


class PartStatus(NamedTuple):
    """What is here of a part.

    ``here`` begins with ``yes``, ``in part``, ``no``, ``built in`` or ``cannot be read``. ``files`` maps the roles that
    are here to their places, ``missing`` the others to the names that are accepted.
    """

    id: str
    here: str
    layout: str
    files: Mapping[str, Place]
    missing: Mapping[str, tuple[str, ...]]


def inventory() -> list[PartStatus]:
    """The status of every train and test part of the table."""
    with held():
        return [status_of(part) for part in PARTS.values() if part.name in ("train", "test")]


def status_of(part: Part) -> PartStatus:
    """What is here of a part. What cannot be read is said in ``here``, so that it does not hide other parts."""
    try:
        found, missing = copies.located(part)
        files = {role: _place(there) for role, there in found.items()}
        names = {role: (*part.files[role], *part.lesser_names(role)) for role in missing}
        return PartStatus(part.id, _here(part, found, missing), part.layout, files, names)
    except (ColieeError, OSError) as error:
        return PartStatus(part.id, f"cannot be read: {error}", part.layout, {}, {})


def _here(part: Part, found: Mapping[str, Found], missing: Sequence[str]) -> str:
    if missing:
        return "in part" if found else "no"
    if part.edition == SAMPLE:
        return "built in"
    unlabelled = ", without labels" if _is_unlabelled(part, found) else ""
    return f"yes{unlabelled}{', made up' if copies.is_made_up(part) else _of_another_size(part, found)}"


def _of_another_size(part: Part, found: Mapping[str, Found]) -> str:
    """Words where a statute part has another number of questions than the table: its names tell no edition."""
    expected = part.counts.get("queries")
    if not part.exam_years or expected is None or expected.certainty == "U":
        return ""
    files = [place.node for role, place in found.items() if role in part.exam_years]
    number = sum(len(_PAIRS.findall(file.read_bytes())) for file in files if isinstance(file, File))
    # questions that are not scored may be in the files or not
    if int(expected) <= number <= int(expected) + len(part.excluded):
        return ""
    return f", {number} questions in place of {int(expected)}: another edition's?"


def _is_unlabelled(part: Part, found: Mapping[str, Found]) -> bool:
    """Whether the file that should have the labels has none: a test before they are published."""
    last = found.get([*part.files][-1])
    if part.name != "test" or last is None or not isinstance(last.node, File):
        return False
    if part.task in _LABELLED:
        return not _LABELLED[part.task].search(last.node.read_bytes())
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
