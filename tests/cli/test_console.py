"""The printing of commands to copy and of errors with long paths."""

import json
import sys
import warnings

import pytest

from ir_coliee.cli.app import out, print_next, print_warnings_once
from ir_coliee.errors import ColieeWarning


@pytest.mark.parametrize(
    ("found", "called", "printed"),
    [
        ("/env/bin/ir_coliee", "/env/bin/ir_coliee", "ir_coliee"),
        (None, "/env/lib/ir_coliee/__main__.py", f"{sys.executable} -m ir_coliee"),
        (None, "/elsewhere/program.py", "ir_coliee"),
    ],
)
def test_a_command_can_be_copied_without_an_activated_environment(monkeypatch, capsys, found, called, printed):
    monkeypatch.setattr("shutil.which", lambda name: found)
    monkeypatch.setattr(sys, "argv", [called])
    print_next("score", "coliee/task1/sample/test", "my run")
    assert capsys.readouterr().out == f"next: {printed} score coliee/task1/sample/test 'my run'\n"


def test_json_has_no_control_characters_and_means_the_same(capsys):
    value = {"text": "a\x1b[2J\x9b2J\u202eb\u2028c\ud800\nd 民法\u3000e"}
    out.print_json(json.dumps(value))
    printed = capsys.readouterr().out
    assert json.loads(printed) == value
    assert "民法\u3000e" in printed
    assert all(character.isprintable() or character in "\n\u3000" for character in printed)


def test_equal_warnings_of_this_package_are_printed_once_without_their_location(capsys):
    with warnings.catch_warnings():
        print_warnings_once()
        for _ in range(2):
            warnings.warn("3 of 4 texts exceed the window.", ColieeWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: 3 of 4 texts exceed the window.\n"
