"""The Python examples of README, questions and how-to pages, and the output that is shown below each.

``python tests/pages.py`` runs the examples and writes their output into the pages.
"""

import contextlib
import gc
import io
import os
import re
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from ir_coliee.progress import quiet

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("README.md"), *ROOT.glob("docs/questions.md"), *sorted((ROOT / "docs" / "how-to").glob("*.md"))]

_EXAMPLE = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?", re.DOTALL | re.MULTILINE)


class Example(NamedTuple):
    """A block of Python of a page, and the output that the page shows; None if it shows none."""

    page: str
    number: int
    code: str
    output: str | None


class Seen(NamedTuple):
    """What a person sees of an example: its output, what it writes to stderr, and its warnings."""

    output: str
    stderr: str
    warnings: list[str]


def examples() -> Iterator[Example]:
    """Yield the examples of all pages."""
    for page in PAGES:
        for number, match in enumerate(_EXAMPLE.finditer(page.read_text(encoding="utf-8")), start=1):
            yield Example(page.stem, number, match["code"], match["output"])


def run(code: str) -> Seen:
    """Run an example in an empty folder, which is its data folder too, on a terminal of 80 columns."""
    gc.collect()  # or a warning about an object that another test has left would be taken for one of the example
    output, stderr, before = io.StringIO(), io.StringIO(), os.getcwd()
    with (
        tempfile.TemporaryDirectory() as folder,
        quiet(),  # lines of progress depend on the speed of the machine
        mock.patch.dict(os.environ, COLIEE_HOME=folder, COLUMNS="80"),
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(stderr),
    ):
        warnings.simplefilter("default")
        # pandas deprecates what PyTerrier uses; Python does not show such warnings of imported modules
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"pyterrier\.")
        os.chdir(folder)
        try:
            exec(compile(code, "example", "exec"), {"__name__": "__main__"})
        finally:
            os.chdir(before)
    lines = "\n".join(line.rstrip() for line in output.getvalue().splitlines())
    shown = [f"{each.filename}:{each.lineno}: {each.category.__name__}: {each.message}" for each in caught]
    return Seen(lines.strip("\n") + "\n", stderr.getvalue(), shown)


def write_outputs(page: Path) -> None:
    """Run the examples of a page and write the output of each below it."""

    def with_output(match: re.Match[str]) -> str:
        return f"```python\n{match['code']}```\n\n```text\n{run(match['code']).output}```\n"

    page.write_text(_EXAMPLE.sub(with_output, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for each in PAGES:
        write_outputs(each)
