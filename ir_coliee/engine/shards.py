"""A collection in shards: separate term counts of subsets of the documents, with common statistics.

The folder has a folder per shard, and an index of all documents and terms without postings. Each shard states which
documents and terms it has. Documents and terms are numbered in a common order, so that a score is the same sum of
products in the same order as in a single index, and is identical to the last bit. `ir_coliee.engine.shard_building`
builds shards.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine import storage
from ir_coliee.engine.manifests import ManifestForm
from ir_coliee.engine.scoring import Backend, Ranking, top_k
from ir_coliee.engine.term_counts import TermCounts, empty_counts
from ir_coliee.engine.weightings import Collection, Weighting, document_weights
from ir_coliee.errors import ColieeError
from ir_coliee.frames import Floats, Integers, is_rising

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
        self.everything = storage.load(self.path / EVERYTHING)
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
    counts = storage.load(folder / INDEX)
    terms = _array(folder / TERMS, np.int64, len(counts.vocabulary))
    if not is_rising(terms) or (len(terms) and not 0 <= terms[0] <= terms[-1] < all_terms):
        raise FORM.malformed(folder / TERMS, "terms that are unknown or not in order")
    return counts, _array(folder / DOCUMENTS, np.int64, len(counts)), terms


def _array(path: Path, kind: type[np.generic], length: int | None = None) -> npt.NDArray[Any]:
    array = storage.mapped(path, "r", FORM)
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
