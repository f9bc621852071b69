"""Files of any size as an attacker would write them, and a child process that measures how one of them is read.

``python tests/hostile_files.py KIND FORM SIZE`` writes a file of this kind and form, reads it, and prints the CPU time
in seconds, the memory in bytes that reading took, and the outcome.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from itertools import count
from pathlib import Path

from ir_coliee.editions.files import read_edition_file
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.releases.cases import read_json_labels, read_xml_labels
from ir_coliee.releases.civil_code import read_civil_code
from ir_coliee.releases.files import DiskFolder, File, read_text
from ir_coliee.releases.statutes import read_answer_file, read_gold_file, read_questions
from ir_coliee.releases.torts import read_instances
from ir_coliee.storage import EDITION, INSTANCES, LABELS, TEMPLATE, TEXT, XML
from ir_coliee.text.templates import template


def filled(piece, size, start="", end=""):
    """A piece as often as it fits between a start and an end. Each ``#`` in it is replaced by a number that grows."""
    start, end = start.encode(), end.encode()
    size -= len(start) + len(end)
    if "#" not in piece:
        data = piece.encode()
        return start + data * (size // len(data)) + end
    pieces, left = [], size
    for number in count(1):
        data = piece.replace("#", str(number)).encode()
        left -= len(data)
        if left < 0:
            return start + b"".join(pieces) + end
        pieces.append(data)


SENTENCE = "The applicant asked for leave, and the lamp of the 2nd officer was lit on May 3, 2001.\n"
FORMS_OF_TEXT = {
    "real": (f"[#]\n\n{SENTENCE}{SENTENCE}\n",),
    "one line": (SENTENCE[:-1],),
    "newlines": ("\n",),
    "carriage returns": ("\r",),
    "windows line ends": ("\r\n",),
    "blanks": (" ",),
    "no-break spaces": ("\u00a0",),
    "zeros": ("\0",),
    "digits": ("1",),
    "emoji": ("\U0001f600",),
    "brackets": ("[",),
    "one letter": ("a",),
    "line separators": ("\u2028",),
}
FORMS_OF_JSON = {
    "one string": ("a", '"', '"'),
    "one key": ("a", '{"', '": []}'),
    "one number": ("9",),
    "nested lists": ("[",),
    "nested objects": ('{"a":',),
    "empty lists": ("[],", "[", "[]]"),
    "empty objects": ("{},", "[", "{}]"),
    "small numbers": ("1,", "[", "1]"),
    "numbers": ("1e9,", "[", "1]"),
    "backslashes": ("\\\\", '"', '"'),
    "escapes": ("\\u00e9", '"', '"'),
    "blanks": (" ",),
    "newlines": ("\n",),
}
FORMS_OF_XML = {
    "elements": ("<a/>", "<dataset>", "</dataset>"),
    "nested elements": ("<a>",),
    "one attribute": ("a", '<dataset a="', '"/>'),
    "attributes": ('a#="" ', "<dataset ", "/>"),
    "one text": ("a", "<dataset>", "</dataset>"),
    "one comment": ("a", "<!--", "--><dataset/>"),
    "comments": ("<!---->", "<dataset>", "</dataset>"),
    "references": ("&#38;", "<dataset>", "</dataset>"),
    "one name": ("a", "<", "/>"),
    "names": ("<a#/>", "<dataset>", "</dataset>"),
    "newlines": ("\n", "<dataset>", "</dataset>"),
    "blanks": (" ",),
}


def as_file(read):
    """A reader of a folder and a name, from one that takes a file."""
    return lambda folder, name: read(File(DiskFolder(folder), name))


CLAIM = '{"id": "#", "description": "", "is_accepted": true},'
INSTANCE = (
    '{"version": "v", "tort_id": "#", "undisputed_facts": [], "plaintiff_claims": [{"id": "0", "description": "%s", '
    '"is_accepted": true}], "defendant_claims": [], "court_decision": true}\n'
)
HEAD_OF_INSTANCE = '{"version": "v", "tort_id": "1", "undisputed_facts": [], "defendant_claims": [], '
HEAD_OF_CLAIMS = f'{HEAD_OF_INSTANCE}"court_decision": true, "plaintiff_claims": ['
QUESTION = '<pair id="R98-#-A" label="Y"><t1>Article # A lamp is a movable.\n</t1><t2>\nA lamp.\n</t2></pair>\n'
ARTICLE_OF_LAW = (
    '<Article Num="#"><ArticleCaption>（灯）</ArticleCaption><ArticleTitle>第一条</ArticleTitle><Paragraph Num="1">'
    "<ParagraphNum/><ParagraphSentence><Sentence>灯は、動産とする。</Sentence></ParagraphSentence></Paragraph></Article>"
)
LAW = ("<Law><LawBody><MainProvision>", "</MainProvision></LawBody></Law>")

#: By kind of file: its name, its limit, how it is read, and its forms: piece, start and end.
KINDS = {
    "decision": ("900001.txt", TEXT, as_file(read_text), FORMS_OF_TEXT),
    "labels": (
        "labels.json",
        LABELS,
        as_file(read_json_labels),
        {
            **FORMS_OF_JSON,
            "real": ('"#.txt": ["900002.txt", "900003.txt", "900004.txt"],\n', "{", '"1": []}'),
            "names": ('"#.txt",', "[", '"1.txt"]'),
            "repeated keys": ('"1": [],', "{", '"1": []}'),
            "repeated pairs": ('"#": [],"#": [],', "{", '"1": []}'),
            "two spellings": ('"#": [],"#.txt": [],', "{", '"1": []}'),
            "commas": (",", '{"1": "', '"}'),
            "items in a string": ("1,", '{"1": "', '"}'),
            "wrong values": ('"#": 1,', "{", '"1": 1}'),
        },
    ),
    "labels of 2018": (
        "labels.xml",
        XML,
        as_file(read_xml_labels),
        {
            **FORMS_OF_XML,
            "real": (
                '<instance id="#"><query>disk/#/fact.txt</query><candidate_case id="001">disk/#/candidates/001.txt'
                "</candidate_case><cases_noticed>001</cases_noticed></instance>\n",
                "<root>",
                "</root>",
            ),
            "repeated queries": ('<entry id="1"/>', "<root>", "</root>"),
            "other folders": ('<entry id="#"><fact>1#/fact.txt</fact></entry>', "<root>", "</root>"),
            "nested queries": ('<entry id="1">' * 40 + "</entry>" * 40, "<root>", "</root>"),
            "answers": ("1,", '<root><entry id="1"><cases_noticed>', "</cases_noticed></entry></root>"),
            "separators": (", ", '<root><entry id="1"><cases_noticed>', "</cases_noticed></entry></root>"),
            "items": ('<candidate_case id="#"/>', '<root><entry id="1">', "</entry></root>"),
            "slashes": ("/", '<root><entry id="1"><fact>', "</fact></entry></root>"),
            "names of files": ("a.txt/", '<root><entry id="1"><fact>', "</fact></entry></root>"),
        },
    ),
    "questions": (
        "riteval_R98_en.xml",
        XML,
        as_file(lambda file: read_questions(file, "en")),
        {
            **FORMS_OF_XML,
            "real": (QUESTION, "<dataset>", "</dataset>"),
            "repeated questions": ('<pair id="1"><t2/></pair>', "<dataset>", "</dataset>"),
            "wrong labels": ('<pair id="#" label="X"><t2/></pair>', "<dataset>", "</dataset>"),
            "nested questions": ('<pair id="1"><t2/>' * 40 + "</pair>" * 40, "<dataset>", "</dataset>"),
            "lines of a statement": ("a\n", '<dataset><pair id="1"><t2>', "</t2></pair></dataset>"),
            "articles": ("<article>#</article>", '<dataset><pair id="1"><t2/>', "</pair></dataset>"),
            "quoted heads": ("Article #\n", '<dataset><pair id="1"><t1>', "</t1><t2/></pair></dataset>"),
            "one quoted head": ("1-", '<dataset><pair id="1"><t1>Article 1', "</t1><t2/></pair></dataset>"),
            "one id": ("1-", '<dataset><pair id="', '"><t2/></pair></dataset>'),
        },
    ),
    "Japanese questions": (
        "riteval_R98_jp.xml",
        XML,
        as_file(lambda file: read_questions(file, "ja")),
        {
            "quoted heads": ("第一条　灯\n", '<dataset><pair id="1"><t1>', "</t1><t2/></pair></dataset>"),
            "one numeral": ("一", '<dataset><pair id="1"><t1>第', "条　灯</t1><t2/></pair></dataset>"),
            "branches": ("の一", '<dataset><pair id="1"><t1>第一条', "　灯</t1><t2/></pair></dataset>"),
        },
    ),
    "civil code": (
        "civil_code_en-1to724-2.txt",
        TEXT,
        as_file(lambda file: read_civil_code(file, "en")),
        {
            **FORMS_OF_TEXT,
            "articles": (
                "(Lamps)\nArticle #  A lamp is a movable thing, unless it is lit.\n(2) A lamp.\n(i) an item;\n",
            ),
            "heads": ("Article # A\n",),
            "repeated heads": ("Article 1 A.\n",),
            "deleted": ("Article # Deleted\n",),
            "ranges": ("Articles # through # Deleted\n",),
            "headings": ("Chapter 1 Lamps\n", "", "Article 1 A\n"),
            "headings below": ("Chapter 1 Lamps\n", "Article 1 A\n", ""),
            "captions": ("(Lamps)\n", "", "Article 1 A\n"),
            "no lines with a sentence": ("a\n", "Article 1 A\n", ""),
            "paragraphs": ("(#) A lamp.\n", "Article 1 A\n", ""),
            "items": ("(i) A lamp.\n", "Article 1 A\n", ""),
            "wrapped references": ("paragraph\n(2)\n", "Article 1 A\n", ""),
            "branches": ("-1", "Article 1", " A\n"),
            "a number": ("1", "Article ", " A\n"),
            "one heading": ("I", "Chapter ", " Lamps\nArticle 1 A\n"),
            "open brackets": ("(", "Article 1 A\n(", ""),
            "words": ("Lamps ", "Chapter 1 ", ",\nArticle 1 A\n"),
            "commas": ("A,", "Article 1 ", "\n"),
            "one caption": ("(a)", "(", ")\nArticle 1 A\n"),
        },
    ),
    "Japanese civil code": (
        "civil_code_jp-1to724-2.txt",
        TEXT,
        as_file(lambda file: read_civil_code(file, "ja")),
        {
            "real": ("（灯）\n第#条　灯は、動産とする。\n２　灯\n一　灯\n",),
            "heads": ("第一条　灯\n",),
            "repeated heads": ("第一条　灯。\n",),
            "one numeral": ("一", "第", "条　灯"),
            "branches": ("の一", "第一条", "　灯"),
            "headings": ("第一章　灯\n", "", "第一条　灯"),
            "items": ("一　灯\n", "第一条　灯\n", ""),
            "ideographic blanks": ("\u3000",),
            "ranges": ("第一条から第二条まで　削除\n",),
            "one range": ("第一条及び", "", "　削除\n"),
        },
    ),
    "civil code of the law service": (
        "civil.xml",
        XML,
        as_file(lambda file: read_civil_code(file, "ja")),
        {
            **{
                form: (parts[0], *(part.replace("dataset", "Law") for part in parts[1:]))
                for form, parts in FORMS_OF_XML.items()
            },
            "real": (ARTICLE_OF_LAW, *LAW),
            "without content": ('<Article Num="1"/>', *LAW),
            "reading aids": (
                "<Ruby>灯<Rt>a</Rt></Ruby>",
                f'{LAW[0]}<Article Num="1"><Paragraph><ParagraphSentence><Sentence>',
                f"</Sentence></ParagraphSentence></Paragraph></Article>{LAW[1]}",
            ),
            "nested parts": ("<Part>" * 30 + "</Part>" * 30, *LAW),
            "organisers": (
                '<Article num="#"><caption>（灯）</caption><text>第一条　灯</text></Article>',
                "<Articles>",
                "</Articles>",
            ),
            "lines of an article": ("a\n", '<Articles><Article num="1"><text>', "</text></Article></Articles>"),
        },
    ),
    "instances": (
        "test001.jsonl",
        INSTANCES,
        as_file(read_instances),
        {
            **FORMS_OF_JSON,
            "real": (INSTANCE % ("灯は、動産とする。" * 30),),
            "wide letters": (INSTANCE % ("a" * 100_000 + "\U0001f600"),),
            "small": (INSTANCE % "",),
            "claims": (
                CLAIM,
                HEAD_OF_CLAIMS,
                CLAIM.strip(",") + "]}",
            ),
            "one claim": (
                "a",
                HEAD_OF_CLAIMS + '{"id": "0", "is_accepted": true, "description": "',
                '"}]}',
            ),
            "repeated keys": (
                '"version": "",',
                "{",
                f'"version": "", {HEAD_OF_INSTANCE[1:]}"plaintiff_claims": [], "court_decision": true}}',
            ),
            "repeated keys in lines": ('{"a": 1, "a": 1}\n',),
            "repeated keys in instances": ((INSTANCE % "").replace("{", '{"version": "", ', 1),),
            "lone surrogates": (INSTANCE % "\\ud800",),
        },
    ),
    "gold": (
        "gold.txt",
        TEXT,
        as_file(read_gold_file),
        {
            **FORMS_OF_TEXT,
            "lines": ("# 0 1\n",),
            "one question": ("R98-01-A 0 #\n",),
            "columns": ("1 ",),
        },
    ),
    "answers": (
        "answers.txt",
        TEXT,
        as_file(read_answer_file),
        {**FORMS_OF_TEXT, "lines": ("#\tY\n",), "both": ("#\tY\n#\tN\n",), "one question": ("1\tY\n1\tN\n",)},
    ),
    "edition file": (
        "2099.yaml",
        EDITION,
        lambda folder, name: read_edition_file(Path(folder, name)),
        {
            "real": ("task#:\n  train: {corpus: [task1_train_files_2099], counts: {documents: 9000 M}}\n",),
            "keys": ("a#: 1\n",),
            "a list": ("- a\n", "a:\n", ""),
            "nested lists": ("[",),
            "nested mappings": ("{a: ",),
            "closed lists": ("[],", "a: [", "]"),
            "newlines": ("\n",),
            "comments": ("#\n",),
            "anchors": ("- &a# 1\n",),
            "references": ("- *a\n", "a: &a [1]\nb:\n", ""),
            "one key": ("a", "", ": 1\n"),
            "one string": ("a", 'a: "', '"\n'),
            "one number": ("1", "a: ", "\n"),
            "dashes": ("-",),
            "question marks": ("? ",),
            "quotes": ("'",),
            "blanks": (" ",),
            "colons": (": ",),
            "documents": ("---\n",),
            "underscores": ("1_", "a: ", "1\n"),
            "sexagesimal": ("1:", "a: ", "1\n"),
        },
    ),
    "prompt template": (
        "own.txt",
        TEMPLATE,
        lambda folder, name: template(os.path.join(folder, name)),
        {
            "real": ("Words. {text} {query}\n", "[question]\n{text} {query}\n[question without text]\n{query}\n", ""),
            "newlines": ("\n",),
            "comments": ("#\n",),
            "brackets": ("[",),
            "sections": ("[question]\n",),
            "one line": ("a", "[question]\n{text} {query}\n[question without text]\n{query}\n", ""),
        },
    ),
}


def content_of(kind, form, size):
    """A file of a kind and form with at most this many bytes."""
    return filled(*[KINDS[kind][3][form][0], size, *KINDS[kind][3][form][1:]])


def outcome(kind, folder):
    """Read the file of a kind: ``read`` or ``refused``, and the number of warnings."""
    name, _, read, _ = KINDS[kind]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            read(folder, name)
            result = "read"
        except ColieeError as error:
            result = "refused" if name in str(error) else f"refused without the name of the file: {error}"
    kinds = Counter(warning.category for warning in caught)
    return result, len(caught) if all(issubclass(kind, ColieeWarning) for kind in kinds) else repr(kinds)


def measure(kind, form, size):
    """Read a file of a kind, form and size in a child process; return CPU seconds, bytes of memory, and the outcome."""
    command = [sys.executable, __file__, kind, form, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def _peak():
    import resource  # Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _main(kind, form, size):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, KINDS[kind][0])
        if not os.fork():  # the content takes memory here alone
            with open(path, "wb") as file:
                file.write(content_of(kind, form, size))
            os._exit(0)
        os.wait()
        before, start = _peak(), time.process_time()
        result = outcome(kind, folder)
        print(json.dumps([time.process_time() - start, _peak() - before, *result]))


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
