"""Dense matrix products with the same bits on any number of cores."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext


def one_blas_thread() -> AbstractContextManager[object]:
    """Context in which dense products, inverses and decompositions run on one thread.

    The order of additions in BLAS and LAPACK, and so the last bits of the result, depend on the number of threads.
    threadpoolctl, which sets it, is installed with scikit-learn (the extra ``learn``). Without it the number of threads
    stays as it is, and results may differ between machines by rounding errors.

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
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
    return limits
