"""What all our measures share: frames in, a value for each query of the qrels out."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ir_measures import Metric
from ir_measures.measures.base import Agg, MeanAgg, Measure, ParamInfo

from ir_coliee.measures.counts import Counts, query_counts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    Integers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]


class Positive(ParamInfo):
    """A parameter above zero and at most ``most``; left out, it takes its default."""

    def __init__(self, *, most: float = math.inf, **about: Any) -> None:
        super().__init__(**about)
        self.most = most

    def validate(self, value: Any) -> bool:
        """Whether the value has the right type and is within the bounds."""
        return isinstance(value, self.dtype) and 0 < value <= self.most


REL = Positive(dtype=int, default=1, desc="a whole number from 1, the least relevance that counts as relevant")
CUTOFF = Positive(dtype=int, default=None, desc="a whole number from 1, how many items of each query count")
BETA = Positive(
    dtype=float,
    default=1.0,
    most=1e6,  # far beyond it, the square would be no number any more
    desc="a number above 0 and at most 1e6, how many times as much recall counts as precision",
)


def _plain(name: str, value: Any) -> Any:
    """numpy's numbers as Python's, and a beta as a float, so that equal measures have equal names."""
    if isinstance(value, bool):
        return value
    if name == "beta" and isinstance(value, numbers.Real):
        return _as_float(value)
    return int(value) if isinstance(value, numbers.Integral) else value


def _as_float(number: numbers.Real) -> float:
    try:
        return float(number)
    except OverflowError:  # an infinity is what the check then refuses
        return math.inf


class DeclaredMeasure(Measure):
    """Base of our measures: what the documentation says of a measure is declared on its class.

    ``FORMULA`` has Σ for the sum over the queries Q of the qrels; tp, returned and relevant are the counts of
    a query. ``UNDEFINED`` says what a zero denominator gives, ``SOURCE`` who defines the measure so.
    """

    PRETTY_NAME: str
    SHORT_DESC: str
    FORMULA: str
    UNDEFINED: str
    SOURCE: str
    RUN_INPUTS: tuple[str, ...]
    QREL_INPUTS: tuple[str, ...]
    SUPPORTED_PARAMS: Mapping[str, ParamInfo] = {}

    def __init__(self, **params: Any) -> None:
        if params.get("cutoff", 1) is None:  # no cut-off, said aloud
            del params["cutoff"]
        super().__init__(**{name: _plain(name, value) for name, value in params.items()})
        self.validate_params()

    def validate_params(self) -> None:
        """Raise `ValueError` for a parameter that is unknown or out of range."""
        for name, value in self.params.items():
            if name not in self.SUPPORTED_PARAMS:
                known = ", ".join(self.SUPPORTED_PARAMS) or "none"
                raise ValueError(f"{self.__name__} has no parameter {name!r}. It takes: {known}.")
            if isinstance(value, bool) or not self.SUPPORTED_PARAMS[name].validate(value):
                raise ValueError(f"{self.__name__}: {name}={value!r} is not {self.SUPPORTED_PARAMS[name].desc}.")

    def aggregator(self) -> Agg:
        """The mean over the queries of the qrels, or what their values pool to; 0 where there are none."""
        return MeanAgg(default=0.0)

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Called by ir_measures: a metric for every query of the qrels, also for unanswered ones."""
        raise NotImplementedError

    # pt.GridSearch looks results up under the measure's name
    def __eq__(self, other: object) -> bool:
        return repr(self) == (other if isinstance(other, str) else repr(other))

    def __hash__(self) -> int:
        return hash(repr(self))


class ColieeMeasure(DeclaredMeasure):
    """Base of the measures of sets. A subclass says how a query's counts become its value."""

    RUN_INPUTS = ("query_id", "doc_id", "score")
    QREL_INPUTS = ("query_id", "doc_id", "relevance")
    FIRST: int | None = None  # how many items of each query count where the user sets no cutoff
    SUPPORTED_PARAMS: Mapping[str, ParamInfo] = {"rel": REL, "cutoff": CUTOFF}

    @property
    def first(self) -> int | None:
        """How many items of each query count; None for all."""
        return self.params.get("cutoff") or self.FIRST

    def value(self, counts: Counts) -> float:
        """The value of one query."""
        raise NotImplementedError

    def aggregate(self, tp: Integers, returned: Integers, relevant: Integers) -> float:
        """The value of a whole run from the counts of its queries, an entry each; 0 where there are none."""
        values = [self.value(Counts(*counts)) for counts in zip(tp.tolist(), returned.tolist(), relevant.tolist())]
        return sum(values) / len(values) if values else 0.0

    def terms(self, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
        """The measure as a ratio of two sums over queries: the numerator and the denominator of each entry.

        The counts are arrays of one shape, the terms have it too. The value of any weighted set of queries is
        the weighted sum of the numerators over that of the denominators, 0 where the latter is 0. For a mean
        over queries that is the query's value over 1.
        """
        import numpy as np

        counts = zip(tp.ravel().tolist(), returned.ravel().tolist(), relevant.ravel().tolist())
        values = np.array([self.value(Counts(*triple)) for triple in counts], dtype=np.float64)
        return values.reshape(tp.shape), np.ones(tp.shape)

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """A metric for every query of the qrels."""
        for query_id, counts in query_counts(qrels, run, rel=self["rel"], cutoff=self.first):
            yield Metric(query_id=query_id, measure=self, value=self.value(counts))
