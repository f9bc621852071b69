"""Files that are refused: the error names the file and the line, says what is expected, and shows no text."""

import json
import re
from functools import partial

import pytest
from run_lines import saved
from test_civil_code import CIVIL, LAW
from test_statutes import dataset, pair
from test_torts import FULL, claim

from ir_coliee.errors import MalformedFileError
from ir_coliee.releases.civil_code import read_civil_code
from ir_coliee.releases.files import read_json, read_lines, read_text, read_xml
from ir_coliee.releases.statutes import read_answer_file, read_questions
from ir_coliee.releases.torts import read_instances
from ir_coliee.storage import INSTANCE

english_code, japanese_code = (partial(read_civil_code, language=language) for language in ("en", "ja"))
questions = partial(read_questions, language="en")
our_json, our_xml = (partial(read, expected="an object of ours") for read in (read_json, read_xml))


CHANGES = [
    *({key: "missing"} for key in FULL),
    *({"court_decision": label} for label in (0, "true", [])),
    *({"tort_id": value} for value in (900001, None, "", "9\n1", FULL["tort_id"])),
    *(
        {"undisputed_facts": value}
        for value in (None, "門", [3], [{"id": "0"}], [{"description": "門"}], [{"id": 0, "description": "門"}])
    ),
    {"defendant_claims": ["門"]},
    {"plaintiff_claims": [claim(0), claim(0)]},
    {"plaintiff_claims": [claim("\u0085")]},
    *({"plaintiff_claims": [claim(0) | change]} for change in ({"id": 0}, {"description": 3}, {"is_accepted": 1})),
    *(
        {"defendant_claims": [{name: value for name, value in claim(0).items() if name != key}]}
        for key in ("id", "description", "is_accepted")
    ),
]


def instances(change):
    """Two instances, the second with this change."""
    changed = FULL | {"tort_id": "900002"} | change
    records = FULL, {key: value for key, value in changed.items() if value != "missing"}
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records)


#: What makes a file no text: the tail of a file after a power failure, UTF-16, another encoding, half a character.
NO_TEXT = {
    "NUL bytes": lambda text: text.encode()[:-9] + b"\0" * 512,
    "one NUL byte": lambda text: text.encode().replace(b"\n", b"\0", 1),
    "UTF-16": lambda text: text.encode("utf-16-le"),
    "UTF-16 with BOM": lambda text: text.encode("utf-16"),
    "CP932": lambda text: text.encode("cp932", "replace") + "門".encode("cp932"),
    "half a character": lambda text: text.encode() + "門".encode()[:2],
}
TEXT = '<a>\n<b x="1"/>\n</a>\n'
READERS = read_text, our_xml, our_json, lambda path: [*read_lines(path, INSTANCE)]
LAW_TWICE = '<Article Num="1"/><Part>\n<Article Num="2"/>\n<Article Num="1"/></Part>'
#: A reader, the content of a file, the line that is wrong, and the problem.
REFUSED = [
    # what is no text
    *((read, damage(TEXT), ..., "byte ") for read in READERS for damage in NO_TEXT.values()),
    # JSON
    (our_json, b'{"a": 1,\n"b": 2\n"c": 3}', 3, "Expected: an object of ours"),
    (our_json, b'{"a": 1,\r\n\r\n"b" 2}', 3, ""),
    *((our_json, text, line, "") for text, line in ((b"", 1), (b'["a"', 1), (b"{}\n{}", 2))),
    # XML that is harmful or broken
    (our_xml, '<!DOCTYPE a [\n<!ENTITY b "bbbb">\n<!ENTITY c "&b;&b;">\n]>\n<a>&c;</a>', 2, "the entity b is declared"),
    (our_xml, "<!DOCTYPE a [\n\n<!ENTITY b SYSTEM 'secret.txt'>\n]>\n<a>&b;</a>", 3, "the entity b is declared"),
    (our_xml, "<!DOCTYPE a [\n<!ENTITY % b SYSTEM 'secret.txt'> %b;\n]>\n<a>&c;</a>", 2, "the entity b is declared"),
    (our_xml, "<!DOCTYPE a SYSTEM 'secret.dtd'>\n<a>\n&b;</a>", 3, "the entity b is not declared"),
    (our_xml, "<a>\n&b;</a>", 2, "not well-formed XML"),
    (our_xml, "<a>\n<b>\n<c>\n</c>\n</a>", 5, r"not well-formed XML .*\.\n<b> of line 2 is not closed"),
    (our_xml, "<a>" * 31, 1, "more than 30 nested elements"),
    (our_xml, "", 1, "not well-formed XML"),
    (our_xml, "<a></a><b/>", 1, "not well-formed XML"),
    # civil codes
    *(
        (english_code, f"{text}\n", None, "no article was found")
        for text in ("", "Code", "Code\nPart I", "<Articles/>")
    ),
    (english_code, "<Law><LawBody/></Law>", None, "no article was found"),
    (japanese_code, "<html>\n</html>", 1, "the root element is <html>"),
    (japanese_code, CIVIL.replace(' num="12-2"', ""), 9, "an article has no attribute num"),
    (japanese_code, LAW.replace(' Num="12_2"', ""), LAW[: LAW.index("12_2")].count("\n") + 1, "no attribute Num"),
    (japanese_code, "<Articles>\n<Article num='1'>\n</Articles>", 3, "<Article> of line 2 is not closed"),
    (japanese_code, '<Articles>\n<Article num="1"/>\n\n<Article num="1"/></Articles>', 4, "article 1 is repeated"),
    (japanese_code, f"<Law><LawBody><MainProvision>\n{LAW_TWICE}</MainProvision></LawBody></Law>", 4, "1 is repeated"),
    # questions and answers
    (questions, dataset(pair(), pair(attributes='label="Y"')), 11, "no id or no t2"),
    (questions, dataset(pair(), '<pair id="H98-1-1"><t1>Article 5</t1></pair>'), 11, "no id or no t2"),
    (questions, dataset(f"<pair id='H98-1-1'><article>{'A gate. ' * 9}</article><t2>A</t2></pair>"), ..., "no number"),
    *((read_answer_file, f"R99-1-I\tY\n\n{line}\n", 3, "") for line in ("R99-1-A", "R99-1-A y", "R99-1-A yes", "Y")),
    # instances of the pilot
    *((read_instances, instances(change), 2, "") for change in CHANGES),
]
SECRET = "a secret in a file of the user's"


@pytest.mark.filterwarnings("error::ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize(("read", "content", "line", "problem"), REFUSED)
def test_a_file_is_refused_with_its_name_and_line_without_its_text(tmp_path, monkeypatch, read, content, line, problem):
    saved(tmp_path, SECRET, "secret.txt")
    saved(tmp_path, f'<!ENTITY b "{SECRET}">', "secret.dtd")
    monkeypatch.chdir(tmp_path)  # of the paths in XML
    path = saved(tmp_path, content)
    with pytest.raises(MalformedFileError, match=problem or None) as caught:
        read(path)
    message = str(caught.value)
    assert (caught.value.path, message.startswith(str(path))) == (path, True)
    assert caught.value.line == line or (line is ... and caught.value.line)
    if problem == "byte ":
        assert re.search("(NUL|not UTF-8)(?s:.*)take the file from its source again", message)
    assert not [text for text in (SECRET, "A gate", "\u9580") if text in message]
