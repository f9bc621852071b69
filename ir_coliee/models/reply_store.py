"""The replies of language models in a file, by model and question, so that nothing is asked twice."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from ir_coliee.errors import ColieeError
from ir_coliee.models.language_model import Question, Reply, encodable

_TABLE = "CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, text TEXT NOT NULL, yes REAL) WITHOUT ROWID"
_PATIENCE_S = 60  # for another process that writes


class ReplyStore:
    """A file of replies. It holds what models wrote of the texts, so it is under the memorandum as they are.

    Each reply is in the file when `keep` returns; several processes may share it. Raises `ColieeError` for a file that
    is none of ours, or cannot be written.

    >>> import tempfile
    >>> from ir_coliee.text.templates import Turn
    >>> kept = ReplyStore(f"{tempfile.mkdtemp()}/replies.sqlite")
    >>> question = Question((Turn("user", "Is a lamp a movable?"),))
    >>> kept.keep("a model", question, Reply("Yes", 0.75))
    >>> kept.known("a model", [question])[question], kept.known("another", [question])
    (Reply(text='Yes', yes=0.75), {})
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._connection: sqlite3.Connection | None = None
        self._execute(_TABLE)

    def known(self, identity: str, questions: Iterable[Question]) -> dict[Question, Reply]:
        """The replies to those of the questions that the model has been asked."""
        found = {}
        for question in questions:
            rows = self._execute("SELECT text, yes FROM replies WHERE key = ?", _key(identity, question))
            for text, yes in rows:
                found[question] = Reply(text, yes)
        return found

    def keep(self, identity: str, question: Question, reply: Reply) -> None:
        """Keep a reply, in the place of one that there was."""
        told = _key(identity, question), encodable(reply.text), reply.yes
        self._execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", *told)

    def _execute(self, command: str, *values: object) -> list[tuple[str, float | None]]:
        try:
            if self._connection is None:
                # commits each command; a write-ahead log, so that a reply costs no waiting for the disk
                self._connection = sqlite3.connect(
                    self.path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
                )
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute("PRAGMA synchronous=NORMAL")
            return self._connection.execute(command, values).fetchall()
        except sqlite3.Error as error:
            raise ColieeError(
                f"{self.path}: the file of kept replies cannot be used ({error}). Give another path, or delete it."
            ) from None

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
    told = json.dumps([identity, question.conversation, question.sample])
    return hashlib.blake2b(told.encode(), digest_size=20).digest()
