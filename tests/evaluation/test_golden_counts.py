"""Our measures against the organisers' printed figures: counts in, the figures out to the last digit.

Each row of golden-counts.csv has the only whole numbers that give its three printed figures, in the tables of 2023,
2024 and 2026 of tasks 1 and 2.
"""

import csv
import itertools
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from ir_coliee import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF1, MicroP, MicroR
from ir_coliee.evaluation.leaderboards import official_leaderboard, round_half_up
from ir_coliee.measures.counts import Counts

FIGURES = {"MicroP": MicroP, "MicroR": MicroR, "MicroF1": MicroF1}
TABLES = [(edition, task) for edition in ("2023", "2024", "2026") for task in ("task1", "task2")]

with (Path(__file__).parent / "golden-counts.csv").open(encoding="utf-8", newline="") as file:
    GOLDEN = list(csv.DictReader(file))


def counts_of(row):
    return Counts(int(row["tp"]), int(row["returned"]), int(row["gold"]))


def over_queries(counts, queries=7):
    """The counts of a run spread over queries, unevenly; the first has none of them."""
    shares = np.arange(queries) / np.arange(queries).sum()
    spread = np.array([np.floor(count * shares) for count in counts], dtype=np.int64)
    spread[:, -1] += np.array(counts) - spread.sum(axis=1)
    assert spread.sum(axis=1).tolist() == list(counts)
    return spread


def kinds_over_queries(kinds):
    """The counts of queries of which there are several with the same: {(tp, returned, relevant): how many}."""
    return np.repeat(np.array(list(kinds)), list(kinds.values()), axis=0).T


def printed(value, digits=4):
    return str(round_half_up(value, digits))


# --- tasks 1 and 2 ---------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES, ids=" ".join)
def test_counts_in_arrays_and_values_of_queries_give_the_figures_that_were_printed(table):
    board = official_leaderboard(*table)
    rows = [row for row in GOLDEN if (row["edition"], f"task{row['task']}") == table]
    assert rows
    assert {int(row["gold"]) for row in rows} == {board.gold_total}
    for row in rows:
        counts = over_queries(counts_of(row))
        for name, measure in FIGURES.items():
            values = [measure.value(Counts(*of_query)) for of_query in counts.T.tolist()]
            aggregator = measure.aggregator()
            for value in values:
                aggregator.add(value)
            figures = (measure.aggregate(*counts), sum(values) / len(values), aggregator.result())
            assert [*map(printed, figures)] == [row[name]] * 3, row
        assert any(all(each[name] == row[name] for name in ("team", "run", *FIGURES)) for each in board.rows), row


# --- task 3 ----------------------------------------------------------------------------------------


def one_article(singles, doubles):
    """72 questions with one article, 28 with two; so many of each were answered with a right one."""
    return {(1, 1, 1): singles, (0, 1, 1): 72 - singles, (1, 1, 2): doubles, (0, 1, 2): 28 - doubles}


HITS = [(56, 18), (55, 16), (46, 18), (45, 19), (33, 10)]
#: Runs with the same number of articles for each question: edition, articles that were returned, their gold articles,
#: the runs with so many, and the counts of the questions of one of these.
TASK3 = [
    *((2023, 100, 128, (n, 5), one_article(*hits)) for n, hits in enumerate(HITS)),
    (2025, 73, 92, (0, 1), {(1, 1, 1): 44, (0, 1, 1): 11, (1, 1, 2): 11, (0, 1, 2): 6, (1, 1, 3): 1}),
    (2025, 219, 92, (0, 1), {(1, 3, 1): 52, (0, 3, 1): 3, (2, 3, 2): 12, (0, 3, 2): 5, (2, 3, 3): 1}),
    (2025, 365, 92, (0, 1), {(1, 5, 1): 28, (0, 5, 1): 27, (1, 5, 2): 1, (2, 5, 2): 3, (0, 5, 2): 13, (1, 5, 3): 1}),
]


@pytest.mark.parametrize(("edition", "returned", "gold", "of_rows", "kinds"), TASK3)
def test_runs_with_the_same_number_of_articles_for_each_question(edition, returned, gold, of_rows, kinds):
    rows = [row for row in official_leaderboard(edition, "task3").rows if row["returned"] == str(returned)]
    position, number = of_rows
    assert len(rows) == number
    row, counts = rows[position], kinds_over_queries(kinds)
    assert counts.sum(axis=1).tolist() == [int(row["tp"]), returned, gold]
    for name, measure in (("MacroP", MacroP), ("MacroR", MacroR), ("MacroF2", MacroF2)):
        assert printed(measure.aggregate(*counts), 3) == row[name]


@pytest.mark.parametrize(("figure", "hits"), [("MicroR@5", 114), ("MicroR@30", 125)])
def test_recall_at_k_of_2023_is_pooled(figure, hits):
    (row,) = (row for row in official_leaderboard("task3-first-release", 2023).rows if row["run"] == "bjpAll")
    # 72 questions with one article, 29 with two; hits go to the first ones
    relevant = np.array([1] * 72 + [2] * 29)
    found = np.minimum(relevant, np.maximum(0, hits - (relevant.cumsum() - relevant)))
    assert printed(MicroR.aggregate(found, np.full(101, 5), relevant)) == row[figure]
    assert printed(MacroR.aggregate(found, np.full(101, 5), relevant)) != row[figure]


def test_every_recall_at_k_of_2023_is_a_number_of_130():
    rows = official_leaderboard("task3-first-release", 2023).rows
    values = [row[f"MicroR@{k}"] for row in rows for k in (5, 10, 30)]
    assert len(values) == 21
    assert set(values) <= {printed(hits / 130) for hits in range(131)}


def test_the_first_release_of_2023_has_the_sums_of_the_final_table_over_101_questions():
    final = {(row["team"], row["run"]): row for row in official_leaderboard("task3", 2023).rows}
    first = official_leaderboard("task3-first-release", 2023).rows
    assert len(first) == 7
    half = Decimal("0.00005")  # four digits of the mean over 101 leave the sum uncertain by half a digit
    for row, figure in itertools.product(first, ("MacroF2", "MacroP", "MacroR")):
        low, high = (printed(float((Decimal(row[figure]) + error) * 101 / 100), 3) for error in (-half, half))
        assert low <= final[row["team"], row["run"]][figure] <= high


# --- task 4, the pilot, 2026 -----------------------------------------------------------------------


def accuracy(correct, questions):
    right = np.arange(questions) < correct
    return AnswerAccuracy.aggregate(right.astype(np.int64), np.ones(questions, np.int64), np.ones(questions, np.int64))


@pytest.mark.parametrize(("suffix", "questions", "rows"), [("", 101, 27), ("_r02", 81, 23), ("_r01", 111, 23)])
def test_the_table_of_task_4_of_2023_comes_from_its_right_answers(suffix, questions, rows):
    """Table 5 of the overview, the baseline and the runs outside of the ranking too; later years: test_leaderboards."""
    found = [row for row in official_leaderboard("task4", 2023).rows if row[f"correct{suffix}"]]
    assert len(found) == rows  # four runs have no figure for the reference years
    for row in found:
        assert printed(accuracy(int(row[f"correct{suffix}"]), questions)) == row[f"AnswerAccuracy{suffix}"]


def test_a_gated_accuracy_of_2026_is_a_share_of_82_questions():
    found = official_leaderboard("task3", 2026)
    assert printed(78 / 82, 3) == found.rows[0]["GatedAccuracy"] == "0.951"
    assert {printed(int(row["correct"]) / 82, 3) == row["GatedAccuracy"] for row in found.rows} == {True}


def test_the_fictional_example_of_rationale_extraction():
    """One instance with half of it right, one without any accepted claim and without an answer."""
    counts = np.array([[1, 0], [2, 0], [2, 0]])
    assert (MacroF(empty=0).aggregate(*counts), MacroF(empty=1).aggregate(*counts)) == (0.25, 0.75)
