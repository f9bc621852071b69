"""Transformers from text to text: what they do with a frame, and with decisions."""

import inspect

import numpy as np
import pandas as pd
import pytest

from ir_coliee.datasets.folds import FragmentCases
from ir_coliee.editions import SPLITS
from ir_coliee.text.citations import citation_windows, citing_context
from ir_coliee.text.cleaning import clean_case, remove_french
from ir_coliee.transformers import CleanCase, DropFrench, ExtractCitingContext, ExtractSummary
from ir_coliee.transformers.queries.texts import CitationWindows, TextTransformer

# --- any text --------------------------------------------------------------------------------------


class Reversed(TextTransformer):
    """A text backwards, and how many were asked for."""

    LABEL = "Reversed"
    asked = 0

    def changed(self, text):
        type(self).asked += 1
        return text[::-1]


QUERIES = pd.DataFrame({"qid": ["1", "2"], "query": ["lamp", "gate"]}, index=[7, 7])
RESULTS = pd.DataFrame(
    {"qid": ["1", "1"], "query": ["lamp", "lamp"], "docno": ["a", "b"], "text": ["oil", ""], "score": [1.0, 2.0]}
)


@pytest.mark.parametrize(
    ("on", "frame", "changed"),
    [
        (None, QUERIES, {"query": ["pmal", "etag"]}),
        (None, RESULTS, {"query": ["pmal", "pmal"], "text": ["lio", ""]}),
        ("text", RESULTS, {"text": ["lio", ""]}),
        ("summary", RESULTS.assign(summary="ab"), {"summary": ["ba", "ba"]}),
    ],
)
def test_texts_are_changed_and_other_columns_and_the_order_of_rows_are_kept(on, frame, changed):
    expected = frame.reset_index(drop=True).assign(**changed)
    pd.testing.assert_frame_equal(Reversed(on=on)(frame), expected)


def test_each_distinct_text_is_changed_once_and_missing_texts_stay_missing():
    Reversed.asked = 0
    texts = ["oil", None, "oil", np.nan, pd.NA]
    changed = Reversed()(pd.DataFrame({"docno": list("abcde"), "text": pd.Series(texts, dtype=object)}))["text"]
    assert changed.isna().tolist() == [False, True, False, True, True]
    assert changed.dropna().tolist() == ["lio", "lio"]
    assert Reversed.asked == 1


# --- decisions -------------------------------------------------------------------------------------

ENGLISH, FRENCH = "The lamp was lit by the keeper.", "La lampe a été allumée par le gardien."
DECISION = (
    f" <FRAGMENT_SUPPRESSED>  (FC)\nSummary:\nA lamp.\n- Topic 7\n[1]\n{ENGLISH}\n[1]\n{FRENCH}\n[2]\nSee the\n"
    f"<FRAGMENT_SUPPRESSED> .\n[3]\n{ENGLISH}\n{FRENCH}\n[4]\n{FRENCH}\n[End of document]\n"
)
DOCUMENTS = pd.DataFrame({"docno": ["900001", "900002"], "text": [DECISION, ENGLISH]})
DEFAULTS = {name: each.default for name, each in inspect.signature(clean_case).parameters.items() if name != "text"}
SWITCHES = [{name: True} for name, default in DEFAULTS.items() if not default]
TASK2 = "coliee/task2/sample/test"
BODY = f"(FC)\n[1]\n{ENGLISH}"


def changed(transformer, text=DECISION):
    return transformer(pd.DataFrame({"qid": ["900001"], "query": [text]}))["query"].item()


@pytest.mark.parametrize(
    ("transformer", "expected"),
    [
        (CleanCase(), clean_case(DECISION)),
        *((CleanCase(**switch), clean_case(DECISION, **switch)) for switch in SWITCHES),
        (DropFrench(), remove_french(DECISION, "paragraph")),
        (DropFrench("line"), remove_french(DECISION, "line")),
        (DropFrench(duplicates_only=True), remove_french(DECISION, "paragraph", duplicates_only=True)),
        *((ExtractCitingContext(words=words), citing_context(DECISION, words)) for words in (0, 7, 512)),
        (ExtractSummary(), "A lamp."),
    ],
    ids=repr,
)
def test_a_decision_is_changed_as_the_function_says(transformer, expected):
    assert changed(transformer) == expected != DECISION


@pytest.mark.parametrize(("lead", "expected"), [(200, ENGLISH), (3, "The lamp was"), (0, "")])
def test_a_decision_without_a_summary_is_replaced_by_its_first_words(lead, expected):
    assert changed(ExtractSummary(lead=lead), BODY) == expected


def test_the_report_names_what_is_dropped_without_its_text():
    report = DropFrench().report(DOCUMENTS.iloc[::-1])
    assert report[["docno", "row", "number", "is_duplicate"]].to_numpy().tolist() == [
        ["900001", 1, 1, True],
        ["900001", 1, 4, False],
    ]
    pieces = [DECISION[start:end] for start, end in zip(report["start"], report["end"])]
    assert pieces == [f"[1]\n{FRENCH}\n", f"[4]\n{FRENCH}\n"]
    assert set(report.select_dtypes(["object", "string"]).columns) <= {"column", "docno"}
    assert set(DropFrench().report(DOCUMENTS.assign(qid="900003", query=FRENCH))["column"]) == {"query", "text"}
    nothing = DropFrench().report(DOCUMENTS[1:])
    assert nothing.empty
    assert nothing.columns.tolist() == report.columns.tolist()


# --- fragments -------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"width": 50, "number": 1}, {"delete_fragment": True}])
def test_fragments_become_windows_of_their_base_cases(options):
    cases = FragmentCases.of(SPLITS[TASK2])
    queries = pd.DataFrame({"qid": cases.qids[::-1], "query": "A lamp.", "query_toks": [{}] * len(cases.qids)})
    windows = CitationWindows(TASK2)
    windows(queries)
    for name, value in options.items():
        windows.set_parameter(name, value)  # takes effect at the next call
    found = windows(queries)
    texts = zip(cases.fragments, cases.base_cases)
    assert found["query"].tolist() == [citation_windows(*pair, **options) for pair in texts][::-1]
    assert found.columns.tolist() == ["qid", "query"]
