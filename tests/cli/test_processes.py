"""Commands that are stopped or killed, and output that cannot be written: a status, one message, no traceback."""

import json
import os
import subprocess
import sys
import warnings

import pytest
from calls import TASK1, process, saved

from ir_coliee.cli.app import out, print_warnings_once
from ir_coliee.errors import ColieeError, ColieeWarning

posix = pytest.mark.skipif(os.name != "posix", reason="signals and redirections of another system")

# --- streams -----------------------------------------------------------------------------------------


def test_json_has_no_control_characters_and_means_the_same(capsys):
    value = {"text": "a\x1b[2J\x9b2J\u202eb\u2028c\ud800\nd 民法\u3000e"}
    out.print_json(value)
    printed = capsys.readouterr().out
    assert json.loads(printed) == value
    assert "民法\u3000e" in printed
    assert all(character.isprintable() or character in "\n\u3000" for character in printed)


def test_equal_warnings_of_this_package_are_printed_once_without_their_location(capsys):
    with warnings.catch_warnings():
        print_warnings_once()
        for _ in range(2):
            warnings.warn("3 of 4 texts exceed the window.", ColieeWarning, stacklevel=1)
        warnings.warn("another library's", UserWarning, stacklevel=1)
    first, others = capsys.readouterr().err.split("\n", 1)
    assert first == "warning: 3 of 4 texts exceed the window."
    assert f"{__file__}:" in others


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_output_that_cannot_be_written_is_an_error_and_a_reader_that_has_ended_is_none(monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)
    for descriptor, error in ((os.open("/dev/full", os.O_WRONLY), ColieeError), (writer, SystemExit)):
        monkeypatch.setattr("sys.stdout", os.fdopen(descriptor, "w"))
        with pytest.raises(error):
            out.print("text")
        out.print("text")  # is lost, so that the end of the process is no second error


def test_a_closed_stdout_is_an_error_before_anything_is_done(call, monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    finished = call("list")
    assert (finished.status, finished.err.partition(",")[0]) == (2, "error: stdout is closed")


FULL = "error: The output could not be written to stdout (No space left on device)."


@posix
@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "redirection", "status", "problem"),
    [
        ("leaderboard 2023 task1", ">&-", 2, "error: stdout is closed"),
        ("leaderboard 2023 task1", "> /dev/full", 2, FULL),
        ("irds list", "> /dev/full", 2, FULL),
        ("leaderboard 2023 task1", "2>&- > /dev/null", 0, ""),
        ("irds list", "| head -n 0", 0, ""),
    ],
)
def test_output_that_is_lost_is_an_error(redirection, status, problem, command):
    command = f"'{sys.executable}' -m ir_coliee {command} {redirection}"
    finished = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert finished.returncode == status
    assert finished.stderr.startswith(problem)
    assert "Traceback" not in finished.stderr
    assert "Exception ignored" not in finished.stderr


def test_looked_up_texts_have_no_control_characters_and_exported_files_are_as_they_are(call, monkeypatch):
    monkeypatch.setattr("ir_datasets.main", lambda _arguments: print("a\x1b[31mb\u202ec"))
    assert call("irds", "lookup", TASK1, "900557").out == "a\\x1b[31mb\\u202ec\n"
    assert call("irds", "export", TASK1, "docs").out == "a\x1b[31mb\u202ec\n"


def test_an_error_of_the_file_system_that_nobody_expected_is_one_message(call, monkeypatch):
    def fail(*_arguments, **_options):
        raise PermissionError(13, "Permission denied", "place")

    monkeypatch.setattr("ir_coliee.evaluation.leaderboards.find_leaderboards", fail)
    finished = call("leaderboard", "2023")
    assert (finished.status, finished.err) == (2, "error: [Errno 13] Permission denied: 'place'\n")


# --- Ctrl-C ------------------------------------------------------------------------------------------

# Calls the installed command or the module; the first audit event of this kind with this text in it is Ctrl-C. A
# background shell starts programs that ignore the signal.
INTERRUPTED = """
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
MOMENTS = [
    ("module", "import", "typer"),
    ("command", "import", "typer"),
    ("command", "import", "ir_coliee.cli.runs"),
    ("command", "open", "my.run"),
    ("command", "open", ".ir_coliee-unfinished"),
]


@posix
@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS, ids=" ".join)
def test_ctrl_c_ends_a_command_without_a_traceback(tmp_path, moment):
    saved("my.run", "900656 Q0 900557 1 2.0 mine\n900656 Q0 900912 2 1.0 mine\n")
    arguments = ["cut", TASK1, "my.run", "--top", "1", "--out", "out/cut.run"]
    done = process(*moment, *arguments, program=("-c", INTERRUPTED))
    assert done.status == 130, done.err
    assert len(done.err.splitlines()) <= 1
    assert "Traceback" not in done.err
    assert not (tmp_path / "out" / "cut.run").exists()


# --- processes that read texts -----------------------------------------------------------------------

# The small collection of the sample is counted with one worker.
READING = """
import signal, sys
from ir_coliee.cli import main
from ir_coliee.engine import counting, term_counts

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell starts programs that ignore it
counting._BATCH = counting._SMALL = 1000
term_counts.available_cores = lambda: 2
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


def baseline(folder, *options, killed=""):
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    program = ("-c", READING.replace("KILLED", killed))
    environment = {"IR_DATASETS_HOME": str(folder), "PYTHONPATH": path}
    return process("baseline", TASK1, *options, program=program, start_new_session=True, **environment)


@posix
@pytest.mark.slow
def test_ctrl_c_while_a_worker_is_starting_ends_the_command_without_a_traceback(tmp_path):
    saved("sitecustomize.py", SITECUSTOMIZE)
    done = baseline(tmp_path, "--fast", "--quiet")
    assert (done.status, done.err) == (130, "Finished stages are kept. Run the same command again to continue.\n")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("options", [["--fast"], []])
def test_a_killed_worker_is_said_and_nothing_is_written(tmp_path, options):
    done = baseline(tmp_path, *options, killed=KILLED)
    assert done.status == 2
    [message] = done.err[done.err.index("error: ") :].split("error: ")[1:]
    assert message.startswith("A process that reads texts ended early (exit status -9).\nMemory may have run out.")
    assert "Traceback" not in done.err
    assert not list((tmp_path / "coliee-runs").glob("*"))
