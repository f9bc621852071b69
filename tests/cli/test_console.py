"""The printing of commands to copy and of errors with long paths."""

import json
import os
import warnings

import pytest

import ir_coliee
from ir_coliee.cli.app import out, print_warnings_once
from ir_coliee.errors import ColieeError, ColieeWarning


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


def test_the_version_is_printed(call):
    assert call("--version").out == f"{ir_coliee.__version__}\n"


def test_a_closed_stdout_is_an_error_before_anything_is_done(call, monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    finished = call("list")
    assert (finished.status, finished.err.partition(",")[0]) == (2, "error: stdout is closed")
