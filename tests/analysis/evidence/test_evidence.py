"""`evidence_for`: which kinds a pair gets, what is said where something is missing, and texts of any form."""

import json
from itertools import pairwise

import pandas as pd
import pytest
from analysis.evidence.sample_pairs import PAIRS, cases, pair_of

from ir_coliee.analysis import evaluate
from ir_coliee.analysis.evidence import KINDS, Evidence, evidence_for
from ir_coliee.display import Mark, MarkedText


def check(record):
    """A record in each of its forms."""
    text = str(record)
    assert text.startswith(record.title)
    assert "\0" not in text
    assert record._repr_html_().count("<table>") == len([it for it in record.display() if type(it).__name__ == "Table"])
    assert json.loads(json.dumps(record.as_json(), allow_nan=False))["kind"] == record.kind
    for _, extract in record.texts:
        ends = [(mark.start, mark.end) for mark in extract.marks]
        assert ends == sorted(ends)
        assert all(0 <= start < end <= len(extract.text) for start, end in ends)
        assert all(end <= start for (_, end), (start, _) in pairwise(ends))
        assert len(extract.text) <= 602


@pytest.mark.parametrize("dataset", PAIRS)
def test_any_item_has_evidence_and_not_only_a_relevant_one(dataset):
    query_id, _ = PAIRS[dataset]
    runs = evaluate(dataset, {"mine": {query_id: {PAIRS[dataset][1]: 1.0}}})
    for doc_id in [PAIRS[dataset][1], *[*runs.scorer.checker.candidates(query_id)][:6]]:
        found = evidence_for(runs, query_id, doc_id)
        assert [record.kind for record in found] == [kind.__name__ for kind in KINDS[runs.split.task]]
        for record in found:
            check(record)


def test_unknown_ids_are_errors():
    runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 1.0}}})
    for query_id, doc_id in (("900656", "999999"), ("999999", "900557")):
        with pytest.raises(KeyError, match="999999"):
            evidence_for(runs, query_id, doc_id)


SENTENCE = "The applicant asked for leave, and the lamp of the 2nd officer was lit on May 3, 2001."
REPEATED = {
    "one line": SENTENCE,
    "newlines": "\n",
    "carriage returns": "\r",
    "windows line ends": "\r\n",
    "blanks": " ",
    "no-break spaces": "\u00a0",
    "zeros": "\0",
    "digits": "1",
    "emoji": "\U0001f600",
    "brackets": "[",
    "one letter": "a",
    "line separators": "\u2028",
}
FORMS = {
    **{name: piece * (40_000 // len(piece.encode())) for name, piece in REPEATED.items()},
    "real": "".join(f"[{number}]\n\n{SENTENCE}\n{SENTENCE}\n\n" for number in range(1, 220)),
    "empty": "",
    "paragraphs": "".join(f"[{number}]\nword\n" for number in range(1, 1_800)),
    "marks": "\n[1]" * 3_000,
    "markers": "<FRAGMENT_SUPPRESSED> " * 2_000,
    "markers and words": "a b c d e f g h i j lamp FRAGMENT_SUPPRESSED " * 500,
    "right to left": "\u202elamp\u202c <b>\u200f</b> " * 500,
    "markup": "<script>alert(1)</script> & \x1b[2J \x00 " * 500,
    "surrogates": "lamp \ud800 " * 100,
    "Japanese": "灯を返す。" * 500,
}


@pytest.mark.parametrize("form", FORMS)
def test_texts_of_any_form_break_nothing(form):
    ordinary = "[1]\nA lamp of the carrier burned, as in <FRAGMENT_SUPPRESSED>, in May 1998. Karu, J."
    for query, item in ((FORMS[form], FORMS[form]), (FORMS[form], ordinary), (ordinary, FORMS[form])):
        pair = cases(query, item)
        for kind in KINDS["task1"]:
            if kind.__name__ != "shared_terms" or form != "surrogates":
                check(kind(pair))


@pytest.mark.parametrize("dataset", ["coliee/task3/sample/ja/test", "coliee/task4/sample/ja/test"])
@pytest.mark.parametrize("form", ["empty", "Japanese", "markup", "newlines"])
def test_statements_of_any_form_break_nothing(dataset, form):
    pair = pair_of(dataset, query={"statement": FORMS[form], "t1": FORMS[form]})
    for kind in KINDS[pair.runs.split.task]:
        check(kind(pair))


def test_a_record_describes_itself_once():
    table = pd.DataFrame({"a_name": ["a", "b"], "value": pd.Series([1, pd.NA], dtype="Int64"), "share": [0.5, None]})
    texts = (("query", MarkedText("a lamp", [Mark(2, 6, "shared")])),)
    record = Evidence("kind", "Title", {"number": 3, "nothing": None}, table, texts, ("A note.",))
    assert str(record).split("\n") == [
        "Title",
        "property  value",
        "number        3",
        "a name  value   share",
        "a           1  0.5000",
        "b",
        "query:",
        "a [lamp]",
        "A note.",
    ]
    assert record.as_json() == {
        "kind": "kind",
        "title": "Title",
        "facts": {"number": 3, "nothing": None},
        "rows": [{"a_name": "a", "value": 1, "share": 0.5}, {"a_name": "b", "value": None, "share": None}],
        "texts": [{"heading": "query", "text": "a lamp", "marks": [{"start": 2, "end": 6, "label": "shared"}]}],
        "notes": ["A note."],
    }


def test_a_text_without_characters_is_none():
    record = Evidence("kind", "Title", texts=(("claim", MarkedText("a lamp")), ("facts", MarkedText(""))))
    assert str(record).split("\n") == ["Title", "claim:", "a lamp", "facts: none"]
