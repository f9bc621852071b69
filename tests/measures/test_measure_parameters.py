"""What all measures share: names, parameters, equality, forms of input."""

import ir_measures
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import AnswerAccuracy, GatedAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF, MicroF1, MicroP, MicroR

OF_SETS = [MicroP, MicroR, MicroF1, MicroF, MacroP, MacroR, MacroF2, MacroF]
ALL = [*OF_SETS, AnswerAccuracy]

QRELS = {"1": {"a": 1, "b": 1}, "2": {"c": 1, "d": 2}, "3": {"a": 0}}
RUN = {"1": {"a": 3.0, "x": 2.0, "y": 1.0}, "3": {"a": 1.0}}


def value(measure, qrels=QRELS, run=RUN):
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


@pytest.mark.parametrize(
    "measure", [*OF_SETS, GatedAccuracy, MicroF(beta=2), MacroF(beta=0.5, empty=1), MicroF1(rel=2)], ids=str
)
def test_the_repr_of_a_measure_is_its_name_for_the_parser(measure):
    for variant in (measure, measure @ 7):
        assert repr(ir_measures.parse_measure(repr(variant))) == repr(variant)


@pytest.mark.parametrize("measure", [MicroF, MacroF], ids=str)
@pytest.mark.parametrize("beta", [True, float("inf"), 1e6 + 1, 0, -1, "1"])
def test_a_beta_that_is_too_large_or_no_number_is_refused(measure, beta):
    with pytest.raises(ValueError, match=r"beta must be a number > 0 and <= 1e6"):
        measure(beta=beta)


@pytest.mark.parametrize("measure", [MicroF, MacroF], ids=str)
@pytest.mark.parametrize(("beta", "like"), [(10**6, MacroR), (1e-300, MacroP)])
def test_at_its_bounds_beta_makes_recall_or_precision(measure, beta, like):
    one = {"1": {"a": 1, "b": 1, "c": 1}}, {"1": {"a": 1.0, "x": 0.5}}
    assert value(measure(beta=beta), *one) == pytest.approx(value(like, *one))


@pytest.mark.parametrize("measure", [*OF_SETS, GatedAccuracy], ids=str)
@pytest.mark.parametrize("cutoff", [0, -1, 2.0, "2", True])
def test_a_cutoff_that_is_not_a_whole_number_from_one_is_refused(measure, cutoff):
    with pytest.raises(ValueError, match=r"cutoff must be an integer >= 1"):
        measure @ cutoff


@pytest.mark.parametrize(
    ("measure", "parameters"),
    [(MicroF1, {"beta": 2}), (MacroF2, {"beta": 2}), (MacroP, {"empty": 1}), (MicroF, {"empty": 1})],
)
def test_an_unknown_parameter_is_refused_with_the_known_ones(measure, parameters):
    with pytest.raises(ValueError, match=rf"{measure.NAME} has no parameter .*\. It takes: rel, cutoff"):
        measure(**parameters)


@pytest.mark.parametrize("measure", [*ALL, MicroF1 @ 1], ids=str)
@pytest.mark.parametrize(
    "nothing", [{}, [], pd.DataFrame({"query_id": [], "doc_id": [], "score": []})], ids=["dict", "list", "frame"]
)
def test_an_empty_run_scores_zero_in_every_query(measure, nothing):
    result = ir_measures.calc([measure], QRELS, nothing)
    assert {metric.query_id: metric.value for metric in result.per_query} == {"1": 0, "2": 0, "3": 0}
    assert result.aggregated[measure] == 0


@pytest.mark.parametrize("measure", [*ALL, MicroF1 @ 5, MacroF(empty=1)], ids=str)
@pytest.mark.parametrize(
    "nothing", [{}, [], pd.DataFrame({"query_id": [], "doc_id": [], "relevance": []})], ids=["dict", "list", "frame"]
)
def test_without_any_query_in_the_qrels_the_value_is_zero(measure, nothing):
    result = ir_measures.calc([measure], nothing, RUN)
    assert (result.aggregated[measure], list(result.per_query)) == (0.0, [])


# near 1e9 neighbouring 64-bit scores are equal in 32 bits; 0.1 has no exact binary form
tied = st.sampled_from([1.0, 1.0 + 1e-9, 2.0, -1.0, 0.0, 1e9, 1e9 + 1, 0.1, 0.1 + 1e-12])


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from("ABCabc"), st.integers(0, 2), min_size=1),
    st.dictionaries(st.sampled_from("ABCabc"), tied, min_size=1),
    st.integers(1, 5),
)
@settings(max_examples=25)
def test_a_cutoff_keeps_the_items_that_trec_eval_keeps(gold, scores, k):
    trec_eval = pytrec_eval.RelevanceEvaluator({"1": gold}, {f"P_{k}", f"recall_{k}"})
    expected = trec_eval.evaluate({"1": scores})["1"]
    returned = min(k, len(scores))
    assert value(MacroP @ k, {"1": gold}, {"1": scores}) == pytest.approx(expected[f"P_{k}"] * k / returned)
    assert value(MacroR @ k, {"1": gold}, {"1": scores}) == pytest.approx(expected[f"recall_{k}"])
