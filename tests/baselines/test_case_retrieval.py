"""Task 1 with gradient boosting: choices, cache, and no leak of held-out labels."""

import json
import pickle
import re
import shutil
import sys

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.baselines import case_ranker_fitting, case_ranker_rounds, case_retrieval, run_baseline
from ir_coliee.baselines.case_candidates import CandidateFilters, CaseSearch
from ir_coliee.baselines.case_ranker_fitting import (
    CaseRankerFitting,
    Configuration,
    fit_case_ranker,
    held_out_value,
)
from ir_coliee.baselines.case_ranker_rounds import (
    TrainingRound,
    fit_trees,
    held_out_first_round,
    held_out_second_round,
)
from ir_coliee.baselines.case_ranker_storage import CaseRankerState
from ir_coliee.baselines.fitted_case_ranker import (
    SECOND_ROUND_FEATURES,
    FittedCaseRanker,
    with_probabilities,
    with_second_round_features,
)
from ir_coliee.baselines.training_data import qrels, topics, training_data
from ir_coliee.datasets.folds import by_block
from ir_coliee.editions import SPLITS
from ir_coliee.errors import (
    ColieeError,
    ColieeHint,
    ExistingFileError,
    InsufficientTrainingDataError,
    MalformedFileError,
)
from ir_coliee.releases import cache
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import ExpectedFCutoff, LearnedRanker, RatioCutoff, ThresholdCutoff, boosted_classifier

pytestmark = pytest.mark.slow

pytest.importorskip("lightgbm")

TEST = SPLITS["coliee/task1/2025/test"]


def retrieved(split):
    return case_retrieval.retrieve_cases(split, training_data(split))


@pytest.fixture(scope="module", autouse=True)
def few_rounds():
    """Boosting in 20 rounds instead of 400: these tests do not depend on its quality."""

    def boosted_ranker(candidates):
        rows_per_leaf = max(1, len(candidates) // 100)
        return LearnedRanker(
            boosted_classifier(n_estimators=20, min_child_samples=rows_per_leaf, learning_rate=0.3, n_jobs=1)
        )

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(case_ranker_rounds, "boosted_ranker", boosted_ranker)
        yield


@pytest.fixture(scope="module")
def release(tmp_path_factory, few_rounds):
    """A small synthetic release of 2025, and what the baseline makes of its test the first time."""
    home = tmp_path_factory.mktemp("release")
    write_release("coliee/task1/2025", home, scale=0.008, seed=3)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLIEE_HOME", str(home))
        return home, retrieved(TEST)[0]


@pytest.fixture
def home(release, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(release[0]))
    return release[0]


@pytest.fixture
def changeable_release(release, tmp_path, monkeypatch):
    """The same release for changes, without a cached ranker."""
    home = tmp_path / "home"
    shutil.copytree(release[0], home)
    shutil.rmtree(folder_of(home))
    monkeypatch.setenv("COLIEE_HOME", str(home))
    return home


@pytest.fixture
def fitted_splits(release, monkeypatch):
    """Ids of the splits that a ranker is fitted on; the fitted ranker is that of the release."""
    seen = []
    state = FittedCaseRanker(folder_of(release[0])).state

    def noting(fitting):
        seen.append(fitting._search.split.id)
        return FittedCaseRanker(state)

    monkeypatch.setattr(CaseRankerFitting, "fit", noting)
    return seen


def folder_of(home):
    [folder] = (home / ".cache" / "ir_coliee").glob("ranker-*")
    return folder


# --- what is answered ------------------------------------------------------------------------------


def test_every_query_has_an_answer_and_none_is_the_query_itself(release):
    _, run = release
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLIEE_HOME", str(release[0]))
        asked = topics(TEST)["qid"].tolist()
    assert run.answers["qid"].unique().tolist() == asked
    assert (run.answers["qid"] != run.answers["docno"]).all()
    assert run.answers.groupby("qid").size().max() <= 10
    assert run.ranking["score"].between(0, 1).all()
    assert run.ranking.groupby("qid").size().max() <= 80


def test_the_notes_say_what_was_decided(release):
    fitted, candidates = release[1].notes
    assert re.fullmatch(
        r"fitted on coliee/task1/2025/train in (one round|two rounds); cut-off \w+Cutoff\(.+\), chosen on held-out "
        r"blocks of queries \(MicroF1 [01]\.\d{4}; tried: ThresholdCutoff, RatioCutoff, ExpectedFCutoff\)",
        fitted,
    )
    assert re.fullmatch(
        r"candidates: (later cases|query cases|later cases and query cases|no cases) excluded; share of the latest "
        r"train queries' noticed cases among them: [01]\.\d{3}",
        candidates,
    )


def test_a_query_of_the_train_split_is_answered_by_models_of_the_other_blocks(release, home, capsys):
    capsys.readouterr()
    [run] = retrieved(SPLITS["coliee/task1/2025/train"])
    assert run.notes[0].endswith("is scored by a model of the others, but the cut-off is fitted on all: optimistic")
    assert run.ranking is run.train_ranking
    assert run.ranking.equals(release[1].train_ranking)  # the one that is tuned on for the test split
    assert "features of the queries" not in capsys.readouterr().err


@pytest.mark.parametrize("edition", ["2018", "2020", "2021"])
def test_editions_with_pools_and_with_one_corpus_for_both_splits_are_answered(edition, tmp_path, monkeypatch):
    write_release(f"coliee/task1/{edition}", tmp_path, scale=0.02, seed=1)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    split = SPLITS[f"coliee/task1/{edition}/test"]
    [run] = retrieved(split)
    loaded = ir_datasets.load(split.id)
    assert set(run.answers["qid"]) == {query.query_id for query in loaded.queries_iter()}
    if split.has_pools:
        pairs = {(pair.query_id, pair.doc_id) for pair in loaded.scoreddocs_iter()}
        assert set(zip(run.answers["qid"], run.answers["docno"])) <= pairs
    else:
        assert set(run.answers["docno"]) <= {doc.doc_id for doc in loaded.docs_iter()}


def test_without_the_extra_words_answer_alone_and_the_note_names_it(home, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    [run] = run_baseline(TEST)
    assert run.tag == "bm25"
    assert "the run learned was left out" in run.notes[-1]
    assert "ir_coliee[learn]" in run.notes[-1]


def test_a_train_split_whose_gold_is_nowhere_among_the_candidates_teaches_nothing(home):
    search = CaseSearch(TEST)
    gold = pd.DataFrame({"qid": topics(TEST)["qid"], "docno": "999999", "label": 1})
    with pytest.raises(InsufficientTrainingDataError, match="coliee/task1/2025/test is too small"):
        fit_case_ranker(search, gold)


@pytest.mark.parametrize("stage", ["best_filters", "candidates"])
def test_a_failure_that_is_no_lack_of_labels_is_not_said_to_be_one(home, monkeypatch, stage):
    def failed(*_arguments):
        raise ColieeError("A process ended early.")

    monkeypatch.setattr(CaseSearch, stage, failed)
    with pytest.raises(ColieeError, match=r"^A process ended early\.$"):
        fit_case_ranker(CaseSearch(TEST), qrels(TEST))


# --- what is decided on labels ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample_search():
    return CaseSearch(SPLITS["coliee/task1/sample/test"])


def gold_of(pairs):
    return pd.DataFrame(pairs, columns=["qid", "docno"]).assign(label=1)


def test_query_cases_stay_where_labels_notice_them(sample_search):
    asked = topics(sample_search.split)
    first, second, *_ = sorted(asked["qid"])
    years = sample_search._years
    pairs = [(one, other) for one, other in ((first, second), (second, first))]
    run = gold_of(pairs).assign(score=1.0)
    allowed = years(run)[["qid", "docno"]]  # not the one that is later than its query
    assert len(allowed) >= 1
    filters, share = sample_search.best_filters(asked, allowed.assign(label=1))
    assert (filters, share) == (CandidateFilters(later=True, queries=False), 1.0)


def test_later_cases_stay_where_labels_notice_them(sample_search):
    asked = topics(sample_search.split)
    everything = sample_search._best_single_ranker(asked.assign(query_docno=asked["qid"]))
    everything = everything[~everything["docno"].isin(asked["qid"])]
    kept = set(zip(*sample_search._years(everything)[["qid", "docno"]].to_numpy().T))
    later = [pair for pair in zip(everything["qid"], everything["docno"]) if pair not in kept]
    assert later
    filters, share = sample_search.best_filters(asked, gold_of(later))
    assert (filters, share) == (CandidateFilters(later=False, queries=True), 1.0)


def test_of_equal_filters_the_strictest_is_taken(sample_search):
    asked = topics(sample_search.split)
    assert sample_search.best_filters(asked, gold_of([(asked["qid"][0], "999999")])) == (
        CandidateFilters(True, True),
        0.0,
    )


FOLDS = by_block(["1", "2", "3", "4", "5", "6"], 3)


@pytest.fixture
def featured():
    """Six queries of 30 candidates each, two features, and gold that the first of them tells."""
    random = np.random.default_rng(7)
    frame = pd.DataFrame({"qid": np.repeat([*FOLDS], 30), "docno": [f"d{number % 30:02}" for number in range(180)]})
    values = random.random((180, 2))
    frame = frame.assign(score=values[:, 0], features=[*values])
    return frame, frame.loc[values[:, 0] > 0.8, ["qid", "docno"]].assign(label=1)


def scores(run):
    return run.set_index(["qid", "docno"])["score"].sort_index()


def test_no_query_is_scored_by_what_its_own_block_taught(featured):
    frame, gold = featured
    other_gold = pd.concat([gold[~gold["qid"].isin(["1", "2"])], gold_of([("1", "d00"), ("2", "d01")])])
    one, other = (
        scores(held_out_first_round(TrainingRound(frame, ("a", "b")), each, FOLDS)) for each in (gold, other_gold)
    )
    assert len(one) == 180
    assert one[["1", "2"]].equals(other[["1", "2"]])
    assert not one[["3", "4"]].equals(other[["3", "4"]])


def test_neither_of_two_rounds_has_seen_a_label_of_the_block(featured):
    frame, gold = featured
    first = TrainingRound(frame, ("a", "b"))
    other_gold = pd.concat([gold[~gold["qid"].isin(["1", "2"])], gold_of([("1", "d00"), ("2", "d01")])])
    one, other = (
        scores(held_out_second_round(first, held_out_first_round(first, each, FOLDS), each, FOLDS))
        for each in (gold, other_gold)
    )
    assert len(one) == 180
    assert one[["1", "2"]].equals(other[["1", "2"]])
    assert not one[["3", "4"]].equals(other[["3", "4"]])


def test_held_out_scores_do_not_depend_on_the_number_of_threads(featured, monkeypatch):
    frame, gold = featured
    at_once = held_out_first_round(TrainingRound(frame, ("a", "b")), gold, FOLDS)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert held_out_first_round(TrainingRound(frame, ("a", "b")), gold, FOLDS).equals(at_once)


def test_a_family_is_judged_by_cut_offs_that_other_blocks_chose():
    run = pd.DataFrame({"qid": list("aabb"), "docno": list("wxyz"), "score": [0.9, 0.5, 0.4, 0.1]})
    gold = gold_of([("a", "w"), ("b", "y")])
    folds = by_block(["a", "b"], 2)
    family = [ThresholdCutoff(0.3), ThresholdCutoff(0.6)]
    # a alone takes .6, with which b has no answer; b alone takes .3, with which a has one wrong
    way = Configuration((), run, family)
    assert held_out_value(way, gold, folds) == pytest.approx(2 * 1 / (2 + 2))
    one_for_both = Configuration((), run, [ExpectedFCutoff(1.0, average="micro", min_items=1, max_items=1)])
    assert held_out_value(one_for_both, gold, folds) == 1.0


def test_the_second_round_sees_how_the_first_stands_in_the_query_and_among_queries():
    scored = pd.DataFrame({"qid": list("1122"), "docno": list("abab"), "score": [0.6, 0.3, 0.2, 0.3]})
    scored["features"] = [np.array([float(row)]) for row in range(4)]
    found = np.vstack(with_second_round_features(scored)["features"])
    assert found.shape == (4, 14)
    assert found[:, 0].tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(found[:, 1], [0.6, 0.3, 0.2, 0.3])
    np.testing.assert_allclose(found[:, 2], [1, 0.5, 2 / 3, 1])  # ratio to the query's best
    np.testing.assert_allclose(found[:, 5], [0.75, 0.5, 0.25, 0.5])  # the query's share of the candidate
    np.testing.assert_allclose(found[:, 10], [0, 0, 1, 0])  # rank among the candidate's queries
    np.testing.assert_allclose(found[:, 12], [0.4, 0.3, 0.4, 0.3])  # their mean


def test_two_rounds_score_as_each_alone_would(featured):
    frame, gold = featured
    first = fit_trees(TrainingRound(frame, ("a", "b")), gold)
    scored = with_probabilities(frame, first.booster(), frame)
    seen = with_second_round_features(scored)
    second = fit_trees(TrainingRound(seen, ("a", "b", *SECOND_ROUND_FEATURES)), gold)
    state = CaseRankerState(
        ("a", "b"), (first, second), CandidateFilters(), 1.0, ThresholdCutoff(0.5), 1.0, "synthetic", "0"
    )
    expected = second.booster().predict(np.vstack(seen["features"]), num_threads=1)
    assert scores(FittedCaseRanker(state)(frame)).equals(scores(scored.assign(score=expected)))
    assert not scores(scored).equals(scores(scored.assign(score=expected)))


# --- what is kept ----------------------------------------------------------------------------------


def test_the_second_run_learns_nothing_and_answers_the_same_to_the_last_bit(release, changeable_release, fitted_splits):
    [first] = retrieved(TEST)
    [second] = retrieved(TEST)
    assert fitted_splits == ["coliee/task1/2025/train"]
    for one, other in ((first, second), (first, release[1])):
        assert one.answers.equals(other.answers)
        assert one.ranking.equals(other.ranking)
        assert one.notes == other.notes


def test_the_ranker_is_fitted_again_if_labels_or_decisions_changed_or_the_cache_was_purged(
    changeable_release, fitted_splits
):
    retrieved(TEST)
    labels = changeable_release / "task1_train_labels_2025.json"
    gold = json.loads(labels.read_text())
    query = next(query for query, items in gold.items() if len(items) > 1)
    labels.write_text(json.dumps({**gold, query: gold[query][1:]}))
    retrieved(TEST)
    decision = next((changeable_release / "task1_train_files_2025").glob("*.txt"))
    decision.write_text(decision.read_text() + "\nA lamp was lent.")
    retrieved(TEST)
    cache.purge()
    retrieved(TEST)
    assert fitted_splits == ["coliee/task1/2025/train"] * 4


def test_a_changed_test_split_is_answered_by_the_cached_ranker(changeable_release, fitted_splits):
    retrieved(TEST)
    decision = next((changeable_release / "task1_test_files_2025").glob("*.txt"))
    decision.write_text(decision.read_text() + "\nA lamp was lent.")
    retrieved(TEST)
    assert fitted_splits == ["coliee/task1/2025/train"]


def test_a_damaged_entry_is_passed_over_with_a_hint(release, changeable_release, fitted_splits):
    retrieved(TEST)
    trees = sorted((changeable_release / ".cache" / "ir_coliee").glob("ranker-*/round1.txt"))
    for each in trees:
        each.write_text(each.read_text().replace("leaf_value=", "leaf_value=9", 1))
    with pytest.warns(ColieeHint, match=r"round1\.txt: its content differs"):
        [run] = retrieved(TEST)
    assert len(fitted_splits) == 2
    assert len(trees) == 1
    assert run.answers.equals(release[1].answers)


def test_what_is_kept_holds_no_word_and_no_number_of_a_decision(home):
    words, ids = set(), set()
    for split in (TEST, TEST.train):
        for doc in ir_datasets.load(split.id).docs_iter():
            ids.add(doc.doc_id)
            words.update(re.findall(r"[a-z]+", doc.text.lower()))
    assert len(words) > 300
    files = sorted(folder_of(home).iterdir())
    assert {file.name for file in files} <= {"pt_meta.json", "round1.txt", "round2.txt"}
    written = "\n".join(file.read_text(encoding="ascii").lower() for file in files)
    own = re.findall(r"[a-z]+", " ".join(FittedCaseRanker(folder_of(home)).state.features))
    import lightgbm

    # with a feature that is the same everywhere, of which LightGBM writes "none"
    nothing = lightgbm.LGBMClassifier(n_estimators=1, min_child_samples=1, verbosity=-1).fit([[0, 0], [1, 0]], [0, 1])
    own += re.findall(r"[a-z]+", nothing.booster_.model_to_string().lower())
    own += re.findall(r"[a-z]+", " ".join([*CaseRankerState._fields, *CandidateFilters._fields, "rule none"]))
    own += ["true", "false", "train", "type", "task", "version", "cases", "a", "e", "f", "b", "c", "d", "l", "h"]
    assert set(re.findall(r"(?<![a-z0-9])[a-z]+(?![a-z0-9])", written)) & words - set(own) == set()
    assert set(re.findall(r"(?<![\d.])\d{6}(?![\d.])", written)) & ids == set()


def test_what_was_saved_is_loaded_and_scores_another_split_alike(home, tmp_path):
    search = CaseSearch(SPLITS["coliee/task1/2025/train"])
    in_cache = FittedCaseRanker.load(str(folder_of(home)))
    in_memory = FittedCaseRanker(in_cache.state)
    saved = in_memory.save(tmp_path / "learned")
    assert saved.state == in_memory.state
    assert pt.inspect.artifact_type_format(saved) == ("fitted_case_ranker", "coliee")
    found = (search.candidates(saved.filters) >> search.features)(topics(search.split))
    before = found.copy()
    one, other = in_memory(found), FittedCaseRanker.load(str(tmp_path / "learned"))(found)
    assert found.equals(before)
    assert one.equals(other)
    assert pickle.loads(pickle.dumps(saved))(found).equals(one)
    assert (one["score"].to_numpy() == other["score"].to_numpy()).all()
    assert set(one.columns) == set(found.columns)
    with pytest.raises(ExistingFileError):
        in_memory.save(tmp_path / "learned")


@pytest.mark.parametrize(
    "cutoff",
    [
        ThresholdCutoff(0.1, min_items=1, max_items=10),
        RatioCutoff(0.3, threshold=0.05, min_items=1, max_items=10),
        ExpectedFCutoff(1.0, average="micro", min_items=1, max_items=10),
    ],
    ids=repr,
)
@pytest.mark.parametrize("rounds", [1, 2])
def test_every_kind_of_fitted_model_survives_the_folder(home, tmp_path, cutoff, rounds):
    state = FittedCaseRanker(folder_of(home)).state
    state = state._replace(cutoff=cutoff, rounds=state.rounds[:1] * rounds, filters=CandidateFilters(False, True))
    assert FittedCaseRanker(state).save(tmp_path / "learned").state == state


def test_the_families_of_cut_offs_can_all_be_kept(home, tmp_path):
    state = FittedCaseRanker(folder_of(home)).state
    for number, family in enumerate(case_ranker_fitting.CUTOFFS):
        state = state._replace(cutoff=family[-1])
        assert FittedCaseRanker(state).save(tmp_path / str(number)).cutoff == family[-1]


def test_a_fitted_ranker_is_not_uploaded(home):
    ranker = FittedCaseRanker(folder_of(home))
    for upload in (lambda: ranker.to_hf("somebody/something"), ranker.to_zenodo, ranker.to_p2p):
        with pytest.raises(ColieeError, match="the data-use agreement forbids"):
            upload()


def test_candidates_with_other_features_are_refused(home):
    ranker = FittedCaseRanker(folder_of(home))
    frame = pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0], "features": [np.zeros(3)]})
    with pytest.raises(ColieeError, match=r"fitted on \d+ features, got 3"):
        ranker(frame)
    assert ranker(frame[:0]).empty


@pytest.mark.parametrize(
    ("changed", "error", "match"),
    [
        ({"type": "lexical_index"}, ColieeError, "another kind of artifact"),
        ({"format_version": 99}, ColieeError, "format 99"),
        ({"cutoff": {"rule": "TopK", "k": 3}}, MalformedFileError, "KeyError"),
        ({"cutoff": {"rule": "ThresholdCutoff", "threshold": "much"}}, MalformedFileError, "ValueError"),
        ({"filters": {"sooner": True}}, MalformedFileError, "TypeError"),
        ({"rounds": ["0"]}, MalformedFileError, "content differs"),
        ({"rounds": []}, MalformedFileError, "0 rounds of trees"),
        ({"features": None}, MalformedFileError, "TypeError"),
    ],
)
def test_a_folder_that_was_changed_is_refused(home, tmp_path, changed, error, match):
    shutil.copytree(folder_of(home), tmp_path / "learned")
    manifest = tmp_path / "learned" / "pt_meta.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), **changed}))
    with pytest.raises(error, match=match):
        FittedCaseRanker(tmp_path / "learned")


@pytest.mark.parametrize("name", ["pt_meta.json", "round1.txt"])
def test_a_folder_without_one_of_its_files_is_refused(home, tmp_path, name):
    shutil.copytree(folder_of(home), tmp_path / "learned")
    (tmp_path / "learned" / name).unlink()
    with pytest.raises(ColieeError, match="cannot be read"):
        FittedCaseRanker(tmp_path / "learned")


def test_no_json_in_the_manifest_is_refused(home, tmp_path):
    shutil.copytree(folder_of(home), tmp_path / "learned")
    (tmp_path / "learned" / "pt_meta.json").write_text("{")
    with pytest.raises(MalformedFileError, match="not JSON"):
        FittedCaseRanker(tmp_path / "learned")
