"""The overview's statistics, against a plain computation by loops, on the sample and on random runs of all tasks."""

import random
from collections import Counter
from types import SimpleNamespace

import pandas as pd
import pytest
from analysis.random_runs import gold_of, random_runs

from ir_coliee.analysis import answered_by, evaluate, hardest_queries, miss_causes, query_results

TASK1, TASK2, TASK3 = "coliee/task1/sample/test", "coliee/task2/sample/test", "coliee/task3/sample/en/test"
TASK4, RATIONALE = "coliee/task4/sample/en/test", "coliee/pilot/sample/rationale/test"
BETA = {TASK1: 1, TASK2: 1, TASK3: 2, RATIONALE: 1}


def f(returned, relevant, beta):
    hits = len(returned & relevant)
    return (1 + beta**2) * hits / (beta**2 * len(relevant) + len(returned)) if hits else 0.0


def values_of(dataset_id, answers):
    """The mean value of each query over the runs."""
    gold, beta = gold_of(dataset_id), BETA[dataset_id]
    of_runs = {query: [f({*run.get(query, ())}, gold[query], beta) for run in answers.values()] for query in gold}
    return {query: sum(values) / len(values) for query, values in of_runs.items()}


@pytest.fixture(params=[TASK1, TASK2, TASK3, RATIONALE], ids=lambda each: each.split("/")[1])
def board(request):
    """Five random runs of a split."""
    answers, rankings = random_runs(request.param, 5)
    return SimpleNamespace(
        id=request.param,
        answers=answers,
        rankings=rankings,
        gold=gold_of(request.param),
        runs=evaluate(request.param, answers, rankings=rankings),
    )


def test_the_results_of_a_query_are_counted_over_the_runs(board):
    results = query_results(board.runs)
    values = values_of(board.id, board.answers)
    assert sorted(results["query_id"]) == sorted(board.gold)
    assert results["mean_value"].is_monotonic_increasing
    for row in results.itertuples():
        relevant = board.gold[row.query_id]
        returned = [{*run[row.query_id]} for run in board.answers.values()]
        assert row.relevant == len(relevant)
        assert row.mean_value == pytest.approx(values[row.query_id], abs=1e-11)
        assert row.found == sum(bool(each & relevant) for each in returned)
        assert row.complete == sum(relevant <= each for each in returned)
        assert row.exact == sum(relevant == each for each in returned)


def test_the_hardest_queries_come_first_with_the_value_of_each_run(board):
    frame = hardest_queries(board.runs)
    values = values_of(board.id, board.answers)
    order = sorted(values, key=lambda query: (round(values[query], 9), -len(board.gold[query]), query))
    assert [*dict.fromkeys(frame["query_id"])] == order
    for row in frame.itertuples():
        returned = {*board.answers[row.run][row.query_id]}
        assert row.value == pytest.approx(f(returned, board.gold[row.query_id], BETA[board.id]))
    assert len(hardest_queries(board.runs)) == 5 * len(board.gold)
    for query_id, causes in zip(frame["query_id"], frame["causes"]):
        misses = pd.concat([miss_causes(board.runs, run) for run in board.answers])
        counted = Counter(misses.loc[misses["query_id"] == query_id, "cause"])
        assert {*causes.split("; ")} == {f"{cause} ({number})" for cause, number in counted.items()} or not counted


def test_the_numbers_of_runs_that_answer_a_query_are_counted(board):
    frame = answered_by(board.runs).set_index(["answer", "relevant", "answered_by"])["num_queries"]
    expected = {}
    for query, relevant in board.gold.items():
        if not relevant:
            continue
        returned = [{*run[query]} for run in board.answers.values()]
        for answer, numbers in {
            "found": [bool(each & relevant) for each in returned],
            "complete": [relevant <= each for each in returned],
            "exact": [relevant == each for each in returned],
        }.items():
            runs = {0: "no run", len(returned): "all runs"}.get(sum(numbers), "some runs")
            key = answer, "single" if len(relevant) == 1 else "multiple", runs
            expected[key] = expected.get(key, 0) + 1
    assert {key: number for key, number in frame.items() if number} == expected


def test_right_answers_of_task_4_are_counted_and_the_questions_without_one_are_named():
    gold = {query: {*labels} for query, labels in gold_of(TASK4).items()}
    chance = random.Random(1)
    answers = {f"run{n}": {query: {chance.choice("YN"): 1.0} for query in gold} for n in range(3)}
    frame = answered_by(evaluate(TASK4, answers)).set_index("answered_by")
    right = {query: sum({*run[query]} == gold[query] for run in answers.values()) for query in gold}
    assert frame["num_queries"].to_dict() == {
        "no run": sum(number == 0 for number in right.values()),
        "some runs": sum(0 < number < 3 for number in right.values()),
        "all runs": sum(number == 3 for number in right.values()),
    }
    never = [query for query in sorted(right) if right[query] == 0]
    (note,) = answered_by(evaluate(TASK4, answers)).notes
    assert note.startswith("queries for which no run has a right answer: ")
    assert all(query in note for query in never[:5])
    assert never
