"""Dense matrix products with the same bits on any number of cores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Context in which dense products, inverses and decompositions run on one thread.

    The order of additions in BLAS and LAPACK, and so the last bits of the result, depend on the number of threads.
    threadpoolctl, which sets it, is installed with scikit-learn (the extra ``learn``). Without it the number of threads
    stays as it is, and results may differ between machines by rounding errors.

    The number is one of the whole process: several Python threads may be in such a context at the same time, and it is
    set back when the last of them leaves.

    Examples
    --------
    >>> import numpy as np
    >>> with one_blas_thread():
    ...     np.linalg.inv(np.array([[2.0]])).tolist()
    [[0.5]]
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    _LIMIT.enter(threadpool_limits)
    try:
        yield
    finally:
        _LIMIT.leave()


class _SharedLimit:
    """The limit of this process: set by the first thread that enters, removed by the last one that leaves."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._limits: Any = None

    def enter(self, threadpool_limits: Any) -> None:
        with self._lock:
            if not self._users:
                self._limits = threadpool_limits(1)
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._limits.restore_original_limits()


_LIMIT = _SharedLimit()
