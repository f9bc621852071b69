"""The printing of commands to copy and of errors with long paths."""

import json
import warnings

from ir_coliee.cli.app import out, print_warnings_once
from ir_coliee.errors import ColieeWarning


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
    assert capsys.readouterr().err == "warning: 3 of 4 texts exceed the window.\n"
