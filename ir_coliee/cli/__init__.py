"""The command line ``ir_coliee COMMAND``.

Each module contains the commands of one topic. A command is a thin function around the Python interface of the package.
It imports what it needs inside the function, so that the command line starts fast.

Exit status 0: success; 1: the checked run or local release has errors; 2: the command could not be executed; 130:
stopped by Ctrl-C.
"""

import sys


def main() -> None:
    """Run the command line. Ctrl-C ends it with exit status 130, also while it is still being imported."""
    try:
        from ir_coliee.cli.command_line import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
