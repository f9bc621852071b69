"""The Typer application that the commands are added to."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import ir_coliee
from ir_coliee.cli.console import out


class _Commands(TyperGroup):
    """The list of commands, each with the whole first sentence of its help."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list. The inherited method would end a sentence that is longer than a line with "..."."""
        helps = {name: command.help or "" for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, text.split("\n")[0].split(". ")[0].rstrip(".")) for name, text in helps.items()])


app = typer.Typer(
    name="ir_coliee",
    help="The COLIEE tasks for ir_datasets, ir-measures and PyTerrier.",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # without boxes, which break words on a narrow terminal
)


def example(command: str) -> str:
    r"""Format the example of a help page. Its line is not wrapped, so that it can be copied.

    Examples
    --------
    >>> example("ir_coliee list")
    '\x08\nExample:\n  ir_coliee list'
    """
    return f"\b\nExample:\n  {command}"


@app.callback(invoke_without_command=True)
def _print_version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        out.print(ir_coliee.__version__)
        raise typer.Exit
