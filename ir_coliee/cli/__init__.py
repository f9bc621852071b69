"""``ir_coliee VERB``: thin, a function for each verb.

Exit status 0: all is well. 1: the run or copy that was checked has errors. 2: the call could not be carried out.
"""

from __future__ import annotations

import io
import signal
import sys
import warnings
from functools import partial
from typing import Any

from ir_coliee.cli import parents, releases, runs, submissions, tuning  # noqa: F401  (each adds its verbs)
from ir_coliee.cli.commands import app
from ir_coliee.cli.terminal import err, shown_safely
from ir_coliee.errors import ColieeError, ColieeWarning


def main() -> None:
    """Run the command line; an error of ours is one line on stderr and exit status 2."""
    if hasattr(signal, "SIGPIPE"):  # end quietly when the reader of a pipe leaves, as other tools do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character shows its number
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = partial(_show_warning, set())
    try:
        app()
    except ColieeError as error:
        err.print(f"error: {shown_safely(error)}")
        sys.exit(2)
    except (OSError, UnicodeError) as error:  # a folder that cannot be read, a full disk, half a character
        err.print(f"error: {shown_safely(error)}")
        sys.exit(2)


def _show_warning(printed: set[str], message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """A warning of ours as one line, unless it was ``printed`` before; anyone else's as Python shows it."""
    if issubclass(category, ColieeWarning):
        if (words := shown_safely(message)) not in printed:
            err.print(f"warning: {words}")
        printed.add(words)
    else:
        sys.stderr.write(warnings.formatwarning(message, category, *place[:2]))
