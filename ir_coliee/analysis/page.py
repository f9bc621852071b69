"""Pages: self-contained HTML files that need no network and no JavaScript."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path

from ir_coliee.display import (
    Block,
    Details,
    Heading,
    MarkedText,
    Picture,
    Preformatted,
    Table,
    WarningText,
    are_figures,
    cell,
    marked_pieces,
    readable,
)
from ir_coliee.storage import write_file

# Texts of releases and names of runs in HTML: markup shows as text, and invisible characters are made visible.


def escaped(text: str) -> str:
    r"""Return a text as HTML shows it: every character of it, and no markup.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        HTML without elements. Control characters, marks of the direction of writing and lone surrogates are written as
        in Python; line ends and tabs are kept.

    Examples
    --------
    >>> print(escaped("<b>a & b\x00\u202e"))
    &lt;b&gt;a &amp; b\x00\u202e
    """
    return html.escape(readable(text.replace("\r\n", "\n")))


# The body of a page: blocks as HTML elements with ids, captions and scopes.


_OPEN_ROWS = 25  # a longer table is folded
_PRINTED_ROWS = 100  # a folded table of at most this length is printed
_OPEN_TEXT = 1500  # characters; a longer text is folded
_SHORT = 24  # characters of the cells of a column that is not wrapped
_WORDS = 40  # characters of a cell, from which its column is wide enough for words


class Body:
    """The elements of a page, in their order, and its list of contents.

    Parameters
    ----------
    blocks : iterable of Block
        What the page shows. Headings of level 1 are those of its sections.

    Examples
    --------
    >>> from ir_coliee.display import Heading
    >>> body = Body([Heading("Losses"), "2 items are lost."])
    >>> body.contents, body.elements
    ([('losses', 'Losses')], ['<h2 id="losses">Losses</h2>', '<p>2 items are lost.</p>'])
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.contents: list[tuple[str, str]] = []
        self._ids: set[str] = set()
        self._repeats: Counter[str] = Counter()
        self._heading = "Table"
        self._level = 1
        self._tables = 0
        self.elements = [self._element(block) for block in blocks]

    def _element(self, block: Block) -> str:
        """Return an element. Long tables and texts are folded."""
        if isinstance(block, Heading):
            return self._heading_element(block)
        if isinstance(block, Details):
            return _folded(block.summary, self._open(block.content, block.summary), _num_rows(block.content))
        element, rows = self._open(block, self._heading), _num_rows(block)
        if rows > _OPEN_ROWS:
            return _folded(f"{self._heading}: {rows} rows", element, rows)
        if isinstance(block, MarkedText | Preformatted) and len(block.text) > _OPEN_TEXT:
            return _folded(f"Text of {len(block.text):,} characters", element)
        return element

    def _open(self, block: Block, caption: str) -> str:
        """Return the element of a block that is not folded."""
        if isinstance(block, Table):
            return self._table(block, caption)
        if isinstance(block, Heading | Details):
            return self._element(block)
        return _picture(block) if isinstance(block, Picture) else _text_element(block)

    def _heading_element(self, heading: Heading) -> str:
        self._level = min(heading.level, self._level, 5) + 1  # no level is left out
        self._heading = heading.text
        anchor = self._new_id(heading.text)
        if self._level == 2:
            self.contents.append((anchor, escaped(heading.text)))
        return f'<h{self._level} id="{anchor}">{escaped(heading.text)}</h{self._level}>'

    def _new_id(self, text: str) -> str:
        """Return an id that is made of the letters of a text and that no other element has."""
        words = re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "section"
        found = words
        while found in self._ids:
            self._repeats[words] += 1
            found = f"{words}-{self._repeats[words] + 1}"
        self._ids.add(found)
        return found

    def _table(self, table: Table, caption: str) -> str:
        self._tables += 1
        anchor = self._new_id(f"table {self._tables}")
        header, *rows = table.header, *([cell(value) for value in row] for row in table.rows)
        classes = [_class(cells) for _name, *cells in zip(header, *rows)] if rows else ["" for _ in header]
        head = "".join(f'<th scope="col"{kind}>{escaped(name)}</th>' for name, kind in zip(header, classes))
        body = "".join(_row(row, classes, table.key) for row in rows)
        whole = " whole" if len(rows) <= _OPEN_ROWS else ""  # is printed on one page
        return (
            f'<div class="box{whole}" role="region" aria-labelledby="{anchor}" tabindex="0"><table>'
            f'<caption id="{anchor}">Table {self._tables}<span class="repeated">: {escaped(caption)}</span></caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )


def _num_rows(block: Block) -> int:
    return len(block.rows) if isinstance(block, Table) else 0


def _picture(picture: Picture) -> str:
    """Return an image: a browser runs no script in it, and its ids are not those of the page."""
    source = base64.b64encode(picture.svg.encode()).decode()
    return f'<figure><img src="data:image/svg+xml;base64,{source}" alt="{escaped(picture.description)}"></figure>'


def _class(cells: Sequence[str]) -> str:
    if are_figures(cells):
        return ' class="figure"'
    longest = max(map(len, cells))
    return ' class="words"' if longest > _WORDS else ' class="short"' if longest <= _SHORT else ""


def _row(cells: Sequence[str], classes: Sequence[str], key: int) -> str:
    """Return a row. Its first cells, which say what it is about, are headers."""
    written = (
        f'<th scope="row"{kind}>{escaped(text)}</th>' if column < key else f"<td{kind}>{escaped(text)}</td>"
        for column, (text, kind) in enumerate(zip(cells, classes))
    )
    return f"<tr>{''.join(written)}</tr>"


def _folded(summary: str, element: str, rows: int = 0) -> str:
    short = ' class="short"' if rows <= _PRINTED_ROWS else ""
    return f"<details{short}><summary>{escaped(summary)}</summary>{element}</details>"


def _text_element(block: str | Preformatted | MarkedText | WarningText) -> str:
    if isinstance(block, Preformatted):
        return f'<pre tabindex="0">{escaped(block.text)}</pre>'
    if isinstance(block, MarkedText):
        pieces = "".join(map(_piece, marked_pieces(block)))
        return f'<div class="text" dir="auto">{pieces}</div>'
    if isinstance(block, WarningText):
        return f'<p class="warning"><strong>warning:</strong> {escaped(block.text)}</p>'
    indent = ' class="indent"' if block.startswith(" ") else ""
    return f"<p{indent}>{escaped(block.strip()).replace(chr(10), '<br>')}</p>"


def _piece(piece: tuple[str, str]) -> str:
    text, label = map(escaped, piece)
    return f'<mark title="{label}">{text}</mark>' if label else text


# One HTML file for what a result shows: escaped, self-contained, readable without JavaScript.


#: Shown on every page that contains texts of a release.
TEXTS_NOTICE = "This page contains texts of COLIEE data, which are under a data-use agreement. Do not pass it on."


def page(title: str, blocks: Iterable[Block], *, with_texts: bool) -> str:
    """Return an HTML document in one file, which loads nothing and runs no script but its own.

    Parameters
    ----------
    title : str
        The title and first heading.
    blocks : iterable of Block
        What the page shows.
    with_texts : bool
        Whether it contains texts under a data-use agreement; the page then says so.

    Returns
    -------
    str
        HTML 5. Tables can be sorted and filtered where JavaScript is allowed; without it the content is the same.
    """
    body = Body(blocks)
    style, script = _resource("page.css"), _resource("page.js")
    name = escaped(title)
    notice = f'<p class="notice"><strong>{escaped(TEXTS_NOTICE)}</strong></p>' if with_texts else ""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{name}</title>\n<style>{style}</style>\n</head>",
            f"<body>\n<header><h1>{name}</h1>{notice}</header>{_contents(body.contents)}",
            "<main>",
            *body.elements,
            f"</main>\n<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


@functools.cache
def _resource(name: str) -> str:
    return (resources.files("ir_coliee") / "etc" / "pages" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Return the policy that a browser enforces: this style and script, pictures in the file, and nothing else."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _contents(sections: list[tuple[str, str]]) -> str:
    if len(sections) < 2:
        return ""
    items = "".join(f'<li><a href="#{anchor}">{name}</a></li>' for anchor, name in sections)
    return f'\n<nav aria-label="Contents"><ul>{items}</ul></nav>'


def write_page(path: Path, text: str, *, with_texts: bool, overwrite: bool = False) -> None:
    """Write a page. One with texts of a release is readable by the user alone.

    Raises
    ------
    ExistingFileError
        If the file exists with other content and ``overwrite`` is False.
    """
    write_file(path, text.encode(errors="backslashreplace"), overwrite=overwrite, private=with_texts)
