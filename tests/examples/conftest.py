"""The components of the systems are importable, as they are for the scripts of examples/systems."""

import sys
from pathlib import Path

SYSTEMS = Path(__file__).parents[2] / "examples" / "systems"

if SYSTEMS.is_dir():
    sys.path.append(str(SYSTEMS))
else:  # the examples are in the repository alone
    collect_ignore = ["components"]
