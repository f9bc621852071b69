"""The Typer application that the commands are added to."""

from __future__ import annotations

from typing import Annotated

import typer

import ir_coliee
from ir_coliee.cli.console import out

app = typer.Typer(
    name="ir_coliee",
    help="The COLIEE tasks for ir_datasets, ir-measures and PyTerrier.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _print_version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        out.print(ir_coliee.__version__)
        raise typer.Exit
