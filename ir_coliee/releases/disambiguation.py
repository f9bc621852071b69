"""Choice between several files or folders that match the same split and role."""

from __future__ import annotations

import re
from typing import NamedTuple

from ir_coliee.editions import Split
from ir_coliee.errors import AmbiguousReleaseError
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import CORPUS_LAYOUTS
from ir_coliee.releases.listing import Candidate

#: Marks of articles and answers in a file of questions or tort instances.
_LABELS = re.compile(rb"label=|<t1|<article|\"(?:court_decision|is_accepted)\": *(?:true|false)")


class Found(NamedTuple):
    """A file or folder of a split.

    Attributes
    ----------
    node : File or Folder
    reason : str
        Why it was chosen; empty if there was no choice.
    """

    node: File | Folder
    reason: str = ""


def choose(split: Split, candidates: list[Candidate]) -> Found | None:
    """Choose between candidates that all have an accepted name and content.

    Parameters
    ----------
    split : Split
    candidates : list of Candidate

    Returns
    -------
    Found or None
        None if there are no candidates. Of several candidates, these rules choose one, in this order: a file or folder
        on disk before one in an archive; the first one if all are identical; the file with the most labels; the exact
        name, if all are in one folder; the folder with the official number of documents.

    Raises
    ------
    AmbiguousReleaseError
        If no rule decides.
    """
    if len(candidates) < 2:
        return Found(candidates[0].node) if candidates else None
    on_disk = [found for found in candidates if not found.in_zip] or candidates
    if len(on_disk) == 1:
        return Found(on_disk[0].node, "read from the folder, not from the ZIP archive of the same name")
    nodes = [found.node for found in on_disk]
    if all(_same_content(nodes[0], node) for node in nodes[1:]):
        return Found(nodes[0], f"the first of {len(nodes)} with the same content")
    labels = [_count_labels(node) for node in nodes]
    if labels.count(max(labels)) == 1:
        return Found(nodes[labels.index(max(labels))], f"the file with the most articles and answers, of {len(nodes)}")
    exact = [found.node for found in on_disk if found.is_exact]
    if len(exact) == 1 and len({found.parents for found in on_disk}) == 1:
        return Found(exact[0], "the file with the exact name, of several in one folder")
    of_official_size = [
        node
        for node in nodes
        if not isinstance(node, File) and CORPUS_LAYOUTS[split.layout].count_documents(node) == split.counts.get("docs")
    ]
    if len(of_official_size) == 1:
        return Found(of_official_size[0], f"the folder with the official number of documents, of {len(nodes)}")
    raise AmbiguousReleaseError(
        f"{split.id}: several files of an accepted name differ in content.\n"
        f"They are: {', '.join(map(str, nodes))}.\n"
        "Set COLIEE_HOME to the folder of the intended one, or move the others out of the data folder."
    )


def _count_labels(node: File | Folder) -> int:
    """Count the articles and answers in a file of questions or instances; 0 for anything else."""
    if not isinstance(node, File) or not node.name.endswith((".xml", ".jsonl")):
        return 0
    return len(_LABELS.findall(node.read_bytes()))


def _same_content(one: File | Folder, other: File | Folder) -> bool:
    """Return whether two files or folders have the same content, ignoring line ends, and the same file names."""
    if isinstance(one, File) and isinstance(other, File):
        return one.read_bytes().replace(b"\r\n", b"\n") == other.read_bytes().replace(b"\r\n", b"\n")
    if isinstance(one, File) or isinstance(other, File):
        return False
    left: list[File | Folder] = [*one.folders(), *one.files()]
    right: list[File | Folder] = [*other.folders(), *other.files()]
    return [a.name for a in left] == [b.name for b in right] and all(map(_same_content, left, right))
