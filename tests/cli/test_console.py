"""The printing of commands to copy and of errors with long paths."""

import json
import sys
import warnings

import pytest

from ir_coliee.cli.app import out, print_error, print_next, print_warnings_once
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, printable


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


@pytest.mark.parametrize("is_known", [True, False], ids=["of the error", "in the message"])
def test_the_first_line_of_an_error_is_short_and_a_path_with_blanks_is_below_it(tmp_path, capsys, is_known):
    path = tmp_path / "Daten für COLIEE" / ("a folder with a name " * 3).strip() / "task1_test_labels_2025.json"
    path.parent.mkdir(parents=True)
    if not is_known:
        path.touch()
    problem = "there is no list of noticed cases of this query"
    print_error(
        MalformedFileError(path, None, problem, "JSON") if is_known else ColieeError(f"{path}: {problem}.\nSee there.")
    )
    first, *details = capsys.readouterr().err.splitlines()
    assert len(first) <= 100
    assert first == f"error: {printable(str(path), 30)}: {problem}."
    assert details[-1] == f"Path: {path}"


@pytest.mark.parametrize("name", ["a" * 20, "x" * 300], ids=["short", "too long"])
def test_a_path_takes_the_room_that_the_first_line_of_an_error_has(tmp_path, capsys, name):
    path = tmp_path / name
    print_error(ColieeError(f"{path}: {'a reason that is long ' * 3}indeed."))
    first, *details = capsys.readouterr().err.splitlines()
    assert len(first) <= 100
    assert [detail.startswith(f"Path: {tmp_path}") for detail in details] == [True]


def test_the_id_of_a_dataset_is_not_shortened_as_if_it_were_a_path(capsys):
    message = f"coliee/pilot/sample/rationale/test: {'a long reason ' * 6}."
    print_error(ColieeError(message))
    assert capsys.readouterr().err == f"error: {message}\n"


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
