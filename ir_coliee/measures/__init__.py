"""The organisers' measures, registered with ir_measures. They can be parsed by name and passed to `pt.Experiment`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ir_measures import Metric
from ir_measures import measures as _ir_measures
from ir_measures.measures.base import MeanAgg, Measure, ParamInfo

from ir_coliee.errors import ColieeWarning, MalformedRunError, printable, printable_list
from ir_coliee.measures.counts import Counts, PooledValue, query_counts, share

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.frames import Floats, Integers


# Base classes of the measures: declaration, parameters, and the interface of ir_measures.


class Positive(ParamInfo):
    """A positive parameter of a measure."""

    def validate(self, value: Any) -> bool:
        """Return whether a value has the right type and is in (0, 1e6]."""
        return isinstance(value, self.dtype) and 0 < value <= 1e6  # the square of a much larger beta overflows


REL = Positive(dtype=int, default=1, desc="an integer >= 1, the lowest relevance grade that counts as relevant")
CUTOFF = Positive(dtype=int, default=None, desc="an integer >= 1, the number of items per query that are evaluated")
BETA = Positive(dtype=float, default=1.0, desc="a number > 0 and <= 1e6, the weight of recall relative to precision")


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
        # Python's numbers in place of numpy's, and a float for beta, so that equal measures have equal names
        values = {name: value.item() if hasattr(value, "item") else value for name, value in params.items()}
        if type(values.get("beta")) is int:
            values["beta"] = float(values["beta"])
        super().__init__(**values)
        self.validate_params()

    def validate_params(self) -> None:
        """Raise `ValueError` if a parameter is unknown or out of range."""
        for name, value in self.params.items():
            if name not in self.SUPPORTED_PARAMS:
                known = ", ".join(self.SUPPORTED_PARAMS) or "none"
                raise ValueError(f"{self.__name__} has no parameter {name!r}. It takes: {known}.")
            if isinstance(value, bool) or not self.SUPPORTED_PARAMS[name].validate(value):
                raise ValueError(f"{self.__name__}: {name} must be {self.SUPPORTED_PARAMS[name].desc}; got {value!r}.")

    def aggregator(self) -> MeanAgg:
        """Return the aggregator of ir_measures; without queries its result is 0."""
        return MeanAgg(default=0.0)

    # pt.GridSearch looks up results by the name of the measure
    def __eq__(self, other: object) -> bool:
        return repr(self) == (other if isinstance(other, str) else repr(other))

    def __hash__(self) -> int:
        return hash(repr(self))


@dataclass(frozen=True)
class Ratio:
    """A ratio of counts.

    Attributes
    ----------
    name : str
        ``P``, ``R`` or ``F``.
    beta : float
        The beta of F.
    """

    name: str
    beta: float = 1.0

    def terms(self, tp: Any, returned: Any, relevant: Any) -> tuple[Any, Any]:
        """Return the numerator and the denominator for numbers or arrays of counts."""
        if self.name == "P":
            return tp, returned
        if self.name == "R":
            return tp, relevant
        weight = self.beta * self.beta
        return (1 + weight) * tp, weight * relevant + returned

    def __call__(self, tp: int, returned: int, relevant: int) -> float:
        """Return the value of the ratio, in [0, 1]; 0 if the denominator is 0."""
        return share(*self.terms(tp, returned, relevant))


class ColieeMeasure(DeclaredMeasure):
    """Base class of the set measures. A subclass defines the value of a query from its counts."""

    RUN_INPUTS = ("query_id", "doc_id", "score")
    QREL_INPUTS = ("query_id", "doc_id", "relevance")
    DEFAULT_CUTOFF: int | None = None  # the number of items per query that are evaluated if no cutoff is set
    SUPPORTED_PARAMS: Mapping[str, ParamInfo] = {"rel": REL, "cutoff": CUTOFF}

    RATIO: Ratio | None = None  # the ratio of a precision, a recall or an F with a fixed beta

    @property
    def ratio(self) -> Ratio:
        """The ratio of counts that the measure averages: by default F with the parameter ``beta``."""
        return self.RATIO or Ratio("F", self["beta"])

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
            The counts, in arrays with shapes that can be broadcast.

        Returns
        -------
        numerators, denominators : numpy.ndarray of float64
            Arrays of the broadcast shape.
        """
        import numpy as np
        import pandas as pd

        tp, returned, relevant = np.broadcast_arrays(tp, returned, relevant)
        bases = returned.max(initial=0) + 1, relevant.max(initial=0) + 1
        codes, distinct = pd.factorize(((tp * bases[0] + returned) * bases[1] + relevant).ravel())
        pairs, distinct_relevant = np.divmod(np.asarray(distinct), bases[1])
        counts = zip(*(each.tolist() for each in (*np.divmod(pairs, bases[0]), distinct_relevant)))
        values = np.array([self.value(Counts(*triple)) for triple in counts], dtype=np.float64)  # each triple once
        return values[codes].reshape(tp.shape), np.ones(tp.shape)

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Yield a metric for every query of the qrels."""
        for query_id, counts in query_counts(qrels, run, rel=self["rel"], cutoff=self.num_evaluated):
            yield Metric(query_id=query_id, measure=self, value=self.value(counts))


# Accuracy of answers, for tasks 4 and 5 and tort prediction. Labels are document ids, or values of a column.


_LABELS = (frozenset({"Y", "N"}), frozenset({"True", "False"}))


class _AnswerAccuracy(ColieeMeasure):
    """Share of questions whose first answer is correct; an unanswered question counts as wrong.

    The labels are document ids: Y and N, or True and False. The measure equals P@1.

    Examples
    --------
    >>> import ir_measures
    >>> qrels = {"R99-01-A": {"Y": 1}, "R99-01-I": {"N": 1}}
    >>> ir_measures.calc_aggregate([AnswerAccuracy], qrels, {"R99-01-A": {"Y": 0.8, "N": 0.2}})[AnswerAccuracy]
    0.5
    """

    __name__ = NAME = "AnswerAccuracy"
    PRETTY_NAME = "Answer Accuracy"
    SHORT_DESC = "Share of questions with a correct answer. The labels are document ids: Y and N, or True and False."
    FORMULA = "1/|Q| Σ [the first item is relevant]"
    UNDEFINED = "An unanswered question counts as wrong. Without questions the value is 0."
    SOURCE = "COLIEE evaluation page 2025: “the number of queries which were correctly confirmed” over that of all."
    SUPPORTED_PARAMS = {"rel": REL}
    DEFAULT_CUTOFF = 1

    def value(self, counts: Counts) -> float:
        return float(counts.tp)


def correct_answers(qrels: pd.DataFrame, run: pd.DataFrame) -> dict[str, bool]:
    """Return for each question of the qrels whether its answer is correct.

    A missing answer counts as wrong, and so does an answer that is not a label, with a warning.

    Parameters
    ----------
    qrels : pandas.DataFrame
        The columns query_id and gold_answer.
    run : pandas.DataFrame
        The columns query_id and qanswer.

    Returns
    -------
    dict of str to bool

    Raises
    ------
    MalformedRunError
        If a question has two different answers or no gold answer, or if a column is missing.
    """
    gold = _answers(qrels, "gold_answer", "The qrels")
    if unlabelled := [str(query_id) for query_id in qrels["query_id"].unique() if query_id not in gold]:
        raise MalformedRunError(f"The qrels lack a gold_answer for {printable_list(unlabelled)}. Remove them.")
    answers = _answers(run, "qanswer", "The run")
    # both labels, even if the gold of a few questions has only one of them
    labels = next((known for known in _LABELS if known.issuperset(gold.values())), {*gold.values()})
    if invalid := [str(query_id) for query_id in gold if query_id in answers and answers[query_id] not in labels]:
        expected = printable_list(sorted(labels))
        message = f"invalid answers, counted as wrong (expected one of {expected}): {printable_list(invalid)}"
        warnings.warn(message, ColieeWarning, stacklevel=3)
    return {query_id: answers.get(query_id) == label for query_id, label in gold.items()}


def _answers(frame: pd.DataFrame, column: str, name: str) -> dict[str, str]:
    """Return the answer of each query that has one."""
    if frame.empty:  # an empty run of pt.Experiment lacks this column
        return {}
    if column not in frame.columns:
        raise MalformedRunError(f"{name}: no column {column!r}. Add it, with the answer to the question of each row.")
    answered = frame.loc[frame[column].notna()]
    answers: dict[str, str] = {}
    for query_id, answer in zip(answered["query_id"], answered[column]):
        label = str(answer).strip()
        if label and answers.setdefault(query_id, label) != label:
            question = printable(str(query_id))
            raise MalformedRunError(f"{name}: two different values of {column} for {question}. Give one per question.")
    return answers


AnswerAccuracy = _AnswerAccuracy()


# Gated accuracy: a question counts if its answer is correct and all its gold articles are returned.


class _GatedAccuracy(DeclaredMeasure):
    """Share of questions with a correct answer and all gold articles returned.

    Each row of the run is an article of a question and has the answer to the question in ``qanswer``; each row of the
    qrels is a gold article and has the gold answer in ``gold_answer``. Questions without gold articles are excluded
    from the mean. A question for which no article is returned does not pass, even if its answer is correct. Answers
    are compared as by `correct_answers`.

    Examples
    --------
    >>> import ir_measures, pandas as pd
    >>> qrels = pd.DataFrame(
    ...     {"query_id": ["R99-01-A", "R99-01-I"], "doc_id": ["12", "15"], "relevance": 1, "gold_answer": ["Y", "N"]}
    ... )
    >>> run = pd.DataFrame(
    ...     {"query_id": ["R99-01-A", "R99-01-I"], "doc_id": ["12", "16"], "score": 1.0, "qanswer": ["Y", "N"]}
    ... )
    >>> ir_measures.calc_aggregate([GatedAccuracy], qrels, run)[GatedAccuracy]
    0.5
    """

    __name__ = NAME = "GatedAccuracy"
    PRETTY_NAME = "Gated Accuracy"
    SHORT_DESC = "Share of questions with a correct answer and all gold articles returned."
    FORMULA = "Σ [qanswer = gold_answer and tp = relevant] / |Q|, where Q is the set of questions with relevant > 0"
    UNDEFINED = (
        "A question without gold articles has the value 0 and is excluded from the mean. A question without an answer "
        "or without a returned article does not pass. Without questions the value is 0."
    )
    SOURCE = "COLIEE 2026, task 3: the share of correct answers with sufficient relevant articles (recall = 1)."
    RUN_INPUTS = ("query_id", "doc_id", "score", "qanswer")
    QREL_INPUTS = ("query_id", "doc_id", "relevance", "gold_answer")
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF}

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Yield a metric for every question of the qrels; an excluded question adds nothing to the mean."""
        is_correct = correct_answers(qrels, run)
        for query_id, counts in query_counts(qrels, run, rel=self["rel"], cutoff=self["cutoff"]):
            is_included = counts.relevant > 0  # without gold articles all would be returned, always
            passes = is_included and is_correct[query_id] and counts.tp == counts.relevant
            yield Metric(query_id=query_id, measure=self, value=PooledValue((float(passes), int(is_included)), share))


GatedAccuracy = _GatedAccuracy()


# Macro-averaged precision, recall and F: a value for each query, then the mean over all queries.


EMPTY = ParamInfo(
    dtype=int, choices=(0, 1), default=0, desc="0 or 1, the value of a query without relevant and returned items"
)


class _Macro(ColieeMeasure):
    SOURCE = "COLIEE evaluation pages 2024 and 2025, task 3; the COLIEE 2023 overview, Table 3."

    def value(self, counts: Counts) -> float:
        return self.ratio(*counts)


class _MacroP(_Macro):
    """Mean over queries of tp / returned; 0 for an unanswered query."""

    __name__ = NAME = "MacroP"
    PRETTY_NAME = "Macro-averaged Precision"
    SHORT_DESC = "Mean over queries of the share of returned items that are relevant."
    FORMULA = "1/|Q| Σ tp / returned"
    UNDEFINED = "An unanswered query has the value 0. Without queries the value is 0."
    RATIO = Ratio("P")


class _MacroR(_Macro):
    """Mean over queries of tp / relevant; 0 for a query without a relevant item."""

    __name__ = NAME = "MacroR"
    PRETTY_NAME = "Macro-averaged Recall"
    SHORT_DESC = "Mean over queries of the share of relevant items that are returned."
    FORMULA = "1/|Q| Σ tp / relevant"
    UNDEFINED = "A query without relevant items has the value 0. Without queries the value is 0."
    RATIO = Ratio("R")


class _MacroF2(_Macro):
    """Mean over queries of 5 tp / (4 relevant + returned); the official measure of task 3 until 2025.

    >>> import ir_measures
    >>> qrels = {"R99-01-A": {"12": 1}, "R99-01-I": {"15": 1, "16": 1}}
    >>> run = {"R99-01-A": {"12": 1.0}, "R99-01-I": {"15": 1.0}}
    >>> round(ir_measures.calc_aggregate([MacroF2], qrels, run)[MacroF2], 4)  # mean of 1 and 5/9
    0.7778
    """

    __name__ = NAME = "MacroF2"
    PRETTY_NAME = "Macro-averaged F2"
    SHORT_DESC = "Mean over queries of F2, which weights recall twice as much as precision."
    FORMULA = "1/|Q| Σ 5 tp / (4 relevant + returned)"
    UNDEFINED = "A query without relevant and returned items has the value 0. Without queries the value is 0."
    RATIO = Ratio("F", 2.0)


class _MacroF(_Macro):
    """Mean over queries of (1 + beta²) tp / (beta² relevant + returned).

    With beta = 1 it is the measure of the pilot's rationale extraction. For a query without relevant and returned items
    the ratio is 0/0; its value is ``empty``, 0 or 1. The organisers do not say which convention they use.

    >>> import ir_measures
    >>> qrels = {"900001": {"900001_p0": 0}, "900003": {"900003_p0": 1}}  # the one claim of 900001 is not accepted
    >>> run = {"900003": {"900003_p0": 1.0}}
    >>> [ir_measures.calc_aggregate([m], qrels, run)[m] for m in (MacroF(empty=e) for e in (0, 1))]
    [0.5, 1.0]
    """

    __name__ = NAME = "MacroF"
    PRETTY_NAME = "Macro-averaged F"
    SHORT_DESC = "Mean over queries of the weighted harmonic mean of precision and recall."
    FORMULA = "1/|Q| Σ (1 + beta²) tp / (beta² relevant + returned)"
    UNDEFINED = "A query without relevant and returned items has the value of the parameter empty. Without queries: 0."
    SOURCE = "COLIEE evaluation page 2025, rationale extraction (beta = 1). The page has no rule for empty instances."
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF, "beta": BETA, "empty": EMPTY}

    def value(self, counts: Counts) -> float:
        is_empty = counts.relevant == counts.returned == 0
        return float(self["empty"]) if is_empty else self.ratio(*counts)


MacroP = _MacroP()
MacroR = _MacroR()
MacroF2 = _MacroF2()
MacroF = _MacroF()


# Micro-averaged precision, recall and F: all (query, item) pairs of a run in one pool.


class MicroMeasure(ColieeMeasure):
    """Base class of the micro-averaged measures, whose numerator and denominator are linear in the counts."""

    SOURCE = "COLIEE evaluation page 2025: “we simply use micro-average”, over “the results of all queries”."

    def value(self, counts: Counts) -> PooledValue:
        """Return the value of a query, whose addition pools the counts."""
        return PooledValue(counts, self.ratio)

    def aggregate(self, tp: Integers, returned: Integers, relevant: Integers) -> float:
        """Return the ratio of the pooled counts."""
        return float(self.value(Counts(int(tp.sum()), int(returned.sum()), int(relevant.sum()))))

    def terms(self, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
        """Return the numerator and denominator of the ratio for each query."""
        import numpy as np

        return self.ratio.terms(*(counts.astype(float) for counts in np.broadcast_arrays(tp, returned, relevant)))


class _MicroP(MicroMeasure):
    """Share of all returned items that are relevant; 0 if nothing is returned.

    >>> import ir_measures
    >>> qrels = {"900001": {"900007": 1}, "900002": {"900008": 1, "900009": 1}}
    >>> run = {"900001": {"900007": 2.0, "900005": 1.0}, "900002": {"900008": 1.0}}
    >>> round(ir_measures.calc_aggregate([MicroP], qrels, run)[MicroP], 4)
    0.6667
    """

    __name__ = NAME = "MicroP"
    PRETTY_NAME = "Micro-averaged Precision"
    SHORT_DESC = "Share of the items returned for all queries that are relevant."
    FORMULA = "Σ tp / Σ returned"
    UNDEFINED = "0 if nothing is returned for any query."
    RATIO = Ratio("P")


class _MicroR(MicroMeasure):
    """Share of all relevant items that are returned; 0 if nothing is relevant."""

    __name__ = NAME = "MicroR"
    PRETTY_NAME = "Micro-averaged Recall"
    SHORT_DESC = "Share of the relevant items of all queries that are returned."
    FORMULA = "Σ tp / Σ relevant"
    UNDEFINED = "0 if no query has a relevant item."
    SOURCE = (
        f"{MicroMeasure.SOURCE} With a cut-off, it is R5, R10 and R30 of task 3. The values of the 2023 table are "
        "pooled, not means over questions: all are multiples of 1/130, and there are 130 relevant articles."
    )
    RATIO = Ratio("R")


class _MicroF1(MicroMeasure):
    """2 tp / (returned + relevant) over the pooled counts; the official measure of tasks 1 and 2.

    >>> import ir_measures
    >>> qrels = {"900001": {"900007": 1}, "900002": {"900008": 1, "900009": 1}}
    >>> run = {"900001": {"900007": 2.0, "900005": 1.0}, "900002": {"900008": 1.0}}
    >>> round(ir_measures.calc_aggregate([MicroF1], qrels, run)[MicroF1], 4)
    0.6667
    """

    __name__ = NAME = "MicroF1"
    PRETTY_NAME = "Micro-averaged F1"
    SHORT_DESC = "Harmonic mean of micro-averaged precision and recall."
    FORMULA = "2 Σ tp / (Σ returned + Σ relevant)"
    UNDEFINED = "0 if there are neither returned nor relevant items."
    RATIO = Ratio("F", 1.0)


class _MicroF(MicroMeasure):
    """(1 + beta²) tp / (beta² relevant + returned) over the pooled counts."""

    __name__ = NAME = "MicroF"
    PRETTY_NAME = "Micro-averaged F"
    SHORT_DESC = "Weighted harmonic mean of micro-averaged precision and recall."
    FORMULA = "(1 + beta²) Σ tp / (beta² Σ relevant + Σ returned)"
    UNDEFINED = "0 if there are neither returned nor relevant items."
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF, "beta": BETA}


MicroP = _MicroP()
MicroR = _MicroR()
MicroF1 = _MicroF1()
MicroF = _MicroF()

#: All measures, in the order of the documentation.
MEASURES: tuple[DeclaredMeasure, ...] = (
    *(MicroP, MicroR, MicroF1, MicroF),
    *(MacroP, MacroR, MacroF2, MacroF),
    *(AnswerAccuracy, GatedAccuracy),
)

for _measure in MEASURES:
    if _measure.NAME not in _ir_measures.registry:
        _ir_measures.register(_measure)
