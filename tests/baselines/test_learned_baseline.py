"""A learned baseline by a recipe of a page: its run, its notes, its ablation, and the choice among recipes."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from ir_coliee import MicroF1
from ir_coliee.baselines import Choices, RecipePipeline, costs, pipelines, plan_baseline, run_baseline
from ir_coliee.baselines.bm25 import bm25_ranker
from ir_coliee.baselines.cases.retrieval import FEATURES
from ir_coliee.baselines.costs import Cost, RecipeCosts
from ir_coliee.baselines.kept import FinishedStages
from ir_coliee.baselines.plan import LearnedBaseline
from ir_coliee.baselines.recipes import BestCutoff, FeatureTable, GivenCutoff, LogisticLearner, QueryBlock, Recipe
from ir_coliee.baselines.training import topics, training_data
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


def prepare(split, training, choices):
    """The recipe of a page."""
    finished = FinishedStages(training)

    def train_blocks():
        features = finished.table("features", lambda: table(training.split))
        queries = [*dict.fromkeys(features.qids)]
        return [QueryBlock(str(part), features.of_queries(queries[part::2])) for part in range(2)]

    return LearnedBaseline(
        split,
        training,
        RECIPES[choices.recipe],
        train_blocks,
        lambda: QueryBlock("test", table(split)),
        stages=("features",),
        is_kept=lambda: finished.has_table("features"),
    )


@pytest.fixture(autouse=True)
def tiny_recipes(tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    monkeypatch.setitem(pipelines.PIPELINES, "task2", RecipePipeline(prepare, default="quick"))
    tiny = RecipeCosts({"rich": Cost(1000.0, 500.0, 100.0), "quick": Cost(100.0, 50.0, 10.0)}, "documents")
    monkeypatch.setitem(costs.COSTS, "task2", tiny)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(2), raising=False)


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
    assert "the run learned was left out: Logistic regression needs" in bm25.notes[-1]


def test_a_train_split_is_answered_by_models_of_the_other_blocks():
    learned = run_baseline(TRAIN)[-1]
    assert learned.ranking.equals(learned.train_ranking)
    assert "each block is scored by a model of the others" in learned.notes[0]


def test_another_recipe_is_another_run():
    by_name = {name: run_baseline(TEST, recipe=name)[-1] for name in RECIPES}
    assert by_name["rich"].notes[0].startswith("recipe rich, ")
    assert not np.allclose(by_name["rich"].ranking["score"], by_name["quick"].ranking["score"])


def test_a_ranking_may_go_on_below_the_candidates(monkeypatch):
    def longer(split, training, choices):
        return replace(prepare(split, training, choices), whole_ranking=lambda split, run: run.assign(split=split.id))

    monkeypatch.setitem(pipelines.PIPELINES, "task2", RecipePipeline(longer, default="quick"))
    learned = run_baseline(TEST)[-1]
    assert set(learned.ranking["split"]) == {TEST.id}
    assert set(learned.train_ranking["split"]) == {TRAIN.id}
    assert "split" not in learned.answers


def test_families_are_left_out_of_the_chosen_recipe():
    found = plan_baseline(TEST, recipe="rich").ablation()
    assert found.recipe.name == "rich"
    assert set(found.families["family"]) == {"words", "length"}


def test_the_costs_count_the_families_of_an_ablation(monkeypatch):
    monkeypatch.undo()
    for name, features in FEATURES.items():
        families = {each.partition(".")[0] for each in features.names}
        assert costs.COSTS["task1"].of_recipe[name].families == len(families) + 1  # the second round
    for dataset, name in (("coliee/task2/sample/test", "standard"), ("coliee/task4/sample/en/test", "alignment")):
        plan = plan_baseline(dataset)
        blocks = plan.learned.prepare(plan.split, plan.training, plan.choices).train_blocks()
        assert plan.estimate.recipe == name
        assert plan.estimate.families == len(blocks[0].table.families)
        assert plan.estimate.ablation_seconds > plan.estimate.seconds


# --- what the run is worth ---------------------------------------------------------------------------


def test_a_run_that_is_worse_than_bm25_on_train_queries_says_so(monkeypatch):
    def seven_answers(split, training, choices):
        recipe = replace(RECIPES[choices.recipe], cut=GivenCutoff(TopK(7)))
        return replace(prepare(split, training, choices), recipe=recipe)

    monkeypatch.setitem(pipelines.PIPELINES, "task2", RecipePipeline(seven_answers, default="quick"))
    bm25, learned = run_baseline(TEST)
    values = f"{learned.train_value:.4f}, by models of other queries, against {bm25.train_value:.4f}"
    wanted = f"the learned run is worse than bm25 on the train queries ({values}; no cut-off is held out)"
    assert learned.notes[-1] == wanted
    assert f"{learned.train_value:.4f} on held-out blocks" in learned.notes[0]
    assert f"MicroF1 {bm25.train_value:.4f}" in bm25.notes[0]
    assert not any("worse than" in note for note in bm25.notes)
    equal = bm25._replace(train_value=learned.train_value)
    assert pipelines._note_on_worse_run(learned, equal) == []


def test_labels_that_name_no_candidate_are_told_with_the_next_step(monkeypatch):
    def without_gold(split, training, choices):
        baseline = prepare(split, training, choices)
        tables = [block.table for block in baseline.train_blocks()]
        renamed = [FeatureTable(t.qids, t.docnos + "x", t.values, t.names) for t in tables]
        return replace(baseline, train_blocks=lambda: [QueryBlock(str(n), t) for n, t in enumerate(renamed)])

    monkeypatch.setitem(pipelines.PIPELINES, "task2", RecipePipeline(without_gold, default="quick"))
    [run] = run_baseline(TEST)
    assert run.notes[-1] == (
        "the run learned was left out: no candidate of the train queries of a model is relevant.\n"
        "The train texts are empty or equal, or the labels name no document, at least for some queries.\n"
        f"`ir_coliee audit {TRAIN.id}` checks its files."
    )
    with pytest.raises(ColieeError, match=f"`ir_coliee audit {TRAIN.id}`"):
        plan_baseline(TEST).ablation()


# --- the choice among recipes --------------------------------------------------------------------------


def test_the_estimate_grows_with_the_documents_and_falls_with_what_is_kept():
    documents = sum(len(topics_and_documents) for topics_and_documents in map(documents_of, (TEST, TRAIN)))
    plan = plan_baseline(TEST)
    assert plan.estimate.seconds == pytest.approx(2 + 100 * documents / 1000)
    assert str(plan.estimate).startswith("recipe quick: about ")
    assert str(plan.estimate).endswith(f" on this machine's 2 cores ({documents} documents)")
    run_baseline(TEST)
    plan = plan_baseline(TEST)
    assert plan.estimate.seconds == pytest.approx(1 + 50 * documents / 1000)
    assert str(plan.estimate).endswith(f"({documents} documents, features kept from an earlier run)")


def documents_of(split):
    from ir_coliee.releases.release import LocalRelease

    return LocalRelease.open(split).documents()


def test_one_core_takes_twice_as_long(monkeypatch):
    of_two = plan_baseline(TEST).estimate.seconds
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(1), raising=False)
    assert plan_baseline(TEST).estimate.seconds == 2 * of_two
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(64), raising=False)
    assert plan_baseline(TEST).estimate.seconds == of_two


def test_the_richest_recipe_within_the_time_is_chosen():
    seconds = {name: plan_baseline(TEST, recipe=name).estimate.seconds for name in RECIPES}
    assert seconds["quick"] < seconds["rich"]
    assert plan_baseline(TEST, max_seconds=seconds["rich"]).choices == Choices("rich")
    assert plan_baseline(TEST, max_seconds=seconds["rich"] - 1).choices == Choices("quick")
    assert plan_baseline(TEST).choices == Choices("quick")


def test_the_choice_does_not_depend_on_what_is_kept():
    rich, quick = (plan_baseline(TEST, recipe=name).estimate.seconds for name in ("rich", "quick"))
    run_baseline(TEST)
    assert plan_baseline(TEST, recipe="rich").estimate.seconds < rich - 1
    plan = plan_baseline(TEST, max_seconds=rich - 1)
    assert plan.choices == Choices("quick")
    assert plan.estimate.is_kept
    assert plan_baseline(TEST, max_seconds=quick - 1).tags == ("bm25",)


def test_bm25_runs_alone_if_no_recipe_fits():
    plan = plan_baseline(TEST, max_seconds=1)
    assert plan.tags == ("bm25",)
    assert plan.notes[0].startswith("the run learned was left out: no recipe fits in 1 s (recipe rich: about ")
    assert [run.tag for run in run_baseline(TEST, max_seconds=1)] == ["bm25"]
    assert run_baseline(TEST, max_seconds=1)[0].notes[-1] == plan.notes[0]


def test_a_recipe_that_does_not_fit_is_not_chosen_although_it_was_named():
    plan = plan_baseline(TEST, recipe="rich", max_seconds=1)
    assert plan.tags == ("bm25",)
    assert "rich" in plan.notes[0]
    assert "quick" not in plan.notes[0]


@pytest.mark.parametrize(
    ("dataset", "choices", "problem"),
    [
        ("coliee/task2/sample/test", {"recipe": "rihc"}, r"no recipe 'rihc'\.\nIts recipes: rich, quick\."),
        ("coliee/task2/sample/test", {"recipe": ""}, r"no recipe ''\.\nIts recipes: rich, quick\."),
        ("coliee/task4/sample/en/test", {"recipe": "rich"}, r"no recipe 'rich'\.\nIts recipes: alignment\."),
        ("coliee/task4/sample/en/test", {"fast": True}, r"has no BM25 to run alone\.\nOmit --fast"),
        ("coliee/pilot/sample/prediction/test", {"recipe": "rich"}, r"\nIt has no recipes; omit --recipe"),
        ("coliee/pilot/sample/prediction/test", {"max_seconds": 9}, r"no recipes to choose from\.\nOmit --max-seconds"),
        ("coliee/task2/sample/test", {"recipe": "rich", "fast": True}, r"runs only BM25.*\.\nOmit --fast"),
        ("coliee/task2/sample/test", {"max_seconds": 9, "fast": True}, r"runs only BM25.*\.\nOmit --fast"),
        ("coliee/task2/sample/test", {"pool_features": False}, r"test pool\.\nOmit --no-pool-features"),
    ],
)
def test_a_choice_that_the_task_does_not_have_is_refused(dataset, choices, problem):
    with pytest.raises(ColieeError, match=problem) as caught:
        plan_baseline(SPLITS[dataset], **choices)
    assert len(str(caught.value).splitlines()[0]) <= 100


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_that_is_none_is_refused(seconds):
    with pytest.raises(ColieeError, match=r"\(max_seconds=\) must be a number > 0"):
        plan_baseline(TEST, max_seconds=seconds)


def test_without_a_recipe_nothing_can_be_left_out():
    with pytest.raises(ColieeError, match="there is nothing to ablate"):
        plan_baseline(SPLITS["coliee/pilot/sample/rationale/test"]).ablation()
    with pytest.raises(ColieeError, match="no recipe fits in 1 s"):
        plan_baseline(TEST, max_seconds=1).ablation()
    assert prepare(TEST, training_data(TEST), Choices("quick")).recipe is RECIPES["quick"]
