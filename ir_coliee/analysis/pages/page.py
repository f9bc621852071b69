"""One HTML file for what a result shows: escaped, self-contained, readable without JavaScript."""

from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path

from ir_coliee.display import Block, as_html
from ir_coliee.errors import ExistingFileError
from ir_coliee.unfinished_folders import replace_file, writing

#: Shown on every page that contains texts of a release.
TEXTS_NOTICE = "This page contains texts of COLIEE data, which are under a data-use agreement. Do not pass it on."


def page(title: str, blocks: Iterable[Block], *, with_texts: bool) -> str:
    """Return an HTML document.

    Parameters
    ----------
    title : str
        The title and first heading.
    blocks : iterable of Block
        What the page shows.
    with_texts : bool
        Whether it contains texts of a release; the page then says that it is under the data-use agreement.
    """
    notice = f"<p><strong>{html.escape(TEXTS_NOTICE)}</strong></p>" if with_texts else ""
    name = html.escape(title)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{name}</title></head>'
        f"<body><h1>{name}</h1>{notice}{as_html(blocks)}</body></html>"
    )


def write_page(path: Path, text: str, *, with_texts: bool, overwrite: bool = False) -> None:
    """Write a page. One with texts of a release is readable by the user alone.

    Raises
    ------
    ExistingFileError
        If the file exists and ``overwrite`` is false.
    """
    if path.exists() and not overwrite:
        raise ExistingFileError(f"{path} exists. Pass another name, or --force (overwrite=True) to replace it.")
    with writing(path):
        replace_file(path, text.encode(errors="backslashreplace"), private=with_texts)
