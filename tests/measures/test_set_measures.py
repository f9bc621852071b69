"""The measures of sets of answers: values by plain definitions, names, parameters, forms of input."""

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN

from ir_coliee import AnswerAccuracy, GatedAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF, MicroF1, MicroP, MicroR

OF_SETS = [MicroP, MicroR, MicroF1, MicroF, MacroP, MacroR, MacroF2, MacroF]
QRELS = {"1": {"a": 1, "b": 1}, "2": {"c": 1, "d": 2}, "3": {"a": 0}}
RUN = {"1": {"a": 3.0, "x": 2.0, "y": 1.0}, "3": {"a": 1.0}}


def value(measure, qrels=QRELS, run=RUN):
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


def nested(pairs, values):
    """Pairs of query and item as {query: {item: value}}."""
    found = {}
    for (query, item), number in zip(pairs, values):
        found.setdefault(query, {})[item] = number
    return found


pairs = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcde")), min_size=1, max_size=12, unique=True)


@pytest.mark.slow
@given(pairs, pairs, st.sampled_from([None, 1, 2]))
@settings(max_examples=25)
def test_values_are_those_of_plain_definitions_over_the_sizes_of_sets(gold, returned, k):
    counts = []
    for query in sorted({query for query, _ in gold}):
        wanted = {item for q, item in gold if q == query}
        found = [item for q, item in returned if q == query][:k]
        counts.append((len(wanted & {*found}), len(found), len(wanted)))
    plain = {measure: float(of(counts)) for measure, of in PLAIN.items() if measure != AnswerAccuracy}
    qrels, run = nested(gold, [1] * len(gold)), nested(returned, range(0, -len(returned), -1))
    variants = {measure: measure @ k if k else measure for measure in plain}
    found = ir_measures.calc_aggregate([*variants.values()], qrels, run)
    assert {measure: found[variant] for measure, variant in variants.items()} == pytest.approx(plain)
    assert {measure: measure.aggregate(*np.array(counts).T) for measure in plain} == pytest.approx(plain)


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


@pytest.mark.parametrize(
    "measure", [*OF_SETS, GatedAccuracy, MicroF(beta=2), MacroF(beta=0.5, empty=1), MicroF1(rel=2)], ids=str
)
def test_the_repr_of_a_measure_is_its_name_for_the_parser(measure):
    for variant in (measure, measure @ 7):
        assert repr(ir_measures.parse_measure(repr(variant))) == repr(variant)


@pytest.mark.parametrize("measure", [MicroF, MacroF], ids=str)
@pytest.mark.parametrize(("beta", "like"), [(10**6, MacroR), (1e-300, MacroP)])
def test_at_its_bounds_beta_makes_recall_or_precision(measure, beta, like):
    one = {"1": {"a": 1, "b": 1, "c": 1}}, {"1": {"a": 1.0, "x": 0.5}}
    assert value(measure(beta=beta), *one) == pytest.approx(value(like, *one))


REFUSED = [
    *(
        (lambda measure=measure, beta=beta: measure(beta=beta), "beta must be a number > 0 and <= 1e6")
        for measure in (MicroF, MacroF)
        for beta in (True, float("inf"), 1e6 + 1, 0, -1, "1")
    ),
    *(
        (lambda measure=measure, cutoff=cutoff: measure @ cutoff, "cutoff must be an integer >= 1")
        for measure in (*OF_SETS, GatedAccuracy)
        for cutoff in (0, -1, 2.0, "2", True)
    ),
    *(
        (lambda measure=measure, name=name: measure(**{name: 1}), rf"{measure.NAME} has no parameter .*takes: rel, cut")
        for measure, name in ((MicroF1, "beta"), (MacroF2, "beta"), (MacroP, "empty"), (MicroF, "empty"))
    ),
]


@pytest.mark.parametrize(("call", "problem"), REFUSED)
def test_a_parameter_that_is_unknown_or_out_of_range_is_refused(call, problem):
    with pytest.raises(ValueError, match=problem):
        call()


@pytest.mark.parametrize("measure", [*OF_SETS, AnswerAccuracy, MicroF1 @ 1, MacroF(empty=1)], ids=str)
@pytest.mark.parametrize("nothing", [dict, list, lambda: pd.DataFrame(columns=["query_id", "doc_id", "score"])])
def test_an_empty_run_and_empty_qrels_score_zero(measure, nothing):
    result = ir_measures.calc([measure], QRELS, nothing())
    of_3 = int(measure == MacroF(empty=1))  # nothing to be found, and nothing found
    assert {metric.query_id: metric.value for metric in result.per_query} == {"1": 0, "2": 0, "3": of_3}
    assert result.aggregated[measure] == pytest.approx(of_3 / 3)
    qrels = nothing()
    result = ir_measures.calc([measure], qrels.assign(relevance=[]) if isinstance(qrels, pd.DataFrame) else qrels, RUN)
    assert (result.aggregated[measure], list(result.per_query)) == (0.0, [])
