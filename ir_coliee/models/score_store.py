"""A file of neural scores, by model and texts, so that nothing is computed twice."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from ir_coliee.arrays import Floats
from ir_coliee.errors import ColieeError
from ir_coliee.models.sqlite_file import SQLiteFile
from ir_coliee.progress import steps

Texts = tuple[str, ...]
Row = Sequence[float]

_ROWS_PER_QUERY = 500  # SQLite limits the number of parameters


class ScoreStore(SQLiteFile):
    """A SQLite file of the scores of texts that a model reads together.

    The key is the identity of the model and a hash of the texts, so the file holds no text, and scores remain valid
    when ids change. Several processes can use the same file. A stored row that is not valid, because the file was
    altered, is treated as missing.

    Parameters
    ----------
    path : str or path-like
        The file. It is created if it does not exist.

    Raises
    ------
    ColieeError
        If the file is not a store of scores or cannot be written.

    Notes
    -----
    PyTerrier's own ``ScorerCache`` (``pyterrier_caching``) caches any transformer of results by query text and docno.
    Use it where docnos identify texts and one cache is kept for each model.

    Examples
    --------
    >>> import tempfile
    >>> store = ScoreStore(f"{tempfile.mkdtemp()}/scores.sqlite")
    >>> store.add("a model", {("a lamp", "It shines."): [0.75]})
    >>> store.find("a model", [("a lamp", "It shines."), ("a gate", "It shines.")])
    {('a lamp', 'It shines.'): (0.75,)}
    """

    NAME = "scores"
    COLUMNS = "key BLOB PRIMARY KEY, score BLOB NOT NULL"
    KIND = "score store"

    def find(self, identity: str, keys: Iterable[Texts]) -> dict[Texts, tuple[float, ...]]:
        """Return the stored rows of a model by their texts; texts without stored scores are missing from the result."""
        texts = {_hash(identity, key): key for key in keys}
        found: dict[Texts, tuple[float, ...]] = {}
        hashes = list(texts)
        for start in range(0, len(hashes), _ROWS_PER_QUERY):
            block = hashes[start : start + _ROWS_PER_QUERY]
            marks = ", ".join("?" * len(block))
            for key, stored in self._execute(f"SELECT key, score FROM scores WHERE key IN ({marks})", *block):
                if (scores := _scores(stored)) is not None:
                    found[texts[key]] = scores
        return found

    def add(self, identity: str, scores: Mapping[Texts, Row]) -> None:
        """Store the scores of a model by their texts, in one transaction. Earlier ones are replaced."""
        rows = [(_hash(identity, key), array("d", row).tobytes()) for key, row in scores.items()]
        self._execute_all("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)


Compute = Callable[[Sequence[Texts]], Iterable[tuple[Sequence[int], Iterable[Row] | Floats]]]


def get_scores(
    texts: Sequence[Texts],
    compute: Compute,
    store: ScoreStore | None = None,
    identity: Callable[[], str] | None = None,
    *,
    verbose: bool = False,
) -> Floats:
    """Return the scores of texts, from the store if possible; equal texts are computed once.

    Parameters
    ----------
    texts : sequence of tuple of str
        The texts that the model reads together.
    compute : callable
        Takes distinct texts and yields batches: their positions and their rows of scores.
    store : ScoreStore, optional
        Each batch is stored as soon as it is computed.
    identity : callable, optional
        Returns the model and all settings that affect its scores. Needed with a store.
    verbose : bool
        Whether to show progress.

    Returns
    -------
    numpy.ndarray of float64
        A row for each of the texts.

    Raises
    ------
    ColieeError
        If a score is not a finite number.

    Examples
    --------
    >>> def lengths(texts):
    ...     yield range(len(texts)), [[len(text) for text in pair] for pair in texts]
    >>> get_scores([("a", "lamp"), ("a", "gates"), ("a", "lamp")], lengths).tolist()
    [[1.0, 4.0], [1.0, 5.0], [1.0, 4.0]]
    """
    distinct = list(dict.fromkeys(texts))
    key = identity() if store is not None and identity is not None else ""
    found: dict[Texts, Row] = {**store.find(key, distinct)} if store is not None else {}
    missing = [each for each in distinct if each not in found]
    with steps("scoring", total=len(distinct), done=len(found), unit="texts", verbose=verbose) as advance:
        for batch in _batches(missing, compute):
            if store is not None:
                store.add(key, batch)
            found.update(batch)
            for _ in batch:
                advance()
    return np.array([found[each] for each in texts], dtype=np.float64)


def _batches(missing: Sequence[Texts], compute: Compute) -> Iterator[dict[Texts, Row]]:
    if not missing:
        return
    for positions, rows in compute(missing):
        batch: dict[Texts, Row] = {missing[position]: [*map(float, row)] for position, row in zip(positions, rows)}
        if not all(map(math.isfinite, chain.from_iterable(batch.values()))):
            raise ColieeError(
                "The model gives a score that is not a finite number.\n"
                "In half precision large values overflow: use bfloat16 or float32. Otherwise its weights are damaged."
            )
        yield batch


def _hash(identity: str, texts: Texts) -> bytes:
    digest = hashlib.blake2b(digest_size=20)
    for text in (identity, *texts):
        encoded = text.encode(errors="surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.digest()


def _scores(stored: object) -> tuple[float, ...] | None:
    if not isinstance(stored, bytes) or len(stored) % 8 or not stored:
        return None
    scores = tuple(array("d", stored))
    return scores if all(map(math.isfinite, scores)) else None
