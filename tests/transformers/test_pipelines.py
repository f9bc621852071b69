"""Transformers of ours inside PyTerrier's pipelines, experiments and searches, on the sample."""

import json
from pathlib import Path

import pyterrier as pt
import pytest

import ir_coliee
import ir_coliee.transformers as ct
from ir_coliee import MicroF1

SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
TASK1, TASK2 = "coliee/task1/sample/test", "coliee/task2/sample/test"


TOPICS, QRELS = pt.get_dataset(f"irds:{TASK1}").get_topics(), pt.get_dataset(f"irds:{TASK1}").get_qrels()
INDEX = ct.LexicalIndex.from_dataset(TASK1, analyser="case")


def micro_f1(results):
    labels = json.loads((SAMPLE / "task1_test_labels_sample.json").read_text(encoding="utf-8"))
    gold = {(query[:6], case[:6]) for query, cases in labels.items() for case in cases}
    returned = set(zip(results["qid"], results["docno"]))
    return 2 * len(gold & returned) / (len(gold) + len(returned))


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [{}, {"batch_size": 3}, {"baseline": 0}, {"plan": "tree"}, {"perquery": "both"}, {"plan": "tree", "batch_size": 3}],
    ids=str,
)
def test_an_experiment_with_the_sample_reports_the_pooled_f1(arguments):
    ranker = INDEX.bm25(k1=3.0, b=1.0) >> ct.DropSelf() >> ct.DropQueries(TASK1) >> ct.YearFilter(TASK1)
    systems = {"dynamic": ranker >> ct.DynamicCutoff(), "first three": ranker >> ct.TopK(3)}
    expected = {name: micro_f1(system(TOPICS)) for name, system in systems.items()}
    outcome = pt.Experiment(systems, TOPICS, QRELS, [MicroF1], **arguments)
    table = outcome[0] if arguments.get("perquery") else outcome
    assert dict(zip(table["name"], table["MicroF1"])) == pytest.approx(expected, abs=1e-12)
    perquery = pt.Evaluate(systems["dynamic"](TOPICS), QRELS, [MicroF1], perquery=True).values()
    mean = sum(float(values["MicroF1"]) for values in perquery) / len(perquery)
    assert abs(mean - expected["dynamic"]) > 1e-4  # it is not the mean of the queries' values


def test_a_tree_runs_the_common_beginning_once():
    calls = []

    def count(frame):
        calls.extend([len(frame)] * (not frame.empty))  # validation asks with an empty frame
        return frame

    counting = pt.apply.generic(count)
    # equal transformers that are different objects
    systems = [counting >> INDEX.bm25(k1=3.0) >> ct.DropSelf() >> ct.TopK(k) for k in (1, 2, 3)]
    table = pt.Experiment(systems, TOPICS, QRELS, [MicroF1], plan="tree")
    assert calls == [12]
    alone = [micro_f1((INDEX.bm25(k1=3.0) >> ct.DropSelf() >> ct.TopK(k))(TOPICS)) for k in (1, 2, 3)]
    assert table["MicroF1"].tolist() == pytest.approx(alone)


def test_a_pool_is_rescored_and_cut():
    bm25 = ct.LexicalIndex.from_dataset(TASK2, analyser="case").bm25(statistics="pool")
    pipeline = ct.CandidatePool(TASK2) >> bm25 >> ct.MarginCutoff(1.0, max_items=2)
    results = pipeline(pt.get_dataset(f"irds:{TASK2}").get_topics())
    assert results["qid"].nunique() == 8
    assert all(docno.startswith(f"{qid}_") for qid, docno in zip(results["qid"], results["docno"]))
    assert results.groupby("qid").size().max() <= 2
