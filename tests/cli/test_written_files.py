"""Every command that writes a file: it can be repeated, and replaces another file only with --overwrite."""

import os
from pathlib import Path

import pytest
from calls import RUNS, TASK1, TASK2, TASK4, refused, saved

COMMANDS = {
    "cut": (["cut", TASK1, "a.run.trec", "--top", "1", "--out", "out"], "out"),
    "fuse": (["fuse", TASK1, "a.run.trec", "b.trec", "--out", "out"], "out"),
    "vote": (["vote", TASK4, "a.yes", "b.yes", "--tag", "all", "--out", "out"], "out"),
    "submit": (["submit", TASK1, "a.run", "--tag", "mine", "--out", "out"], "out/task1.mine"),
    "report": (["report", TASK1, "a.run", "--out", "out.html"], "out.html"),
    "show": (["show", TASK1, "900656", "a.run", "--html", "out.html"], "out.html"),
    "diff": (["diff", TASK1, "a.run", "b.run", "--html", "out.html"], "out.html"),
    "baseline": (["baseline", TASK2, "--fast", "--out", "out", "--verbose"], "out/coliee-task2-sample-test.bm25"),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_can_be_repeated_and_replaces_other_content_only_with_overwrite(call, command, monkeypatch):
    monkeypatch.setattr("ir_coliee.analysis.plots.can_draw", lambda: False)  # plots take long
    for name, content in {**RUNS, "b.trec": RUNS["a.run.trec"]}.items():
        saved(name, content)
    for name in ("a.yes", "b.yes"):
        saved(name, f"R99-01-A Y {name}\nR99-01-I N {name}\n")
    arguments, path = COMMANDS[command][0], Path(COMMANDS[command][1])
    first = call(*arguments)
    assert (first.status, f"file: {path}" in first.out.splitlines()) == (0, True), first.err
    content, before = path.read_bytes(), path.stat()
    again = call(*arguments)
    assert (again.status, f"file: {path}" in again.out.splitlines()) == (0, True), again.err
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)

    path.write_bytes(b"\xff\x80 mine")
    complaint = refused(call(*arguments))
    assert f"{path} already exists with other content.\nMove it, choose another place, or pass --overwrite" in complaint
    assert path.read_bytes() == b"\xff\x80 mine"
    assert f"file: {path}" in call(*arguments, "--overwrite").out.splitlines()
    assert path.read_bytes() == content

    path.unlink()
    path.symlink_to(os.devnull)
    assert "it is a symbolic link" in refused(call(*arguments, "--overwrite"))
    assert path.is_symlink()
