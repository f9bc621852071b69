"""Measure how fast a run is scored through ir_measures, beside its own set measures and other programs."""

from __future__ import annotations

from collections.abc import Iterator

import ir_measures
import pandas as pd
import pytrec_eval
from ir_measures import SetF
from side_by_side import Row, Task, beside
from synthetic_runs import Gold, Run, as_dicts, micro_f1_in_python, run_and_qrels

from ir_coliee import MicroF1
from ir_coliee.evaluation.statistics import count_runs

_NAMES = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}


def rows() -> Iterator[Row]:
    """Time the computation of micro F1 of one run."""
    run, qrels = (frame.rename(columns=_NAMES) for frame in run_and_qrels(0))
    as_dict, gold = as_dicts(*run_and_qrels(0))
    plain = micro_f1_in_python(as_dict, gold)
    for given in ((qrels, run), (gold, as_dict)):
        assert abs(ir_measures.calc_aggregate([MicroF1], *given)[MicroF1] - plain) <= 1e-12

    def by_ir_measures(measure: ir_measures.Measure, *given: object) -> Task:
        return lambda: ir_measures.calc_aggregate([measure], *given)

    frames, dicts = by_ir_measures(MicroF1, qrels, run), by_ir_measures(MicroF1, gold, as_dict)
    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"set_F"})
    whole = "MicroF1 by calc_aggregate, frames"
    yield beside(whole, frames, "ir_measures SetF, frames", by_ir_measures(SetF, qrels, run), bound=1)
    yield beside(whole, frames, "pytrec_eval set_F, dicts", lambda: evaluator.evaluate(as_dict))
    yield beside(whole, frames, "plain Python, dicts", lambda: micro_f1_in_python(as_dict, gold))
    if ranx := _by_ranx(as_dict, gold):
        yield beside(whole, frames, "ranx f1, its own objects", ranx)
    at_5 = by_ir_measures(MicroF1 @ 5, qrels, run)
    yield beside("MicroF1@5 by calc_aggregate, frames", at_5, "ir_measures P@5, frames", _p_at_5(qrels, run))
    yield beside(
        "MicroF1 by calc_aggregate, dicts", dicts, "ir_measures SetF, dicts", by_ir_measures(SetF, gold, as_dict)
    )
    yield beside(
        "  of it the conversion to a frame by ir_measures",
        lambda: ir_measures.util.RunConverter(as_dict).as_pd_dataframe(),
        "all of it",
        dicts,
    )
    table = count_runs({"a": as_dict}, gold, MicroF1)
    assert abs(MicroF1.aggregate(table.tp[0], table.returned[0], table.relevant[0]) - plain) <= 1e-12
    yield beside(
        "MicroF1's counts by count_runs, dicts",
        lambda: count_runs({"a": as_dict}, gold, MicroF1),
        "ir_measures SetF, dicts",
        by_ir_measures(SetF, gold, as_dict),
    )


def _p_at_5(qrels: pd.DataFrame, run: pd.DataFrame) -> Task:
    return lambda: ir_measures.calc_aggregate([ir_measures.P @ 5], qrels, run)


def _by_ranx(run: Run, gold: Gold) -> Task | None:
    """Return the evaluation by ranx on its own objects, already compiled."""
    try:
        import ranx
    except ImportError as error:  # it requires pandas 2
        print(f"ranx is left out: {error}")
        return None
    qrels, ranked = ranx.Qrels(gold), ranx.Run({query: run[query] for query in gold})
    ranx.evaluate(qrels, ranked, "f1")
    return lambda: ranx.evaluate(qrels, ranked, "f1")
