"""Stored artifacts with altered files: they are refused as a ColieeError, or give finite numbers.

The manifests are mended to agree with the alteration, as somebody would who means harm. A child process opens and uses
each artifact: the program must not die, hang, or run code of a file. A failure names the fewest edits that cause it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import stored_attack

pytestmark = pytest.mark.slow

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")


def attack(kind, seed, first, end, *kept):
    """The lines of the child process, and its errors if it fails."""
    arguments = [sys.executable, stored_attack.__file__, kind, *map(str, (seed, first, end, *kept))]
    child = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return child.stdout.splitlines(), f"exit status {child.returncode}\n{child.stderr}" if child.returncode else ""


def minimised(kind, seed, number, edits):
    """The fewest edits of an alteration with which the child fails, and its errors."""
    kept = list(range(edits))
    for place in range(edits):
        fewer = [other for other in kept if other != place]
        if fewer and attack(kind, seed, number, number + 1, *fewer)[1]:
            kept = fewer
    lines, errors = attack(kind, seed, number, number + 1, *kept)
    return f"{lines[-1]}\n{errors[-4_000:]}"


@needs_pipes
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[pytest.mark.long] * (kind in ("hashed-index", "shards")))
        for kind in stored_attack.KINDS
    ],
)
def test_an_altered_artifact_is_refused_or_gives_finite_numbers(kind, inputs_per_entity, seed, outcomes):
    if kind in ("recipe", "held-out"):
        pytest.importorskip("lightgbm")
        pytest.importorskip("sklearn")
    if "index" in kind:
        pytest.importorskip("numba")
    lines, errors = attack(kind, seed, 0, inputs_per_entity)
    for outcome in ("loaded", "refused"):
        outcomes[outcome] = lines.count(outcome)
    if errors:
        outcomes["failed"] = 1
        assert lines, errors
        number, _, edits = lines[-1].partition(" ")
        pytest.fail(f"Alteration {number} of {kind}: {minimised(kind, seed, int(number), edits.count('Edit('))}")
    assert outcomes["loaded"] + outcomes["refused"] == inputs_per_entity


@pytest.mark.long
def test_the_attack_sees_a_death_and_names_the_edits(monkeypatch, tmp_path):
    """The attack is of use only if a child that dies is a failure: here one that dies whenever it reads an array."""
    begin = "def search_everywhere(index, queries):\n"
    dying = Path(stored_attack.__file__).read_text(encoding="utf-8").replace(begin, f"{begin}    os.abort()\n")
    (tmp_path / "dying.py").write_text(dying, encoding="utf-8")
    monkeypatch.setattr(stored_attack, "__file__", str(tmp_path / "dying.py"))
    lines, errors = attack("index", 1, 0, 200)
    number, _, edits = lines[-1].partition(" ")
    assert errors
    assert "Edit(" in minimised("index", 1, int(number), edits.count("Edit("))
