"""Every command that writes a file: it can be repeated, and replaces another file only with --overwrite."""

import os
from pathlib import Path

import pytest
from calls import TASK1, TASK4, refused, saved

RUN = "900656 900557 a\n900656 900912 a\n900795 900754 a\n"
RANKING = "900656 Q0 900557 1 3 a\n900656 Q0 900912 2 2 a\n900795 Q0 900754 1 1 a\n"
COMMANDS = {
    "cut": (["cut", TASK1, "a.trec", "--top", "1", "--out", "out"], "out"),
    "fuse": (["fuse", TASK1, "a.trec", "b.trec", "--out", "out"], "out"),
    "vote": (["vote", TASK4, "a.yes", "b.yes", "--tag", "all", "--out", "out"], "out"),
    "submit": (["submit", TASK1, "a.run", "--tag", "mine", "--out", "out"], "out/task1.mine"),
    "report": (["report", TASK1, "a.run", "--out", "out.html"], "out.html"),
    "show": (["show", TASK1, "900656", "a.run", "--html", "out.html"], "out.html"),
    "diff": (["diff", TASK1, "a.run", "b.run", "--html", "out.html"], "out.html"),
    "baseline": (["baseline", TASK4, "--out", "out", "--verbose"], "out/coliee-task4-sample-en-test.tfidf"),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_can_be_repeated_and_replaces_other_content_only_with_overwrite(call, command, monkeypatch):
    monkeypatch.setattr("ir_coliee.analysis.page.can_draw", lambda: False)  # plots take long
    for name, content in {"a.trec": RANKING, "b.trec": RANKING, "a.run": RUN, "b.run": RUN[:16]}.items():
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
