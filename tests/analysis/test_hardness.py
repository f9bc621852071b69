"""The overview's statistics, against a plain computation by loops, on the sample and on random runs of all tasks."""

import math
import random
import time
from types import SimpleNamespace

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from analysis.random_runs import gold_of, random_runs

from ir_coliee.analysis import (
    answered_by,
    by_number_of_relevant,
    by_value_class,
    evaluate,
    hardest_queries,
    hardness,
    mean_value_correlation,
    query_properties,
    query_results,
)
from ir_coliee.errors import ColieeError, MissingReleaseError

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


def pearson(pairs):
    number = len(pairs)
    mean_a, mean_b = sum(a for a, _ in pairs) / number, sum(b for _, b in pairs) / number
    covariance = sum((a - mean_a) * (b - mean_b) for a, b in pairs)
    return covariance / math.sqrt(sum((a - mean_a) ** 2 for a, _ in pairs) * sum((b - mean_b) ** 2 for _, b in pairs))


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
    frame = hardest_queries(board.runs, num=4)
    values = values_of(board.id, board.answers)
    order = sorted(values, key=lambda query: (round(values[query], 9), -len(board.gold[query]), query))
    assert [*dict.fromkeys(frame["query_id"])] == order[:4]
    for row in frame.itertuples():
        returned = {*board.answers[row.run][row.query_id]}
        assert row.value == pytest.approx(f(returned, board.gold[row.query_id], BETA[board.id]))
    assert len(hardest_queries(board.runs)) == 5 * len(board.gold)
    with pytest.raises(ValueError, match="num must be an integer >= 1, got 0"):
        hardest_queries(board.runs, num=0)


def test_correlations_are_those_of_a_plain_computation(board):
    frame = mean_value_correlation(board.runs)
    values = {query: round(value, 12) for query, value in values_of(board.id, board.answers).items()}
    texts = {query.query_id: query.default_text() for query in ir_datasets.load(board.id).queries_iter()}
    order = sorted(values, key=lambda query: (-values[query], query))
    number, rest = divmod(len(order), 4)
    groups, start = {"all": order}, 0
    for place, name in enumerate(["first quarter", "second quarter", "third quarter", "last quarter"]):
        groups[name] = order[start : start + number + (place < rest)]
        start += len(groups[name])
    assert start == len(order)
    rows = frame.set_index(["queries", "property"])
    assert len(rows) == 10
    for name, queries in groups.items():
        for of_queries, numbers in (
            ("relevant", [len(board.gold[query]) for query in queries]),
            ("bytes", [len(texts[query].encode()) for query in queries]),
        ):
            row = rows.loc[name, of_queries]
            assert row["num_queries"] == len(queries)
            assert row["mean_value"] == pytest.approx(sum(map(values.get, queries)) / len(queries))
            pairs = [*zip(map(values.get, queries), numbers)]
            if len({a for a, _ in pairs}) > 1 and len({b for _, b in pairs}) > 1:
                assert row["correlation"] == pytest.approx(pearson(pairs), abs=1e-9)
            else:
                assert math.isnan(row["correlation"])


def test_319_queries_have_quarters_of_80_80_80_and_79(monkeypatch):
    chance = random.Random(3)
    table = pd.DataFrame(
        {
            "query_id": [f"{900000 + number}" for number in range(319)],
            "relevant": [chance.randint(1, 9) for _ in range(319)],
            "mean_value": [chance.random() for _ in range(319)],
        }
    )
    monkeypatch.setattr(hardness, "query_results", lambda _runs: table.copy())
    monkeypatch.setattr(hardness, "_lengths", lambda _runs: {each: int(each) % 1000 for each in table["query_id"]})
    frame = mean_value_correlation(evaluate(TASK1, {"x": {"900656": {"900557": 1.0}}}))
    of_relevant = frame[frame["property"] == "relevant"].set_index("queries")
    assert of_relevant["num_queries"].to_dict() == {
        "all": 319,
        "first quarter": 80,
        "second quarter": 80,
        "third quarter": 80,
        "last quarter": 79,
    }
    hardest = table.sort_values("mean_value")[:79]
    expected = pearson([*zip(hardest["mean_value"], hardest["relevant"])])
    assert of_relevant.loc["last quarter", "correlation"] == pytest.approx(expected)


def test_an_undefined_correlation_is_missing_and_a_note_says_so():
    frame = mean_value_correlation(evaluate(TASK1, {"nothing": {"900656": {"900001": 1.0}}}))
    assert frame["correlation"].isna().all()
    assert "no correlation: fewer than two queries, or all of them have the same value" in frame.notes
    defined = mean_value_correlation(evaluate(TASK1, random_runs(TASK1, 5)[0]))
    assert any("no correlation" in note for note in defined.notes) == defined["correlation"].isna().any()


def test_without_the_texts_of_the_queries_their_numbers_of_relevant_items_remain(monkeypatch):
    def missing(*_arguments):
        raise MissingReleaseError("No release found.\nDetails.")

    monkeypatch.setattr(hardness, "_lengths", missing)
    frame = mean_value_correlation(evaluate(TASK1, random_runs(TASK1, 3)[0]))
    assert set(frame["property"]) == {"relevant"}
    assert "no lengths: No release found." in frame.notes


def measures_of(answer, ranking, relevant, beta):
    """Precision, recall, F, MAP and recall at k of one query, from lists."""
    hits = len({*answer} & relevant)
    found, precisions = 0, []
    for place, item in enumerate(ranking, start=1):
        if item in relevant:
            found += 1
            precisions.append(found / place)
    yield "precision", hits / len(answer) if answer else 0.0
    yield "recall", hits / len(relevant)
    yield f"F{beta}", f({*answer}, relevant, beta)
    yield "MAP", sum(precisions) / len(relevant)
    for depth in (5, 10, 30):
        yield f"R@{depth}", len({*[*ranking][:depth]} & relevant) / len(relevant)


@pytest.mark.parametrize("without_always_found", [False, True])
@pytest.mark.parametrize("dataset_id", [TASK1, TASK2, TASK3])
def test_the_measures_by_the_number_of_relevant_items_are_means_over_runs_and_queries(dataset_id, without_always_found):
    answers, rankings = random_runs(dataset_id, 5)
    gold = gold_of(dataset_id)
    always = min(gold)  # every run returns all of its relevant items
    for run in answers.values():
        run[always] = dict.fromkeys(gold[always], 1.0)
    runs = evaluate(dataset_id, answers, rankings=rankings)
    frame = by_number_of_relevant(runs, without_always_found=without_always_found)
    seen = {}
    for query, relevant in gold.items():
        if without_always_found and all(relevant <= {*run[query]} for run in answers.values()):
            continue
        kind = "single" if len(relevant) == 1 else "multiple"
        for name, run in answers.items():
            for measure, value in measures_of(run[query], rankings[name][query], relevant, BETA[dataset_id]):
                seen.setdefault((kind, measure), []).append(value)
    assert {(row.relevant, row.measure) for row in frame.itertuples()} == {*seen}
    for row in frame.itertuples():
        values = seen[row.relevant, row.measure]
        assert row.num_queries == len(values) / 5
        assert row.value == pytest.approx(sum(values) / len(values))
    assert any("every run returns all relevant items" in note for note in frame.notes) == without_always_found


def test_the_means_of_the_queries_have_the_means_over_the_queries_as_mean():
    answers, rankings = random_runs(TASK3, 3)
    runs = evaluate(TASK3, answers, rankings=rankings)
    of_queries = by_number_of_relevant(runs, by_query=True)
    assert {*of_queries["query_id"]} == {*gold_of(TASK3)}
    f2 = of_queries[of_queries["measure"] == "F2"].set_index("query_id")["value"]
    assert f2.to_dict() == pytest.approx(runs.per_query.groupby("query_id")["value"].mean().to_dict())
    means = of_queries.groupby(["relevant", "measure"])["value"].mean()
    for row in by_number_of_relevant(runs).itertuples():
        assert row.value == pytest.approx(means[row.relevant, row.measure])
    ax = of_queries.plot()
    assert [line.get_xdata().tolist() for line in ax.lines][2] == pytest.approx(f2[[*of_queries["query_id"].unique()]])


def test_figures_of_rankings_are_those_of_the_runs_that_have_one():
    answers, rankings = random_runs(TASK1, 2)
    without = by_number_of_relevant(evaluate(TASK1, answers))
    assert {*without["measure"]} == {"precision", "recall", "F1"}
    one = by_number_of_relevant(evaluate(TASK1, answers, rankings={"run1": rankings["run1"]}))
    alone = by_number_of_relevant(evaluate(TASK1, {"run1": answers["run1"]}, rankings={"run1": rankings["run1"]}))
    ranked = one["measure"].isin(["MAP", "R@5", "R@10", "R@30"])
    assert one.loc[ranked, "value"].tolist() == alone.loc[ranked, "value"].tolist()
    assert "MAP, R@k: of the long list or ranking of 1 of 2 runs" in one.notes


def test_queries_without_a_relevant_item_are_left_out():
    frame = by_number_of_relevant(evaluate(RATIONALE, random_runs(RATIONALE, 2)[0]))
    gold = gold_of(RATIONALE)
    assert frame.groupby("relevant")["num_queries"].first().to_dict() == {"multiple": sum(map(bool, gold.values()))}
    assert "queries without a relevant item, left out: 1" in frame.notes


def test_tasks_with_one_right_answer_have_no_comparison_by_its_number():
    with pytest.raises(ColieeError, match=f"Every query of {TASK4} has one relevant item, its right answer"):
        by_number_of_relevant(evaluate(TASK4, {"mine": {"R99-01-A": {"Y": 1.0}}}))


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


@pytest.mark.parametrize("num_classes_of", [[0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.19999, 0.6 - 1e-9, 3 * 0.2, 0.999]])
def test_a_limit_belongs_to_the_class_above_it_and_1_to_the_last(monkeypatch, num_classes_of):
    ids = [f"R99-{number:02}-A" for number in range(len(num_classes_of))]
    table = pd.DataFrame({"query_id": ids, "relevant": 1, "mean_value": np.round(num_classes_of, 12)})
    monkeypatch.setattr(hardness, "query_results", lambda _runs: table.copy())
    is_anonymised = [number % 2 == 0 for number in range(len(ids))]
    monkeypatch.setattr(hardness, "_has_property", lambda _runs, _name, ids: pd.Series(is_anonymised, index=ids.index))
    frame = by_value_class(evaluate(TASK3, {"mine": {"R99-01-A": {"9": 1.0}}}))
    expected = {}
    for value, anonymised in zip(num_classes_of, is_anonymised):
        value_class = next(
            name
            for limit, name in [(0.2, "0.0-0.2"), (0.4, "0.2-0.4"), (0.6, "0.4-0.6"), (0.8, "0.6-0.8"), (2, "0.8-1.0")]
            if round(value, 12) < limit
        )
        key = value_class, "anonymised" if anonymised else "other"
        expected[key] = expected.get(key, 0) + 1
    assert len(frame) == 10
    assert {
        (row.value_class, row.queries): row.num_queries for row in frame.itertuples() if row.num_queries
    } == expected


def test_anonymised_questions_are_counted_by_classes_as_query_properties_finds_them():
    runs = evaluate(TASK3, random_runs(TASK3, 3)[0])
    properties = query_properties(runs)
    anonymised = {row.query_id for row in properties.itertuples() if row.anonymised}
    frame = by_value_class(runs)
    assert frame.loc[frame["queries"] == "anonymised", "num_queries"].sum() == len(anonymised) > 0
    assert frame["num_queries"].sum() == 20
    values = values_of(TASK3, random_runs(TASK3, 3)[0])
    means = {
        name: sum(values[query] for query in ids) / len(ids)
        for name, ids in {"anonymised": anonymised, "other": {*values} - anonymised}.items()
    }
    assert frame.notes[0] == (
        f"mean value: F2 of a query, mean over 3 runs: {means['anonymised']:.4f} for {len(anonymised)} anonymised, "
        f"{means['other']:.4f} for {20 - len(anonymised)} other queries"
    )
    assert {*by_value_class(runs, "exception")["queries"]} == {"exception", "other"}


@pytest.mark.parametrize("name", ["polarity", "bytes", "nothing"])
def test_a_property_that_is_not_true_or_false_is_refused_with_those_that_are(name):
    with pytest.raises(ColieeError, match=f"have no property {name} that is true or false") as caught:
        by_value_class(evaluate(TASK3, random_runs(TASK3, 1)[0]), name)
    assert "They have: anonymised, exception" in str(caught.value)


def test_a_whole_board_of_runs_is_analysed_at_once():
    answers, rankings = random_runs(TASK3, 20)
    runs = evaluate(TASK3, answers, rankings=rankings)
    before = time.process_time()
    frames = [
        mean_value_correlation(runs),
        by_number_of_relevant(runs),
        answered_by(runs),
        hardest_queries(runs),
    ]
    assert time.process_time() - before < 2
    assert all(len(frame) for frame in frames)
    assert len(frames[-1]["run"].unique()) == 20
