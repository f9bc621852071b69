"""One thread for dense products: a limit of the whole process, which Python threads share."""

import os
import subprocess
import sys

import numpy as np
import pytest

from ir_coliee.engine.scoring import one_blas_thread

threadpoolctl = pytest.importorskip("threadpoolctl")

# in an interpreter of its own, because libraries that other tests load set the limit too
TWO_THREADS = """
from contextlib import nullcontext
from threading import Barrier, Thread

import numpy as np
from ir_coliee.engine.scoring import one_blas_thread
from threadpoolctl import threadpool_info


def numbers():
    np.ones((2, 2)) @ np.ones((2, 2))
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def other():
    with one_blas_thread():
        entered.wait()
        left.wait()
        seen.append(numbers())


before, seen, entered, left = numbers(), [], Barrier(2), Barrier(2)
with one_blas_thread():  # the other thread is limited as well after this one was
    pass
for first_here in (False, True):
    thread = Thread(target=other)
    with one_blas_thread() if first_here else nullcontext():
        thread.start()
        entered.wait()
    left.wait()
    thread.join()
    assert {*seen.pop()} == {1}
    assert numbers() == before
"""


def numbers():
    np.ones((2, 2)) @ np.ones((2, 2))
    return [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]


@pytest.mark.slow
def test_the_limit_lasts_until_the_last_thread_leaves_and_is_then_set_back():
    threads = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", TWO_THREADS], check=True, env={**os.environ, **threads})


def test_an_error_sets_the_limit_back():
    before = numbers()
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError
    assert numbers() == before
