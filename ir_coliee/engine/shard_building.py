"""Build a collection in shards; `ir_coliee.engine.shards` describes the folder."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np

from ir_coliee.engine import storage
from ir_coliee.engine.building import count_terms
from ir_coliee.engine.cluster import Batch, Cluster, worker_pool
from ir_coliee.engine.corpus import check_corpus, check_unique_documents, content_column
from ir_coliee.engine.shards import (
    CF,
    DF,
    DOCUMENTS,
    EVERYTHING,
    FORM,
    INDEX,
    TERMS,
    Manifest,
    shard_folder,
)
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts, empty_counts
from ir_coliee.frames import Floats, Hashes, Integers, save_array
from ir_coliee.storage import writing
from ir_coliee.text.analysers import Analysis, Shingles, check_analyser

_RANGES = 256  # equal ranges of hash values, which are merged one after another to limit memory


def build(
    corpus: Iterable[Mapping[str, Any]],
    path: Path,
    analyser: Analysis,
    *,
    documents_per_shard: int,
    cluster: Cluster | None = None,
) -> None:
    """Build a sharded index of a corpus. The folder is created only if the build succeeds.

    Parameters
    ----------
    corpus : iterable of dict
        See `ir_coliee.engine.building.count_terms`.
    path : Path
        Folder to create.
    analyser : Analysis
        See `ir_coliee.engine.building.count_terms`. Bounds of document frequency apply to the whole collection.
    documents_per_shard : int
        Number of documents of each shard; the last may have fewer.
    cluster : Cluster, optional
        Workers, each of which builds one shard at a time and needs access to the folder under the same path; by
        default this process builds one shard after another.

    Raises
    ------
    ExistingFileError
        If something exists at the path.
    ColieeError
        For a document without an id or a text, for documents that are repeated in any shards, and if the folder cannot
        be written.
    ValueError
        For an unknown analyser.
    """
    storage.check_new_path(path)
    path = path.resolve()
    with storage.new_folder(path) as folder:
        make = _ShardMaker(folder, _without_bounds(check_analyser(analyser)), None if cluster is None else 1)
        with worker_pool(cluster, make) as workers:
            shards = sum(1 for _ in workers.finished(_batches(corpus, analyser, documents_per_shard), ahead=1))
        with writing(path):
            for unfinished in folder.glob(".*"):  # temporary folders of workers that were killed
                shutil.rmtree(unfinished)
            collection = _collection_index(folder, range(shards), analyser)
            storage.save(collection, folder / EVERYTHING)
            _number_terms(folder, range(shards), collection)
            manifest = Manifest(shards, len(collection), len(collection.vocabulary))
            FORM.write(folder, manifest._asdict())


def _without_bounds(analyser: Analysis) -> Analysis:
    return replace(analyser, min_df=1, max_share=1) if isinstance(analyser, Shingles) else analyser


def _batches(corpus: Iterable[Mapping[str, Any]], analyser: Analysis, size: int) -> Iterator[Batch]:
    column = content_column(analyser)
    documents = ({"docno": docno, column: content} for docno, content in check_corpus(corpus, analyser))
    for number in count():
        shard = list(islice(documents, size))
        if number and not shard:
            return
        yield Batch((number, shard), f"the {len(shard)} documents from {number * size} on, counted from 0")


@dataclass
class _ShardMaker:
    """Function that builds a shard, given its number and its documents."""

    folder: Path
    analyser: Analysis
    processes: int | None

    def __call__(self, shard: tuple[int, list[Mapping[str, Any]]]) -> None:
        number, documents = shard
        place = shard_folder(self.folder, number)
        if place.exists():  # finished by a worker that was killed afterwards
            return
        counts = count_terms(documents, self.analyser, processes=self.processes)
        with storage.new_folder(place) as folder, writing(place):
            storage.save(counts, folder / INDEX)
            save_array(folder / DF, counts.collection.df)
            save_array(folder / CF, counts.collection.cf)


def _collection_index(folder: Path, shards: Sequence[int], analyser: Analysis) -> TermCounts:
    """All documents, and all terms within the bounds, sorted and without postings."""
    docnos: list[str] = []
    hashes: list[Hashes] = []
    frequencies: Counter[str] = Counter()
    for shard in shards:
        counts = storage.load(shard_folder(folder, shard) / INDEX)
        docnos.extend(counts.docnos)
        if isinstance(counts.vocabulary, HashedVocabulary):
            hashes.append(counts.vocabulary.hashes)
        else:
            df = np.load(shard_folder(folder, shard) / DF).tolist()
            for term, column in counts.vocabulary.items():
                frequencies[term] += df[column]
    check_unique_documents(docnos)
    min_df, max_df = analyser.bounds(len(docnos)) if isinstance(analyser, Shingles) else (1, len(docnos))
    vocabulary: Mapping[str, int]
    if hashes:
        assert isinstance(analyser, Shingles)
        df_of = [np.load(shard_folder(folder, shard) / DF, mmap_mode="r") for shard in shards]
        vocabulary = HashedVocabulary(_within(hashes, df_of, min_df, max_df), analyser.n)
    else:
        terms = sorted(term for term, documents in frequencies.items() if min_df <= documents <= max_df)
        vocabulary = dict(zip(terms, range(len(terms))))
    postings = empty_counts(len(docnos), len(vocabulary))
    return TermCounts(np.array(sorted(docnos), dtype=object), vocabulary, postings, analyser)


def _within(hashes: list[Hashes], df_of: list[Floats], min_df: int, max_df: int) -> Hashes:
    """Hashes whose document frequency in the collection is within the bounds, sorted; merged range by range."""
    selected = []
    starts = np.arange(_RANGES, dtype=np.uint64) * np.uint64(2**64 // _RANGES)
    bounds = [np.append(np.searchsorted(ordered, starts), len(ordered)) for ordered in hashes]
    for number in range(_RANGES):
        spans = [slice(bound[number], bound[number + 1]) for bound in bounds]
        merged, places = np.unique(
            np.concatenate([ordered[span] for ordered, span in zip(hashes, spans)]), return_inverse=True
        )
        documents = np.bincount(places, weights=np.concatenate([df[span] for df, span in zip(df_of, spans)]))
        selected.append(merged[(documents >= min_df) & (documents <= max_df)])
    return np.concatenate(selected)


def _number_terms(folder: Path, shards: Sequence[int], collection: TermCounts) -> None:
    """Write the document and term numbers of each shard, and the term frequencies of the collection."""
    df, cf = np.zeros((2, len(collection.vocabulary)))
    for shard in shards:
        place = shard_folder(folder, shard)
        terms, restricted = _shard_terms(place, collection)
        has_number = terms >= 0
        if restricted is not None:
            shutil.rmtree(place / INDEX)
            storage.save(restricted, place / INDEX)
        save_array(place / TERMS, terms[has_number])
        df[terms[has_number]] += np.load(place / DF)[has_number]
        cf[terms[has_number]] += np.load(place / CF)[has_number]
        for name in (DF, CF):
            (place / name).unlink()
    save_array(folder / DF, df)
    save_array(folder / CF, cf)


def _shard_terms(place: Path, collection: TermCounts) -> tuple[Integers, TermCounts | None]:
    """Number in the collection of each term of a shard, -1 for a removed term; and the counts without removed terms.

    The counts are None if no term is removed. On return no file of the shard is open, because Windows cannot delete
    open files.
    """
    counts = storage.load(place / INDEX)
    save_array(place / DOCUMENTS, collection.positions(counts.docnos))
    if isinstance(counts.vocabulary, HashedVocabulary):
        assert isinstance(collection.vocabulary, HashedVocabulary)
        terms = collection.vocabulary.columns(counts.vocabulary.hashes)
    else:
        terms = np.fromiter((collection.vocabulary.get(term, -1) for term in counts.vocabulary), np.int64)
    has_number = terms >= 0
    if has_number.all():
        return terms, None
    vocabulary: Mapping[str, int]
    if isinstance(counts.vocabulary, HashedVocabulary):
        vocabulary = HashedVocabulary(counts.vocabulary.hashes[has_number], counts.vocabulary.words)
    else:
        kept = [term for term, column in counts.vocabulary.items() if has_number[column]]
        vocabulary = dict(zip(kept, range(len(kept))))
    return terms, TermCounts(counts.docnos, vocabulary, counts.counts[:, has_number], collection.analyser)
