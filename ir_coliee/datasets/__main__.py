"""``python -m ir_coliee.datasets > docs/catalogue/index.md`` writes the page of the datasets."""

import sys

from ir_coliee.datasets.documentation import page

if __name__ == "__main__":
    sys.stdout.buffer.write(page().encode())  # UTF-8 and LF on every system
