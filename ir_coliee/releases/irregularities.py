"""Irregularities in the files of a local copy that do not change the loaded data; an audit reports them as curious."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.editions import Split
from ir_coliee.releases import cases, civil_code, statutes, torts
from ir_coliee.releases.file_numbering import naming_problems
from ir_coliee.releases.findings import Finding, finding_on
from ir_coliee.releases.folders import IGNORED_FOLDERS, DiskFolder, Folder
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.quoted_articles import differing_quotations
from ir_coliee.releases.text_files import read_required_text
from ir_coliee.releases.torts import TortInstance
from ir_coliee.releases.zip_folders import ZipFolder
from ir_coliee.text.text_irregularities import (
    DECISION_IRREGULARITIES,
    FRAGMENT_IRREGULARITIES,
    PARAGRAPH_IRREGULARITIES,
    Irregularity,
    SourceText,
    irregularity_names,
)

# --- texts of cases --------------------------------------------------------------------------------


@dataclass
class FeatureRecord:
    """Records which texts have which case features.

    Attributes
    ----------
    kind : str
        What the texts are, for messages: ``decisions``, ``paragraphs``, …
    features : tuple
        The features that are looked for.
    ids : dict from str to list of str
        The ids of the texts that have a feature, by its name.
    """

    kind: str
    features: tuple[Irregularity, ...] = ()
    ids: dict[str, list[str]] = field(default_factory=dict)

    def add(self, text_id: str, written: SourceText) -> None:
        """Record the features of a text."""
        for name in irregularity_names(self.features, written):
            self.ids.setdefault(name, []).append(text_id)

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each feature that was found."""
        for feature in self.features:
            yield from finding_on(feature.name, f"{self.kind} {feature.description}", self.ids.get(feature.name, ()))


_DOCUMENT_FEATURES = MappingProxyType(
    {"task1": ("decisions", DECISION_IRREGULARITIES), "task2": ("paragraphs", PARAGRAPH_IRREGULARITIES)}
)
_QUERY_FEATURES = MappingProxyType({"task2": ("fragments", FRAGMENT_IRREGULARITIES)})


def of_documents(split: Split) -> FeatureRecord:
    """Return an empty record for the documents of a split; only texts of cases have features."""
    return FeatureRecord(*_DOCUMENT_FEATURES.get(split.task, ("documents",)))


def of_queries(split: Split) -> FeatureRecord:
    """Return an empty record for the queries of a split; only fragments have features."""
    return FeatureRecord(*_QUERY_FEATURES.get(split.task, ("queries",)))


class _Content(NamedTuple):
    """The bytes of a file that has already been read, and its path for messages."""

    data: bytes
    path: str

    def read_bytes(self) -> bytes:
        return self.data

    def __str__(self) -> str:
        return self.path


def written_documents(release: LocalRelease) -> Iterator[tuple[str, SourceText]]:
    """Yield the id and the text of each document; for a case also its bytes, which are read once."""
    if release.split.task not in _DOCUMENT_FEATURES:
        for document in release.documents():
            yield document.doc_id, SourceText(document.doc_id, b"", document.default_text())
        return
    documents = cases.documents(release)
    for doc_id, file in zip(documents.ids, documents.files):
        data = file.read_bytes()
        yield doc_id, SourceText(doc_id.rpartition("_")[2], data, read_required_text(_Content(data, str(file)), doc_id))


# --- any task --------------------------------------------------------------------------------------


def findings(release: LocalRelease) -> Iterator[Finding]:
    """Yield findings on the files of a split: ignored files among the cases, quotations, incomplete tort instances."""
    files = release.split.files
    if "corpus" in files:
        description = "files in the folder of documents that are ignored"
        yield from finding_on("ignored-file", description, _ignored_files(release))
        yield from _curious_names(release)
    if release.split.task == "task2":
        yield from _base_cases(release)
    if "articles" in files:
        yield from _differing_quotations(release)
    if "instances" in files:
        yield from _incomplete_instances(release)


# --- ignored files ---------------------------------------------------------------------------------


def _ignored_files(release: LocalRelease) -> Iterator[str]:
    """Yield the paths, below the folder of documents, of files that are neither documents nor labels of the split."""
    corpus, labels = release.corpus, release.find("labels")
    of_split = {path for path, _ in cases.files_of_corpus(release)}
    for path in sorted(_paths_below(corpus)):
        names = path.split("/")
        is_hidden = any(name.startswith(".") or name in IGNORED_FOLDERS for name in names)
        is_labels = labels is not None and str(labels.node) == _path_of(corpus, path)
        if is_hidden or not (path in of_split or is_labels):
            yield path


def _path_of(folder: Folder, path: str) -> str:
    return os.path.join(str(folder), *path.split("/")) if isinstance(folder, DiskFolder) else f"{folder}/{path}"


def _paths_below(folder: Folder) -> Iterator[str]:
    """Yield the paths of all files below a folder with forward slashes, also of those that `Folder` leaves out."""
    if isinstance(folder, DiskFolder):
        for parent, _, names in os.walk(folder.path):
            inner = "" if parent == folder.path else f"{os.path.relpath(parent, folder.path).replace(os.sep, '/')}/"
            yield from (f"{inner}{name}" for name in names)
    elif isinstance(folder, ZipFolder):
        prefix = f"{folder.inner}/" if folder.inner else ""
        yield from (path.removeprefix(prefix) for path in folder.archive.paths() if path.startswith(prefix))


# --- cases -----------------------------------------------------------------------------------------


def _curious_names(release: LocalRelease) -> Iterator[Finding]:
    """Report irregular names of which the reader does not warn."""
    corpus, layout = release.corpus, release.layout
    for problem in naming_problems(corpus, layout, layout.documents(corpus)):
        if problem.is_curious:
            yield from finding_on(*problem)


def _base_cases(release: LocalRelease) -> Iterator[Finding]:
    """Report base cases that are missing, or in which the fragment does not occur."""
    files = cases.base_case_files(release)
    without = (query_id for query_id, file in files.items() if file is None)
    yield from finding_on("missing-base-case", "cases without a base case", without)
    elsewhere = []
    for query in release.queries():
        file = files.get(query.query_id)
        if file and _words(query.default_text()) not in _words(read_required_text(file, query.query_id)):
            elsewhere.append(query.query_id)
    yield from finding_on("fragment-not-in-base-case", "fragments that do not occur in their base case", elsewhere)


def _words(text: str) -> str:
    return " ".join(text.split())


# --- questions -------------------------------------------------------------------------------------


def _differing_quotations(release: LocalRelease) -> Iterator[Finding]:
    """Report quoted articles whose text differs from that of the civil code: shortened or otherwise different."""
    if not release.has("articles"):
        return
    code = {article.doc_id: article for article in civil_code.all_articles(release)}
    shortened: list[str] = []
    different: list[str] = []
    for question in statutes.questions(release):
        if question.t1 == civil_code.quote_articles(question.articles, code):  # generated from the code
            continue
        for number, is_shortened in differing_quotations(question.t1, release.split.language, code):
            (shortened if is_shortened else different).append(f"{question.query_id} {number}")
    yield from finding_on("quotation-shortened", "articles that a question quotes only partly", shortened)
    description = "articles that a question quotes with another text than the civil code has"
    yield from finding_on("quotation-differs", description, different)


# --- tort instances --------------------------------------------------------------------------------


class _InstanceCheck(NamedTuple):
    """A check for something that a tort instance may lack."""

    name: str
    description: str
    is_lacking: Callable[[TortInstance], bool]


_INSTANCE_CHECKS = (
    _InstanceCheck("no-facts", "without undisputed facts", lambda instance: not instance.undisputed_facts),
    _InstanceCheck(
        "no-claim-of-plaintiff", "without a claim of the plaintiff", lambda instance: _has_no_claim_of(instance, "p")
    ),
    _InstanceCheck(
        "no-claim-of-defendant", "without a claim of the defendant", lambda instance: _has_no_claim_of(instance, "d")
    ),
)


def _has_no_claim_of(instance: TortInstance, side: str) -> bool:
    return all(claim.side != side for claim in instance.claims)


def _incomplete_instances(release: LocalRelease) -> Iterator[Finding]:
    for name, description, is_lacking in _INSTANCE_CHECKS:
        ids = (instance.query_id for instance in torts.instances(release) if is_lacking(instance))
        yield from finding_on(name, f"tort instances {description}", ids)
