"""Array types of the package, counts in their smallest integer type, ratios, and writing arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

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
    found: npt.NDArray[Real] = np.divide(values, divisors, out=np.zeros_like(values), where=divisors > 0)
    return found


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
