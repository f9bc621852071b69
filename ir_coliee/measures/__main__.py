"""``python -m ir_coliee.measures > docs/reference/measures.md`` writes the documentation of the measures."""

import sys

from ir_coliee.measures.documentation import page

if __name__ == "__main__":
    sys.stdout.buffer.write(page().encode())  # UTF-8 and LF on every system
