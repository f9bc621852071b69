"""What is said before the figures of a run that is incomplete or not an answer set."""

from dataclasses import replace

import ir_datasets
import pandas as pd
import pytest
from samples import RATIONALE, TASK1, TASK3, TASK4

from ir_coliee.evaluation.scoring import score


def gold(dataset):
    found = {}
    for qrel in ir_datasets.load(dataset.id).qrels_iter():
        found.setdefault(qrel.query_id, {})[qrel.doc_id] = 1.0
    return found


def documents(dataset, number=None):
    """A ranking of one query: the first documents."""
    return dict.fromkeys([document.doc_id for document in ir_datasets.load(dataset.id).docs_iter()][:number], 1.0)


@pytest.mark.parametrize("dataset", [TASK1, TASK3, TASK4])
def test_a_complete_answer_set_has_no_warning(dataset):
    assert score(dataset, gold(dataset)).warnings == []
    assert score(RATIONALE, {}).warnings == []  # a court may accept no claim


@pytest.mark.parametrize(
    ("dataset", "total", "first"), [(TASK1, 12, "900656"), (TASK3, 20, "R99-01-A"), (TASK4, 20, "R99-01-A")]
)
def test_unanswered_queries_are_counted(dataset, total, first):
    run = gold(dataset)
    kept = sorted(run)[-2:]
    (warning,) = score(dataset, {query: run[query] for query in kept}).warnings
    assert warning.startswith(f"{total - 2} of {total} queries have no answer, which counts as wrong: {first}, ")
    (nothing,) = score(dataset, {}).warnings
    assert nothing.startswith(f"{total} of {total} queries have no answer")


def test_answers_that_count_as_wrong_are_counted():
    run = pd.DataFrame([("900545", "900545"), ("900862", "case-7")], columns=["qid", "docno"])
    for answers in (run, run.astype("category")):  # ids may be categories
        scored = score(TASK1, answers.assign(score=1.0))
        assert scored.warnings[1].startswith("1 answers are the query itself, which is always wrong")
        (note,) = [note for note in scored.notes if "counted as wrong" in note]
        assert note.startswith(
            "answers that are not candidates of their query, counted as wrong: 1 (first: 'case-7' is"
        )


def test_a_ranking_that_was_not_cut_is_told_by_its_size():
    rankings = {
        101: {"900521": 2.0} | {f"90{n:04}": 1.0 for n in range(100)},
        20: documents(TASK1, 20),
        10: documents(TASK1, 10),
    }
    for size, ranking in rankings.items():
        found = [w for w in score(TASK1, dict.fromkeys(gold(TASK1), ranking)).warnings if "items per query" in w]
        expected = f"{size} items per query look like a ranking: every item counts as an answer"
        assert [warning[: len(expected)] for warning in found] == [expected] * (size > 10)


def test_the_long_list_is_checked_as_well():
    run = gold(TASK3)
    first = dict(list(run.items())[:1])
    (warning,) = score(TASK3, run, long_list=first).warnings
    assert warning.startswith("long list: 19 of 20 queries have no answer")


def test_gated_accuracy_warns_of_a_ranking_and_of_missing_answers():
    gated = replace(TASK3, measure="GatedAccuracy")  # the sample, scored as in 2026
    ranking = dict.fromkeys(gold(TASK3), documents(TASK3))
    answers = dict(list(gold(TASK4).items())[:5])
    found = score(gated, ranking, answers=answers)
    size, missing = found.warnings
    assert size.startswith("105 items per query look like a ranking: accuracy does not penalise")
    assert missing.startswith("answers: 15 of 20 queries have no answer")
    assert found.figures["GatedAccuracy"] == 0.25


def test_questions_that_the_organisers_excluded_are_told_from_unknown_queries():
    run = {**gold(TASK3), "R99-99-A": {"1": 1.0}, "R99-98-A": {"1": 1.0}}
    scored = score(replace(TASK3, excluded=("R99-99-A",)), run)
    assert [note.partition(" (")[0] for note in scored.notes if "ignored" in note] == [
        "answers to questions that the organisers excluded, ignored: 1",
        "answers to unknown queries, ignored: 1",
    ]
    assert scored.warnings == []
