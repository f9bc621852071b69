"""Finds the user's copy of an edition under the data folder.

The data folder is ``$COLIEE_HOME`` (one folder, or several joined by the system's path separator),
else ``$IR_DATASETS_HOME/coliee``, else ``~/.ir_datasets/coliee``. Files are found by name at any
depth, in folders and in zips; nothing in the folder is ever changed. The edition ``sample`` lies in this
package.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ir_coliee.datasets.folders import File, Folder
from ir_coliee.datasets.layouts import count_documents, documents_in, numbered_files, numbered_folders
from ir_coliee.datasets.listing import Candidate, Listing, listing
from ir_coliee.datasets.releases import FIRST_MADE_UP_NUMBER, PARTS, SAMPLE, Part
from ir_coliee.errors import AmbiguousCopyError, ColieeError, ColieeWarning, MissingCopyError, MissingLabelsError

ORGANISERS = "https://coliee.org"

_SAMPLE_FOLDER = Path(__file__).parent / SAMPLE
_OF_AN_EDITION = re.compile(r"coliee|task|^\d+$", re.IGNORECASE)
_PART_NAME = re.compile(r"train|test", re.IGNORECASE)
_FIRST_KEYS = 200  # characters of a file of tort instances, with the key that names its edition
_KANA = re.compile("[\u3041-\u30ff]")
_MADE_UP_IDS = re.compile(rb"""\bid=["'][HR]\d+-9\d\d-|"tort_id": *"9\d{5}""")
_IN_CORPUS = {
    "flat": "files such as 900001.txt",
    "pools": "folders such as 900001, each with its candidates",
    "cases": "folders such as 900001, each with its paragraphs",
}
_ROLES = {
    "corpus": "folder of documents",
    "labels": "label file",
    "articles": "civil code",
    "instances": "tort instances",
}


class Found(NamedTuple):
    """Where something lies, and why there, if there was a choice (else empty)."""

    node: File | Folder
    why: str = ""


def data_folders() -> list[Path]:
    """The folders in which copies are looked for, in order. They need not exist."""
    named = [folder for folder in os.environ.get("COLIEE_HOME", "").split(os.pathsep) if folder.strip()]
    if named:
        try:
            return [Path(folder).expanduser() for folder in named]
        except RuntimeError as error:
            raise ColieeError(f"COLIEE_HOME={os.environ['COLIEE_HOME']!r}: {error}") from None
    ir_datasets_home = os.environ.get("IR_DATASETS_HOME")
    home = Path(ir_datasets_home) if ir_datasets_home else Path.home() / ".ir_datasets"
    return [home / "coliee"]


def find_file(part: Part, role: str) -> File:
    """The file of this role in the user's copy.

    Any of the accepted names serves, the first in the table's order first; a ``clean_`` in front and a
    browser's ``(1)`` behind do no harm. A name below a folder that bears another edition's year is passed
    over. Raises `MissingCopyError`, which names the edition, the data folder, the accepted names and the
    way to obtain the data, and `AmbiguousCopyError` where it cannot be told which of several is meant.
    """
    node = _find(part, role).node
    assert isinstance(node, File)
    return node


def find_folder(part: Part, role: str = "corpus") -> Folder:
    """The folder that holds the documents in the user's copy, on disk or in a zip. Raises as `find_file` does."""
    node = _find(part, role).node
    assert not isinstance(node, File)
    return node


def _find(part: Part, role: str) -> Found:
    found = locate(part, role)
    if found is None:
        raise _missing(part, role)
    return found


def locate(part: Part, role: str) -> Found | None:
    """Where the file or folder of a role lies, or None. Raises `AmbiguousCopyError`."""
    for folder in [_SAMPLE_FOLDER] if part.edition == SAMPLE else data_folders():
        here = listing(str(folder.absolute()))
        key = part.id, role
        # what is not there is looked for again: the listing does not notice what comes into case folders
        if key not in here.kept and (found := _search(here, part, role)):
            here.kept[key] = found
        if key in here.kept:
            return here.kept[key]  # type: ignore[no-any-return]
    return None


def is_here(part: Part, role: str) -> bool:
    """Whether the file or folder of a role is there."""
    return locate(part, role) is not None


def missing_files(part: Part) -> list[str]:
    """The accepted names of each file or folder of the part that is not there, joined by "or"."""
    return [
        " or ".join(names)
        for role, names in part.files.items()
        if not is_here(part, role) and not (role == "labels" and has_gold_per_case(part))
    ]


def has_gold_per_case(part: Part) -> bool:
    """Whether the copy has text files of gold in the folders of its cases: a form of 2019."""
    names = part.optional_files.get("gold of a case", ())
    if not names or not is_here(part, "corpus"):
        return False
    # a case without gold may have no such file
    return any(file.name in names for case in numbered_folders(find_folder(part)) for file in case.files())


def is_made_up(part: Part) -> bool:
    """Whether the part is fictional: the sample, or made of the numbers that synthetic releases have."""
    if part.edition == SAMPLE:
        return True
    found = locate(part, [*part.files][-1] if "corpus" not in part.files else "corpus")
    if found is None:
        return False
    if isinstance(found.node, File):
        return bool(_MADE_UP_IDS.search(found.node.read_bytes()))
    numbers = [file.stem for file in numbered_files(found.node)] + [case.name for case in numbered_folders(found.node)]
    return int(min(numbers, key=int)) >= FIRST_MADE_UP_NUMBER


def _search(here: Listing, part: Part, role: str) -> Found | None:
    names = part.files.get(role) or part.optional_files[role]
    # labels go before the file without them, whichever bears the better name
    for name in sorted((*names, *part.lesser_names(role)), key=lambda name: "no_labels" in name):
        fitting = [found for found in here.named(name) if _fits(here, part, role, name, found)]
        # a link is no second copy
        fitting = list({os.path.realpath(str(found.node)): found for found in reversed(fitting)}.values())[::-1]
        if role == "corpus":
            inner = {node: found.in_zip for found in fitting for node in documents_in(_folder(found), part.layout)}
            fitting = [Candidate(node, ()) for node in inner]
        if fitting:
            chosen = _chosen(part, fitting)
            if role == "labels" and part.edition not in name:
                _warn_of_another_size(part, chosen.node)
            return chosen
    return None


def _warn_of_another_size(part: Part, labels: File | Folder) -> None:
    """Warn where a label file that bears no year has another number of queries than the table."""
    expected = part.counts.get("queries")
    for number in _number_of_queries(labels) if isinstance(labels, File) else ():
        if number != expected:
            warnings.warn(
                f"{labels}: taken for the labels of {part.id}, though its name has no year and it has "
                f"{number} queries, not {expected}. Put the year into its name if that is right.",
                ColieeWarning,
                stacklevel=2,
            )


def _folder(found: Candidate) -> Folder:
    assert not isinstance(found.node, File)
    return found.node


def _fits(here: Listing, part: Part, role: str, name: str, found: Candidate) -> bool:
    """Whether what has an accepted name can be meant: by kind, and by the names of the folders that it lies in."""
    if found.is_folder != (role == "corpus"):
        return False
    years = [year for folder in found.within for year in _year_of(folder)]
    if years and part.edition not in years:
        return False
    if role in ("corpus", "labels"):
        if part.name not in name and _part_named(found.within) not in ("", part.name):
            return False
        return part.edition in (*years, SAMPLE) or part.edition in name or _is_plausible(here, part, role, name, found)
    if role in part.exam_years:
        return _is_of_exam_year(part, role, name, found)
    if role == "instances" and part.edition != SAMPLE:
        # the lines of 2026 name their file, which has the year in its name
        marks = re.findall(r"LJPJT(\d\d)", found.node.name + _text(found)[:_FIRST_KEYS])
        return part.edition in years or (part.edition[2:] in marks if marks else part.edition != "2026")
    if role == "articles" and "*" in name and name.endswith(".txt"):
        text = _text(found)
        return bool(re.search(r"^第一条\s|^Article 1\s", text, re.MULTILINE)) and _is_in_language(part, text)
    return True


def _year_of(folder: str) -> set[str]:
    """The edition that the name of a folder tells; empty where it tells none, or several."""
    years = set(re.findall(r"(?<!\d)20[12]\d(?!\d)", folder)) if _OF_AN_EDITION.search(folder) else set()
    return years if len(years) == 1 else set()


def _is_of_exam_year(part: Part, year: str, name: str, found: Candidate) -> bool:
    """Whether a file of questions has the year and the language that its name does not tell."""
    text = _text(found) if year not in name or "*" in name or "_" not in name.removeprefix("riteval_") else None
    if text is None:
        return True
    if not re.search(rf"""\bid=["']{year[0]}0?{year[1:].lstrip("0")}-""", text):
        return False
    return "TestData" in name or _is_in_language(part, text)


def _is_in_language(part: Part, text: str) -> bool:
    return bool(_KANA.search(text)) == (part.language == "ja")


def _part_named(within: tuple[str, ...]) -> str:
    """Train or test, by the nearest folder that says so; else empty."""
    named = [match for folder in reversed(within) for match in _PART_NAME.findall(folder)]
    return named[0].lower() if named else ""


def _text(found: Candidate) -> str:
    assert isinstance(found.node, File)
    return found.node.read_bytes().decode("utf-8", errors="replace")


def _is_plausible(here: Listing, part: Part, role: str, name: str, found: Candidate) -> bool:
    """Whether a name without a year means this edition: the numbers of the table tell, else what lies beside it."""
    akin = [
        other
        for other in PARTS.values()
        if other.id.startswith(f"coliee/{part.task}/")
        and other.name == part.name
        and other.edition not in (part.edition, SAMPLE)
    ]
    for entity, number in _sizes(part, role, found):
        is_own = number == part.counts.get(entity)
        if is_own != any(number == other.counts.get(entity) for other in akin):
            return is_own
    if name in part.files[role]:
        return True
    if role == "corpus":
        dated = (
            label for names in (part.files["labels"],) for n in names if part.edition in n for label in here.named(n)
        )
        return any(label.within in (found.within, (*found.within, found.node.name)) for label in dated)
    names = (*part.files["corpus"], *part.lesser_names("corpus"))
    corpora = [c for n in names for c in here.named(n) if _fits(here, part, "corpus", n, c)]
    return any(found.within in (c.within, (*c.within, c.node.name)) for c in corpora)


def _sizes(part: Part, role: str, found: Candidate) -> Iterator[tuple[str, int]]:
    """What the table counts of a corpus or a label file, with the number here, the quickest to count first."""
    if isinstance(found.node, File):
        yield from (("queries", number) for number in _number_of_queries(found.node))
        return
    for corpus in documents_in(found.node, part.layout)[:1]:
        if part.layout != "flat":
            yield "queries", len(numbered_folders(corpus))
        yield "docs", count_documents(corpus, part.layout)


def _number_of_queries(labels: File) -> list[int]:
    """The number of queries in a label file, in a list; empty where it is no JSON that has any."""
    try:
        content = json.loads(labels.read_bytes())
    except (ValueError, RecursionError):  # the reader will say what is wrong
        return []
    return [len(content)] if isinstance(content, list | dict) else []


def _chosen(part: Part, candidates: list[Candidate]) -> Found:
    """The one that is meant of several, and why. Raises `AmbiguousCopyError`."""
    if len(candidates) == 1:
        return Found(candidates[0].node)
    unpacked = [found.node for found in candidates if not found.in_zip]
    nodes = unpacked or [found.node for found in candidates]
    if len(nodes) == 1:
        return Found(nodes[0], "read unpacked, not from the zip that is there too")
    if all(_same(nodes[0], node) for node in nodes[1:]):
        return Found(nodes[0], f"the first of {len(nodes)} with the same content")
    richest = _richest(nodes)
    if len(richest) == 1:
        return Found(richest[0], f"of {len(nodes)} files of this name the one with labels, or with quoted articles")
    of_right_size = [
        node
        for node in nodes
        if not isinstance(node, File) and count_documents(node, part.layout) == part.counts.get("docs")
    ]
    if len(of_right_size) == 1:
        return Found(of_right_size[0], f"of {len(nodes)} folders the one with as many documents as the table says")
    raise AmbiguousCopyError(
        f"{part.id}: several copies of one name and different content: {', '.join(map(str, nodes))}. "
        f"Set COLIEE_HOME to the folder of the one you want."
    )


def _richest(nodes: list[File | Folder]) -> list[File | Folder]:
    """Of files of questions those that say most: a test is handed out without articles, with them, with answers."""
    signs = (b"label=", b"<t1", b"<article")
    said = [
        sum(sign in node.read_bytes() for sign in signs) if isinstance(node, File) and node.name.endswith(".xml") else 0
        for node in nodes
    ]
    return [node for node, number in zip(nodes, said) if number == max(said)]


def _same(one: File | Folder, other: File | Folder) -> bool:
    """Whether two files, or all files in two folders, have the same names and bytes."""
    if isinstance(one, File) or isinstance(other, File):
        return isinstance(one, File) and isinstance(other, File) and one.read_bytes() == other.read_bytes()
    left: list[File | Folder] = [*one.folders(), *one.files()]
    right: list[File | Folder] = [*other.folders(), *other.files()]
    return [a.name for a in left] == [b.name for b in right] and all(map(_same, left, right))


def _missing(part: Part, role: str) -> MissingCopyError:
    folders = " or ".join(map(str, data_folders()))
    what = _ROLES.get(role, f"file of the questions of {role}")
    documents_are_here = role == "labels" and is_here(part, "corpus")
    return (MissingLabelsError if documents_are_here else MissingCopyError)(
        f"{part.id}: the {what} of COLIEE {part.edition} is not in {folders}. "
        f"Accepted names, at any depth below it, in folders or zips: {', '.join(part.files[role])}. "
        f"{_expected_in_corpus(part) if role == 'corpus' else ''}"
        f"Put there what the organisers mailed, or set COLIEE_HOME to the folder that holds it. "
        f"The organisers give the data to participants who sign their memorandum: {ORGANISERS}."
    )


def _expected_in_corpus(part: Part) -> str:
    """What is expected in the folder of documents, with the folders that have its name and hold something else."""
    listings = [listing(str(folder.absolute())) for folder in data_folders()]
    named = [found.node for here in listings for name in part.files["corpus"] for found in here.named(name)]
    empty = f"; there is none in {', '.join(map(str, named))}" if named else ""
    return f"Expected in it: {_IN_CORPUS[part.layout]}{empty}. "
