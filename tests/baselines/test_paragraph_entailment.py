"""Task 2 learned from the train split: what stands around a fragment, the features of paragraphs, and the run."""

import json
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines import gradient_boosting, run_baseline
from ir_coliee.baselines.gradient_boosting import held_out_run
from ir_coliee.baselines.paragraph_entailment import (
    find_entailing_paragraphs,
    fragment_context,
    fragment_contexts,
    paragraph_candidates,
    without_context_features,
)
from ir_coliee.baselines.training_data import qrels, topics, training_data
from ir_coliee.datasets.folds import by_block
from ir_coliee.editions import SPLITS
from ir_coliee.errors import InsufficientTrainingDataError, MissingLabelsError
from ir_coliee.synthetic import write_release
from ir_coliee.text.english import STOP_WORDS
from ir_coliee.transformers import boosted_classifier
from ir_coliee.transformers.features import feature_matrix

pytestmark = pytest.mark.slow

pytest.importorskip("lightgbm")
sklearn_text = pytest.importorskip("sklearn.feature_extraction.text")

SCORES = ["words", "pairs", "triples", "characters", "bm25"]


def test_what_stands_around_a_fragment_is_1500_characters_on_either_side():
    before, behind = "b" * 2000, "h" * 1400
    assert fragment_context("The lamp.", f"{before} The\n lamp. {behind}") == f"{'b' * 1499} The lamp. {behind}"
    assert fragment_context("The lamp.", "x FRAGMENT_SUPPRESSED The  lamp.") == "x The lamp."


@pytest.mark.parametrize("base_case", ["", "The gate.", "The lamp.", " The\nlamp.\n"])
def test_a_fragment_that_is_not_found_or_has_nothing_around_it_has_no_surroundings(base_case):
    assert fragment_context("The lamp.", base_case) == ""


# --- a case by hand ----------------------------------------------------------------------------------

FRAGMENT = "The lamp was lent to the neighbour."
BASE = "We begin. The gate was shut. The lamp was\nlent to the neighbour. Nothing else is said of the boat."
PARAGRAPHS = [
    "[1] A lamp that was lent is returned to the neighbour.",
    "[2] The gate of the neighbour was shut.",
    "[3] The sea is wide.",
]


def write_case(folder, name, *, base=BASE):
    (folder / name / "paragraphs").mkdir(parents=True)
    (folder / name / "entailed_fragment.txt").write_text(FRAGMENT, encoding="utf-8")
    if base is not None:
        (folder / name / "base_case.txt").write_text(base, encoding="utf-8")
    for number, text in enumerate(PARAGRAPHS, start=1):
        (folder / name / "paragraphs" / f"{number:03}.txt").write_text(text, encoding="utf-8")


@pytest.fixture
def by_hand(tmp_path, monkeypatch):
    """Two cases in the layout of 2025; the fragment of the second is not in its base case."""
    folder = tmp_path / "task2_train_files_2025"
    write_case(folder, "901")
    write_case(folder, "902", base="The sea is wide.")
    labels = {"901": ["001.txt"], "902": ["002.txt"]}
    (tmp_path / "task2_train_labels_2025.json").write_text(json.dumps(labels), encoding="utf-8")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return SPLITS["coliee/task2/2025/train"]


def cosines(query, **form):
    vectorizer = sklearn_text.TfidfVectorizer(sublinear_tf=True, **form)
    texts = [text[4:] for text in PARAGRAPHS] * 2  # of both cases, without marks
    return (vectorizer.fit_transform(texts)[:3] @ vectorizer.transform([query]).T).toarray()[:, 0]


def test_the_features_of_a_paragraph_are_those_of_scikit_learn(by_hand):
    found = paragraph_candidates(by_hand, fragment_contexts(by_hand))
    first = found[found["qid"] == "901"].sort_values("docno")
    values = feature_matrix(first)
    assert values.shape == (3, 20 + 5 + 20)
    around = fragment_context(FRAGMENT, BASE)
    content = {"token_pattern": r"\w+", "stop_words": sorted(STOP_WORDS)}
    for column, name in enumerate(SCORES[:3]):
        length = column + 1
        form = content if name == "words" else {"token_pattern": r"\w+", "ngram_range": (length, length)}
        for start, query in ((0, FRAGMENT), (25, around)):
            expected = cosines(query, **form)
            value, ratio, rank, gap = values[:, start + 4 * column : start + 4 * column + 4].T
            assert value.tolist() == pytest.approx(expected.tolist())
            best = expected.max()
            assert ratio.tolist() == pytest.approx((expected / best if best else expected).tolist())
            assert rank.tolist() == [(expected > own + 1e-9).sum() for own in expected]
            assert gap.tolist() == pytest.approx((expected - np.sort(expected)[-2]).tolist())
    place, share, size, length, of_fragment = values[:, 20:25].T
    assert place.tolist() == [1, 2, 3]
    assert share.tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert size.tolist() == pytest.approx([np.log(4)] * 3)
    assert length.tolist() == pytest.approx([np.log(1 + len(text)) for text in PARAGRAPHS])
    assert of_fragment.tolist() == pytest.approx([np.log(1 + len(FRAGMENT))] * 3)


def test_features_of_surroundings_that_are_not_there_are_missing_and_no_others(by_hand):
    found = paragraph_candidates(by_hand, fragment_contexts(by_hand))
    missing = np.isnan(feature_matrix(found))
    placed = (found["qid"] == "901").to_numpy()
    assert not missing[placed].any()
    assert missing[~placed][:, 25:].all()
    assert not missing[~placed][:, :25].any()
    assert feature_matrix(without_context_features(found)).shape == (6, 25)
    assert (found["query"] == FRAGMENT).all()


def test_where_a_base_case_is_not_there_nothing_stands_around(tmp_path, by_hand):
    (tmp_path / "task2_train_files_2025" / "901" / "base_case.txt").unlink()
    assert fragment_contexts(by_hand) == {}
    assert np.isnan(feature_matrix(paragraph_candidates(by_hand, fragment_contexts(by_hand)))[:, 25:]).all()


# --- synthetic releases --------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch):
    """Few trees: what is learned well is measured elsewhere."""
    monkeypatch.setattr(gradient_boosting, "boosted_classifier", partial(boosted_classifier, n_estimators=8))


def synthetic_split(release, home, monkeypatch, scale=0.015):
    write_release(release, home, scale=scale, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(home))
    return SPLITS[f"{release}/test"]


@pytest.mark.parametrize("release", ["coliee/task2/2018", "coliee/task2/2020", "coliee/task2/2026"])
def test_releases_of_each_era_are_answered_and_the_same_again(tmp_path, monkeypatch, quick, release):
    split = synthetic_split(release, tmp_path, monkeypatch)
    [run] = find_entailing_paragraphs(split, training_data(split))
    assert run.tag == "learned"
    [note] = run.notes
    assert split.train.id in note
    assert "optimistic" not in note
    assert "on the fragment alone" not in note
    assert set(run.answers["qid"]) == set(run.ranking["qid"]) == set(topics(split)["qid"])
    assert (run.ranking["docno"].str.partition("_")[0] == run.ranking["qid"]).all()
    [again] = find_entailing_paragraphs(split, training_data(split))
    assert again.answers.equals(run.answers)
    assert again.ranking.equals(run.ranking)


def test_where_most_fragments_have_no_surroundings_nobodys_are_looked_at(tmp_path, monkeypatch, quick):
    split = synthetic_split("coliee/task2/2025", tmp_path, monkeypatch, scale=0.01)
    for base_case in tmp_path.rglob("*train*/*/base_case.txt"):
        base_case.write_text("The sea is wide.", encoding="utf-8")
    [run] = find_entailing_paragraphs(split, training_data(split))
    assert "on the fragment alone" in run.notes[0]
    assert set(run.answers["qid"]) == set(topics(split)["qid"])


@pytest.mark.parametrize("name", ["train", "test"])
def test_a_fragment_without_surroundings_is_answered_all_the_same(tmp_path, monkeypatch, quick, name):
    test = synthetic_split("coliee/task2/2025", tmp_path, monkeypatch)
    split = test.train if name == "train" else test
    [before] = find_entailing_paragraphs(split, training_data(split))
    found = fragment_contexts(split)
    lost = next(iter(found))
    folder = next(path for path in tmp_path.rglob(lost) if (path / "base_case.txt").exists())
    (folder / "base_case.txt").write_text("The sea is wide.", encoding="utf-8")
    assert fragment_contexts(split).keys() == found.keys() - {lost}
    [after] = find_entailing_paragraphs(split, training_data(split))
    assert set(after.ranking["qid"]) == set(before.ranking["qid"])
    assert len(after.ranking) == len(before.ranking)
    if name == "test":  # nothing else has changed
        others = [run.ranking[run.ranking["qid"] != lost].reset_index(drop=True) for run in (before, after)]
        assert others[0][["docno", "score"]].equals(others[1][["docno", "score"]])


def test_the_train_part_is_answered_by_models_that_have_not_seen_the_case(tmp_path, monkeypatch, quick):
    train = synthetic_split("coliee/task2/2025", tmp_path, monkeypatch).train
    seen, gold = paragraph_candidates(train, fragment_contexts(train)), qrels(train)
    folds = by_block(list(topics(train)["qid"]), 3)
    first = held_out_run(seen, gold, folds)
    of_fold = [qid for qid, fold in folds.items() if fold == 1]
    wrong = seen[seen["qid"].isin(of_fold)].groupby("qid").tail(1)[["qid", "docno"]].assign(label=1)
    altered = pd.concat([gold[~gold["qid"].isin(of_fold)], wrong])
    second = held_out_run(seen, altered, folds)
    own = first["qid"].isin(of_fold)
    assert first[own][["qid", "docno", "score"]].equals(second[second["qid"].isin(of_fold)][["qid", "docno", "score"]])
    assert not np.array_equal(first[~own]["score"], second[~second["qid"].isin(of_fold)]["score"])

    [run] = find_entailing_paragraphs(train, training_data(train))
    assert "optimistic" in run.notes[0]
    model = gradient_boosting.boosted_ranker(seen).fit(seen, gold)  # which has seen everything
    assert not np.array_equal(np.sort(model(seen)["score"]), np.sort(run.ranking["score"]))


def test_without_labels_words_answer_alone_and_say_why(tmp_path, monkeypatch):
    split = synthetic_split("coliee/task2/2025", tmp_path, monkeypatch, scale=0.01)
    for labels in tmp_path.rglob("task2_train_labels*"):
        labels.unlink()
    with pytest.raises(MissingLabelsError, match="the label file"):
        training_data(split)
    [run] = run_baseline(split)
    assert run.tag == "bm25"
    assert any("the label file of COLIEE 2025 was not found" in note for note in run.notes)


def test_one_train_case_is_too_few(by_hand, tmp_path):
    import shutil

    shutil.rmtree(tmp_path / "task2_train_files_2025" / "902")
    (tmp_path / "task2_train_labels_2025.json").write_text(json.dumps({"901": ["001.txt"]}), encoding="utf-8")
    with pytest.raises(InsufficientTrainingDataError, match="only one case"):
        find_entailing_paragraphs(by_hand, training_data(by_hand))


def test_without_lightgbm_words_answer_alone_and_name_the_extra(tmp_path, monkeypatch):
    split = synthetic_split("coliee/task2/2025", tmp_path, monkeypatch, scale=0.01)
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    [run] = run_baseline(split)
    assert run.tag == "bm25"
    assert any("ir_coliee[learn]" in note for note in run.notes)
