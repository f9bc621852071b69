"""A file of language model replies, by model and question, so that no question is asked twice."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, printable
from ir_coliee.models.language_model import Question, Reply, encodable, is_valid

_COLUMNS = "key BLOB PRIMARY KEY, text TEXT NOT NULL, yes REAL"
_ADDED_COLUMNS = ("reasoning TEXT NOT NULL DEFAULT ''", "truncated INTEGER NOT NULL DEFAULT 0")
_FIRST_FORM = f"replies ({_COLUMNS}) WITHOUT ROWID"  # of stores of earlier versions
_FORM = f"replies ({', '.join((_COLUMNS, *_ADDED_COLUMNS))}) WITHOUT ROWID"
_TABLES = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
_TIMEOUT_S = 60  # while another process writes
_HEADER = b"SQLite format 3\0"


class ReplyStore:
    """A SQLite file of replies.

    Replies are derived from the texts, so the data-use agreement also covers this file. A reply is on disk when `add`
    returns. Several processes can use the same file. A stored reply that is not valid, because the file was altered, is
    treated as missing. A file of an earlier version, which did not store reasoning, gets the new columns when it is
    opened and keeps its replies.

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
    >>> from ir_coliee.text.templates import Turn
    >>> store = ReplyStore(f"{tempfile.mkdtemp()}/replies.sqlite")
    >>> question = Question((Turn("user", "Is a lamp a movable?"),))
    >>> store.add("a model", question, Reply("Yes", 0.75))
    >>> store.find("a model", [question])[question], store.find("another", [question])
    (Reply(text='Yes', yes=0.75, reasoning='', truncated=False), {})
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._connection: sqlite3.Connection | None = None
        self._check_existing_file()
        if self._execute(_TABLES) != [(f"CREATE TABLE {_FORM}",)]:
            self._create_or_convert()

    def _check_existing_file(self) -> None:
        """Raise `ColieeError` for an existing file that is not a store of replies. The file is not changed."""
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):  # opening a pipe would wait for its writer
                raise self._error("it is not a file")
            with self.path.open("rb") as file:
                header = file.read(len(_HEADER))
            if not header:
                return
            if header != _HEADER:
                raise self._error("it is not a database of SQLite")
            uri = f"{self.path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, timeout=_TIMEOUT_S)) as connection:
                forms = connection.execute(_TABLES).fetchall()
        except FileNotFoundError:
            return
        except (OSError, ValueError, sqlite3.Error) as error:  # ValueError: a path with a zero byte
            raise self._error(str(error)) from None
        if forms not in ([], [(f"CREATE TABLE {_FORM}",)], [(f"CREATE TABLE {_FIRST_FORM}",)]):
            raise self._error("it has other tables, or those of another version")

    def _create_or_convert(self) -> None:
        self._execute("BEGIN IMMEDIATE")  # another process may do the same
        if self._execute(_TABLES) == [(f"CREATE TABLE {_FIRST_FORM}",)]:
            for column in _ADDED_COLUMNS:
                self._execute(f"ALTER TABLE replies ADD COLUMN {column}")
        self._execute(f"CREATE TABLE IF NOT EXISTS {_FORM}")
        self._execute("COMMIT")

    def find(self, identity: str, questions: Iterable[Question]) -> dict[Question, Reply]:
        """Return the stored replies of a model; questions without a stored reply are missing from the result."""
        found: dict[Question, Reply] = {}
        for question in questions:
            command = "SELECT text, yes, reasoning, truncated FROM replies WHERE key = ?"
            for text, yes, reasoning, truncated in self._execute(command, _key(identity, question)):
                if is_valid(reply := Reply(text, yes, reasoning, bool(truncated))):
                    found[question] = reply
        return found

    def add(self, identity: str, question: Question, reply: Reply) -> None:
        """Store a reply. An earlier reply to the same question is replaced."""
        row = encodable(reply.text), reply.yes, encodable(reply.reasoning), reply.truncated
        self._execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", _key(identity, question), *row)

    def _execute(self, command: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            if self._connection is None:
                # autocommit with a write-ahead log, so that storing a reply does not wait for the disk
                self._connection = sqlite3.connect(
                    self.path, timeout=_TIMEOUT_S, isolation_level=None, check_same_thread=False
                )
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute("PRAGMA synchronous=NORMAL")
            return self._connection.execute(command, values).fetchall()
        except sqlite3.Error as error:
            raise self._error(str(error)) from None

    def _error(self, problem: str) -> ColieeError:
        path = printable(str(self.path), 1000)
        return ColieeError(
            f"{path} cannot be used as a reply store.\n"
            f"The reason: {problem}. Give another path. If it is a damaged reply store, you can also delete it."
        )

    def __del__(self) -> None:
        if connection := self.__dict__.get("_connection"):
            connection.close()

    def __getstate__(self) -> dict[str, object]:
        return {"path": self.path, "_connection": None}

    def __repr__(self) -> str:
        return f"ReplyStore({str(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReplyStore) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)


def _key(identity: str, question: Question) -> bytes:
    schema = [question.schema] if question.schema else []
    content = json.dumps([identity, question.conversation, question.sample, *schema])
    return hashlib.blake2b(content.encode(), digest_size=20).digest()
