"""Ctrl-C ends the command line with exit status 130 and without a traceback, whatever it is doing."""

import os
import subprocess
import sys

import pytest

# Calls the installed command or the module; the first audit event of this kind with this text in it is Ctrl-C. A
# background shell starts programs that ignore the signal.
PROGRAM = """
import os, runpy, signal, sys
from importlib.metadata import entry_points

signal.signal(signal.SIGINT, signal.default_int_handler)
way, event, text = sys.argv[1:4]
del sys.argv[1:4]
moments = [event]

def interrupt(name, arguments):
    if name in moments and text in str(arguments[:1]):
        moments.clear()
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
if way == "module":
    runpy.run_module("ir_coliee", run_name="__main__", alter_sys=True)
else:
    (command,) = entry_points(group="console_scripts", name="ir_coliee")
    sys.exit(command.load()())
"""
MOMENTS = {
    "import": ("import", "typer"),
    "import of a command": ("import", "ir_coliee.cli.runs"),
    "work": ("open", "my.run"),
    "writing": ("open", ".ir_coliee-unfinished"),
}


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of another system")
@pytest.mark.parametrize(("way", "moment"), [("module", "import"), *(("command", moment) for moment in MOMENTS)])
def test_ctrl_c_ends_a_command_without_a_traceback(tmp_path, way, moment):
    (tmp_path / "my.run").write_text("900656 Q0 900557 1 2.0 mine\n900656 Q0 900912 2 1.0 mine\n")
    arguments = ["cut", "coliee/task1/sample/test", "my.run", "--top", "1", "--out", "out/cut.run"]
    command = [sys.executable, "-c", PROGRAM, way, *MOMENTS[moment], *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 130, done.stderr
    assert len(done.stderr.splitlines()) <= 1
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "cut.run").exists()
