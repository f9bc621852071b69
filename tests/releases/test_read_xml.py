"""XML with the lines of its elements, read safely."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeWarning, MalformedFileError
from ir_coliee.releases.files import read_xml


def read(folder, text):
    path = folder / "some.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_xml(path, "a list of lamps")


def test_every_element_comes_with_the_line_that_it_opens_on(tmp_path):
    root, lines = read(tmp_path, "<lamps>\n<lamp\n n='1'/><lamp n='2'>\nlit</lamp>\n\n<!-- <lamp/> --><lamp/></lamps>")
    assert [lines[lamp] for lamp in root.iter()] == [1, 2, 3, 6]
    assert [lamp.get("n") for lamp in root] == ["1", "2", None]
    assert root[1].text == "\nlit"


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_bom_and_line_ends_change_nothing(tmp_path, bom, end):
    root, lines = read(tmp_path, bom + "<?xml version='1.0'?>\n<a>\n<b>門\n</b></a>".encode().replace(b"\n", end))
    assert (root[0].text, lines[root[0]]) == ("門\n", 3)


@pytest.mark.parametrize("encoding", ["Shift_JIS", "UTF-16", "utf-8", "none-such"])
def test_the_text_is_utf8_whatever_is_declared(tmp_path, encoding):
    root, _ = read(tmp_path, f"<?xml version='1.0' encoding='{encoding}'?><a>門</a>")
    assert root.text == "門"


def test_bytes_that_are_no_utf8_are_replaced_with_a_warning(tmp_path):
    with pytest.warns(ColieeWarning, match=r"some\.xml"):
        root, _ = read(tmp_path, b"<a>caf\xe9</a>")
    assert root.text == "caf\ufffd"


SECRET = "a secret in a file of the user's"
HARMFUL = [
    ('<!DOCTYPE a [\n<!ENTITY b "bbbb">\n<!ENTITY c "&b;&b;">\n]>\n<a>&c;</a>', 2, "the entity b is declared"),
    ("<!DOCTYPE a [\n\n<!ENTITY b SYSTEM 'secret.txt'>\n]>\n<a>&b;</a>", 3, "the entity b is declared"),
    ("<!DOCTYPE a [\n<!ENTITY % b SYSTEM 'secret.txt'> %b;\n]>\n<a>&c;</a>", 2, "the entity b is declared"),
    ("<!DOCTYPE a SYSTEM 'secret.dtd'>\n<a>\n&b;</a>", 3, "the entity b is not declared"),
    ("<a>\n&b;</a>", 2, "not well-formed XML"),
]


@pytest.mark.parametrize(("text", "line", "problem"), HARMFUL)
def test_entities_are_refused_and_nothing_else_is_opened(tmp_path, monkeypatch, text, line, problem):
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secret.dtd").write_text(f'<!ENTITY b "{SECRET}">')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        MalformedFileError, match=rf"(?s)some\.xml, line {line}: {problem}.*\nExpected: a list of lamps"
    ) as caught:
        read(tmp_path, text)
    assert caught.value.line == line
    assert SECRET not in str(caught.value)


def test_the_five_entities_of_xml_are_read(tmp_path):
    root, _ = read(tmp_path, "<a>&lt;&gt;&amp;&quot;&apos;&#9312;</a>")
    assert root.text == "<>&\"'①"


def test_the_element_that_is_not_closed_is_named_with_its_line(tmp_path):
    with pytest.raises(
        MalformedFileError, match=r"line 5: not well-formed XML .*\.\n<b> of line 2 is not closed"
    ) as caught:
        read(tmp_path, "<a>\n<b>\n<c>\n</c>\n</a>")
    assert caught.value.line == 5


@pytest.mark.parametrize("text", ["", "lamps", "<a>", "<a></a><b/>", "<a>\x00</a>", "\x89PNG"])
def test_what_is_no_xml_is_refused(tmp_path, text):
    with pytest.raises(MalformedFileError, match="not well-formed XML"):
        read(tmp_path, text)


@pytest.mark.filterwarnings("ignore::ir_coliee.errors.ColieeWarning")
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: f"<a>{text}</a>".encode()))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    with suppress(MalformedFileError):
        root, lines = read(tmp_path_factory.getbasetemp(), data)
        assert set(lines) == set(root.iter())
