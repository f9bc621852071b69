"""The table that the page of results includes, written from its CSV file before the pages are read."""

import sys
from pathlib import Path

from generated_files import write_generated
from sphinx.application import Sphinx

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the table written at each build."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    import measured

    write_generated(Path(app.srcdir, "results", "_measured.md"), measured.table(measured.read_measured()))
