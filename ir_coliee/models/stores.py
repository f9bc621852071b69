"""SQLite files of replies, scores and embeddings, and the functions that compute only what they lack."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sqlite3
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import ClassVar, Generic, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats
from ir_coliee.models.language_model import (
    NOT_FINITE,
    LanguageModel,
    Question,
    Reply,
    encodable,
    has_answer,
    is_valid,
    shown_model,
)
from ir_coliee.progress import steps

Texts = tuple[str, ...]
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_TIMEOUT_S = 60  # while another process writes
_HEADER = b"SQLite format 3\0"
_TABLES = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"


class Store(Generic[Key, Value]):
    """A SQLite file of values by the identity of a model and what it was given. Stores with equal paths are equal.

    The keys are hashes, so that the file holds no text of the release, and values remain valid when ids change. Several
    processes can use the same file. A value is on disk when `add` returns. A stored value that is not valid, because
    the file was altered, is treated as missing.

    Parameters
    ----------
    path : str or path-like
        The file. It is created if it does not exist.

    Raises
    ------
    ColieeError
        If the file is not a store of this kind or cannot be written. An existing file of another kind is not changed.

    Attributes
    ----------
    NAME : str
        The only table.
    KIND : str
        What the store is called in messages.
    """

    NAME: ClassVar[str]
    KIND: ClassVar[str]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._connection: sqlite3.Connection | None = None
        table = f"CREATE TABLE {self.NAME} (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
        if self._existing_tables() not in ([], [table]):
            raise self._error("it has other tables, or those of another version")
        with self._connected() as connection:
            connection.execute(table.replace("TABLE", "TABLE IF NOT EXISTS", 1))

    def find(self, identity: str, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the stored values of a model; keys without one are missing from the result."""
        found, query = {}, f"SELECT value FROM {self.NAME} WHERE key = ?"
        with self._connected() as connection:
            for key in keys:
                row = connection.execute(query, [_hash(identity, self._texts(key))]).fetchone()
                value = self._decoded(row[0]) if row and isinstance(row[0], bytes) else None
                if value is not None:
                    found[key] = value
        return found

    def add(self, identity: str, values: Mapping[Key, Value]) -> None:
        """Store values of a model, in one transaction. Earlier ones are replaced."""
        rows = [(_hash(identity, self._texts(key)), self._encoded(value)) for key, value in values.items()]
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            with connection:  # commits, or rolls back after an error
                connection.executemany(f"INSERT OR REPLACE INTO {self.NAME} VALUES (?, ?)", rows)

    def _texts(self, key: Key) -> Texts:
        """Return what a key is hashed from: a tuple of texts is its own."""
        return cast(Texts, key)

    def _encoded(self, value: Value) -> bytes:
        raise NotImplementedError

    def _decoded(self, stored: bytes) -> Value | None:
        """Return the value, None if it is not valid."""
        raise NotImplementedError

    def _existing_tables(self) -> list[str]:
        try:
            if not self.path.exists():
                return []
            if 0 < self.path.stat().st_size < len(_HEADER):  # which SQLite would take for an empty database
                raise self._error("it is not a database of SQLite")
            uri = f"{self.path.absolute().as_uri()}?mode=rw"  # which may have to undo what a killed process began
            with closing(sqlite3.connect(uri, uri=True, timeout=_TIMEOUT_S)) as connection:
                return [table for (table,) in connection.execute(_TABLES)]
        except (OSError, sqlite3.Error) as error:
            raise self._error(str(error)) from None

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._connection is None:
                # autocommit with a write-ahead log, so that storing does not wait for the disk
                self._connection = sqlite3.connect(
                    self.path, timeout=_TIMEOUT_S, isolation_level=None, check_same_thread=False
                )
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute("PRAGMA synchronous=NORMAL")
            yield self._connection
        except sqlite3.Error as error:
            raise self._error(str(error)) from None

    def _error(self, problem: str) -> ColieeError:
        path = printable(str(self.path), 1000)
        return ColieeError(
            f"{path} cannot be used as a {self.KIND}.\n"
            f"The reason: {problem}. Give another path. If it is a damaged {self.KIND}, you can also delete it."
        )

    def __del__(self) -> None:
        if connection := self.__dict__.get("_connection"):
            connection.close()

    def __getstate__(self) -> dict[str, object]:
        return {"path": self.path, "_connection": None}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)


def _hash(identity: str, texts: Texts) -> bytes:
    digest = hashlib.blake2b(digest_size=20)
    for text in (identity, *texts):
        encoded = text.encode(errors="surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.digest()


#: Embeddings of the windows of a text, one a row: 32-bit floating-point numbers.
Vectors: TypeAlias = npt.NDArray[np.float32]
Row = Sequence[float]

_COUNT_BYTES = 4  # bytes, the number of windows


class EmbeddingStore(Store[Texts, Vectors]):
    """A SQLite file of embeddings, by embedder and text.

    The file holds no text, but an embedding tells much about its text, so the data-use agreement also covers this
    file. Several processes can use it.

    Parameters
    ----------
    path : str or path-like
        The file. It is created if it does not exist.

    Raises
    ------
    ColieeError
        If the file is not a store of embeddings or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> store = EmbeddingStore(f"{tempfile.mkdtemp()}/embeddings.sqlite")
    >>> store.add("a model", {("a lamp",): np.ones((1, 2), np.float32)})
    >>> store.find("a model", [("a lamp",), ("a gate",)])
    {('a lamp',): array([[1., 1.]], dtype=float32)}
    """

    NAME = "embeddings"
    KIND = "store of embeddings"

    def _encoded(self, value: Vectors) -> bytes:
        return len(value).to_bytes(_COUNT_BYTES, "little") + value.astype("<f4").tobytes()

    def _decoded(self, stored: bytes) -> Vectors | None:
        windows, content = int.from_bytes(stored[:_COUNT_BYTES], "little"), stored[_COUNT_BYTES:]
        if not windows or not content or len(content) % (4 * windows):
            return None
        vectors: Vectors = np.frombuffer(content, "<f4").astype(np.float32).reshape(windows, -1)
        return vectors if np.isfinite(vectors).all() else None


class ScoreStore(Store[Texts, Row]):
    """A SQLite file of the scores of texts that a model reads together.

    The file holds no text, and scores remain valid when ids change. Several processes can use it.

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


class ReplyStore(Store[Question, Reply]):
    """A SQLite file of replies, by model and question.

    Replies are derived from the texts, so the data-use agreement also covers this file. Several processes can use it. A
    stored reply that has no answer (see `get_replies`) is treated as missing.

    Parameters
    ----------
    path : str or path-like
        The file. It is created if it does not exist.

    Raises
    ------
    ColieeError
        If the file is not a store of replies or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from ir_coliee.models.templates import Turn
    >>> store = ReplyStore(f"{tempfile.mkdtemp()}/replies.sqlite")
    >>> question = Question((Turn("user", "Is a lamp a movable?"),))
    >>> store.add("a model", {question: Reply("Yes", 0.75)})
    >>> store.find("a model", [question])[question], store.find("another", [question])
    (Reply(text='Yes', yes=0.75, reasoning='', truncated=False), {})
    """

    NAME = "replies"
    KIND = "reply store"

    def _texts(self, key: Question) -> Texts:
        return (json.dumps(key),)

    def _encoded(self, value: Reply) -> bytes:
        return json.dumps(value._replace(text=encodable(value.text), reasoning=encodable(value.reasoning))).encode()

    def _decoded(self, stored: bytes) -> Reply | None:
        try:
            fields = json.loads(stored)
            reply = Reply(*fields)
        except (ValueError, TypeError, RecursionError):
            return None
        return reply if isinstance(fields, list) and is_valid(reply) and has_answer(reply) else None


def computed_once(
    texts: Iterable[Texts],
    compute: Callable[[Sequence[Texts]], Iterable[Mapping[Texts, Value]]],
    store: Store[Texts, Value] | None,
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
    store : Store or None
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
                raise ColieeError(f"The model gives a score that is not a finite number.\n{NOT_FINITE}")
            yield batch

    found = computed_once(texts, batches, store, identity, description="scoring", verbose=verbose)
    return np.array([found[each] for each in texts], dtype=np.float64)


def get_replies(
    model: LanguageModel,
    questions: Iterable[Question],
    store: ReplyStore | None = None,
    *,
    verbose: bool = False,
    description: str = "asking",
) -> dict[Question, Reply]:
    """Return a reply to each question, from the store if possible and otherwise from the model.

    Parameters
    ----------
    model : LanguageModel
        The model to ask.
    questions : iterable of Question
        The questions. Repeated questions are asked once.
    store : ReplyStore, optional
        Questions with a stored reply are not asked again. Each new reply is stored as soon as it arrives, unless it is
        blank or was cut off at the token limit before its answer: the question is then asked again in the next call.
    verbose : bool
        Whether to show progress.
    description : str
        What the progress is of.

    Returns
    -------
    dict of Question to Reply
        One entry for each distinct question.

    Raises
    ------
    ColieeError
        If the model does not reply to a question, or returns an invalid reply. Errors of the model are raised
        unchanged. Replies that arrived before the error are in the store.
    """
    distinct = list(dict.fromkeys(questions))
    found = store.find(model.identity, distinct) if store else {}
    missing = [question for question in distinct if question not in found]
    if found:
        description += f", {len(found)} replies found"
    with steps(description, total=len(distinct), done=len(found), unit="prompts", verbose=verbose) as advance:

        def on_reply(question: Question, reply: Reply) -> None:
            _check_reply(reply, model)
            if store and has_answer(reply):
                store.add(model.identity, {question: reply})
            found[question] = reply
            advance()

        if missing:
            model.ask(missing, on_reply)
    if (unanswered := sum(question not in found for question in distinct)) > 0:
        raise ColieeError(f"{shown_model(model)} did not answer {unanswered} of {len(distinct)} questions.")
    return found


def _check_reply(reply: Reply, model: LanguageModel) -> None:
    if not is_valid(reply):
        raise ColieeError(
            f"{shown_model(model)} returned an invalid reply.\nIts text is of type {type(reply.text).__name__} "
            f"and its yes is {reply.yes!r}; expected a string, and None or a number in [0, 1]."
        )
