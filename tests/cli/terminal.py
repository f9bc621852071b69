"""A pseudo-terminal of a given width, to see what a person sees: `from cli.terminal import in_terminal`."""

import os
import re
import struct
import subprocess
import sys
import sysconfig
from typing import NamedTuple

import pytest

_ESCAPE_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-Z\\-_])")


class Screen(NamedTuple):
    """What a command file: to the terminal (stdout and stderr), and its exit status."""

    status: int
    raw: str  # with escape sequences, and with carriage returns where a bar was drawn again

    @property
    def text(self) -> str:
        """The text without escape sequences."""
        return _ESCAPE_SEQUENCE.sub("", self.raw)

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def in_terminal(
    *arguments: object, columns: int = 80, program: tuple[str, ...] = ("-m", "ir_coliee"), **environment: str
) -> Screen:
    """Run `ir_coliee ARGUMENT…` (or another program of Python) in a pseudo-terminal of this many columns.

    Examples
    --------
    >>> in_terminal("--version", columns=40).status
    0
    """
    if sys.platform == "win32":
        pytest.skip("Windows has no pseudo-terminals")
    import fcntl
    import pty
    import termios

    reader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    unset = ("COLUMNS", "LINES", "NO_COLOR", "CI", "PYTEST_VERSION", "PYTEST_CURRENT_TEST")
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])  # as in an activated environment
    with subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**inherited, "PATH": path, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment},
        start_new_session=True,
    ) as process:
        os.close(terminal)
        written = b"".join(iter(lambda: _read(reader), b""))
    os.close(reader)
    return Screen(process.returncode, written.decode("utf-8").replace("\r\n", "\n"))


def _read(reader: int) -> bytes:
    try:
        return os.read(reader, 65536)
    except OSError:  # Linux, when the program has ended
        return b""
