"""The tables that the pages of results include, written from their CSV files before the pages are read."""

import sys
from pathlib import Path

from generated_files import write_generated
from sphinx.application import Sphinx

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the tables written at each build."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    import collected
    import gallery_pages
    import measured_figures

    texts = {
        "_measured.md": gallery_pages.tables(measured_figures.read_measured()),
        "_benchmarks.md": collected.table(collected.read_results()),
    }
    for name, text in texts.items():
        write_generated(Path(app.srcdir, "results", name), text)
