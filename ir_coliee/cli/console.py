"""Printing for all commands: the two output streams, tables, and text that is safe for a terminal."""

from __future__ import annotations

import os
import re
import sys

from rich.console import Console
from rich.table import Table

from ir_coliee.errors import printable

_UNLIMITED_WIDTH = 10_000  # in files and pipes, so that tables are never cut to the width of a terminal

out = Console(
    highlight=False,
    markup=False,
    emoji=False,
    width=None if sys.stdout and sys.stdout.isatty() else _UNLIMITED_WIDTH,
)
err = Console(
    stderr=True,
    highlight=False,
    markup=False,
    emoji=False,
    width=None if sys.stderr and sys.stderr.isatty() else _UNLIMITED_WIDTH,
)

MAX_SIMILAR = 5  # the number of printed findings per kind, and of printed places per irregularity

_PATH_PART = re.compile(rf"[^ /{re.escape(os.sep)}]+")
_WRAPPED_COLUMNS = ("run", "name", "missing")


def safe(message: object) -> str:
    """Escape control characters and shorten long words of user files in a message.

    Parameters
    ----------
    message : object
        The message; it is converted to a string.

    Returns
    -------
    str
        A message that is safe for a terminal. Paths are not shortened.
    """
    return _PATH_PART.sub(lambda match: printable(match[0]), str(message))


def print_table(header: list[str], rows: list[list[str]]) -> None:
    """Print a table.

    Parameters
    ----------
    header : list of str
        The column names. Names of runs, datasets and missing files are wrapped on a narrow terminal; figures and ids
        are not.
    rows : list of list of str
        The cells.
    """
    table = Table(box=None)
    for column in header:
        table.add_column(column, no_wrap=column not in _WRAPPED_COLUMNS, overflow="fold")
    for row in rows:
        table.add_row(*row)
    out.print(table)
