"""Build a collection in shards; `ir_coliee.engine.shards` describes the folder."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np

from ir_coliee.arrays import Floats, Hashes, Integers
from ir_coliee.engine import storage
from ir_coliee.engine.building import count_terms
from ir_coliee.engine.cluster import Batch, Cluster, worker_pool
from ir_coliee.engine.corpus import check_corpus, check_unique_documents, content_column
from ir_coliee.engine.shards import (
    CF,
    DF,
    DOCUMENTS,
    EVERYTHING,
    FORMAT_VERSION,
    INDEX,
    MANIFEST,
    TERMS,
    Manifest,
    shard_folder,
)
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts, empty_counts
from ir_coliee.text.analysers import Analysis, Shingles, check_analyser

_RANGES = 256  # of hashes, which are brought together one after the other


def build(
    corpus: Iterable[Mapping[str, Any]],
    path: Path,
    analyser: Analysis,
    *,
    documents_per_shard: int,
    cluster: Cluster | None = None,
) -> None:
    """Build the shards of a corpus as the folder ``path``, which is there when all is done, or not at all.

    Without a cluster, one shard is built after the other; with one, each worker builds one at a time, and has to see
    the folder below the same name. Bounds of document frequencies are those of the whole collection. Raises
    `ExistingFileError` where something is at this place, and as `count_terms`, over all shards.
    """
    storage.check_new_path(path)
    path = path.resolve()
    with storage.new_folder(path) as folder:
        make = _ShardMaker(folder, _without_bounds(check_analyser(analyser)), None if cluster is None else 1)
        with worker_pool(cluster, make) as workers:
            shards = sum(1 for _ in workers.finished(_cut(corpus, analyser, documents_per_shard), ahead=1))
        with storage.writing(path):
            for left_behind in folder.glob(".*"):  # by a worker that was killed
                shutil.rmtree(left_behind)
            everything = _everything(folder, range(shards), analyser)
            storage.save(everything, folder / EVERYTHING)
            _settle(folder, range(shards), everything)
            manifest = Manifest(shards, len(everything), len(everything.vocabulary))
            described = {"format_version": FORMAT_VERSION, **manifest._asdict()}
            (folder / MANIFEST).write_text(json.dumps(described, indent=2), encoding="ascii")


def _without_bounds(analyser: Analysis) -> Analysis:
    return replace(analyser, min_df=1, max_share=1) if isinstance(analyser, Shingles) else analyser


def _cut(corpus: Iterable[Mapping[str, Any]], analyser: Analysis, size: int) -> Iterator[Batch]:
    column = content_column(analyser)
    documents = ({"docno": docno, column: content} for docno, content in check_corpus(corpus, analyser))
    for number in count():
        shard = list(islice(documents, size))
        if number and not shard:
            return
        yield Batch((number, shard), f"the {len(shard)} documents from {number * size} on, counted from 0")


@dataclass
class _ShardMaker:
    """Builds a shard, of its number and its documents."""

    folder: Path
    analyser: Analysis
    processes: int | None

    def __call__(self, shard: tuple[int, list[Mapping[str, Any]]]) -> None:
        number, documents = shard
        place = shard_folder(self.folder, number)
        if place.exists():  # a worker that was killed had finished it
            return
        counts = count_terms(documents, self.analyser, processes=self.processes)
        with storage.new_folder(place) as folder, storage.writing(place):
            storage.save(counts, folder / INDEX)
            np.save(folder / DF, counts.collection.df)
            np.save(folder / CF, counts.collection.cf)


def _everything(folder: Path, shards: Sequence[int], analyser: Analysis) -> TermCounts:
    """All documents and all terms within the bounds, in order, without postings."""
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
    """The hashes of all shards that are in so many documents of all, in order, found range by range."""
    selected = []
    starts = np.arange(_RANGES, dtype=np.uint64) * np.uint64(2**64 // _RANGES)
    bounds = [np.append(np.searchsorted(ordered, starts), len(ordered)) for ordered in hashes]
    for number in range(_RANGES):
        spans = [slice(bound[number], bound[number + 1]) for bound in bounds]
        found, places = np.unique(
            np.concatenate([ordered[span] for ordered, span in zip(hashes, spans)]), return_inverse=True
        )
        documents = np.bincount(places, weights=np.concatenate([df[span] for df, span in zip(df_of, spans)]))
        selected.append(found[(documents >= min_df) & (documents <= max_df)])
    return np.concatenate(selected)


def _settle(folder: Path, shards: Sequence[int], everything: TermCounts) -> None:
    """Have each shard say which documents and terms are its own, and write how often each term occurs in all."""
    df, cf = np.zeros((2, len(everything.vocabulary)))
    for shard in shards:
        place = shard_folder(folder, shard)
        terms, restricted = _own_terms(place, everything)
        has_number = terms >= 0
        if restricted is not None:
            shutil.rmtree(place / INDEX)
            storage.save(restricted, place / INDEX)
        np.save(place / TERMS, terms[has_number])
        df[terms[has_number]] += np.load(place / DF)[has_number]
        cf[terms[has_number]] += np.load(place / CF)[has_number]
        for name in (DF, CF):
            (place / name).unlink()
    np.save(folder / DF, df)
    np.save(folder / CF, cf)


def _own_terms(place: Path, everything: TermCounts) -> tuple[Integers, TermCounts | None]:
    """The number that each term of a shard has in the collection, -1 where it has none, and its counts without those.

    The counts are None where all have one. Afterwards no file of the shard is open: Windows would not delete it.
    """
    counts = storage.load(place / INDEX)
    np.save(place / DOCUMENTS, everything.positions(counts.docnos))
    if isinstance(counts.vocabulary, HashedVocabulary):
        assert isinstance(everything.vocabulary, HashedVocabulary)
        terms = everything.vocabulary.columns(counts.vocabulary.hashes)
    else:
        terms = np.fromiter((everything.vocabulary.get(term, -1) for term in counts.vocabulary), np.int64)
    has_number = terms >= 0
    if has_number.all():
        return terms, None
    vocabulary: Mapping[str, int]
    if isinstance(counts.vocabulary, HashedVocabulary):
        vocabulary = HashedVocabulary(counts.vocabulary.hashes[has_number], counts.vocabulary.words)
    else:
        own = [term for term, column in counts.vocabulary.items() if has_number[column]]
        vocabulary = dict(zip(own, range(len(own))))
    return terms, TermCounts(counts.docnos, vocabulary, counts.counts[:, has_number], everything.analyser)
