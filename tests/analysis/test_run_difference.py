"""Two runs compared query by query, against a plain recomputation from sets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.analysis import difference
from ir_coliee.editions import split
from ir_coliee.evaluation.gold import scored_gold

TASK1 = "coliee/task1/sample/test"
GOLD = {(row.query_id, row.doc_id) for row in scored_gold(split(TASK1)).itertuples() if row.relevance > 0}
QUERIES = sorted({query_id for query_id, _ in GOLD})
ITEMS = sorted({doc_id for _, doc_id in GOLD})

#: An answer set: for each query some of the items.
RUNS = st.fixed_dictionaries(
    {}, optional={query_id: st.sets(st.sampled_from(ITEMS), min_size=1, max_size=5) for query_id in QUERIES}
).map(lambda sets: {query_id: dict.fromkeys(sorted(docs), 1.0) for query_id, docs in sets.items()})


def pairs(run):
    return {(query_id, doc_id) for query_id, docs in run.items() for doc_id in docs}


def micro_f1(answers):
    return 2 * len(answers & GOLD) / (len(answers) + len(GOLD))


def of_query(answers, query_id):
    return {pair for pair in answers if pair[0] == query_id}


@settings(max_examples=15, deadline=None)
@given(RUNS, RUNS)
def test_a_difference_is_that_of_the_sets(run_a, run_b):
    a, b = pairs(run_a), pairs(run_b)
    found = difference(TASK1, run_a, run_b)
    figures = found.figures.set_index("answers")["F1"]
    for name, answers in {"A": a, "B": b, "union": a | b, "intersection": a & b}.items():
        assert figures[name] == pytest.approx(micro_f1(answers))
    queries = found.queries.set_index("query_id")
    assert queries["contribution"].sum() == pytest.approx(micro_f1(a) - micro_f1(b), abs=1e-12)
    assert queries["won"].sum() - queries["lost"].sum() == len(a & GOLD) - len(b & GOLD)
    for query_id, row in queries.iterrows():
        gold = of_query(GOLD, query_id)
        own_a, own_b = of_query(a, query_id), of_query(b, query_id)
        assert (row["won"], row["lost"]) == (len((own_a - own_b) & gold), len((own_b - own_a) & gold))
        assert (row["shared_hits"], row["missed"]) == (len(own_a & own_b & gold), len(gold - own_a - own_b))
        assert (row["false_a"], row["false_b"]) == (len(own_a - own_b - gold), len(own_b - own_a - gold))
        assert row["shared_false"] == len(own_a & own_b - gold)
