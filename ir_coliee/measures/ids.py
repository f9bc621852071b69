"""Ids of queries and documents as whole numbers: counting and encoding then handle no strings."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir_coliee.errors import ColieeWarning

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    Numbers = npt.NDArray[np.int64]

_TABLE = 2**26  # bytes of a table with an entry for each query and item


def numbered(column: pd.Series[Any]) -> tuple[Numbers, pd.Index[Any]]:
    """The number of each row's id, counted from 0 in order of appearance, and the ids. A missing id is one of them.

    >>> import pandas as pd
    >>> numbers, ids = numbered(pd.Series(["b", "a", "b"]))
    >>> numbers.tolist(), ids.tolist()
    ([0, 1, 0], ['b', 'a'])
    """
    import numpy as np
    import pandas as pd

    values = column.array if _is_encoded(column) else column.to_numpy(object)
    numbers, ids = pd.factorize(values)
    if numbers.min(initial=0) < 0:  # looking for missing ids beforehand would take as long as numbering
        numbers, ids = pd.factorize(values, use_na_sentinel=False)
    return numbers.astype(np.int64, copy=False), pd.Index(np.asarray(ids, dtype=object), dtype=object)


def numbered_in_blocks(column: pd.Series[Any]) -> tuple[Numbers, pd.Index[Any]]:
    """`numbered`, quicker where equal ids follow each other, as the query ids of a run do."""
    import numpy as np

    if _is_encoded(column) or column.empty:
        return numbered(column)
    values = column.to_numpy(object)
    try:
        begins = np.append(True, values[1:] != values[:-1])
    except TypeError:  # pd.NA, of which it cannot be said whether it equals another
        return numbered(column)
    starts = np.flatnonzero(begins)
    numbers, ids = numbered(column.iloc[starts])
    return np.repeat(numbers, np.diff(starts, append=len(values))), ids


def _is_encoded(column: pd.Series[Any]) -> bool:
    """Whether pandas numbers the values quicker than the strings that could be made of them."""
    import pandas as pd

    return isinstance(column.dtype, pd.CategoricalDtype) or getattr(column.dtype, "storage", None) == "pyarrow"


def first_of_each(pairs: Numbers, possible: int) -> npt.NDArray[np.bool_]:
    """Whether a pair, a number below ``possible``, has not come before.

    >>> import numpy as np
    >>> first_of_each(np.array([3, 1, 3]), 4).tolist()
    [True, True, False]
    """
    import numpy as np
    import pandas as pd

    if possible <= _TABLE:  # that none is repeated, which is the rule, a table shows quicker than hashing
        seen = np.zeros(possible, dtype=np.bool_)
        seen[pairs] = True
        if np.count_nonzero(seen) == len(pairs):
            return np.ones(len(pairs), dtype=np.bool_)
    repeated: npt.NDArray[np.bool_] = pd.Series(pairs).duplicated().to_numpy()
    return ~repeated


def warn_of_no_match(run: pd.DataFrame, qrels: pd.DataFrame, columns: Sequence[str], *, stacklevel: int) -> None:
    """Warn where the figures would be 0 without a word: without qrels, and where ids of one side alone are strings.

    A number equals no zero-padded string. ``stacklevel`` as of `warnings.warn`, counted from the caller.
    """
    if qrels.empty:
        message = "the qrels are empty: there is no query to score, and means and totals are 0"
        warnings.warn(message, ColieeWarning, stacklevel=stacklevel + 1)
    for column in columns:
        if len(run) and len(qrels):
            given, wanted = run[column].iloc[0], qrels[column].iloc[0]
            if isinstance(given, str) != isinstance(wanted, str):
                message = f"the {column}s of the run are like {given!r}, those of the qrels like {wanted!r}: no match"
                warnings.warn(message, ColieeWarning, stacklevel=stacklevel + 1)
