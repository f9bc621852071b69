"""A file of neural scores, by model and texts, so that nothing is computed twice."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from ir_coliee.errors import ColieeError
from ir_coliee.frames import Floats
from ir_coliee.models.stores.content_store import ContentStore, Texts, computed_once

Row = Sequence[float]


class ScoreStore(ContentStore[Row]):
    """A SQLite file of the scores of texts that a model reads together.

    The key is the identity of the model and a hash of the texts, so the file holds no text, and scores remain valid
    when ids change. Several processes can use the same file. Stored scores that are not valid, because the file was
    altered, are treated as missing.

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
    KIND = "score store"

    def _encoded(self, value: Row) -> bytes:
        return array("d", value).tobytes()

    def _decoded(self, stored: bytes) -> Row | None:
        if not stored or len(stored) % 8:
            return None
        scores = tuple(array("d", stored))
        return scores if all(map(math.isfinite, scores)) else None


Compute = Callable[[Sequence[Texts]], Iterable[tuple[Sequence[int], Iterable[Row] | Floats]]]


def get_scores(
    texts: Sequence[Texts],
    compute: Compute,
    store: ScoreStore | None = None,
    identity: Callable[[], str] = lambda: "",
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
    identity : callable
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

    def batches(missing: Sequence[Texts]) -> Iterator[dict[Texts, Row]]:
        for positions, rows in compute(missing):
            batch: dict[Texts, Row] = {missing[position]: [*map(float, row)] for position, row in zip(positions, rows)}
            if not all(map(math.isfinite, chain.from_iterable(batch.values()))):
                raise ColieeError(
                    "The model gives a score that is not a finite number.\n"
                    "In half precision large values overflow: use bfloat16 or float32. Otherwise, weights are damaged."
                )
            yield batch

    found = computed_once(texts, batches, store, identity, description="scoring", verbose=verbose)
    return np.array([found[each] for each in texts], dtype=np.float64)
