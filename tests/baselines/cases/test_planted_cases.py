"""Evidence that is planted alone is found by its own family of features, and missed by the others."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ir_coliee.baselines.cases.retrieval import CaseSearch, case_recipe
from ir_coliee.baselines.recipes import BoostedLearner, fit, held_out
from ir_coliee.baselines.training import qrels, training_data
from ir_coliee.editions import split
from ir_coliee.evaluation.cutoffs import encode_run
from ir_coliee.measures import MicroF1

sys.path.append(str(Path(__file__).parents[1]))
import planted_cases

pytest.importorskip("lightgbm")

# not the family total, which contains scores of contexts and n-grams
FAMILIES = ("contexts", "names", "ngrams", "years", "case")


@pytest.fixture
def release(tmp_path, monkeypatch):
    """Write a release with planted evidence as the only local one."""
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "data"))
    return lambda plant: planted_cases.write_release(plant, tmp_path / "data")


class Scored:
    """The test split of a planted release, scored by chosen families of features."""

    def __init__(self, *, pool_features):
        test = split("coliee/task1/2025/test")
        training = training_data(test)
        recipe, features = case_recipe("lean", pool_features=pool_features)
        self._recipe = replace(recipe, learners=(BoostedLearner(rounds=60, columns=1.0),), second_round=False)
        search = CaseSearch(test, training, features)
        self._train, self._test = search.train_blocks(), search.block()
        self._train_gold, self._gold = training.qrels(), qrels(test)
        self.families = self._test.table.families

    def f1(self, *families):
        """Return the micro F1 of the test split with the features of these families alone."""
        *train, test = (self._only(block, families) for block in (*self._train, self._test))
        scored = held_out(self._recipe, train, self._train_gold)
        encoded = encode_run(scored.cutoff(fit(scored).run(test)), self._gold)
        found = encoded.true_positives(encoded.lengths)
        return float(MicroF1.aggregate(found, encoded.lengths, encoded.relevant))

    def _only(self, block, families):
        for family in {*self.families, "second"} - {*families}:
            block = block.without(family)
        return block


@pytest.mark.parametrize("family", ["contexts", "names", "ngrams"])
def test_planted_evidence_is_found_by_its_family_alone(release, family):
    release(getattr(planted_cases, f"plant_{family}"))
    scored = Scored(pool_features=False)
    assert scored.f1(family) > 0.95
    for other in {*FAMILIES} - {family}:
        assert scored.f1(other) < 0.5, other


def test_the_structure_of_the_pool_is_found_by_features_that_compare_queries(release):
    release(planted_cases.plant_pool_structure)
    alone, compared = (Scored(pool_features=pool_features) for pool_features in (False, True))
    assert alone.f1(*alone.families) < 0.6
    assert compared.f1(*compared.families) > 0.9
