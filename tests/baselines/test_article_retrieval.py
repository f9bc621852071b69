"""Task 3 learned from the train split: what a question may see, its features, and the run."""

import sys
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines import gradient_boosting, run_baseline
from ir_coliee.baselines.article_retrieval import (
    article_candidates,
    retrieve_articles,
    with_reference_features,
)
from ir_coliee.baselines.bm25 import bm25_ranker
from ir_coliee.baselines.gradient_boosting import held_out_run
from ir_coliee.baselines.training_data import qrels, topics, training_data
from ir_coliee.datasets.folds import by_exam_year
from ir_coliee.editions import SPLITS
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.releases.article_references import Reference, ReferenceGraph
from ir_coliee.synthetic import write_release
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers import LexicalIndex, PastQuestionRetriever, boosted_classifier
from ir_coliee.transformers.features import feature_matrix

pytestmark = pytest.mark.slow

pytest.importorskip("lightgbm")
sklearn_text = pytest.importorskip("sklearn.feature_extraction.text")

QUESTIONS = {
    "H98-1-1": "A lamp may be lent to a neighbour of the owner.",
    "H98-1-2": "A gate is a movable, and so is a lamp.",
    "H99-2-1": "The neighbour returns the lamp to the owner.",
    "R98-1-1": "The gate of a neighbour is a movable.",
    "R98-3-1": "Whoever finds a boat tells the owner of the boat.",
}
GOLD = {
    "H98-1-1": ["1", "2"],
    "H98-1-2": ["3"],
    "H99-2-1": ["2"],
    "R98-1-1": ["3", "2"],
    "R98-3-1": ["4"],
}
ASKED = {
    **QUESTIONS,
    "R99-1-1": "The owner lends a lamp and a boat.",
    "H97-1-1": "A gate",
    "keys": "a lamp of the owner",
}


def labelled(monkeypatch, gold=GOLD):
    """These questions as a split of task 3, and as a split for each exam year."""
    questions = [SimpleNamespace(query_id=q, default_text=lambda text=text: text) for q, text in QUESTIONS.items()]
    pairs = [SimpleNamespace(query_id=q, doc_id=docno) for q, docnos in gold.items() for docno in docnos]

    def load(dataset_id):
        name = dataset_id.rpartition("/")[2].upper()
        year = "" if name == "TRAIN" else name
        return SimpleNamespace(
            queries_iter=lambda: (each for each in questions if each.query_id.startswith(year)),
            qrels_iter=lambda: (each for each in pairs if each.query_id.startswith(year)),
            queries_lang=lambda: "en",
            docs_store=lambda: None,
            docs_iter=lambda: (SimpleNamespace(doc_id=docno) for docno in ("1", "2", "3", "4", "5")),
        )

    monkeypatch.setattr("ir_coliee.transformers.features.past_questions.ir_datasets.load", load)

    def of_exam_years(split, years):
        return [replace(split, name=year.lower()) for year in years]

    monkeypatch.setattr("ir_coliee.editions.Split.of_exam_years", of_exam_years)


def pairs_of(asked):
    rows = [(qid, text, docno) for qid, text in asked.items() for docno in ("1", "2", "3", "4", "5")]
    return pd.DataFrame(rows, columns=["qid", "query", "docno"])


def may_see(qid, other):
    """Every other year, but of a year that no labelled question has those before it."""
    year, its = exam_id(qid).year, exam_id(other).year
    labelled_years = {exam_id(name).year for name in QUESTIONS}
    return its != year and (year in labelled_years or not year or its < year)


@pytest.mark.parametrize("aggregate", ["max", "squares", "count"])
@pytest.mark.parametrize("analyser", ["words", "characters"])
def test_past_questions_score_as_scikit_learn_and_a_loop_do(monkeypatch, aggregate, analyser):
    labelled(monkeypatch)
    forms = {"words": {"token_pattern": r"\w+"}, "characters": {"analyzer": "char", "ngram_range": (3, 5)}}
    vectorizer = sklearn_text.TfidfVectorizer(sublinear_tf=True, **forms[analyser])
    of_past = vectorizer.fit_transform(QUESTIONS.values())
    cosines = (vectorizer.transform(ASKED.values()) @ of_past.T).toarray()
    pool = {
        "max": lambda seen: max(seen, default=0),
        "squares": lambda seen: sum(x * x for x in seen),
        "count": len,
    }
    expected = [
        pool[aggregate](
            [
                cosines[row, column]
                for column, past in enumerate(QUESTIONS)
                if docno in GOLD[past] and may_see(qid, past)
            ]
        )
        for row, qid in enumerate(ASKED)
        for docno in ("1", "2", "3", "4", "5")
    ]
    past = PastQuestionRetriever("coliee/task3/sample/en/train", analyser=analyser, aggregate=aggregate)
    assert past.scores(pairs_of(ASKED)).tolist() == pytest.approx(expected)
    assert max(expected) > 0


@pytest.mark.parametrize("aggregate", ["max", "squares", "count"])
def test_a_question_does_not_see_the_gold_of_its_own_year(monkeypatch, aggregate):
    labelled(monkeypatch)
    before = PastQuestionRetriever("coliee/task3/sample/en/train", aggregate=aggregate).scores(pairs_of(QUESTIONS))
    labelled(monkeypatch, {**GOLD, "R98-1-1": ["1"], "R98-3-1": ["1", "2", "3"]})
    after = PastQuestionRetriever("coliee/task3/sample/en/train", aggregate=aggregate).scores(pairs_of(QUESTIONS))
    own = pairs_of(QUESTIONS)["qid"].str.startswith("R98").to_numpy()
    assert (before[own] == after[own]).all()
    assert (before[~own] != after[~own]).any()


def test_past_questions_find_what_they_score_and_nothing_else(monkeypatch):
    labelled(monkeypatch)
    asked = pd.DataFrame({"qid": ["R99-1-1", "H97-1-1"], "query": ["The owner lends a lamp and a boat.", "A gate"]})
    past = PastQuestionRetriever("coliee/task3/sample/en/train")
    found = past(asked)
    assert set(found["qid"]) == {"R99-1-1"}  # of the other's year and before there is no question
    assert found["score"].is_monotonic_decreasing
    assert past.scores(found).tolist() == pytest.approx(found["score"].tolist())
    assert past(found[["qid", "query", "docno"]])["docno"].tolist() == found["docno"].tolist()
    assert (
        PastQuestionRetriever("coliee/task3/sample/en/train", num_results=1)(asked)["docno"].tolist()
        == found["docno"].tolist()[:1]
    )
    assert past(asked.iloc[:0]).empty
    assert past(found.iloc[:0]).empty


def test_an_article_that_the_collection_lacks_is_not_retrieved(monkeypatch):
    labelled(monkeypatch, {**GOLD, "H98-1-1": ["1", "26-99"]})
    asked = pd.DataFrame({"qid": ["R99-1-1"], "query": ["The owner lends a lamp and a boat."]})
    found = PastQuestionRetriever("coliee/task3/sample/en/train")(asked)
    assert set(found["docno"]) <= {"1", "2", "3", "4", "5"}


def test_past_questions_of_chosen_years_are_seen_by_all_other_years(monkeypatch):
    labelled(monkeypatch)
    asked = pairs_of({"R99-1-1": "The owner", "H98-9-9": "The owner", "H97-1-1": "The owner"})
    past = PastQuestionRetriever("coliee/task3/sample/en/train", aggregate="count", exam_years=["H98", "R98"])
    counts = asked.assign(score=past.scores(asked)).pivot(index="qid", columns="docno", values="score")
    assert counts.loc["R99-1-1"].tolist() == counts.loc["H97-1-1"].tolist() == [1, 2, 2, 1, 0]
    assert counts.loc["H98-9-9"].tolist() == [0, 1, 1, 1, 0]  # those of R98 alone


def test_past_questions_refuse_what_is_no_way_to_take_them():
    with pytest.raises(ValueError, match="newest"):
        PastQuestionRetriever("coliee/task3/sample/en/train", aggregate="newest")


def test_runs_of_characters_weigh_as_those_of_scikit_learn():
    vectorizer = sklearn_text.TfidfVectorizer(sublinear_tf=True, analyzer="char", ngram_range=(3, 5))
    texts = list(QUESTIONS.values())
    expected = (vectorizer.fit_transform(texts)[0] @ vectorizer.transform(texts).T).toarray()[0]
    index = LexicalIndex.build([{"docno": q, "text": t} for q, t in QUESTIONS.items()], analyser="characters")
    found = index.tf_idf().search(texts[0]).set_index("docno")["score"]
    assert found[list(QUESTIONS)].tolist() == pytest.approx(expected.tolist())


def test_references_lead_from_the_better_ranked_to_the_worse():
    found = pd.DataFrame({"qid": ["1"] * 3 + ["2"], "docno": ["7", "8", "9", "8"], "score": [8.0, 4.0, 2.0, 1.0]})
    found["features"] = [np.array([float(row)]) for row in range(4)]
    graph = ReferenceGraph(
        [
            Reference("9", "7", "number", True, 1),  # 9 applies 7, which is better
            Reference("9", "8", "relative", False, 1),
            Reference("8", "9", "number", False, 1),  # 8 names 9, which is worse: 9 is named by a better one
            Reference("7", "5", "number", True, 1),  # no candidate
        ],
        [],
    )
    assert feature_matrix(with_reference_features(found, graph)).tolist() == [
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [2, 1.0, 0.5, 1.0, 0],
        [3, 0, 0, 0, 0],
    ]


# --- synthetic releases --------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch):
    """Few trees: what is learned well is measured elsewhere."""
    monkeypatch.setattr(gradient_boosting, "boosted_classifier", partial(boosted_classifier, n_estimators=8))


def synthetic_split(release, home, monkeypatch, scale=0.01):
    write_release(release, home, scale=scale, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(home))
    return SPLITS[f"{release}/test"]


@pytest.mark.parametrize("release", ["coliee/task3/2017/en", "coliee/task3/2021/ja", "coliee/task3/2026/ja"])
def test_releases_of_each_era_are_answered_and_the_same_again(tmp_path, monkeypatch, quick, release):
    split = synthetic_split(release, tmp_path, monkeypatch)
    [run] = retrieve_articles(split, training_data(split))
    assert run.tag == "learned"
    [note] = run.notes
    assert split.train.id in note
    assert "optimistic" not in note
    asked = set(topics(split)["qid"])
    assert set(run.answers["qid"]) == set(run.ranking["qid"]) == asked
    pairs = list(zip(run.ranking["qid"], run.ranking["docno"]))
    assert len(set(pairs)) == len(pairs)
    assert set(zip(run.answers["qid"], run.answers["docno"])) <= set(pairs)
    assert run.ranking.groupby("qid").size().max() <= 100
    by_bm25 = bm25_ranker(split)(topics(split))
    assert set(zip(by_bm25["qid"], by_bm25["docno"])) <= set(pairs)  # the release has fewer than 100 articles
    [again] = retrieve_articles(split, training_data(split))
    assert again.answers.equals(run.answers)
    assert again.ranking.equals(run.ranking)


def test_the_train_part_is_answered_by_models_that_have_not_seen_the_question(tmp_path, monkeypatch, quick):
    train = synthetic_split("coliee/task3/2024/en", tmp_path, monkeypatch).train
    seen, gold = article_candidates(train, topics(train), training_data(train)), qrels(train)
    folds = by_exam_year(seen["qid"].unique(), 3)
    first = held_out_run(seen, gold, folds)
    of_fold = [qid for qid, fold in folds.items() if fold == 0]
    wrong = seen[seen["qid"].isin(of_fold)].groupby("qid").tail(1)[["qid", "docno"]].assign(label=1)
    altered = pd.concat([gold[~gold["qid"].isin(of_fold)], wrong])
    second = held_out_run(seen, altered, folds)
    own = first["qid"].isin(of_fold)
    assert first[own][["qid", "docno", "score"]].equals(second[second["qid"].isin(of_fold)][["qid", "docno", "score"]])
    assert not np.array_equal(first[~own]["score"], second[~second["qid"].isin(of_fold)]["score"])

    [run] = retrieve_articles(train, training_data(train))
    assert "optimistic" in run.notes[0]
    model = gradient_boosting.boosted_ranker(seen).fit(seen, gold)  # which has seen everything
    assert not np.array_equal(np.sort(model(seen)["score"]), np.sort(run.ranking["score"][run.ranking["score"] >= 0]))


def test_features_of_a_train_question_do_not_know_its_own_year(tmp_path, monkeypatch):
    train = synthetic_split("coliee/task3/2024/en", tmp_path, monkeypatch).train
    before = article_candidates(train, topics(train), training_data(train)).set_index(["qid", "docno"])["features"]
    year = exam_id(before.index[0][0]).year

    def without_year(self, read=PastQuestionRetriever._read):
        past = read(self)
        return past._replace(relevant=past.relevant.multiply((past.years != year)[:, None]).tocsc())

    monkeypatch.setattr(PastQuestionRetriever, "_read", without_year)
    after = article_candidates(train, topics(train), training_data(train)).set_index(["qid", "docno"])["features"]
    own = [pair for pair in before.index if exam_id(pair[0]).year == year]
    assert len(own) > 20
    assert all(np.array_equal(before[pair], after[pair]) for pair in own)
    others = before.index.intersection(after.index).difference(own)
    assert any(not np.array_equal(before[pair], after[pair]) for pair in others)


@pytest.mark.parametrize(
    ("split", "reason"),
    [
        ("coliee/task3/sample/en/test", "only one exam year"),
        ("coliee/task3/sample/ja/r98", "no exam year before R98"),
    ],
)
def test_without_years_or_labels_words_answer_alone_and_say_why(split, reason):
    with pytest.raises(InsufficientTrainingDataError, match=reason):
        retrieve_articles(SPLITS[split], training_data(SPLITS[split]))
    [run] = run_baseline(SPLITS[split])
    assert run.tag == "bm25"
    assert any(reason in note for note in run.notes)


def test_without_lightgbm_words_answer_alone_and_name_the_extra(tmp_path, monkeypatch):
    split = synthetic_split("coliee/task3/2024/en", tmp_path, monkeypatch, scale=0.005)
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    [run] = run_baseline(split)
    assert run.tag == "bm25"
    assert any("ir_coliee[learn]" in note for note in run.notes)
