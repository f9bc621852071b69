"""The scripts import each other by name, as ``python benchmarks/…`` lets them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
