"""The layout of tables: no figure, id or name is ever cut, however narrow the terminal."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest

_GAP = "  "
_NARROWEST = 12  # a folded column is at least this wide, so that its lines can be read as one name
_FIGURE = re.compile(r"[-<]?[\d.,]*(e[-+]\d+)?%?")

_Table = list[list[str]]  # the first row has the column names


def fitting_lines(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    width: int = sys.maxsize,
    fold: Collection[str] = (),
    key: int = 1,
) -> list[str]:
    r"""Lay out a table in the first of these forms that fits the width.

    1. One line per row.
    2. The columns in `fold` are folded: a name is continued on the next line. Ids and figures are never folded.
    3. Several rows of figures: blocks of columns, one below the other. Each block repeats the key columns.
    4. Records: the key of a row, then each other cell that is not empty. Ids and figures can exceed the width.

    Parameters
    ----------
    header : sequence of str
        The column names.
    rows : sequence of sequence of str
        The cells.
    width : int, default unlimited
        The number of columns of the terminal.
    fold : collection of str
        Names of the columns that may be folded, because they contain text.
    key : int, default 1
        The number of columns, from the left, that say what a row is about.

    Returns
    -------
    list of str
        The lines.

    Examples
    --------
    >>> header, rows = ["run", "F1", "P"], [["runs-2026/first.txt", ".5", ".25"], ["b.txt", ".125", ".5"]]
    >>> print(*fitting_lines(header, rows, width=23, fold=["run"]), sep="\n")
    run             F1    P
    runs-2026/      .5  .25
    first.txt
    b.txt         .125   .5
    >>> print(*fitting_lines(header, rows, width=18, fold=["run"]), sep="\n")
    run             F1
    runs-2026/      .5
    first.txt
    b.txt         .125
    <BLANKLINE>
    run              P
    runs-2026/     .25
    first.txt
    b.txt           .5
    >>> print(*fitting_lines(header, rows[:1], width=12), sep="\n")
    run: runs-2026/first.txt
      F1  .5
      P   .25
    """
    table = [list(header), *map(list, rows)]
    foldable = [name in fold for name in header]
    if lines := _aligned(table, foldable, width):
        return lines
    if len(rows) > 1 and not any(foldable[key:]):
        blocks = [_aligned(block, foldable, width) for block in _blocks(table, foldable, width, key)]
        if all(blocks):
            return [line for block in blocks for line in ("", *block)][1:]
    return [line for row in table[1:] for line in _record(table[0], row, foldable, width, key)]


def are_figures(cells: Iterable[str]) -> bool:
    """Return whether all cells of a column are figures or empty, so that they are aligned to the right."""
    return all(map(_FIGURE.fullmatch, cells))


def _aligned(table: _Table, foldable: Sequence[bool], width: int) -> list[str]:
    """Align the columns, figures to the right; no lines if the table does not fit the width."""
    widths = _fitting_widths(table, foldable, width)
    to_the_right = [are_figures(cells) for _name, *cells in zip(*table)]
    lines = []
    for row in table if widths else []:
        for pieces in zip_longest(*map(_folded, row, widths), fillvalue=""):
            cells = map(_padded, pieces, widths, to_the_right)
            lines.append(_GAP.join(cells).rstrip())
    return lines


def _fitting_widths(table: _Table, foldable: Sequence[bool], width: int) -> list[int]:
    """Return the width of each column, as wide as its longest cell or folded; no widths if the table cannot fit."""
    natural = [max(map(_cell_length, column)) for column in zip(*table)]
    room = width - len(_GAP) * (len(natural) - 1)
    for widest in range(max(*natural, _NARROWEST), _NARROWEST - 1, -1):
        widths = [min(length, widest) if folds else length for length, folds in zip(natural, foldable)]
        if sum(widths) <= room:
            return widths
    return []


def _blocks(table: _Table, foldable: Sequence[bool], width: int, key: int) -> Iterator[_Table]:
    """Divide the columns into as few blocks as possible, each with the key columns."""
    columns = list(range(key + 1))
    for column in range(key + 1, len(foldable)):
        if not _fitting_widths(_chosen(table, [*columns, column]), foldable, width):
            yield _chosen(table, columns)
            columns = columns[:key]
        columns.append(column)
    yield _chosen(table, columns)


def _chosen(table: _Table, columns: Sequence[int]) -> _Table:
    return [[row[column] for column in columns] for row in table]


def _record(header: list[str], row: list[str], foldable: Sequence[bool], width: int, key: int) -> Iterator[str]:
    yield from (f"{name}: {cell}" for name, cell in zip(header[:key], row))
    longest = max(map(_cell_length, header[key:]), default=0)
    room = max(width - longest - 2 * len(_GAP), _NARROWEST)
    for name, cell, folds in zip(header[key:], row[key:], foldable[key:]):
        if cell:
            lines = _folded(cell, room if folds else sys.maxsize)
            labels = [name, *[""] * (len(lines) - 1)]
            yield from (f"{_GAP}{_padded(label, longest)}{_GAP}{line}" for label, line in zip(labels, lines))


def _folded(text: str, width: int) -> list[str]:
    """Divide a text into lines, if possible after a space or slash, else after a hyphen, underscore or comma."""
    lines = []
    while _cell_length(text) > width:
        length = next(length for length in range(width, 0, -1) if _cell_length(text[:length]) <= width)
        line = text[: length + 1] if text[length] == " " else text[:length]
        end = max(map(line.rfind, " /")) + 1 or max(map(line.rfind, "-_,")) + 1 or length
        lines.append(text[:end].rstrip())
        text = text[end:]
    return [*lines, text]


def _padded(text: str, width: int, to_the_right: bool = False) -> str:
    space = " " * (width - _cell_length(text))
    return space + text if to_the_right else text + space


def _cell_length(text: str) -> int:
    """Return the number of columns that a text takes on a terminal: two for a wide character, as in Japanese."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
