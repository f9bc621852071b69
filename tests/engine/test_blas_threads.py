"""One thread for dense products: a limit of the whole process, which Python threads share."""

from threading import Barrier, Thread

import numpy as np
import pytest

from ir_coliee.engine.blas_threads import one_blas_thread

threadpoolctl = pytest.importorskip("threadpoolctl")


def numbers():
    np.ones((2, 2)) @ np.ones((2, 2))
    return [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]


def test_the_limit_lasts_until_the_last_thread_leaves_and_is_then_set_back():
    before = numbers()
    if set(before) <= {1}:
        pytest.skip("this machine has one core")
    entered, left = Barrier(2), Barrier(2)
    seen = []

    def other():
        with one_blas_thread():
            entered.wait()
            left.wait()
            seen.append(numbers())

    thread = Thread(target=other)
    thread.start()
    with one_blas_thread():
        entered.wait()
    left.wait()
    thread.join()
    assert set(seen[0]) == {1}
    assert numbers() == before


def test_an_error_sets_the_limit_back():
    before = numbers()
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError
    assert numbers() == before
