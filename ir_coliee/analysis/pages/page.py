"""One HTML file for what a result shows: escaped, self-contained, readable without JavaScript."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from ir_coliee.analysis.pages.body import Body
from ir_coliee.analysis.pages.escaping import escaped
from ir_coliee.display import Block
from ir_coliee.storage import write_file

#: Shown on every page that contains texts of a release.
TEXTS_NOTICE = "This page contains texts of COLIEE data, which are under a data-use agreement. Do not pass it on."


def page(title: str, blocks: Iterable[Block], *, with_texts: bool, data: Mapping[str, object] | None = None) -> str:
    """Return an HTML document in one file, which loads nothing and runs no script but its own.

    Parameters
    ----------
    title : str
        The title and first heading.
    blocks : iterable of Block
        What the page shows.
    with_texts : bool
        Whether it contains texts under a data-use agreement; the page then says so.
    data : mapping, optional
        What programs shall read on the page: it becomes a JSON data block.

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
            f"</main>{_data_block(data)}\n<script>{script}</script>\n</body>\n</html>\n",
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


def _data_block(data: Mapping[str, object] | None) -> str:
    if data is None:
        return ""
    text = json.dumps(data, indent=1).replace("<", r"\u003c")  # so that no value can end the element
    return f'\n<script type="application/json">{text}</script>'


def write_page(path: Path, text: str, *, with_texts: bool, overwrite: bool = False) -> None:
    """Write a page. One with texts of a release is readable by the user alone.

    Raises
    ------
    ExistingFileError
        If the file exists with other content and ``overwrite`` is False.
    """
    write_file(path, text.encode(errors="backslashreplace"), overwrite=overwrite, private=with_texts)
