import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee import frames
from ir_coliee.errors import ColieeWarning
from ir_coliee.frames import first_occurrences, number_grouped_ids, number_ids, save_array, warn_if_nothing_matches

# before pandas 3, "str" was a cast that wrote a missing value out
STRING_TYPES = [object, "string", "category", *(["str"] if pd.__version__ >= "3" else [])]
some_ids = st.lists(st.sampled_from(["900001", "900002", "a", "", None, float("nan"), 1, 2.5]), max_size=12)


def in_order_of_appearance(values):
    """Missing ids are one value."""
    known, numbers = {}, []
    for value in values:
        numbers.append(known.setdefault("missing" if pd.isna(value) else (value,), len(known)))
    return numbers, [pd.NA if key == "missing" else key[0] for key in known]


@pytest.mark.parametrize("number", [number_ids, number_grouped_ids])
@given(values=some_ids)
def test_ids_are_numbered_in_order_of_appearance(number, values):
    numbers, ids = number(pd.Series(values, dtype=object))
    expected, known = in_order_of_appearance(values)
    assert numbers.tolist() == expected
    assert [pd.NA if pd.isna(value) else value for value in ids] == known


@pytest.mark.parametrize("number", [number_ids, number_grouped_ids])
@pytest.mark.parametrize("string_type", STRING_TYPES)
@pytest.mark.parametrize("values", [["b", "b", "a", "b"], ["b", None, None, "a"], [None], []])
def test_all_string_types_are_numbered_alike(number, string_type, values):
    column = pd.Series(values, dtype=object).astype("string").astype(string_type)
    numbers, ids = number(column)
    assert numbers.dtype == np.int64
    assert ids.dtype == object
    assert (numbers.tolist(), [pd.isna(value) or value for value in ids]) == (
        in_order_of_appearance(values)[0],
        [pd.isna(value) or value for value in in_order_of_appearance(values)[1]],
    )


@pytest.mark.parametrize("table", [2**26, 0])
@given(pairs=st.lists(st.integers(0, 9), max_size=12))
def test_the_first_of_equal_pairs_is_told_with_a_table_and_without(table, pairs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frames, "_TABLE_SIZE", table)
        first = first_occurrences(np.array(pairs, dtype=np.int64), 10)
    assert first.tolist() == [pair not in pairs[:place] for place, pair in enumerate(pairs)]


RUN = pd.DataFrame({"qid": ["1"], "docno": [900001]})
QRELS = pd.DataFrame({"qid": ["1"], "docno": ["900001"]})


def test_other_types_are_warned_of_where_the_caller_says():
    def measure():
        warn_if_nothing_matches(RUN, QRELS, ["qid", "docno"], stacklevel=2)

    with pytest.warns(ColieeWarning, match="docnos of the run are like .*900001.* qrels like '900001'") as caught:
        measure()
    assert len(caught) == 1
    assert caught[0].filename == __file__
    own_lines = measure.__code__.co_firstlineno, measure.__code__.co_firstlineno + 1
    assert caught[0].lineno not in own_lines


@pytest.mark.parametrize("array", [np.arange(5), np.zeros(0, np.int32), np.ones((2, 3))[:, ::2]])
def test_numpy_reads_a_saved_array(tmp_path, array):
    save_array(tmp_path / "a.npy", array)
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), array)


def test_a_file_that_cannot_be_written_completely_is_an_error(tmp_path):
    """np.save writes 2,048 of the 2,528 bytes and raises nothing."""
    resource = pytest.importorskip("resource", reason="no limits of file sizes on this system")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            save_array(tmp_path / "a.npy", np.arange(600, dtype=np.int32))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
