"""The command lines of ir_datasets and ir_measures, with what this package registers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import ir_datasets
import typer

from ir_coliee.cli.commands import app
from ir_coliee.errors import ColieeError

_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command(context_settings=_PASSED_ON)
def irds(context: typer.Context) -> None:
    """The command line of ir_datasets (export, lookup, list, …) with the ids of this package."""
    with _said_in_a_line("ir_datasets"):
        ir_datasets.main(context.args)


@app.command(context_settings=_PASSED_ON)
def measures(context: typer.Context) -> None:
    """The command line of ir_measures with the measures of this package."""
    import ir_measures.__main__ as parent

    sys.argv = ["ir_coliee measures", *context.args]
    with _said_in_a_line("ir_measures"):
        parent.main_cli()


@contextmanager
def _said_in_a_line(parent: str) -> Iterator[None]:
    """A parent's command line answers bad input with a traceback or a status of its own: here with a line and 2."""
    try:
        yield
    except ColieeError:
        raise
    except SystemExit as left:
        raise typer.Exit(2 if left.code else 0) from None
    except Exception as error:
        raise ColieeError(f"{parent}: {type(error).__name__}: {error}") from None
