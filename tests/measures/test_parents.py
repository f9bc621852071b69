"""MAP, R-precision and R@k of task 3: ir_measures' own, as the page on measures describes them."""

import ir_measures
import pytest

from ir_coliee import MicroR


def test_ir_measures_recall_at_k_is_a_mean_over_queries_and_so_not_that_of_the_tables():
    qrels, run = {"1": {"a": 1}, "2": {"b": 1, "c": 1}}, {"1": {"a": 1.0}, "2": {"x": 1.0}}
    values = ir_measures.calc_aggregate([ir_measures.R @ 1, MicroR @ 1], qrels, run)
    assert (values[ir_measures.R @ 1], values[MicroR @ 1]) == (1 / 2, pytest.approx(1 / 3))
