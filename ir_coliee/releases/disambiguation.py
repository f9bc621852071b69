"""Which of the files and folders that bear an accepted name is the one of a split.

Names lie: participants rename folders, most files of the statute tasks bear no edition, and a test comes back under
other names. So a name counts together with what the folders around it say, with what the file holds, and with the
numbers of the table.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import AmbiguousReleaseError, ColieeWarning
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import count_documents, documents_in, numbered_folders
from ir_coliee.releases.listing import Candidate, Listing

_OF_AN_EDITION = re.compile(r"coliee|task|^\d+$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)20[12]\d(?!\d)")
_TASK = re.compile(r"task[ _-]?(\d)", re.IGNORECASE)
_PART = re.compile(r"(?<![a-z])(train|test)(?:ing)?(?![a-z])", re.IGNORECASE)
_FIRST_KEYS = 200  # characters of a file of tort instances, with the key that names its edition
_KANA = re.compile("[\u3041-\u30ff]")
_FIRST_HEAD = re.compile(r"^第一条\s|^Article 1\s", re.MULTILINE)


class Found(NamedTuple):
    """Where something lies, and why there, if there was a choice (else empty)."""

    node: File | Folder
    why: str = ""


def search(here: Listing, split: Split, role: str) -> Found | None:
    """The file or folder of a role below a data folder. Raises `AmbiguousReleaseError`."""
    # labels go before the file without them, whichever bears the better name
    names = sorted((*split.names(role), *split.undated_names(role)), key=lambda name: "no_labels" in name)

    # to see what fits costs reading: a lesser name is only looked at where no better one serves
    def fitting(name: str) -> list[Candidate]:
        return _distinct(found for found in here.named(name) if _fits(here, split, role, name, found))

    if role in split.exam_years:
        dated = (fitting(name) for name in names if "TestData" not in name)
        # a test comes without articles, with them, with answers, under either name: what says most counts
        undated = (found for name in names if "TestData" in name for found in fitting(name))
        return _chosen(split, [*next(filter(None, dated), []), *undated])
    for name in names:
        candidates = fitting(name)
        if role == "corpus":
            candidates = [
                Candidate(node, found.within, found.is_exact)
                for found in candidates
                for node in _documents(split, found)
            ]
        if found := _chosen(split, _distinct(candidates)):
            if role == "labels" and split.edition not in name:
                _warn_of_another_size(split, found.node)
            return found
    return None


def _distinct(candidates: Iterator[Candidate] | list[Candidate]) -> list[Candidate]:
    """The candidates without those that are another one by way of a link."""
    return list({found.real_place: found for found in reversed(list(candidates))}.values())[::-1]


def _documents(split: Split, found: Candidate) -> list[Folder]:
    return [] if isinstance(found.node, File) else documents_in(found.node, split.layout)


# --- can it be meant? ------------------------------------------------------------------------------


def _fits(here: Listing, split: Split, role: str, name: str, found: Candidate) -> bool:
    """Whether what has an accepted name can be meant: by kind, by the folders around it, by its content."""
    if found.is_folder != (role == "corpus"):
        return False
    editions = [year for folder in reversed(found.within) for year in _years(folder)]
    if split.edition not in name and not editions:  # the data folder itself counts last
        editions = _years(here.name)
    if editions and editions[0] != split.edition:
        return False
    dated = bool(editions) or split.edition in name or split.is_built_in
    if role in ("corpus", "labels"):
        return _is_of_split(split, name, found) and (dated or _is_plausible(here, split, role, name, found))
    if role in split.exam_years:
        return _is_of_exam_year(split, role, name, found)
    if role == "instances":
        return dated or _is_of_pilot(split, found)
    if role == "articles" and name == "civil*.txt":
        return bool(_FIRST_HEAD.search(_text(found))) and _is_in_language(split, _text(found))
    return True


def _years(folder: str) -> list[str]:
    """The edition that the name of a folder tells; empty where it tells none, or several."""
    years = set(_YEAR.findall(folder)) if _OF_AN_EDITION.search(folder) else set()
    return list(years) if len(years) == 1 else []


def _is_of_split(split: Split, name: str, found: Candidate) -> bool:
    """Whether the folders around a file of task 1 or 2 name no other task or split, where its own name names none."""
    tasks, names = ([m.lower() for f in reversed(found.within) for m in p.findall(f)] for p in (_TASK, _PART))
    other_task = tasks and split.task not in name and tasks[0] != split.task[-1]
    other_split = names and split.name not in name and not split.shares_corpus and names[0] != split.name
    return not other_task and not other_split


def _is_of_exam_year(split: Split, year: str, name: str, found: Candidate) -> bool:
    """Whether a file of questions has the year and the language that its name does not tell."""
    told = name.startswith(("riteval_", "simple_")) and "_" in name.removeprefix("riteval_")
    if told:
        return True
    text = _text(found)
    if not re.search(rf"""\bid=["']{year[0]}0?{year[1:].lstrip("0")}-""", text):
        return False
    return "TestData" in name or _is_in_language(split, text)


def _is_of_pilot(split: Split, found: Candidate) -> bool:
    """Whether tort instances are of the edition: its lines name their file, from 2026 on with the year."""
    marks = re.findall(r"LJPJT\d\d", found.node.name + _text(found)[:_FIRST_KEYS])
    return split.edition_mark in marks if marks else not split.requires_edition_mark


def _is_in_language(split: Split, text: str) -> bool:
    return bool(_KANA.search(text)) == (split.language == "ja")


def _text(found: Candidate) -> str:
    assert isinstance(found.node, File)
    return found.node.read_bytes().decode("utf-8", errors="replace")


def _is_plausible(here: Listing, split: Split, role: str, name: str, found: Candidate) -> bool:
    """Whether a name without a year means this edition: the numbers of the table tell, else what lies beside it."""
    akin = [
        other
        for other in SPLITS.values()
        if other.id.startswith(f"coliee/{split.task}/")
        and other.name == split.name
        and other.edition != split.edition
        and not other.is_built_in
    ]
    for entity, number in _sizes(split, role, found):
        is_own = number == split.counts.get(entity)
        if is_own != any(number == other.counts.get(entity) for other in akin):
            return is_own
    if name in split.files[role]:
        return True
    if role == "corpus":
        dated = (label for n in split.files["labels"] if split.edition in n for label in here.named(n))
        return any(label.within in (found.within, (*found.within, found.node.name)) for label in dated)
    names = (*split.files["corpus"], *split.undated_names("corpus"))
    corpora = [c for n in names for c in here.named(n) if _fits(here, split, "corpus", n, c)]
    return any(found.within in (c.within, (*c.within, c.node.name)) for c in corpora)


def _sizes(split: Split, role: str, found: Candidate) -> Iterator[tuple[str, int]]:
    """What the table counts of a corpus or a label file, with the number here, the quickest to count first."""
    if isinstance(found.node, File):
        yield from (("queries", number) for number in _number_of_queries(found.node))
        return
    for corpus in documents_in(found.node, split.layout)[:1]:
        if split.layout != "flat":
            yield "queries", len(numbered_folders(corpus))
        yield "docs", count_documents(corpus, split.layout)


def _number_of_queries(labels: File) -> list[int]:
    """The number of queries in a label file, in a list; empty where it is no JSON that has any."""
    try:
        content = json.loads(labels.read_bytes())
    except (ValueError, RecursionError):  # the reader will say what is wrong
        return []
    return [len(content)] if isinstance(content, list | dict) else []


def _warn_of_another_size(split: Split, labels: File | Folder) -> None:
    """Warn where a label file that bears no year has another number of queries than the table."""
    expected = split.counts.get("queries")
    for number in _number_of_queries(labels) if isinstance(labels, File) else ():
        if number != expected:
            warnings.warn(
                f"{labels}: taken for the labels of {split.id}, though its name has no year and it has "
                f"{number} queries, not {expected}. Put the year into its name if that is right.",
                ColieeWarning,
                stacklevel=2,
            )


# --- which one is meant? ---------------------------------------------------------------------------


def _chosen(split: Split, candidates: list[Candidate]) -> Found | None:
    """The one that is meant of several, and why; None of none. Raises `AmbiguousReleaseError`."""
    if len(candidates) < 2:
        return Found(candidates[0].node) if candidates else None
    unpacked = [found for found in candidates if not found.in_zip] or candidates
    if len(unpacked) == 1:
        return Found(unpacked[0].node, "read unpacked, not from the zip that is there too")
    nodes = [found.node for found in unpacked]
    if all(_same(nodes[0], node) for node in nodes[1:]):
        return Found(nodes[0], f"the first of {len(nodes)} with the same content")
    labels = [_labels_in(node) for node in nodes]
    if labels.count(max(labels)) == 1:
        return Found(nodes[labels.index(max(labels))], f"of {len(nodes)} the one with most articles and answers")
    exact = [found.node for found in unpacked if found.is_exact]
    if len(exact) == 1 and len({found.within for found in unpacked}) == 1:
        return Found(exact[0], "the one that bears the name as it is, of several in one folder")
    of_right_size = [
        node
        for node in nodes
        if not isinstance(node, File) and count_documents(node, split.layout) == split.counts.get("docs")
    ]
    if len(of_right_size) == 1:
        return Found(of_right_size[0], f"of {len(nodes)} folders the one with as many documents as the table says")
    raise AmbiguousReleaseError(
        f"{split.id}: several copies of one name and different content: {', '.join(map(str, nodes))}. "
        f"Set COLIEE_HOME to the folder of the one you want, or move the others out of the data folder."
    )


#: What shows in a file of questions or instances that articles and answers are in it.
_LABELS = re.compile(rb"label=|<t1|<article|\"(?:court_decision|is_accepted)\": *(?:true|false)")


def _labels_in(node: File | Folder) -> int:
    """How many articles and answers a file of questions or instances has; 0 for what is none."""
    if not isinstance(node, File) or not node.name.endswith((".xml", ".jsonl")):
        return 0
    return len(_LABELS.findall(node.read_bytes()))


def _same(one: File | Folder, other: File | Folder) -> bool:
    """Whether two files, or all files in two folders, have the same names and, but for line ends, the same bytes."""
    if isinstance(one, File) and isinstance(other, File):
        return one.read_bytes().replace(b"\r\n", b"\n") == other.read_bytes().replace(b"\r\n", b"\n")
    if isinstance(one, File) or isinstance(other, File):
        return False
    left: list[File | Folder] = [*one.folders(), *one.files()]
    right: list[File | Folder] = [*other.folders(), *other.files()]
    return [a.name for a in left] == [b.name for b in right] and all(map(_same, left, right))
