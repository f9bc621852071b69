"""What differs between train and test, against a plain computation, and as the first lines of a report."""

import json
import re
import statistics

import ir_datasets
import pandas as pd
import pytest
from analysis.pages.small_pictures import small_pictures  # noqa: F401  (fixture)
from analysis.random_runs import gold_of, random_runs

from ir_coliee.analysis import drift, evaluate, report
from ir_coliee.baselines.bm25 import bm25_ranker
from ir_coliee.baselines.training import topics
from ir_coliee.editions import as_split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.scoring import score
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import DropSelf, TopK
from ir_coliee.transformers.retrieval.indexes import bm25_of_split

FIRST = {"coliee/task1/sample/": "MicroF1 of the first 3", "coliee/task2/sample/": "MicroF1 of the first 2"}


@pytest.mark.parametrize("dataset", FIRST)
def test_the_figures_are_those_of_a_plain_computation(dataset):
    run = random_runs(f"{dataset}test", 1)[0]["run0"]
    frame = drift(evaluate(f"{dataset}test", {"mine": run})).set_index("figure")
    for name in ("train", "test"):
        gold, queries = gold_of(dataset + name), [*ir_datasets.load(dataset + name).queries_iter()]
        lengths = [len(query.default_text().split()) for query in queries]
        split, depth = as_split(dataset + name), int(FIRST[dataset][-1])
        ranker = bm25_of_split(split) if split.task == "task1" else bm25_ranker(split)
        ranked = (ranker >> DropSelf() >> TopK(depth))(topics(split))
        assert frame[name].tolist()[:4] == pytest.approx(
            [
                len(queries),
                statistics.median(lengths),
                sum(map(len, gold.values())) / len(gold),
                next(iter(score(dataset + name, ranked).figures.values())),
            ]
        )
    assert frame.index[3] == f"{FIRST[dataset]} by BM25"
    assert frame.loc["returned per query by mine", "test"] == sum(map(len, run.values())) / len(run)


def test_a_train_split_is_not_compared_with_itself():
    with pytest.raises(ColieeError, match="has no train split to compare it with"):
        drift(evaluate("coliee/task1/sample/train", {"mine": {}}))


@pytest.mark.slow
@pytest.mark.usefixtures("small_pictures")
def test_planted_drift_is_said_first_and_without_labels_the_answers_are_compared(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    write_release("coliee/task2/2025", tmp_path, scale=0.1)
    dataset = "coliee/task2/2025/test"
    (path,) = tmp_path.rglob("*test*labels*")
    labels = json.loads(path.read_text())
    path.write_text(
        json.dumps({query: relevant[:1] * 2 + ["001.txt", "002.txt"] for query, relevant in labels.items()})
    )
    answers = pd.DataFrame([(label.query_id, label.doc_id, 1.0) for label in ir_datasets.load(dataset).qrels_iter()])
    runs = {name: answers.set_axis(["qid", "docno", "score"], axis=1) for name in ("one", "other")}
    first = str(report(dataset, runs)).splitlines()[2:5]
    assert any(re.match("Unlike the train queries: .*relevant items per query: [23]", line) for line in first), first
    path.unlink()
    text = str(report(dataset, runs))
    assert re.search(r"returned per query by one: [23]\.\d\d, train 1", text)
    assert "jaccard" in text
