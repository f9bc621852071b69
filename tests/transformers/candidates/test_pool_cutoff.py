"""The cut-off at the threshold with the highest expected micro F1, against loops over thresholds and rows."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.measures import MicroF1
from ir_coliee.transformers import PoolCutoff

# an odd thousandth, so that no probability equals a threshold that rounding could move
probabilities = st.sampled_from([1, 99, 199, 299, 301, 599, 999]).map(lambda number: number / 1000)
texts = st.tuples(st.sampled_from("123"), probabilities, st.integers(1, 3))


def plain(texts, recall, min_items, max_items):
    """The documents to keep, if the text of number i has the documents 0.i, 1.i, …"""

    def expected(threshold):
        returned = [(p, k) for _, p, k in texts if p / k >= threshold]
        total = sum(k for _, k in returned) + math.fsum(p for _, p, _ in texts) / recall
        return 2 * math.fsum(p for p, _ in returned) / total if total else 0

    values = {percent / 100: expected(percent / 100) for percent in range(2, 60)}
    best = min(threshold for threshold, value in values.items() if value >= max(values.values()) - 1e-12)
    kept = set()
    for qid in {qid for qid, _, _ in texts}:
        own = [(p / k, number, k) for number, (query, p, k) in enumerate(texts) if query == qid]
        for place, (score, number, k) in enumerate(sorted(own, key=lambda text: (-text[0], text[1]))):
            if place < min_items or (place < max_items and score >= best):
                kept |= {f"{copy}.{number:02}" for copy in range(k)}
    return kept


@given(st.lists(texts, max_size=12), st.sampled_from([0.3, 0.85, 1.0]), st.integers(0, 2), st.integers(0, 3))
def test_texts_are_kept_above_the_best_threshold_with_all_their_documents(texts, recall, min_items, more):
    rows = [
        (qid, f"{copy}.{number:02}", p / k, f"text {number}")
        for number, (qid, p, k) in enumerate(texts)
        for copy in range(k)
    ]
    run = pd.DataFrame(rows, columns=["qid", "docno", "score", "text_id"]).astype({"score": float})
    max_items = max(1, min_items + more)
    cutoff = PoolCutoff(recall, min_items=min_items, max_items=max_items)
    found = cutoff(run)
    assert {*found["docno"]} == plain(texts, recall, min_items, max_items)
    single = run[~run.duplicated("text_id", keep=False)]
    assert cutoff(single).drop(columns="text_id").equals(cutoff(single.drop(columns="text_id")))


def test_texts_with_equal_scores_are_not_split():
    run = pd.DataFrame({"qid": "1", "docno": ["a1", "b1", "c1", "d1"], "score": 0.2, "text_id": list("abab")})
    assert PoolCutoff(max_items=1)(run)["docno"].tolist() == ["a1", "c1"]
    assert PoolCutoff(max_items=1)(run.drop(columns="text_id"))["docno"].tolist() == ["a1"]


def test_the_threshold_depends_on_all_queries_of_the_frame():
    run = pd.DataFrame({"qid": list("1122"), "docno": list("abab"), "score": [0.9, 0.2, 0.9, 0.2]})
    low = pd.DataFrame({"qid": "3", "docno": [f"d{number}" for number in range(50)], "score": 0.2})
    assert len(PoolCutoff()(run)) == 2
    assert PoolCutoff()(pd.concat([run, low]))["qid"].value_counts().to_dict() == {"1": 2, "2": 2, "3": 10}


def test_nothing_is_likely_and_still_every_query_is_answered():
    run = pd.DataFrame({"qid": list("112"), "docno": list("aba"), "score": [0.0, float("nan"), -1.0]})
    assert PoolCutoff()(run)["docno"].tolist() == ["a", "a"]
    assert PoolCutoff(min_items=0)(run).empty


def test_a_search_over_cut_offs_can_compare_it():
    run = pd.DataFrame({"qid": list("1122"), "docno": list("abab"), "score": [0.9, 0.2, 0.9, 0.2]})
    gold = pd.DataFrame({"qid": list("12"), "docno": "a", "label": 1})
    assert fit_cutoff(run, gold, MicroF1, [PoolCutoff()]).value == 1.0


@pytest.mark.parametrize("text_id", [None, float("nan"), 1, ["a"]])
def test_a_text_id_that_is_missing_or_no_string_is_refused(text_id):
    run = pd.DataFrame(
        {"qid": "1", "docno": ["a", "b"], "score": 0.9, "text_id": pd.Series(["a", text_id], dtype=object)}
    )
    with pytest.raises(ColieeError, match="text_id"):
        PoolCutoff()(run)


@pytest.mark.parametrize("recall", [0.0, 1.5, float("nan"), "all"])
def test_a_recall_that_is_no_share_is_refused(recall):
    with pytest.raises(ValueError, match=r"^recall must be a number in \(0, 1\]"):
        PoolCutoff(recall)
