"""Frames of every kind that has a drawing, of any number of runs."""

import itertools

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame

_FRAMES = {}


def _kind(columns, title=""):
    """Register a function from runs and random numbers to rows."""

    def register(function):
        name = function.__name__.removeprefix("_")
        _FRAMES[name] = (function, columns.split(), title or name)
        return function

    return register


def example_frame(kind, runs=("bm25", "learned", "mine")):
    function, columns, title = _FRAMES[kind]
    frame = pd.DataFrame([*function([*runs], np.random.default_rng(0))], columns=columns)
    return AnalysisFrame.of(frame, kind=kind, title=title)


def kinds():
    return sorted(_FRAMES)


@_kind("run cutoff setting returned value point", "MicroF1 by cut-off")
def _cutoff_curve(runs, random):
    for run in runs:
        for rule, number in (("rank", 12), ("threshold", 9), ("ratio", 9)):
            for step, value in enumerate(random.uniform(0.1, 0.5, number)):
                best = "best" if (rule, step) == ("ratio", 3) else "grid"
                yield run, rule, step + 1.0, 1.5**step, value, best
        yield run, "", np.nan, 3.0, 0.3, "chosen"
        yield run, "", np.nan, 2.5, 0.6, "oracle"


@_kind("run depth recall")
def _recall_by_depth(runs, random):
    for run in runs:
        for depth, recall in zip((1, 2, 5, 10, 50, 200, 1000), np.sort(random.uniform(0, 1, 7))):
            yield run, depth, recall


@_kind("run precision recall value beta official")
def _precision_recall(runs, random):
    for name in [f"team run{number}" for number in range(20)]:
        yield name, random.uniform(0.1, 0.3), random.uniform(0.1, 0.4), 0.2, 1.0, True
    for run in runs:
        yield run, random.uniform(0.1, 0.3), random.uniform(0.1, 0.4), 0.2, 1.0, False


@_kind("run items num_queries")
def _answers_per_query(runs, random):
    for run in ["gold", *runs]:
        for items in range(9):
            yield run, items, int(random.integers(0, 40))


@_kind("run from_score to_score items predicted observed low high")
def _calibration(runs, random):
    for run in runs:
        for number in range(10):
            observed = random.uniform(0.1, 0.9)
            yield run, number / 10, number / 10 + 0.1, 20, number / 10 + 0.05, observed, observed - 0.1, observed + 0.1


@_kind("model feature family share")
def _importances(runs, random):
    for run in runs:
        for number, share in enumerate(random.dirichlet(np.ones(20))):
            yield run, f"bm25 of paragraph {number} against the whole decision", "text", share


@_kind("system measure value difference low high")
def _ablations(runs, random):
    for run in runs:
        for measure in ("MicroF1", "MicroP", "MicroR"):
            difference = random.normal(0, 0.03)
            yield f"without {run}", measure, 0.4, difference, difference - 0.02, difference + 0.02


@_kind("run step type name items share")
def _losses(runs, random):
    for run in runs:
        steps = [
            ("level", "gold", 859),
            ("loss", "not in the collection", 9),
            ("level", "reachable", 850),
            ("loss", "not among the candidates", 150),
            ("gain", "added by TwoStageFusionOfBothLanguages", 20),
            ("level", "candidates", 720),
            ("loss", "ranked below the cut-off", 320),
            ("level", "kept", 400),
        ]
        for number, (kind, name, items) in enumerate(steps):
            yield run, number, kind, name, items, items / 859


@_kind("run kind items share")
def _false_answers(runs, random):
    for run in runs:
        for kind in ("duplicate of a relevant item", "relevant to a near-duplicate query", "other"):
            yield run, kind, int(random.integers(1, 300)), 0.1


@_kind("property group run num_queries value low high difference p p_holm")
def _groups(runs, random):
    for name, group in [("year", "1990 to 2001"), ("year", "2002 to 2020"), ("mutatis mutandis", "yes")]:
        for run in runs:
            value = random.uniform(0.2, 0.6)
            yield name, group, run, 20, value, value - 0.1, value + 0.1, 0.1, 0.2, random.choice([0.01, 0.5])


@_kind("run property group cause num_queries relevant lost share share_of_others excess p p_holm")
def _losses_by_group(runs, random):
    for run in runs:
        for name, group in [("language", "French"), ("relevant_is_query", "yes")]:
            excess = float(random.uniform(1, 80))
            yield run, name, group, "not among the candidates", 20, 90, 74, 0.8, 0.1, excess, 0.001, 0.004


@_kind("answer relevant answered_by num_queries")
def _answered_by(runs, random):
    for answer in ("found", "complete", "exact"):
        for relevant in ("single", "multiple"):
            for runs_that_answer in ("no run", "some runs", "all runs"):
                yield answer, relevant, runs_that_answer, int(random.integers(0, 40))


@_kind("query_id relevant mean_value found complete exact run value")
def _hardest_queries(runs, random):
    for number, mean in enumerate(np.sort(random.uniform(0, 1, 60))):
        for run in runs:
            yield f"{900000 + number}", 2, mean, 1, 0, 0, run, random.uniform(0, 1)


@_kind("run_a run_b shared jaccard shared_hits shared_false kendall")
def _agreement(runs, random):
    return ((*pair, 5, random.uniform(), 3, 2, random.uniform(-1, 1)) for pair in itertools.combinations(runs, 2))


@_kind("property group num_queries unanswered share share_of_others excess p p_holm")
def _hard_for_all(runs, random):
    for name, group in [("language", "French"), ("relevant_items", "1 to 3")]:
        yield name, group, 20, 9, 0.45, 0.1, float(random.uniform(1, 9)), 0.01, 0.04


@_kind("property group run num_queries value interaction p p_holm")
def _interactions(runs, random):
    for name, group in [("language", "French"), ("mutatis_mutandis", "yes")]:
        for run in runs:
            yield name, group, run, 20, 0.4, float(random.normal(0, 0.1)), 0.01, 0.04
