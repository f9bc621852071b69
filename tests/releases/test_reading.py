"""Text and JSON from files, with errors that name the line."""

import pickle
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeWarning, MalformedFileError
from ir_coliee.releases.files import FindingWarning, MoreWarnings, read_json, read_text, warnings_about


def written(folder, data, name="some.txt"):
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"One.\nTwo.\n", "One.\nTwo.\n"),
        (b"One.\r\nTwo.\r\n", "One.\nTwo.\n"),
        (b"One.\rTwo.", "One.\rTwo."),
        (b"One.\n\r\nTwo.", "One.\n\nTwo."),
        (b"\xef\xbb\xbfOne.", "One."),
        (b"\xef\xbb\xbfOne.\r\nTwo.", "One.\nTwo."),
        ("élève\u00a0門".encode(), "élève\u00a0門"),
    ],
)
def test_a_file_is_read_without_bom_and_with_line_feeds(tmp_path, data, text):
    path = written(tmp_path, data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_text(path) == text


def test_bytes_that_are_no_utf8_are_replaced_with_a_warning_that_names_file_and_place(tmp_path):
    path = written(tmp_path, b"caf\xe9 noir\r\n")
    with pytest.warns(ColieeWarning, match=r"some\.txt.*\b3\b"):
        assert read_text(path) == "caf\ufffd noir\n"


def test_a_warning_shows_no_text_of_the_file(tmp_path):
    path = written(tmp_path, b"secret\xe9words")
    with pytest.warns(ColieeWarning) as caught:
        read_text(path)
    assert "secret" not in str(caught[0].message)
    assert "words" not in str(caught[0].message)


@given(st.text().map(lambda text: text.replace("\r", "").replace("\ufeff", "")), st.booleans(), st.booleans())
def test_bom_and_carriage_returns_change_nothing(tmp_path_factory, text, bom, crlf):
    data = (b"\xef\xbb\xbf" if bom else b"") + (text.replace("\n", "\r\n") if crlf else text).encode()
    assert read_text(written(tmp_path_factory.getbasetemp(), data)) == text


def test_json_is_read(tmp_path):
    assert read_json(written(tmp_path, b'\xef\xbb\xbf{"a": ["b"]}\r\n'), "an object") == {"a": ["b"]}


@pytest.mark.parametrize(
    ("data", "line"),
    [(b'{"a": 1,\n"b": 2\n"c": 3}', 3), (b'{"a": 1,\r\n\r\n"b" 2}', 3), (b"", 1), (b'["a"', 1), (b"{}\n{}", 2)],
)
def test_broken_json_is_refused_with_file_line_and_expectation(tmp_path, data, line):
    path = written(tmp_path, data)
    with pytest.raises(MalformedFileError, match="an object of ours") as caught:
        read_json(path, "an object of ours")
    assert (caught.value.path, caught.value.line) == (path, line)
    assert f"some.txt, line {line}:" in str(caught.value)


@pytest.mark.parametrize(
    "warning",
    [
        FindingWarning("901", "empty-text", "texts without a letter or digit", ["001"]),
        MoreWarnings("901", ["901, line 7: a problem"]),
    ],
)
def test_a_warning_of_a_reader_can_be_pickled_for_another_process(warning):
    again = pickle.loads(pickle.dumps(warning))
    assert (type(again), str(again), vars(again)) == (type(warning), str(warning), vars(warning))


def test_of_a_repeated_key_the_last_value_counts_and_the_keys_are_named(tmp_path):
    path = written(tmp_path, b'{"b": 1, "a": 2, "b": 3, "c": {"d": 4, "d": 5}, "a": 6}')
    with pytest.warns(ColieeWarning) as caught:
        assert read_json(path, "an object") == {"b": 3, "a": 6, "c": {"d": 5}}
    messages = [str(warning.message) for warning in caught]
    assert all("some.txt" in message for message in messages)
    assert [message.rpartition(": ")[2] for message in messages] == ["d", "a, b"]


def test_five_warnings_are_issued_about_a_file_and_the_others_counted_and_kept():
    with warnings.catch_warnings(record=True) as caught, warnings_about("labels.json") as warn:
        warnings.simplefilter("always")
        for line in range(1, 1_001):
            warn(line, "a problem")
    with warnings.catch_warnings(record=True) as last, warnings_about("labels.json") as warn:
        warnings.simplefilter("always")
        warn(None, "a problem")
    messages = [str(warning.message) for warning in caught]
    assert messages[:5] == [f"labels.json, line {line}: a problem" for line in range(1, 6)]
    assert messages[5:] == ["labels.json: 995 more warnings; all: ir_coliee audit ID --check warning-of-reader"]
    assert caught[5].message.problems == tuple(f"labels.json, line {line}: a problem" for line in range(6, 1_001))
    assert [str(warning.message) for warning in last] == ["labels.json: a problem"]
