"""Overlap and correlation of runs, against plain recomputations."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.analysis import correlation, evaluate, overlap
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


def pearson(xs, ys):
    mean_x, mean_y = (sum(values) / len(values) for values in (xs, ys))
    products = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    squares = math.prod(sum((value - mean) ** 2 for value in values) for values, mean in ((xs, mean_x), (ys, mean_y)))
    return products / math.sqrt(squares) if min(len({*xs}), len({*ys})) > 1 else None


def ranks(values):
    """The mean place of each value among the sorted ones."""
    return [sum(other < value for other in values) + (values.count(value) - 1) / 2 for value in values]


def kendall(xs, ys):
    def sign(number):
        return (number > 0) - (number < 0)

    signs = [(sign(x1 - x2), sign(y1 - y2)) for (x1, y1), (x2, y2) in itertools.combinations(zip(xs, ys), 2)]
    untied = [sum(pair[side] != 0 for pair in signs) for side in (0, 1)]
    return sum(a * b for a, b in signs) / math.sqrt(math.prod(untied)) if all(untied) else None


@settings(max_examples=20)
@given(st.lists(RUN, min_size=2, max_size=4))
def test_overlap_and_correlation_are_those_of_the_sets(drawn):
    runs = dict(zip("abcd", drawn))
    evaluated = evaluate(TASK1, runs)
    shared, correlated = overlap(evaluated), correlation(evaluated)
    expected = list(itertools.combinations(runs, 2))
    assert [*zip(shared["run_a"], shared["run_b"])] == [*zip(correlated["run_a"], correlated["run_b"])] == expected
    for (a, b), of_sets, of_values in zip(expected, shared.to_dict("records"), correlated.to_dict("records")):
        both, either = pairs(runs[a]) & pairs(runs[b]), pairs(runs[a]) | pairs(runs[b])
        assert of_sets["jaccard"] == pytest.approx(len(both) / len(either))
        numbers = (of_sets["shared"], of_sets["shared_hits"], of_sets["shared_false"])
        assert numbers == (len(both), len(both & GOLD), len(both - GOLD))
        xs, ys = ([round(f1(runs[name], query_id), 12) for query_id in QUERIES] for name in (a, b))
        plain = {"pearson": pearson(xs, ys), "spearman": pearson(ranks(xs), ranks(ys)), "kendall": kendall(xs, ys)}
        for name, value in plain.items():
            if value is None:
                assert math.isnan(of_values[name])
            else:
                assert of_values[name] == pytest.approx(value, abs=1e-9)


def test_a_run_that_is_equal_everywhere_has_no_correlation_and_that_is_said():
    evaluated = evaluate(TASK1, {"nothing": {QUERIES[0]: {}}, "something": {QUERIES[0]: {ITEMS[0]: 1.0}}})
    found = correlation(evaluated)
    assert found[["pearson", "spearman", "kendall"]].isna().all(axis=None)
    assert "Not defined for runs with the same value for all queries: nothing" in str(found)
    empty = overlap(evaluate(TASK1, {"a": {QUERIES[0]: {}}, "b": {QUERIES[0]: {}}}))
    assert empty["shared"].tolist() == [0]
    assert empty["jaccard"].isna().all()


@pytest.mark.parametrize("analysis", [overlap, correlation])
def test_one_run_cannot_be_compared(analysis):
    with pytest.raises(ColieeError, match="At least two runs are needed"):
        analysis(evaluate(TASK1, {"a": {QUERIES[0]: {ITEMS[0]: 1.0}}}))


def test_without_labels_only_the_overlap_is_known(monkeypatch):
    def refuse(_release):
        raise MissingLabelsError("no labels")

    monkeypatch.setattr(LocalRelease, "qrels", refuse)
    evaluated = evaluate(TASK1, {name: {QUERIES[0]: {ITEMS[0]: 1.0}} for name in "ab"})
    found = overlap(evaluated)
    assert found["jaccard"].tolist() == [1.0]
    assert found["shared_hits"].isna().all()
    assert "not known without gold labels" in str(found)
    with pytest.raises(MissingLabelsError):
        correlation(evaluated)
