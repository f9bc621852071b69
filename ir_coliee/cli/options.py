"""Arguments and options that are used by several commands."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from ir_coliee.errors import ColieeError
from ir_coliee.progress import quiet

DatasetId = Annotated[str, typer.Argument(metavar="ID", help="Dataset id, for example coliee/task1/sample/test.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


class Format(str, Enum):
    """Output formats of tables of figures."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


def _quiet(context: typer.Context, is_quiet: bool) -> bool:
    """Show no progress until the command ends, if the option is given."""
    if is_quiet:
        context.with_resource(quiet())
    return is_quiet


Quiet = Annotated[bool, typer.Option("--quiet", callback=_quiet, help="Show no progress.")]
OutputFormat = Annotated[
    Format, typer.Option("--format", help="json and csv have all digits, the others four decimals.")
]
AnswersPerRun = Annotated[
    list[Path] | None,
    typer.Option(
        "--answers",
        metavar="FILE",
        help="Task 3 of 2026: the file of Y and N answers. Once per run, in the order of the runs.",
    ),
]
RankingPerRun = Annotated[
    list[Path] | None,
    typer.Option(
        "--ranking",
        metavar="FILE",
        help="The ranking that a run was cut from; by default RUN.trec. Once per run, in the order of the runs.",
    ),
]


def one_per_run(option: str, files: list[Path] | None, runs: list[Path]) -> list[Path | None]:
    """Assign the files of an option to the runs.

    Parameters
    ----------
    option : str
        The name of the option, for the message.
    files : list of pathlib.Path or None
        The files, in the order of the runs.
    runs : list of pathlib.Path
        The runs.

    Returns
    -------
    list of pathlib.Path or None
        A file for each run, or None for each run if the option was not given.

    Raises
    ------
    ColieeError
        If the number of files differs from the number of runs.
    """
    if not files:
        return [None] * len(runs)
    if len(files) != len(runs):
        times = "once" if len(files) == 1 else f"{len(files)} times"
        of_runs = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
        raise ColieeError(f"{option} was given {times} for {of_runs}; give it once per run, in order.")
    return list(files)


def with_files_beside(runs: list[Path]) -> list[Path]:
    """Return runs and the files beside them that analyses read: rankings, answers Y and N, and long lists."""
    from ir_coliee.evaluation.runs.run_names import answers_of_run, long_list_of_run, ranking_of_run

    beside = (find(run) for run in runs for find in (ranking_of_run, answers_of_run, long_list_of_run))
    return [*runs, *(path for path in beside if path)]


def check_out(file: Path, inputs: list[Path], *, overwrite: bool, option: str = "--out") -> None:
    """Check that the file of an option can be written, and is none of those that it is made of.

    Raises
    ------
    ColieeError
        If it cannot be written, or is one of the inputs.
    """
    from ir_coliee.evaluation.runs import require_writable

    if os.path.exists(file) and any(os.path.exists(path) and path.samefile(file) for path in inputs):
        raise ColieeError(f"{option} {file} is a file that this command reads.\nChoose another path ({option}).")
    require_writable(file, overwrite=overwrite)
