"""What the systems have in common, without a model."""

import importlib
import sys
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee import MicroF1, editions
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.fusion import search_weights
from ir_coliee.transformers import LexicalIndex, TopK

FOLDER = Path(__file__).parents[2] / "examples" / "systems"
if not FOLDER.is_dir():
    pytest.skip("the examples are in the repository alone", allow_module_level=True)

TEST, TRAIN = editions.split("coliee/task2/sample/test"), editions.split("coliee/task2/sample/train")


@pytest.fixture
def steps(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module("steps")
    for module in ("steps", "system"):
        sys.modules.pop(module, None)


def rankings(split):
    index = LexicalIndex.from_dataset(split.id, analyser="case")
    return [index.bm25(statistics="pool"), index.dirichlet(statistics="pool")]


def test_an_edition_in_one_language_has_none_and_is_named(steps):
    with pytest.raises(ColieeError, match="coliee/task3/2026/ja/test has no English version coliee/task3/2026/en/test"):
        steps.in_language(editions.split("coliee/task3/2026/ja/test"), "en")


def test_what_chooses_is_what_models_have_not_learned_from(steps):
    whole = steps.labelled(TRAIN, steps.paragraphs(TRAIN))
    learn, choose = steps.learn_and_choose(TRAIN, steps.paragraphs(TRAIN))
    order = whole.rows["qid"].drop_duplicates().tolist()
    assert learn.rows["qid"].drop_duplicates().tolist() == order[:6]
    assert choose.rows["qid"].drop_duplicates().tolist() == order[6:]
    for of_whole, of_learn, of_choose in zip(whole, learn, choose):
        assert len(of_learn) + len(of_choose) == len(of_whole)
        assert not set(of_learn["qid"]) & set(of_choose["qid"])


def test_weights_and_cutoff_are_the_best_on_the_train_part_and_are_applied_to_the_other(steps):
    pairs = steps.labelled(TRAIN, steps.paragraphs(TRAIN))
    cutoffs = [TopK(1), TopK(2)]
    found = search_weights([each(pairs.rows) for each in rankings(TRAIN)], pairs.qrels, MicroF1, cutoffs=cutoffs)
    fused, cutoff = steps.fitted_sum(rankings, TEST, pairs, MicroF1, cutoffs=cutoffs)
    assert (fused.weights, cutoff) == (found.weights, found.fitted.cutoff)
    pool = steps.paragraphs(TEST)(pt.get_dataset(f"irds:{TEST.id}").get_topics())
    expected = sum(
        weight * each(pool).set_index(["qid", "docno"])["score"].groupby("qid").transform(_between_0_and_1)
        for weight, each in zip(found.weights, rankings(TEST))
    )
    scores = fused(pool).set_index(["qid", "docno"])["score"]
    pd.testing.assert_series_equal(scores.sort_index(), expected.sort_index(), check_index_type=False)


def _between_0_and_1(scores):
    return (scores - scores.min()) / (scores.max() - scores.min())
