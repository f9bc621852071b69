"""The measures from their definitions, in exact fractions: a query is (tp, returned, relevant)."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from ir_coliee import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF, MicroF1, MicroP, MicroR
from ir_coliee.evaluation.statistics import RunCounts


def _share(split, whole):
    return Fraction(split) / Fraction(whole) if whole else Fraction(0)


def _f(beta, tp, returned, relevant):
    squared = Fraction(beta) ** 2
    return _share((1 + squared) * tp, squared * relevant + returned)


def _precision(tp, returned, _relevant):
    return _share(tp, returned)


def _recall(tp, _returned, relevant):
    return _share(tp, relevant)


def _pooled(of_counts):
    return lambda queries: of_counts(*map(sum, zip(*queries))) if queries else Fraction(0)


def _mean(of_counts):
    return lambda queries: _share(sum(of_counts(*query) for query in queries), len(queries))


PLAIN = {
    MicroP: _pooled(_precision),
    MicroR: _pooled(_recall),
    MicroF1: _pooled(lambda *counts: _f(1, *counts)),
    MicroF(beta=2.2): _pooled(lambda *counts: _f(2.2, *counts)),
    MacroP: _mean(_precision),
    MacroR: _mean(_recall),
    MacroF2: _mean(lambda *counts: _f(2, *counts)),
    MacroF: _mean(lambda *counts: _f(1, *counts)),
    MacroF(beta=0.5): _mean(lambda *counts: _f(0.5, *counts)),
    MacroF(empty=1): _mean(lambda tp, n, g: _f(1, tp, n, g) if n or g else Fraction(1)),
    AnswerAccuracy: _mean(lambda tp, _n, _g: Fraction(tp)),
}


def table_of(runs, measure):
    """A table from lists of (tp, returned, relevant) by name of the run."""
    queries = len(next(iter(runs.values())))
    array = np.array(list(runs.values()), dtype=np.int64).reshape(len(runs), queries, 3)
    ids = tuple(f"{900_001 + number}" for number in range(queries))
    tp, returned, relevant = np.moveaxis(array, 2, 0)
    answers = tuple(dict(zip(ids, own)) for own in runs.values())  # equal counts stand for equal answers
    return RunCounts(tuple(runs), ids, tp, returned, relevant, measure["rel"], measure.num_evaluated, answers)


@st.composite
def rival_runs(draw, names="ab", least=1, most=6):
    """For each name a list of (tp, returned, relevant), with the same relevant items per query."""
    relevant = draw(st.lists(st.integers(0, 3), min_size=least, max_size=most))

    def counts(gold):
        return st.integers(0, min(1, gold)).flatmap(
            lambda tp: st.tuples(st.just(tp), st.integers(tp, 3), st.just(gold))
        )

    return {name: [draw(counts(gold)) for gold in relevant] for name in names}
