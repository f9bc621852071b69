"""Each kind of file has a limit: above it nothing is read, below it hostile files of any form take little time."""

import time
import warnings
from itertools import count

import pytest
from zips import write_zip

from ir_coliee.editions.files import read_edition_file
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError
from ir_coliee.models.templates import template
from ir_coliee.releases.cases import read_json_labels, read_xml_labels
from ir_coliee.releases.civil_code import read_civil_code
from ir_coliee.releases.files import DiskFolder, File, read_text
from ir_coliee.releases.statutes import read_answer_file, read_gold_file, read_questions
from ir_coliee.releases.torts import read_instances
from ir_coliee.releases.zips import open_archive
from ir_coliee.storage import EDITION, INSTANCES, LABELS, TEMPLATE, TEXT, XML, SizeLimit

SIZE = 100_000
SECONDS = 1.0  # of processor time; what is quadratic takes much longer
WARNINGS = 12  # five and their number, once for the file and once for its JSON


def as_file(read):
    return lambda path: read(File(DiskFolder(str(path.parent)), path.name))


#: Pieces that fill a file, alone or after a start and before an end; ``#`` is a number that grows.
TEXTS = ["The 2nd lamp was lit on May 3, 2001.\n", *"\n\r 1[a\u2028\U0001f600", "[#]\n\nA lamp."]
JSON = ["[", '{"a":', "1,|[|1]", "{},|[|{}]", 'a|"|"', "9", '\\\\|"|"', '\\u00e9|"|"', '"#": 1,|{|"1": 1}']
XMLS = ["<a>", "<a/>|<x>|</x>", 'a#="" |<x |/>', "a|<x>|</x>", "a|<!--|--><x/>", "<a#/>|<x>|</x>", "a|<|/>"]
OF_LABELS = [
    '"#.txt": ["900002.txt"],|{|"1": []}',
    '"1": [],|{|"1": []}',
    '"#": [],"#.txt": [],|{|"1": []}',
    ',|{"1": "|"}',
]
OF_XML_LABELS = [
    '<entry id="#"><fact>1#/fact.txt</fact></entry>|<root>|</root>',
    '<entry id="1"/>|<root>|</root>',
    '<candidate_case id="#"/>|<root><entry id="1">|</entry></root>',
    '/|<root><entry id="1"><fact>|</fact></entry></root>',
    'a.txt/|<root><entry id="1"><fact>|</fact></entry></root>',
    '1,|<root><entry id="1"><cases_noticed>|</cases_noticed></entry></root>',
]
OF_QUESTIONS = [
    '<pair id="R98-#-A" label="Y"><t1>Article # A lamp.\n</t1><t2>\nA lamp.\n</t2></pair>\n|<dataset>|</dataset>',
    '<pair id="1"><t2/></pair>|<dataset>|</dataset>',
    'Article #\n|<dataset><pair id="1"><t1>|</t1><t2/></pair></dataset>',
    '1-|<dataset><pair id="1"><t1>Article 1|</t1><t2/></pair></dataset>',
    'の一|<dataset><pair id="1"><t1>第一条|　灯</t1><t2/></pair></dataset>',
    '一|<dataset><pair id="1"><t1>第|条　灯</t1><t2/></pair></dataset>',
]
OF_CODE = ["Article # A\n", "Article 1 A.\n", "Articles # through # Deleted\n", "Chapter 1 Lamps\n||Article 1 A\n"]
OF_CODE += ["(#) A lamp.\n|Article 1 A\n|", "a\n|Article 1 A\n|", "-1|Article 1| A\n", "(|Article 1 A\n(|"]
OF_CODE += ["I|Chapter | Lamps\nArticle 1 A\n", "Lamps |Chapter 1 |,\nArticle 1 A\n", "(a)|(|)\nArticle 1 A\n"]
OF_JAPANESE_CODE = [
    "（灯）\n第#条　灯\n２　灯\n一　灯\n",
    "一|第|条　灯",
    "の一|第一条|　灯",
    "第一章　灯\n||第一条　灯",
]
OF_JAPANESE_CODE += ["第一条から第二条まで　削除\n", "第一条及び||　削除\n"]
_LAW = ("<Law><LawBody><MainProvision>", "</MainProvision></LawBody></Law>")
OF_LAW = [f'<Article Num="1"/>|{_LAW[0]}|{_LAW[1]}', f"<Part><Part></Part></Part>|{_LAW[0]}|{_LAW[1]}"]
OF_LAW += ['<Article num="#"><caption>（灯）</caption><text>第一条　灯</text></Article>|<Articles>|</Articles>']
_TORT = '{"version": "v", "tort_id": "#", "undisputed_facts": [], "defendant_claims": [], "court_decision": true, '
OF_TORTS = [f'{_TORT}"plaintiff_claims": []}}\n', '{"a": 1, "a": 1}\n']
OF_TORTS += ['{"id": "#", "description": "", "is_accepted": true},|' + _TORT + '"plaintiff_claims": [|]}']
OF_EDITIONS = [
    "a#: 1\n",
    "- a\n|a:\n|",
    "[",
    "{a: ",
    "#\n",
    "- &a# 1\n",
    "- *a\n|a: &a [1]\nb:\n|",
    "---\n",
    "1:|a: |1\n",
]
OF_TEMPLATES = ["\n", "#\n", "[", "[question]\n", "a|[question]\n{text} {query}\n[question without text]\n{query}\n|"]

#: The file name of each kind, its limit, how it is read, and the forms of hostile files.
KINDS = {
    "decision": ("900001.txt", TEXT, as_file(read_text), TEXTS),
    "labels": ("labels.json", LABELS, as_file(read_json_labels), JSON + OF_LABELS),
    "labels of 2018": ("labels.xml", XML, as_file(read_xml_labels), XMLS + OF_XML_LABELS),
    "questions": ("r_en.xml", XML, as_file(lambda file: read_questions(file, "en")), XMLS + OF_QUESTIONS),
    "Japanese questions": ("r_jp.xml", XML, as_file(lambda file: read_questions(file, "ja")), OF_QUESTIONS),
    "civil code": ("civil_code_en.txt", TEXT, as_file(lambda file: read_civil_code(file, "en")), TEXTS + OF_CODE),
    "Japanese code": ("civil_code_jp.txt", TEXT, as_file(lambda file: read_civil_code(file, "ja")), OF_JAPANESE_CODE),
    "law": ("civil.xml", XML, as_file(lambda file: read_civil_code(file, "ja")), XMLS + OF_LAW),
    "instances": ("test001.jsonl", INSTANCES, as_file(read_instances), JSON + OF_TORTS),
    "gold": ("gold.txt", TEXT, as_file(read_gold_file), [*TEXTS, "# 0 1\n", "R98-01-A 0 #\n", "1 "]),
    "answers": ("answers.txt", TEXT, as_file(read_answer_file), [*TEXTS, "#\tY\n", "#\tY\n#\tN\n", "1\tY\n1\tN\n"]),
    "edition file": ("2099.yaml", EDITION, read_edition_file, OF_EDITIONS),
    "prompt template": ("own.txt", TEMPLATE, lambda path: template(str(path)), OF_TEMPLATES),
}


def filled(form, size):
    """A piece as often as it fits between a start and an end."""
    piece, start, end = (*form.split("|"), "", "")[:3]
    if "#" not in piece:
        return (start + piece * ((size - len(start + end)) // len(piece.encode())) + end).encode()
    pieces, left = [], size - len((start + end).encode())
    for number in count(1):
        pieces.append(piece.replace("#", str(number)))
        left -= len(pieces[-1].encode())
        if left < 0:
            return (start + "".join(pieces[:-1]) + end).encode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_just_above_its_limit_is_refused_before_it_is_read(tmp_path, monkeypatch, kind):
    name, limit, read, _ = KINDS[kind]
    with open(tmp_path / name, "wb") as file:
        file.truncate(limit.max_bytes + 1)
    monkeypatch.setattr(SizeLimit, "read", None)
    with pytest.raises(MalformedFileError) as caught:
        read(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: {limit.max_bytes + 1:,} bytes are too many for a")


@pytest.mark.slow
@pytest.mark.parametrize(
    "entries",
    [{f"{number}/a": "" for number in range(20_000)}, {"./" * 30_000 + f"{number}.txt": "" for number in range(20)}],
    ids=["many folders", "many dots"],
)
def test_the_directory_of_an_archive_is_read_in_little_time(tmp_path, entries):
    path = write_zip(tmp_path / "made.zip", entries)
    start = time.process_time()
    open_archive(File(DiskFolder(str(tmp_path)), path.name)).folders()
    assert time.process_time() - start < 10 * path.stat().st_size / 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_files_of_any_form_are_read_or_refused_in_little_time(tmp_path, kind, is_long):
    name, limit, read, forms = KINDS[kind]
    size = limit.max_bytes if is_long else min(SIZE, limit.max_bytes)
    for form in forms:
        (tmp_path / name).write_bytes(filled(form, size))
        start = time.process_time()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                read(tmp_path / name)
            except ColieeError as error:
                assert name in str(error), form  # noqa: PT017
        assert time.process_time() - start < SECONDS * max(size / SIZE, 1), form
        assert len(caught) <= WARNINGS, form
        assert all(issubclass(warned.category, ColieeWarning) for warned in caught), form
