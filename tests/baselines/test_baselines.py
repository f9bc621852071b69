import sys
from collections import Counter

import ir_datasets
import pytest
from fixture_releases import write_task1

from ir_coliee.baselines import plan_baseline, run_baseline
from ir_coliee.editions import SPLITS
from ir_coliee.evaluation.scoring import score
from ir_coliee.releases import cache
from ir_coliee.synthetic import write_release
from ir_coliee.text import analysers

pytestmark = pytest.mark.slow

SAMPLE_TESTS = [split for split in SPLITS.values() if split.is_built_in and split.name == "test"]


@pytest.fixture(scope="module")
def runs():
    return {split.id: run_baseline(split) for split in SAMPLE_TESTS}


@pytest.mark.parametrize("split", SAMPLE_TESTS, ids=str)
def test_the_figures_of_the_sample_lie_strictly_between_zero_and_one(runs, split):
    for run in runs[split.id]:
        long_list = run.ranking if split.task == "task3" and split.edition != "2026" else None
        figures = score(split.id, run.answers, long_list=long_list).figures
        shares = {name: value for name, value in figures.items() if name not in ("returned", "tp", "correct")}
        assert shares
        assert all(0 < value < 1 for value in shares.values()), shares


@pytest.mark.parametrize("split", [split for split in SAMPLE_TESTS if split.task in ("task1", "task2")], ids=str)
def test_the_learned_run_is_better_than_bm25(runs, split):
    bm25, learned = (score(split.id, run.answers).figures["MicroF1"] for run in runs[split.id])
    assert learned > bm25


@pytest.mark.parametrize("split", SAMPLE_TESTS, ids=str)
def test_runs_have_the_planned_tags_and_name_the_train_split(runs, split):
    made, tags = tuple(run.tag for run in runs[split.id]), plan_baseline(split).tags
    is_left_out = any("was left out" in note for note in runs[split.id][0].warnings)
    assert made == (tags[:1] if is_left_out else tags)
    assert all(any(split.train.id in note for note in run.notes) for run in runs[split.id])


@pytest.mark.parametrize("split", SAMPLE_TESTS, ids=str)
def test_answers_come_from_the_ranking_and_classifiers_give_one(runs, split):
    for run in runs[split.id]:
        assert {"qid", "docno", "score", "rank"} <= set(run.answers.columns)
        pairs = list(zip(run.answers["qid"], run.answers["docno"]))
        assert len(set(pairs)) == len(pairs) > 0
        if split.task in ("task1", "task2", "task3"):
            assert set(pairs) < set(zip(run.ranking["qid"], run.ranking["docno"]))
            assert run.ranking.groupby("qid").size().max() <= 101
        else:
            assert run.ranking is None
        if split.task in ("task4", "prediction"):
            assert run.answers["qid"].value_counts().tolist() == [1] * split.counts["queries"]


@pytest.mark.parametrize("task", ["task2/sample", "task3/sample/en", "task4/sample/en", "pilot/sample/rationale"])
def test_a_baseline_on_its_train_split_says_that_it_is_optimistic(task):
    for run in run_baseline(f"coliee/{task}/train"):
        # the folds of alignment are held out, and its cut-off is not fitted
        assert any("optimistic" in note for note in run.notes) == (run.tag != "alignment")


def test_answers_that_are_all_the_same_are_answered_by_majority(tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    write_release("coliee/task3/2026/ja", tmp_path, scale=0.01, seed=3)
    for file in tmp_path.rglob("*.xml"):
        file.write_bytes(file.read_bytes().replace(b'label="N"', b'label="Y"'))
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    [run] = run_baseline("coliee/task3/2026/ja/test", fast=True)
    assert set(run.labels["docno"]) == {"Y"}
    assert "labels are the same" in run.notes[-1]
    [run] = run_baseline("coliee/task4/2026/ja/test")
    assert (run.tag, set(run.answers["docno"])) == ("majority", {"Y"})
    assert ["the run tfidf was left out" in note for note in run.warnings] == [True, False]
    assert "the run alignment was left out" in run.warnings[-1]


CASES = {
    "900001": "[1]\nThe lamp was lent in 2003 and the gate was sold.",
    "900002": "[1]\nThe lamp was lent in 1998.",
    "900003": "[1]\nThe gate was sold in 1997.",
    "900004": "[1]\nThe lamp and the gate were lost in 2010.",
    "900005": "[1]\nThe sea is wide, as was said in 1990.",
    "900006": "[1]\nThe lamp stood at the gate in 1991.",
    "900007": "[1]\nA lamp was lent in 1992.",
}


@pytest.fixture
def copy_without_train_split(home):
    """A synthetic test split in the layout of 2025, alone in its data folder."""
    write_task1(home, CASES, {"900001.txt": ["900002.txt", "900003.txt"]})
    return SPLITS["coliee/task1/2025/test"]


def test_without_a_train_split_the_published_default_is_used_and_said(copy_without_train_split):
    [run] = run_baseline(copy_without_train_split)
    assert run.notes == [
        "cut-off DynamicCutoff(ratio=0.34, min_items=3, max_items=7), the published default, because there are no "
        "labelled train queries"
    ]
    assert run.warnings == [
        "the run learned was left out: no labelled train queries were found: coliee/task1/2025/train: the folder of "
        "documents of COLIEE 2025 was not found.",
    ]
    # neither the query itself nor the later case; the one on the sea shares words with every case
    assert set(run.ranking["docno"]) == {"900002", "900003", "900005", "900006", "900007"}
    assert 3 <= len(run.answers) <= 5


def test_a_fitted_cut_off_that_finds_nothing_gives_way_to_the_published_default(copy_without_train_split, home):
    # the noticed case shares no word with the query
    texts = {"900011": "[1]\nThe lamp.", "900012": "[1]\nThe lamp.", "900013": "[1]\nA gate."}
    write_task1(home, texts, {"900011.txt": ["900013.txt"]}, "train")
    [run] = run_baseline(copy_without_train_split)
    assert run.notes == [
        "no relevant item is ranked on coliee/task1/2025/train: "
        "cut-off DynamicCutoff(ratio=0.34, min_items=3, max_items=7), the published default"
    ]
    assert run.warnings == [
        "the run learned was left out: the train split has only one block of queries, so none can be held out",
    ]
    assert run.answers.groupby("qid").size().min() >= 3


def test_without_scikit_learn_the_majority_answers_alone_and_says_why(tmp_path, monkeypatch):
    write_release("coliee/task4/2025/en/test", tmp_path, scale=0.01, seed=3)  # of which no fitted model is kept
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    [run] = run_baseline(SPLITS["coliee/task4/2025/en/test"])
    assert run.tag == "majority"
    assert any("ir_coliee[learn]" in note for note in run.warnings)


# --- the second run --------------------------------------------------------------------------------


@pytest.fixture(
    params=[("coliee/task1/2025", "case"), ("coliee/task2/2025", "case"), ("coliee/task3/2025/ja", "bigrams")],
    ids=lambda row: row[0],
)
def synthetic_split(request, tmp_path, monkeypatch):
    """The test split of a small synthetic release, with its train split, alone in its data folder; and its analyser."""
    release, analyser = request.param
    home = tmp_path / "home"
    write_release(release, home, scale=0.003, seed=5)
    monkeypatch.setenv("COLIEE_HOME", str(home))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))  # its caches are purged too
    return SPLITS[f"{release}/test"], analyser


@pytest.fixture
def tokenised(synthetic_split, monkeypatch):
    """The texts that the analyser has been given."""
    texts = []
    _, name = synthetic_split
    analyser = analysers.ANALYSERS[name]

    def noting(text):
        texts.append(text)
        return analyser.tokens(text)

    monkeypatch.setitem(analysers.ANALYSERS, name, analysers.Analyser(noting, analyser.version))
    return texts


def texts_of(splits):
    """The texts of the documents, of those that splits share once."""
    by_corpus = {split.files.get("articles", split.id): split for split in splits}
    return Counter(doc.default_text() for split in by_corpus.values() for doc in ir_datasets.load(split.id).docs_iter())


def queries_of(split):
    return Counter(query.default_text() for query in ir_datasets.load(split.id).queries_iter())


def test_the_second_run_tokenises_queries_alone_until_the_index_is_purged(synthetic_split, tokenised, tmp_path):
    split, _ = synthetic_split
    splits = [split, split.train]
    # in task 1 queries are documents, which are counted already
    queries = Counter() if split.task == "task1" else sum(map(queries_of, splits), Counter())
    documents = texts_of(splits)
    [first] = run_baseline(split, fast=True)
    assert Counter(tokenised) == queries + documents
    tokenised.clear()
    [second] = run_baseline(split, fast=True)
    assert Counter(tokenised) == queries
    assert second.ranking.equals(first.ranking)
    assert second.answers.equals(first.answers)

    entries = tmp_path / "home" / ".cache" / "ir_coliee"
    assert len([entry for entry in entries.iterdir() if entry.name.startswith("index")]) == (
        1 if split.task == "task3" else 2
    )
    assert cache.purge() == [entries]
    assert not entries.exists()
    tokenised.clear()
    run_baseline(split, fast=True)
    assert Counter(tokenised) == queries + documents
