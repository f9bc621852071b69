"""Two runs of a split of the sample, one with a ranking: `from analysis.report.sample_runs import sample_runs`."""

import ir_datasets

from ir_coliee.analysis.report import report

DATASETS = [
    "coliee/task1/sample/test",
    "coliee/task2/sample/test",
    "coliee/task3/sample/en/test",
    "coliee/task3/sample/ja/test",
    "coliee/task4/sample/en/test",
    "coliee/pilot/sample/prediction/test",
    "coliee/pilot/sample/rationale/test",
]


def sample_runs(dataset_id):
    """Answer sets by name, and a ranking of the first: the first relevant item, and the first of another query."""
    dataset = ir_datasets.load(dataset_id)
    gold = {query.query_id: [] for query in dataset.queries_iter()}
    for label in dataset.qrels_iter():
        gold[label.query_id] += [label.doc_id] if label.relevance > 0 else []
    single = "task4" in dataset_id or "prediction" in dataset_id
    pools = {}
    if dataset.has_scoreddocs():
        for pair in dataset.scoreddocs_iter():
            pools.setdefault(pair.query_id, []).append(pair.doc_id)
    others = sorted({item for items in gold.values() for item in items})
    answers, ranking = {"first": {}, "second": {}}, {}
    for number, (query_id, relevant) in enumerate(gold.items()):
        pool = pools.get(query_id, others)
        if single:
            answers["first"][query_id] = {pool[number % 2]: 1.0}
            answers["second"][query_id] = {pool[0]: 1.0}
            continue
        ranked = [*dict.fromkeys([*relevant[1:2], pool[number % len(pool)], *pool[:6], *relevant[:1]])]
        ranking[query_id] = {item: 20.0 - rank for rank, item in enumerate(ranked)}
        answers["first"][query_id] = dict([*ranking[query_id].items()][:2])
        answers["second"][query_id] = dict.fromkeys(relevant[: number % 3], 1.0)
    return answers, {} if single or "rationale" in dataset_id else {"first": ranking}


def report_of(dataset_id, **options):
    """The report on the runs of `sample_runs`."""
    answers, rankings = sample_runs(dataset_id)
    return report(dataset_id, answers, rankings=rankings or None, **options)
