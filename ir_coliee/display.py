"""Results as a person reads them: text in a terminal, HTML in a notebook.

A result class describes itself once, in its method ``display``, by blocks: headings, sentences, warnings, tables and
preformatted text. The decorator `displayed` derives the text and the HTML. The HTML has no colours and loads nothing,
so it takes the style of the notebook, light or dark.
"""

from __future__ import annotations

import html
import re
import shutil
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from ir_coliee.errors import printable

if TYPE_CHECKING:
    import pandas as pd

# The layout of tables: no figure, id or name is ever cut, however narrow the terminal.


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


# Results as a person reads them: text in a terminal, HTML in a notebook.


class Heading(NamedTuple):
    """A heading, bold in HTML.

    Attributes
    ----------
    text : str
        The heading.
    level : int
        1 for a section of a result or page, 2 for a part of a section.
    """

    text: str
    level: int = 1


class Table(NamedTuple):
    """A table.

    Attributes
    ----------
    header : sequence of str
        The names of the columns.
    rows : sequence of sequence
        Values or formatted cells. Floats are shown by `cell`.
    fold : collection of str
        Names of the columns that may be folded on a narrow terminal, because they contain text.
    key : int
        The number of columns, from the left, that say what a row is about.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    fold: Collection[str] = ("run",)
    key: int = 1

    @classmethod
    def of_facts(cls, facts: Mapping[str, object]) -> Table:
        """Return a row for each fact that is not None or empty."""
        rows = [pair for pair in facts.items() if pair[1] not in (None, "")]
        return cls(["property", "value"], rows, fold=["value"])

    @classmethod
    def of_frame(cls, frame: pd.DataFrame) -> Table:
        """Return the columns, whose names become words, and rows of a frame; the index is left out."""
        return cls([words(str(name)) for name in frame.columns], frame.to_numpy(object).tolist())


class Details(NamedTuple):
    """A table or text that HTML shows on a click. The text form leaves it out.

    Attributes
    ----------
    summary : str
        The line to click.
    content : Block
        What it shows.
    """

    summary: str
    content: Block


class Preformatted(NamedTuple):
    """A text whose line ends and spaces are kept."""

    text: str


class Mark(NamedTuple):
    """A marked part of a text.

    Attributes
    ----------
    start, end : int
        The offsets of its first character and of the one after its last.
    label : str
        What it is, such as ``shared with 900557``.
    """

    start: int
    end: int
    label: str


class MarkedText(NamedTuple):
    """A text of a release with marked parts, in the order of their offsets and without overlaps.

    Attributes
    ----------
    text : str
        The text. Its line ends are kept.
    marks : sequence of Mark
        The marked parts. HTML highlights them; text puts them in brackets.
    """

    text: str
    marks: Sequence[Mark] = ()


class Picture(NamedTuple):
    """A picture, which only HTML shows.

    Attributes
    ----------
    svg : str
        An SVG element that loads nothing.
    description : str
        What the picture shows, for readers who cannot see it.
    """

    svg: str
    description: str


class WarningText(NamedTuple):
    """A warning. Its first word, ``warning:``, is bold in HTML."""

    text: str


Block = Heading | str | Table | Details | Preformatted | MarkedText | Picture | WarningText


class Displayable(Protocol):
    """A class that describes itself by blocks."""

    def display(self) -> Iterable[Block]:
        """Return the blocks in the order in which they are read."""


T = TypeVar("T", bound=Displayable)


def displayed(kind: type[T]) -> type[T]:
    """Give a class a readable ``str``, and HTML in notebooks, from its method ``display``.

    Parameters
    ----------
    kind : type
        The class, used as a decorator.

    Returns
    -------
    type
        The same class.

    Examples
    --------
    >>> @displayed
    ... class Sizes:
    ...     def display(self):
    ...         yield "2 runs"
    ...         yield Table(["run", "F1"], [["mine", 0.5], ["other <1>", 0.25]])
    >>> print(Sizes())
    2 runs
    run            F1
    mine       0.5000
    other <1>  0.2500
    """

    def text(self: T) -> str:
        return as_text(self.display())

    def notebook_html(self: T) -> str:
        return as_html(self.display())

    kind.__str__ = text  # type: ignore[method-assign, assignment]
    kind._repr_html_ = notebook_html  # type: ignore[attr-defined]
    return kind


def words(name: str) -> str:
    """Return the name of a column, property or analysis as people read it.

    Examples
    --------
    >>> words("mean_value")
    'mean value'
    """
    return name.replace("_", " ")


def cell(value: object, digits: int = 4) -> str:
    """Format a value: floats with a number of decimals, truth as yes or no, missing values as an empty string.

    Examples
    --------
    >>> cell(0.30007), cell(float("nan")), cell(3), cell(None), cell(True)
    ('0.3001', '', '3', '', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "" if value != value else f"{value:.{digits}f}"
    return "" if value is None or str(value) == "<NA>" else str(value)


def number_cell(value: float) -> str:
    """Format a number of any size, such as a score or a threshold, with six significant digits.

    Examples
    --------
    >>> number_cell(120.98308), number_cell(0.0000184), number_cell(2.0), number_cell(float("nan"))
    ('120.983', '1.84e-05', '2', '')
    """
    return "" if value != value else f"{value:.6g}"


# --- text ------------------------------------------------------------------------------------------


def as_text(blocks: Iterable[Block], width: int | None = None) -> str:
    """Format blocks as lines. A table takes the form that fits the width, by default that of the terminal."""
    width = width or shutil.get_terminal_size().columns
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Table):
            lines += table_lines(block, width)
        elif isinstance(block, Preformatted):
            lines += readable(block.text).splitlines()
        elif isinstance(block, MarkedText):
            lines += _with_brackets(block).splitlines()
        elif isinstance(block, Heading):
            lines += ["", _escaped(block.text)] if lines else [_escaped(block.text)]
        elif isinstance(block, WarningText):
            lines += [f"warning: {_escaped(block.text)}"]
        elif isinstance(block, str):
            lines += map(_escaped, block.split("\n"))
    return "\n".join(lines)


def _with_brackets(block: MarkedText) -> str:
    """Return a text with its marked parts in brackets, and with its control characters escaped."""
    return readable("".join(f"[{text}]" if label else text for text, label in marked_pieces(block)))


def marked_pieces(block: MarkedText) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text with their labels; unmarked pieces have an empty label.

    Examples
    --------
    >>> list(marked_pieces(MarkedText("a lamp here", [Mark(2, 6, "shared")])))
    [('a ', ''), ('lamp', 'shared'), (' here', '')]
    """
    end = 0
    for mark in block.marks:
        yield block.text[end : mark.start], ""
        yield block.text[mark.start : mark.end], mark.label
        end = mark.end
    yield block.text[end:], ""


def table_lines(table: Table, width: int) -> list[str]:
    """Format a table as lines that fit the width, see `ir_coliee.display.fitting_lines`.

    Examples
    --------
    >>> table = Table(["run", "F1"], [["mine", 0.5], ["other", 0.25]])
    >>> table_lines(table, 13)
    ['run        F1', 'mine   0.5000', 'other  0.2500']
    """
    header = [_escaped(name) for name in table.header]
    rows = [[_escaped(cell(value)) for value in row] for row in table.rows]
    return fitting_lines(header, rows, width=width, fold=table.fold, key=table.key)


def _escaped(text: str) -> str:
    return printable(text, sys.maxsize)


class _Escapes(dict[int, str]):
    """The characters of texts and what they are shown as, filled on first use."""

    def __missing__(self, code: int) -> str:
        is_kept = chr(code) in "\n\t" or unicodedata.category(chr(code)) == "Zs"  # Zs: every kind of space
        self[code] = chr(code) if is_kept else printable(chr(code))
        return self[code]


_ESCAPES = _Escapes()


def readable(text: str) -> str:
    r"""Escape the control characters of a text, but keep its line ends, tabs and spaces of every kind.

    Examples
    --------
    >>> readable("a\x1b[31m\u202eb\n\u3000c")
    'a\\x1b[31m\\u202eb\n\u3000c'
    """
    return text.translate(_ESCAPES)


# --- HTML ------------------------------------------------------------------------------------------


def as_html(blocks: Iterable[Block]) -> str:
    """Format blocks as HTML. All texts are escaped, and formulas in them are not interpreted."""
    return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(map(_block_as_html, blocks))}</div>'


def _html(text: str) -> str:
    return html.escape(_escaped(text))


def _block_as_html(block: Block) -> str:
    if isinstance(block, Table):
        return _table_as_html(block)
    if isinstance(block, Details):
        return f"<details><summary>{_html(block.summary)}</summary>{_block_as_html(block.content)}</details>"
    if isinstance(block, Preformatted):
        return f"<pre>{html.escape(readable(block.text))}</pre>"
    if isinstance(block, MarkedText):
        return f'<div style="white-space: pre-wrap">{"".join(map(_piece_as_html, marked_pieces(block)))}</div>'
    if isinstance(block, Picture):
        return block.svg
    if isinstance(block, Heading):
        return f'<div style="margin: 0.8em 0 0.3em"><strong>{_html(block.text)}</strong></div>'
    if isinstance(block, WarningText):
        return f"<div><strong>warning:</strong> {_html(block.text)}</div>"
    indent = len(block) - len(block.lstrip(" "))
    lines = "<br>".join(map(_html, block.split("\n")))
    return f'<div style="margin-left: {indent}ch">{lines}</div>'


def _piece_as_html(piece: tuple[str, str]) -> str:
    text, label = html.escape(readable(piece[0])), _html(piece[1])
    return f'<mark title="{label}">{text}</mark>' if label else text


def _table_as_html(table: Table) -> str:
    header, *rows = table.header, *([cell(value) for value in row] for row in table.rows)
    sides = ["right" if are_figures(cells) else "left" for _name, *cells in zip(header, *rows)]
    head = _row_as_html("th", header, sides)
    body = "".join(_row_as_html("td", row, sides) for row in rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _row_as_html(tag: str, cells: Sequence[str], sides: Sequence[str]) -> str:
    written = (f'<{tag} style="text-align: {side}">{_html(text)}</{tag}>' for text, side in zip(cells, sides))
    return f"<tr>{''.join(written)}</tr>"
