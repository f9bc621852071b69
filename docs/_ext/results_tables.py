"""The tables that the pages of results include, written from their CSV files before the pages are read."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the tables written at each build."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    import gallery_pages

    gallery_pages.write_tables(Path(app.srcdir, "results", "_measured.md"))
