"""Stores of what a model computes from texts, by the content of the texts, so that nothing is computed twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from ir_coliee.models.stores.sqlite_file import SQLiteFile
from ir_coliee.progress import steps

Texts = tuple[str, ...]
Value = TypeVar("Value")

_ROWS_PER_QUERY = 500  # SQLite limits the number of parameters


class ContentStore(SQLiteFile, Generic[Value]):
    """Base class of the stores of values by the identity of a model and a hash of the texts.

    The file holds no text, and values remain valid when ids change. Several processes can use the same file. A stored
    value that is not valid, because the file was altered, is treated as missing.
    """

    COLUMNS = "key BLOB PRIMARY KEY, value BLOB NOT NULL"

    def find(self, identity: str, keys: Iterable[Texts]) -> dict[Texts, Value]:
        """Return the stored values of a model by their texts; texts without one are missing from the result."""
        texts = {_hash(identity, key): key for key in keys}
        found: dict[Texts, Value] = {}
        hashes = list(texts)
        for start in range(0, len(hashes), _ROWS_PER_QUERY):
            block = hashes[start : start + _ROWS_PER_QUERY]
            marks = ", ".join("?" * len(block))
            for key, stored in self._execute(f"SELECT key, value FROM {self.NAME} WHERE key IN ({marks})", *block):
                value = self._decoded(stored) if isinstance(stored, bytes) else None
                if value is not None:
                    found[texts[key]] = value
        return found

    def add(self, identity: str, values: Mapping[Texts, Value]) -> None:
        """Store the values of a model by their texts, in one transaction. Earlier ones are replaced."""
        rows = [(_hash(identity, key), self._encoded(value)) for key, value in values.items()]
        self._execute_all(f"INSERT OR REPLACE INTO {self.NAME} VALUES (?, ?)", rows)

    def _encoded(self, value: Value) -> bytes:
        raise NotImplementedError

    def _decoded(self, stored: bytes) -> Value | None:
        """Return the value, None if it is not valid."""
        raise NotImplementedError


def computed_once(
    texts: Iterable[Texts],
    compute: Callable[[Sequence[Texts]], Iterable[Mapping[Texts, Value]]],
    store: ContentStore[Value] | None,
    identity: Callable[[], str],
    *,
    description: str,
    verbose: bool,
) -> dict[Texts, Value]:
    """Return the values of texts, from the store if possible; equal texts are computed once.

    Parameters
    ----------
    texts : iterable of tuple of str
        The texts that the model reads together.
    compute : callable
        Takes distinct texts and yields batches of values. It is not called if all values are stored.
    store : ContentStore or None
        Each batch is stored as soon as it is computed.
    identity : callable
        Returns the model and all settings that affect the values. It is called only with a store.
    description : str
        What is computed, for the progress.
    verbose : bool
        Whether to show progress.
    """
    distinct = list(dict.fromkeys(texts))
    key = "" if store is None else identity()
    found = {} if store is None else store.find(key, distinct)
    missing = [each for each in distinct if each not in found]
    with steps(description, total=len(distinct), done=len(found), unit="texts", verbose=verbose) as advance:
        for batch in compute(missing) if missing else ():
            if store is not None:
                store.add(key, batch)
            found.update(batch)
            for _ in batch:
                advance()
    return found


def _hash(identity: str, texts: Texts) -> bytes:
    digest = hashlib.blake2b(digest_size=20)
    for text in (identity, *texts):
        encoded = text.encode(errors="surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.digest()
