"""Functions on frames of results and queries: sorting, encoding ids as integers, and checks of columns.

All other packages may import this module. It imports neither PyTerrier nor another package of ir_coliee, so scoring and
writing run files do not need PyTerrier.
"""

from __future__ import annotations

import math
import numbers
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.display import Block, displayed
from ir_coliee.errors import ColieeError, ColieeWarning, ExistingFileError, printable

# Checks of arguments, for constructors and functions of all packages.


T = TypeVar("T")
L = TypeVar("L", bound=str)
N = TypeVar("N", bound=float)


def integer_at_least(name: str, value: int, minimum: int) -> int:
    """Return ``value`` as an `int`; raise `ValueError` if it is not an integer or is below ``minimum``.

    >>> integer_at_least("k", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: k must be an integer >= 1, got 0.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < minimum:
        raise ValueError(f"{name} must be an integer >= {shown(minimum)}, got {shown(value)}.")
    return int(value)


def check_number(
    name: str, value: N, expected: str = "a finite number", is_valid: Callable[[float], bool] = math.isfinite
) -> N:
    """Return ``value``; raise `ValueError` if it is not a real number or not valid.

    Parameters
    ----------
    name : str
        The name of the argument.
    value : float
        Its value. A truth value is not a number.
    expected : str, default "a finite number"
        Description of a valid number, for the message.
    is_valid : callable, optional
        Function that decides whether a number is valid.

    Examples
    --------
    >>> check_number("ratio", "0.5", "a number in (0, 1]", lambda ratio: 0 < ratio <= 1)
    Traceback (most recent call last):
        ...
    ValueError: ratio must be a number in (0, 1], got '0.5'.
    """
    try:
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool) and is_valid(float(value))
    except OverflowError:  # an integer that no float can represent
        is_number = False
    if not is_number:
        raise ValueError(f"{name} must be {expected}, got {shown(value)}.")
    return value


def check_share(name: str, value: N) -> N:
    """Return ``value``; raise `ValueError` if it is not a number in (0, 1]."""
    return check_number(name, value, "a number in (0, 1]", lambda share: 0 < share <= 1)


def shown(value: object, longest: int = 50) -> str:
    """Return a value as messages show it: its repr on one line, in at most ``longest`` characters."""
    try:
        return printable(repr(value), longest)
    except ValueError:  # an integer of thousands of digits
        return f"a value of type {type(value).__name__}"


def one_of(name: str, value: T, choices: Sequence[object]) -> T:
    """Return ``value``; raise `ValueError` if it is not one of ``choices``.

    >>> one_of("language", "fr", ["en", "ja"])
    Traceback (most recent call last):
        ...
    ValueError: language must be 'en' or 'ja', got 'fr'.
    """
    if not any(isinstance(value, type(choice)) and value == choice for choice in choices):
        *others, last = map(repr, choices)
        expected = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must be {expected}, got {shown(value)}.")
    return value


def instance_of(name: str, value: T, kind: type[object], expected: str) -> T:
    """Return ``value``; raise `TypeError` if it is not an instance of ``kind``, which ``expected`` describes.

    >>> instance_of("index", "an id", dict, "a dict from document to topics")
    Traceback (most recent call last):
        ...
    TypeError: index must be a dict from document to topics, got a value of type str.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {expected}, got a value of type {type(value).__name__}.")
    return value


def new_folder(folder: str | os.PathLike[str]) -> str:
    """Return ``folder`` as a string; raise `ExistingFileError` if it exists."""
    if os.path.lexists(folder):
        raise ExistingFileError(f"{os.fspath(folder)} exists already. Give the name of a new folder, or delete it.")
    return os.fspath(folder)


def check_language(language: L) -> L:
    """Return ``language``; raise `ValueError` if it is neither ``en`` nor ``ja``."""
    return one_of("language", language, ("en", "ja"))


def check_checkpoint(model: str) -> str:
    """Return ``model``; raise `ValueError` if it can be neither the name nor the folder of a checkpoint."""
    if not (isinstance(model, (str, os.PathLike)) and str(model)):
        raise ValueError(f"model must be the name or the folder of a checkpoint, got {shown(model)}.")
    return model


# Array types of the package, counts in their smallest integer type, ratios, and writing arrays.


#: Scores, weights and lengths: 64-bit floating-point numbers.
Floats: TypeAlias = npt.NDArray[np.float64]
#: Positions, row numbers and counts: 64-bit integers.
Integers: TypeAlias = npt.NDArray[np.int64]
#: Token, term and document numbers that are stored in large quantity: 32-bit integers.
Numbers: TypeAlias = npt.NDArray[np.int32]
#: Hashes of tokens and shingles: 64-bit unsigned integers.
Hashes: TypeAlias = npt.NDArray[np.uint64]
Booleans: TypeAlias = npt.NDArray[np.bool_]

Real = TypeVar("Real", bound=np.floating[Any])


def compact_counts(counts: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.unsignedinteger[Any]]:
    """Non-negative counts in the smallest unsigned integer type that holds the largest of them.

    Nearly all term counts are below 256, and a collection has millions of them.

    Parameters
    ----------
    counts : integer array
        Counts of at least 0.

    Returns
    -------
    unsigned integer array
        The same values in 1, 2, 4 or 8 bytes each.

    Examples
    --------
    >>> compact_counts(np.array([3, 255])).dtype, compact_counts(np.array([256])).dtype
    (dtype('uint8'), dtype('uint16'))
    """
    return counts.astype(np.min_scalar_type(counts.max(initial=0)), copy=False)


def is_rising(numbers: npt.NDArray[Any]) -> bool:
    """Whether each number is larger than the one before it. Differences are not computed, because they can overflow.

    Examples
    --------
    >>> is_rising(np.array([1, 2, 5])), is_rising(np.array([2**62, -(2**62) - 2]))
    (True, False)
    """
    return bool((numbers[1:] > numbers[:-1]).all())


def ratios(values: npt.NDArray[Real], divisors: npt.NDArray[Real]) -> npt.NDArray[Real]:
    """Divide values, for example by the best one; the ratio to a divisor that is not positive is 0.

    Parameters
    ----------
    values, divisors : array of floating-point numbers
        Arrays of the same shape, or of shapes that can be broadcast to that of ``values``.

    Returns
    -------
    array
        The ratios, in the type and shape of ``values``.

    Examples
    --------
    >>> ratios(np.array([1.0, 3.0, 3.0]), np.array([2.0, 0.0, -1.0])).tolist()
    [0.5, 0.0, 0.0]
    """
    return np.divide(values, divisors, out=np.zeros_like(values), where=divisors > 0)


def save_array(path: Path, array: npt.NDArray[Any]) -> None:
    """Write an array in NumPy's file format, completely or with an error.

    On a full disk, `numpy.save` truncates small arrays without an error, because it leaves them in a buffer of C.

    Parameters
    ----------
    path : pathlib.Path
        The file to write.
    array : numpy.ndarray
        The array.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    contiguous = np.ascontiguousarray(array)
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(contiguous))
        file.write(contiguous.data)


# Functions on frames of results and queries: sorting, encoding ids as integers, and checks of columns.


_TABLE_SIZE = 2**26  # bytes; the maximum size of a table with one entry for each possible pair of query and item

# --- order -----------------------------------------------------------------------------------------


def sort_results(results: pd.DataFrame) -> pd.DataFrame:
    """Sort results by query and score, and number the ranks from 0.

    Queries keep the order in which they first appear. Within a query, results are sorted by score in descending
    order. Equal scores are sorted by ``rank`` where the frame has that column, otherwise by ``docno``. Missing
    scores (NaN) come last. Results without the column ``score`` are sets, as PyTerrier's ``|`` returns them: they are
    sorted by ``rank`` or keep the order of their rows.

    Parameters
    ----------
    results : pandas.DataFrame
        Has the columns ``qid``, ``score``, and ``rank`` or ``docno``.

    Returns
    -------
    pandas.DataFrame
        A new frame with the same columns and the column ``rank``, indexed from 0.

    Raises
    ------
    ColieeError
        If a row has no ``qid``, if scores are not numbers, if the values that break ties cannot be compared, or if
        a column occurs twice.

    Examples
    --------
    >>> results = pd.DataFrame({"qid": "1", "docno": ["b", "a", "c"], "score": [1.0, 1.0, 2.0]})
    >>> sort_results(results)[["docno", "rank"]].to_numpy().tolist()
    [['c', 0], ['a', 1], ['b', 2]]
    """
    check_unique_columns(results)
    if (missing := results["qid"].isna().to_numpy()).any():
        raise ColieeError(f"The results have no query id (qid) in row {missing.argmax()}. Read ids as strings.")
    queries = number_grouped_ids(results["qid"])[0]
    tie_breaker = "rank" if "rank" in results.columns else "docno"
    is_set = "score" not in results.columns
    try:
        keys = np.arange(len(results)) if is_set and tie_breaker == "docno" else results[tie_breaker].to_numpy()
        ties = pd.factorize(keys, sort=True)[0]
    except TypeError as error:
        raise ColieeError(f"The column {tie_breaker} cannot be sorted ({error}). Read ids as strings.") from None
    ties[ties < 0] = len(ties)  # missing values come last
    try:
        scores = np.zeros(len(results)) if is_set else results["score"].to_numpy(dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column score must be numbers. {error}") from None
    order = best_first(queries, scores, ties)
    return results.iloc[order].reset_index(drop=True).assign(rank=ranks_from_0(queries[order]))


def with_scores(results: pd.DataFrame) -> pd.DataFrame:
    """Return results with the column score; for sets, which have none, minus the rank in their order.

    >>> with_scores(pd.DataFrame({"qid": "1", "docno": ["b", "a"]}))["score"].tolist()
    [0.0, -1.0]
    """
    if "score" in results.columns:
        return results
    check_name_of_scores(results)
    ordered = sort_results(results)
    return ordered.assign(score=0.0 - ordered["rank"])


def check_name_of_scores(results: pd.DataFrame) -> None:
    """Raise `ColieeError` for results that are no set, although none of their columns is named score.

    >>> check_name_of_scores(pd.DataFrame({"qid": ["1"], "docno": ["b"], "Score": [0.5]}))
    Traceback (most recent call last):
    ir_coliee.errors.ColieeError: The results have a column 'Score' and none named 'score'. Rename it, or drop it.
    Help: https://ir-coliee.readthedocs.io/en/latest/troubleshooting.html#other-errors
    """
    for name in map(str, results.columns):
        if name != "score" and name.strip().lower() == "score" and "score" not in results.columns:
            raise ColieeError(f"The results have a column {name!r} and none named 'score'. Rename it, or drop it.")


def best_results(results: pd.DataFrame, num_results: int) -> pd.DataFrame:
    """Sort results as `sort_results` does, and keep the first ``num_results`` of each query.

    >>> results = pd.DataFrame({"qid": "1", "docno": ["b", "a", "c"], "score": [1.0, 1.0, 2.0]})
    >>> best_results(results, 2)["docno"].tolist()
    ['c', 'a']
    """
    ordered = sort_results(results)
    return ordered[ordered["rank"] < num_results].reset_index(drop=True)


def best_first(queries: Integers, scores: Floats, ties: Integers | Floats) -> Integers:
    """Return the stable order of rows by query, then score descending (NaN last), then ``ties`` ascending."""
    order = np.argsort(_compact(ties), kind="stable")
    for key in (-scores, _compact(queries)):  # faster than np.lexsort of all keys
        order = order[np.argsort(key[order], kind="stable")]
    return order


def _compact(key: Integers | Floats) -> npt.NDArray[Any]:
    """Convert small non-negative integers to 16 bits, which numpy sorts in linear time."""
    return key.astype(np.uint16) if key.dtype == np.int64 and key.max(initial=0) < 2**16 else key


def ranks_from_0(queries: Integers) -> Integers:
    """Return the rank of each row within its query. ``queries`` are the encoded query ids, in ascending order.

    >>> ranks_from_0(np.array([0, 0, 1, 1, 1])).tolist()
    [0, 1, 0, 1, 2]
    """
    starts = np.concatenate([[0], np.bincount(queries).cumsum()])
    return np.asarray(np.arange(len(queries)) - starts[queries])


# --- rows that share their texts -------------------------------------------------------------------


def share_strings(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert string columns to object columns, whose values are shared when rows are repeated or merged.

    The pyarrow strings of pandas 3 would be copied instead, for example the text of a decision for each result.
    """
    strings = [name for name, column in frame.items() if isinstance(column.dtype, pd.StringDtype)]
    return frame.astype(dict.fromkeys(strings, object))


def take_rows(frame: pd.DataFrame, rows: Integers) -> pd.DataFrame:
    """Select rows by position, with repetitions, and reset the index. Repeated rows share their strings."""
    return share_strings(frame).iloc[rows].reset_index(drop=True)


# --- ids as integers -------------------------------------------------------------------------------


def number_ids(column: pd.Series[Any]) -> tuple[Integers, pd.Index[Any]]:
    """Encode the ids of a column as integers from 0, in the order in which they first appear.

    Parameters
    ----------
    column : pandas.Series
        Ids of any hashable type. Missing values are treated as one id.

    Returns
    -------
    numbers : numpy.ndarray of int64
        The integer of each row.
    ids : pandas.Index of object
        The id for each integer.

    Raises
    ------
    ColieeError
        If a value cannot be hashed.

    Examples
    --------
    >>> numbers, ids = number_ids(pd.Series(["b", "a", "b"]))
    >>> numbers.tolist(), ids.tolist()
    ([0, 1, 0], ['b', 'a'])
    """
    values = column.array if _is_encoded(column) else column.to_numpy(object)
    try:
        numbers, ids = pd.factorize(values)
    except TypeError as error:  # a value that cannot be hashed
        raise ColieeError(
            f"A value of the column {column.name} cannot be an id ({error}). Read ids as strings."
        ) from None
    if numbers.min(initial=0) < 0:  # checking for missing ids beforehand would take as long as factorizing
        numbers, ids = pd.factorize(values, use_na_sentinel=False)
    return numbers.astype(np.int64, copy=False), pd.Index(np.asarray(ids, dtype=object), dtype=object)


def number_pairs(one: pd.DataFrame, other: pd.DataFrame) -> tuple[Integers, Integers]:
    """Number the pairs of qid and docno of two frames, row by row: equal pairs have equal numbers.

    >>> first, second = pd.DataFrame({"qid": ["1"], "docno": ["a"]}), pd.DataFrame({"qid": "1", "docno": ["b", "a"]})
    >>> [numbers.tolist() for numbers in number_pairs(first, second)]
    [[0], [1, 0]]
    """
    columns = (pd.concat([one[name].astype(object), other[name].astype(object)]) for name in ("qid", "docno"))
    (queries, _), (items, names) = map(number_ids, columns)
    pairs = queries * len(names) + items
    return pairs[: len(one)], pairs[len(one) :]


def number_grouped_ids(column: pd.Series[Any]) -> tuple[Integers, pd.Index[Any]]:
    """Encode ids as `number_ids` does. This is faster if equal ids are adjacent, like the query ids of a run."""
    if _is_encoded(column) or column.empty:
        return number_ids(column)
    values = column.to_numpy(object)
    try:
        is_start = np.append(True, values[1:] != values[:-1])
    except TypeError:  # comparisons with pd.NA have no truth value
        return number_ids(column)
    starts = np.flatnonzero(is_start)
    numbers, ids = number_ids(column.iloc[starts])
    return np.repeat(numbers, np.diff(starts, append=len(values))), ids


def _is_encoded(column: pd.Series[Any]) -> bool:
    """Return whether pandas factorizes the column's own array faster than an array of strings."""
    return isinstance(column.dtype, pd.CategoricalDtype) or getattr(column.dtype, "storage", None) == "pyarrow"


def first_occurrences(pairs: Integers, number_of_pairs: int) -> npt.NDArray[np.bool_]:
    """Return for each pair whether it is the first occurrence.

    Parameters
    ----------
    pairs : numpy.ndarray of int64
        Pairs of query and item, each encoded as one integer in [0, ``number_of_pairs``).
    number_of_pairs : int
        The number of possible pairs.

    Returns
    -------
    numpy.ndarray of bool

    Examples
    --------
    >>> first_occurrences(np.array([3, 1, 3]), 4).tolist()
    [True, True, False]
    """
    if number_of_pairs <= _TABLE_SIZE:  # most runs have no repeated pair, which a table detects faster than hashing
        seen = np.zeros(number_of_pairs, dtype=np.bool_)
        seen[pairs] = True
        if np.count_nonzero(seen) == len(pairs):
            return np.ones(len(pairs), dtype=np.bool_)
    return ~pd.Series(pairs).duplicated().to_numpy()


# --- checks of columns -----------------------------------------------------------------------------


def check_is_frame(name: str, value: object, columns: str) -> None:
    """Raise `ColieeError` if an argument is not a data frame. ``columns`` says which columns it needs."""
    if not isinstance(value, pd.DataFrame):
        kind = type(value).__name__
        raise ColieeError(f"{name} must be a data frame, got a value of type {kind}.\nIt needs the columns {columns}.")


def check_unique_columns(frame: pd.DataFrame) -> None:
    """Raise `ColieeError` if two columns of a frame have the same name, or if columns have several levels of names."""
    if frame.columns.nlevels > 1:
        raise ColieeError("The columns of the frame have several levels of names. Give each column one name.")
    if (repeated := frame.columns.duplicated()).any():
        name = printable(str(frame.columns[repeated][0]))
        raise ColieeError(f"The column {name} occurs twice in the frame. Give each column once.")


def check_ids(frame: pd.DataFrame) -> None:
    """Raise `ColieeError` if an id in the columns ``qid`` and ``docno`` is missing or is not a string.

    Columns that the frame does not have are not checked. pandas would drop rows with a missing ``qid`` without a
    warning. A column that occurs twice is an error as well.
    """
    check_unique_columns(frame)
    for column in frame.columns.intersection(["qid", "docno"]):
        check_id_column(frame, column)


def check_id_column(frame: pd.DataFrame, column: str) -> None:
    """Raise `ColieeError` if an id in a column is missing or is not a string.

    The ids of datasets are strings, and no other value equals them.

    Examples
    --------
    >>> check_id_column(pd.DataFrame({"qid": [900656]}), "qid")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ir_coliee.errors.ColieeError: The qid 900656 is not a string.
    Read ids as strings, ...
    """
    ids = frame[column]
    if (missing := ids.isna().to_numpy()).any():
        kind = "query" if column == "qid" else "document"
        raise ColieeError(f"The {kind} in row {missing.argmax()} has no id ({column}). Read ids as strings.")
    distinct = ids.cat.categories if isinstance(ids.dtype, pd.CategoricalDtype) else ids
    if pd.api.types.infer_dtype(distinct, skipna=False) != "string":
        for value in ids:  # none in an empty frame
            if not isinstance(value, str):
                raise ColieeError(
                    f"The {column} {shown(value)} is not a string.\nRead ids as strings, in pandas with dtype=str."
                )


def text_values(frame: pd.DataFrame, column: str, *, by: str = "qid") -> list[str]:
    """Return the texts of a column. Missing values become empty strings.

    Raises `ColieeError`, which names the query or the document by its id, for a value that is neither a string nor
    missing.
    """
    values = frame[column].astype(object).where(frame[column].notna(), "").tolist()
    check_types(frame, column, values, str, "a string", by=by)
    return values


def check_types(
    frame: pd.DataFrame, column: str, values: Iterable[object], kind: type, expected: str, *, by: str = "qid"
) -> None:
    """Raise `ColieeError`, which names the query or the document by its id, for a value of another type."""
    for row_id, value in zip(frame[by], values):
        if not isinstance(value, kind):
            name = f"{'Query' if by == 'qid' else 'Document'} {printable(str(row_id))}"
            raise ColieeError(f"{name}: {column} must be {expected}, got a value of type {type(value).__name__}.")


def places_of(ids: Iterable[object], known: pd.Index[Any], problem: str) -> Integers:
    """Return the place of each id among known ones; raise `ColieeError` with ``problem`` and the id that is not there.

    >>> places_of(["b", "a", "b"], pd.Index(["a", "b"]), "No document {}.").tolist()
    [1, 0, 1]
    """
    wanted = pd.Index([*ids], dtype=object)
    places = known.get_indexer(wanted)
    if (unknown := places < 0).any():
        raise ColieeError(problem.format(printable(str(wanted[unknown][0]))))
    return np.asarray(places, dtype=np.int64)


def warn_if_nothing_matches(run: pd.DataFrame, qrels: pd.DataFrame, columns: Sequence[str], *, stacklevel: int) -> None:
    """Warn if every figure would be 0: if the qrels are empty, or if only the run or only the qrels have string ids.

    Parameters
    ----------
    run, qrels : pandas.DataFrame
        Frames with the ``columns``.
    columns : sequence of str
        The id columns to compare. An integer never equals a string.
    stacklevel : int
        As in `warnings.warn`, relative to the caller of this function.
    """
    if qrels.empty:
        message = "the qrels are empty: there is no query to score, and means and totals are 0"
        warnings.warn(message, ColieeWarning, stacklevel=stacklevel + 1)
    for column in columns if len(run) and len(qrels) else ():
        of_run, of_qrels = run[column].iloc[0], qrels[column].iloc[0]
        if isinstance(of_run, str) != isinstance(of_qrels, str):
            message = f"the {column}s of the run are like {of_run!r}, those of the qrels like {of_qrels!r}: no match"
            warnings.warn(message, ColieeWarning, stacklevel=stacklevel + 1)


# The base class of frames that are results: Python and notebooks show them completely.


@displayed
class ShownFrame(pd.DataFrame):
    """A `pandas.DataFrame` that is shown by its method ``display``. Every operation on it returns a plain frame."""

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def display(self) -> Iterable[Block]:
        """Return the frame and what is needed to read it, as `ir_coliee.display` shows them."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(self)
