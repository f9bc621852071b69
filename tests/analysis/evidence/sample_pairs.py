"""Pairs of the sample, with other texts where a test gives them: `from analysis.evidence.sample_pairs import cases`."""

from ir_coliee.analysis import evaluate
from ir_coliee.analysis.evidence import Pair

#: A query and a relevant item of each split of the sample.
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


def pair_of(dataset, query_id=None, doc_id=None, *, query=None, item=None):
    """A pair of a split, with the fields of its query and item that are given."""
    names = PAIRS[dataset]
    query_id, doc_id = query_id or names[0], doc_id or names[1]
    pair = Pair.of(evaluate(dataset, {"mine": {query_id: {doc_id: 1.0}}}), query_id, doc_id)
    return Pair(pair.runs, pair.query._replace(**query or {}), pair.item._replace(**item or {}))


def cases(query, item):
    """A pair of task 1 with two texts."""
    return pair_of("coliee/task1/sample/test", query={"case": query}, item={"text": item})
