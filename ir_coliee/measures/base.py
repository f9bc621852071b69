"""Base classes of the measures: declaration, parameters, and the interface of ir_measures."""

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
    """A positive parameter of a measure.

    Parameters
    ----------
    maximum : float, optional
        The largest value that is allowed.
    **info
        Arguments of `ir_measures.measures.base.ParamInfo`.
    """

    def __init__(self, *, maximum: float = math.inf, **info: Any) -> None:
        super().__init__(**info)
        self.maximum = maximum

    def validate(self, value: Any) -> bool:
        """Return whether a value has the right type and is within the bounds."""
        return isinstance(value, self.dtype) and 0 < value <= self.maximum


REL = Positive(dtype=int, default=1, desc="an integer >= 1, the lowest relevance grade that counts as relevant")
CUTOFF = Positive(dtype=int, default=None, desc="an integer >= 1, the number of items per query that are evaluated")
BETA = Positive(
    dtype=float,
    default=1.0,
    maximum=1e6,  # the square of much larger values overflows
    desc="a number > 0 and <= 1e6, the weight of recall relative to precision",
)


def _to_python(name: str, value: Any) -> Any:
    """Convert numpy numbers to Python numbers, and beta to float, so that equal measures have equal names."""
    if isinstance(value, bool):
        return value
    if name == "beta" and isinstance(value, numbers.Real):
        return _as_float(value)
    return int(value) if isinstance(value, numbers.Integral) else value


def _as_float(number: numbers.Real) -> float:
    try:
        return float(number)
    except OverflowError:  # the validation then rejects infinity
        return math.inf


class DeclaredMeasure(Measure):
    """Base class of the measures. Each measure declares its documentation in class attributes.

    Attributes
    ----------
    PRETTY_NAME, SHORT_DESC : str
        Title and one-sentence description.
    FORMULA : str
        The definition. Σ is the sum over the queries Q of the qrels; tp, returned and relevant are the counts of a
        query.
    UNDEFINED : str
        The value if a denominator is zero.
    SOURCE : str
        Where the measure is defined.
    RUN_INPUTS, QREL_INPUTS : tuple of str
        The columns of the run and of the qrels that the measure reads.
    SUPPORTED_PARAMS : mapping of str to ParamInfo
        The parameters.
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
        if params.get("cutoff", 1) is None:  # an explicit None means no cut-off
            del params["cutoff"]
        super().__init__(**{name: _to_python(name, value) for name, value in params.items()})
        self.validate_params()

    def validate_params(self) -> None:
        """Raise `ValueError` if a parameter is unknown or out of range."""
        for name, value in self.params.items():
            if name not in self.SUPPORTED_PARAMS:
                known = ", ".join(self.SUPPORTED_PARAMS) or "none"
                raise ValueError(f"{self.__name__} has no parameter {name!r}. It takes: {known}.")
            if isinstance(value, bool) or not self.SUPPORTED_PARAMS[name].validate(value):
                raise ValueError(f"{self.__name__}: {name} must be {self.SUPPORTED_PARAMS[name].desc}; got {value!r}.")

    def aggregator(self) -> Agg:
        """Return the aggregator of ir_measures; without queries its result is 0."""
        return MeanAgg(default=0.0)

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Yield a metric for every query of the qrels, answered or not; ir_measures calls this."""
        raise NotImplementedError

    # pt.GridSearch looks up results by the name of the measure
    def __eq__(self, other: object) -> bool:
        return repr(self) == (other if isinstance(other, str) else repr(other))

    def __hash__(self) -> int:
        return hash(repr(self))


class ColieeMeasure(DeclaredMeasure):
    """Base class of the set measures. A subclass defines the value of a query from its counts."""

    RUN_INPUTS = ("query_id", "doc_id", "score")
    QREL_INPUTS = ("query_id", "doc_id", "relevance")
    DEFAULT_CUTOFF: int | None = None  # the number of items per query that are evaluated if no cutoff is set
    SUPPORTED_PARAMS: Mapping[str, ParamInfo] = {"rel": REL, "cutoff": CUTOFF}

    @property
    def num_evaluated(self) -> int | None:
        """The number of items per query that are evaluated; None for all."""
        return self.params.get("cutoff") or self.DEFAULT_CUTOFF

    def value(self, counts: Counts) -> float:
        """Return the value of a query."""
        raise NotImplementedError

    def aggregate(self, tp: Integers, returned: Integers, relevant: Integers) -> float:
        """Return the value of a run from arrays with the counts of its queries; 0 without queries."""
        values = [self.value(Counts(*counts)) for counts in zip(tp.tolist(), returned.tolist(), relevant.tolist())]
        return sum(values) / len(values) if values else 0.0

    def terms(self, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
        """Return the numerator and the denominator of each query. The measure is the ratio of their sums.

        For any weights of the queries, the value is the weighted sum of the numerators divided by the weighted sum of
        the denominators, or 0 if the latter is 0. For a mean over queries, the numerator is the value of the query and
        the denominator is 1.

        Parameters
        ----------
        tp, returned, relevant : numpy.ndarray of int64
            The counts, in arrays of the same shape.

        Returns
        -------
        numerators, denominators : numpy.ndarray of float64
            Arrays of that shape.
        """
        import numpy as np

        counts = zip(tp.ravel().tolist(), returned.ravel().tolist(), relevant.ravel().tolist())
        values = np.array([self.value(Counts(*triple)) for triple in counts], dtype=np.float64)
        return values.reshape(tp.shape), np.ones(tp.shape)

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Yield a metric for every query of the qrels."""
        for query_id, counts in query_counts(qrels, run, rel=self["rel"], cutoff=self.num_evaluated):
            yield Metric(query_id=query_id, measure=self, value=self.value(counts))
