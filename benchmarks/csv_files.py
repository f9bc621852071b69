"""Files of rows that contributors extend: each row has all cells, and rows are only ever added behind the others."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

Row = TypeVar("Row", bound=NamedTuple)


def read_rows(kind: type[Row], path: Path) -> list[Row]:
    """Return the rows of a file; none if there is no such file."""
    if not path.exists():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = csv.reader(file, strict=True)
            if next(lines, []) != list(kind._fields):
                raise SystemExit(f"{path}, line 1: unknown columns. Expected: {', '.join(kind._fields)}.")
            return [_row(kind, cells, f"{path}, line {lines.line_num}") for cells in lines if cells]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SystemExit(f"{path} cannot be read: {error}") from None


def _row(kind: type[Row], cells: list[str], place: str) -> Row:
    if len(cells) != len(kind._fields):
        raise SystemExit(f"{place}: {len(cells)} cells. Expected: {len(kind._fields)}.")
    return kind(*cells)


def append_rows(rows: Iterable[Any], kind: type[Row], path: Path) -> None:
    """Write rows behind those of a file by one call, so that a program that is killed leaves no half row.

    Without rows, a new file has the names of the columns alone.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    old = path.read_bytes() if path.exists() else b""
    writer.writerows([] if old else [kind._fields])
    writer.writerows(rows)
    new_line = "\n" if old and not old.endswith(b"\n") else ""
    try:
        with path.open("ab", buffering=0) as file:
            file.write((new_line + text.getvalue()).encode())
    except OSError as error:
        raise SystemExit(f"{path} cannot be written: {error.strerror}") from None
