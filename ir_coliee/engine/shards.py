"""A collection in shards: the term counts of so many documents each, and what all of them know together.

The folder of a collection holds a folder for each shard, and an index of all documents and all terms without any
postings; a shard says which of them its own are. Documents and terms are numbered in their order, so a score is the sum
of the same products in the same order as in one index, and is the same to the last bit.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine import storage
from ir_coliee.engine.building import count_terms
from ir_coliee.engine.cluster import Batch, Cluster, team
from ir_coliee.engine.documents import checked, content_column
from ir_coliee.engine.scoring import Backend, Floats, Integers, Ranking, top_k
from ir_coliee.engine.shingles import HashedVocabulary, Hashes
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import Collection, Weighting, document_weights
from ir_coliee.errors import ColieeError, MalformedFileError, listed
from ir_coliee.text.analysers import Analysis, Shingles, known

FORMAT_VERSION = 1

_MANIFEST, _EVERYTHING, _INDEX = "shards.json", "collection", "index"
_DOCUMENTS, _TERMS, _DF, _CF = "documents.npy", "terms.npy", "df.npy", "cf.npy"
_RANGES = 256  # of hashes, which are brought together one after the other
_AS_BUILT = "the file as it was built; delete the folder and build the shards anew"


class _Manifest(NamedTuple):
    shards: int
    documents: int
    terms: int


# --- building ----------------------------------------------------------------------------------------------


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
    storage.refuse_existing(path)
    path = path.resolve()
    with _new_folder(path) as folder:
        make = _ShardMaker(folder, _without_bounds(known(analyser)), None if cluster is None else 1)
        with team(cluster, make) as workers:
            shards = sum(1 for _ in workers.finished(_cut(corpus, analyser, documents_per_shard), ahead=1))
        for left_behind in folder.glob(".*"):  # by a worker that was killed
            shutil.rmtree(left_behind)
        everything = _everything(folder, range(shards), analyser)
        storage.save(everything, folder / _EVERYTHING)
        _settle(folder, range(shards), everything)
        manifest = _Manifest(shards, len(everything), len(everything.vocabulary))
        described = {"format_version": FORMAT_VERSION, **manifest._asdict()}
        (folder / _MANIFEST).write_text(json.dumps(described, indent=2), encoding="ascii")


@contextmanager
def _new_folder(path: Path) -> Iterator[Path]:
    """A folder beside this place, which takes it at the end, and is deleted where something goes wrong."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{path.name}-unfinished-", dir=path.parent))
    except OSError as error:
        raise ColieeError(f"The shards could not be written to {path} ({error.strerror}).") from None
    try:
        yield unfinished
        unfinished.rename(path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _without_bounds(analyser: Analysis) -> Analysis:
    return replace(analyser, fewest=1, share=1) if isinstance(analyser, Shingles) else analyser


def _cut(corpus: Iterable[Mapping[str, Any]], analyser: Analysis, size: int) -> Iterator[Batch]:
    column = content_column(analyser)
    documents = ({"docno": docno, column: content} for docno, content in checked(corpus, analyser))
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
        place = _place(self.folder, number)
        if place.exists():  # a worker that was killed had finished it
            return
        counts = count_terms(documents, self.analyser, processes=self.processes)
        with _new_folder(place) as folder:
            storage.save(counts, folder / _INDEX)
            _write_frequencies(counts, folder)


def _write_frequencies(counts: TermCounts, folder: Path) -> None:
    collection = Collection.of(counts.counts.indices, counts.counts.data, counts.lengths, len(counts.vocabulary))
    np.save(folder / _DF, collection.df)
    np.save(folder / _CF, collection.cf)


def _place(folder: Path, shard: int) -> Path:
    return folder / f"{shard:05}"


def _everything(folder: Path, shards: Sequence[int], analyser: Analysis) -> TermCounts:
    """All documents and all terms within the bounds, in order, without postings."""
    docnos: list[str] = []
    hashes: list[Hashes] = []
    frequencies: Counter[str] = Counter()
    for shard in shards:
        counts = storage.load(_place(folder, shard) / _INDEX)
        docnos.extend(counts.docnos)
        if isinstance(counts.vocabulary, HashedVocabulary):
            hashes.append(counts.vocabulary.hashes)
        else:
            df = np.load(_place(folder, shard) / _DF).tolist()
            for term, column in counts.vocabulary.items():
                frequencies[term] += df[column]
    if len(set(docnos)) < len(docnos):
        repeated = sorted(docno for docno, times in Counter(docnos).items() if times > 1)
        raise ColieeError(f"Documents given more than once: {listed(repeated)}. Give each once.")
    fewest, most = analyser.bounds(len(docnos)) if isinstance(analyser, Shingles) else (1, len(docnos))
    vocabulary: Mapping[str, int]
    if hashes:
        assert isinstance(analyser, Shingles)
        df_of = [np.load(_place(folder, shard) / _DF, mmap_mode="r") for shard in shards]
        vocabulary = HashedVocabulary(_within(hashes, df_of, fewest, most), analyser.words)
    else:
        terms = sorted(term for term, documents in frequencies.items() if fewest <= documents <= most)
        vocabulary = dict(zip(terms, range(len(terms))))
    postings = sparse.csr_matrix((len(docnos), len(vocabulary)), dtype=np.int32)
    return TermCounts(np.array(sorted(docnos), dtype=object), vocabulary, postings, analyser)


def _within(hashes: list[Hashes], df_of: list[Floats], fewest: int, most: int) -> Hashes:
    """The hashes of all shards that are in so many documents of all, in order, found range by range."""
    kept = []
    starts = np.arange(_RANGES, dtype=np.uint64) * np.uint64(2**64 // _RANGES)
    bounds = [np.append(np.searchsorted(ordered, starts), len(ordered)) for ordered in hashes]
    for number in range(_RANGES):
        spans = [slice(bound[number], bound[number + 1]) for bound in bounds]
        found, places = np.unique(
            np.concatenate([ordered[span] for ordered, span in zip(hashes, spans)]), return_inverse=True
        )
        documents = np.bincount(places, weights=np.concatenate([df[span] for df, span in zip(df_of, spans)]))
        kept.append(found[(documents >= fewest) & (documents <= most)])
    return np.concatenate(kept)


def _settle(folder: Path, shards: Sequence[int], everything: TermCounts) -> None:
    """Have each shard say which documents and terms are its own, and write how often each term occurs in all."""
    df, cf = np.zeros((2, len(everything.vocabulary)))
    for shard in shards:
        place = _place(folder, shard)
        counts = storage.load(place / _INDEX)
        np.save(place / _DOCUMENTS, everything.positions(counts.docnos))
        terms = _terms(counts.vocabulary, everything.vocabulary)
        if (kept := terms >= 0).all():
            own_df, own_cf = (np.load(place / name) for name in (_DF, _CF))
        else:
            own_df, own_cf = (np.load(place / name)[kept] for name in (_DF, _CF))
            _restrict(place / _INDEX, counts, kept, everything.analyser)
        np.save(place / _TERMS, terms[kept])
        df[terms[kept]] += own_df
        cf[terms[kept]] += own_cf
        for name in (_DF, _CF):
            (place / name).unlink()
    np.save(folder / _DF, df)
    np.save(folder / _CF, cf)


def _terms(own: Mapping[str, int], everything: Mapping[str, int]) -> Integers:
    """The number that each term of a shard has in the collection, -1 where it has none."""
    if isinstance(own, HashedVocabulary):
        assert isinstance(everything, HashedVocabulary)
        return everything.columns(own.hashes)
    return np.fromiter((everything.get(term, -1) for term in own), np.int64, len(own))


def _restrict(path: Path, counts: TermCounts, kept: npt.NDArray[np.bool_], analyser: Analysis) -> None:
    """Write the index of a shard anew, with these terms alone."""
    vocabulary: Mapping[str, int]
    if isinstance(counts.vocabulary, HashedVocabulary):
        vocabulary = HashedVocabulary(counts.vocabulary.hashes[kept], counts.vocabulary.words)
    else:
        terms = [term for term, column in counts.vocabulary.items() if kept[column]]
        vocabulary = dict(zip(terms, range(len(terms))))
    restricted = TermCounts(counts.docnos, vocabulary, counts.counts[:, kept], analyser)
    shutil.rmtree(path)  # what is mapped stays readable
    storage.save(restricted, path)


# --- what is there -----------------------------------------------------------------------------------------


class Shards:
    """The shards in a folder, opened. ``everything``: all documents and terms, without postings."""

    def __init__(self, path: Path) -> None:
        """Raises `ColieeError` for a folder that holds no shards, `MalformedFileError` for a damaged file."""
        self.path = path.resolve()
        manifest = _manifest(self.path)
        self.number, documents = manifest.shards, manifest.documents
        self.everything = storage.load(self.path / _EVERYTHING)
        if (len(self.everything), len(self.everything.vocabulary)) != manifest[1:]:
            raise MalformedFileError(self.path / _MANIFEST, None, "other documents than are there", _AS_BUILT)
        self.collection = _collection(self.path, manifest)
        numbers = [_array(_place(self.path, shard) / _DOCUMENTS, np.int64) for shard in range(self.number)]
        together = np.concatenate(numbers)
        if not np.array_equal(np.sort(together), np.arange(documents)):
            raise MalformedFileError(self.path, None, "the shards do not have each document once", _AS_BUILT)
        self._shard_of = np.empty(documents, dtype=np.int64)
        self._row_of = np.empty(documents, dtype=np.int64)
        self._shard_of[together] = np.arange(self.number).repeat([len(own) for own in numbers])
        self._row_of[together] = np.concatenate([np.arange(len(own)) for own in numbers])

    def rows(self, documents: Integers) -> sparse.csr_matrix:
        """The term counts of these documents of the collection, a row each; terms as in ``everything``."""
        parts, order = [], []
        for shard in np.unique(self._shard_of[documents]).tolist():
            places = np.flatnonzero(self._shard_of[documents] == shard)
            counts, _, terms = _open(self.path, shard)
            part = counts.counts[self._row_of[documents[places]]]
            shape = len(places), len(self.everything.vocabulary)
            parts.append(sparse.csr_matrix((part.data, terms[part.indices], part.indptr), shape=shape))
            order.append(places)
        if not parts:
            return sparse.csr_matrix((0, len(self.everything.vocabulary)), dtype=np.int32)
        return sparse.vstack(parts, format="csr")[np.argsort(np.concatenate(order))]


def _manifest(path: Path) -> _Manifest:
    try:
        described = json.loads((path / _MANIFEST).read_bytes())
    except OSError as error:
        problem = f"{path} is no folder of shards: {_MANIFEST} cannot be read ({error.strerror})"
        raise ColieeError(f"{problem}. Give a folder that ShardedIndex.build has made.") from None
    except (ValueError, RecursionError):
        raise MalformedFileError(path / _MANIFEST, None, "no JSON", _AS_BUILT) from None
    values = described if isinstance(described, dict) else {}
    if (version := values.get("format_version")) != FORMAT_VERSION:
        problem = f"{path} holds shards in format {version}, and this ir_coliee reads format {FORMAT_VERSION}"
        raise ColieeError(f"{problem}. Delete the folder and build them anew.")
    for field in _Manifest._fields:
        if not isinstance(values.get(field), int):
            raise MalformedFileError(path / _MANIFEST, None, f"no number of {field}", _AS_BUILT)
    return _Manifest(*(values[field] for field in _Manifest._fields))


def _collection(path: Path, manifest: _Manifest) -> Collection:
    df, cf = (_array(path / name, np.float64, manifest.terms) for name in (_DF, _CF))
    return Collection(manifest.documents, float(cf.sum()), df, cf)


def _open(path: Path, shard: int) -> tuple[TermCounts, Integers, Integers]:
    """The term counts of a shard, and the numbers of its documents and terms in the collection."""
    place = _place(path, shard)
    counts = storage.load(place / _INDEX)
    terms = _array(place / _TERMS, np.int64, len(counts.vocabulary))
    if (np.diff(terms, prepend=-1) <= 0).any():
        raise MalformedFileError(place / _TERMS, None, "the terms are not in order", _AS_BUILT)
    return counts, _array(place / _DOCUMENTS, np.int64, len(counts)), terms


def _array(path: Path, kind: type[np.generic], length: int | None = None) -> npt.NDArray[Any]:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, TypeError, SyntaxError):  # what numpy raises for a damaged header
        raise MalformedFileError(path, None, "no array", _AS_BUILT) from None
    if array.dtype != kind or array.ndim != 1 or length not in (None, len(array)):
        raise MalformedFileError(path, None, "not the array of numbers that a shard has", _AS_BUILT)
    return np.asarray(array)


# --- searching ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShardSearch:
    """Searches a shard: of its number and weighted queries (queries x all terms), the best documents of each query.

    A process keeps the weights of ``held`` shards, those that it used last: 12 bytes for each posting.
    """

    path: Path
    weighting: Weighting
    k: int
    backend: Backend | None
    threads: int
    held: int

    def __call__(self, asked: tuple[int, sparse.csr_matrix]) -> list[Ranking]:
        number, queries = asked
        key = self.path, (self.path / _MANIFEST).stat().st_mtime_ns, number, self.weighting
        shard = _HELD.get(key, self.held, lambda: _weighted(self.path, number, self.weighting))
        queries, weights_by_term = _in_common_terms(queries, shard)
        found = top_k(
            queries,
            weights_by_term,
            self.k,
            document_part=self.weighting.of_length(shard.lengths),
            backend=self.backend,
            threads=self.threads,
        )
        return [Ranking(shard.documents[ranking.documents], ranking.scores) for ranking in found]


class _Weighted(NamedTuple):
    """A shard, ready to be searched."""

    documents: Integers
    terms: Integers
    lengths: Floats
    weights_by_term: sparse.csr_matrix


def _weighted(path: Path, number: int, weighting: Weighting) -> _Weighted:
    counts, documents, terms = _open(path, number)
    whole = _collection(path, _manifest(path))
    collection = whole._replace(df=whole.df[terms], cf=whole.cf[terms])
    weights = document_weights(weighting, counts.counts, counts.lengths, collection)
    return _Weighted(documents, terms, counts.lengths, weights.T.tocsr())


def _in_common_terms(queries: sparse.csr_matrix, shard: _Weighted) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Queries and weights by the terms that either has. The postings are not copied.

    A term that the shard does not have stays in the query: it counts when the query's length does.
    """
    asked = np.unique(queries.indices).astype(np.int64)
    others = np.setdiff1d(asked, shard.terms, assume_unique=True)
    places = np.searchsorted(shard.terms, others)
    terms = np.insert(shard.terms, places, others)
    postings = shard.weights_by_term
    ends = np.insert(postings.indptr, places, postings.indptr[places])  # lists of no postings
    columns = np.searchsorted(terms, queries.indices)
    return (
        sparse.csr_matrix((queries.data, columns, queries.indptr), shape=(queries.shape[0], len(terms))),
        sparse.csr_matrix((postings.data, postings.indices, ends), shape=(len(terms), len(shard.documents))),
    )


class _Held:
    """The values that were used last."""

    def __init__(self) -> None:
        self._values: OrderedDict[Hashable, _Weighted] = OrderedDict()
        self._making = threading.Lock()

    def get(self, key: Hashable, most: int, make: Callable[[], _Weighted]) -> _Weighted:
        """The value of a key, made where it is not held. Others go before, so there are never more than ``most``."""
        with self._making:
            if key not in self._values:
                while len(self._values) >= most:
                    self._values.popitem(last=False)
                self._values[key] = make()
            self._values.move_to_end(key)
            return self._values[key]


_HELD = _Held()


def merged(one: Ranking, other: Ranking, k: int) -> Ranking:
    """The ``k`` best of two rankings of different documents, ties by document ascending."""
    documents = np.concatenate([one.documents, other.documents])
    scores = np.concatenate([one.scores, other.scores])
    order = np.lexsort((documents, -scores))[:k]
    return Ranking(documents[order], scores[order])
