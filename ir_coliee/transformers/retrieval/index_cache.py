"""Indexes of datasets in the cache below the data folder."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import ir_datasets

from ir_coliee._version import __version__
from ir_coliee.engine import storage
from ir_coliee.engine.building import count_each, token_source
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError
from ir_coliee.progress import progress, stage
from ir_coliee.releases import cache
from ir_coliee.releases.release import SourceFiles, document_sources
from ir_coliee.text.analysers import Analysis, analyser_version, check_text_analyser, describe_analyser

_FOLDER = "index"


def counts_of_dataset(dataset: str, analysers: Sequence[Analysis], *, verbose: bool) -> list[TermCounts]:
    """Return the term counts of a dataset by each analyser, opened from the cache or built and cached.

    Indexes that are not in the cache are built together: documents are read and tokenised once for all analysers that
    start from the same tokens. Files that are protected by a password, and datasets without files, are not cached.
    """
    files = document_sources(dataset)
    cacheable = files if files and not files.is_encrypted else None
    wanted = list(dict.fromkeys(map(check_text_analyser, analysers)))
    found = _open_cached(cacheable, wanted) if cacheable else {}
    for together in _by_source(analyser for analyser in wanted if analyser not in found):
        with stage(f"indexing {dataset}", verbose=verbose):
            fingerprint = files and files.fingerprint
            built = count_each(_corpus(dataset, verbose), together, fingerprint=fingerprint, verbose=verbose)
            for counts in progress(built, "writing", unit="indexes", verbose=verbose):
                found[counts.analyser] = counts
                if cacheable:
                    _store(cacheable, counts)
    return [found[check_text_analyser(analyser)] for analyser in analysers]


def count_dataset(dataset: str, analyser: Analysis, fingerprint: str, *, verbose: bool) -> TermCounts:
    """Return the term counts of a dataset, built without the cache."""
    with stage(f"indexing {dataset}", verbose=verbose):
        return count_each(_corpus(dataset, verbose), [analyser], fingerprint=fingerprint, verbose=verbose)[0]


def fingerprint_of_dataset(dataset: str) -> str:
    """Return the fingerprint of the dataset's files, or of its texts if it has no files of its own."""
    if files := document_sources(dataset):
        return files.fingerprint
    docs = ir_datasets.load(dataset)
    return cache.key_of(piece for doc in docs.docs_iter() for piece in (doc.doc_id, doc.default_text()))


def _corpus(dataset: str, verbose: bool) -> Iterator[dict[str, str]]:
    """Return the documents of a dataset by their default text, while progress is shown."""
    docs = ir_datasets.load(dataset)
    corpus = ({"docno": doc.doc_id, "text": doc.default_text()} for doc in docs.docs_iter())
    return progress(corpus, "reading", total=docs.docs_count(), unit="documents", verbose=verbose)


def _by_source(analysers: Iterable[Analysis]) -> Iterable[list[Analysis]]:
    """Return the analysers in groups that start from the same tokens."""
    groups: dict[Analysis, list[Analysis]] = {}
    for analyser in analysers:
        groups.setdefault(token_source(analyser), []).append(analyser)
    return groups.values()


def _key(files: SourceFiles, analyser: Analysis) -> str:
    """Return the key of an index in the cache, which changes with everything that the index depends on."""
    rules = (
        json.dumps(describe_analyser(analyser)),
        analyser_version(analyser),
        storage.FORMAT_VERSION,
        __version__,
        unicodedata.unidata_version,
    )
    return cache.key_of((files.fingerprint, *rules))


def _open_cached(files: SourceFiles, analysers: Iterable[Analysis]) -> dict[Analysis, TermCounts]:
    """Return the cached indexes of these files. A damaged one is deleted, with a `ColieeHint`."""
    opened: dict[Analysis, TermCounts] = {}
    for analyser in analysers:
        entry = cache.find(_FOLDER, _key(files, analyser), files.origin)
        if entry is None:
            continue
        try:
            opened[analyser] = storage.load(entry)
        except ColieeError:
            cache.discard(entry)
    return opened


def _store(files: SourceFiles, counts: TermCounts) -> None:
    """Write an index into the cache, if the cache can be written."""
    key = _key(files, counts.analyser)
    cache.entry(_FOLDER, key, files.origin, lambda folder: storage.write(counts, folder))
