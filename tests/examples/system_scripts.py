"""The systems as scripts that run in this process."""

import contextlib
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SYSTEMS = Path(__file__).parents[2] / "examples" / "systems"
SHARED = [path.stem for path in SYSTEMS.glob("*.py") if not path.stem.startswith("task")]


@contextlib.contextmanager
def as_script(name: str, *arguments: str) -> Iterator[pytest.MonkeyPatch]:
    """The folder of the systems on the path, none of its modules imported yet, and a command line."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(SYSTEMS))
        for module in SHARED:
            patched.delitem(sys.modules, module, raising=False)
        patched.setattr(sys, "argv", [f"{name}.py", *arguments])
        yield patched
        for module in SHARED:
            sys.modules.pop(module, None)


def run(name: str) -> None:
    runpy.run_path(str(SYSTEMS / f"{name}.py"), run_name="__main__")


def status(name: str, *arguments: str) -> int:
    """The exit status of a system."""
    with as_script(name, *arguments):
        try:
            run(name)
        except SystemExit as ended:
            return ended.code
    return 0
