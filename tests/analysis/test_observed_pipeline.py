"""An observed pipeline tells which stage lost each item."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import ir_datasets
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee import MicroF1
from ir_coliee.analysis import evaluate, losses, miss_causes, observe, saved_runs
from ir_coliee.errors import ColieeError
from ir_coliee.transformers import (
    AddDuplicates,
    CandidatePool,
    DropSelf,
    LexicalIndex,
    MajorityAnswer,
    RatioCutoff,
    TopK,
    YearFilter,
    near_duplicates,
)

TASK1 = "coliee/task1/sample/test"


@pytest.fixture(scope="module")
def topics() -> pd.DataFrame:
    return pt.get_dataset(f"irds:{TASK1}").get_topics()


@pytest.fixture(scope="module")
def bm25() -> pt.Transformer:
    return LexicalIndex.from_dataset(TASK1).bm25(num_results=20)


def pipelines(bm25: pt.Transformer) -> Iterator[pt.Transformer]:
    corpus = [*pt.get_dataset(f"irds:{TASK1}").get_corpus_iter()]
    yield bm25
    yield bm25 >> DropSelf() >> YearFilter(TASK1) >> TopK(3)
    yield bm25 >> DropSelf() >> RatioCutoff(0.5) >> AddDuplicates(near_duplicates(corpus))
    yield (bm25 + bm25) % 5 >> DropSelf()
    yield (bm25 | bm25) >> bm25**bm25


@pytest.mark.parametrize("number", range(5))
def test_the_last_results_are_those_of_the_pipeline(number: int, bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    pipeline = [*pipelines(bm25)][number]
    stages = observe(pipeline, topics)
    pd.testing.assert_frame_equal([*stages.values()][-1], pipeline(topics))
    adds_up(losses(evaluate(TASK1, {"mine": stages})))


def adds_up(frame: pd.DataFrame) -> None:
    left = frame["items"].iloc[0]
    for row in frame.itertuples():
        if row.type == "level":
            assert row.items == left
        left += {"level": 0, "loss": -row.items, "gain": row.items}[row.type]


def test_each_stage_has_the_items_that_a_plain_count_finds(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    steps = {
        "BM25": bm25,
        "self": DropSelf(),
        "years": YearFilter(TASK1, latest=1990, rule="latest year"),
        "two": TopK(2),
    }
    first, *others = steps.values()
    runs = evaluate(TASK1, {"mine": observe(first >> others[0] >> others[1] >> others[2], topics, names=[*steps])})
    frame = losses(runs)
    levels = frame[frame["type"] == "level"].set_index("name")["items"]
    gold = {(qrel.query_id, qrel.doc_id) for qrel in ir_datasets.load(TASK1).qrels_iter()}
    lost_by: dict[tuple[str, str], str] = {}
    left, results = gold, topics
    for name, step in steps.items():
        results = step(results)
        found = left & {*zip(results["qid"], results["docno"])}
        assert levels[name] == len(found)
        cause = "not returned by BM25" if name == "BM25" else f"dropped by {name}"
        lost_by |= dict.fromkeys(left - found, cause)
        left = found
    causes = miss_causes(runs, "mine")
    assert dict(zip(zip(causes["query_id"], causes["doc_id"]), causes["cause"])) == lost_by
    assert {*lost_by.values()} == {"not returned by BM25", "dropped by years", "dropped by two"}


def test_the_causes_of_misses_have_ranks_and_the_ranking_is_that_before_the_cut(
    bm25: pt.Transformer, topics: pd.DataFrame
) -> None:
    stages = observe(bm25 >> DropSelf() >> TopK(3), topics)
    runs = evaluate(TASK1, {"mine": stages, "plain": stages["Cut-off"]})
    causes = miss_causes(runs, "mine")
    cut = causes[causes["cause"] == "dropped by Cut-off"].iloc[0]
    ranking = stages["Drop self"]
    (rank,) = ranking[(ranking["qid"] == cut.query_id) & (ranking["docno"] == cut.doc_id)]["rank"]
    assert cut.detail == f"At rank {rank + 1} of Drop self; Cut-off returns 3 items for the query."
    assert len(runs.runs["mine"].ranking) == len(ranking)  # type: ignore[arg-type]
    outcomes = [{*runs.outcomes(name)[["query_id", "doc_id", "outcome"]].itertuples(index=False)} for name in runs.runs]
    assert outcomes[0] == outcomes[1]


def test_runs_that_an_experiment_saved(bm25: pt.Transformer, topics: pd.DataFrame, tmp_path: Path) -> None:
    ranked = bm25 >> DropSelf()
    pipelines = {"ranked": ranked, "two": ranked >> TopK(2)}
    pt.Experiment(pipelines, topics, pt.get_dataset(f"irds:{TASK1}").get_qrels(), [MicroF1], save_dir=str(tmp_path))
    saved = saved_runs(tmp_path)
    assert [*saved] == ["ranked", "two"]
    runs = evaluate(TASK1, {"two": saved["two"]}, rankings={"two": saved["ranked"]})
    in_memory = evaluate(TASK1, {"two": pipelines["two"](topics)}, rankings={"two": ranked(topics)})
    pd.testing.assert_frame_equal(losses(runs), losses(in_memory))
    assert miss_causes(runs, "two")["cause"].nunique() > 1


def test_items_that_a_later_stage_adds_are_gains() -> None:
    gold = pd.DataFrame([(qrel.query_id, qrel.doc_id) for qrel in ir_datasets.load(TASK1).qrels_iter()])
    ranked = gold.set_axis(["qid", "docno"], axis=1).assign(score=1.0)
    frame = losses(evaluate(TASK1, {"mine": {"BM25": ranked, "one": ranked.head(1), "both": ranked}}))
    assert frame[["type", "name", "items"]].to_numpy().tolist() == [
        ["level", "gold", 32],
        ["level", "reachable", 32],
        ["level", "BM25", 32],
        ["loss", "dropped by one", 31],
        ["level", "one", 1],
        ["gain", "added by both", 31],
        ["level", "both", 32],
    ]


@pytest.mark.parametrize("task", ["task4/sample/en", "pilot/sample/prediction"])
def test_the_label_of_the_highest_score_is_the_answer(task: str) -> None:
    train, test = (pt.get_dataset(f"irds:coliee/{task}/{split}") for split in ("train", "test"))
    majority = MajorityAnswer().fit(CandidatePool(f"coliee/{task}/train")(train.get_topics()), train.get_qrels())
    stages = observe(CandidatePool(f"coliee/{task}/test") >> majority, test.get_topics())
    runs = evaluate(f"coliee/{task}/test", {"majority": stages})
    right = int(runs.counts.tp.sum())
    assert 0 < right < len(runs.gold)
    frame = losses(runs)
    adds_up(frame)
    levels = frame[frame["type"] == "level"]
    assert levels["name"].tolist() == ["gold", "reachable", "Pool", "Majority answer"]
    assert levels["items"].tolist() == [len(runs.gold)] * 3 + [right]
    assert {*miss_causes(runs, "majority")["cause"]} == {"dropped by Majority answer"}


def test_errors_name_the_next_step(topics: pd.DataFrame) -> None:
    with pytest.raises(ColieeError, match=r"names has 1 entries for 2 stages"):
        observe(DropSelf() >> TopK(3), topics, names=["one"])
    with pytest.raises(ColieeError, match="Two stages have the same name"):
        observe(DropSelf() >> TopK(3), topics, names=["one", "one"])
    with pytest.raises(TypeError, match="pipeline must be a PyTerrier transformer"):
        observe([DropSelf()], topics)  # type: ignore[arg-type]
