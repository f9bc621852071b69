"""`evidence_for`: which kinds a pair gets, and what is said where something is missing."""

import json

import pytest

from ir_coliee.analysis import evaluate
from ir_coliee.analysis.evidence import KINDS, evidence_for

PAIRS = {
    "coliee/task1/sample/test": ("900656", "900557"),
    "coliee/task2/sample/test": ("900009", "900009_003"),
    "coliee/task3/sample/en/test": ("R99-01-A", "55"),
    "coliee/task3/sample/ja/test": ("R99-01-A", "55"),
    "coliee/task4/sample/en/test": ("R99-01-A", "Y"),
    "coliee/task4/sample/ja/test": ("R99-01-A", "N"),
    "coliee/pilot/sample/prediction/test": ("900101", "True"),
    "coliee/pilot/sample/rationale/test": ("900101", "900101_p0"),
}


@pytest.mark.parametrize("dataset", PAIRS)
def test_each_task_has_its_kinds(dataset):
    query_id, doc_id = PAIRS[dataset]
    runs = evaluate(dataset, {"mine": {query_id: {doc_id: 1.0}}})
    found = evidence_for(runs, query_id, doc_id)
    assert [record.kind for record in found] == [kind.__name__ for kind in KINDS[runs.split.task]]
    for record in found:
        assert record.title
        assert str(record).startswith(record.title)
        assert json.loads(json.dumps(record.as_json(), allow_nan=False))["kind"] == record.kind
