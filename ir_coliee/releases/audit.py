"""`audit` and `seal`: what is wrong in a local copy, what changes a score, and what has changed since it was sealed."""

from __future__ import annotations

import codecs
import hashlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from ir_datasets.formats import GenericQrel

from ir_coliee.display import Block, Details, Table, displayed
from ir_coliee.editions import SPLITS, Dataset, Split, as_split, data_folders
from ir_coliee.errors import (
    ColieeError,
    ColieeHint,
    ColieeWarning,
    ExistingFileError,
    MalformedFileError,
    MissingLabelsError,
    MissingReleaseError,
)
from ir_coliee.progress import progress
from ir_coliee.releases import cases
from ir_coliee.releases.cache import forget
from ir_coliee.releases.files import File
from ir_coliee.releases.findings import LEVELS, Finding, FindingWarning, finding, finding_on
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.search import GOLD_OF_CASE
from ir_coliee.storage import SEAL, delete_abandoned, write_file
from ir_coliee.text.decisions import normalised_digest, text_digest

# --- the content of a split ------------------------------------------------------------------------


class _Text(NamedTuple):
    """A document or query, of whose text only digests are kept; that of the normalised text for queries alone."""

    id: str
    digest: bytes
    has_replacement: bool
    normalised: bytes


@dataclass(frozen=True)
class _Content:
    """The content of a split. ``documents``, ``queries`` and ``qrels`` are None if their files are not at hand."""

    split: Split
    documents: list[_Text] | None
    queries: list[_Text] | None
    qrels: list[GenericQrel] | None
    written_gold: Mapping[str, Sequence[str]]  # as in the label file: repeats and labels that are not loaded included
    candidates: dict[str, list[str]] | None  # None if any document may answer any query
    missing: Mapping[str, str]  # the name of each file that was not found, by role

    @property
    def counts(self) -> dict[str, int]:
        """The number of documents, queries and gold labels, by the names that ir_datasets uses."""
        queries = self.written_gold if "corpus" in self.missing else self.queries
        entities = {"docs": self.documents, "queries": queries, "qrels": self.qrels}
        return {entity: len(records) for entity, records in entities.items() if records is not None}

    @cached_property
    def gold(self) -> dict[str, list[str]]:
        """The relevant documents of each query."""
        return _by_query((qrel.query_id, qrel.doc_id) for qrel in self.qrels or () if qrel.relevance > 0)


def _by_query(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for query_id, doc_id in pairs:
        found.setdefault(query_id, []).append(doc_id)
    return found


def _read_content(release: LocalRelease, *, verbose: bool) -> _Content:
    """Read a split. If only its labels are at hand, these alone are read."""
    missing = {role: release.accepted_names[role][0] for role in release.missing}
    documents = queries = qrels = candidates = None
    written_gold: Mapping[str, Sequence[str]] = {}
    if not {"corpus", "articles", "instances"} & missing.keys():
        records = release.documents()
        size, name = len(records), f"reading {release.split.id}"
        shown = progress(records, name, total=size, unit="documents", verbose=verbose)
        documents = [_text(record.doc_id, record.default_text()) for record in shown]
        pairs = release.candidates()
        candidates = None if pairs is None else _by_query(pairs)
    if "corpus" not in missing:
        with suppress(MissingLabelsError):  # in some layouts they tell which documents are queries
            queries = [
                _text(query.query_id, query.default_text(), normalised_digest(query.default_text()))
                for query in release.queries()
            ]
    with suppress(MissingLabelsError):  # before they are published
        qrels = list(release.qrels())
        if "corpus" in release.split.files:
            written_gold = cases.written_gold(release)
        else:
            written_gold = _by_query((qrel.query_id, qrel.doc_id) for qrel in qrels if qrel.relevance > 0)
    return _Content(release.split, documents, queries, qrels, written_gold, candidates, missing)


def _text(text_id: str, text: str, normalised: bytes = b"") -> _Text:
    return _Text(text_id, text_digest(text), "\ufffd" in text, normalised)


# --- checks of a split -----------------------------------------------------------------------------


def _missing_files(content: _Content) -> Iterator[Finding]:
    names = dict(content.missing)
    if "corpus" in names and content.qrels is not None:
        yield finding("documents-missing", f"{names.pop('corpus')} was not found, so only the labels were checked")
    yield from finding_on("missing-file", "files that were not found", names.values())


def _counts(content: _Content, is_synthetic: bool) -> Iterator[Finding]:
    names = sum(map(len, content.written_gold.values()))  # the number that some tables of the organisers count
    for entity, size in content.counts.items():
        official = content.split.counts.get(entity)
        if official is None or official == size or (entity == "qrels" and official == names):
            continue
        reason = "; the data are synthetic" if is_synthetic else "" if official.is_certain else ", which is not certain"
        message = f"{entity}: {size} in the local copy, official count {int(official)}{reason}"
        yield finding("differing-count" if reason else f"count-of-{entity}", message, count=abs(size - official))


def _ids_and_texts(content: _Content) -> Iterator[Finding]:
    documents, queries = content.documents or [], content.queries or []
    description = "texts with U+FFFD, which replaces bytes that could not be decoded"
    damaged = dict.fromkeys(text.id for text in (*documents, *queries) if text.has_replacement)
    yield from finding_on("undecodable-bytes", description, damaged)
    if content.split.task == "task2":
        known = {document.digest for document in documents}
        among_documents = (query.id for query in queries if query.digest in known)
        yield from finding_on("fragment-is-paragraph", "fragments whose text is that of a paragraph", among_documents)
    identical, similar = _groups(queries, attrgetter("digest")), _groups(queries, attrgetter("normalised"))
    similar = [group for group in similar if len({query.digest for query in group}) > 1]
    for kind, groups in (("identical", identical), ("near-identical", similar)):
        ids = (query.id for group in groups for query in group)
        yield from finding_on(f"{kind}-queries", f"{kind} queries, {len(groups)} different texts", ids)


def _groups(texts: Iterable[_Text], key: Callable[[_Text], object]) -> list[list[_Text]]:
    """Return the groups of two or more texts that have the same key."""
    by_key: dict[object, list[_Text]] = {}
    for text in texts:
        by_key.setdefault(key(text), []).append(text)
    return [group for group in by_key.values() if len(group) > 1]


def _labels(content: _Content) -> Iterator[Finding]:
    written = content.written_gold
    queries = [query.id for query in content.queries or ()]
    if content.qrels is None:
        if "labels" not in content.missing:
            yield finding("no-labels", "the local copy has no labels")
        return
    if "instances" not in content.split.files:  # an undecided instance has no decision, a court may accept no claim
        without_gold = (query for query in queries or written if query not in content.gold)
        yield from finding_on("query-without-gold", "queries without gold", without_gold)
    repeating = (query for query, items in written.items() if len(set(items)) < len(items))
    yield from finding_on("repeated-gold", "gold lists that repeat a name, which counts once", repeating)
    if content.split.task == "task1" and not content.split.has_pools:
        gold = ((query, item) for query, items in content.gold.items() for item in items)
        yield finding("noticed-cases", cases.noticed_cases(gold, queries or written))


def _duplicates_of_gold(content: _Content) -> Iterator[Finding]:
    """Report gold whose text also occurs under another id, whether that is labelled or not."""
    documents = content.documents or []
    text_of = {document.id: document.digest for document in documents}
    groups = _groups(documents, attrgetter("digest"))
    ids_of_text = {group[0].digest: {document.id for document in group} for group in groups}
    with_duplicate, with_unlabelled_duplicate, same_text = [], [], []
    for query, gold in content.gold.items():
        known = [item for item in gold if item in text_of]
        for item in known:
            duplicates = ids_of_text.get(text_of[item], set()) - {item}
            if content.candidates is not None:
                duplicates &= {*content.candidates.get(query, ())}
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


def _overlap(content: _Content, *, verbose: bool) -> Iterator[Finding]:
    """Report texts that both the train and the test split of an edition have."""
    split = content.split
    other = SPLITS.get(f"{split.id.removesuffix('train')}test") if split.name == "train" else split.train
    if other is None or content.documents is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)  # they belong to the audit of the other split
        try:
            others = _read_content(LocalRelease.open(other), verbose=verbose)
        except ColieeError as error:
            reason = "it is not in the data folder" if isinstance(error, MissingReleaseError) else str(error)
            yield finding("other-split-not-compared", f"not compared with {other.id}: {reason}")
            return
    if split.task == "task1" and not split.has_pools:
        text_of = {document.id: document.digest for document in others.documents or ()}
        renamed = (text.id for text in content.documents if text_of.get(text.id, text.digest) != text.digest)
        description = f"documents whose id is that of another text in {other.id}"
        yield from finding_on("id-of-another-text", description, renamed)
    queries = content.queries or ()
    if {*content.documents} != {*(others.documents or ())}:  # splits of one collection share their documents
        known = {document.digest for document in others.documents or ()}
        of_documents = (query.id for query in queries if query.digest in known)
        description = f"queries that are documents of {other.id}"
        yield from finding_on("query-is-document-of-other-split", description, of_documents)
    with_labels = {qrel.query_id for qrel in others.qrels or ()}
    labelled = {query.digest for query in others.queries or () if query.id in with_labels}
    of_queries = (query.id for query in queries if query.digest in labelled)
    description = f"queries that are queries of {other.id}, with labels there"
    yield from finding_on("query-in-other-split", description, of_queries)


# --- damaged files, and the seal -------------------------------------------------------------------

_DAMAGE = {
    "pointers of Git LFS in place of the files": re.compile(rb"\Aversion https://git-lfs.github.com/spec/"),
    "files with a conflict marker of Git": re.compile(rb"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE),
    "files with NUL bytes, as after a power failure or in UTF-16": re.compile(rb"\0"),
}


def _damage(content: bytes) -> tuple[str, int] | None:
    """Return what is damaged in a file, as it is described in a finding, and the line; None for a whole file."""
    for problem, pattern in _DAMAGE.items():
        if found := pattern.search(content):
            return problem, content.count(b"\n", 0, found.start()) + 1
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return "files that are not UTF-8", content.count(b"\n", 0, error.start) + 1
    return None


class Seal(NamedTuple):
    """The SHA-256 fingerprint of each file of a local copy.

    Attributes
    ----------
    files : mapping from str to str
        By a name that is the same for every participant: the role, and below ``corpus`` the path in the folder of
        documents. A byte order mark and CR LF instead of LF do not change a fingerprint.
    """

    files: Mapping[str, str]

    @property
    def content(self) -> bytes:
        """The file of the seal, in the format of ``sha256sum``."""
        lines = (f"{digest}  {name}\n" for name, digest in sorted(self.files.items()))
        return "".join(lines).encode(errors="surrogateescape")

    @property
    def hash(self) -> str:
        """The fingerprint of the whole, which two participants can compare: ``sha256sum`` of the seal prints it."""
        return hashlib.sha256(self.content).hexdigest()


def compute_seal(release: LocalRelease) -> Seal:
    """Compute the seal of a local copy as it is now.

    Examples
    --------
    >>> len(compute_seal(LocalRelease.open("coliee/task3/sample/en/test")).hash)
    64
    """
    return _seal_and_damage(release, verbose=False)[0]


def _seal_and_damage(release: LocalRelease, *, verbose: bool) -> tuple[Seal, list[Finding]]:
    files: dict[str, str] = {}
    damaged: dict[str, list[str]] = {}
    for name, file in progress(_files(release), f"files of {release.split.id}", unit="files", verbose=verbose):
        content = file.read_bytes()
        text = content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
        files[name.replace("\\", "\\\\").replace("\n", "\\n")] = hashlib.sha256(text).hexdigest()
        if damage := _damage(content):
            damaged.setdefault(damage[0], []).append(f"{file.name}, line {damage[1]}")
    findings = (found for problem, places in damaged.items() for found in finding_on("damaged-file", problem, places))
    return Seal(files), [*findings]


def _files(release: LocalRelease) -> Iterator[tuple[str, File]]:
    """Yield the files that a split is read from, with their names in a seal."""
    for role in (*release.split.files, *release.split.optional_files):
        if role == GOLD_OF_CASE or not release.has(role):  # the files of this role are among those of the corpus
            continue
        if role == "corpus":
            yield from ((f"{role}/{name}", file) for name, file in cases.files_of_corpus(release))
        else:
            yield role, release.file(role)


def seal_path(release: LocalRelease) -> Path:
    """Return the path of the seal, below the data folder that the files are in."""
    folders = [folder.absolute() for folder in data_folders()]
    places = [Path(str(found.node)) for found in release.files.values()]
    own = (folder for folder in folders if any(folder in place.parents for place in places))
    return next(own, folders[0]) / "seals" / f"{release.split.id.replace('/', '-')}.sha256"


def read_seal(path: Path) -> Seal | None:
    """Read the file of a seal; None if there is none."""
    try:
        content = SEAL.read_file(path)
    except FileNotFoundError:
        return None
    files = {}
    for number, line in enumerate(content.decode(errors="surrogateescape").removesuffix("\n").split("\n"), start=1):
        found = re.fullmatch("([0-9a-f]{64})  (.+)", line)
        if not found:
            expected = "a line of sha256sum. Restore the seal, or delete it and seal again by audit --seal"
            raise MalformedFileError(path, number, "the line is not a fingerprint and a name", expected)
        files[found[2]] = found[1]
    return Seal(files)


def _changes(sealed: Seal, now: Seal) -> Iterator[Finding]:
    """Yield a finding for each kind of change since a seal."""
    for kind, names in (
        ("changed", (name for name, digest in sealed.files.items() if now.files.get(name, digest) != digest)),
        ("missing", (name for name in sealed.files if name not in now.files)),
        ("added", (name for name in now.files if name not in sealed.files)),
    ):
        yield from finding_on(f"{kind}-since-sealed", f"files that are {kind} since the seal", sorted(names))


# --- the audit -------------------------------------------------------------------------------------


@displayed
class Audit(NamedTuple):
    """The result of an audit.

    Attributes
    ----------
    id : str
        The id of the split.
    counts : mapping from str to int
        The number of ``docs``, ``queries`` and ``qrels`` that could be read.
    findings : tuple of Finding
        The most serious first.
    seal : str
        The file of the seal; empty if the local copy is not sealed.
    hash : str
        The hash of the files of a sealed copy as they are now.
    """

    id: str
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]
    seal: str = ""
    hash: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether a finding shows that the local copy is damaged or incomplete."""
        return bool(self.by_level["wrong"])

    @property
    def by_level(self) -> Mapping[str, list[Finding]]:
        """The findings of each level; empty lists included."""
        return {level: [found for found in self.findings if found.level == level] for level in LEVELS}

    def display(self) -> Iterator[Block]:
        """Return the findings in their groups with the advice, as `ir_coliee.display` shows them."""
        yield from self._title()
        for level, findings in self.by_level.items():
            yield from _of_level(level, findings, with_advice=True)
        rows = [[found.check, ", ".join(found.ids)] for found in self.findings]
        yield Details("All ids", Table(["check", "ids"], rows))

    def main_findings(self) -> Iterator[Block]:
        """Return what is wrong, with the advice, and what changes a score, as `ir_coliee.display` shows them."""
        yield from self._title()
        *levels, information = LEVELS
        for level in levels:
            yield from _of_level(level, self.by_level[level], with_advice=level == "wrong")
        if self.by_level[information]:
            yield f"{information}: {len(self.by_level[information])} (--verbose prints them, and all advice)"

    def _title(self) -> Iterator[str]:
        counts = ", ".join(f"{number} {entity}" for entity, number in self.counts.items())
        yield f"{as_split(self.id).pretty_name}: {counts or 'not read'}"
        if self.seal:
            yield f"sealed; compare the hash of the files with other participants: {self.hash}"

    def __repr__(self) -> str:
        return str(self)


def _of_level(level: str, findings: Sequence[Finding], *, with_advice: bool) -> Iterator[str]:
    yield level if findings else f"{level}: nothing"
    for advice, alike in groupby(findings, attrgetter("advice")):
        for found in alike:
            yield f"  {found.check}: {found.message}"
        if with_advice:
            yield f"    {advice}"


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
        If no file of the split is in the data folder.
    ColieeError
        If a file cannot be opened, or the seal cannot be read. A file that breaks its format is a finding.

    Notes
    -----
    Each finding has a level, which `ir_coliee.releases.findings.CHECKS` states with an advice:

    * *wrong*: the local copy is damaged or incomplete. A file is missing, damaged (a conflict marker of Git, a pointer
      of Git LFS, NUL bytes, no UTF-8) or breaks its format, a count differs from a certain official count, gold names
      no document or no query, or a number is repeated.
    * *changes your score*: figures differ from the organisers', or from those on other data. Gold has duplicates, a
      gold list repeats a name, queries name themselves or have no gold, questions name articles that the civil code
      does not have, queries are known from the other split of the edition, or a reader repaired or left out something.
    * *information*: counts that differ from an uncertain official one or in synthetic data, labels that are not
      published yet, documents that are not at hand beside labels, and how the queries of task 1 share their noticed
      cases.

    The number of gold labels may be the official number of distinct labels, or of the names that the lists have. Texts
    are identical if they differ at most in line ends (CR LF and LF), and near-identical if `normalised_text` is the
    same. Where queries have candidate pools, only a duplicate in the pool of the query counts as a duplicate of its
    gold. Of texts, only digests are kept in memory.

    Examples
    --------
    >>> audit("coliee/task2/sample/test").is_wrong
    False
    """
    release = dataset if isinstance(dataset, LocalRelease) else LocalRelease.open(dataset)
    path = seal_path(release)
    sealed = read_seal(path)
    result, now = _audit_and_seal(release, verbose=verbose)
    if sealed is None or now is None:
        return result
    return result._replace(findings=(*_changes(sealed, now), *result.findings), seal=str(path), hash=now.hash)


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
        Whether to replace a seal of other content.
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    Audit
        ``seal`` has the path, and ``hash`` the hash; both are empty if a finding is wrong: then nothing is sealed.

    Raises
    ------
    MissingReleaseError
        If no file of the split is in the data folder.
    ColieeError
        If a file cannot be opened, or the seal cannot be written.
    ExistingFileError
        If there is a seal of other content and ``overwrite`` is False.

    Notes
    -----
    The seal is a list in the format of ``sha256sum`` in the folder ``seals`` of the data folder, and stays there when
    caches are deleted. It has no text, but the fingerprint of a short file can be guessed: keep it where the data may
    be, and pass on the hash alone.

    Examples
    --------
    >>> import os, tempfile
    >>> from unittest import mock
    >>> with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, COLIEE_HOME=folder):
    ...     sealed = seal("coliee/task2/sample/test")
    ...     len(sealed.hash), audit("coliee/task2/sample/test") == sealed
    (64, True)
    """
    release = dataset if isinstance(dataset, LocalRelease) else LocalRelease.open(dataset)
    result, now = _audit_and_seal(release, verbose=verbose)
    if result.is_wrong or now is None:
        return result
    path = seal_path(release)
    delete_abandoned(path.parent)
    existing = None if overwrite else read_seal(path)
    if existing and (changes := [found.message for found in _changes(existing, now)]):
        remedy = "Look first at what changed. Only if each change is right, pass --overwrite (overwrite=True)."
        raise ExistingFileError("\n".join([f"{path} is the seal of other content.", *changes, remedy]))
    write_file(path, now.content, overwrite=overwrite)
    return result._replace(seal=str(path), hash=now.hash)


def _audit_and_seal(release: LocalRelease, *, verbose: bool) -> tuple[Audit, Seal | None]:
    """Audit a local copy. The seal is computed first, so that no later content is sealed; None if it cannot be."""
    if not release.files:
        release.documents()  # raises the error that names the files
    now, damaged, counts = None, list[Finding](), dict[str, int]()
    forget()  # so that the readers repeat their warnings
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ColieeWarning)
        try:
            now, damaged = _seal_and_damage(release, verbose=verbose)
            content = _read_content(release, verbose=verbose)
            counts = content.counts
            findings = [*_missing_files(content), *_counts(content, release.is_synthetic), *_ids_and_texts(content)]
            findings += [*_labels(content), *_duplicates_of_gold(content), *_overlap(content, verbose=verbose)]
            if release.split.task == "task2" and release.has("corpus"):
                without = (query for query, file in cases.base_case_files(release).items() if file is None)
                findings += finding_on("missing-base-case", "cases without a base case", without)
        except (MalformedFileError, MissingReleaseError) as error:
            findings = [] if damaged else [finding("unreadable-file", str(error))]
    forget()
    findings = sorted([*damaged, *_warnings(caught), *findings], key=lambda found: LEVELS.index(found.level))
    return Audit(release.split.id, counts, tuple(findings)), now


def _warnings(caught: Sequence[warnings.WarningMessage]) -> Iterator[Finding]:
    """Report each warning of the readers once. Hints and warnings of other libraries are passed on."""
    ids: dict[tuple[str, str], dict[str, None]] = {}
    texts: dict[str, None] = {}
    for warning in caught:
        message = warning.message
        if isinstance(message, ColieeHint) or not isinstance(message, ColieeWarning):
            warnings.warn_explicit(message, warning.category, warning.filename, warning.lineno)
        elif isinstance(message, FindingWarning):
            ids.setdefault((message.check, message.description), {}).update(dict.fromkeys(message.ids))
        else:
            texts[str(message)] = None
    for (check, description), concerned in ids.items():
        yield from finding_on(check, description, concerned)
    yield from (finding("warning-of-reader", text) for text in texts)
