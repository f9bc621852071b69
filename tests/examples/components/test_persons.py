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
    found = FindPersons()(query(*texts))
    assert found["persons"].tolist() == [person_letters(text or "") if isinstance(text, str) else () for text in texts]
    results = query(*texts).assign(docno="1", score=1.0, rank=0)
    assert FindPersons()(results)["persons"].tolist() == found["persons"].tolist()


def test_persons_are_looked_for_in_the_column_named():
    frame = query("A lamp.").assign(statement="B sold it to C.")
    assert FindPersons(on="statement")(frame)["persons"].tolist() == [("B", "C")]
    with pytest.raises(pt.validate.InputValidationError, match="statement"):
        FindPersons(on="statement")(query("A lamp."))
    with pytest.raises(ColieeError, match="Query 0: its query is of the type int"):
        FindPersons()(query(5))
