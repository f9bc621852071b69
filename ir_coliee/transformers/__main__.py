"""``python -m ir_coliee.transformers > docs/reference/transformers.md`` documents the transformers."""

import sys

from ir_coliee.transformers.documentation import page

if __name__ == "__main__":
    sys.stdout.buffer.write(page().encode())  # UTF-8 and LF on every system
