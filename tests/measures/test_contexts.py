"""Every measure must have its own value wherever one can be taken, and MicroF1 not the mean of the queries' F1.

A context reports the value that it gives of a measure, and what plain Python makes of the same rows. The project's
check runs this file twice: with the newest parents, and with the oldest that are supported.
"""

import math
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import NamedTuple

import ir_measures
import pandas as pd
import pyterrier as pt
import pytest
from ir_measures import AP
from plain_measures import PLAIN

from ir_coliee import AnswerAccuracy, GatedAccuracy, MacroF, MacroF2, MicroF1

QRELS = [
    *(("1", item, int(item != "d"), "Y") for item in "abcd"),
    *(("2", item, 1, "N") for item in "hi"),
    ("3", "e", 1, "Y"),
    *(("4", item, 1, "N") for item in "fg"),
    ("5", "k", 0, "N"),
]
RUN = [
    *(("1", item, score, "Y") for item, score in [("a", 2.0), ("b", 1.5), ("d", 1.0)]),
    *(("3", item, 5.0 - rank, "Y") for rank, item in enumerate("evwxy")),
    *(("4", item, score, "N") for item, score in [("g", 2.0), ("f", 1.0)]),
    ("5", "k", 1.0, "N"),
    ("9", "a", 1.0, "Y"),
]
WORSE = [
    *[("1", "z", 2.0, "N"), ("1", "a", 1.0, "N")],
    *[("3", "e", 1.0, "Y"), ("4", "g", 1.0, "Y"), ("4", "y", 0.5, "Y"), ("9", "b", 1.0, "N")],
]

TOPICS = pd.DataFrame({"qid": list("12345"), "query": "lamp"})
PT_QRELS = pd.DataFrame(QRELS, columns=["qid", "docno", "label", "gold_answer"])


class OfQuery(NamedTuple):
    """What plain Python makes of the rows of a query."""

    gold: set[str]
    found: list[str]  # best first
    is_right: bool

    @property
    def counts(self):
        return len(self.gold & set(self.found)), len(self.found), len(self.gold)


def of_queries(run, qrels):
    for query in sorted({row[0] for row in qrels}):
        gold = {item for q, item, relevance, _ in qrels if q == query and relevance > 0}
        rows = sorted((row for row in run if row[0] == query), key=lambda row: -row[2])
        right = {label for q, _, _, label in qrels if q == query} == {label for *_, label in rows}
        yield OfQuery(gold, [item for _, item, _, _ in rows], right)


def mean(values):
    return sum(values) / len(values)


class Case(NamedTuple):
    """A measure, and its value of the queries in plain Python.

    ``pools``: it is no mean over all queries, so that its values must be more than numbers. ``skips``: it leaves out
    queries that have nothing to be found.
    """

    measure: ir_measures.Measure
    of_all: Callable[[list[OfQuery]], float]
    pools: bool = False
    skips: bool = False

    def plain(self, run=RUN, qrels=QRELS):
        return self.of_all(list(of_queries(run, qrels)))

    def of_each_query(self):
        return [0.0 if self.skips and not query.gold else self.of_all([query]) for query in of_queries(RUN, QRELS)]


def plain(measure):
    return lambda queries: float(PLAIN[measure]([query.counts for query in queries]))


CASES = [
    Case(MicroF1, plain(MicroF1), pools=True),
    Case(MacroF2, plain(MacroF2)),
    Case(MacroF, plain(MacroF)),
    Case(AnswerAccuracy, lambda queries: mean([any(item in q.gold for item in q.found[:1]) for q in queries])),
    Case(
        GatedAccuracy,
        lambda queries: mean([q.is_right and q.gold <= {*q.found} for q in queries if q.gold]),
        pools=True,
        skips=True,
    ),
]
MEASURES = [case.measure for case in CASES]


def frame(run):
    ranked = pd.DataFrame(run, columns=["qid", "docno", "score", "qanswer"])
    return ranked.assign(rank=ranked.groupby("qid").cumcount())


def retriever(run=RUN):
    return pt.Transformer.from_df(frame(run))


def only(rows, *queries):
    return [row for row in rows if row[0] in queries]


def cut(run, k):
    """The rows of the first k items of each query; the rows come best first."""
    return [row for number, row in enumerate(run) if sum(other[0] == row[0] for other in run[:number]) < k]


def qrels_frame(qrels=QRELS):
    return pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance", "gold_answer"])


def run_frame(run=RUN):
    return pd.DataFrame(run, columns=["query_id", "doc_id", "score", "qanswer"])


def query_values(measure, qrels, run):
    return [metric.value for metric in ir_measures.iter_calc([measure], qrels, run)]


def average(case, **arguments):
    """The figure that an experiment over two systems reports for the first."""
    systems = {"a": retriever(), "b": retriever(WORSE)}
    table = pt.Experiment(systems, TOPICS, PT_QRELS, [case.measure], **arguments)
    return table.set_index("name").loc["a", str(case.measure)]


def calc_aggregate(case, _folder):
    return ir_measures.calc_aggregate([case.measure], qrels_frame(), run_frame())[case.measure], case.plain()


def empty_run(case, _folder):
    # all gold of the empty run must stay in the pool when an answered query is added
    nothing = query_values(case.measure, qrels_frame(), pd.DataFrame({"query_id": [], "doc_id": [], "score": []}))
    answered = query_values(case.measure, qrels_frame(only(QRELS, "4")), run_frame(only(RUN, "4")))
    return mean([*nothing, *answered]), case.plain(
        only(RUN, "4"), [*QRELS, *(("6", item, rel, label) for _, item, rel, label in only(QRELS, "4"))]
    )


def experiment(case, _folder):
    return average(case), case.plain()


def experiment_with_queries_and_averages(case, _folder):
    systems = [retriever(), retriever(WORSE)]
    averages, _ = pt.Experiment(systems, TOPICS, PT_QRELS, [case.measure], perquery="both")
    return averages.loc[0, str(case.measure)], case.plain()


def experiment_with_a_topic_without_qrels(case, _folder):
    topics = pd.DataFrame({"qid": list("123459"), "query": "lamp"})
    table, _ = pt.Experiment([retriever()], topics, PT_QRELS, [case.measure], perquery="both")
    return table.loc[0, str(case.measure)], case.plain()


def experiment_in_batches_not_filtered_by_topics(case, _folder):
    # what no batch has, PyTerrier evaluates with an empty run without any column of ours
    topics = TOPICS[TOPICS["qid"].isin(["1", "3"])]
    table = pt.Experiment([retriever()], topics, PT_QRELS, [case.measure], filter_by_topics=False, batch_size=1)
    return table.loc[0, str(case.measure)], case.plain(only(RUN, "1", "3"))


def experiment_reused_from_pickle(case, folder):
    average(case, save_dir=str(folder), save_format=pickle)
    return average(case, save_dir=str(folder), save_format=pickle, save_mode="reuse"), case.plain()


def evaluate(case, _folder):
    return pt.Evaluate(frame(RUN), PT_QRELS, [case.measure])[str(case.measure)], case.plain()


def grid_search(case, _folder):
    cutoff = pt.RankCutoff(5)
    value, _ = pt.GridSearch(
        retriever() >> cutoff, {cutoff: {"k": [1, 3]}}, TOPICS, PT_QRELS, case.measure, return_type="best_setting"
    )
    return value, max(case.plain(cut(RUN, 1)), case.plain(cut(RUN, 3)))


def values_of_some(queries):
    qrels, run = qrels_frame(only(QRELS, *queries)), run_frame(only(RUN, *queries))
    return [query_values(measure, qrels, run) for measure in MEASURES]


@cache
def values_from_spawned_process():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        halves = list(pool.map(values_of_some, ["12", "345"]))
    return {measure: [*first, *second] for measure, first, second in zip(MEASURES, *halves)}


def spawned_process(case, _folder):
    return mean(values_from_spawned_process()[case.measure]), case.plain()


CONTEXTS = [
    calc_aggregate,
    empty_run,
    experiment,
    experiment_with_queries_and_averages,
    experiment_in_batches_not_filtered_by_topics,
    experiment_reused_from_pickle,
    evaluate,
    grid_search,
    spawned_process,
]
# PyTerrier makes the topic's values NaN, and so any ordinary mean
CONTEXTS_WITH_NAN = [experiment_with_a_topic_without_qrels]

TRIED = [(context, case) for context in CONTEXTS for case in CASES]
TRIED += [(context, case) for context in CONTEXTS_WITH_NAN for case in CASES if case.pools]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("context", "case"), [pytest.param(*pair, id=f"{pair[0].__name__}-{pair[1].measure}") for pair in TRIED]
)
def test_a_measure_has_its_own_value_in_every_context(context, case, tmp_path):
    reported, expected = context(case, tmp_path)
    assert reported == pytest.approx(expected, abs=1e-12)


def test_the_data_tell_pooled_values_from_means_of_the_queries_values():
    assert all(case.pools is (case.plain() != pytest.approx(mean(case.of_each_query()))) for case in CASES)


@pytest.mark.parametrize("measure", [AP, *(case.measure for case in CASES if not case.pools)], ids=str)
def test_a_topic_without_qrels_makes_ordinary_means_nan_as_it_does_to_ir_measures_own(measure):
    # documented on the page on measures
    reported, _ = experiment_with_a_topic_without_qrels(Case(measure, len), None)
    assert math.isnan(reported)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.measure))
def test_queries_of_an_experiment_are_reported_with_their_own_value(case):
    table = pt.Experiment([retriever()], TOPICS, PT_QRELS, [case.measure], perquery=True)
    assert dict(zip(table["qid"], table["value"])) == pytest.approx(dict(zip("12345", case.of_each_query())))
