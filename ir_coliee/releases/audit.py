"""`audit`: compares a local copy with the official counts, and reports what can mislead an experiment."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from ir_datasets.formats import GenericQrel

from ir_coliee import storage as size_limits
from ir_coliee.display import Block, Details, Heading, Table, displayed
from ir_coliee.editions import SPLITS, Dataset, Split, as_split, data_folders
from ir_coliee.errors import (
    ColieeError,
    ColieeHint,
    ColieeWarning,
    ExistingFileError,
    MalformedFileError,
    MissingLabelsError,
    MissingReleaseError,
    printable,
)
from ir_coliee.progress import progress
from ir_coliee.releases import cases, civil_code, statutes, torts
from ir_coliee.releases import cases as case_gold
from ir_coliee.releases.cases import naming_problems
from ir_coliee.releases.civil_code import Article
from ir_coliee.releases.files import (
    IGNORED_FOLDERS,
    LEVELS,
    DiskFolder,
    File,
    Finding,
    FindingWarning,
    Folder,
    Level,
    MoreWarnings,
    finding,
    finding_on,
    forget,
)
from ir_coliee.releases.release import GOLD_OF_CASE, READERS, LocalRelease
from ir_coliee.releases.search import CORPUS_LAYOUTS, as_number
from ir_coliee.releases.torts import TortInstance
from ir_coliee.releases.zips import ZipFolder, read_required_text
from ir_coliee.storage import delete_abandoned, replace_file
from ir_coliee.text.statutes import caption_of, head_of
from ir_coliee.text.text_irregularities import (
    DECISION_IRREGULARITIES,
    FRAGMENT_IRREGULARITIES,
    PARAGRAPH_IRREGULARITIES,
    Irregularity,
    SourceText,
    irregularity_names,
)

# Comparison of the articles that an exam question quotes with the local civil code, for the audit.


# in a file of 2017 the articles of a question follow each other on one line
_CAPTION_AND_HEAD = re.compile(r"(?<=.)(?=\([^()]*\)\s*Article\s+\d)")


def split_quotation(t1: str, language: str) -> Iterator[tuple[str, list[str]]]:
    r"""Split the quotation of a question into articles.

    Parameters
    ----------
    t1 : str
        The quotation.
    language : {"en", "ja"}

    Yields
    ------
    tuple
        The number of an article, and the quoted lines without head and caption.

    Examples
    --------
    >>> list(split_quotation("(Keys)\nArticle 18\nA key opens.\n(Locks)\nArticle 20 A lock closes.", "en"))
    [('18', ['A key opens.']), ('20', ['A lock closes.'])]
    """
    written = [line for line in t1.splitlines() if line.strip()]
    if language == "en" and len(written) == 1:
        written = _CAPTION_AND_HEAD.sub("\n", t1).splitlines()
    number, lines = "", list[str]()
    for line in written:
        head = head_of(line, language)
        if head is None:
            lines.append(line)
            continue
        if number:
            yield number, _without_caption(lines, language)
        number, lines = head.number, [head.body] if head.body else []
    if number:
        yield number, lines


def _without_caption(lines: list[str], language: str) -> list[str]:
    """Remove the caption of the next article from the lines above its head."""
    return lines[:-1] if lines and caption_of(lines[-1], language) is not None else lines


def differing_quotations(t1: str, language: str, code: Mapping[str, Article]) -> Iterator[tuple[str, bool]]:
    """Find the quoted articles whose text differs from that of the civil code.

    White space and articles that are not in the code are ignored.

    Yields
    ------
    tuple
        The number of an article, and whether every quoted line occurs in its text, which means that the quotation is
        only shortened.
    """
    for number, lines in split_quotation(t1, language):
        if number in code:
            text = _without_blanks(code[number].text)
            if _without_blanks("".join(lines)) != text:
                yield number, all(_without_blanks(line) in text for line in lines)


def _without_blanks(text: str) -> str:
    """Remove white space and the number of a first paragraph, which is sometimes missing."""
    return "".join(text.split()).removeprefix("(1)")


# Irregularities in the files of a local copy that do not change the loaded data; an audit reports them as curious.


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


def irregularities(release: LocalRelease) -> Iterator[Finding]:
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


# Fingerprints of texts, to find identical and near-identical texts without keeping them in memory.


_NON_ASCII_GAPS = re.compile(r"[^\w\x00-\x7f]+")
_ASCII_GAPS = bytes(code for code in range(128) if re.match(r"\W", chr(code)))


class Fingerprint(NamedTuple):
    """The fingerprints of a document or query.

    Attributes
    ----------
    id : str
    whole : bytes
        Equal for identical texts.
    normalised : bytes
        Equal for texts whose `normalised_text` is equal.
    is_damaged : bool
        Whether the text has U+FFFD, which replaces bytes that could not be decoded.
    """

    id: str
    whole: bytes
    normalised: bytes
    is_damaged: bool


def text_digest(text: str) -> bytes:
    """Return a digest that is equal for identical texts; CR LF and LF are equal."""
    return _digest(_with_one_line_end(text))


def fingerprint(text_id: str, text: str) -> Fingerprint:
    """Return the fingerprints of a text; CR LF and LF are equal."""
    whole = _with_one_line_end(text)
    # a text without word characters has no normalised text to compare
    return Fingerprint(text_id, _digest(whole), _digest(normalised_text(text) or whole), "\ufffd" in text)


def normalised_text(text: str) -> bytes:
    r"""Return the word characters (``\w``) of a text in lower case, in UTF-8.

    Examples
    --------
    >>> normalised_text("[1]\nThe gate-keeper’s LAMP.") == normalised_text("[1] The gatekeeper's lamp")
    True
    """
    text = text.lower()
    if not text.isascii():
        text = _NON_ASCII_GAPS.sub("", text)
    return _encoded(text).translate(None, _ASCII_GAPS)  # several times faster than one regular expression


def _with_one_line_end(text: str) -> bytes:
    return _encoded(text.replace("\r\n", "\n"))


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # JSON can contain a lone surrogate


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def groups_by(texts: Iterable[Fingerprint], key: Callable[[Fingerprint], Any]) -> list[list[Fingerprint]]:
    """Return the groups of two or more texts that have the same key."""
    by_key: dict[Any, list[Fingerprint]] = {}
    for text in texts:
        by_key.setdefault(key(text), []).append(text)
    return [group for group in by_key.values() if len(group) > 1]


# `SplitContent`: the content of a split as an audit needs it. It is read once; only fingerprints of texts are kept.


Loaded = TypeVar("Loaded")


@dataclass(frozen=True)
class SplitContent:
    """The content of a split as an audit needs it.

    Attributes
    ----------
    split : Split
    documents : list of Fingerprint
    queries : list of Fingerprint or None
        None in layouts in which the queries are not known without labels.
    qrels : list of GenericQrel or None
        None without labels.
    written_gold : mapping from str to sequence of str
        The gold of each query as it is written in the label file, including repeats and labels that are not loaded.
    queries_without_text : list of str
        The queries of the label file that have no file or folder, and are not loaded.
    candidates : dict from str to set of str, or None
        The candidates of each query; None if any document may answer any query.
    missing : mapping from str to sequence of str
        The accepted names of each file that was not found, by role.
    """

    split: Split
    documents: list[Fingerprint]
    queries: list[Fingerprint] | None
    qrels: list[GenericQrel] | None
    written_gold: Mapping[str, Sequence[str]]
    queries_without_text: list[str]
    candidates: dict[str, set[str]] | None
    missing: Mapping[str, Sequence[str]]

    @property
    def counts(self) -> dict[str, int]:
        """The number of documents, queries and gold labels, by the names that ir_datasets uses."""
        entities = {"docs": self.documents, "queries": self.queries, "qrels": self.qrels}
        return {entity: len(records) for entity, records in entities.items() if records is not None}

    @cached_property
    def gold(self) -> dict[str, list[str]]:
        """The relevant documents of each query."""
        return _by_query(self.qrels or ())


def _by_query(qrels: Iterable[GenericQrel]) -> dict[str, list[str]]:
    gold: dict[str, list[str]] = {}
    for qrel in qrels:
        if qrel.relevance > 0:
            gold.setdefault(qrel.query_id, []).append(qrel.doc_id)
    return gold


def read_content(
    release: LocalRelease, of_documents: FeatureRecord, of_queries: FeatureRecord, *, verbose: bool
) -> SplitContent:
    """Read a split once.

    Parameters
    ----------
    release : LocalRelease
    of_documents, of_queries : FeatureRecord
        Record the features of the texts while they are read.
    verbose : bool
        Whether to show progress.
    """
    documents = []
    for doc_id, written in progress(
        written_documents(release),
        f"reading {release.split.id}",
        total=len(release.documents()),
        unit="documents",
        verbose=verbose,
    ):
        documents.append(fingerprint(doc_id, written.text))
        of_documents.add(doc_id, written)
    queries = _none_if_unlabelled(lambda: [*_queries(release, of_queries)])
    qrels, written_gold = _none_if_unlabelled(lambda: _gold(release)) or (None, {})
    without_text = _none_if_unlabelled(lambda: _queries_without_text(release)) or []
    missing = {role: release.accepted_names[role] for role in release.missing}
    candidates = _candidates(release)
    return SplitContent(release.split, documents, queries, qrels, written_gold, without_text, candidates, missing)


def _queries(release: LocalRelease, of_queries: FeatureRecord) -> Iterator[Fingerprint]:
    for query in release.queries():
        text = query.default_text()
        of_queries.add(query.query_id, SourceText(query.query_id, b"", text))
        yield fingerprint(query.query_id, text)


def _gold(release: LocalRelease) -> tuple[list[GenericQrel], Mapping[str, Sequence[str]]]:
    """Return the labels as they are loaded and as they are written."""
    if not READERS[release.split.task].labels_list_names:
        qrels = list(release.qrels())
        return qrels, _by_query(qrels)
    written = case_gold.written_gold(release)
    with no_warnings():  # reading the written gold gave the same warnings, and the omitted labels are checked
        return list(release.qrels()), written


def _queries_without_text(release: LocalRelease) -> list[str]:
    if not READERS[release.split.task].labels_list_names:
        return []
    with no_warnings():  # reading the queries gave the same warnings
        return case_gold.queries_without_text(release)


def _candidates(release: LocalRelease) -> dict[str, set[str]] | None:
    pairs = release.candidates()
    if pairs is None:
        return None
    candidates: dict[str, set[str]] = {}
    for query_id, doc_id in pairs:
        candidates.setdefault(query_id, set()).add(doc_id)
    return candidates


@contextmanager
def no_warnings() -> Iterator[None]:
    """Suppress the warnings of readers within this context."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)
        yield


def _none_if_unlabelled(load: Callable[[], Loaded]) -> Loaded | None:
    try:
        return load()
    except MissingLabelsError:  # before they are published
        return None


# The checks of an audit on one split.


def checks(content: SplitContent, *, is_synthetic: bool) -> Iterator[Finding]:
    """Run all checks on a split.

    Parameters
    ----------
    content : SplitContent
    is_synthetic : bool
        Whether the data are fictional, which is mentioned if a count differs from the official one.
    """
    yield from _missing_files(content)
    yield from _counts(content, is_synthetic)
    yield from _repeated_ids(content)
    yield from _undecodable(content)
    yield from _labels(content)
    yield from _identical_texts(content)
    yield from _duplicates_of_gold(content)
    yield from _queries_among_documents(content)


def _missing_files(content: SplitContent) -> Iterator[Finding]:
    names = (role_names[0] for role_names in content.missing.values())
    yield from finding_on("missing-file", "files that were not found", names)


def _counts(content: SplitContent, is_synthetic: bool) -> Iterator[Finding]:
    names = sum(map(len, content.written_gold.values()))  # the number that some tables of the organisers count
    for entity, size in content.counts.items():
        official = content.split.counts.get(entity)
        if official is None or official == size or (entity == "qrels" and official == names):
            continue
        reason = "; the data are synthetic" if is_synthetic else "" if official.is_certain else ", which is not certain"
        check = f"differing-count-of-{entity}" if reason else f"count-of-{entity}"
        message = f"{entity}: {size} in the local copy, official count {int(official)}{reason}"
        yield finding(check, message, count=abs(size - official))


def _repeated_ids(content: SplitContent) -> Iterator[Finding]:
    for name, texts in (("document", content.documents), ("query", content.queries or [])):
        repeated = (group[0].id for group in groups_by(texts, attrgetter("id")))
        yield from finding_on(f"repeated-{name}-id", f"{name} ids that occur more than once", repeated)


def _undecodable(content: SplitContent) -> Iterator[Finding]:
    description = "texts with U+FFFD, which replaces bytes that could not be decoded"
    damaged = dict.fromkeys(text.id for text in (*content.documents, *(content.queries or ())) if text.is_damaged)
    yield from finding_on("undecodable-bytes", description, damaged)


def _labels(content: SplitContent) -> Iterator[Finding]:
    known = {query.id for query in content.queries or ()}
    unknown = dict.fromkeys([*content.queries_without_text, *(q for q in content.written_gold if q not in known)])
    yield from finding_on("gold-without-query", "queries of the labels that have no text", unknown)
    if content.queries is None or content.qrels is None:
        if "labels" not in content.missing:
            yield finding("no-labels", "the local copy has no labels")
        return
    documents = {document.id for document in content.documents}
    queries = {query.id: None for query in content.queries}
    written = content.written_gold
    pairs = dict.fromkeys((query, item) for query, items in written.items() for item in items)

    def labels(condition: Callable[[str, str], bool]) -> Iterator[str]:
        return (f"{query} {item}" for query, item in pairs if condition(query, item))

    unknown_items = labels(lambda query, item: item not in documents)
    check = "gold-without-article" if content.split.exam_years else "gold-without-document"
    yield from finding_on(check, "gold labels that name no document", unknown_items)
    self_citing = (query for query, item in pairs if query == item)
    yield from finding_on("self-citation", "queries whose gold names themselves", self_citing)
    check = "no-relevant-item" if READERS[content.split.task].may_lack_gold else "query-without-gold"
    without_gold = (query for query in queries if query not in content.gold)
    yield from finding_on(check, "queries without gold", without_gold)
    repeating = (query for query, items in written.items() if len(set(items)) < len(items))
    yield from finding_on("repeated-gold", "gold lists that repeat a name, which counts once", repeating)
    gold_queries = labels(lambda query, item: item in queries and item != query)
    yield from finding_on("gold-is-query", "gold labels that name another query", gold_queries)
    yield from _null_labels(content, queries)
    yield from _labels_of_layout(content, documents_named=queries.keys() | {item for _, item in pairs}, labels=labels)


def _null_labels(content: SplitContent, queries: dict[str, None]) -> Iterator[Finding]:
    """Report candidates without label, in tasks in which all candidates are labelled."""
    if 0 not in READERS[content.split.task].grades:
        return
    judged = {(qrel.query_id, qrel.doc_id) for qrel in content.qrels or ()}
    candidates = ((query, item) for query in queries for item in sorted((content.candidates or {}).get(query, ())))
    unjudged = (f"{query} {item}" for query, item in candidates if (query, item) not in judged)
    yield from finding_on("null-label", "candidates whose label is null", unjudged)


def _labels_of_layout(
    content: SplitContent, documents_named: set[str], labels: Callable[[Callable[[str, str], bool]], Iterator[str]]
) -> Iterator[Finding]:
    layout = CORPUS_LAYOUTS.get(content.split.layout)
    if layout is None:
        return
    if layout.queries_are_documents:
        unnamed = (document.id for document in content.documents if document.id not in documents_named)
        yield from finding_on("unnamed-document", "documents that no label of this split names", unnamed)
    else:
        of_own_number = labels(lambda query, item: as_number(item.rpartition("_")[2]) == as_number(query))
        description = "gold labels that name an item of the query's own number"
        yield from finding_on("gold-of-own-number", description, of_own_number)


def _identical_texts(content: SplitContent) -> Iterator[Finding]:
    for name, texts in (("documents", content.documents), ("queries", content.queries or [])):
        identical = groups_by(texts, attrgetter("whole"))
        similar = [
            group for group in groups_by(texts, attrgetter("normalised")) if len({text.whole for text in group}) > 1
        ]
        for kind, groups in (("identical", identical), ("near-identical", similar)):
            description = f"{kind} {name}, {len(groups)} different texts"
            ids = (text.id for group in groups for text in group)
            yield from finding_on(f"{kind}-{name}", description, ids)


def _duplicates_of_gold(content: SplitContent) -> Iterator[Finding]:
    """Report gold whose text also occurs under another id, whether that is labelled or not."""
    text_of = {document.id: document.whole for document in content.documents}
    groups = groups_by(content.documents, attrgetter("whole"))
    ids_of_text = {group[0].whole: {document.id for document in group} for group in groups}
    with_duplicate, with_unlabelled_duplicate, same_text = [], [], []
    for query, gold in content.gold.items():
        known = [item for item in gold if item in text_of]
        for item in known:
            duplicates = ids_of_text.get(text_of[item], set()) - {item}
            if content.candidates is not None:
                duplicates &= content.candidates.get(query, set())
            if duplicates:
                with_duplicate.append(f"{query} {item}")
            if duplicates.difference(gold):
                with_unlabelled_duplicate.append(f"{query} {item}")
        if len({text_of[item] for item in known}) < len(set(known)):
            same_text.append(query)
    yield from finding_on("gold-with-duplicate", "gold labels with a duplicate", with_duplicate)
    description = "gold labels with a duplicate that is not gold for the query"
    yield from finding_on("gold-with-unlabelled-duplicate", description, with_unlabelled_duplicate)
    yield from finding_on("gold-repeats-text", "gold lists that have one text under two ids", same_text)


def _queries_among_documents(content: SplitContent) -> Iterator[Finding]:
    known = {document.whole for document in content.documents}
    among_documents = [query.id for query in content.queries or () if query.whole in known]
    if content.split.task == "task2":
        yield from finding_on("fragment-is-paragraph", "fragments whose text is that of a paragraph", among_documents)
    else:
        yield from finding_on("query-is-document", "queries that are documents too", among_documents)


# The checks of an audit on texts that occur in both the train and the test split of an edition.


def overlap_checks(content: SplitContent, *, verbose: bool) -> Iterator[Finding]:
    """Compare a split with the train split of its edition, or the train split with the test split."""
    other = _other_split(content.split)
    if other is None:
        return
    with no_warnings():  # they belong to the audit of the other split
        try:
            others = read_content(
                LocalRelease.open(other), FeatureRecord("documents"), FeatureRecord("queries"), verbose=verbose
            )
        except MissingReleaseError:
            message = f"not compared with {other.id}, which is not in the data folder"
            yield finding("other-split-not-compared", message)
            return
        except ColieeError as error:
            yield finding("other-split-not-compared", f"not compared with {other.id}: {error}")
            return
    layout = CORPUS_LAYOUTS.get(content.split.layout)
    if layout is not None and layout.queries_are_documents:
        text_of = {document.id: document.whole for document in others.documents}
        renamed = (
            document.id for document in content.documents if text_of.get(document.id, document.whole) != document.whole
        )
        description = f"documents whose id is that of another text in {other.id}"
        yield from finding_on("id-of-another-text", description, renamed)
    if {document[:2] for document in content.documents} != {document[:2] for document in others.documents}:
        yield from _known_documents(content, others)  # splits of one collection share their documents
    yield from _known_queries(content, others)


def _other_split(split: Split) -> Split | None:
    """Return the train split, or the test split of a train split; None if it is missing or includes this split."""
    if split.name == "train":
        return SPLITS.get(f"{split.id.removesuffix('train')}test")
    return split.train


def _known_documents(content: SplitContent, others: SplitContent) -> Iterator[Finding]:
    other = others.split.id
    known = {document.whole for document in others.documents}
    known_normalised = {document.normalised for document in others.documents}
    identical = [document for document in content.documents if document.whole in known]
    texts = len({document.whole for document in identical})
    description = f"documents that are identical to one of {other} ({texts} texts)"
    yield from finding_on("document-in-other-split", description, (document.id for document in identical))
    similar = (
        document.id
        for document in content.documents
        if document.whole not in known and document.normalised in known_normalised
    )
    yield from finding_on("near-identical-in-other-split", f"documents near-identical to one of {other}", similar)
    queries = (query.id for query in content.queries or () if query.whole in known)
    yield from finding_on("query-is-document-of-other-split", f"queries that are documents of {other}", queries)


def _known_queries(content: SplitContent, others: SplitContent) -> Iterator[Finding]:
    with_labels = {qrel.query_id for qrel in others.qrels or ()}
    labelled = {query.whole for query in others.queries or () if query.id in with_labels}
    queries = (query.id for query in content.queries or () if query.whole in labelled)
    description = f"queries that are queries of {others.split.id}, with labels there"
    yield from finding_on("query-in-other-split", description, queries)


# Seals: fingerprints of a local copy that was found whole, by which a later audit tells what has changed since.


_FORMAT, _VERSION = "ir_coliee seal", 1

#: The fingerprint of each file, by role and by its name within the role.
Fingerprints = Mapping[str, Mapping[str, str]]


class Seal(NamedTuple):
    """The fingerprints of a local copy that was found whole.

    Attributes
    ----------
    id : str
        The id of the split.
    sealed : str
        The time in UTC, as ``2026-11-22T20:15:00+00:00``.
    files : mapping from str to mapping from str to str
        The SHA-256 fingerprint of each file, by role and by its name within the role.
    """

    id: str
    sealed: str
    files: Fingerprints

    @property
    def hash(self) -> str:
        """The fingerprint of the whole. It depends only on ``files``, so that two participants can compare it."""
        lines = sorted(
            f"{role}\0{name}\0{digest}\n" for role, names in self.files.items() for name, digest in names.items()
        )
        return hashlib.sha256("".join(lines).encode(errors="surrogatepass")).hexdigest()

    @property
    def num_files(self) -> int:
        """The number of files."""
        return sum(map(len, self.files.values()))


class SealedFile(NamedTuple):
    """A file of a split, with its role and its name within the role."""

    role: str
    name: str
    file: File


# --- fingerprints ----------------------------------------------------------------------------------


def compute_seal(release: LocalRelease, *, verbose: bool = False) -> Seal:
    """Compute the seal of a local copy as it is now.

    Parameters
    ----------
    release : LocalRelease
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> len(compute_seal(LocalRelease.open("coliee/task3/sample/en/test")).hash)
    64
    """
    return Seal(release.split.id, _now(), fingerprints(release, sealed_files(release), verbose=verbose))


def sealed_files(release: LocalRelease) -> list[SealedFile]:
    """Return the files that a split is read from."""
    files = []
    for role in (*release.split.files, *release.split.optional_files):
        if role == GOLD_OF_CASE or not release.has(role):  # the files of this role are among those of the corpus
            continue
        if role == "corpus":
            files += [SealedFile(role, name, file) for name, file in cases.files_of_corpus(release)]
        else:
            files.append(SealedFile(role, "", release.file(role)))
    return files


def fingerprints(release: LocalRelease, files: Iterable[SealedFile], *, verbose: bool) -> Fingerprints:
    """Return the fingerprints of some files of a split."""
    found: dict[str, dict[str, str]] = {}
    description = f"fingerprints of {release.split.id}"
    for role, name, file in progress(files, description, unit="files", verbose=verbose):
        content = file.read_bytes().removeprefix(codecs.BOM_UTF8)
        found.setdefault(role, {})[name] = hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()
    return found


def _now() -> str:
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()


# --- the file of a seal ----------------------------------------------------------------------------


def seal_path(release: LocalRelease) -> Path:
    """Return the path of the seal: below the data folder that the files are in, or that already has the seal."""
    name = f"{release.split.id.replace('/', '-')}.json"
    folders = [folder.absolute() for folder in data_folders()]
    places = [Path(str(found.node)) for found in release.files.values()]
    own = [folder for folder in folders if any(folder in (place, *place.parents) for place in places)]
    paths = [folder / "seals" / name for folder in (*own, *folders)]
    return next((path for path in paths if is_written(path)), paths[0])


def is_written(path: Path) -> bool:
    """Return whether there is a seal. Nothing but a folder without the file, or no folder, tells that there is none.

    Raises
    ------
    ColieeError
        If the folder cannot be searched: in it may be a seal of files that have changed.
    """
    try:
        os.lstat(path)
    except OSError as error:
        folder = path.parent
        if isinstance(error, FileNotFoundError) and (folder.is_dir() or not os.path.lexists(folder)):
            return False
        raise _unreadable(path, error) from None
    return True


def _unreadable(path: Path, error: OSError) -> ColieeError:
    problem = f"{path} cannot be read ({error.strerror})"
    return ColieeError(
        f"{problem}.\nWithout it, nobody can tell what has changed: check the folder and its permissions."
    )


def write_seal(path: Path, seal: Seal) -> None:
    """Write the file of a seal, in place of one that is there.

    Raises
    ------
    ColieeError
        If the file cannot be written.
    """
    record = {"format": _FORMAT, "version": _VERSION, **seal._asdict(), "hash": seal.hash}
    try:
        replace_file(path, f"{json.dumps(record, indent=1)}\n".encode())
    except OSError as error:
        problem = f"{path} cannot be written ({error.strerror})"
        raise ColieeError(f"{problem}.\nSeals are in the data folder; check its permissions.") from None


def read_seal(path: Path, split_id: str) -> Seal:
    """Read the file of a seal, and check that its hash fits."""
    expected = (
        f'the seal of {split_id}. Restore it; or seal again by "ir_coliee audit {split_id} --seal --force", '
        "and compare the hash with the one that you noted"
    )
    try:
        record = json.loads(size_limits.SEAL.read_file(path))
        if record["format"] == _FORMAT and record["version"] > _VERSION:
            raise MalformedFileError(
                path, None, "it was written by a newer version of ir_coliee", f"version {_VERSION}. Upgrade ir_coliee"
            )
        seal = _seal(record)
    except OSError as error:
        raise _unreadable(path, error) from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        if isinstance(error, MalformedFileError):
            raise
        raise MalformedFileError(path, None, "it is not a seal, or it is damaged", expected) from None
    if seal.hash != record["hash"]:
        raise MalformedFileError(path, None, "its hash does not fit, so it was altered", expected)
    if seal.id != split_id:
        raise MalformedFileError(path, None, f"it is the seal of {printable(seal.id)}", expected)
    return seal


def _seal(record: Any) -> Seal:
    """Return the seal that a JSON object states. Raises one of the errors that `read_seal` translates."""
    sealed = datetime.fromisoformat(record["sealed"])
    files = {role: {**names} for role, names in record["files"].items()}
    texts = [record["id"], record["hash"], *(digest for names in files.values() for digest in names.values())]
    is_known = record["format"] == _FORMAT and record["version"] == _VERSION
    if not is_known or sealed.tzinfo is None or not all(isinstance(text, str) for text in texts):
        raise ValueError("another format")
    return Seal(record["id"], sealed.astimezone(timezone.utc).isoformat(), files)


# A local copy and its seal: what has changed since, and whether the seal is kept or replaced.


_MAX_LISTED = 5
_KINDS = {"changed": "files that changed", "missing": "files that are missing", "added": "files that were added"}


class Change(NamedTuple):
    """A file that differs from the seal.

    Attributes
    ----------
    kind : {"changed", "missing", "added"}
    file : str
        The path below the folder of documents, or the name of the file.
    modified : str or None
        The time in UTC at which the file, or its ZIP archive, was last written according to the file system; None for
        a missing file. It is only reported: the fingerprints decide what has changed.
    """

    kind: str
    file: str
    modified: str | None


class SealedState(NamedTuple):
    """A seal of the local copy, and what has changed since.

    Attributes
    ----------
    path : str
        The file of the seal.
    sealed : str
        The time in UTC.
    hash : str
        The hash of the seal.
    hash_now : str
        The hash of the files as they are now.
    num_files : int
        The number of files in the seal.
    changes : tuple of Change
    is_new : bool
        Whether the seal was written by this call.
    """

    path: str
    sealed: str
    hash: str
    hash_now: str
    num_files: int
    changes: tuple[Change, ...]
    is_new: bool = False

    def __str__(self) -> str:
        hash_of_seal = f"hash of the seal: {self.hash}"
        if self.is_new:
            compare = "Compare this hash with other participants; the seal stays on this machine."
            return f"sealed now, {self.num_files:,} files\n{hash_of_seal}\n{compare}"
        sealed = f"sealed {_minute(self.sealed)}"
        if not self.changes:
            return f"{sealed}, unchanged since\n{hash_of_seal}"
        counts = ", ".join(f"{n} {kind}" for kind in _KINDS if (n := sum(c.kind == kind for c in self.changes)))
        return f"{sealed}, changed since: {counts}\n{hash_of_seal}\nhash of the files now: {self.hash_now}"

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each kind of change, with the times of the files."""
        for kind, description in _KINDS.items():
            if changes := [change for change in self.changes if change.kind == kind]:
                shown = "; ".join(self._described(change) for change in changes[:_MAX_LISTED])
                more = f" and {len(changes) - _MAX_LISTED} more" if len(changes) > _MAX_LISTED else ""
                message = f"{description} since {_minute(self.sealed)}: {len(changes)} ({shown}{more})"
                yield finding(f"{kind}-since-sealed", message, count=len(changes), ids=tuple(c.file for c in changes))

    def _described(self, change: Change) -> str:
        name = printable(change.file)
        if change.modified is None:
            return name
        back_dated = ", before it was sealed" if change.modified < self.sealed else ""
        return f"{name}, dated {_minute(change.modified)}{back_dated}"


def sealed_state(release: LocalRelease, *, verbose: bool = False) -> SealedState | None:
    """Compare a local copy with its seal.

    Parameters
    ----------
    release : LocalRelease
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    SealedState or None
        None if it was never sealed.

    Raises
    ------
    MalformedFileError
        If the file of the seal is damaged, altered, of another split, or of a newer version of this package.
    """
    path = seal_path(release)
    if not is_written(path):
        return None
    return _compared(release, read_seal(path, release.split.id), compute_seal(release, verbose=verbose))


def keep_seal(release: LocalRelease, computed: Seal, *, overwrite: bool) -> SealedState:
    """Write the seal of a local copy; one of the same content is kept with its time.

    Parameters
    ----------
    release : LocalRelease
    computed : Seal
        The seal of the local copy as it is now.
    overwrite : bool
        Whether a seal of other content, or one that cannot be read, is replaced.

    Raises
    ------
    ExistingFileError
        If there is a seal of other content and ``overwrite`` is False. The message says what has changed.
    ColieeError
        If the file cannot be written.
    """
    path = seal_path(release)
    delete_abandoned(path.parent)
    existing = _existing(path, computed.id, overwrite=overwrite)
    if existing and existing.hash == computed.hash:
        return _compared(release, existing, computed)
    if existing and not overwrite:
        changes = "\n".join(f"  {finding.message}" for finding in _compared(release, existing, computed).findings())
        raise ExistingFileError(
            f"{path} is the seal of other content.\n{changes}\nLook first at what changed. Only if each change is "
            f"right (in Python: overwrite=True):\n  ir_coliee audit {computed.id} --seal --force"
        )
    write_seal(path, computed)
    return _compared(release, computed, computed)


def _existing(path: Path, split_id: str, *, overwrite: bool) -> Seal | None:
    if not is_written(path):
        return None
    try:
        return read_seal(path, split_id)
    except ColieeError:
        if overwrite:
            return None
        raise


def _compared(release: LocalRelease, seal: Seal, computed: Seal) -> SealedState:
    then, now = _flat(seal.files), _flat(computed.files)
    kinds = {
        key: "missing" if key not in now else "added" if key not in then else "changed"
        for key in sorted({*then, *now})
        if then.get(key) != now.get(key)
    }
    present = {(role, name): file for role, name, file in sealed_files(release)} if kinds else {}
    changes = tuple(Change(kind, _shown(release, *key), _modified(present.get(key))) for key, kind in kinds.items())
    path, is_new = str(seal_path(release)), seal is computed
    return SealedState(path, seal.sealed, seal.hash, computed.hash, seal.num_files, changes, is_new)


def _flat(files: Fingerprints) -> dict[tuple[str, str], str]:
    return {(role, name): digest for role, names in files.items() for name, digest in names.items()}


def _shown(release: LocalRelease, role: str, name: str) -> str:
    if name:
        return name
    found = release.find(role) if role in (*release.split.files, *release.split.optional_files) else None
    return found.node.name if found else role


def _modified(file: File | None) -> str | None:
    """Return the time at which a file or its archive was written; None if it is missing or has no possible time."""
    if file is None:
        return None
    path = Path(str(file))
    on_disk = next(place for place in (path, *path.parents) if place.exists())
    return _utc(on_disk.stat().st_mtime)


def _utc(seconds: float) -> str | None:
    try:
        return datetime.fromtimestamp(int(seconds), timezone.utc).isoformat()
    except (ValueError, OverflowError, OSError):  # a year that no calendar has
        return None


def _minute(time: str) -> str:
    return f"{datetime.fromisoformat(time):%Y-%m-%d %H:%M} UTC"


# `audit`: compares a local copy with the official counts, and reports what can mislead an experiment.


@displayed
class Audit(NamedTuple):
    """The result of an audit.

    Attributes
    ----------
    id : str
        The id of the split.
    counts : mapping from str to int
        The number of ``docs``, ``queries`` and ``qrels``. Labels that are not published are not counted.
    findings : tuple of Finding
        The most serious first.
    seal : SealedState or None
        The seal of the local copy, and what has changed since; None if it was not sealed.
    """

    id: str
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]
    seal: SealedState | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether a finding shows that the local copy is damaged or incomplete."""
        return bool(self.by_level["wrong"])

    @property
    def by_level(self) -> Mapping[Level, list[Finding]]:
        """The findings of each level; empty lists included."""
        return {level: [finding for finding in self.findings if finding.level == level] for level in LEVELS}

    def display(self) -> Iterator[Block]:
        """Return the findings in their groups with the advice, as `ir_coliee.display` shows them."""
        counts = ", ".join(f"{number} {entity}" for entity, number in self.counts.items())
        yield Heading(f"{as_split(self.id).pretty_name}: {counts}")
        if self.seal:
            yield str(self.seal)
        for level, findings in self.by_level.items():
            yield Heading(level if findings else f"{level}: nothing")
            for advice, alike in groupby(findings, attrgetter("advice")):
                for found in alike:
                    yield f"  {found.check}: {found.message}"
                yield f"    {advice}"
        yield Heading(self._verdict())
        yield Details(
            "All ids", Table(["check", "ids"], [[found.check, ", ".join(found.ids)] for found in self.findings])
        )

    def _verdict(self) -> str:
        names = [finding.check for finding in self.by_level["wrong"]]
        if not names:
            return "Nothing is wrong."
        return f"{len(names)} {'finding is' if len(names) == 1 else 'findings are'} wrong: {', '.join(names)}"

    def __repr__(self) -> str:
        return str(self)


def audit(dataset: Dataset | LocalRelease, *, verbose: bool = False) -> Audit:
    """Audit the local copy of a split.

    Parameters
    ----------
    dataset : Split or str or ir_datasets.Dataset or pyterrier.datasets.Dataset or LocalRelease
        The split.
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    Audit

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    ColieeError
        If they cannot be read.

    Notes
    -----
    Each finding has a level, which `ir_coliee.releases.files.CHECKS` states with an advice:

    * *wrong*: the local copy is damaged or incomplete. A file is missing, a count differs from a certain official
      count, gold names no document or no query, an id is repeated, or bytes could not be decoded.
    * *changes your score*: figures differ from the organisers', or from those on other data. Gold has duplicates, a
      gold list repeats a name, queries name themselves or have no gold, questions name articles that the civil code
      does not have, queries are known from the other split of the edition, or a reader repaired or left out something.
    * *curious*: the rest, such as a count whose official number is not certain, labels that are not published yet,
      irregular texts, ignored files, and instances of the pilot without facts or claims. A synthetic release that is
      smaller than the real one is curious too.

    The number of gold labels may be the official number of distinct labels, or of the names that the lists have.

    Texts are identical if they differ at most in line ends (CR LF and LF), and near-identical if
    `ir_coliee.releases.audit.normalised_text` is the same. Where queries have candidate pools, only a
    duplicate in the pool of the query counts as a duplicate of its gold.

    A split is read once, and only fingerprints of its texts are kept, so that an audit needs little memory.

    Examples
    --------
    >>> audit("coliee/task2/sample/test").is_wrong
    False
    """
    release = dataset if isinstance(dataset, LocalRelease) else LocalRelease.open(dataset)
    state = sealed_state(release, verbose=verbose)
    changes = [*state.findings()] if state else []
    try:
        result = _audit_of(release, verbose=verbose)
    except ColieeError:
        for change in changes:  # one may explain the error
            warnings.warn(change.message, ColieeWarning, stacklevel=2)
        raise
    return result._replace(findings=(*changes, *result.findings), seal=state)


def seal(dataset: Dataset | LocalRelease, *, overwrite: bool = False, verbose: bool = False) -> Audit:
    """Audit the local copy of a split and seal it: keep a fingerprint of each file, so that changes are noticed later.

    A local copy in which something is wrong is not sealed; the findings tell what to mend first. `audit` of a sealed
    one reports which files changed, are missing or were added since. Two participants can compare the hash of their
    seals: it is equal if the files that are read have the same content.

    Parameters
    ----------
    dataset : Split or str or ir_datasets.Dataset or pyterrier.datasets.Dataset or LocalRelease
        The split.
    overwrite : bool, default False
        Whether to replace a seal of other content, or one that cannot be read.
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    Audit
        ``seal`` has the path and the hash; it is None if a finding is wrong, so that the local copy was not sealed.

    Raises
    ------
    ColieeError
        If the files cannot be read, or the seal cannot be written.
    ExistingFileError
        If there is a seal of other content and ``overwrite`` is False.

    Notes
    -----
    The seal is written to ``seals`` in the data folder and stays there when caches are deleted. It has no text, but the
    fingerprint of a short file can be guessed: keep it where the data may be, and pass on the hash alone.
    `ir_coliee.releases.audit` defines the hash.

    Examples
    --------
    >>> import os, tempfile
    >>> from unittest import mock
    >>> with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, COLIEE_HOME=folder):
    ...     sealed = seal("coliee/task2/sample/test")
    ...     len(sealed.seal.hash), audit("coliee/task2/sample/test").seal.changes
    (64, ())
    """
    release = dataset if isinstance(dataset, LocalRelease) else LocalRelease.open(dataset)
    computed = compute_seal(release, verbose=verbose)  # before the audit, so that no later content is sealed
    result = _audit_of(release, verbose=verbose)
    if result.is_wrong:
        return result
    return result._replace(seal=keep_seal(release, computed, overwrite=overwrite))


def _audit_of(release: LocalRelease, *, verbose: bool) -> Audit:
    with _forgetful_readers():
        with _recorded() as caught:
            features = of_documents(release.split), of_queries(release.split)
            content = read_content(release, *features, verbose=verbose)
            on_files = [*irregularities(release)]
        findings = [
            *_warnings(caught),
            *checks(content, is_synthetic=release.is_synthetic),
            *overlap_checks(content, verbose=verbose),
            *(finding for record in features for finding in record.findings()),
            *on_files,
        ]
    return Audit(
        release.split.id, content.counts, tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))
    )


@contextmanager
def _forgetful_readers() -> Iterator[None]:
    """Clear the readers' cached results before and after this context, so that warnings are repeated."""
    forget()
    try:
        yield
    finally:
        forget()


@contextmanager
def _recorded() -> Iterator[list[warnings.WarningMessage]]:
    """Record the warnings of the readers; if reading fails, show them, because one may explain the error."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ColieeWarning)
            yield caught
    except ColieeError:
        for warning in caught:
            warnings.warn(warning.message, stacklevel=4)
        raise


def _warnings(caught: Sequence[warnings.WarningMessage]) -> Iterator[Finding]:
    """Report each warning of the readers once. Hints and warnings of other libraries are passed on."""
    of_readers = [w for w in caught if issubclass(w.category, ColieeWarning) and not issubclass(w.category, ColieeHint)]
    for warning in caught:
        if warning not in of_readers:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    ids: dict[tuple[str, str], dict[str, None]] = {}
    for message in dict.fromkeys(warning.message for warning in of_readers):
        if isinstance(message, FindingWarning):
            ids.setdefault((message.check, message.description), {}).update(dict.fromkeys(message.ids))
    for (check, description), concerned in ids.items():
        yield from finding_on(check, description, concerned)
    others = (warning.message for warning in of_readers if not isinstance(warning.message, FindingWarning))
    for text, more in {(str(message), _more(message)): None for message in others}:
        yield finding("warning-of-reader", text, count=len(more) or 1, ids=more)


def _more(message: Warning | str) -> tuple[str, ...]:
    """Return the warnings that a warning stands for; empty for a usual one."""
    return message.problems if isinstance(message, MoreWarnings) else ()
