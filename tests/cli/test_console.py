"""The printing of commands to copy."""

import sys

import pytest

from ir_coliee.cli.console import print_next


@pytest.mark.parametrize(
    ("found", "called", "printed"),
    [
        ("/env/bin/ir_coliee", "/env/bin/ir_coliee", "ir_coliee"),
        (None, "/env/bin/ir_coliee", "/env/bin/ir_coliee"),
        (None, "/env/lib/ir_coliee/__main__.py", f"{sys.executable} -m ir_coliee"),
        (None, "/elsewhere/program.py", "ir_coliee"),
    ],
)
def test_a_command_can_be_copied_without_an_activated_environment(monkeypatch, capsys, found, called, printed):
    monkeypatch.setattr("shutil.which", lambda name: found)
    monkeypatch.setattr(sys, "argv", [called])
    print_next("score", "coliee/task1/sample/test", "my run")
    assert capsys.readouterr().out == f"next: {printed} score coliee/task1/sample/test 'my run'\n"
