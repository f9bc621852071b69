"""Decisions cleaned, without French, summarised, and where they cite."""

import inspect

import pandas as pd
import pytest

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.text.case_cleaning import clean_case
from ir_coliee.text.citing_context import citing_context
from ir_coliee.text.french import remove_french
from ir_coliee.transformers import (
    CleanCase,
    DropFrench,
    ExtractCitingContext,
    ExtractSummary,
    LexicalIndexer,
    Retriever,
)

ENGLISH, FRENCH = "The lamp was lit by the keeper.", "La lampe a été allumée par le gardien."
DECISION = (
    f" <FRAGMENT_SUPPRESSED>  (FC)\nSummary:\nA lamp.\n- Topic 7\n[1]\n{ENGLISH}\n[1]\n{FRENCH}\n[2]\nSee the\n"
    f"<FRAGMENT_SUPPRESSED> .\n[3]\n{ENGLISH}\n{FRENCH}\n[4]\n{FRENCH}\n[End of document]\n"
)
DOCUMENTS = pd.DataFrame({"docno": ["900001", "900002"], "text": [DECISION, ENGLISH]})
SWITCHES = [name for name in inspect.signature(clean_case).parameters if name != "text"]


def changed(transformer, text=DECISION):
    return transformer(pd.DataFrame({"qid": ["900001"], "query": [text]}))["query"].item()


def test_clean_case_has_the_switches_of_the_function_with_the_same_defaults():
    of_function = inspect.signature(clean_case).parameters
    of_transformer = inspect.signature(CleanCase.__init__).parameters
    assert {name: of_transformer[name].default for name in SWITCHES} == {
        name: of_function[name].default for name in SWITCHES
    }


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("value", [True, False])
def test_each_switch_reaches_the_function(switch, value):
    assert changed(CleanCase(**{switch: value})) == clean_case(DECISION, **{switch: value})
    assert changed(CleanCase(**{switch: value})) != changed(CleanCase(**{switch: not value}))


@pytest.mark.parametrize("by", ["paragraph", "line"])
@pytest.mark.parametrize("duplicates_only", [True, False])
def test_french_goes_as_the_function_says(by, duplicates_only):
    expected = remove_french(DECISION, by, duplicates_only=duplicates_only)
    assert changed(DropFrench(by, duplicates_only=duplicates_only)) == expected != DECISION


def test_the_report_tells_what_goes_and_no_word_of_it():
    report = DropFrench().report(DOCUMENTS.iloc[::-1])
    assert report["docno"].tolist() == ["900001", "900001"]
    assert report["row"].tolist() == [1, 1]
    assert report["number"].tolist() == [1, 4]
    assert report["is_duplicate"].tolist() == [True, False]
    pieces = [DECISION[start:end] for start, end in zip(report["start"], report["end"])]
    assert pieces == [f"[1]\n{FRENCH}\n", f"[4]\n{FRENCH}\n"]
    assert set(report.select_dtypes(["object", "string"]).columns) <= {"column", "docno"}


def test_the_report_has_what_the_transformer_drops_alone():
    assert DropFrench(duplicates_only=True).report(DOCUMENTS)["number"].tolist() == [1]
    both = DOCUMENTS.assign(qid="900003", query=FRENCH)
    assert DropFrench(on="text").report(both)["column"].unique().tolist() == ["text"]
    assert set(DropFrench().report(both)["column"]) == {"query", "text"}
    assert DropFrench().report(both)["qid"].unique().tolist() == ["900003"]


def test_a_report_of_nothing_has_the_same_columns():
    nothing = DropFrench().report(pd.DataFrame({"docno": ["a", "b"], "text": [ENGLISH, None]}))
    assert nothing.empty
    assert nothing.columns.tolist() == DropFrench().report(DOCUMENTS).columns.tolist()


def test_an_unknown_unit_is_refused():
    with pytest.raises(ValueError, match="by='word'"):
        DropFrench("word")


def test_a_summary_or_else_the_lead():
    assert changed(ExtractSummary()) == "A lamp."
    assert changed(ExtractSummary(lead=3), f"(FC)\n[1]\n{ENGLISH}") == "The lamp was"
    assert changed(ExtractSummary(), f"(FC)\n[1]\n{ENGLISH}") == ENGLISH
    assert changed(ExtractSummary(lead=0), f"(FC)\n[1]\n{ENGLISH}") == ""
    with pytest.raises(ValueError, match="lead must be an integer >= 0, got -1"):
        ExtractSummary(lead=-1)


def test_the_citing_context_as_the_function_gives_it():
    for words in (0, 7, 512):
        assert changed(ExtractCitingContext(words=words)) == citing_context(DECISION, words)
    with pytest.raises(ValueError, match="words must be an integer >= 0, got -1"):
        ExtractCitingContext(words=-1)


def test_they_follow_each_other_on_the_way_into_an_index(tmp_path):
    pipeline = DropFrench("line") >> CleanCase(drop_header=True) >> LexicalIndexer(tmp_path / "index")
    index = pipeline.index(DOCUMENTS.to_dict("records"))
    assert set(Retriever(index).search("keeper")["docno"]) == {"900001", "900002"}
    for gone in ("lampe", "suppressed", "fc"):
        with pytest.warns(ColieeWarning, match="no term of the index"):
            assert Retriever(index).search(gone).empty


@pytest.mark.parametrize("transformer", [CleanCase(), DropFrench(), ExtractSummary(), ExtractCitingContext()])
def test_what_is_no_text_is_refused_and_what_is_missing_stays_so(transformer):
    with pytest.raises(ColieeError, match="Row 1: text must be a string"):
        transformer(pd.DataFrame({"docno": ["a", "b"], "text": [None, 7]}))
    kept = transformer(pd.DataFrame({"docno": ["a", "b"], "text": [None, ""]}))["text"]
    assert pd.isna(kept[0])
    assert kept[1] == ""
