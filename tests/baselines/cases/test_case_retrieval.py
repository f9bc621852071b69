"""The learned baseline of task 1: what it answers, what it says, what it keeps, and that no label leaks."""

import os
import re
import shutil
from dataclasses import replace

import ir_datasets
import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines import Choices, run_baseline
from ir_coliee.baselines.cases import retrieval
from ir_coliee.baselines.cases.retrieval import NUM_CANDIDATES, CaseSearch, case_recipe, prepare_cases
from ir_coliee.baselines.plan import LearnedBaseline
from ir_coliee.baselines.recipes import BoostedLearner, HeldOut, held_out
from ir_coliee.baselines.recipes.fitting import Ablation
from ir_coliee.baselines.training import TrainingData, qrels, training_data
from ir_coliee.editions import SPLITS
from ir_coliee.synthetic import write_release

pytestmark = pytest.mark.slow

pytest.importorskip("lightgbm")

TEST = SPLITS["coliee/task1/2025/test"]
TRAIN = TEST.train


@pytest.fixture(scope="module", autouse=True)
def few_trees():
    """20 trees of one seed instead of 160 of three: these tests do not depend on their quality."""

    def recipe(name, *, pool_features=True):
        full, features = case_recipe(name, pool_features=pool_features)
        return replace(full, learners=(BoostedLearner(rounds=20, rate=0.3, rows_per_leaf=5),)), features

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(retrieval, "case_recipe", recipe)
        yield recipe


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A small synthetic release of 2025."""
    home = tmp_path_factory.mktemp("release")
    write_release("coliee/task1/2025", home, scale=0.008, seed=3)
    return home


@pytest.fixture
def home(release, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(release))
    return release


def answered(split, recipe="lean", **choices):
    [run] = prepare_cases(split, training_data(split), Choices(recipe, **choices)).runs()
    return run


# --- what is answered ------------------------------------------------------------------------------


def test_every_query_has_answers_and_queries_are_none(home):
    run = answered(TEST)
    loaded = ir_datasets.load(TEST.id)
    asked = [query.query_id for query in loaded.queries_iter()]
    assert run.answers["qid"].unique().tolist() == asked
    assert not set(run.answers["docno"]) & set(asked)
    assert set(run.ranking["docno"]) <= {doc.doc_id for doc in loaded.docs_iter()}
    assert run.ranking["score"].between(0, 1).all()
    assert run.ranking.groupby("qid")["text_id"].nunique().max() <= NUM_CANDIDATES
    assert set(run.train_ranking["qid"]) == {query.query_id for query in ir_datasets.load(TRAIN.id).queries_iter()}


def test_the_notes_tell_the_held_out_value_the_pools_and_what_the_benchmark_gives(home):
    run = answered(TEST)
    text = "\n".join(run.notes)
    assert "recipe lean, fitted on coliee/task1/2025/train in two rounds" in text
    assert re.search(r"chosen on held-out blocks \(MicroF1 [01]\.\d{4}\)", text)
    assert "each with a pool of what they notice; query cases are not candidates, because 0 of " in text
    assert "Some features compare all test queries. They help because in a test split few queries cite the same" in text
    assert "--no-pool-features (pool_features=False) runs without them" in text


def test_without_pool_features_there_is_one_round_and_the_notes_tell_what_is_still_of_the_pool(home):
    run = answered(TEST, pool_features=False)
    assert "in one round" in run.notes[0]
    assert run.notes[1].startswith("32 features")
    assert "document frequencies, latent dimensions, duplicates and the threshold" in run.notes[-1]
    baseline = prepare_cases(TEST, training_data(TEST), Choices("lean", pool_features=False))
    assert baseline.block().second is None


def test_a_train_split_is_answered_by_models_of_the_other_blocks(home):
    run, of_test = answered(TRAIN), answered(TEST)
    assert run.notes[0].endswith("is scored by a model of the others, but the cut-off is fitted on all: optimistic")
    pd.testing.assert_frame_equal(run.ranking, of_test.train_ranking)


@pytest.mark.parametrize("edition", ["2018", "2020", "2021"])
def test_editions_with_pools_and_with_one_corpus_for_both_splits_are_answered(edition, tmp_path, monkeypatch):
    write_release(f"coliee/task1/{edition}", tmp_path, scale=0.02, seed=1)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    split = SPLITS[f"coliee/task1/{edition}/test"]
    run = answered(split)
    loaded = ir_datasets.load(split.id)
    assert set(run.answers["qid"]) == {query.query_id for query in loaded.queries_iter()}
    if split.has_pools:
        assert set(zip(run.ranking["qid"], run.ranking["docno"])) <= {
            (pair.query_id, pair.doc_id) for pair in loaded.scoreddocs_iter()
        }
        assert "each query with its candidate pool" in run.notes[2]


def test_the_sample_is_answered_by_both_recipes():
    split = SPLITS["coliee/task1/sample/test"]
    lean, compact = answered(split), answered(split, "compact")
    assert compact.notes[1].startswith("142 features")
    assert lean.answers["qid"].nunique() == compact.answers["qid"].nunique() == 12


@pytest.mark.parametrize(("values", "chosen"), [((0.5, 0.51), "lean"), ((0.6, 0.3), "lean"), ((0.5, 0.52), "compact")])
def test_the_best_recipe_is_lean_unless_compact_is_clearly_better_on_held_out_blocks(home, monkeypatch, values, chosen):
    of_recipe = dict(zip(("lean", "compact"), values))
    monkeypatch.setattr(HeldOut, "value", property(lambda scored: of_recipe[scored.recipe.name]))
    run, expected = answered(TEST, "best"), answered(TEST, chosen)
    assert run.notes[1:] == expected.notes
    assert run.notes[0].startswith(f"recipe {chosen} was chosen on held-out blocks: lean {values[0]:.4f}, compact ")
    pd.testing.assert_frame_equal(run.ranking, expected.ranking, check_exact=True)


def test_labels_without_relevant_candidates_leave_the_run_out(tmp_path, monkeypatch):
    write_release("coliee/task1/2025", tmp_path, scale=0.004, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    labels = next(tmp_path.glob("task1_train_labels_2025.json"))
    labels.write_text("{" + labels.read_text().partition("],")[0].lstrip("{") + "]}")  # one query
    runs = run_baseline(TEST)
    assert [run.tag for run in runs] == ["bm25"]
    assert any("the run learned was left out" in note for note in runs[0].notes)


# --- no label leaks --------------------------------------------------------------------------------


class Relabelled(TrainingData):
    """Training data in which the gold lists of the first block are given to other queries of the block."""

    def qrels(self):
        gold = super().qrels()
        block = CaseSearch(TEST, TrainingData(self.split), case_recipe("lean")[1]).train_pools[0].queries
        others = dict(zip(block, [*block[1:], block[0]]))
        return gold.assign(qid=[others.get(qid, qid) for qid in gold["qid"]])


def test_permuting_the_labels_of_a_block_changes_nothing_that_it_is_scored_by(home, few_trees):
    recipe, features = few_trees("lean")
    (one, before), (other, after) = (
        (CaseSearch(TEST, training, features).train_blocks(), training.qrels())
        for training in (TrainingData(TRAIN), Relabelled(TRAIN))
    )
    assert not before.equals(after)
    for mine, theirs in zip(one, other):
        assert [*mine.table.docnos] == [*theirs.table.docnos]
        assert mine.table.values.tobytes() == theirs.table.values.tobytes()
    scored, again = held_out(recipe, one, before), held_out(recipe, other, after)
    assert len(scored.first) == 3  # two rounds
    assert (scored.first[0] == again.first[0]).all()
    pd.testing.assert_frame_equal(scored.runs[0], again.runs[0], check_exact=True)
    assert not scored.runs[1].equals(again.runs[1])


def test_the_number_of_cores_and_repetition_change_nothing(home, few_trees, monkeypatch, tmp_path):
    recipe, features = few_trees("lean")
    runs = []
    for number, cores in enumerate((2, 1, 1)):
        monkeypatch.setenv("COLIEE_HOME", str(tmp_path / str(number)))
        shutil.copytree(home, tmp_path / str(number), ignore=shutil.ignore_patterns(".cache"))
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: range(cores), raising=False)
        blocks = CaseSearch(TEST, TrainingData(TRAIN), features).train_blocks()
        runs.append(held_out(recipe, blocks, qrels(TRAIN)).run)
    pd.testing.assert_frame_equal(runs[0], runs[1], check_exact=True)
    pd.testing.assert_frame_equal(runs[1], runs[2], check_exact=True)


# --- what is kept ----------------------------------------------------------------------------------


def test_a_killed_run_goes_on_after_its_last_block(release, tmp_path, monkeypatch):
    home = tmp_path / "home"
    shutil.copytree(release, home, ignore=shutil.ignore_patterns(".cache"))
    monkeypatch.setenv("COLIEE_HOME", str(home))
    baseline = prepare_cases(TEST, training_data(TEST), Choices("lean"))
    assert not baseline.is_kept()
    computed, real = [], retrieval.case_block

    def noted(pool, *arguments, **options):
        if len(computed) == 2:
            raise KeyboardInterrupt
        computed.append(pool.name)
        return real(pool, *arguments, **options)

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(1), raising=False)
    monkeypatch.setattr(retrieval, "case_block", noted)
    with pytest.raises(KeyboardInterrupt):
        baseline.train_blocks()
    assert computed == ["block 1", "block 2"]
    monkeypatch.setattr(
        retrieval,
        "case_block",
        lambda pool, *rest, **options: computed.append(pool.name) or real(pool, *rest, **options),
    )
    first = answered(TEST)
    assert computed == ["block 1", "block 2", "block 3", "test"]
    assert baseline.is_kept()
    second = answered(TEST)
    assert computed == ["block 1", "block 2", "block 3", "test"]
    pd.testing.assert_frame_equal(first.ranking, second.ranking, check_exact=True)
    assert first.notes == second.notes


def test_what_is_kept_has_no_word_of_a_decision(home):
    answered(TEST)
    kept = b"".join(path.read_bytes() for path in (home / ".cache" / "ir_coliee").glob("caseblock-*/*"))
    text = next(iter(ir_datasets.load(TEST.id).docs_iter())).text
    words = {word for word in text.split() if len(word) > 7 and word.isalpha()}
    assert len(words) > 10
    assert not [word for word in words if word.encode() in kept or word.encode("utf-32-le") in kept]


# --- the parts of the recipe -----------------------------------------------------------------------


def test_rows_are_learned_from_by_label_and_rank():
    from ir_coliee.baselines.recipes import FeatureTable

    table = FeatureTable.of(["1"] * 100 + ["2"] * 100, [*map(str, range(200))], {"a.b": np.zeros(200)})
    labels = np.zeros(200, bool)
    labels[[3, 60, 199]] = True
    weights = retrieval.row_weights(table, labels)
    rest = [place for place in range(200) if place % 100 >= 25 and not labels[place]]
    assert (np.delete(weights, rest) == 1).all()
    assert set(weights[rest]) == {0, 1 / 0.3}
    assert 0.15 < (weights[rest] > 0).mean() < 0.45
    assert (retrieval.row_weights(table, labels) == weights).all()
    # the labels of other rows do not decide which of the rest are chosen
    assert (retrieval.row_weights(table, np.zeros(200, bool))[rest] == weights[rest]).all()


def test_the_recall_of_candidates_is_the_mean_over_blocks():
    gold = pd.DataFrame({"qid": list("1123"), "docno": list("abca"), "label": 1})
    runs = [
        pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "x"]}),
        pd.DataFrame({"qid": ["2", "2"], "docno": ["c", "y"]}),
    ]
    nothing = pd.DataFrame({"qid": ["4"], "docno": ["a"]})
    assert retrieval.candidate_recall(runs, gold) == 0.75
    assert retrieval.candidate_recall([*runs, nothing], gold) == 0.75
    assert retrieval.candidate_recall([nothing], gold) == 0
    assert retrieval.pool_cutoff(runs, gold).recall == 0.75


def test_a_tiny_recall_of_candidates_is_not_rounded_to_0():
    gold = pd.DataFrame({"qid": "1", "docno": [*map(str, range(30_000))], "label": 1})
    assert retrieval.pool_cutoff([gold[:1]], gold).recall == 0.00003333


def test_the_ablation_of_the_best_recipe_is_that_of_the_chosen_one_and_says_why(home, monkeypatch):
    monkeypatch.setattr(HeldOut, "value", property(lambda scored: {"lean": 0.3, "compact": 0.6}[scored.recipe.name]))
    no_families = pd.DataFrame(columns=["family"])
    monkeypatch.setattr(LearnedBaseline, "ablation", lambda self: Ablation(self.recipe, 0.6, *[no_families] * 2))
    found = prepare_cases(TEST, training_data(TEST), Choices("best")).ablation()
    assert found.recipe.name == "compact"
    assert found.note.startswith("recipe compact was chosen on held-out blocks: lean 0.3000, compact 0.6000;")
    assert found.note in str(found)
