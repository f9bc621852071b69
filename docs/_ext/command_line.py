"""The commands of the command line with their options, as Typer documents them, for reference/command-line.md."""

from __future__ import annotations

import re
from pathlib import Path

import typer.cli
import typer.main
from catalogue import write_generated
from sphinx.application import Sphinx

from ir_coliee.cli.command_line import app as commands

_EXAMPLE = re.compile(r"\x08?\n?Example:\s+(ir_coliee .*)")
_REPEATED = re.compile(
    r"\*\*Usage\*\*:\n\n```.*?```\n\n|\*\*(?:Arguments|Options)\*\*:\n\n|^\* `--help`: [^\n]*\n",
    re.DOTALL | re.MULTILINE,
)


def page() -> str:
    """Return the sections of all commands in Markdown; examples become blocks that can be copied."""
    command = typer.main.get_command(commands)
    text = typer.cli.get_docs_for_click(obj=command, ctx=typer.Context(command), name="ir_coliee")
    sections = text[text.index("## ") :]
    return _EXAMPLE.sub(r"```console\n$ \1\n```", _REPEATED.sub("", sections))


def _write(app: Sphinx) -> None:
    """Write the file that the page includes."""
    write_generated(Path(app.srcdir) / "reference" / "_commands.md", page())


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the file at the beginning of each build."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
