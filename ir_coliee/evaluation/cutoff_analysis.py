"""Whether ranking or cutting loses more: the best cut that a ranking allows, and what no cut can find.

Beside the value of the best rule (`ir_coliee.evaluation.cutoff_search`) stand that of the `oracle`, which cuts
each query where its labels say, and the `attainable_recall`. From the rule to the oracle the cut loses; from
the oracle to 1 the ranking does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_coliee.arguments import integer_at_least
from ir_coliee.evaluation.encoded_run import encode
from ir_coliee.evaluation.measure_ratios import quotient, ratio_terms_at_each_depth, require_set_measure
from ir_coliee.measures import MacroR, MicroR
from ir_coliee.measures.base import ColieeMeasure

if TYPE_CHECKING:
    import pandas as pd


class Oracle(NamedTuple):
    """The best value that any cut of a ranking reaches, and how many items it keeps of each query, by query id."""

    value: float
    sizes: pd.Series[int]


def oracle(run: pd.DataFrame, qrels: pd.DataFrame, measure: ColieeMeasure) -> Oracle:
    """The highest value where each query keeps as many of its first items as it likes, none to all.

    ``run`` and ``qrels`` as in `ir_coliee.evaluation.encoded_run.encode`. For a mean over queries each query is cut
    where its own value is highest, at the first such place. A micro measure is the ratio of two sums over all
    queries, so that the best cut of one query depends on the others; the joint maximum is found exactly by
    Dinkelbach's method: where a value v is reached, each query takes the cut with the highest numerator - v *
    denominator, which raises v until none is better. The oracle of a precision returns next to nothing, that of a
    recall all that it needs: it is F that tells ranking from cutting. Raises `ValueError` for a measure that
    has a cut-off of its own.
    Source: W. Dinkelbach, On nonlinear fractional programming, Management Science 13 (1967).

    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": list("abc"), "score": [2.0, 1.0, 3.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> best = oracle(run, qrels, MicroF1)  # 1 hit, 2 returned, 2 relevant
    >>> best.value, best.sizes.to_dict()
    (0.5, {'1': 2, '2': 0})
    """
    import pandas as pd

    require_set_measure(measure)
    encoded = encode(run, qrels, rel=measure["rel"])
    numerators, denominators = ratio_terms_at_each_depth(encoded, measure)
    queries = np.arange(len(encoded.queries))
    value, sizes = -1.0, np.zeros(len(queries), dtype=np.int64)
    reached, cut = 0.0, sizes
    while reached > value:
        value, sizes = reached, cut
        cut = (numerators - value * denominators).argmax(axis=1)
        sums = (terms[queries, cut].sum(keepdims=True) for terms in (numerators, denominators))
        reached = float(quotient(*sums)[0])
    return Oracle(value, pd.Series(sizes, index=encoded.queries, name="kept"))


def attainable_recall(
    run: pd.DataFrame, qrels: pd.DataFrame, depths: Iterable[int] = (1, 2, 3, 5, 10, 20, 50, 100, 1000), *, rel: int = 1
) -> pd.DataFrame:
    """The recall that no cut at a depth exceeds: that of keeping all items down to there.

    A frame with a row for each of ``depths`` (from 1, also beyond the run's): ``depth``; ``tp``, how many relevant
    items stand above it; ``MicroR``, their share of all; ``MacroR``, the mean of the queries' shares. Unanswered
    queries count. Raises `ValueError` for a depth below 1.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": list("abc"), "score": [2.0, 1.0, 3.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> attainable_recall(run, qrels, [1, 2]).MicroR.tolist()
    [0.0, 0.5]
    """
    import pandas as pd

    encoded = encode(run, qrels, rel=rel)
    wanted = [integer_at_least("depth", depth, 1) for depth in depths]
    columns = np.minimum(np.array(wanted, dtype=np.int64), encoded.depth)
    table = {"depth": wanted, "tp": encoded.hits.sum(axis=0)[columns]}
    for measure in (MicroR, MacroR):
        numerators, denominators = ratio_terms_at_each_depth(encoded, measure)
        table[str(measure)] = quotient(numerators.sum(axis=0), denominators.sum(axis=0))[columns]
    return pd.DataFrame(table)


def answers_per_query(splits: Mapping[str, tuple[pd.DataFrame, pd.DataFrame | None]], *, rel: int = 1) -> pd.DataFrame:
    """How many items a query has, gold and returned, split beside split.

    A cut-off carries over only as far as these do: in 2023 the mean of noticed cases fell from 4.67 on train to 2.69
    on test. ``splits`` maps a name, train say, to the answers, cut already, and the qrels, None where there are none
    yet. A frame with two rows for each split, gold and returned (the one alone without qrels): ``split``, ``items``,
    ``queries`` (how many), ``mean``, ``sd`` (of these very queries), ``least``, ``median``, ``most``. Queries of the
    qrels without an answer count with 0 returned, answers to other queries do not count; without qrels the queries are
    those that are answered. An item counts once.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> answers_per_query({"train": (run, qrels)})[["items", "queries", "mean", "most"]].to_dict("split")["data"]
    [['gold', 2, 1.0, 1], ['returned', 2, 1.0, 2]]
    """
    import pandas as pd

    rows = []
    for split, (answers, qrels) in splits.items():
        encoded = encode(answers, answers.assign(label=0) if qrels is None else qrels, rel=rel)
        returned = {"returned": encoded.lengths}
        for items, counts in (returned if qrels is None else {"gold": encoded.relevant, **returned}).items():
            c = pd.Series(counts)
            rows.append((split, items, len(c), c.mean(), c.std(ddof=0), c.min(), c.median(), c.max()))
    return pd.DataFrame(rows, columns=["split", "items", "queries", "mean", "sd", "least", "median", "most"])
