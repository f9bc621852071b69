"""`SplitContent`: the content of a split as an audit needs it. It is read once; only fingerprints of texts are kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ir_datasets.formats import GenericQrel

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, MissingLabelsError
from ir_coliee.progress import progress
from ir_coliee.releases import case_gold, irregularities
from ir_coliee.releases.irregularities import FeatureRecord
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.readers import READERS
from ir_coliee.releases.text_fingerprints import Fingerprint, fingerprint
from ir_coliee.text.text_irregularities import SourceText

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
        irregularities.written_documents(release),
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
