"""What is peculiar in the files of a copy, by task, and loses nothing when it is read: the notes of an audit."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from ir_coliee.editions import Split
from ir_coliee.releases import cases, civil_code, statutes, torts
from ir_coliee.releases import search as copies
from ir_coliee.releases.findings import Finding, found
from ir_coliee.releases.folders import LITTER, DiskFolder, Folder, ZipFolder
from ir_coliee.releases.layouts import is_number, numbered_files
from ir_coliee.releases.quotations import quoted_otherwise
from ir_coliee.releases.reading import read_text
from ir_coliee.releases.torts import TortInstance
from ir_coliee.text.case_features import OF_DECISIONS, OF_FRAGMENTS, OF_PARAGRAPHS, Trait, Written, shown

_STATUTES = ("task3", "task4", "task5")
_PILOT = ("prediction", "rationale")


# --- texts of cases --------------------------------------------------------------------------------


@dataclass
class Seen:
    """The ids of the texts, named ``what``, that showed each of some traits."""

    what: str
    traits: tuple[Trait, ...] = ()
    ids: dict[str, list[str]] = field(default_factory=dict)

    def look(self, text_id: str, written: Written) -> None:
        """Note which traits a text has."""
        for name in shown(self.traits, written):
            self.ids.setdefault(name, []).append(text_id)

    def findings(self) -> Iterator[Finding]:
        """A note for each trait that was seen."""
        for trait in self.traits:
            yield from found(trait.name, "note", f"{self.what} {trait.words}", self.ids.get(trait.name, ()))


_OF_DOCUMENTS = MappingProxyType({"task1": ("decisions", OF_DECISIONS), "task2": ("paragraphs", OF_PARAGRAPHS)})
_OF_QUERIES = MappingProxyType({"task2": ("fragments", OF_FRAGMENTS)})


def of_documents(split: Split) -> Seen:
    """Where the traits of a split's documents are to be noted; only those of cases have some."""
    return Seen(*_OF_DOCUMENTS.get(split.task, ("documents",)))


def of_queries(split: Split) -> Seen:
    """Where the traits of a split's queries are to be noted; only fragments have some."""
    return Seen(*_OF_QUERIES.get(split.task, ("queries",)))


class _Content(NamedTuple):
    """The bytes of a file that was read already, and its place for messages."""

    data: bytes
    place: str

    def read_bytes(self) -> bytes:
        return self.data

    def __str__(self) -> str:
        return self.place


def documents(split: Split, dataset: Any) -> Iterator[tuple[str, Written]]:
    """Each document of a split with its id; of a case also the bytes, which are read once."""
    if split.task not in _OF_DOCUMENTS:
        for doc in dataset.docs_iter():
            yield doc.doc_id, Written(doc.doc_id, b"", doc.default_text())
        return
    files = cases.documents(split)
    for doc_id, file in zip(files.ids, files.files):
        data = file.read_bytes()
        yield doc_id, Written(doc_id.rpartition("_")[2], data, read_text(_Content(data, str(file))))


# --- any task --------------------------------------------------------------------------------------


def findings(split: Split) -> Iterator[Finding]:
    """Notes on the files of a split: what lies unread among the cases, and what questions and instances are like."""
    if "corpus" in split.files:
        what = "files in the folder of documents that are passed over"
        yield from found("passed-over", "note", what, _passed_over(split))
    if split.task in _STATUTES:
        yield from _quoted_otherwise(split)
    if split.task in _PILOT:
        yield from _instances(split)


# --- files that are no documents -------------------------------------------------------------------


def _passed_over(split: Split) -> Iterator[str]:
    """The places, below the folder of documents, of files that are neither documents nor labels of the split."""
    corpus = copies.find_folder(split)
    labels = copies.locate(split, "labels")
    documents = {file.name for file in numbered_files(corpus)} if split.layout == "flat" else set()
    for place in sorted(_places_below(corpus)):
        names = place.split("/")
        is_hidden = any(name.startswith(".") or name in LITTER for name in names)
        is_of_case = split.layout != "flat" and len(names) > 1 and is_number(names[0])
        is_read = is_of_case or place in documents or (labels and str(labels.node) == _place_of(corpus, place))
        if is_hidden or not is_read:
            yield place


def _place_of(folder: Folder, place: str) -> str:
    return os.path.join(str(folder), *place.split("/")) if isinstance(folder, DiskFolder) else f"{folder}/{place}"


def _places_below(folder: Folder) -> Iterator[str]:
    """The places of all files below a folder, with forward slashes: also of those that the folder does not show."""
    if isinstance(folder, DiskFolder):
        for above, _, names in os.walk(folder.path):
            inner = "" if above == folder.path else f"{os.path.relpath(above, folder.path).replace(os.sep, '/')}/"
            yield from (f"{inner}{name}" for name in names)
    elif isinstance(folder, ZipFolder):
        within = f"{folder.inner}/" if folder.inner else ""
        with zipfile.ZipFile(folder.archive.path) as archive:
            entries = [info.filename.replace("\\", "/").removeprefix("./") for info in archive.infolist()]
        yield from (
            entry.removeprefix(within) for entry in entries if entry.startswith(within) and not entry.endswith("/")
        )


# --- questions -------------------------------------------------------------------------------------


def _quoted_otherwise(split: Split) -> Iterator[Finding]:
    """Articles that a question quotes with another text than the code has, in split or in other words."""
    if not copies.is_here(split, "articles"):
        return
    code = {article.doc_id: article for article in civil_code.all_articles(split)}
    quoted: dict[bool, list[str]] = {True: [], False: []}
    for question in statutes.questions(split):
        if question.t1 == civil_code.quote_articles(question.articles, code):  # built from it, by us or by a program
            continue
        for number, is_shortened in quoted_otherwise(question.t1, split.language, code):
            quoted[is_shortened].append(f"{question.query_id} {number}")
    what = "articles of which a question quotes only a split"
    yield from found("quotation-shortened", "note", what, quoted[True])
    what = "articles that a question quotes otherwise than the civil code has them"
    yield from found("quotation-unlike-code", "note", what, quoted[False])


# --- tort instances --------------------------------------------------------------------------------


class _InstanceTrait(NamedTuple):
    """Something that tort instances may lack: its name, the words for it, and whether one has none of it."""

    name: str
    words: str
    is_shown_by: Callable[[TortInstance], bool]


_OF_INSTANCES = (
    _InstanceTrait("no-facts", "without undisputed facts", lambda it: not it.undisputed_facts),
    _InstanceTrait("no-claim-of-plaintiff", "without a claim of the plaintiff", lambda it: _has_none_of(it, "p")),
    _InstanceTrait("no-claim-of-defendant", "without a claim of the defendant", lambda it: _has_none_of(it, "d")),
)


def _has_none_of(instance: TortInstance, side: str) -> bool:
    return all(claim.side != side for claim in instance.claims)


def _instances(split: Split) -> Iterator[Finding]:
    for name, words, is_shown_by in _OF_INSTANCES:
        ids = (instance.query_id for instance in torts.instances(split) if is_shown_by(instance))
        yield from found(name, "note", f"tort instances {words}", ids)
