"""The permutation test of groups against plain enumeration."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.evaluation.statistics import group_differences, group_p_values


def value(queries):
    """Measure of some queries, each a numerator and a denominator: the plain definition."""
    denominator = sum(below for _, below in queries)
    return sum(above for above, _ in queries) / denominator if denominator else 0.0


def enumerated(queries, members):
    """The difference and its exact p-value: every set of as many queries is tried, one after the other."""

    def difference(chosen):
        inside = [query for place, query in enumerate(queries) if place in chosen]
        outside = [query for place, query in enumerate(queries) if place not in chosen]
        return value(inside) - value(outside)

    observed = difference(members)
    every = [difference(chosen) for chosen in itertools.combinations(range(len(queries)), len(members))]
    return observed, sum(abs(each) >= abs(observed) - 1e-9 for each in every) / len(every)


def as_arrays(queries, members):
    terms = np.array(queries, dtype=float).T[:, np.newaxis, :]
    return terms, np.array([[place in members for place in range(len(queries))]])


pooled = st.tuples(st.integers(0, 4), st.integers(0, 9)).map(lambda pair: (2.0 * pair[0], float(sum(pair))))
means = st.tuples(st.sampled_from([0.0, 1 / 3, 5 / 9, 0.625, 1.0]), st.just(1.0))


@st.composite
def grouped_queries(draw, of):
    queries = draw(st.lists(of, min_size=2, max_size=8))
    members = draw(st.sets(st.integers(0, len(queries) - 1), min_size=1, max_size=len(queries) - 1))
    return queries, members


@settings(max_examples=60)
@given(st.one_of(grouped_queries(pooled), grouped_queries(means)))
def test_few_queries_give_the_exact_p_value(case):
    difference, p = enumerated(*case)
    terms, groups = as_arrays(*case)
    assert group_differences(terms, groups)[0, 0] == pytest.approx(difference)
    assert group_p_values(terms, groups)[0, 0] == pytest.approx(p)


def test_a_p_value_depends_neither_on_other_groups_nor_on_other_runs():
    rng = np.random.default_rng(2)
    terms = np.stack([rng.integers(0, 3, (40, 90)), rng.integers(3, 9, (40, 90))]).astype(float)
    groups = rng.random((7, 90)) < np.linspace(0.05, 0.9, 7)[:, np.newaxis]
    together = group_p_values(terms, groups, permutations=3000)
    assert group_p_values(terms[:, [5]], groups[[3]], permutations=3000).tolist() == [[together[3, 5]]]


def test_a_planted_difference_is_found_and_the_smallest_p_value_is_that_of_the_number_of_permutations():
    numerators = np.r_[np.ones(50), np.zeros(50)]
    terms = np.stack([numerators, np.ones(100)])[:, np.newaxis, :]
    groups = np.stack([np.arange(100) < 50, np.arange(100) % 2 == 0])
    assert group_p_values(terms, groups)[:, 0].tolist() == [1 / 10_001, 1.0]


def test_no_queries_and_all_queries_have_no_difference():
    terms = np.ones((2, 1, 4))
    groups = np.array([[False] * 4, [True] * 4])
    assert np.isnan(group_differences(terms, groups)).all()
    assert np.isnan(group_p_values(terms, groups)).all()
