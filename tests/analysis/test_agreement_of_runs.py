"""Agreement of runs, against plain recomputations."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.analysis import agreement, evaluate
from ir_coliee.editions import split
from ir_coliee.errors import ColieeError, MissingLabelsError
from ir_coliee.evaluation.gold import scored_gold
from ir_coliee.releases.release import LocalRelease

TASK1 = "coliee/task1/sample/test"
LABELS = scored_gold(split(TASK1))
GOLD = {(row.query_id, row.doc_id) for row in LABELS.itertuples() if row.relevance > 0}
QUERIES = sorted(LABELS["query_id"].unique())
ITEMS = sorted({doc_id for _, doc_id in GOLD})[:6]
RUN = st.fixed_dictionaries(
    {QUERIES[0]: st.just(dict.fromkeys(ITEMS[:2], 1.0))},
    optional={query_id: st.dictionaries(st.sampled_from(ITEMS), st.just(1.0), max_size=5) for query_id in QUERIES[1:]},
)


def pairs(run):
    return {(query_id, doc_id) for query_id, docs in run.items() for doc_id in docs}


def f1(run, query_id):
    own, relevant = ({pair for pair in each if pair[0] == query_id} for each in (pairs(run), GOLD))
    return 2 * len(own & relevant) / (len(own) + len(relevant))


def kendall(xs, ys):
    def sign(number):
        return (number > 0) - (number < 0)

    signs = [(sign(x1 - x2), sign(y1 - y2)) for (x1, y1), (x2, y2) in itertools.combinations(zip(xs, ys), 2)]
    untied = [sum(pair[side] != 0 for pair in signs) for side in (0, 1)]
    return sum(a * b for a, b in signs) / math.sqrt(math.prod(untied)) if all(untied) else None


@pytest.mark.slow
@settings(max_examples=20)
@given(st.lists(RUN, min_size=2, max_size=4))
def test_agreement_is_that_of_the_sets_and_values(drawn):
    runs = dict(zip("abcd", drawn))
    found = agreement(evaluate(TASK1, runs))
    expected = list(itertools.combinations(runs, 2))
    assert [*zip(found["run_a"], found["run_b"])] == expected
    for (a, b), row in zip(expected, found.to_dict("records")):
        both, either = pairs(runs[a]) & pairs(runs[b]), pairs(runs[a]) | pairs(runs[b])
        assert row["jaccard"] == pytest.approx(len(both) / len(either))
        numbers = (row["shared"], row["shared_hits"], row["shared_false"])
        assert numbers == (len(both), len(both & GOLD), len(both - GOLD))
        xs, ys = ([round(f1(runs[name], query_id), 12) for query_id in QUERIES] for name in (a, b))
        tau = kendall(xs, ys)
        assert math.isnan(row["kendall"]) if tau is None else row["kendall"] == pytest.approx(tau, abs=1e-9)


def test_one_run_cannot_be_compared_and_empty_runs_share_nothing():
    with pytest.raises(ColieeError, match="At least two runs are needed"):
        agreement(evaluate(TASK1, {"a": {QUERIES[0]: {ITEMS[0]: 1.0}}}))
    empty = agreement(evaluate(TASK1, {"a": {QUERIES[0]: {}}, "b": {QUERIES[0]: {}}}))
    assert empty["shared"].tolist() == [0]
    assert empty[["jaccard", "kendall"]].isna().all(axis=None)


def test_without_labels_only_the_shared_answers_are_known(monkeypatch):
    def refuse(_release):
        raise MissingLabelsError("no labels")

    monkeypatch.setattr(LocalRelease, "qrels", refuse)
    found = agreement(evaluate(TASK1, {name: {QUERIES[0]: {ITEMS[0]: 1.0}} for name in "ab"}))
    assert [*found.columns] == ["run_a", "run_b", "shared", "jaccard"]
    assert found["jaccard"].tolist() == [1.0]
