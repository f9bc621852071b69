"""Letters that stand for persons, as a column."""

import math

import pandas as pd
import pyterrier as pt
import pytest
from components.persons import FindPersons

from ir_coliee.errors import ColieeError
from ir_coliee.text.cues import person_letters


def query(*texts):
    return pd.DataFrame({"qid": [str(n) for n in range(len(texts))], "query": pd.Series(texts, dtype=object)})


def test_persons_become_a_column_of_queries_and_results():
    texts = ["A lent B a lamp.", "A lamp.", None, math.nan, "", "Ａは"]
    expected = [person_letters(text) if isinstance(text, str) else () for text in texts]
    for frame in (query(*texts), query(*texts).assign(docno="1", score=1.0, rank=0)):
        assert FindPersons()(frame)["persons"].tolist() == expected


def test_persons_are_looked_for_in_the_column_named():
    frame = query("A lamp.").assign(statement="B sold it to C.")
    assert FindPersons(on="statement")(frame)["persons"].tolist() == [("B", "C")]
    with pytest.raises(pt.validate.InputValidationError, match="statement"):
        FindPersons(on="statement")(query("A lamp."))
    with pytest.raises(ColieeError, match="Query 0: its query is of the type int"):
        FindPersons()(query(5))
