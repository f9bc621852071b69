"""Documents that come with their tokens: counted as they are given, whatever they hold, and bad ones named."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.engine import folders
from ir_coliee.engine.term_counts import count_terms
from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import Pretokenised

GIVEN = Pretokenised()
tokens = st.text(min_size=1, max_size=4)
whole_numbers = st.integers(1, 2**31 - 1)


def counted(*toks, **options):
    return count_terms(({"docno": f"{number}", "toks": given} for number, given in enumerate(toks)), GIVEN, **options)


def rows(counts):
    terms = list(counts.vocabulary)
    return [
        {terms[column]: int(count) for column, count in zip(row.indices, row.data)}
        for row in (counts.counts[position] for position in range(len(counts)))
    ]


@pytest.mark.slow
@given(st.lists(st.dictionaries(tokens, whole_numbers | whole_numbers.map(float), max_size=6), max_size=6))
@settings(max_examples=100)
def test_counts_are_those_that_were_given_and_survive_the_disk(tmp_path_factory, documents):
    counts = counted(*documents)
    assert rows(counts) == documents
    assert list(counts.vocabulary) == sorted({token for document in documents for token in document})
    assert counts.lengths.tolist() == [sum(document.values()) for document in documents]
    folder = tmp_path_factory.mktemp("written") / "index"
    folders.save(counts, folder)
    opened = folders.load(folder)
    assert (rows(opened), opened.analyser) == (documents, GIVEN)


@pytest.mark.parametrize("toks", [["lamp", "gate", "lamp"], ("gate", "lamp", "lamp"), {"lamp": 2.0, "gate": 1}])
def test_a_list_of_tokens_is_as_good_as_their_counts(toks):
    assert rows(counted(toks)) == [{"gate": 1, "lamp": 2}]


@pytest.mark.parametrize(
    ("toks", "message"),
    [
        (
            {"lamp": 1.5},
            r"Document 1: the count of its token 'lamp' is 1\.5\.\nExpected: an integer from 1 to 2,147,483,647",
        ),
        ({"gate": 1, "lamp": 0}, "of its token 'lamp' is 0.\nExpected"),
        ({"lamp": math.nan}, "is nan.\nExpected"),
        ({"lamp": 2**31}, "is 2147483648.\nExpected"),
        ({"lamp": "1"}, "is '1'.\nExpected"),
        ({"lamp": pd.NA}, "is <NA>.\nExpected"),
        ({"lamp": np.array([1, 2])}, r"is array\(\[1, 2\]\).\nExpected"),
        ({"la\nmp": [1]}, r"of its token 'la\\\\nmp' is \[1\].\nExpected"),
        ({"": 1}, "Document 1 must have nonempty strings as tokens, got a value of type str"),
        (["lamp", None], "got a value of type NoneType"),
        ([["lamp"]], "got a value of type list"),
        ("lamp gate", "Document 1 must have a dict from token to count, or a list of tokens, as toks, got a value of"),
        (None, "as toks, got a value of type NoneType"),
    ],
)
def test_what_is_no_token_or_no_count_is_refused_with_the_document(toks, message):
    with pytest.raises(ColieeError, match=message):
        counted(["lamp"], toks)


def test_a_text_as_a_query_is_refused_with_what_can_be_given():
    counts = counted(["lamp"])
    with pytest.raises(ColieeError, match=r"Give queries as query_toks .* or as query_docno"):
        counts.query_vectors(["lamp"])
    assert counts.query_vectors([]).shape == (0, 1)
