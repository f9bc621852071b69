"""Task 3 of 2026: the number of articles that its measure favours, and answers from the retrieved articles."""

import re
from dataclasses import replace

import ir_measures
import numpy as np
import pandas as pd
import pytest

from ir_coliee import GatedAccuracy, MacroF2
from ir_coliee.baselines import articles
from ir_coliee.baselines.answers import (
    SHORT,
    GatedQuestions,
    HeldOutAnswers,
    answer_statements,
    gated_runs,
    retrieved_texts,
)
from ir_coliee.baselines.articles import STANDARD, ArticleBaseline
from ir_coliee.baselines.bm25 import bm25_baseline
from ir_coliee.baselines.recipes import LogisticLearner
from ir_coliee.baselines.training import topics, training_data
from ir_coliee.editions import SPLITS
from ir_coliee.synthetic import write_release

TEST = SPLITS["coliee/task3/2026/ja/test"]
OTHER = {"Y": "N", "N": "Y"}


@pytest.mark.parametrize("seed", range(5))
def test_the_number_of_articles_is_that_of_the_registered_measures(seed):
    chance = np.random.default_rng(seed)
    qids = [f"R9{number % 3 + 1}-{number}-A" for number in range(9)]
    articles = [*"abcdef"]
    rows = [(qid, docno, float(-place)) for qid in qids for place, docno in enumerate(chance.permutation(articles)[:5])]
    ranking = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    gold = [(qid, docno) for qid in qids for docno in chance.choice(articles, chance.integers(1, 3), replace=False)]
    qrels = pd.DataFrame(gold, columns=["qid", "docno"]).assign(label=1)
    given, right = ({qid: chance.choice(["Y", "N"]) for qid in qids} for _ in range(2))
    answers = pd.DataFrame({"qid": qids, "docno": [given[qid] for qid in qids]})
    labels = pd.DataFrame({"qid": qids, "docno": [right[qid] for qid in qids], "label": 1})

    def values(number, years="123"):
        of_years = [qid for qid in qids if qid[2] in years]
        run = ranking[ranking["qid"].isin(of_years)].groupby("qid", sort=False).head(number)
        run = run.assign(qanswer=run["qid"].map(given)).rename(columns={"qid": "query_id", "docno": "doc_id"})
        wanted = qrels[qrels["qid"].isin(of_years)].assign(gold_answer=qrels["qid"].map(right))
        wanted = wanted.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
        found = ir_measures.calc_aggregate([GatedAccuracy, MacroF2], wanted, run)
        return round(found[GatedAccuracy], 12), round(found[MacroF2], 12)

    questions = GatedQuestions.of(ranking, qrels, HeldOutAnswers(answers, labels))
    assert values(questions.best_number()) == max(map(values, range(1, 6)))
    numbers = dict(zip(questions.qids, questions.held_out_numbers().tolist()))
    for year in "123":
        others = "123".replace(year, "")
        [number] = {number for qid, number in numbers.items() if qid[2] == year}
        assert values(number, others) == max(values(each, others) for each in range(1, 6))
    accuracy, f2 = values(3)
    assert f"GatedAccuracy {accuracy:.4f} " in questions.figures(np.full(9, 3))
    assert questions.figures(np.full(9, 3)).endswith(f"MacroF2 {f2:.4f}")


def test_years_without_others_get_the_number_of_all():
    found, f2 = np.array([[False, True]]), np.array([[0.0, 0.5]])
    questions = GatedQuestions(["R98-1-A"], np.array([True]), found, f2)
    assert questions.held_out_numbers().tolist() == [2]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("release")
    write_release("coliee/task3/2026/ja", home, scale=0.01, seed=3)
    return home


@pytest.fixture
def runs(home, monkeypatch):
    """The runs of BM25 and of a quick recipe, before they are answered, and the answers from the statements."""
    pytest.importorskip("lightgbm")
    monkeypatch.setenv("COLIEE_HOME", str(home))
    monkeypatch.setattr(articles, "STANDARD", replace(STANDARD, learners=(LogisticLearner(c=0.02),)))
    training = training_data(TEST)
    learned = ArticleBaseline(TEST, training).run()
    return [bm25_baseline(TEST, training), learned], training, answer_statements(TEST, training)


def with_rights(answers, is_right):
    """Answers whose held-out ones are all right, or all wrong."""
    right = answers.held_out.gold[["qid", "docno"]]
    return answers._replace(
        held_out=HeldOutAnswers(
            right if is_right else right.assign(docno=right["docno"].map(OTHER)), answers.held_out.gold
        )
    )


@pytest.mark.slow
def test_articles_decide_unless_the_statements_are_answered_better(runs):
    retrieved, training, of_statements = runs
    bm25, short, learned = gated_runs(TEST, training, retrieved, with_rights(of_statements, is_right=False))
    assert [bm25.tag, short.tag, learned.tag] == ["bm25", SHORT, "learned"]
    assert bm25.labels.equals(of_statements.labels)
    assert "by alignment of the statements with the retrieved articles" in learned.notes[-1]
    assert "the statement alone" not in learned.notes[-1]
    assert short.labels is learned.labels is not bm25.labels
    assert sorted(learned.labels["qid"]) == sorted(topics(TEST)["qid"])
    _, short, learned = gated_runs(TEST, training, retrieved, with_rights(of_statements, is_right=True))
    assert "the statement alone is more often answered rightly (1.000) and decides" in learned.notes[-1]
    assert short.labels.equals(of_statements.labels)


@pytest.mark.slow
def test_the_run_and_the_short_one_are_cut_from_one_ranking_and_say_both_parts(runs):
    [_, before], training, of_statements = runs
    _, short, learned = gated_runs(TEST, training, runs[0], of_statements)
    assert short.answers.equals(before.answers)
    assert short.ranking is None
    number = int(re.match(r"cut-off TopK\(k=(\d+)\), chosen on coliee/task3/2026/ja/train", learned.notes[0])[1])
    assert learned.answers.equals(before.ranking[before.ranking["rank"] < number].reset_index(drop=True))
    figures = r"held-out exam years: GatedAccuracy 0\.\d{4} \(answers right 0\.\d{4}, all relevant articles found [01]"
    for note in (short.notes[-1], learned.notes[0]):
        assert re.search(figures + r"\.\d{4}\), MacroF2 0\.\d{4}$", note), note
    assert learned.train_value == pytest.approx(
        float(re.search(r"GatedAccuracy ([\d.]+)", learned.notes[0])[1]), abs=1e-4
    )


@pytest.mark.slow
def test_retrieved_texts_are_those_of_the_articles_in_their_order(home, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(home))
    from ir_coliee.engine.articles.collection import ArticleCollection

    second, first = ArticleCollection.of(TEST.id).articles[:2]
    run = pd.DataFrame({"qid": "R99-1-A", "docno": [first.doc_id, second.doc_id], "rank": [1, 0]})
    assert retrieved_texts(TEST, run) == {"R99-1-A": f"{second.text}\n{first.text}"}
