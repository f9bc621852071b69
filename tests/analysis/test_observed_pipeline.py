"""An observed pipeline returns what the pipeline returns, and tells which stage lost each item."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import ir_datasets
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee import MicroF1
from ir_coliee.analysis import ObservedPipeline, evaluate, losses, miss_causes, of, saved_runs
from ir_coliee.analysis.stages import stage_losses
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
def test_results_are_those_of_the_pipeline(number: int, bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    pipeline = [*pipelines(bm25)][number]
    observed = of(pipeline, dataset=TASK1)
    pd.testing.assert_frame_equal(observed(topics), pipeline(topics))
    composed, plain = (each >> pt.RankCutoff(2) for each in (observed, pipeline))
    pd.testing.assert_frame_equal(composed(topics), plain(topics))
    assert pt.inspect.transformer_outputs(observed, [*topics]) == pt.inspect.transformer_outputs(pipeline, [*topics])
    adds_up(observed.losses())


def adds_up(frame: pd.DataFrame) -> None:
    left = frame["items"].iloc[0]
    for row in frame.itertuples():
        if row.type == "level":
            assert row.items == left
        left += {"level": 0, "loss": -row.items, "gain": row.items}[row.type]


def test_an_experiment_has_the_same_figures_and_does_not_need_more(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    pipeline = bm25 >> DropSelf() >> TopK(3)
    observed = of(pipeline)
    qrels = pt.get_dataset(f"irds:{TASK1}").get_qrels()
    found = pt.Experiment([pipeline, observed], topics, qrels, [MicroF1], names=["plain", "observed"])
    assert found[str(MicroF1)].nunique() == 1
    assert observed.query_ids == {*topics["qid"]}
    whole = observed.losses(qrels)
    batches = of(pipeline)
    pt.Experiment([batches], topics, qrels, [MicroF1], batch_size=2)
    pd.testing.assert_frame_equal(batches.losses(qrels), whole)


def test_each_stage_has_the_items_that_a_plain_count_finds(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    steps = [bm25, DropSelf(), YearFilter(TASK1), TopK(2)]
    observed = of(steps[0] >> steps[1] >> steps[2] >> steps[3], names=["BM25", "self", "years", "two"])
    observed(topics)
    gold = {(qrel.query_id, qrel.doc_id) for qrel in ir_datasets.load(TASK1).qrels_iter()}
    frame, results = observed.losses(TASK1), topics
    levels = frame[frame["type"] == "level"].set_index("name")["items"]
    lost_by: dict[tuple[str, str], str | None] = {}
    left = gold
    for name, step in zip(["BM25", "self", "years", "two"], steps):
        results = step(results)
        found = left & {*zip(results["qid"], results["docno"])}
        assert levels[name] == len(found)
        lost_by |= dict.fromkeys(left - found, name)
        left = found
    assert {pair: observed.stage_of(*pair) for pair in gold} == {pair: lost_by.get(pair) for pair in gold}
    assert lost_by  # two items are too few for some queries
    with pytest.raises(ColieeError, match="was not called with query no-such-query"):
        observed.stage_of("no-such-query", "900532")


def test_the_causes_of_misses_name_the_stages(bm25: pt.Transformer, topics: pd.DataFrame) -> None:
    observed = of(bm25 >> DropSelf() >> YearFilter(TASK1, latest=1990, rule="latest year") >> TopK(3))
    observed(topics)
    runs = evaluate(TASK1, {"mine": observed, "plain": observed(topics)})
    causes = miss_causes(runs, "mine")
    assert {*causes["cause"]} == {"not returned by Retriever", "dropped by Year filter", "dropped by Cut-off"}
    for row in causes.itertuples():
        assert row.cause.endswith(f" by {observed.stage_of(row.query_id, row.doc_id)}")
    cut = causes[causes["cause"] == "dropped by Cut-off"].iloc[0]
    ranking = observed.ranking
    assert ranking is not None
    (rank,) = ranking[(ranking["qid"] == cut.query_id) & (ranking["docno"] == cut.doc_id)]["rank"]
    assert cut.detail == f"At rank {rank + 1} of Year filter; Cut-off returns 3 items for the query."
    frame = losses(runs)
    adds_up(frame[frame["run"] == "mine"])
    assert frame["name"].tolist()[1:4] == ["reachable", "not returned by Retriever", "Retriever"]
    assert runs.runs["mine"].ranking is not None
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
    ranked = pd.DataFrame({"qid": "900656", "docno": ["900557", "900912"], "score": [2.0, 1.0]})
    stages = {"BM25": ranked, "one": ranked.head(1), "both": ranked}
    frame = stage_losses(stages, TASK1, query_ids=["900656"])
    assert frame[["type", "name", "items"]].to_numpy().tolist() == [
        ["level", "gold", 2],
        ["level", "BM25", 2],
        ["loss", "dropped by one", 1],
        ["level", "one", 1],
        ["gain", "added by both", 1],
        ["level", "both", 2],
    ]


def test_pools_and_labels_are_observed() -> None:
    fragments = "coliee/task2/sample/test"
    observed = of(CandidatePool(fragments) >> LexicalIndex.from_dataset(fragments).bm25() >> TopK(1))
    observed(pt.get_dataset(f"irds:{fragments}").get_topics())
    frame = observed.losses(fragments)
    assert frame[["name", "share"]].to_numpy().tolist()[:2] == [["gold", 1.0], ["Pool", 1.0]]
    adds_up(frame)


@pytest.mark.parametrize("task", ["task4/sample/en", "pilot/sample/prediction"])
def test_the_label_of_the_highest_score_is_the_answer(task: str) -> None:
    train, test = (pt.get_dataset(f"irds:coliee/{task}/{split}") for split in ("train", "test"))
    majority = MajorityAnswer().fit(CandidatePool(f"coliee/{task}/train")(train.get_topics()), train.get_qrels())
    observed = of(CandidatePool(f"coliee/{task}/test") >> majority, dataset=f"coliee/{task}/test")
    observed(test.get_topics())
    runs = evaluate(f"coliee/{task}/test", {"majority": observed})
    right = int(runs.counts.tp.sum())
    assert 0 < right < len(runs.gold)
    frame = losses(runs)
    adds_up(frame)
    levels = frame[frame["type"] == "level"]
    assert levels["name"].tolist() == ["gold", "reachable", "Pool", "Majority answer"]
    assert levels["items"].tolist() == [len(runs.gold)] * 3 + [right]
    assert observed.losses()["items"].iloc[-1] == right
    assert {*miss_causes(runs, "majority")["cause"]} == {"dropped by Majority answer"}


def test_it_describes_itself_as_transformers_do(bm25: pt.Transformer) -> None:
    observed = of(DropSelf() >> TopK(3), dataset=TASK1, names=["self", "three"])
    assert eval(repr(observed)) == observed
    assert pickle.loads(pickle.dumps(observed)) == observed
    assert observed.compile() is observed
    assert pt.schematic.transformer_schematic(observed)["label"] == "Observed pipeline"
    assert pt.schematic.draw(observed >> TopK(2))


def test_errors_name_the_next_step(topics: pd.DataFrame) -> None:
    observed = of(DropSelf() >> TopK(3))
    with pytest.raises(ColieeError, match="has no results with documents yet"):
        observed.losses(TASK1)
    with pytest.raises(ColieeError, match=r"names has 1 entries for 2 stages"):
        of(DropSelf() >> TopK(3), names=["one"])
    with pytest.raises(ColieeError, match="Two stages have the same name"):
        of(DropSelf() >> TopK(3), names=["one", "one"])
    with pytest.raises(TypeError, match="pipeline must be a PyTerrier transformer"):
        of([DropSelf()])  # type: ignore[arg-type]
    observed(pd.DataFrame({"qid": ["900656"], "docno": ["900557"], "score": [1.0]}))
    with pytest.raises(ColieeError, match="No gold labels"):
        observed.losses()
    assert isinstance(observed, ObservedPipeline)
    ranked = pd.DataFrame({"qid": ["900656"], "docno": ["900557"]})
    for stages, gold, message in (
        ({}, TASK1, "No stage was passed"),
        ({"BM25": ranked.drop(columns="docno")}, TASK1, "Stage BM25 has no column docno"),
        ({"BM25": ranked.assign(qid=900656)}, TASK1, "The qid 900656 is not a string"),
        ({"BM25": ranked}, ranked, "The frame of qrels has no column label"),
    ):
        with pytest.raises(ColieeError, match=message):
            stage_losses(stages, gold)
