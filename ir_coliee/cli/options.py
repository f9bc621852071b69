"""Arguments and options that several commands have, and checks of the files that they name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from ir_coliee.errors import ColieeError
from ir_coliee.progress import quiet


def _quiet(context: typer.Context, is_quiet: bool) -> bool:
    """Show no progress until the command ends, if the option is given."""
    if is_quiet:
        context.with_resource(quiet())
    return is_quiet


def per_run(name: str, text: str) -> Any:
    """Declare an option that takes a file for each run."""
    return Option(name, metavar="FILE", help=f"{text} Once per run, in the order of the runs.")


DatasetId = Annotated[str, Argument(metavar="ID", help="Dataset id, for example coliee/task1/sample/test.")]
Runs = Annotated[list[Path], Argument(metavar="RUN", help="Run files.")]
OutFile = Annotated[Path, Option("--out", metavar="FILE", help="File to write.")]
OutFolder = Annotated[Path, Option("--out", help="Folder to write the files to.")]
Html = Annotated[Path | None, Option("--html", metavar="FILE", help="Write a page that shows everything.")]
Overwrite = Annotated[bool, Option("--overwrite", help="Replace existing files of other content.")]
Quiet = Annotated[bool, Option("--quiet", callback=_quiet, help="Show no progress.")]
AsJson = Annotated[bool, Option("--json", help="Print JSON, with all digits, instead of a table.")]
AsCsv = Annotated[bool, Option("--csv", help="Print CSV, with all digits, instead of a table.")]
Verbose = Annotated[bool, Option("--verbose", help="Print everything: all rows and columns, and what they mean.")]
AnswersPerRun = Annotated[list[Path] | None, per_run("--answers", "Task 3 of 2026: the file of Y and N answers.")]
LongListPerRun = Annotated[list[Path] | None, per_run("--long-list", "Task 3: the long list.")]
RankingPerRun = Annotated[list[Path] | None, per_run("--ranking", "The ranking before the cut-off; else RUN.trec.")]


def one_form(as_json: bool, as_csv: bool) -> None:
    """Refuse two forms of one output."""
    if as_json and as_csv:
        raise ColieeError("--json and --csv exclude each other; give only one of them.")


def one_per_run(option: str, files: list[Path] | None, runs: list[Path]) -> list[Path] | None:
    """Return the files of an option, None if it was not given. Raise an error if it was not given once per run."""
    if files and len(files) != len(runs):
        times = f"{option} was given {len(files)} times for {len(runs)} runs"
        raise ColieeError(f"{times}; give it once per run, in order.")
    return files or None


def check_out(file: Path, runs: Sequence[Path] = (), *others: Path | None, option: str = "--out") -> None:
    """Check that the file of an option can be written, and is none of those that the command reads.

    A file that exists is compared when the content of the new one is known.

    Parameters
    ----------
    file : pathlib.Path
        The file of the option.
    runs : sequence of pathlib.Path
        Runs. The rankings, answers and long lists beside them are read as well.
    *others : pathlib.Path or None
        Other files that are read.
    option : str, default "--out"
        The option, for the message.

    Raises
    ------
    ColieeError
        If it cannot be written, or is one of the inputs.
    """
    from ir_coliee.evaluation.runs import file_beside
    from ir_coliee.storage import require_writable

    beside = (file_beside(run, suffix) for run in runs for suffix in (".trec", ".answers", ".long"))
    inputs = [path for path in (*runs, *others, *beside) if path]
    if os.path.exists(file) and any(os.path.exists(path) and path.samefile(file) for path in inputs):
        raise ColieeError(f"{option} {file} is a file that this command reads.\nChoose another path ({option}).")
    require_writable(file)
