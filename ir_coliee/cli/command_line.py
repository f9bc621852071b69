"""The command line with all of its commands, also those of the parents; errors are printed as messages."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Callable
from contextlib import redirect_stdout

import ir_datasets
import typer

from ir_coliee.cli.app import app, err, out, print_error, print_warnings_once
from ir_coliee.display import readable
from ir_coliee.editions import require_records
from ir_coliee.errors import ColieeError, printable
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
    arguments = [require_records(readable(argument)) for argument in context.args]
    is_exported = arguments[:1] == ["export"] and not sys.stdout.isatty()
    hint = "see `ir_coliee irds COMMAND --help`"
    _run_parent("ir_datasets", lambda: ir_datasets.main(arguments), hint, is_exported=is_exported)


@app.command(context_settings=_ALL_ARGUMENTS)
def measures(context: typer.Context) -> None:
    """Run the command line of ir_measures with the measures of this package.

    Example: ir_coliee measures coliee/task1/sample/test my.trec MicroF1
    """
    import ir_measures.__main__ as ir_measures_main

    sys.argv = ["ir_coliee measures", *map(readable, context.args)]
    hint = "it reads runs in TREC's form; `ir_coliee score` reads official runs"
    _run_parent("ir_measures", ir_measures_main.main_cli, hint)


def _run_parent(library: str, main: Callable[[], object], hint: str, *, is_exported: bool = False) -> None:
    """Run a command line of a library, with one line instead of its tracebacks, and exit status 0 or 2.

    Control characters of texts are escaped, unless they are exported to a file or a pipe.
    """
    printed = io.StringIO()
    try:
        with redirect_stdout(sys.stdout if is_exported else printed):
            main()
    except ColieeError:
        raise
    except SystemExit as end:
        raise typer.Exit(2 if end.code else 0) from None
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.EPIPE, errno.ENOSPC):
            with out.written():
                raise
        reason = printable(f"{type(error).__name__}: {error}", 70)
        err.print(f"error: {library} failed ({reason}).\n{hint}")
        raise typer.Exit(2) from None
    finally:
        if text := printed.getvalue():
            out.print(readable(text).removesuffix("\n"))


def run() -> None:
    """Run the command line. An error is printed on stderr without a traceback, with exit status 2."""
    sys.stderr = sys.stderr or io.StringIO()  # the caller may have closed it
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
            with out.written():
                sys.stdout.flush()  # what other libraries have printed
    except (ColieeError, OSError, UnicodeError) as error:  # OSError: an unreadable folder, a full disk
        close_bar()
        print_error(error)
        sys.exit(2)
