"""Task 2 learned from the train split: the run, its notes, and what may not reach a feature or a score."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from fixture_releases import write_task1

from ir_coliee import MicroF1
from ir_coliee.baselines import paragraphs
from ir_coliee.baselines.paragraphs import ParagraphBaseline, near_tie_cutoff, paragraph_recipe
from ir_coliee.baselines.recipes import held_out
from ir_coliee.baselines.training import qrels, training_data
from ir_coliee.editions import SPLITS
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import ThresholdCutoff

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")


@pytest.fixture
def quick(monkeypatch):
    """Few trees: what is learned well is measured elsewhere."""

    def few_trees(role):
        recipe = paragraph_recipe(role)
        return replace(recipe, learners=tuple(replace(each, num_iterations=8, seeds=2) for each in recipe.learners))

    monkeypatch.setattr(paragraphs, "paragraph_recipe", few_trees)
    return few_trees


def synthetic(release, home, monkeypatch, scale=0.012):
    write_release(release, home, scale=scale, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(home))
    return SPLITS[f"{release}/test"]


def move_fragments_away(folder, case="*"):
    """Move the fragment of each case in a folder to the end of its base case, far from the citation."""
    for path in folder.glob(f"{case}/base_case.txt"):
        fragment = (path.parent / "entailed_fragment.txt").read_text(encoding="utf-8")
        text = path.read_text(encoding="utf-8").replace(fragment, "It was late.")
        path.write_text(f"{text}\n[4]\n{'The sea is wide. ' * 40}\n[5]\n{fragment}", encoding="utf-8")


@pytest.fixture
def far(tmp_path, monkeypatch):
    """A release whose test fragments are far from citations, unlike those of the train split."""
    split = synthetic("coliee/task2/2025", tmp_path, monkeypatch)
    move_fragments_away(tmp_path / "task2_test_files_2025")
    return split


def run_of_split(split):
    return cases_of(split).run()


# --- the run ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("release", ["coliee/task2/2018", "coliee/task2/2026"])
def test_releases_of_each_era_are_answered_and_the_same_again(tmp_path, monkeypatch, quick, release):
    split = synthetic(release, tmp_path, monkeypatch)
    run = run_of_split(split)
    assert run.tag == "learned"
    learned, _, role, searched, equal_blocks = run.notes
    assert split.train.id in learned
    assert "optimistic" not in learned
    assert role.startswith("fragments count as near")
    assert searched.endswith("the base cases of other queries")
    assert "equal blocks" in equal_blocks
    assert (run.ranking["docno"].str.partition("_")[0] == run.ranking["qid"]).all()
    assert set(run.answers["qid"]) == set(run.ranking["qid"])
    again = run_of_split(split)
    assert again.answers.equals(run.answers)
    assert again.ranking.equals(run.ranking)
    assert again.train_ranking.equals(run.train_ranking)


@pytest.mark.slow
def test_far_fragments_of_the_test_split_switch_the_role_of_both(far, quick):
    run = run_of_split(far)
    assert run.notes[2].startswith("fragments count as far: median distance ")
    of_train = run_of_split(far.train)
    assert of_train.notes[2].startswith("fragments count as near")
    assert "optimistic" in of_train.notes[0]


@pytest.mark.slow
def test_features_are_kept_until_a_base_case_or_a_decision_changes(tmp_path, monkeypatch):
    split = synthetic("coliee/task2/2025", tmp_path, monkeypatch, scale=0.01)
    computed, real = [], ParagraphBaseline._computed
    monkeypatch.setattr(ParagraphBaseline, "_computed", lambda self: computed.append(self) or real(self))

    def times_computed():
        computed.clear()
        for _ in range(2):
            cases_of(split).train_blocks()
        return len(computed)

    assert times_computed() == 1
    assert times_computed() == 0
    base_case = next(tmp_path.glob("task2_train_files_2025/*/base_case.txt"))
    base_case.write_text(f"{base_case.read_text(encoding='utf-8')} So be it.", encoding="utf-8")
    assert times_computed() == 1
    for text in ("The sea is wide.", "The sea is very wide."):
        write_task1(tmp_path, {"900001": text}, split="train")  # without labels
        assert "coliee/task1/2025/train" in cases_of(split).notes[1]
        assert times_computed() == 1


@pytest.mark.slow
def test_train_cases_are_held_out_in_the_blocks_of_the_editions_also_without_a_paragraph(tmp_path, monkeypatch):
    split = synthetic("coliee/task2/2025", tmp_path, monkeypatch)
    ids = [qid for qid, _ in LocalRelease.open(split.train).queries()]
    shutil.rmtree(tmp_path / "task2_train_files_2025" / ids[1] / "paragraphs")
    (tmp_path / "task2_train_files_2025" / ids[1] / "paragraphs").mkdir()
    monkeypatch.setattr(paragraphs, "added_queries", lambda *_: [3, len(ids) - 3])
    cases = cases_of(split)
    held = [list(dict.fromkeys(block.table.qids)) for block in cases.train_blocks()]
    assert held == [[ids[0], ids[2]], ids[3:]]
    assert len(cases.notes) == 2


# --- what may not reach a feature or a score -------------------------------------------------------------


def cases_of(split):
    return ParagraphBaseline(split, training_data(split))


@pytest.mark.slow
def test_the_words_of_a_train_fragment_reach_no_feature_of_far_fragments(far, tmp_path):
    before = cases_of(far)
    assert before.role.is_far
    changed = sorted((tmp_path / "task2_train_files_2025").glob("9*"))[3]
    path, base_case = changed / "entailed_fragment.txt", changed / "base_case.txt"
    fragment = path.read_text(encoding="utf-8")
    paragraph = (changed / "paragraphs" / "001.txt").read_text(encoding="utf-8").split("\n", 1)[1]
    path.write_text(paragraph, encoding="utf-8")  # now the fragment is a paragraph
    base_case.write_text(base_case.read_text(encoding="utf-8").replace(fragment, paragraph), encoding="utf-8")
    after = cases_of(far)
    for one, other in zip(before.train_blocks(), after.train_blocks()):
        rows = one.table.qids == changed.name
        assert np.array_equal(one.table.values[rows], other.table.values[rows])


@pytest.mark.slow
def test_no_label_of_a_block_reaches_what_it_is_scored_by(far, quick):
    cases, gold = cases_of(far), qrels(far.train)
    recipe, blocks = quick(cases.role), cases.train_blocks()
    first = held_out(recipe, blocks, gold)
    of_block = set(blocks[1].table.qids)
    rows = blocks[1].table
    last = dict(zip(rows.qids, rows.docnos))
    wrong = pd.DataFrame({"qid": [*last], "docno": [*last.values()], "label": 1})
    altered = held_out(recipe, blocks, pd.concat([gold[~gold["qid"].isin(of_block)], wrong]))
    assert first.runs[1].equals(altered.runs[1])
    assert not first.runs[0].equals(altered.runs[0])


# --- the cut-off -----------------------------------------------------------------------------------------


def run_of(*scores):
    rows = [(f"q{q}", f"d{d}", score, d) for q, of_query in enumerate(scores) for d, score in enumerate(of_query)]
    return pd.DataFrame(rows, columns=["qid", "docno", "score", "rank"])


def gold_of(*relevant):
    return pd.DataFrame([(f"q{q}", f"d{d}", 1) for q, d in relevant], columns=["qid", "docno", "label"])


def test_the_cutoff_is_the_best_threshold_and_the_smaller_number_in_a_near_tie():
    run = run_of([0.9, 0.5, 0.4, 0.3, 0.2], [0.8, 0.1, 0.1, 0.1, 0.1])
    assert near_tie_cutoff([run], gold_of((0, 0), (0, 1), (1, 0))).max_items == 2
    assert near_tie_cutoff([run], gold_of((0, 0), (0, 1), (0, 2), (1, 0))).max_items == 3
    assert near_tie_cutoff([run], gold_of(*((0, d) for d in range(5)), (1, 0))).max_items == 5
    # 2 items miss one of 400 paragraphs: within .005 of the best value
    many = run_of(*([0.9, 0.5, 0.01] for _ in range(199)), [0.9, 0.5, 0.4])
    gold = gold_of(*((q, d) for q in range(200) for d in (0, 1)), (199, 2))
    two, three = (fit_cutoff(gold, many, MicroF1, [ThresholdCutoff(0.3, min_items=1, max_items=m)]) for m in (2, 3))
    assert three.value > two.value
    assert near_tie_cutoff([many], gold).max_items == 2


# --- what is missing -------------------------------------------------------------------------------------


def test_one_train_case_is_too_few(tmp_path, monkeypatch):
    split = synthetic("coliee/task2/2025", tmp_path, monkeypatch, scale=0.01)
    first, *others = sorted((tmp_path / "task2_train_files_2025").glob("9*"))
    for folder in others:
        shutil.rmtree(folder)
    labels = tmp_path / "task2_train_labels_2025.json"
    gold = json.loads(labels.read_text(encoding="utf-8"))
    labels.write_text(json.dumps({first.name: gold[first.name]}), encoding="utf-8")
    with pytest.raises(InsufficientTrainingDataError, match="only one case"):
        run_of_split(split)
