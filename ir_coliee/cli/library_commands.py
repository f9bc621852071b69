"""Commands that pass their arguments on to the command lines of ir_datasets and ir_measures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import ir_datasets
import typer

from ir_coliee.cli.app import app
from ir_coliee.errors import ColieeError, printable

_ALL_ARGUMENTS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command(context_settings=_ALL_ARGUMENTS)
def irds(context: typer.Context) -> None:
    """Run the command line of ir_datasets (export, lookup, list, …) with the ids of this package.

    Example: ir_coliee irds export coliee/task1/sample/test queries
    """
    with _errors_without_traceback("ir_datasets"):
        ir_datasets.main(_escaped(context.args))


@app.command(context_settings=_ALL_ARGUMENTS)
def measures(context: typer.Context) -> None:
    """Run the command line of ir_measures with the measures of this package.

    Example: ir_coliee measures coliee/task1/sample/test my.trec MicroF1
    """
    import ir_measures.__main__ as ir_measures_main

    sys.argv = ["ir_coliee measures", *_escaped(context.args)]
    with _errors_without_traceback("ir_measures"):
        ir_measures_main.main_cli()


def _escaped(arguments: list[str]) -> list[str]:
    """Escape control characters, which the libraries would write to the terminal as they are."""
    return ["".join(printable(c) if c < " " or c == "\x7f" else c for c in argument) for argument in arguments]


@contextmanager
def _errors_without_traceback(library: str) -> Iterator[None]:
    """Replace the library's tracebacks by a message, and its exit status by 0 or 2."""
    try:
        yield
    except (ColieeError, BrokenPipeError):  # the reader of the output has ended
        raise
    except SystemExit as end:
        raise typer.Exit(2 if end.code else 0) from None
    except Exception as error:
        raise ColieeError(f"{library}: {type(error).__name__}: {error}") from None
