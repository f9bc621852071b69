"""The processes that read texts when the command line is stopped, when one of them is killed, and when it is alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TASK1 = "coliee/task1/sample/test"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="signals of another system")]

# The small collection of the sample is counted with one worker.
PROGRAM = """
import signal, sys
from ir_coliee.cli import main
from ir_coliee.engine import building, counting

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell starts programs that ignore it
counting._BATCH = counting._SMALL = 1000
building.available_cores = lambda: 2
KILLED
main()
"""
KILLED = """
class Killed(counting.subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.kill()
        self.wait()
counting.subprocess.Popen = Killed
"""
# The worker presses Ctrl-C while it imports the package: a terminal sends the signal to the whole group of processes.
SITECUSTOMIZE = """
import os, signal, sys
pressed = []
def press(name, arguments):
    if name == "import" and arguments[0] == "ir_coliee.engine.counting" and sys.orig_argv[1] == "-c" and not pressed:
        if "import serve" in sys.orig_argv[2]:
            pressed.append(True)
            os.killpg(os.getpgid(os.getppid()), signal.SIGINT)
sys.addaudithook(press)
"""


def baseline(folder, *options, killed=False, path=()):
    program = PROGRAM.replace("KILLED", KILLED if killed else "")
    return subprocess.run(
        [sys.executable, "-c", program, "baseline", TASK1, *options, "--out", str(folder / "runs")],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        start_new_session=True,
        env={
            **os.environ,
            "IR_DATASETS_HOME": str(folder),
            "PYTHONPATH": os.pathsep.join([*map(str, path), *filter(None, [os.environ.get("PYTHONPATH")])]),
        },
    )


def test_ctrl_c_while_a_worker_is_starting_ends_the_command_without_a_traceback(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SITECUSTOMIZE)
    done = baseline(tmp_path, "--fast", "--quiet", path=[tmp_path])
    assert (done.returncode, done.stderr) == (
        130,
        "Finished stages are kept. Run the same command again to continue.\n",
    )


@pytest.mark.parametrize("options", [["--fast"], []])
def test_a_killed_worker_is_said_and_nothing_is_written(tmp_path, options):
    done = baseline(tmp_path, *options, killed=True)
    assert done.returncode == 2
    [message] = done.stderr[done.stderr.index("error: ") :].split("error: ")[1:]
    assert message.startswith("A process that reads texts ended early (exit status -9).\nMemory may have run out.")
    assert "Traceback" not in done.stderr
    assert not list(Path(tmp_path, "runs").glob("*"))
