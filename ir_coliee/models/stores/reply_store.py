"""A file of language model replies, by model and question, so that no question is asked twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ir_coliee.models.language_models.language_model import Question, Reply, encodable, has_answer, is_valid
from ir_coliee.models.stores.sqlite_file import SQLiteFile


class ReplyStore(SQLiteFile):
    """A SQLite file of replies.

    Replies are derived from the texts, so the data-use agreement also covers this file. A reply is on disk when `add`
    returns. Several processes can use the same file. A stored reply that is not valid, because the file was altered, or
    that has no answer (see `get_replies`), is treated as missing. A file of an earlier version, which did not store
    reasoning, gets the new columns when it is opened and keeps its replies.

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

    NAME = "replies"
    COLUMNS = "key BLOB PRIMARY KEY, text TEXT NOT NULL, yes REAL"
    ADDED_COLUMNS = ("reasoning TEXT NOT NULL DEFAULT ''", "truncated INTEGER NOT NULL DEFAULT 0")
    KIND = "reply store"

    def find(self, identity: str, questions: Iterable[Question]) -> dict[Question, Reply]:
        """Return the stored replies of a model; questions without a stored reply are missing from the result."""
        found: dict[Question, Reply] = {}
        for question in questions:
            command = "SELECT text, yes, reasoning, truncated FROM replies WHERE key = ?"
            for text, yes, reasoning, truncated in self._execute(command, _key(identity, question)):
                if is_valid(reply := Reply(text, yes, reasoning, bool(truncated))) and has_answer(reply):
                    found[question] = reply
        return found

    def add(self, identity: str, question: Question, reply: Reply) -> None:
        """Store a reply. An earlier reply to the same question is replaced."""
        row = encodable(reply.text), reply.yes, encodable(reply.reasoning), reply.truncated
        self._execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", _key(identity, question), *row)


def _key(identity: str, question: Question) -> bytes:
    schema = [question.schema] if question.schema else []
    content = json.dumps([identity, question.conversation, question.sample, *schema])
    return hashlib.blake2b(content.encode(), digest_size=20).digest()
