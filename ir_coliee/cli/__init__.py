"""The command line ``ir_coliee COMMAND``.

Each module contains the commands of one topic. A command is a thin function around the Python interface of the package.
It imports what it needs inside the function, so that the command line starts fast.

Exit status: 0, success; 1, the run or local copy that was checked has errors; 2, the command could not be executed.
"""

from __future__ import annotations

import io
import signal
import sys
import warnings
from functools import partial
from typing import Any

from ir_coliee.cli.app import app
from ir_coliee.cli.console import err, safe
from ir_coliee.errors import ColieeError, ColieeWarning

# importing a module adds its commands; the help text lists them in this order
# isort: off
from ir_coliee.cli import (  # noqa: F401
    releases,
    synthetic,
    baselines,
    scoring,
    tuning,
    comparison,
    submissions,
    library_commands,
)
# isort: on


def main() -> None:
    """Run the command line. A `ColieeError` is printed on stderr without a traceback, with exit status 2."""
    if hasattr(signal, "SIGPIPE"):  # exit without a message if the reader of a pipe exits, as other tools do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (
        sys.stdout,
        sys.stderr,
    ):  # characters that the terminal cannot encode are printed as escape sequences
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = partial(_show_warning, set())
    try:
        app()
    except (ColieeError, OSError, UnicodeError) as error:  # OSError: an unreadable folder, a full disk
        err.print("error: " + "\n".join(map(safe, str(error).split("\n"))))
        sys.exit(2)


def _show_warning(
    printed: set[str], message: Warning | str, category: type[Warning], *location: Any, **options: Any
) -> None:
    """Print each warning of this package once, without its location. Print other warnings as Python does."""
    if not issubclass(category, ColieeWarning):
        sys.stderr.write(warnings.formatwarning(message, category, *location[:2]))
        return
    text = safe(message)
    if text not in printed:
        err.print(f"warning: {text}")
    printed.add(text)
