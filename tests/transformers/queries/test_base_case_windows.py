"""Fragments replaced by windows of their base cases."""

import pandas as pd
import pytest

from ir_coliee.datasets.folds import FragmentCases
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError
from ir_coliee.text.citation_windows import citation_windows
from ir_coliee.transformers import CitationWindows

ID = "coliee/task2/sample/test"


@pytest.mark.parametrize("options", [{}, {"width": 50, "number": 1}, {"delete_fragment": True}])
def test_queries_become_the_windows_of_their_base_cases(options):
    cases = FragmentCases.of(SPLITS[ID])
    queries = pd.DataFrame({"qid": cases.qids[::-1], "query": "A lamp.", "query_toks": [{}] * len(cases.qids)})
    found = CitationWindows(ID, **options)(queries)
    texts = zip(cases.fragments, cases.base_cases)
    assert found["query"].tolist() == [citation_windows(*pair, **options) for pair in texts][::-1]
    assert found.columns.tolist() == ["qid", "query"]


def test_other_parameters_give_other_windows_with_the_same_transformer():
    queries = pd.DataFrame({"qid": ["900009"], "query": ["A lamp."]})
    windows = CitationWindows(ID, width=10)
    narrow = windows(queries)["query"][0]
    windows.width = 100
    assert len(windows(queries)["query"][0]) > len(narrow)


@pytest.mark.parametrize(("options", "message"), [({"width": 0}, "width"), ({"number": -1}, "number")])
def test_wrong_parameters_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        CitationWindows(ID, **options)


def test_a_query_of_another_split_is_named():
    with pytest.raises(ColieeError, match="has no query 900001"):
        CitationWindows(ID)(pd.DataFrame({"qid": ["900001"], "query": ["A lamp."]}))
