"""MicroF1 must be the F1 of pooled counts wherever a value can be taken, not the mean of the queries' F1."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import ir_measures
import pandas as pd
import pyterrier as pt
import pytest
from ir_measures import AP, Qrel, ScoredDoc, nDCG

from ir_coliee import MicroF1

QRELS = [
    ("1", "a", 1),
    ("1", "b", 1),
    ("1", "c", 1),
    ("1", "d", 0),
    ("2", "h", 1),
    ("2", "i", 1),
    ("3", "e", 1),
    ("4", "f", 1),
    ("4", "g", 1),
]
# query 2 is unanswered, query 9 has no gold
RUN = [
    ("1", "a", 2.0),
    ("1", "d", 1.0),
    *[("3", docno, score) for docno, score in [("e", 5.0), ("v", 4.0), ("w", 3.0), ("x", 2.0), ("y", 1.0)]],
    ("4", "g", 2.0),
    ("4", "f", 1.0),
    ("9", "a", 1.0),
]
WORSE = [("1", "z", 2.0), ("1", "a", 1.0), ("3", "z", 1.0), ("4", "g", 1.0), ("4", "y", 0.5), ("9", "b", 1.0)]

TOPICS = pd.DataFrame({"qid": list("1234"), "query": "lamp"})
PT_QRELS = pd.DataFrame(QRELS, columns=["qid", "docno", "label"])


def micro_f1(run=RUN, qrels=QRELS):
    queries = {query for query, _, _ in qrels}
    gold = {(query, item) for query, item, relevance in qrels if relevance > 0}
    returned = {(query, item) for query, item, _ in run if query in queries}
    return 2 * len(gold & returned) / (len(gold) + len(returned))


def mean_of_query_f1(run=RUN, qrels=QRELS):
    queries = sorted({query for query, _, _ in qrels})
    of_query = [([r for r in run if r[0] == query], [q for q in qrels if q[0] == query]) for query in queries]
    return sum(micro_f1(*pair) for pair in of_query) / len(queries)


def frame(run):
    ranked = pd.DataFrame(run, columns=["qid", "docno", "score"])
    return ranked.assign(rank=ranked.groupby("qid").cumcount())


def retriever(run=RUN):
    return pt.Transformer.from_df(frame(run))


def only(rows, *queries):
    return [row for row in rows if row[0] in queries]


def qrels_frame(qrels=QRELS):
    return pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])


def run_frame(run=RUN):
    return pd.DataFrame(run, columns=["query_id", "doc_id", "score"])


def qrels_dict():
    return {query: {d: rel for q, d, rel in QRELS if q == query} for query, _, _ in QRELS}


def run_dict(run=RUN):
    return {query: {d: score for q, d, score in run if q == query} for query, _, _ in run}


def average(name="a", measures=(MicroF1,), **arguments):
    """The figure that an experiment over both systems reports for one of them."""
    systems = {"a": retriever(), "b": retriever(WORSE)}
    table = pt.Experiment(systems, TOPICS, PT_QRELS, list(measures), **arguments)
    return table.set_index("name").loc[name, "MicroF1"]


def calc_aggregate(_folder):
    return ir_measures.calc_aggregate([MicroF1], qrels_frame(), run_frame())[MicroF1], micro_f1()


def calc_aggregate_beside_pytrec_eval(_folder):
    values = ir_measures.calc_aggregate([AP, MicroF1, nDCG @ 5], qrels_frame(), run_frame())
    return values[MicroF1], micro_f1()


def iter_calc(_folder):
    values = [metric.value for metric in ir_measures.iter_calc([MicroF1], qrels_frame(), run_frame())]
    return sum(values) / len(values), micro_f1()


def calc(_folder):
    return ir_measures.calc([MicroF1], qrels_frame(), run_frame()).aggregated[MicroF1], micro_f1()


def evaluator(_folder):
    return ir_measures.evaluator([MicroF1, AP], qrels_frame()).calc_aggregate(run_frame())[MicroF1], micro_f1()


def method_of_the_measure(_folder):
    return MicroF1.calc_aggregate(qrels_frame(), run_frame()), micro_f1()


def parsed_measure(_folder):
    measure = ir_measures.parse_measure("MicroF1")
    return ir_measures.calc_aggregate([measure], qrels_frame(), run_frame())[measure], micro_f1()


def dicts(_folder):
    return ir_measures.calc_aggregate([MicroF1], qrels_dict(), run_dict())[MicroF1], micro_f1()


def generators(_folder):
    qrels, run = (Qrel(*row) for row in QRELS), (ScoredDoc(*row) for row in RUN)
    return ir_measures.calc_aggregate([MicroF1], qrels, run)[MicroF1], micro_f1()


def empty_run(_folder):
    # all gold of the empty run must stay in the pool when an answered query is added
    nothing = ir_measures.iter_calc([MicroF1], qrels_frame(), run_frame([]))
    answered = ir_measures.iter_calc([MicroF1], qrels_frame(only(QRELS, "4")), run_frame(only(RUN, "4")))
    values = [metric.value for metric in [*nothing, *answered]]
    return sum(values) / len(values), micro_f1(only(RUN, "4"), [*QRELS, ("5", "f", 1), ("5", "g", 1)])


def experiment(_folder):
    return average(), micro_f1()


def experiment_of_the_other_system(_folder):
    return average("b"), micro_f1(WORSE)


def experiment_beside_pytrec_eval(_folder):
    return average(measures=[AP, MicroF1, nDCG @ 5]), micro_f1()


def experiment_with_frames(_folder):
    table = pt.Experiment([frame(RUN), frame(WORSE)], TOPICS, PT_QRELS, [MicroF1])
    return table.loc[0, "MicroF1"], micro_f1()


def experiment_in_batches(_folder):
    return average(batch_size=3), micro_f1()


def experiment_with_queries_and_averages(_folder):
    systems = [retriever(), retriever(WORSE)]
    averages, _ = pt.Experiment(systems, TOPICS, PT_QRELS, [MicroF1], perquery="both")
    return averages.loc[0, "MicroF1"], micro_f1()


def experiment_filtered_by_qrels(_folder):
    topics = pd.DataFrame({"qid": list("12349"), "query": "lamp"})
    table = pt.Experiment([retriever()], topics, PT_QRELS, [MicroF1], filter_by_qrels=True)
    return table.loc[0, "MicroF1"], micro_f1()


def experiment_with_a_topic_without_qrels(_folder):
    topics = pd.DataFrame({"qid": list("12349"), "query": "lamp"})
    table, _ = pt.Experiment([retriever()], topics, PT_QRELS, [MicroF1], perquery="both")
    return table.loc[0, "MicroF1"], micro_f1()


def experiment_not_filtered_by_topics(_folder):
    topics = TOPICS[TOPICS["qid"].isin(["1", "3"])]
    table = pt.Experiment([retriever()], topics, PT_QRELS, [MicroF1], filter_by_topics=False)
    return table.loc[0, "MicroF1"], micro_f1(only(RUN, "1", "3"))


def experiment_saved(folder):
    return average(save_dir=str(folder)), micro_f1()


def experiment_reused(folder):
    average(save_dir=str(folder))
    return average(save_dir=str(folder), save_mode="reuse"), micro_f1()


def experiment_with_t_test(_folder):
    return average(baseline=0), micro_f1()


def experiment_with_wilcoxon(_folder):
    return average("b", baseline=0, test="wilcoxon"), micro_f1(WORSE)


def experiment_with_correction(_folder):
    return average("b", baseline=0, correction="holm"), micro_f1(WORSE)


def experiment_as_tree(_folder):
    start = retriever()
    table = pt.Experiment([start % 3, start % 1], TOPICS, PT_QRELS, [MicroF1], plan="tree")
    return table.loc[0, "MicroF1"], micro_f1([row for row in RUN if row[1] not in ("x", "y")])


def experiment_with_common_beginning(_folder):
    start = retriever()
    table = pt.Experiment([start % 3, start % 1], TOPICS, PT_QRELS, [MicroF1], precompute_prefix=True)
    return table.loc[0, "MicroF1"], micro_f1([row for row in RUN if row[1] not in ("x", "y")])


def experiment_rounded(_folder):
    return average(round=3), round(micro_f1(), 3)


def experiment_rounded_by_measure(_folder):
    return average(round={"MicroF1": 2}), round(micro_f1(), 2)


def experiment_highlighted(_folder):
    systems = [retriever(), retriever(WORSE)]
    styled = pt.Experiment(systems, TOPICS, PT_QRELS, [MicroF1], names=["a", "b"], highlight="bold")
    return styled.data.loc[0, "MicroF1"], micro_f1()


def experiment_without_frame(_folder):
    values = pt.Experiment([retriever()], TOPICS, PT_QRELS, [MicroF1], names=["a"], dataframe=False)
    return values["a"]["MicroF1"], micro_f1()


def evaluate(_folder):
    return pt.Evaluate(frame(RUN), PT_QRELS, [MicroF1])["MicroF1"], micro_f1()


def grid(**arguments):
    cut = pt.RankCutoff(5)
    table = pt.GridScan(retriever() >> cut, {cut: {"k": [1, 5]}}, TOPICS, PT_QRELS, [MicroF1], **arguments)
    return table.loc[1, "MicroF1"]


def grid_scan(_folder):
    return grid(), micro_f1()


def grid_scan_in_batches(_folder):
    return grid(batch_size=3), micro_f1()


def grid_scan_in_jobs(_folder):
    pytest.importorskip("pyterrier_alpha", reason="PyTerrier runs jobs with pyterrier-alpha")
    return grid(jobs=2), micro_f1()


def grid_search(_folder):
    cut = pt.RankCutoff(5)
    value, _ = pt.GridSearch(
        retriever() >> cut, {cut: {"k": [3, 5]}}, TOPICS, PT_QRELS, MicroF1, return_type="best_setting"
    )
    return value, micro_f1([row for row in RUN if row[1] not in ("x", "y")])


def k_fold_grid_search(_folder):
    # k = 1 is better on the second fold, k = 5 on the first; each fold is cut as the other one wants it
    cut = pt.RankCutoff(5)
    folds = [TOPICS[TOPICS["qid"].isin(["1", "4"])], TOPICS[TOPICS["qid"].isin(["2", "3"])]]
    results, _ = pt.KFoldGridSearch(retriever() >> cut, {cut: {"k": [1, 5]}}, folds, PT_QRELS, MicroF1)
    expected = micro_f1([row for row in RUN if row[1] in ("a", "g", "e", "v", "w", "x", "y")])
    return pt.Evaluate(results, PT_QRELS, [MicroF1])["MicroF1"], expected


def pickled(_folder):
    metrics = list(ir_measures.iter_calc([MicroF1], qrels_frame(), run_frame()))
    values = pickle.loads(pickle.dumps([metric.value for metric in metrics]))
    return sum(values) / len(values), micro_f1()


def query_values(queries):
    qrels, run = qrels_frame(only(QRELS, *queries)), run_frame(only(RUN, *queries))
    return [metric.value for metric in ir_measures.iter_calc([MicroF1], qrels, run)]


def spawned_process(_folder):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        values = [value for values in pool.map(query_values, ["12", "34"]) for value in values]
    return sum(values) / len(values), micro_f1()


CONTEXTS = [
    calc_aggregate,
    calc_aggregate_beside_pytrec_eval,
    iter_calc,
    calc,
    evaluator,
    method_of_the_measure,
    parsed_measure,
    dicts,
    generators,
    empty_run,
    experiment,
    experiment_of_the_other_system,
    experiment_beside_pytrec_eval,
    experiment_with_frames,
    experiment_in_batches,
    experiment_with_queries_and_averages,
    experiment_filtered_by_qrels,
    experiment_with_a_topic_without_qrels,
    experiment_not_filtered_by_topics,
    experiment_saved,
    experiment_reused,
    experiment_with_t_test,
    experiment_with_wilcoxon,
    experiment_with_correction,
    experiment_as_tree,
    experiment_with_common_beginning,
    experiment_rounded,
    experiment_rounded_by_measure,
    experiment_highlighted,
    experiment_without_frame,
    evaluate,
    grid_scan,
    grid_scan_in_batches,
    grid_scan_in_jobs,
    grid_search,
    k_fold_grid_search,
    pickled,
    spawned_process,
]


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.__name__)
def test_micro_f1_is_the_f1_of_pooled_counts(context, tmp_path):
    reported, expected = context(tmp_path)
    assert reported == pytest.approx(expected, abs=1e-12)


def test_the_data_tell_micro_f1_from_the_mean_of_query_f1():
    assert micro_f1() == pytest.approx(8 / 17)
    assert round(mean_of_query_f1(), 2) == 0.43


def test_queries_of_an_experiment_are_reported_with_their_own_f1():
    table = pt.Experiment([retriever()], TOPICS, PT_QRELS, [MicroF1], perquery=True)
    values = dict(zip(table["qid"], table["value"]))
    assert values == pytest.approx({"1": 2 / 5, "2": 0.0, "3": 2 / 6, "4": 1.0})
