"""Commands show progress on stderr, and none with --quiet."""

import itertools

import pytest
from calls import TASK2, TASK3, saved

import ir_coliee.progress

COMMANDS = {
    f"audit {TASK2}": f"reading {TASK2}: ",
    "synth coliee/task2/2025 --scale 0.002 --out OUT": "writing coliee/task2/2025: ",
    f"score {TASK3} one.run other.run": "scoring: 2 runs, ",
    f"compare {TASK3} one.run other.run": "comparing 2 runs: ",
    f"diff {TASK3} one.run other.run": "comparing 2 runs: ",
    f"tune {TASK3} one.run": f"choosing cut-offs on {TASK3}: ",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_progress_is_shown_on_stderr_and_not_with_quiet(call, monkeypatch, command):
    # each look at the clock is a second later than the last one
    monkeypatch.setattr(ir_coliee.progress.time, "monotonic", itertools.count().__next__)
    for name, score in (("one.run", 2), ("other.run", 1)):
        saved(name, f"R99-01-A Q0 9 1 {score} x\nR99-01-A Q0 12 2 0.5 x\n")
    shown = call(*command.replace("OUT", "out-1").split())
    quiet = call(*command.replace("OUT", "out-2").split(), "--quiet")
    assert (shown.status, quiet.status) == (0, 0)
    assert COMMANDS[command] in shown.err
    assert COMMANDS[command] not in quiet.err
    assert len(quiet.err.splitlines()) == sum(line.startswith("warning") for line in shown.err.splitlines())
    assert quiet.out.replace("out-2", "out-1") == shown.out
