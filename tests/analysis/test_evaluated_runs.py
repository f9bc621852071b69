"""Runs are read once, with their rankings and gold labels; outcomes are those of a plain loop."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from fixture_releases import write_task1

from ir_coliee.analysis import EvaluatedRuns, evaluate, false_answer_kinds, miss_causes, report, show
from ir_coliee.editions import split as split_of
from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, MissingLabelsError
from ir_coliee.evaluation.gold import candidates
from ir_coliee.evaluation.scoring import score
from ir_coliee.evaluation.writing import write_run

TASK1 = "coliee/task1/sample/test"
TASKS = [
    TASK1,
    "coliee/task2/sample/test",
    "coliee/task3/sample/en/test",
    "coliee/task3/sample/ja/test",
    "coliee/task4/sample/en/test",
    "coliee/pilot/sample/prediction/test",
    "coliee/pilot/sample/rationale/test",
]
LABELS = ("task4", "prediction")


def random_ranking(dataset: str, seed: int = 0) -> pd.DataFrame:
    """Some candidates of each query but the last one, in random order."""
    random, pool = np.random.default_rng(seed), candidates(split_of(dataset))
    rows = []
    for query in [*ir_datasets.load(dataset).queries_iter()][:-1]:
        items = random.permutation(sorted(set(pool(query.query_id)) - {query.query_id}))[:9]
        rows += [(query.query_id, str(item), 50.0 - rank) for rank, item in enumerate(items)]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


@pytest.mark.parametrize("dataset", TASKS)
def test_outcomes_counts_and_values_are_those_of_a_plain_loop(dataset: str) -> None:
    ranking = random_ranking(dataset)
    is_label = any(task in dataset for task in LABELS)
    answers = ranking.groupby("qid").head(1 if is_label else 4).sample(frac=1.0, random_state=1)
    runs = evaluate(dataset, {"mine": answers}, rankings=None if is_label else {"mine": ranking})
    gold = {(qrel.query_id, qrel.doc_id) for qrel in ir_datasets.load(dataset).qrels_iter() if qrel.relevance > 0}
    assert {*runs.gold.itertuples(index=False, name=None)} == gold
    expected = {}
    for query in runs.query_ids:
        ranked = [docno for qid, docno, _ in ranking.itertuples(index=False) if qid == query]
        kept = ranked[: 1 if is_label else 4]
        for item in {*kept, *(item for qid, item in gold if qid == query)}:
            outcome = "miss" if item not in kept else "hit" if (query, item) in gold else "false"
            in_file = kept if is_label else ranked
            rank = in_file.index(item) + 1 if item in in_file else None
            expected[query, item] = (
                outcome,
                kept.index(item) + 1 if item in kept else None,
                rank,
                None if rank is None else 51.0 - rank,
            )
    outcomes = runs.outcomes("mine").astype(object)
    found = outcomes.where(outcomes.notna(), None).itertuples(index=False, name=None)
    assert {(query, item): tuple(values) for query, item, *values in found} == expected

    scores = score(dataset, answers)
    pd.testing.assert_frame_equal(
        runs.per_query.drop(columns="run").set_axis([*scores.per_query], axis=1), scores.per_query, check_dtype=False
    )


def test_tied_and_repeated_items_keep_the_order_of_the_measures() -> None:
    rows = [("900656", "900912", 1.0), ("900656", "900557", 1.0), ("900656", "900912", 0.5), ("unknown", "900557", 1.0)]
    runs = evaluate(TASK1, {"mine": pd.DataFrame(rows, columns=["qid", "docno", "score"]).iloc[[0, 1, 2]]})
    answers = runs.runs["mine"].answers
    assert answers.to_numpy().tolist() == [["900656", "900557", 1.0, 0], ["900656", "900912", 1.0, 1]]
    assert runs.runs["mine"].remarks.notes[0].startswith("repeated answers, counted once: 1")


def test_files_have_short_names_and_their_rankings_are_found(tmp_path: Path) -> None:
    split = split_of(TASK1)
    paths = [tmp_path / f"coliee-task1-sample-test.{tag}" for tag in ("bm25", "learned")]
    ranking = random_ranking(TASK1)
    for path in paths:
        write_run(split, ranking.groupby("qid").head(2), path, "one")
    write_run(split, ranking, paths[0].with_name(paths[0].name + ".trec"), "one")
    runs = evaluate(TASK1, paths)
    assert [*runs.runs] == ["bm25", "learned"]
    assert runs.runs["bm25"].files["answer set"] == paths[0]
    found = runs.runs["bm25"].ranking
    assert found is not None
    assert len(found) == len(ranking)
    assert runs.runs["learned"].ranking is None
    assert [*evaluate(TASK1, [str(path) for path in paths], rankings=[ranking, ranking]).runs] == ["bm25", "learned"]
    assert str(runs).splitlines()[1:] == [
        "run      queries answered  returned  ranking",
        "bm25                   11        22  yes",
        "learned                11        22  no",
    ]

    other = tmp_path / "other" / paths[0].name
    other.parent.mkdir()
    other.write_bytes(paths[0].read_bytes())
    assert [*evaluate(TASK1, [paths[0], other]).runs] == [str(paths[0]), str(other)]
    zipped = tmp_path / "mine.res.gz"
    zipped.write_bytes(gzip.compress(paths[0].read_bytes()))
    assert [*evaluate(TASK1, [zipped]).runs] == ["mine.res.gz"]
    assert [*evaluate(TASK1, {"a name": zipped}).runs] == ["a name"]


def test_runs_in_memory_are_numbered_or_have_the_names_of_a_dict() -> None:
    run = {"900656": {"900557": 1.0}}
    assert [*evaluate(TASK1, [run, random_ranking(TASK1)]).runs] == ["run 1", "run 2"]
    runs = evaluate(TASK1, {1: run}, rankings={1: run})  # type: ignore[dict-item]
    assert runs.runs["1"].ranking is not None
    assert {*evaluate(TASK1, {"a\ud800": run}).per_query["run"]} == {"a\\ud800"}  # tables cannot hold it


def test_a_list_without_scores_is_a_ranking_without_scores(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("900656 900557\n900656 900912\n")
    runs = evaluate(TASK1, {"mine": {"900656": {"900912": 1.0}}}, rankings={"mine": tmp_path / "list.txt"})
    assert not runs.runs["mine"].has_scores
    (detail,) = miss_causes(runs, "mine").query("query_id == '900656'")["detail"]
    assert detail == "At rank 1; the last returned item is at rank 2."


@pytest.fixture
def unlabelled(home: Path) -> str:
    write_task1(home, dict.fromkeys(("900001", "900002", "900003"), "A lamp."))
    (home / "task1_test_no_labels_2025.json").write_text('{"900001.txt": [], "900002.txt": []}')
    return "coliee/task1/2025/test"


def test_without_labels_runs_have_answers_but_no_outcomes(unlabelled: str) -> None:
    run = {"900001": {"900003": 1.0}}
    runs = evaluate(unlabelled, {"mine": run}, rankings={"mine": run})
    assert not runs.has_gold
    assert runs.query_ids == ("900001", "900002")
    assert runs.runs["mine"].scored is None
    assert runs.runs["mine"].answers["docno"].tolist() == ["900003"]
    assert runs.runs["mine"].ranking is not None
    for use in (lambda: runs.gold, lambda: runs.counts, lambda: runs.per_query, lambda: runs.outcomes("mine")):
        with pytest.raises(MissingLabelsError):
            use()


@pytest.mark.parametrize(
    ("runs", "options", "error", "message"),
    [
        ([], {}, ColieeError, "No run was passed"),
        ({"mine": {"000001": {"000002": 1.0}}}, {}, MalformedRunError, "None of the run's query ids are known"),
        ({"mine": {"900656": {"900557": float("nan")}}}, {}, MalformedRunError, "is not a finite 32-bit number"),
        (
            {"mine": {}},
            {"rankings": {"other": {}}},
            ColieeError,
            "rankings has the unknown run other.\nThe runs are: mine",
        ),
        ({"mine": {}}, {"rankings": [{}, {}]}, ColieeError, "rankings has 2 entries for 1 runs"),
        ({"mine": {}}, {"rankings": {"mine": {"000001": {"000002": 1.0}}}}, MalformedRunError, "query ids are known"),
        ({"mine": {}}, {"answers": [{"900656": {"Y": 1.0}}]}, ColieeError, "has no measure that uses answers"),
        (["no such file"], {}, MalformedFileError, "no such file"),
    ],
)
def test_errors_say_what_is_wrong(
    runs: object, options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as raised:
        evaluate(TASK1, runs, **options)  # type: ignore[arg-type]
    assert message in str(raised.value)


@pytest.mark.parametrize("function", [EvaluatedRuns.outcomes, miss_causes, false_answer_kinds])
def test_an_unknown_run_is_an_error_with_the_known_names(function: Callable[[EvaluatedRuns, str], object]) -> None:
    runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 1.0}}})
    with pytest.raises(ColieeError, match=r"No run other was evaluated\.\nThe runs are: mine\."):
        function(runs, "other")


@pytest.mark.parametrize("value", ["a.trec", pd.DataFrame(), 3])
@pytest.mark.parametrize("argument", ["rankings", "answers"])
def test_one_file_or_frame_for_a_list_is_refused(argument: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"{argument} must be a list of runs or a dict from name to run, got"):
        evaluate("coliee/task1/sample/test", {"mine": {}}, **{argument: value})


def test_a_ranking_of_a_task_with_one_answer_is_refused() -> None:
    run = {"R99-01-A": {"Y": 1.0}}
    runs = evaluate("coliee/task4/sample/en/test", {"mine": run})
    assert runs.runs["mine"].ranking is None
    with pytest.raises(ColieeError, match="has no rankings"):
        evaluate("coliee/task4/sample/en/test", {"mine": run}, rankings={"mine": run})


def test_runs_that_are_evaluated_are_not_read_again() -> None:
    runs = evaluate(TASK1, {"mine": {}})
    for function in (evaluate, report):
        with pytest.raises(TypeError, match=r"already evaluated.*QueryExplanation\.of\(runs, query_id\)"):
            function(TASK1, runs)
    with pytest.raises(TypeError, match="already evaluated"):
        show(TASK1, "900656", runs)
