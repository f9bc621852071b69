"""Candidates to learn from, against a plain count by hand."""

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import hard_negatives

RUN = pd.DataFrame(
    {
        "qid": ["900"] * 5 + ["901"] * 3,
        "docno": ["1", "2", "3", "4", "5", "1", "2", "3"],
        "score": [5.0, 4.0, 3.0, 2.0, 1.0, 1.0, 3.0, 2.0],
        "text": [f"paragraph {number}" for number in range(8)],
    },
    index=[4] * 8,
)
GOLD = pd.DataFrame({"qid": ["900", "900", "901"], "docno": ["2", "5", "1"], "label": [1, 2, 1]})


def pairs(frame):
    return list(zip(frame["qid"], frame["docno"]))


def test_all_relevant_candidates_stay_and_the_best_ranked_wrong_ones():
    mined = hard_negatives(RUN, GOLD, number=1)
    assert pairs(mined) == [("900", "1"), ("900", "2"), ("900", "5"), ("901", "2"), ("901", "1")]
    assert mined["text"].tolist() == ["paragraph 0", "paragraph 1", "paragraph 4", "paragraph 6", "paragraph 5"]
    assert mined.index.tolist() == list(range(5))


@pytest.mark.parametrize(
    ("run", "gold", "number", "error", "message"),
    [
        (RUN, GOLD.assign(docno=[2, 5, 1]), 1, ColieeError, "The docno 2 is not a string"),
        (RUN.assign(docno=["1", 2, *"34512", "3"]), GOLD, 1, ColieeError, "The docno 2 is not a string"),
        (RUN.iloc[:0], GOLD, 1, ColieeError, "None of the 0 candidates are relevant"),
        (RUN, GOLD, 0, ValueError, "number must be an integer >= 1"),
        (RUN.drop(columns="docno"), GOLD, 1, pt.validate.InputValidationError, "docno"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(run, gold, number, error, message):
    with pytest.raises(error, match=message):
        hard_negatives(run, gold, number)


@pytest.mark.slow
@given(
    st.dictionaries(
        st.integers(0, 3).map(str),
        st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6),
        min_size=1,
    ),
    st.integers(1, 3),
)
def test_a_plain_loop_finds_the_same(queries, number):
    rows = [(q, f"{q}-{i}", float(s), r) for q, of in queries.items() for i, (s, r) in enumerate(of)]
    run = pd.DataFrame(rows, columns=["qid", "docno", "score", "right"])
    gold = run[run["right"]][["qid", "docno"]].assign(label=1)
    expected = []
    for qid in queries:
        ranked = sorted((row for row in rows if row[0] == qid), key=lambda row: (-row[2], row[1]))
        wrong = [row for row in ranked if not row[3]][:number]
        if len([row for row in ranked if row[3]]):
            expected += [(qid, row[1]) for row in ranked if row[3] or row in wrong]
    if len(gold) in (0, len(run)):
        with pytest.raises(ColieeError):
            hard_negatives(run, gold, number)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        assert pairs(hard_negatives(run, gold, number)) == expected
