"""The command line with all of its commands; its errors and warnings are printed as messages."""

from __future__ import annotations

import io
import sys

from ir_coliee.cli.app import app, err, out, print_error, print_help, print_warnings_once
from ir_coliee.errors import ColieeError, UnknownIdError, printable

# importing a module adds its commands; the help text lists them in this order
# isort: off
from ir_coliee.cli import data, runs, analysis, library_commands  # noqa: F401
# isort: on


def run() -> None:
    """Run the command line. A `ColieeError` is printed on stderr without a traceback, with exit status 2."""
    # a stream that the caller has closed is None
    sys.stdout, sys.stderr = (stream or io.StringIO() for stream in (sys.stdout, sys.stderr))
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
        print_error(error)
        if isinstance(error, UnknownIdError) and (ids := _ids_after(error.dataset_id)):
            err.print(f"The dataset id comes first: {ids[0]} {printable(error.dataset_id)}")
        print_help(error)
        sys.exit(2)


def _ids_after(argument: str) -> list[str]:
    """Return the arguments of the command line after this one that look like dataset ids."""
    later = sys.argv[sys.argv.index(argument) + 1 :] if argument in sys.argv else []
    return [each for each in later if each.startswith(("coliee/", "coliee:", "irds:"))]
