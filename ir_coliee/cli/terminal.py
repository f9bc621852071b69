"""What the verbs share: the two streams, arguments, tables, and text that a terminal may have."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ir_coliee.errors import ColieeError, shown

# a table that goes into a file or a pipe is never cut to the width of a terminal
out = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout and sys.stdout.isatty() else 10_000)
err = Console(
    stderr=True,
    highlight=False,
    markup=False,
    emoji=False,
    width=None if sys.stderr and sys.stderr.isatty() else 10_000,
)

SHOWN_ALIKE = 5  # findings of the same words that are printed one by one

DatasetId = Annotated[str, typer.Argument(metavar="ID", help="A dataset id, for example coliee/task1/sample/test.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON in place of a table.")]


_WORD = re.compile(rf"[^ /{re.escape(os.sep)}]+")


def shown_safely(message: object) -> str:
    """A message as a terminal may have it, whatever the files of a user brought into it; paths stay whole."""
    return _WORD.sub(lambda word: shown(word[0]), str(message))


def print_table(header: list[str], rows: list[list[str]]) -> None:
    """Print a table. Names may be broken where the terminal is narrow, figures and ids not."""
    table = Table(box=None)
    for column in header:
        table.add_column(column, no_wrap=column not in ("run", "name", "missing"), overflow="fold")
    for row in rows:
        table.add_row(*row)
    out.print(table)


def one_each(option: str, files: list[Path] | None, runs: list[Path]) -> list[Path | None]:
    """The files of an option, one beside each run; none of them where the option is not given."""
    if not files:
        return [None] * len(runs)
    if len(files) != len(runs):
        raise ColieeError(f"{option} stands {len(files)} times for {len(runs)} runs: one for each is needed, in order")
    return list(files)
