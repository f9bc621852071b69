"""The cut-off at the threshold with the highest expected micro F1, against loops over thresholds and rows."""

import math
import tempfile
from pathlib import Path

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.evaluation.runs import load_run
from ir_coliee.evaluation.writing import write_ranking
from ir_coliee.transformers import PoolCutoff

# an odd thousandth, so that no probability equals a threshold that rounding could move
probabilities = st.sampled_from([1, 99, 199, 299, 301, 599, 999]).map(lambda number: number / 1000)
results = st.lists(st.tuples(st.sampled_from(["900656", "900795"]), probabilities), max_size=12)


def plain(results, recall, min_items, max_items):
    """The numbers of the results to keep."""

    def expected(threshold):
        returned = [p for _, p in results if p >= threshold]
        total = len(returned) + math.fsum(p for _, p in results) / recall
        return 2 * math.fsum(returned) / total if total else 0

    values = {percent / 100: expected(percent / 100) for percent in range(2, 60)}
    best = min(threshold for threshold, value in values.items() if value >= max(values.values()) - 1e-12)
    kept = set()
    for qid in {qid for qid, _ in results}:
        own = [(p, number) for number, (query, p) in enumerate(results) if query == qid]
        for place, (score, number) in enumerate(sorted(own, key=lambda each: (-each[0], each[1]))):
            if place < min_items or (place < max_items and score >= best):
                kept.add(number)
    return kept


@given(results, st.sampled_from([0.3, 0.85, 1.0]), st.integers(0, 2), st.integers(0, 3))
def test_items_are_kept_above_the_best_threshold_and_the_written_ranking_is_cut_alike(results, recall, min_items, more):
    rows = [(qid, f"{number:06}", p) for number, (qid, p) in enumerate(results)]
    run = pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})
    cutoff = PoolCutoff(recall, min_items=min_items, max_items=max(1, min_items + more))
    found = cutoff(run.assign(text_id="the same text"))
    assert {*map(int, found["docno"])} == plain(results, recall, min_items, cutoff.max_items)
    if run.empty:
        return
    with tempfile.TemporaryDirectory() as folder:
        write_ranking("coliee/task1/sample/test", run, Path(folder) / "a.trec", "mine")
        written = load_run("coliee/task1/sample/test", Path(folder) / "a.trec").frame
    assert [*zip(*cutoff(written)[["qid", "docno"]].values.T)] == [*zip(*found[["qid", "docno"]].values.T)]


def test_the_threshold_depends_on_all_queries_of_the_frame():
    run = pd.DataFrame({"qid": list("1122"), "docno": list("abab"), "score": [0.9, 0.2, 0.9, 0.2]})
    low = pd.DataFrame({"qid": "3", "docno": [f"d{number}" for number in range(50)], "score": 0.2})
    assert len(PoolCutoff()(run)) == 2
    assert PoolCutoff()(pd.concat([run, low]))["qid"].value_counts().to_dict() == {"1": 2, "2": 2, "3": 10}
