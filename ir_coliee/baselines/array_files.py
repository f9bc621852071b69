"""Files of arrays in the cache. Reading one runs no code of its author, and decompresses nothing."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ir_coliee.errors import MalformedFileError

T = TypeVar("T")

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


def read_arrays(path: Path, parse: Callable[[Arrays], T]) -> T:
    """Read a file that `numpy.savez` wrote.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    parse : callable
        Takes the arrays by name and returns their content; raises any exception for other arrays than were written.

    Returns
    -------
    object
        The content.

    Raises
    ------
    MalformedFileError
        If the file is damaged, or has other arrays.
    """
    try:
        if not path.is_file():
            raise FileNotFoundError  # opening a pipe would wait for its writer
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > path.stat().st_size:
                raise ValueError("members that are compressed")
            return parse({Path(name).stem: _array(archive, name) for name in archive.namelist()})
    except Exception as error:  # zipfile, numpy and pandas raise various errors for a damaged file
        problem = f"not a table of numbers and ids ({type(error).__name__})"
        raise MalformedFileError(path, None, problem, "the unchanged file") from None


def check_forms(arrays: Arrays, **forms: tuple[type[np.generic], tuple[int, ...]]) -> None:
    """Raise `ValueError` if the arrays do not have the given names, types and shapes.

    >>> check_forms({"scores": np.zeros(2)}, scores=(np.float64, (3,)))
    Traceback (most recent call last):
        ...
    ValueError: other arrays
    """
    if {name: (array.dtype.type, array.shape) for name, array in arrays.items()} != forms:
        raise ValueError("other arrays")


def _array(archive: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    with archive.open(name) as file:
        array: npt.NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        if file.read(1):  # the check sum is compared at the end of the file
            raise ValueError("bytes after the array")
        return array
