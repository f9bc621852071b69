"""Stored artifacts with altered files: they are refused as a ColieeError, or give finite numbers.

The manifests are mended to agree with the alteration, as somebody would who means harm. A child process opens and uses
each artifact: the program must not die, hang, or run code of a file. A failure names the edits that cause it.
"""

import os
import subprocess
import sys

import pytest
import stored_attack

pytestmark = pytest.mark.slow

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")


def attack(kind, seed, first, end):
    """The lines of the child process, and its errors if it fails."""
    arguments = [sys.executable, stored_attack.__file__, kind, *map(str, (seed, first, end))]
    child = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return child.stdout.splitlines(), f"exit status {child.returncode}\n{child.stderr}" if child.returncode else ""


@needs_pipes
@pytest.mark.parametrize("kind", stored_attack.KINDS)
def test_an_altered_artifact_is_refused_or_gives_finite_numbers(kind, inputs_per_entity, seed):
    if "index" in kind:
        pytest.importorskip("numba")
    lines, errors = attack(kind, seed, 0, inputs_per_entity)
    assert not errors, f"Alteration {lines[-1:]} of {kind}: {errors[-4_000:]}"
    assert lines.count("loaded") + lines.count("refused") == inputs_per_entity
