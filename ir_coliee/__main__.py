"""``python -m ir_coliee``, the same as the command ``ir_coliee``."""

import sys


def main() -> None:
    """Run the command line. Ctrl-C ends it with exit status 130, also while it is still being imported."""
    try:
        from ir_coliee.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
