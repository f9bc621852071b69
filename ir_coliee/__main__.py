"""``python -m ir_coliee``, the same as the command ``ir_coliee``."""

from ir_coliee.cli import main

if __name__ == "__main__":
    main()
