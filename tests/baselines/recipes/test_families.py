"""Each family of features left out: planted evidence is missed, and noise is not."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee import MicroF1
from ir_coliee.baselines.recipes import (
    BestCutoff,
    BoostedLearner,
    FeatureTable,
    QueryBlock,
    Recipe,
    ablation,
    fit,
    held_out,
    importances,
)
from ir_coliee.evaluation.comparison import compare_counts
from ir_coliee.evaluation.statistics import count_runs
from ir_coliee.transformers import TopK

pytest.importorskip("lightgbm")

RECIPE = Recipe(
    "tiny",
    (BoostedLearner(num_iterations=30, min_data_in_leaf=5, feature_fraction=1.0),),
    BestCutoff(MicroF1, (TopK(1),)),
    MicroF1,
)
CANDIDATES = 6


def block(number):
    """Twenty queries, each with one relevant candidate, which the family ``names`` tells and ``noise`` does not."""
    generator = np.random.default_rng(number)
    qids = [f"{number}-{row // CANDIDATES}" for row in range(20 * CANDIDATES)]
    docnos = [str(row % CANDIDATES) for row in range(len(qids))]
    relevant = np.array([docno == qid[-1] for qid, docno in zip(qids, docnos)])
    columns = {
        "names.judge": relevant + generator.normal(0, 0.2, len(qids)),
        "noise.one": generator.normal(size=len(qids)),
        "noise.two": generator.normal(size=len(qids)),
    }
    table = FeatureTable.of(qids, docnos, columns)
    return QueryBlock(str(number), table, lambda probabilities: {"second.value": probabilities}), relevant


MADE = [block(number) for number in range(3)]
BLOCKS = [each for each, _ in MADE]
ROWS = FeatureTable.concatenated([each.table for each in BLOCKS])
RELEVANT = np.concatenate([relevant for _, relevant in MADE])
GOLD = pd.DataFrame({"qid": ROWS.qids[RELEVANT], "docno": ROWS.docnos[RELEVANT], "label": 1})


@pytest.mark.slow
def test_the_family_that_tells_the_gold_is_missed_and_noise_is_not():
    found = ablation(RECIPE, BLOCKS, GOLD)
    rows = found.families.set_index("family")
    assert [*rows.index] == ["names", "noise"]
    assert rows["features"].tolist() == [1, 2]
    assert found.value == held_out(RECIPE, BLOCKS, GOLD).value > 0.9
    assert rows.loc["names", "difference"] > 0.4
    assert abs(rows.loc["noise", "difference"]) < 0.1
    without_names = held_out(RECIPE, [each.without("names") for each in BLOCKS], GOLD).value
    assert rows.loc["names", "without"] == without_names
    assert rows.loc["names", "difference"] == found.value - without_names
    assert rows.loc["names", "low"] > 0.2
    assert rows.loc["noise", "low"] <= rows.loc["noise", "difference"] <= rows.loc["noise", "high"]
    answers = {"with": held_out(RECIPE, BLOCKS, GOLD).answers}
    answers["without"] = held_out(RECIPE, [each.without("names") for each in BLOCKS], GOLD).answers
    [pair] = compare_counts(MicroF1, count_runs(answers, GOLD, MicroF1)).to_dict("records")
    assert (pair["low"], pair["high"]) == tuple(rows.loc["names", ["low", "high"]])
    assert rows["share"].sum() == pytest.approx(1)
    assert str(found).startswith("recipe tiny: MicroF1 ")
    assert "names.judge" in str(found)
    assert "candidates stay as they are\n" in str(found)


@pytest.mark.slow
def test_without_the_second_round_there_is_one_round():
    two_rounds = Recipe("two", RECIPE.learners, RECIPE.cut, MicroF1, second_round=True)
    rows = ablation(two_rounds, BLOCKS, GOLD).families.set_index("family")
    assert rows.loc["second", "features"] == 1
    assert rows.loc["second", "without"] == held_out(RECIPE, BLOCKS, GOLD).value


def test_shares_are_means_over_all_models():
    learners = tuple(BoostedLearner(num_iterations=number, min_data_in_leaf=5) for number in (3, 9))
    fitted = fit(held_out(Recipe("two", learners, RECIPE.cut, MicroF1, second_round=True), BLOCKS, GOLD))
    found = importances(fitted).set_index("feature")["share"]
    first, second = ([model.importances() for model in each.models] for each in fitted.rounds)
    assert found["names.judge"] == pytest.approx(np.mean([share[0] for share in first + second]))
    assert found["second.value"] == pytest.approx(sum(share[3] for share in second) / 4)
    assert found.is_monotonic_decreasing
