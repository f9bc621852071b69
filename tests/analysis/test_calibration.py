"""Calibration against plain recomputation, and scores that are no probabilities."""

import numpy as np
import pytest
import scipy.stats

from ir_coliee.analysis import calibration, evaluate
from ir_coliee.analysis.curves import wilson_interval
from ir_coliee.errors import ColieeError

TASK1, TASK4 = "coliee/task1/sample/test", "coliee/task4/sample/en/test"


def evaluated(scores):
    """Return a run of task 1 whose ranking is itself."""
    return evaluate(TASK1, {"mine": scores}, rankings={"mine": scores})


def probabilities():
    runs = evaluate(TASK1, {"none": {"900656": {"900557": 1.0}}})
    documents = sorted(set(runs.gold["doc_id"]))
    random = np.random.default_rng(3)
    scores = {q: {d: float(random.random()) for d in documents if d != q} for q in runs.query_ids}
    scores[runs.query_ids[0]][documents[0]] = 1.0
    scores[runs.query_ids[0]][documents[1]] = 0.3  # on the border of two bins
    return runs, scores


def test_bins_against_plain_loops():
    runs, scores = probabilities()
    pairs = set(runs.gold.itertuples(index=False, name=None))
    bins = {}
    for query, of_query in scores.items():
        for document, score in of_query.items():
            bins.setdefault(min(int(score * 10), 9), []).append((score, (query, document) in pairs))
    frame = calibration(evaluated(scores))
    assert frame["items"].tolist() == [len(bins[number]) for number in sorted(bins)]
    error = 0.0
    for row, number in zip(frame.itertuples(), sorted(bins)):
        predicted, observed = (sum(column) / len(bins[number]) for column in zip(*bins[number]))
        assert (row.predicted, row.observed, row.from_score) == pytest.approx((predicted, observed, number / 10))
        error += len(bins[number]) * abs(observed - predicted) * (number > 0)
    number = sum(len(bins[number]) for number in bins if number > 0)
    assert frame.notes[0] == f"mine: expected calibration error {error / number:.4f} of the {number} items from 0.1 on"


def test_the_interval_is_that_of_scipy():
    hits, number = np.array([0, 1, 7, 10]), np.array([1, 4, 10, 10])
    low, high = wilson_interval(hits, number)
    for k, n, found in zip(hits, number, zip(low, high)):
        expected = scipy.stats.binomtest(int(k), int(n)).proportion_ci(method="wilson")
        assert found == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ({"900557": 12.5, "900912": 0.5}, "from 0.5 to 12.5, not in [0, 1]"),
        ({"900557": 0.5, "900912": 0.5}, "all are equal"),
    ],
)
def test_scores_that_are_no_probabilities(scores, reason):
    with pytest.raises(ColieeError) as error:
        calibration(evaluated({"900656": scores}))
    assert reason in str(error.value)


def test_runs_without_probabilities_are_left_out_by_name():
    _, scores = probabilities()
    lengths = {"900656": {"900557": 12.5, "900912": 0.5}}
    both = {"mine": scores, "lengths": lengths}
    frame = calibration(evaluate(TASK1, both, rankings=both))
    assert set(frame["run"]) == {"mine"}
    assert "Left out: lengths has scores from" in " ".join(frame.notes)


def test_answers_with_probabilities_of_a_task_with_one_answer():
    ids = evaluate(TASK4, {"none": {"R99-01-A": {"Y": 1.0}}}).query_ids
    scores = {query: {"Y": 0.55 + 0.02 * number} for number, query in enumerate(ids)}
    frame = calibration(evaluate(TASK4, {"mine": scores}))
    assert frame["items"].sum() == len(ids)
    assert (frame["observed"] * frame["items"]).sum() == pytest.approx(10)  # half of the statements are true
    with pytest.raises(ColieeError, match="no scores"):
        calibration(evaluate(TASK4, {"mine": {query: {"Y": 1.0} for query in ids}}))
