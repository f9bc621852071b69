"""Results that are kept: computed once by several threads, apart for other arguments, gone with their owner."""

import gc
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import numpy as np
import pytest

from ir_coliee.engine.cases.texts import TextPool, TokenSequences, computed_once


class Owner:
    pass


@pytest.fixture
def counted():
    times = []

    @computed_once
    def compute(owner, argument=0):
        times.append(argument)
        return np.arange(3) + argument

    return compute, times


def test_several_threads_compute_a_result_once(counted):
    compute, times = counted
    owner = Owner()
    with ThreadPoolExecutor(4) as executor:
        found = [*executor.map(lambda _: compute(owner), range(16))]
    assert all(each is found[0] for each in found)
    assert times == [0]


def test_other_arguments_and_owners_have_their_own_results(counted):
    compute, times = counted
    first, second = Owner(), Owner()
    assert [compute(owner, argument)[0] for owner in (first, second) for argument in (1, 2, 1)] == [1, 2, 1] * 2
    assert times == [1, 2, 1, 2]


def test_a_result_that_could_not_be_computed_is_computed_again():
    results = [None, 5]

    @computed_once
    def compute(owner):
        if results.pop(0) is None:
            raise ValueError("damaged")
        return 5

    owner = Owner()
    with pytest.raises(ValueError, match="damaged"):
        compute(owner)
    assert compute(owner) == 5


def test_results_are_kept_as_long_as_the_pool_is_in_use(counted):
    compute, _ = counted
    pool = TextPool(TokenSequences.of(["lamp"]), np.array([0]), np.array([0]))
    result = ref(compute(pool))
    gc.collect()
    assert result() is not None
    del pool
    gc.collect()
    assert result() is None
