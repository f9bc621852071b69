import itertools

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import MacroF2, MicroF1
from ir_coliee.evaluation.cutoffs import FittedCutoff
from ir_coliee.evaluation.fusion import search_weights, weight_grid
from ir_coliee.transformers import DynamicCutoff, RatioCutoff, TopK
from ir_coliee.transformers.fusion import NORMALISATIONS, weighted_sum

CUTOFFS = [TopK(1), TopK(2), RatioCutoff(0.6, max_items=3), DynamicCutoff(0.3, min_items=1, max_items=4)]

rows = st.lists(
    st.tuples(st.sampled_from("123"), st.sampled_from("abcde"), st.sampled_from([0.0, 1.0, 2.0, 5.0, -1.0])),
    unique_by=lambda row: row[:2],
)
gold = st.sets(st.tuples(st.sampled_from("1234"), st.sampled_from("abcdef")), min_size=1, max_size=8)


def run(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})


def value_of(results, qrels, measure):
    names = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}
    return ir_measures.calc_aggregate([measure], qrels.rename(columns=names), results.rename(columns=names))[measure]


@pytest.mark.slow
@given(st.tuples(rows, rows), gold, st.sampled_from([MicroF1, MacroF2]), st.sampled_from([*NORMALISATIONS, None]))
@settings(max_examples=15)
def test_each_value_is_that_of_fusing_cutting_and_scoring(rankings, gold, measure, normalise):
    frames = [run(rows) for rows in rankings]
    qrels = pd.DataFrame(sorted(gold), columns=["qid", "docno"]).assign(label=1)
    weights = [(0.5, 0.5), (1.0, 0.0), (0.2, 0.8)]
    found = search_weights(frames, qrels, measure, weights=weights, cutoffs=CUTOFFS, normalise=normalise, missing=0.1)
    values = []
    for each in weights:
        fused = weighted_sum(frames, each, normalise, 0.1)
        values.append([value_of(cutoff(fused), qrels, measure) for cutoff in CUTOFFS])
    best = [max(own) for own in values]
    assert found.cells[str(measure)].tolist() == pytest.approx(best, abs=1e-12)
    assert found.cells["weights"].tolist() == weights
    first = next(place for place, value in enumerate(best) if value >= max(best) - 1e-12)
    assert found.weights == weights[first]
    assert found.fitted == FittedCutoff(found.cells["cutoff"][first], pytest.approx(max(best)))
    chosen = next(place for place, value in enumerate(values[first]) if value >= best[first] - 1e-12)
    assert found.fitted.cutoff == CUTOFFS[chosen]


@pytest.mark.parametrize(("number", "steps"), [(1, 3), (3, 4)])
def test_the_grid_has_all_weights_of_these_steps_once_the_most_even_first(number, steps):
    grid = list(weight_grid(number, steps))
    every = {
        tuple(share / steps for share in shares)
        for shares in itertools.product(range(steps + 1), repeat=number)
        if sum(shares) == steps
    }
    assert set(grid) == every
    assert len(grid) == len(every)
    unevenness = [round(float(np.square(weights).sum()), 9) for weights in grid]
    assert unevenness == sorted(unevenness)


A, B = run([("1", "a", 3.0), ("1", "b", 1.0)]), run([("1", "b", 9.0), ("1", "a", 1.0)])
QRELS = pd.DataFrame({"qid": ["1"], "docno": ["b"], "label": [1]})


def test_without_weights_and_cut_offs_there_is_a_grid_of_both():
    found = search_weights([A, B], QRELS, MicroF1)
    assert len(found.cells) == 11
    assert found.fitted == FittedCutoff(TopK(1), 1.0)
    assert found.weights[1] > found.weights[0]


@pytest.mark.parametrize("weights", [[], [(1.0,)], [(1.0, 0.0), (1.0, 0.0, 0.0)], [(np.nan, 1.0)], [(np.inf, 1.0)]])
def test_weights_that_do_not_fit_the_rankings_are_refused(weights):
    with pytest.raises(ValueError, match="weights must contain at least one sequence of 2 finite numbers"):
        search_weights([A, B], QRELS, MicroF1, weights=weights)
