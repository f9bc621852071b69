"""The command line with all of its commands, also those of the parents; errors are printed as messages."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import TextIO

import ir_datasets
import typer

from ir_coliee.cli.app import app, err, out, print_error, print_help, print_warnings_once
from ir_coliee.display import readable
from ir_coliee.errors import ColieeError, UnknownIdError, printable
from ir_coliee.progress import close_bar

# importing a module adds its commands; the help text lists them in this order
# isort: off
from ir_coliee.cli import data, runs, analysis  # noqa: F401
# isort: on

_ALL_ARGUMENTS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command(context_settings=_ALL_ARGUMENTS)
def irds(context: typer.Context) -> None:
    """Run the command line of ir_datasets (export, lookup, list, …) with the ids of this package.

    Example: ir_coliee irds export coliee/task1/sample/test queries
    """
    arguments = [readable(argument) for argument in context.args]
    _run_parent("ir_datasets", lambda: ir_datasets.main(arguments), "see `ir_coliee irds COMMAND --help`", arguments)


@app.command(context_settings=_ALL_ARGUMENTS)
def measures(context: typer.Context) -> None:
    """Run the command line of ir_measures with the measures of this package.

    Example: ir_coliee measures coliee/task1/sample/test my.trec MicroF1
    """
    import ir_measures.__main__ as ir_measures_main

    arguments = [readable(argument) for argument in context.args]
    sys.argv = ["ir_coliee measures", *arguments]
    hint = "it reads runs in TREC's form; `ir_coliee score` reads official runs"
    _run_parent("ir_measures", ir_measures_main.main_cli, hint, arguments)


class _Output(io.TextIOBase):
    """The standard output of a library, with the control characters of texts escaped if that is wanted."""

    def __init__(self, stream: TextIO, *, is_escaped: bool) -> None:
        self._stream, self._is_escaped = stream, is_escaped

    def write(self, text: str) -> int:
        with out.written():
            self._stream.write(readable(text) if self._is_escaped else text)
        return len(text)

    def flush(self) -> None:
        with out.written():
            self._stream.flush()

    def fileno(self) -> int:
        return self._stream.fileno()


def _run_parent(library: str, main: Callable[[], object], hint: str, arguments: list[str]) -> None:
    """Run a command line of a library, with one line instead of its tracebacks, and exit status 0 or 2.

    Control characters of texts are escaped, unless they are exported to a file or a pipe.
    """
    is_exported = arguments[:1] == ["export"] and not sys.stdout.isatty()
    try:
        with redirect_stdout(_Output(sys.stdout, is_escaped=not is_exported)):
            main()
    except ColieeError:
        raise
    except SystemExit as end:
        raise typer.Exit(2 if end.code else 0) from None
    except Exception as error:
        reason = printable(f"{type(error).__name__}: {error}", 200)
        err.print(f"error: {library} failed ({reason}); {hint}")
        raise typer.Exit(2) from None


def run() -> None:
    """Run the command line. An error is printed on stderr without a traceback, with exit status 2."""
    if sys.stderr is None:  # the caller has closed it
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        err.print("error: stdout is closed, so that the output would be lost; redirect it, for example to /dev/null")
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # print characters that the terminal cannot encode as escape sequences
            stream.reconfigure(errors="backslashreplace")
    print_warnings_once()
    try:
        try:
            app(prog_name="ir_coliee")
        finally:
            out.flush()  # what other libraries have printed
    except (ColieeError, OSError, UnicodeError) as error:  # OSError: an unreadable folder, a full disk
        close_bar()
        print_error(error)
        if isinstance(error, UnknownIdError) and (ids := _ids_after(error.dataset_id)):
            err.print(f"The dataset id comes first: {ids[0]} {printable(error.dataset_id)}")
        print_help(error)
        sys.exit(2)


def _ids_after(argument: str) -> list[str]:
    """Return the arguments of the command line after this one that look like dataset ids."""
    later = sys.argv[sys.argv.index(argument) + 1 :] if argument in sys.argv else []
    return [each for each in later if each.startswith(("coliee/", "coliee:", "irds:"))]
