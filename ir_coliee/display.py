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
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ir_coliee.errors import printable

if TYPE_CHECKING:
    import pandas as pd

# The layout of tables: no figure, id or name is ever cut, however narrow the terminal.


_GAP = "  "
_NARROWEST = 12  # a folded column is at least this wide, so that its lines can be read as one name
_FIGURE = re.compile(r"[-<]?[\d.,]*(e[-+]\d+)?%?")


class _Column(NamedTuple):
    """A column: its name and its cells, and whether they may be folded."""

    cells: tuple[str, ...]
    folds: bool


def are_figures(cells: Iterable[str]) -> bool:
    """Return whether all cells of a column are figures or empty, so that they are aligned to the right."""
    return all(map(_FIGURE.fullmatch, cells))


def _widths(columns: Sequence[_Column], width: int) -> list[int]:
    """Return the width of each column: as wide as its longest cell, or folded as far as the table has to be."""
    natural = [max(map(_cell_length, column.cells)) for column in columns]
    widths = natural
    for widest in range(max(natural), _NARROWEST - 1, -1):
        widths = [min(length, widest) if column.folds else length for length, column in zip(natural, columns)]
        if _total(widths) <= width:
            break
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _aligned(columns: Sequence[_Column], width: int) -> Iterator[str]:
    """Yield the lines of a table or of a block of it, figures to the right."""
    widths = _widths(columns, width)
    to_the_right = [are_figures(column.cells[1:]) for column in columns]
    for row in zip(*(column.cells for column in columns)):
        for pieces in zip_longest(*map(_folded, row, widths), fillvalue=""):
            yield _GAP.join(map(_padded, pieces, widths, to_the_right)).rstrip()


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
        return cls(["property", "value"], rows, fold=["property", "value"])

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


T = TypeVar("T")


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
    kind.__str__ = lambda self: as_text(self.display())  # type: ignore[method-assign, attr-defined]
    kind._repr_html_ = lambda self: as_html(self.display())  # type: ignore[attr-defined]
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
            pieces = (f"[{text}]" if label else text for text, label in marked_pieces(block))
            lines += readable("".join(pieces)).splitlines()
        elif isinstance(block, Heading):
            lines += ["", _escaped(block.text)] if lines else [_escaped(block.text)]
        elif isinstance(block, WarningText):
            lines += [f"warning: {_escaped(block.text)}"]
        elif isinstance(block, str):
            lines += map(_escaped, block.split("\n"))
    return "\n".join(lines)


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


def table_lines(table: Table, width: int = sys.maxsize) -> list[str]:
    r"""Lay out a table in the first of these forms that fits a width.

    1. One line per row.
    2. The columns in `fold` are folded: a name is continued on the next line. Ids and figures are never folded.
    3. Blocks of columns, one below the other. Each block repeats the key columns.

    The key columns with one column of ids or figures can exceed the width.

    Parameters
    ----------
    table : Table
        The table.
    width : int, default unlimited
        The number of columns of the terminal.

    Returns
    -------
    list of str
        The lines.

    Examples
    --------
    >>> table = Table(["run", "F1", "P"], [["runs-2026/first.txt", 0.5, 0.25], ["b.txt", 0.125, 0.5]])
    >>> print(*table_lines(table, 30), sep="\n")
    run                 F1       P
    runs-2026/      0.5000  0.2500
    first.txt
    b.txt           0.1250  0.5000
    >>> print(*table_lines(table, 20), sep="\n")
    run               F1
    runs-2026/    0.5000
    first.txt
    b.txt         0.1250
    <BLANKLINE>
    run                P
    runs-2026/    0.2500
    first.txt
    b.txt         0.5000
    """
    rows = [map(cell, row) for row in (table.header, *table.rows)]
    columns = [_Column(tuple(map(_escaped, cells)), cells[0] in table.fold) for cells in zip(*rows)]
    blocks = [columns[: table.key + 1]]
    for column in columns[table.key + 1 :]:
        wider = [*blocks[-1], column]
        if _total(_widths(wider, width)) <= width:
            blocks[-1] = wider
        else:
            blocks.append([*columns[: table.key], column])
    return [line for block in blocks for line in ("", *_aligned(block, width))][1:]


def _escaped(text: str) -> str:
    return printable(text, sys.maxsize)


def readable(text: str) -> str:
    r"""Escape the control characters of a text, but keep its line ends, tabs and spaces of every kind.

    Examples
    --------
    >>> readable("a\x1b[31m\u202eb\n\u3000c")
    'a\\x1b[31m\\u202eb\n\u3000c'
    """
    is_kept = {c: c in "\n\t" or unicodedata.category(c) == "Zs" for c in set(text) if not c.isprintable()}
    return "".join(c if is_kept.get(c, True) else printable(c) for c in text)


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
