"""What the functions of the evaluation refuse, with a message that says what they need."""

import math
from dataclasses import replace
from functools import partial

import ir_measures
import numpy as np
import pandas as pd
import pytest
from samples import PREDICTION, TASK1, TASK2, TASK4

from ir_coliee import AnswerAccuracy, MicroF1, MicroP, compare, score
from ir_coliee.datasets.folds import exam_year
from ir_coliee.editions import split
from ir_coliee.errors import ColieeError, MalformedRunError
from ir_coliee.evaluation.cutoffs import cross_validate_cutoffs, encode_run, fit_cutoff, oracle, parse_cutoff
from ir_coliee.evaluation.fusion import search_weights
from ir_coliee.evaluation.leaderboards import find_leaderboards, leaderboard, place, round_half_up
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.statistics import count_runs, intervals
from ir_coliee.evaluation.tuning import load_ranking, tune
from ir_coliee.transformers import DropSelf, ThresholdCutoff, TopK

RUN = pd.DataFrame({"qid": ["900656"] * 2, "docno": ["900557", "900912"], "score": [2.0, 1.0]})
QRELS = pd.DataFrame({"qid": ["900656", "900795", "900608"], "docno": ["900557", "900754", "900593"], "label": 1})
SET = RUN.drop(columns="score")
NO_FRAMES = [None, [("900656", "900557", 1.0)], RUN["score"]]
COUNTS = count_runs({"mine": RUN}, QRELS, MicroF1)
KNOWN = r"(?m)Known leaderboards: task1 2021, task2 2021, .*, task4 2026\.$"


def each(call, values, error, message):
    """A row for each value that a call refuses."""
    return [(partial(call, value), error, message) for value in values]


def validate_three(**options):
    """Labels of three queries, and a run that answers all of them."""
    return cross_validate_cutoffs(QRELS, QRELS.drop(columns="label").assign(score=1.0), MicroF1, **options)


NO_CUTOFFS = [
    *("", "TopK", "TopK()", "TopK(0)", "TopK(-1)", "TopK(1.5)", "TopK(True)", "TopK('3')", "TopK(1j)", "TopK(*[1])"),
    *("TopK(**{'k': 1})", "TopK(1, 2)", "TopK(max_items=1)", "TopK(1)(2)", "TopK(len('a'))", "TopK(1) or 1"),
    *("cutoffs.TopK(1)", "Cutoff()", "Declared()", "__import__('os').getcwd()", "TopK(__import__('os').getpid())"),
    *("TopK(\0)", "RatioCutoff(2)", "RatioCutoff(0.5, 1)", "TopK(k=1, k=2)", "TopK(" + "(" * 180 + "1" + ")" * 10),
    *("(" * 5000 + ")" * 5000, "TopK(" + "9" * 100_000 + ")"),
]
NO_WEIGHTS = [], [(1.0,)], [(1.0, 0.0), (1.0, 0.0, 0.0)], [(np.nan, 1.0)], [(np.inf, 1.0)]
NO_FIGURES = 29.07, 1.00001, -0.01, math.nan, math.inf, -math.inf, 1e300
UNKNOWN = ("2022", "task1"), ("2023", "x"), ("",)
EXCLUDED = Scorer(replace(split("coliee/task3/sample/en/train"), excluded=("R98-99-A",)))


REFUSED = [
    # arguments of a wrong type
    *each(lambda run: fit_cutoff(QRELS, run, MicroF1, [TopK(1)]), NO_FRAMES, ColieeError, "must be a data frame"),
    *each(lambda run: score(TASK1, run), NO_FRAMES, MalformedRunError, "a data frame or a dict, got a value of type"),
    *each(lambda runs: compare(TASK1, runs), (None, RUN, "a.run"), TypeError, "runs must be a list of runs or a dict"),
    *each(lambda m: compare(TASK1, [RUN] * 2, measure=m), ("F1", 5), ValueError, "measure must be a set measure"),
    *each(
        lambda x: score(TASK1, {"900656": x}), (RUN, "900557", 5), MalformedRunError, "to query '900656' must be a list"
    ),
    (lambda: fit_cutoff(None, RUN, MicroF1, [TopK(1)]), ColieeError, "dataset of the type NoneType is not supported"),
    (lambda: fit_cutoff(QRELS, RUN, MicroF1, [5]), TypeError, "cutoffs must be cut-offs such as"),
    (lambda: fit_cutoff(QRELS, RUN), ValueError, "measure is missing"),
    (lambda: search_weights([RUN, None], QRELS, MicroF1), ColieeError, "must be a data frame"),
    (lambda: compare(TASK1, [TopK(2), TopK(5)]), MalformedRunError, r"^run 1: A run must be a path, .*type TopK"),
    (
        lambda: score(TASK1, DropSelf() >> TopK(1)),
        MalformedRunError,
        r"type Compose\.\n.* Of a transformer, pass the results",
    ),
    (lambda: score(TASK1, {"1": ["2"], "3": {"4": 0.5}}), MalformedRunError, "is not a finite 32-bit number"),
    (lambda: compare(TASK1, {"a": RUN, "b": RUN}, answers={"a": RUN}), ValueError, "for each run, got none for 'b'"),
    # runs that cannot be compared or scored beside
    (lambda: compare(TASK1, {"a": RUN, "bad": RUN.drop(columns="docno")}), MalformedRunError, "^bad: .*'docno'"),
    (lambda: compare(TASK1, {"a": RUN, "bad": RUN.astype({"qid": int})}), MalformedRunError, "^bad: .*not a string"),
    (lambda: compare(TASK1, {"a": RUN}), ColieeError, "two runs"),
    *each(lambda x: score(TASK1, RUN, **{x: RUN}), ("long_list", "answers"), ColieeError, "has no measure that uses"),
    # frames that lack a column, an id or a number
    *each(lambda name: encode_run(RUN.drop(columns=name), QRELS), ("qid", "docno"), ColieeError, "run has no column '"),
    *each(lambda name: encode_run(RUN, QRELS.drop(columns=name)), QRELS, ColieeError, "qrels has no column '"),
    (lambda: encode_run(RUN.assign(score="high"), QRELS), ColieeError, "'score' of the run must be numbers"),
    (lambda: encode_run(RUN, QRELS.assign(label="yes")), ColieeError, "'label' of the qrels must be numbers"),
    (lambda: encode_run(RUN.assign(qid=["1", None]), QRELS), ColieeError, "row 1"),
    (lambda: encode_run(RUN.assign(qid=["1", None]).astype({"qid": "category"}), QRELS), ColieeError, "row 1"),
    (lambda: encode_run(RUN, QRELS.assign(qid=["1", None, "3"])), ColieeError, "query id"),
    # what no cut-off or weights can be chosen by
    (lambda: fit_cutoff(QRELS, RUN, MicroF1, []), ValueError, r"cut-?off"),
    (lambda: fit_cutoff(QRELS, RUN, MicroP @ 1), ValueError, "MicroP@1"),
    (lambda: fit_cutoff(QRELS, SET, MicroF1, [TopK(1), ThresholdCutoff(2)]), ColieeError, "has no scores"),
    (lambda: fit_cutoff(QRELS, SET.assign(Score=1), MicroF1), ColieeError, "a column 'Score' and none named 'score'"),
    (lambda: fit_cutoff("coliee/task1/sample/train", SET.assign(Score=1.0)), ColieeError, "a column 'Score'"),
    (lambda: oracle(QRELS, RUN, ir_measures.AP), ValueError, "AP"),
    (lambda: cross_validate_cutoffs(QRELS, RUN, AnswerAccuracy), ValueError, "AnswerAccuracy"),
    (lambda: validate_three(groups=exam_year), ColieeError, "has no exam year"),
    (lambda: validate_three(groups={"900656": 0, "900608": 1}), KeyError, "900795"),
    (lambda: validate_three(groups=len), ValueError, "at least two groups"),
    *each(lambda folds: validate_three(folds=folds), (1, 4), ValueError, "integer from 2 to 3"),
    *each(parse_cutoff, NO_CUTOFFS, ColieeError, r"Use one of .*DynamicCutoff"),
    *each(parse_cutoff, ('TopK(float("nan"))', "TopK(one)"), ColieeError, r"is not a number(?!.*<ast)"),
    *each(lambda w: search_weights([RUN, RUN], QRELS, MicroF1, weights=w), NO_WEIGHTS, ValueError, "of 2 finite"),
    # what cannot be tuned
    (lambda: tune(TASK2, {"900656": {"900001": 1.0}}), MalformedRunError, "of the run's query ids are known"),
    (lambda: tune(TASK2, {}), MalformedRunError, "the run is empty"),
    (lambda: tune(TASK1, RUN, measure=MicroP @ 5), ValueError, "cannot choose a cut-off"),
    (lambda: tune(TASK1, RUN, measure=ir_measures.AP), ValueError, "measure must be a set measure"),
    *each(lambda task: tune(task, "none", measure=MicroF1), (TASK4, PREDICTION), ColieeError, "with the higher score"),
    (lambda: load_ranking(Scorer(TASK1), {"900656": {"900656": 1.0}}), MalformedRunError, "counts.\ndropped 1 answer"),
    (lambda: load_ranking(EXCLUDED, {"R98-99-A": {"1": 1.0}}), MalformedRunError, "counts.\nanswers to questions that"),
    # statistics and leaderboards
    *each(lambda n: intervals(MicroF1, COUNTS, resamples=n), (0, 2.5), ValueError, "resamples"),
    (lambda: COUNTS.terms(MicroF1 @ 2), ValueError, "MicroF1@2"),
    (lambda: COUNTS.terms(MicroF1(rel=2)), ValueError, r"MicroF1\(rel=2\)"),
    (lambda: COUNTS.terms(AnswerAccuracy), ValueError, "AnswerAccuracy"),
    *each(lambda value: round_half_up(value, 4), NO_FIGURES, ColieeError, r"Divide percentages by 100\."),
    *each(lambda value: place("task1", 2023, value), NO_FIGURES, ColieeError, "between 0 and 1"),
    *each(lambda words: find_leaderboards(*words), UNKNOWN, ColieeError, KNOWN),
    *each(lambda words: leaderboard(words[0], words[-1]), UNKNOWN, ColieeError, KNOWN),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_is_refused_is_refused_with_what_is_expected(call, error, message):
    with pytest.raises(error, match=message):
        call()
