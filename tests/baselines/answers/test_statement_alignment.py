"""The recipe of task 4: its features, its blocks, and that no label reaches what it decides about."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines import run_baseline
from ir_coliee.baselines.answers import ALIGNMENT, StatementBaseline, alignment_table, statements_with_articles
from ir_coliee.baselines.recipes import BoostedLearner, held_out
from ir_coliee.baselines.training import TrainingData, topics, training_data
from ir_coliee.editions import split
from ir_coliee.synthetic import write_release
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers.answers.features import AlignmentFeatures
from ir_coliee.transformers.features.learning import feature_matrix

pytest.importorskip("lightgbm")
TEST = "coliee/task4/2025/en/test"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("release")
    write_release(TEST, home, scale=0.01, seed=4)
    return home


@pytest.fixture(autouse=True)
def _home(home, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(home))


def statements(retrieved=None):
    return StatementBaseline(split(TEST), training_data(split(TEST)), retrieved=retrieved)


def test_each_exam_year_is_a_block_with_one_row_per_statement():
    blocks = statements().train_blocks()
    assert [block.name for block in blocks][:2] == ["H18", "H19"]
    for block in blocks:
        assert {exam_id(qid).year for qid in block.table.qids} == {block.name}
        assert set(block.table.docnos) == {"Y"}
    assert blocks[0].table.families == (
        *(
            "coverage",
            "longest",
            "unmatched",
            "negation",
            "exceptions",
            "numbers",
            "length",
            "cues",
            "siblings",
            "past",
        ),
    )
    assert len(blocks[0].table.names) == 40 + 46 + 40 + 5


def test_questions_without_an_exam_year_are_five_blocks(monkeypatch):
    """Ids of the real shape but of no exam: the held-out probabilities need at least two blocks."""
    training = training_data(split(TEST))
    labelled, gold = training.load(statements_with_articles), training.qrels()
    number = {qid: f"t{place}" for place, qid in enumerate(labelled["qid"])}
    labelled, gold = (frame.assign(qid=frame["qid"].map(number)) for frame in (labelled, gold))
    monkeypatch.setattr(TrainingData, "load", lambda *_: labelled)
    monkeypatch.setattr(TrainingData, "qrels", lambda _: gold)
    found = statements()
    blocks = found.train_blocks()
    assert found.group == "fifth"
    assert len(blocks) == 5
    assert sorted(qid for block in blocks for qid in block.table.qids) == sorted(labelled["qid"])
    assert len(held_out(replace(ALIGNMENT, learners=ALIGNMENT.learners[:1]), blocks, gold).runs) == 5


def test_siblings_are_the_other_questions_of_the_same_number():
    texts = ["A lamp is lit.", "A lamp is not lit.", "A gate is shut at night.", "The well is deep."]
    frame = pd.DataFrame({"qid": ["R98-1-A", "R98-1-I", "R98-1-U", "R98-2-A"], "query": texts, "docno": "Y"})
    frame["text"] = "Article 1 A lamp is lit at night, unless the gate is shut."
    table = alignment_table(frame, "en")
    values = feature_matrix(AlignmentFeatures("en")(frame.assign(score=0.0)))
    assert (table.values[:, :86] == values.astype(np.float32)).all()
    for row in range(3):
        others = [other for other in range(3) if other != row]
        expected = values[row, :40] - values[others, :40].mean(axis=0)
        assert table.values[row, 86:] == pytest.approx(expected, abs=1e-6)
    assert not table.values[3, 86:].any()


def test_statistics_are_those_of_the_exam_year():
    frame = statements_with_articles(training_data(split(TEST)).split)
    years = frame["qid"].str[:3]
    alone, together = alignment_table(frame[years == "H30"], "en"), alignment_table(frame, "en")
    assert (together.of_queries(alone.qids.tolist()).values == alone.values).all()


@pytest.mark.slow
@pytest.mark.parametrize("is_retrieved", [False, True])
def test_no_label_of_a_block_reaches_what_it_is_scored_by(monkeypatch, is_retrieved):
    """Y and N are labels. So are the gold articles if those to answer from are retrieved, as in task 3 of 2026."""
    training = training_data(split(TEST))
    gold, labelled = training.qrels(), training.load(statements_with_articles)
    texts = np.random.default_rng(1).permutation(labelled["text"])
    retrieved = dict(zip(labelled["qid"], texts)) | dict.fromkeys(topics(split(TEST))["qid"], texts[0])
    quick = replace(ALIGNMENT, learners=(replace(ALIGNMENT.learners[0], c=1.0), BoostedLearner(num_iterations=3)))
    found = []
    for is_changed in (False, True):
        labels, articles = gold, labelled
        if is_changed:
            of_year, of_labels = (frame["qid"].str.startswith("H30") for frame in (labelled, gold))
            labels = gold.assign(docno=gold["docno"].where(~of_labels, gold["docno"].map({"Y": "N", "N": "Y"})))
            if is_retrieved:
                articles = labelled.assign(text=labelled["text"].where(~of_year, "Article 1 Another lamp."))
        monkeypatch.setattr(TrainingData, "qrels", lambda _, labels=labels: labels)
        monkeypatch.setattr(TrainingData, "load", lambda *_, articles=articles: articles)
        monkeypatch.setattr("ir_coliee.baselines.learned.cache.find", lambda *_: None)
        blocks = statements(retrieved if is_retrieved else None).train_blocks()
        names = [block.name for block in blocks]
        found.append((held_out(quick, blocks, labels).runs, blocks))
    place = names.index("H30")
    (before, blocks), (after, changed) = found
    assert before[place].equals(after[place])
    others = [number for number in range(len(names)) if number != place]
    assert not all(before[number].equals(after[number]) for number in others)
    # the past answers of other years are among the features, if they are not left out
    assert any((blocks[number].table.values != changed[number].table.values).any() for number in others)
    for number in range(len(names)):
        one, other = (each[number].without_labels(["H30"]).table for each in (blocks, changed))
        assert (one.values == other.values).all()
    if is_retrieved:  # a held-out year is compared with what is retrieved for it
        expected = alignment_table(labelled.assign(text=texts), "en").of_queries(blocks[place].table.qids.tolist())
        found = blocks[place].without_labels(["H30"]).table
        assert (found.values[:, : len(expected.names)] == expected.values).all()
        assert (blocks[place].table.values != found.values).any()


@pytest.mark.slow
def test_the_run_states_its_held_out_accuracy_and_chance():
    *_, run = run_baseline(TEST)
    assert run.tag == "alignment"
    assert run.ranking is run.train_ranking is None
    assert sorted(run.answers["qid"]) == sorted(statements_with_articles(split(TEST))["qid"])
    assert re.search(
        r"cut-off TopK\(k=1\), not fitted to data; AnswerAccuracy 0\.\d{4} on held-out exam years", run.notes[0]
    )
    assert "held-out train queries: AnswerAccuracy" in "".join([*run.notes, *run.warnings])
    again = run_baseline(TEST)[-1]
    assert again.answers.equals(run.answers)


@pytest.mark.slow
def test_statements_without_articles_are_not_aligned(monkeypatch):
    module = "ir_coliee.baselines.answers.statements_with_articles"
    monkeypatch.setattr(module, lambda of: statements_with_articles(of).assign(text=" "))
    majority, tfidf = run_baseline(TEST)
    assert (majority.tag, tfidf.tag) == ("majority", "tfidf")
    assert "the run alignment was left out: coliee/task4/2025/en/test has no articles" in majority.warnings[-1]
