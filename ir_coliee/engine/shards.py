"""A collection in shards: separate term counts of subsets of the documents, with common statistics.

The folder has a folder per shard, and an index of all documents and terms without postings. Each shard states which
documents and terms it has. Documents and terms are numbered in a common order, so that a score is the same sum of
products in the same order as in a single index, and is identical to the last bit. `ir_coliee.engine.shards`
builds shards.
"""

from __future__ import annotations

import shutil
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine import folders
from ir_coliee.engine.building import count_terms
from ir_coliee.engine.cluster import Batch, Cluster, worker_pool
from ir_coliee.engine.counting import check_corpus, check_unique_documents, content_column
from ir_coliee.engine.folders import ManifestForm
from ir_coliee.engine.scoring import Backend, Ranking, top_k
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts, empty_counts
from ir_coliee.engine.weightings import Collection, Weighting, document_weights
from ir_coliee.errors import ColieeError
from ir_coliee.frames import Floats, Hashes, Integers, is_rising, save_array
from ir_coliee.storage import writing
from ir_coliee.text.analysers import Analysis, Shingles, check_analyser

FORMAT_VERSION = 1

FORM = ManifestForm("a sharded index", FORMAT_VERSION, "build it again", {}, "shards.json")

# files in the folder of a collection
EVERYTHING = "collection"
# files in the folder of a shard
INDEX, DOCUMENTS, TERMS = "index", "documents.npy", "terms.npy"
# files in both
DF, CF = "df.npy", "cf.npy"

_MOST_TOKENS = 2.0**53  # up to which all sums of counts are exact


class Manifest(NamedTuple):
    """Number of shards, documents and terms."""

    shards: int
    documents: int
    terms: int


def shard_folder(folder: Path, shard: int) -> Path:
    """Folder of a shard."""
    return folder / f"{shard:05}"


# --- opening -----------------------------------------------------------------------------------------


class Shards:
    """An opened sharded index.

    Parameters
    ----------
    path : Path
        Folder of the sharded index.

    Attributes
    ----------
    number : int
        Number of shards.
    everything : TermCounts
        All documents and terms of the collection, without postings.
    collection : Collection
        Statistics of the collection.

    Raises
    ------
    ColieeError
        For a folder without a sharded index.
    MalformedFileError
        For a damaged file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        manifest = _manifest(self.path)
        self.number, documents = manifest.shards, manifest.documents
        self.everything = folders.load(self.path / EVERYTHING)
        if (len(self.everything), len(self.everything.vocabulary)) != manifest[1:]:
            problem = "the numbers of documents and terms differ from those of the index"
            raise FORM.malformed(self.path / FORM.file, problem)
        self.collection = _collection(self.path, manifest)
        numbers = [_array(shard_folder(self.path, shard) / DOCUMENTS, np.int64) for shard in range(self.number)]
        together = np.concatenate(numbers)
        if not all(map(is_rising, numbers)) or not np.array_equal(np.sort(together), np.arange(documents)):
            raise FORM.malformed(self.path, "the shards do not contain each document once and in order")
        self._shard_of = np.empty(documents, dtype=np.int64)
        self._row_of = np.empty(documents, dtype=np.int64)
        self._shard_of[together] = np.arange(self.number).repeat([len(own) for own in numbers])
        self._row_of[together] = np.concatenate([np.arange(len(own)) for own in numbers])

    def rows(self, documents: Integers) -> sparse.csr_matrix:
        """Term counts of documents.

        Parameters
        ----------
        documents : int64 array
            Document numbers in the collection.

        Returns
        -------
        csr_matrix, documents x terms
            Counts as int32, with the columns of ``everything``.
        """
        parts, order = [], []
        for shard in np.unique(self._shard_of[documents]).tolist():
            places = np.flatnonzero(self._shard_of[documents] == shard)
            counts, _, terms = _open(self.path, shard, len(self.everything.vocabulary))
            part = counts.stored_counts[self._row_of[documents[places]]]  # other rows are not read from disk
            shape = len(places), len(self.everything.vocabulary)
            widened = part.data.astype(np.int32)
            parts.append(sparse.csr_matrix((widened, terms[part.indices], part.indptr), shape=shape))
            order.append(places)
        if not parts:
            return empty_counts(0, len(self.everything.vocabulary))
        rows: sparse.csr_matrix = sparse.vstack(parts, format="csr")[np.argsort(np.concatenate(order))]
        return rows


def _manifest(path: Path) -> Manifest:
    values = FORM.read(path)
    for field, minimum in (("shards", 1), ("documents", 0), ("terms", 0)):
        if not isinstance(values.get(field), int) or values[field] < minimum:
            raise FORM.malformed(path / FORM.file, f"{field} is missing or not a valid number")
    return Manifest(*(values[field] for field in Manifest._fields))


def _collection(path: Path, manifest: Manifest) -> Collection:
    df, cf = (_array(path / name, np.float64, manifest.terms) for name in (DF, CF))
    if not ((df >= 1) & (df <= manifest.documents) & (df <= cf) & (cf <= _MOST_TOKENS)).all():
        raise FORM.malformed(path / DF, "impossible frequencies")
    return Collection(manifest.documents, float(cf.sum()), df, cf)


def _open(path: Path, shard: int, all_terms: int) -> tuple[TermCounts, Integers, Integers]:
    """Term counts of a shard, and the numbers of its documents and terms in a collection of ``all_terms`` terms."""
    folder = shard_folder(path, shard)
    counts = folders.load(folder / INDEX)
    terms = _array(folder / TERMS, np.int64, len(counts.vocabulary))
    if not is_rising(terms) or (len(terms) and not 0 <= terms[0] <= terms[-1] < all_terms):
        raise FORM.malformed(folder / TERMS, "terms that are unknown or not in order")
    return counts, _array(folder / DOCUMENTS, np.int64, len(counts)), terms


def _array(path: Path, kind: type[np.generic], length: int | None = None) -> npt.NDArray[Any]:
    array = folders.mapped(path, "r", FORM)
    if array.dtype != kind or array.ndim != 1 or length not in (None, len(array)):
        raise FORM.malformed(path, "not an array of the expected size and type")
    return array


# --- searching ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShardSearch:
    """Function that searches a shard, given its number and the weighted queries (queries x all terms).

    Parameters
    ----------
    path : Path
        Folder of the sharded index.
    weighting : Weighting
        The formula.
    k : int
        Largest number of documents per query.
    backend : {"scipy", "numba"} or None
        See `ir_coliee.engine.scoring.top_k`.
    threads : int
        Number of threads.
    held : int
        Number of shards whose weights a process caches (12 bytes per posting); the least recently used are dropped.
    """

    path: Path
    weighting: Weighting
    k: int
    backend: Backend | None
    threads: int
    held: int

    def __call__(self, task: tuple[int, sparse.csr_matrix]) -> list[Ranking]:
        """Best documents of each query in a shard, from its number and the weighted queries."""
        number, queries = task
        key = self.path, _modification_time(self.path / FORM.file), number, self.weighting
        shard = _HELD.get(key, self.held, lambda: _weighted(self.path, number, self.weighting))
        queries, weights_by_term = _in_common_terms(queries, shard)
        found = top_k(
            queries,
            weights_by_term,
            self.k,
            document_part=self.weighting.length_weights(shard.lengths),
            backend=self.backend,
            threads=self.threads,
        )
        return [Ranking(shard.documents[ranking.documents], ranking.scores) for ranking in found]


class _Weighted(NamedTuple):
    """Weights of a shard (terms x documents), with the collection's numbers of its documents and terms."""

    documents: Integers
    terms: Integers
    lengths: Floats
    weights_by_term: sparse.csr_matrix


def _modification_time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        problem = f"The sharded index {path.parent} no longer exists: {path.name} cannot be read ({error.strerror})"
        raise ColieeError(f"{problem}. All processes that search it need access to the folder.") from None


def _weighted(path: Path, number: int, weighting: Weighting) -> _Weighted:
    statistics = _collection(path, _manifest(path))
    counts, documents, terms = _open(path, number, len(statistics.df))
    collection = statistics._replace(df=statistics.df[terms], cf=statistics.cf[terms])
    weights = document_weights(weighting, counts.counts, counts.lengths, collection)
    return _Weighted(documents, terms, counts.lengths, weights.T.tocsr())


def _in_common_terms(queries: sparse.csr_matrix, shard: _Weighted) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Queries and weights with the union of their terms as columns and rows; the postings are shared, not duplicated.

    Query terms that the shard lacks are kept, because they count for the length of the query.
    """
    query_terms = np.unique(queries.indices).astype(np.int64)
    missing = np.setdiff1d(query_terms, shard.terms, assume_unique=True)
    places = np.searchsorted(shard.terms, missing)
    terms = np.insert(shard.terms, places, missing)
    postings = shard.weights_by_term
    ends = np.insert(postings.indptr, places, postings.indptr[places])  # empty posting lists
    columns = np.searchsorted(terms, queries.indices)
    return (
        sparse.csr_matrix((queries.data, columns, queries.indptr), shape=(queries.shape[0], len(terms))),
        sparse.csr_matrix((postings.data, postings.indices, ends), shape=(len(terms), len(shard.documents))),
    )


class _Held:
    """Cache of the most recently used values."""

    def __init__(self) -> None:
        self._values: OrderedDict[Hashable, _Weighted] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, max_values: int, make: Callable[[], _Weighted]) -> _Weighted:
        """Get or make the value of a key. At most ``max_values`` are kept; the least recently used is dropped first."""
        with self._lock:
            if key not in self._values:
                while len(self._values) >= max_values:
                    self._values.popitem(last=False)
                self._values[key] = make()
            self._values.move_to_end(key)
            return self._values[key]


_HELD = _Held()


def merge_rankings(one: Ranking, other: Ranking, k: int) -> Ranking:
    """Merge two rankings of different documents into the ``k`` best; ties are ordered by document number, ascending."""
    documents = np.concatenate([one.documents, other.documents])
    scores = np.concatenate([one.scores, other.scores])
    order = np.lexsort((documents, -scores))[:k]
    return Ranking(documents[order], scores[order])


# Build a collection in shards; `ir_coliee.engine.shards` describes the folder.


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
    folders.check_new_path(path)
    path = path.resolve()
    with folders.new_folder(path) as folder:
        make = _ShardMaker(folder, _without_bounds(check_analyser(analyser)), None if cluster is None else 1)
        with worker_pool(cluster, make) as workers:
            shards = sum(1 for _ in workers.finished(_batches(corpus, analyser, documents_per_shard), ahead=1))
        with writing(path):
            for unfinished in folder.glob(".*"):  # temporary folders of workers that were killed
                shutil.rmtree(unfinished)
            collection = _collection_index(folder, range(shards), analyser)
            folders.save(collection, folder / EVERYTHING)
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
        with folders.new_folder(place) as folder, writing(place):
            folders.save(counts, folder / INDEX)
            save_array(folder / DF, counts.collection.df)
            save_array(folder / CF, counts.collection.cf)


def _collection_index(folder: Path, shards: Sequence[int], analyser: Analysis) -> TermCounts:
    """All documents, and all terms within the bounds, sorted and without postings."""
    docnos: list[str] = []
    hashes: list[Hashes] = []
    frequencies: Counter[str] = Counter()
    for shard in shards:
        counts = folders.load(shard_folder(folder, shard) / INDEX)
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
            folders.save(restricted, place / INDEX)
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
    counts = folders.load(place / INDEX)
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
