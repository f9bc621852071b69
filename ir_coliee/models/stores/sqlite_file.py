"""A SQLite file with one table, which several processes can use: the base of the stores of replies and of scores."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar

from ir_coliee.errors import ColieeError, printable

_TIMEOUT_S = 60  # while another process writes
_TABLES = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
_HEADER = b"SQLite format 3\0"


class SQLiteFile:
    """Base class of the stores, which are equal if their paths are equal, and can be pickled.

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
    COLUMNS : str
        Its columns in the first version, as SQL.
    ADDED_COLUMNS : tuple of str
        The columns of later versions. A file without them gets them when it is opened.
    KIND : str
        What the store is called in messages.
    """

    NAME: ClassVar[str]
    COLUMNS: ClassVar[str]
    ADDED_COLUMNS: ClassVar[tuple[str, ...]] = ()
    KIND: ClassVar[str]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._connection: sqlite3.Connection | None = None
        self._check_existing_file()
        if self._tables() != [self._table()]:
            self._create_or_convert()

    def _table(self, added: Sequence[str] | None = None) -> str:
        columns = ", ".join((self.COLUMNS, *(self.ADDED_COLUMNS if added is None else added)))
        return f"CREATE TABLE {self.NAME} ({columns}) WITHOUT ROWID"

    def _tables(self) -> list[str]:
        return [table for (table,) in self._execute(_TABLES)]

    def _create_or_convert(self) -> None:
        with self._transaction() as connection:  # another process may do the same
            tables = self._tables()
            if not tables:
                connection.execute(self._table())
            elif tables != [self._table()]:
                for column in self.ADDED_COLUMNS:
                    connection.execute(f"ALTER TABLE {self.NAME} ADD COLUMN {column}")

    def _check_existing_file(self) -> None:
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
                tables = [table for (table,) in connection.execute(_TABLES)]
        except FileNotFoundError:
            return
        except (OSError, ValueError, sqlite3.Error) as error:  # ValueError: a path with a zero byte
            raise self._error(str(error)) from None
        if tables not in ([], [self._table()], [self._table(added=())]):
            raise self._error("it has other tables, or those of another version")

    def _execute(self, command: str, *values: object) -> list[tuple[Any, ...]]:
        with self._connected() as connection:
            return connection.execute(command, values).fetchall()

    def _execute_all(self, command: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute a command with each row, in one transaction."""
        with self._transaction() as connection:
            connection.executemany(command, rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            with connection:  # commits, or rolls back after an error
                yield connection

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
