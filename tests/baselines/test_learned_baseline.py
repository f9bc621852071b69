"""A learned baseline by a recipe of a page: its run, its notes, its ablation, and the choice among recipes."""

import sys
from dataclasses import replace

import pytest

from ir_coliee import MicroF1
from ir_coliee.baselines import LearnedBaseline, plan, plan_baseline, run_baseline
from ir_coliee.baselines.bm25 import bm25_ranker
from ir_coliee.baselines.learned import kept_table
from ir_coliee.baselines.recipes import BestCutoff, FeatureTable, GivenCutoff, LogisticLearner, QueryBlock, Recipe
from ir_coliee.baselines.training import topics
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError
from ir_coliee.transformers import TopK

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")

TEST, TRAIN = (SPLITS[f"coliee/task2/sample/{name}"] for name in ("test", "train"))
RECIPES = {
    name: Recipe(name, (LogisticLearner(c=c),), BestCutoff(MicroF1, (TopK(1), TopK(2))), MicroF1)
    for name, c in {"rich": 1.0, "quick": 0.1}.items()
}


def table(split):
    ranking = bm25_ranker(split)(topics(split))
    columns = {
        "words.bm25": ranking["score"],
        "words.rank": ranking["rank"],
        "length.query": ranking["query"].str.len(),
    }
    return FeatureTable.of(ranking["qid"], ranking["docno"], columns)


class PageBaseline(LearnedBaseline):
    """The recipe of a page."""

    @property
    def recipe(self):
        return RECIPES["quick"]

    def train_blocks(self):
        features = kept_table("features", lambda: table(self.training.split), [self.training])
        queries = [*dict.fromkeys(features.qids)]
        return [QueryBlock(str(part), features.of_queries(queries[part::2])) for part in range(2)]

    def block(self):
        return QueryBlock("test", table(self.split))


@pytest.fixture(autouse=True)
def tiny_recipes(tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    monkeypatch.setitem(plan.PIPELINES, "task2", plan.Pipelines(PageBaseline))


def test_a_run_is_cut_as_on_held_out_queries_and_says_what_it_is():
    [bm25, learned] = run_baseline(TEST)
    assert (bm25.tag, learned.tag) == ("bm25", "learned")
    assert set(learned.ranking["qid"]) == set(topics(TEST)["qid"])
    assert set(learned.train_ranking["qid"]) == set(topics(TRAIN)["qid"])
    assert learned.notes[0].startswith(
        "recipe quick, fitted on coliee/task2/sample/train in one round of logistic regression (C=0.1); cut-off TopK(k="
    )
    assert "chosen on held-out blocks (MicroF1 0." in learned.notes[0]
    assert "optimistic" not in learned.notes[0]
    assert learned.notes[1].startswith("3 features; the families with the largest shares of the models: words ")
    sizes = learned.answers.groupby("qid").size()
    assert sizes.nunique() == 1


def test_without_the_library_of_a_learner_bm25_runs_alone_and_says_why(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    [bm25] = run_baseline(TEST)
    assert bm25.tag == "bm25"
    assert "the run learned was left out: Logistic regression needs" in bm25.warnings[-1]


def test_a_ranking_may_go_on_below_the_candidates(monkeypatch):
    monkeypatch.setattr(PageBaseline, "whole_ranking", lambda _, split, run: run.assign(split=split.id))
    learned = run_baseline(TEST)[-1]
    assert set(learned.ranking["split"]) == {TEST.id}
    assert set(learned.train_ranking["split"]) == {TRAIN.id}
    assert "split" not in learned.answers


def test_families_are_left_out():
    found = plan_baseline(TEST).learned.ablation()
    assert found.recipe.name == "quick"
    assert set(found.families["family"]) == {"words", "length"}


# --- what the run is worth ---------------------------------------------------------------------------


@pytest.mark.parametrize("depends_on_split", [False, True])
def test_a_run_that_is_worse_than_bm25_on_the_same_train_queries_says_so(monkeypatch, depends_on_split):
    monkeypatch.setitem(RECIPES, "quick", replace(RECIPES["quick"], cut=GivenCutoff(TopK(7))))
    monkeypatch.setattr(PageBaseline, "depends_on_split", depends_on_split)
    bm25, learned = run_baseline(TEST)
    values = f"{learned.train_value:.4f} against {bm25.train_value:.4f}, both held out"
    worse = [note for run in (bm25, learned) for note in run.warnings if "is worse than" in note]
    assert worse == [f"the learned run is worse than bm25 on the train queries ({values})"] * (not depends_on_split)
    assert f"{learned.train_value:.4f} on held-out blocks" in learned.notes[0]


def test_labels_that_name_no_candidate_are_told_with_the_next_step(monkeypatch):
    def without_gold(self):
        features = table(self.training.split)
        return [QueryBlock(str(n), replace(features, docnos=features.docnos + "x")) for n in range(2)]

    monkeypatch.setattr(PageBaseline, "train_blocks", without_gold)
    [run] = run_baseline(TEST)
    assert "the run learned was left out: None of the" in run.warnings[-1]
    assert "`ir_coliee audit`" in run.warnings[-1]
    with pytest.raises(ColieeError, match="`ir_coliee audit`"):
        plan_baseline(TEST).learned.ablation()


# --- the choice among recipes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dataset", "choices", "problem"),
    [
        ("coliee/pilot/sample/prediction/test", {"fast": True}, r"has no recipe to leave out\.\nOmit --fast"),
        ("coliee/task1/sample/test", {"pool_features": False, "fast": True}, "has no effect"),
        ("coliee/task2/sample/test", {"pool_features": False}, "has no effect on the runs of coliee/task2/sample/test"),
    ],
)
def test_a_choice_that_the_task_does_not_have_is_refused(dataset, choices, problem):
    with pytest.raises(ColieeError, match=problem) as caught:
        plan_baseline(SPLITS[dataset], **choices)
    assert len(str(caught.value).splitlines()[0]) <= 100


def test_without_a_recipe_nothing_can_be_left_out():
    with pytest.raises(ColieeError, match="there is nothing to ablate"):
        plan_baseline(SPLITS["coliee/pilot/sample/rationale/test"]).ablated()
